//! What stands on the board, as far as a transcript shows it: enough to tell
//! a taken point from a free one.

use std::collections::HashSet;

/// Sides of the board and stones, from the lines that were sent.
#[derive(Debug)]
pub(super) struct Board {
    width: i64,
    height: i64,
    stones: HashSet<(i64, i64)>,
    in_block: bool,
}

impl Board {
    pub(super) fn new() -> Self {
        Self {
            width: i64::MAX,
            height: i64::MAX,
            stones: HashSet::new(),
            in_block: false,
        }
    }

    /// Follows a line sent to the engine.
    pub(super) fn sent(&mut self, line: &str) {
        let line = line.trim().to_ascii_lowercase();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        if self.in_block {
            match parse_point(&line) {
                Some(point) => {
                    self.stones.insert(point);
                }
                None => self.in_block = word != "done",
            }
            return;
        }
        match word {
            "start" | "rectstart" => {
                let mut sides = rest
                    .split([',', ' '])
                    .filter_map(|side| side.trim().parse().ok());
                if let Some(width) = sides.next() {
                    self.width = width;
                    self.height = match word {
                        "start" => width,
                        _ => sides.next().unwrap_or(width),
                    };
                }
                self.stones.clear();
            }
            "restart" => self.stones.clear(),
            "board" | "yxboard" | "swap2board" => {
                self.stones.clear();
                self.in_block = !rest.contains("done");
                self.stones.extend(rest.split(' ').filter_map(parse_point));
            }
            "turn" | "play" => {
                self.stones.extend(parse_point(rest));
            }
            "takeback" => {
                if let Some(point) = parse_point(rest) {
                    self.stones.remove(&point);
                }
            }
            _ => {}
        }
    }

    /// Follows an answer of the engine.
    pub(super) fn answered(&mut self, line: &str) {
        self.stones.extend(line.split(' ').filter_map(parse_point));
    }

    pub(super) fn is_outside(&self, (x, y): (i64, i64)) -> bool {
        x < 0 || y < 0 || x >= self.width || y >= self.height
    }

    pub(super) fn is_taken(&self, point: (i64, i64)) -> bool {
        self.stones.contains(&point)
    }
}

/// `x,y`, and what may follow a second comma.
pub(super) fn parse_point(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.trim().split(',');
    let x = parts.next()?.trim().parse().ok()?;
    let y = parts.next()?.trim().parse().ok()?;
    Some((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_followed() {
        let mut board = Board::new();
        for line in ["START 15", "board", "7,7,1", "8, 8, 2", "DONE", "TURN 3,3"] {
            board.sent(line);
        }
        board.answered("4,4");
        for point in [(7, 7), (8, 8), (3, 3), (4, 4)] {
            assert!(board.is_taken(point));
        }
        board.sent("TAKEBACK 3,3");
        assert!(!board.is_taken((3, 3)));
        assert!(board.is_outside((15, 0)) && board.is_outside((0, -1)));
        assert!(!board.is_outside((14, 14)));
        board.sent("BOARD 1,1,1 2,2,2 DONE");
        assert!(board.is_taken((2, 2)) && !board.is_taken((7, 7)));
        board.sent("RECTSTART 20,10");
        assert!(!board.is_taken((2, 2)) && board.is_outside((0, 10)) && !board.is_outside((19, 9)));
    }
}
