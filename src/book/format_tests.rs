//! Bytes that are as they should be, and all the ways in which they are not.

use super::*;
use crate::board::{Position, parse_moves};
use crate::book::tests::sample;

/// The published sums of the authors of FNV.
#[test]
fn checksums_are_the_published_ones() {
    assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn books_come_back_as_written() {
    for count in [0, 1, 40] {
        let book = sample(0..count);
        let bytes = encode(&book);
        assert_eq!(decode(&bytes).unwrap(), book);
        let sections = book.sections.len();
        let expected = 24 + 12 * sections + 40 * count as usize + 8;
        assert_eq!(bytes.len(), expected);
    }
}

/// One record, byte by byte as the head of the module says.
#[test]
fn the_layout_is_the_documented_one() {
    let size = Size::square(15).unwrap();
    let work = Work {
        depth: 0x0102,
        nodes: 0x0304_0506,
        thread_ms: 0x0708,
    };
    let moves = parse_moves("h8i9").unwrap();
    let entry = Entry::new(Kind::Answer, Worth::Plain(-2), work, &moves);
    let mut book = Book::default();
    assert!(book.put(&Position::new(size), Rule::Renju, entry));
    let mut expected = b"YONSANBK\x01\0\0\0\x01\0\0\0\x54\0\0\0\0\0\0\0".to_vec();
    expected.extend(b"\x04\0\0\0\x0f\x0f\0\0\x01\0\0\0");
    let Record { key, .. } = book.sections[0].records[0];
    expected.extend(key.0.to_le_bytes());
    expected.extend(b"\x06\x05\x04\x03\0\0\0\0\x08\x07\0\0\xfe\xff\x02\x01\0\0\0\0");
    // The empty board has its own key in every copy, and the first is taken.
    expected.extend(b"\x07\x07\x08\x08\xff\xff\xff\xff\xff\xff\0\0");
    assert_eq!(encode(&book)[..84 - 8], expected);
    assert_eq!(encode(&book).len(), 84);
}

#[test]
fn damage_anywhere_is_seen() {
    let good = encode(&sample(0..6));
    for index in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[index] ^= 1 << bit;
            let error = decode(&bytes).unwrap_err();
            match index {
                0..8 => assert!(matches!(error, BookError::NotABook), "{index}: {error}"),
                8..12 => assert!(
                    matches!(error, BookError::Newer(_) | BookError::Damaged),
                    "{index}: {error}"
                ),
                // A length that is too great looks like a missing end.
                16..24 => assert!(
                    matches!(error, BookError::Cut | BookError::Damaged),
                    "{index}: {error}"
                ),
                _ => assert!(matches!(error, BookError::Damaged), "{index}: {error}"),
            }
        }
    }
}

#[test]
fn a_missing_end_is_seen_at_every_length() {
    let good = encode(&sample(0..6));
    for length in 1..good.len() {
        let error = decode(&good[..length]).unwrap_err();
        assert!(matches!(error, BookError::Cut), "{length}: {error}");
    }
    assert!(matches!(decode(b""), Err(BookError::NotABook)));
    let longer = [&good[..], b"x"].concat();
    assert!(matches!(decode(&longer), Err(BookError::Damaged)));
}

#[test]
fn other_files_and_newer_books_are_told_apart() {
    let good = encode(&sample(0..6));
    for text in [&b"YONSANTT\x01\0\0\0"[..], b"PK\x03\x04", b"yonsanbk"] {
        assert!(matches!(decode(text), Err(BookError::NotABook)));
    }
    let mut newer = good.clone();
    newer[8] = 2;
    let error = decode(&newer).unwrap_err();
    assert!(matches!(error, BookError::Newer(2)), "{error}");
    assert!(error.to_string().contains("version 2"), "{error}");
    // What else stands in a newer file nobody can know.
    let error = decode(&newer[..12]).unwrap_err();
    assert!(matches!(error, BookError::Newer(2)), "{error}");
}

/// A changed file with a checksum that fits, as a faulty writer might leave it.
fn with_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - SUM_BYTES;
    let sum = checksum(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn impossible_contents_are_refused_though_the_checksum_fits() {
    let book = sample(0..6);
    let good = encode(&book);
    assert_eq!(with_sum(good.clone()), good);
    let records = HEAD_BYTES + book.sections.len() * SECTION_BYTES;
    let changes: [(usize, &[u8]); 15] = [
        (8, &[0]),                   // version
        (12, &[0]),                  // number of sections
        (12, &[255, 255, 255, 255]), // the same
        (24, &[2]),                  // rule
        (28, &[23]),                 // width
        (30, &[1]),                  // zero
        (32, &[0, 0, 0, 0]),         // number of records
        (32, &[255, 255, 255, 255]), // the same
        (records, &[255; 8]),        // order of the keys
        (records + 24, &[255, 255]), // stones
        (records + 26, &[2]),        // kind
        (records + 27, &[3]),        // score
        (records + 28, &[15, 0]),    // a move outside
        (records + 28, &[255, 255]), // no move
        (records + 38, &[1]),        // zero
    ];
    for (index, new) in changes {
        let mut bytes = good.clone();
        bytes[index..index + new.len()].copy_from_slice(new);
        let error = decode(&with_sum(bytes)).unwrap_err();
        assert!(matches!(error, BookError::Damaged), "{index}: {error}");
    }
}

/// With a checksum that fits, any byte may be anything: never a crash, and
/// whatever is read can be written and read again.
#[test]
fn no_content_makes_a_crash() {
    let good = encode(&sample(0..4));
    for index in 0..good.len() - SUM_BYTES {
        for byte in [0, 1, 14, 15, 127, 255] {
            let mut bytes = good.clone();
            bytes[index] = byte;
            let bytes = with_sum(bytes);
            if let Ok(book) = decode(&bytes) {
                assert_eq!(encode(&book), bytes, "{index}");
            }
        }
    }
}
