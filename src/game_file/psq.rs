//! PSQ, the game files of Piskvork: a header with the size, a line
//! `x,y,milliseconds` for each stone, counted from 1, the two players, an end
//! code, and as the cup's files have it a line `winner,rule`.

use super::{FileError, FileGame, FileMove, ToldResult, push_move, without_mark};
use crate::board::{Colour, Size};

/// How a PSQ file begins.
pub const PSQ_HEADER: &str = "Piskvorky ";

/// Reads a PSQ file. Line ends of every kind, blank lines and missing times
/// are accepted, and so are files that stop after the moves.
///
/// # Errors
///
/// If the header is missing, the size is none of ours, a line that should be a
/// move is none, or a stone lies outside the board or on another.
pub fn read_psq(text: &str) -> Result<FileGame, FileError> {
    let text = text.replace("\r\n", "\n");
    let lines = (1..).zip(without_mark(&text).split(['\n', '\r']).map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty()).peekable();
    let (number, header) = lines.next().unwrap_or((1, ""));
    let (size, second_begins) = parse_header(header, number)?;
    let mut moves = Vec::new();
    while let Some(&(number, line)) = lines.peek() {
        let Some(entry) = parse_move(line) else {
            break;
        };
        let name = format!("{},{}", entry.0, entry.1);
        let entry = file_move(entry, size, number, moves.len() + 1)?;
        push_move(&mut moves, entry, &name)?;
        lines.next();
    }
    let trailer = Trailer::read(lines, moves.len() + 1)?;
    let mut names = trailer.names;
    let mut result = trailer.result;
    if second_begins && names.len() == 2 {
        names.swap(0, 1);
        result = result.map(|result| match result {
            ToldResult::Won(winner) => ToldResult::Won(!winner),
            ToldResult::Draw => ToldResult::Draw,
        });
    }
    let mut names = names.into_iter();
    Ok(FileGame {
        size,
        tells_size: true,
        rule: trailer.rule.and_then(|rule| rule.parse().ok()),
        black_name: names.next().unwrap_or_default(),
        white_name: names.next().unwrap_or_default(),
        moves,
        result,
    })
}

/// Size, and whether the second player began, from
/// `Piskvorky 15x15, 11:11, 0`.
fn parse_header(line: &str, number: usize) -> Result<(Size, bool), FileError> {
    let bad = || FileError::new(number, "no header such as 'Piskvorky 15x15, 11:11, 0'");
    let rest = line.strip_prefix(PSQ_HEADER).ok_or_else(bad)?;
    let mut parts = rest.split(',').map(str::trim);
    let (width, height) = parts
        .next()
        .and_then(|p| p.split_once('x'))
        .ok_or_else(bad)?;
    let side = |text: &str| text.trim().parse::<u32>().map_err(|_| bad());
    let (width, height) = (side(width)?, side(height)?);
    let sides = u8::try_from(width).ok().zip(u8::try_from(height).ok());
    let size = sides.and_then(|(width, height)| Size::new(width, height));
    let size = size.ok_or_else(|| {
        let problem = format!("a board of {width}x{height}, but sides are 5 to 22");
        FileError::new(number, problem)
    })?;
    Ok((size, parts.nth(1) == Some("1")))
}

/// `x,y` or `x,y,milliseconds`.
fn parse_move(line: &str) -> Option<(i64, i64, i64)> {
    let mut parts = line.split(',').map(str::trim);
    let x = parts.next()?.parse().ok()?;
    let y = parts.next()?.parse().ok()?;
    let time = parts.next().map_or(Some(0), |time| time.parse().ok())?;
    Some((x, y, time))
}

fn file_move(
    (x, y, time): (i64, i64, i64),
    size: Size,
    line: usize,
    number: usize,
) -> Result<FileMove, FileError> {
    let index = |side: i64| u8::try_from(side.checked_sub(1)?).ok();
    let point = index(x)
        .zip(index(y))
        .and_then(|(x, y)| size.point(x, y))
        .ok_or_else(|| {
            let problem = format!("{x},{y} is outside the {size} board");
            FileError::new(line, problem).at_move(number)
        })?;
    Ok(FileMove {
        // Piskvork writes a negative time for stones of the opening.
        opening: time < 0,
        time_ms: u64::try_from(time).unwrap_or(0),
        ..FileMove::at(point, line)
    })
}

/// What stands behind the moves.
#[derive(Default)]
struct Trailer<'a> {
    names: Vec<String>,
    result: Option<ToldResult>,
    rule: Option<&'a str>,
}

