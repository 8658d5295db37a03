//! Rows of `data/renju`: reading them, and asking a judge about every point.

use crate::common::{Judge, foul_name, set_up};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use yonsan::board::{Colour, Point, Position, Size, Symmetry, diagram};
use yonsan::rules::Rule;

/// A position and what is known about it.
pub struct Row {
    pub id: String,
    pub black: Vec<Point>,
    pub white: Vec<Point>,
    /// Every forbidden point and the name of the foul.
    pub forbidden: BTreeMap<Point, String>,
    /// Points where Black makes exactly five.
    pub five: BTreeSet<Point>,
    /// Answers that were written down by hand; they may say `legal`.
    pub expect: BTreeMap<Point, String>,
}

/// The size of the board of all rows.
pub fn size() -> Size {
    Size::square(15).unwrap()
}

/// Reads one JSON object a line.
pub fn read_rows(text: &str) -> Vec<Row> {
    text.lines().map(read_row).collect()
}

fn read_row(line: &str) -> Row {
    let value: Value = serde_json::from_str(line).expect("a row is JSON");
    let mut expect = named_points(&value["expect"]);
    if let Some(point) = value["point"].as_str() {
        let answer = value["answer"].as_str().expect("an answer is a text");
        expect.insert(read_point(point), answer.to_owned());
    }
    Row {
        id: value["id"].as_str().expect("an id is a text").to_owned(),
        black: points(&value["black"]),
        white: points(&value["white"]),
        forbidden: named_points(&value["forbidden"]),
        five: points(&value["five"]).into_iter().collect(),
        expect,
    }
}

fn read_point(text: &str) -> Point {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// An array of points; nothing if the field is not there.
fn points(value: &Value) -> Vec<Point> {
    let texts = value.as_array().into_iter().flatten();
    texts
        .map(|text| read_point(text.as_str().expect("a point is a text")))
        .collect()
}

/// An object of points and texts; nothing if the field is not there.
fn named_points(value: &Value) -> BTreeMap<Point, String> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .map(|(point, name)| {
            let name = name.as_str().expect("a kind is a text");
            (read_point(point), name.to_owned())
        })
        .collect()
}

/// Where and how the 15x15 board of a row lies.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    outer: Size,
    symmetry: Symmetry,
    x: u8,
    y: u8,
}

impl Frame {
    /// A 15x15 board, turned or mirrored.
    pub fn turned(symmetry: Symmetry) -> Self {
        Self {
            outer: size(),
            symmetry,
            x: 0,
            y: 0,
        }
    }

    /// A part of a larger board, its lowest corner at `(x, y)`; all points
    /// around it are taken by nobody, which is as good as an edge.
    pub fn walled_in(outer: Size, x: u8, y: u8) -> Self {
        Self {
            outer,
            symmetry: Symmetry::IDENTITY,
            x,
            y,
        }
    }

    fn place(self, point: Point) -> Point {
        let point = self.symmetry.apply(point, size());
        let (x, y) = (point.x() + self.x, point.y() + self.y);
        self.outer.point(x, y).expect("the board fits its frame")
    }

    fn set_up(self, row: &Row) -> Position {
        let place = |points: &[Point]| -> Vec<Point> {
            points.iter().map(|&point| self.place(point)).collect()
        };
        let inside: BTreeSet<Point> = size().points().map(|point| self.place(point)).collect();
        let blocked: Vec<Point> = self
            .outer
            .points()
            .filter(|point| !inside.contains(point))
            .collect();
        set_up(self.outer, &place(&row.black), &place(&row.white), &blocked)
    }
}

/// Asks about every empty point of the row as it stands.
pub fn check_row(row: &Row, judge: Judge) {
    check_row_in(row, Frame::turned(Symmetry::IDENTITY), judge);
}

/// Asks about every empty point of the row, with either side to move.
///
/// # Panics
///
/// If an answer is another than the row's.
pub fn check_row_in(row: &Row, frame: Frame, judge: Judge) {
    let mut position = frame.set_up(row);
    for side in Colour::ALL {
        position.set_side_to_move(side);
        for original in size().points() {
            let point = frame.place(original);
            if position.is_empty(point) {
                check_point(row, original, &position, point, judge);
            }
        }
    }
    for (point, name) in &row.expect {
        assert!(position.is_empty(frame.place(*point)), "{} {point}", row.id);
        let listed = row.forbidden.get(point).map_or("legal", String::as_str);
        assert_eq!(name, listed, "row {} contradicts itself at {point}", row.id);
    }
}

fn check_point(row: &Row, original: Point, position: &Position, point: Point, judge: Judge) {
    let told = foul_name((judge.foul)(position, point));
    let known = row.forbidden.get(&original).map_or("legal", String::as_str);
    let wins = (judge.wins)(position, Rule::Renju, point, Colour::Black);
    assert!(
        told == known && wins == row.five.contains(&original),
        "row {}, {original}: expected {known}, got {told}, wins: {wins}; at {point} of\n{}",
        row.id,
        diagram(position)
    );
}
