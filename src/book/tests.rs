//! What a book finds again, and what it does not.

use super::*;
use crate::board::{Random, Symmetry, parse_moves};
use std::ops::Range;

fn size() -> Size {
    Size::square(15).unwrap()
}

fn position(size: Size, moves: &str) -> Position {
    Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap()
}

fn points(moves: &str) -> Vec<Point> {
    parse_moves(moves).unwrap()
}

/// An entry with these figures.
fn entry(moves: &[Point], nodes: u64, depth: u16) -> Entry {
    Entry::new(Kind::Answer, Worth::Plain(17), work(nodes, depth), moves)
}

fn work(nodes: u64, depth: u16) -> Work {
    Work {
        depth,
        nodes,
        thread_ms: 250,
    }
}

/// A position of so many stones at random, and a free point.
fn random_position(size: Size, stones: usize, random: &mut Random) -> (Position, Point) {
    let mut free: Vec<Point> = size.points().collect();
    random.shuffle(&mut free);
    let position = Position::from_moves(size, &free[..stones]).unwrap();
    (position, free[stones])
}

/// A book of different positions, one a number, under two rules.
pub(super) fn sample(numbers: Range<u64>) -> Book {
    let mut book = Book::default();
    for number in numbers {
        let mut random = Random::new(number);
        let stones = 3 + number as usize % 7;
        let (position, free) = random_position(size(), stones, &mut random);
        let rule = [Rule::Freestyle, Rule::Caro][number as usize % 2];
        let worth = match number % 3 {
            0 => Worth::Plain(-300 + number as i16),
            1 => Worth::Win(7),
            _ => Worth::Loss(10),
        };
        let work = work(1_000 + number, 9);
        let entry = Entry::new(Kind::Answer, worth, work, &[free]);
        assert!(book.put(&position, rule, entry));
    }
    book
}

/// The position turned or mirrored.
fn copy(position: &Position, symmetry: Symmetry) -> Position {
    let stones = position.stones().iter();
    let moves: Vec<Point> = stones
        .map(|stone| symmetry.apply(stone.point, position.size()))
        .collect();
    Position::from_moves(position.size(), &moves).unwrap()
}

#[test]
fn every_symmetric_copy_is_found_with_its_move() {
    let mut random = Random::new(1);
    for size in [size(), Size::square(20).unwrap(), Size::new(9, 6).unwrap()] {
        for stones in 4..12 {
            let (position, free) = random_position(size, stones, &mut random);
            let mut book = Book::default();
            assert!(book.put(&position, Rule::Standard, entry(&[free], 1, 1)));
            for symmetry in Symmetry::all(size) {
                let found = book.answer(&copy(&position, symmetry), Rule::Standard);
                assert_eq!(found.unwrap().best(), Some(symmetry.apply(free, size)));
            }
        }
    }
}

/// Where the position is its own copy, the move may be a twin of the one that
/// was put in: what counts is that the position after it is the same.
#[test]
fn moves_in_symmetric_positions_lead_to_copies() {
    for (moves, answer) in [("", "h8"), ("h8", "i9"), ("h8i9", "h9"), ("h8h9j8", "h7")] {
        let before = position(size(), moves);
        let line = points(answer);
        let mut book = Book::default();
        assert!(book.put(&before, Rule::Freestyle, entry(&line, 1, 1)));
        for symmetry in Symmetry::all(size()) {
            let mut turned = copy(&before, symmetry);
            let found = book.answer(&turned, Rule::Freestyle).unwrap();
            turned.play(found.best().unwrap());
            let expected = position(size(), &format!("{moves}{answer}"));
            let mut copies = Symmetry::all(size()).map(|s| copy(&expected, s));
            assert!(copies.any(|copy| copy == turned), "{moves}");
        }
    }
}

#[test]
fn whole_lines_are_turned() {
    let mut book = Book::default();
    let before = position(size(), "h8h9j8");
    assert!(book.put(&before, Rule::Freestyle, entry(&points("h7g6k10"), 1, 1)));
    // Mirrored: column c becomes 16 - c.
    let found = book.answer(&position(size(), "h8h9f8"), Rule::Freestyle);
    let moves: Vec<Point> = found.unwrap().moves().collect();
    assert_eq!(moves, points("h7i6e10"));
}

#[test]
fn nothing_is_known_of_other_rules_sizes_and_walls() {
    let mut book = Book::default();
    let known = position(size(), "h8i9j7");
    assert!(book.put(&known, Rule::Caro, entry(&points("g7"), 1, 1)));
    assert!(book.answer(&known, Rule::Caro).is_some());
    for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Caro) {
        assert_eq!(book.answer(&known, rule), None, "{rule}");
    }
    for other in [(16, 16), (15, 16), (16, 15), (20, 20)] {
        let size = Size::new(other.0, other.1).unwrap();
        assert_eq!(book.answer(&position(size, "h8i9j7"), Rule::Caro), None);
    }
    let mut walled = known.clone();
    walled.block("a1".parse().unwrap());
    assert_eq!(book.answer(&walled, Rule::Caro), None);
    let before = book.clone();
    assert!(!book.put(&walled, Rule::Caro, entry(&points("g7"), 9, 9)));
    assert_eq!(book, before);
    assert_eq!(book.probe(&known, Rule::Caro, Kind::Replies), None);
}