impl<'a> Trailer<'a> {
    /// `number` is that of the move that would come next.
    fn read(
        lines: impl Iterator<Item = (usize, &'a str)>,
        number: usize,
    ) -> Result<Self, FileError> {
        let mut trailer = Self::default();
        for (line_number, line) in lines {
            if line.parse::<i64>().is_ok() {
                continue;
            }
            if let Some((result, rule)) = parse_result(line) {
                trailer.result = Some(result);
                trailer.rule = Some(rule);
            } else if is_meant_as_move(line) {
                let line: String = line.chars().take(SHOWN).collect();
                let problem = format!("'{}' is no move such as 8,8,0", line.escape_debug());
                return Err(FileError::new(line_number, problem).at_move(number));
            } else if trailer.names.len() < 2 {
                let name = line.strip_prefix('\'').unwrap_or(line);
                trailer.names.push(name.to_owned());
            }
        }
        Ok(trailer)
    }
}

/// Characters of a bad line that an error shows.
const SHOWN: usize = 20;

/// Whether a line behind the moves looks so much like a move that the file
/// must be damaged: to go on would lose all the moves that follow.
fn is_meant_as_move(line: &str) -> bool {
    let begins_so = line.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    begins_so && line.contains([',', ';'])
}

/// `winner,rule`.
fn parse_result(line: &str) -> Option<(ToldResult, &str)> {
    let (winner, rule) = line.split_once(',')?;
    let rule = rule.trim();
    let is_name = !rule.contains(',');
    let result = match winner.trim() {
        "0" => ToldResult::Draw,
        "1" => ToldResult::Won(Colour::Black),
        "2" => ToldResult::Won(Colour::White),
        _ => return None,
    };
    is_name.then_some((result, rule))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;

    const WHOLE: &str = "Piskvorky 20x15, 11:11, 0\r\n\r\n8,8,-1\r\n20,15,1500\r\n9,8\r\n\
                         alpha.zip\r\n'9,beta\r\n-1\r\n2,Renju\r\n";

    #[test]
    fn a_whole_file_is_read() {
        let game = read_psq(WHOLE).unwrap();
        assert_eq!(game.size, Size::new(20, 15).unwrap());
        assert_eq!((game.tells_size, game.rule), (true, Some(Rule::Renju)));
        assert_eq!(game.black_name, "alpha.zip");
        assert_eq!(game.white_name, "9,beta");
        assert_eq!(game.result, Some(ToldResult::Won(Colour::White)));
        let moves: Vec<_> = game
            .moves
            .iter()
            .map(|m| (m.point.to_string(), m.line, m.opening, m.time_ms))
            .collect();
        let expected = [
            ("h8", 3, true, 0),
            ("t15", 4, false, 1500),
            ("i8", 5, false, 0),
        ];
        let expected = expected.map(|(p, line, given, ms)| (p.to_owned(), line, given, ms));
        assert_eq!(moves, expected);
    }

    #[test]
    fn a_rule_nobody_knows_is_none() {
        let game = read_psq("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n-1\n0,Chess\n").unwrap();
        assert_eq!((game.rule, game.result), (None, Some(ToldResult::Draw)));
    }

    #[test]
    fn a_damaged_move_does_not_end_the_game() {
        for (bad, line) in [("9,o,0", 3), ("9;9;0", 3), ("-,9,0", 3)] {
            let text = format!("Piskvorky 15x15, 11:11, 0\n8,8,0\n{bad}\n10,10,0\na\nb\n-1\n");
            let error = read_psq(&text).unwrap_err().to_string();
            let expected = format!("line {line}: '{bad}' is no move such as 8,8,0 (move 2)");
            assert_eq!(error, expected);
        }
        let text = "Piskvorky 15x15, 11:11, 0\n8,8,0\nnonsense\n10,10,0\n";
        let error = read_psq(text).unwrap_err().to_string();
        assert_eq!(error, "line 4: '10,10,0' is no move such as 8,8,0 (move 2)");
    }

    #[test]
    fn lines_are_counted_as_editors_do() {
        for end in ["\n", "\r\n", "\r"] {
            let lines = ["Piskvorky 15x15, 11:11, 0", "", "8,8,0", "", "8,8,0"];
            let error = read_psq(&lines.join(end)).unwrap_err().to_string();
            assert_eq!(error, "line 5: 8,8 is taken by move 1 (move 2)");
        }
    }

    #[test]
    fn sizes_have_limits() {
        let error = read_psq("Piskvorky 300x15, 11:11, 0").unwrap_err();
        let expected = "line 1: a board of 300x15, but sides are 5 to 22";
        assert_eq!(error.to_string(), expected);
        assert!(read_psq("Piskvorky 15, 11:11, 0").is_err());
        let huge = format!("Piskvorky 15x15, 1:1, 0\n{},1,0", i64::MIN);
        assert!(read_psq(&huge).is_err());
    }
}
