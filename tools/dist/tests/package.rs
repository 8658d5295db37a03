//! The packages, read back without the library that writes them, and judged by
//! the rules that the judge of Gomocup and Piskvork have for names.

use dist::inspect;
use dist::names::{READ_ME, WINDOWS_32, WINDOWS_64};
use dist::package::{self, MOST_BYTES, Package};
use dist::release::{Date, Release};
use flate2::read::DeflateDecoder;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

fn release() -> Release {
    Release {
        version: "1.2.3".into(),
        date: Date::parse("2026-11-29").unwrap(),
        commit: "0123456789".into(),
    }
}

fn libraries() -> BTreeSet<String> {
    ["log v0.4.1, MIT", "either v1.2.3, Apache-2.0"]
        .map(str::to_owned)
        .into()
}

fn windows() -> Package {
    package::windows(
        &release(),
        &libraries(),
        b"thirty-two".to_vec(),
        b"sixty-four".to_vec(),
    )
    .unwrap()
}

/// A file of an archive.
struct Member {
    name: String,
    time: u16,
    date: u16,
    mode: u32,
    bytes: Vec<u8>,
}

/// Reads an archive by its central directory, as PKWARE's APPNOTE describes it.
fn members(zip: &[u8]) -> Vec<Member> {
    let u16_at = |at: usize| u16::from_le_bytes([zip[at], zip[at + 1]]);
    let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
    let end = zip.len() - 22;
    assert_eq!(u32_at(end), 0x0605_4b50, "the end record");
    let mut at = u32_at(end + 16) as usize;
    let count = u16_at(end + 10);
    let mut read_one = || {
        assert_eq!(u32_at(at), 0x0201_4b50, "a record of the directory");
        let name_length = usize::from(u16_at(at + 28));
        let packed_length = u32_at(at + 20) as usize;
        let local = u32_at(at + 42) as usize;
        assert_eq!(u32_at(local), 0x0403_4b50, "the header of a file");
        let start = local + 30 + usize::from(u16_at(local + 26)) + usize::from(u16_at(local + 28));
        assert_eq!(u16_at(at + 10), 8, "deflate");
        let mut bytes = Vec::new();
        DeflateDecoder::new(&zip[start..start + packed_length])
            .read_to_end(&mut bytes)
            .unwrap();
        assert_eq!(bytes.len(), u32_at(at + 24) as usize);
        let member = Member {
            name: String::from_utf8(zip[at + 46..at + 46 + name_length].to_vec()).unwrap(),
            time: u16_at(at + 12),
            date: u16_at(at + 14),
            mode: u32_at(at + 38) >> 16,
            bytes,
        };
        at += 46 + name_length + usize::from(u16_at(at + 30)) + usize::from(u16_at(at + 32));
        member
    };
    (0..count).map(|_| read_one()).collect()
}

fn names(members: &[Member]) -> Vec<&str> {
    members.iter().map(|member| member.name.as_str()).collect()
}

fn text(member: &Member) -> &str {
    std::str::from_utf8(&member.bytes).unwrap()
}

#[test]
fn the_windows_package_holds_what_it_should() {
    let package = windows();
    assert_eq!(package.name, "YONSAN26.zip");
    let members = members(&package.bytes);
    assert_eq!(
        names(&members),
        [
            "LICENSE-APACHE.txt",
            "LICENSE-MIT.txt",
            "README.txt",
            "pbrain-yonsan.exe",
            "pbrain-yonsan64.exe",
        ]
    );
    assert_eq!(members[3].bytes, b"thirty-two");
    assert_eq!(members[4].bytes, b"sixty-four");
    for member in &members {
        // 29 November 2026, midnight, in the bits of MS-DOS.
        assert_eq!((member.date, member.time), (46 << 9 | 11 << 5 | 29, 0));
    }
}

#[test]
fn the_linux_package_can_be_run_as_it_is() {
    let package = package::linux(&release(), &libraries(), b"program".to_vec()).unwrap();
    assert_eq!(package.name, "yonsan-1.2.3-linux-x86_64.zip");
    let members = members(&package.bytes);
    assert_eq!(
        names(&members),
        [
            "LICENSE-APACHE.txt",
            "LICENSE-MIT.txt",
            "README.txt",
            "pbrain-yonsan",
        ]
    );
    let program = &members[3];
    assert_eq!(program.bytes, b"program");
    assert_eq!(program.mode & 0o777, 0o755);
    assert!(members[..3].iter().all(|text| text.mode & 0o777 == 0o644));
    assert!(
        members[..3]
            .iter()
            .all(|member| !text(member).contains('\r'))
    );
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(windows(), windows());
    let tomorrow = Release {
        date: Date::parse("2026-11-30").unwrap(),
        ..release()
    };
    let other = package::windows(&tomorrow, &libraries(), vec![1], vec![2]).unwrap();
    assert_ne!(windows().bytes, other.bytes);
}

