//! A game as bytes.

use crate::error::FormatError;
use crate::game::{End, Facts, Game};
use crate::ply::Ply;
use yonsan::board::{Colour, MAX_SIDE, Size};
use yonsan::rules::Rule;

/// Bytes before the plies.
pub(crate) const HEAD_LEN: usize = 16;
const PLY_LEN: usize = 4;
const SUM_LEN: usize = 4;

/// Bytes of the longest record: that of a full board of the largest size.
pub const LONGEST_RECORD: usize =
    HEAD_LEN + SUM_LEN + PLY_LEN * MAX_SIDE as usize * MAX_SIDE as usize;

const RULE_BITS: u8 = 3;
const WINNER_BITS: u8 = 2;

/// Number of the winner in a record.
const fn winner_code(winner: Option<Colour>) -> u8 {
    match winner {
        None => 0,
        Some(Colour::Black) => 1,
        Some(Colour::White) => 2,
    }
}

/// The record of a game.
#[must_use]
pub fn encode(game: &Game) -> Vec<u8> {
    let facts = game.facts();
    let plies = game.plies();
    let mut bytes = Vec::with_capacity(HEAD_LEN + PLY_LEN * plies.len() + SUM_LEN);
    bytes.push(
        facts.rule.index() as u8
            | winner_code(facts.winner) << RULE_BITS
            | (facts.end as u8) << (RULE_BITS + WINNER_BITS),
    );
    bytes.extend([facts.size.width(), facts.size.height(), facts.opening_len]);
    // A board has 484 points at most, and a game no more plies than points.
    bytes.extend((plies.len() as u16).to_le_bytes());
    bytes.extend(facts.generation.to_le_bytes());
    bytes.extend(facts.seed.to_le_bytes());
    for ply in plies {
        bytes.extend(ply.to_bits(facts.size).to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Length of a record in bytes, by its head; `None` if the head makes no sense.
pub(crate) fn record_len(head: &[u8; HEAD_LEN]) -> Option<usize> {
    let (facts, ply_count) = read_head(head)?;
    (ply_count <= facts.size.area()).then_some(HEAD_LEN + PLY_LEN * ply_count + SUM_LEN)
}

/// The facts and the number of plies.
fn read_head(head: &[u8; HEAD_LEN]) -> Option<(Facts, usize)> {
    let [kind, width, height, opening_len, c0, c1, g0, g1, seed @ ..] = *head;
    let winner = match kind >> RULE_BITS & ((1 << WINNER_BITS) - 1) {
        0 => None,
        1 => Some(Colour::Black),
        2 => Some(Colour::White),
        _ => return None,
    };
    let facts = Facts {
        rule: *Rule::ALL.get(usize::from(kind & ((1 << RULE_BITS) - 1)))?,
        size: Size::new(width, height)?,
        winner,
        end: *End::ALL.get(usize::from(kind >> (RULE_BITS + WINNER_BITS)))?,
        opening_len,
        generation: u16::from_le_bytes([g0, g1]),
        seed: u64::from_le_bytes(seed),
    };
    Some((facts, usize::from(u16::from_le_bytes([c0, c1]))))
}

/// The game of a whole record; `offset` is where it begins, for errors.
///
/// # Errors
///
/// [`FormatError::Damaged`] if length or checksum are wrong,
/// [`FormatError::Impossible`] if they are right but no game is like that.
pub fn decode(record: &[u8], offset: u64) -> Result<Game, FormatError> {
    let damaged = || FormatError::Damaged(offset);
    let head = record.first_chunk().ok_or_else(damaged)?;
    if record_len(head) != Some(record.len()) {
        return Err(damaged());
    }
    let (body, sum) = record.split_last_chunk::<SUM_LEN>().ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let (facts, _) = read_head(head).ok_or_else(damaged)?;
    let (plies, _) = body[HEAD_LEN..].as_chunks::<PLY_LEN>();
    let plies: Option<Vec<Ply>> = plies
        .iter()
        .map(|&bytes| Ply::from_bits(u32::from_le_bytes(bytes), facts.size))
        .collect();
    let plies = plies.ok_or_else(damaged)?;
    Game::new(facts, plies).map_err(|error| FormatError::Impossible(offset, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::parse_moves;

    fn game() -> Game {
        let facts = Facts {
            rule: Rule::Renju,
            size: Size::new(15, 20).unwrap(),
            winner: Some(Colour::White),
            end: End::Proof,
            opening_len: 1,
            generation: 0x0102,
            seed: 0x1122_3344_5566_7788,
        };
        let points = parse_moves("a1b2").unwrap();
        Game::new(facts, points.into_iter().map(Ply::of_opening).collect()).unwrap()
    }

    /// The tables of the crate's head, worked out by hand but for the sum.
    #[test]
    fn bytes_are_the_documented_ones() {
        let bytes = encode(&game());
        let expected = [
            0x72, 15, 20, 1, 2, 0, 0x02, 0x01, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0,
            2, 0, 0, 16, 2, 0, 0,
        ];
        assert_eq!(bytes[..24], expected);
        assert_eq!(bytes.len(), 28);
        assert_eq!(LONGEST_RECORD, 1_956);
    }

    #[test]
    fn every_damaged_bit_is_noticed() {
        let bytes = encode(&game());
        assert_eq!(decode(&bytes, 0).unwrap(), game());
        for i in 0..bytes.len() * 8 {
            let mut bad = bytes.clone();
            bad[i / 8] ^= 1 << (i % 8);
            let error = decode(&bad, 7).unwrap_err();
            assert!(matches!(error, FormatError::Damaged(7)), "bit {i}: {error}");
        }
        for len in 0..bytes.len() {
            assert!(decode(&bytes[..len], 0).is_err());
        }
    }

    #[test]
    fn a_right_sum_does_not_excuse_an_impossible_game() {
        let mut bytes = encode(&game());
        // The second stone on the first.
        bytes[20] = 0;
        let end = bytes.len() - SUM_LEN;
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        let error = decode(&bytes, 0).unwrap_err();
        assert!(matches!(error, FormatError::Impossible(0, _)), "{error}");
    }

    /// The check value of CRC-32 as catalogues give it.
    #[test]
    fn the_checksum_is_the_common_one() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }
}
