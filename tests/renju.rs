//! Forbidden points: the judge against positions whose answers are known
//! from elsewhere, see `data/renju/README.md`.

mod common;
#[path = "common/renju_rows.rs"]
mod renju_rows;

use common::Judge;
use renju_rows::{Frame, check_row, check_row_in, read_rows};
use std::cell::RefCell;
use yonsan::board::{Position, Size, Symmetry};
use yonsan::eval::classical;
use yonsan::pattern::{Board, Class};
use yonsan::rules::{Rule, judge};

const FORBIDDEN: &str = include_str!("data/renju/forbidden.jsonl");
const HARD: &str = include_str!("data/renju/hard.jsonl");

const ORACLE: Judge = Judge {
    foul: judge::renju_foul,
    wins: judge::wins,
};

/// The judge of the search, which reads the shapes of a board.
const FAST: Judge = Judge {
    foul: |position, point| fast_board(position, Rule::Renju).renju_foul(point),
    wins: |position, rule, point, colour| {
        fast_board(position, rule).class(point, colour) == Class::Five
    },
};

thread_local! {
    /// The board made last: the rows ask about one position many times.
    static LAST_BOARD: RefCell<Option<Board>> = const { RefCell::new(None) };
}

fn fast_board(position: &Position, rule: Rule) -> Board {
    LAST_BOARD.with_borrow_mut(|last| {
        if let Some(board) = last
            && board.position() == position
            && board.rule() == rule
        {
            return board.clone();
        }
        let board = Board::new(position.clone(), classical::point_table(rule));
        *last = Some(board.clone());
        board
    })
}

#[test]
fn fast_judge_knows_all_forbidden_points() {
    for row in &read_rows(FORBIDDEN) {
        check_row(row, FAST);
    }
    for row in &read_rows(HARD) {
        check_row(row, FAST);
    }
}

#[test]
fn oracle_knows_all_forbidden_points() {
    let rows = read_rows(FORBIDDEN);
    assert_eq!(rows.len(), 3000);
    let fouls: usize = rows.iter().map(|row| row.forbidden.len()).sum();
    assert_eq!(fouls, 366 + 1008 + 3466, "rows are missing or cut");
    for row in &rows {
        check_row(row, ORACLE);
    }
}

#[test]
fn oracle_knows_the_disputed_points() {
    let rows = read_rows(HARD);
    assert_eq!(rows.len(), 59);
    assert!(rows.iter().all(|row| row.expect.len() == 1));
    for row in &rows {
        check_row(row, ORACLE);
    }
}

/// Turned, mirrored, and with nobody's stones around the board in place of
/// the edge, on boards of other sizes.
#[test]
fn oracle_does_not_care_how_a_board_lies() {
    let mut rows = read_rows(HARD);
    rows.extend(
        read_rows(FORBIDDEN)
            .into_iter()
            .filter(|row| !row.expect.is_empty()),
    );
    assert_eq!(rows.len(), 59 + 248);
    let places = [
        (22, 22, 7, 7),
        (22, 22, 0, 3),
        (15, 19, 0, 4),
        (20, 15, 2, 0),
    ];
    for row in &rows {
        for symmetry in Symmetry::all(renju_rows::size()) {
            check_row_in(row, Frame::turned(symmetry), ORACLE);
        }
        for (width, height, x, y) in places {
            let size = Size::new(width, height).unwrap();
            check_row_in(row, Frame::walled_in(size, x, y), ORACLE);
        }
    }
}