#[test]
fn texts_suit_the_oldest_editor() {
    let package = windows();
    for member in &members(&package.bytes)[..3] {
        let text = text(member);
        assert!(text.is_ascii(), "{}", member.name);
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
        assert_eq!(text.matches('\r').count(), text.matches("\r\n").count());
        assert!(text.ends_with("\r\n"));
    }
    let read_me = &members(&package.bytes)[2];
    assert_eq!(read_me.name, READ_ME);
    let text = text(read_me);
    assert!(text.starts_with("YONSAN 1.2.3 of 2026-11-29 (commit 0123456789)\r\n"));
    assert!(text.contains("\r\n  either v1.2.3, Apache-2.0\r\n  log v0.4.1, MIT\r\n"));
    assert!(text.lines().all(|line| line.trim_end().len() <= 76));
    for name in [WINDOWS_32, WINDOWS_64] {
        assert!(text.contains(name), "{name}");
    }
}

/// Both licences, word for word as they lie in the repository.
#[test]
fn the_licences_are_whole() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let linux = package::linux(&release(), &libraries(), b"program".to_vec()).unwrap();
    for package in [windows(), linux] {
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let original = std::fs::read_to_string(repository.join(name)).unwrap();
            let members = members(&package.bytes);
            let packed = members.iter().find(|m| m.name == format!("{name}.txt"));
            assert_eq!(text(packed.unwrap()).replace("\r\n", "\n"), original);
        }
    }
}

#[test]
fn a_package_that_is_too_large_is_refused() {
    // Bytes of a linear congruential generator: deflate finds nothing in them.
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    })
    .take(MOST_BYTES / 2 + 1)
    .collect();
    let pack = |program: &[u8]| {
        package::windows(&release(), &libraries(), program.to_vec(), program.to_vec())
    };
    assert!(pack(&noise[..MOST_BYTES / 2 - 100_000]).is_ok());
    assert!(pack(&noise).is_err());
    assert!(pack(&[]).is_err());
}

/// How the judge chooses among the programs of a package: it wants `pbrain` at
/// the beginning, drops a final `64`, scores what the name says of rule and
/// size, and prefers a `64` where that is the system.
fn judges_choice<'a>(names: &[&'a str], rule: &str, size: &str, is_64_bit: bool) -> &'a str {
    let score = |name: &str| {
        let stem = name.strip_suffix(".exe").unwrap();
        let stem = stem.trim_end_matches("64").trim_end_matches(['_', '-']);
        let rules = ["freestyle", "standard", "renju", "caro"];
        let named_size = ["15", "20"].into_iter().find(|size| {
            let ends = |before: &str| stem.ends_with(&format!("{before}{size}"));
            ends("_") || rules.iter().any(|rule| ends(&format!("_{rule}-")))
        });
        let rest = named_size.map_or(stem, |size| stem.trim_end_matches(size));
        let rest = rest.trim_end_matches(['_', '-']);
        let named_rule = rules
            .into_iter()
            .find(|rule| rest.ends_with(&format!("_{rule}")));
        let fits = named_rule.is_none_or(|named| named == rule)
            && named_size.is_none_or(|named| named == size);
        let points = match (named_rule, named_size) {
            _ if !fits => 0,
            (Some(_), Some(_)) => 4,
            (Some(_), None) => 3,
            (None, Some(_)) => 2,
            (None, None) => 1,
        };
        (points, name.contains("64") == is_64_bit)
    };
    names
        .iter()
        .filter(|name| name.starts_with("pbrain") && name.ends_with(".exe"))
        .max_by_key(|name| score(name))
        .unwrap()
}

#[test]
fn the_judge_takes_the_right_program_for_every_event() {
    let package = windows();
    let members = members(&package.bytes);
    let names = names(&members);
    assert!(names.iter().all(|name| !name.contains(['/', '\\'])));
    for rule in ["freestyle", "standard", "renju", "caro"] {
        for size in ["15", "20"] {
            assert_eq!(judges_choice(&names, rule, size, true), WINDOWS_64);
            assert_eq!(judges_choice(&names, rule, size, false), WINDOWS_32);
        }
    }
    // The model itself: a name that says too much loses the other events.
    let names = ["pbrain-a_renju-15.exe", "pbrain-a64.exe"];
    assert_eq!(judges_choice(&names, "renju", "15", true), names[0]);
    assert_eq!(judges_choice(&names, "renju", "20", true), names[1]);
    assert_eq!(judges_choice(&names, "caro", "15", true), names[1]);
}

/// The digest of "abc" is the example of FIPS 180-4.
#[test]
fn checksums_are_those_that_sha256sum_reads() {
    let package = Package {
        name: "abc.zip".into(),
        bytes: b"abc".to_vec(),
    };
    assert_eq!(
        package::checksums(&[package]),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.zip\n"
    );
}

#[test]
fn what_is_no_program_is_refused() {
    for platform in [
        inspect::Platform::Windows32,
        inspect::Platform::Windows64,
        inspect::Platform::Linux,
    ] {
        for bytes in [&b""[..], b"MZ", b"\x7fELF", &[0; 1000]] {
            assert!(inspect::check(bytes, platform).is_err());
        }
    }
}