#[test]
fn two_positions_with_one_key_do_not_pass_for_each_other() {
    let known = position(size(), "h8i9j7");
    let mut book = Book::default();
    assert!(book.put(&known, Rule::Renju, entry(&points("g7"), 1, 1)));
    // What a position of the same key would find: another number of stones,
    // a move on a stone, one on a forbidden point.
    let mut other = book.clone();
    other.sections[0].records[0].stones += 1;
    assert_eq!(other.answer(&known, Rule::Renju), None);
    for taken in known.stones() {
        let mut other = book.clone();
        let record = &mut other.sections[0].records[0];
        let symmetry = Canonical::of(&known, Rule::Renju).unwrap().symmetry;
        let image = symmetry.apply(taken.point, size());
        record.entry = record.entry.with_moves(|_| image);
        assert_eq!(other.answer(&known, Rule::Renju), None);
    }
    // h9 makes a double three for Black.
    let three_three = position(size(), "f9a1g9c1h10e1h11g1");
    let foul = entry(&points("h9"), 1, 1);
    assert!(!book.put(&three_three, Rule::Renju, foul));
    assert!(book.put(&three_three, Rule::Freestyle, foul));
}

#[test]
fn the_deeper_entry_stays() {
    let known = position(size(), "h8i9j7");
    let mut book = Book::default();
    let mut best = |nodes, depth, worth, answer| {
        let mut entry = entry(&points(answer), nodes, depth);
        entry.worth = worth;
        book.put(&known, Rule::Caro, entry);
        book.answer(&known, Rule::Caro)
            .unwrap()
            .best()
            .unwrap()
            .to_string()
    };
    let plain = Worth::Plain(3);
    assert_eq!(best(100, 10, plain, "g7"), "g7");
    assert_eq!(best(99, 12, plain, "g8"), "g7");
    assert_eq!(best(100, 11, plain, "g9"), "g9");
    assert_eq!(best(100, 11, plain, "g10"), "g9");
    assert_eq!(best(50, 0, Worth::Win(9), "g11"), "g11");
    assert_eq!(best(5_000, 20, plain, "g12"), "g11");
}

#[test]
fn replies_stand_beside_answers() {
    let known = position(size(), "h8i9j7");
    let mut book = Book::default();
    let replies = |moves: &str, nodes| {
        let worth = Worth::Plain(3);
        Entry::new(Kind::Replies, worth, work(nodes, 4), &points(moves))
    };
    assert!(book.put(&known, Rule::Caro, replies("g7g8", 100)));
    assert_eq!(book.answer(&known, Rule::Caro), None);
    assert!(book.put(&known, Rule::Caro, entry(&points("g9"), 5, 5)));
    assert!(book.put(&known, Rule::Caro, replies("g7g8k8", 50)));
    assert!(!book.put(&known, Rule::Caro, replies("g8g7", 900)));
    let found = book.probe(&known, Rule::Caro, Kind::Replies).unwrap();
    assert_eq!(found.moves().collect::<Vec<_>>(), points("g7g8k8"));
    assert!(!book.put(&known, Rule::Caro, replies("", 900)));
    assert!(!book.put(&known, Rule::Caro, replies("k9l9h8", 900)));
}

#[test]
fn merging_takes_the_deeper_of_both() {
    let (one, other) = (position(size(), "h8i9j7"), position(size(), "h8i9j8"));
    let mut first = Book::default();
    first.put(&one, Rule::Caro, entry(&points("g7"), 10, 5));
    first.put(&other, Rule::Caro, entry(&points("g7"), 30, 7));
    let mut second = Book::default();
    second.put(&one, Rule::Caro, entry(&points("g8"), 20, 6));
    second.put(&other, Rule::Caro, entry(&points("g8"), 20, 6));
    second.put(&other, Rule::Renju, entry(&points("g9"), 20, 6));
    assert_eq!(first.merge(&second), 2);
    let best = |position, rule| first.answer(position, rule).unwrap().best().unwrap();
    assert_eq!(best(&one, Rule::Caro).to_string(), "g8");
    assert_eq!(best(&other, Rule::Caro).to_string(), "g7");
    assert_eq!(best(&other, Rule::Renju).to_string(), "g9");
    let summaries: Vec<Summary> = first.summaries().collect();
    assert_eq!(summaries.len(), 2);
    assert_eq!(summaries[1].rule, Rule::Caro);
    assert_eq!((summaries[1].answers, summaries[1].replies), (2, 0));
    assert_eq!((summaries[1].deepest, summaries[1].most_nodes), (7, 30));
    assert_eq!(summaries[1].most_stones, 3);
    assert_eq!(first.merge(&second), 0);
}
