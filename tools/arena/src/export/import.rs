//! Games of other programs as lines of a results file.

use crate::record::{GameRecord, MoveRecord, Outcome, Reason};
use yonsan::board::Colour;
use yonsan::game_file::{FileGame, FileMove, ToldResult};
use yonsan::rules::{GameResult, Rule, WinReason};

/// The game as a line of a results file. The rule is the one given here
/// unless the file names its own. The result is what the moves say, then
/// what the file says.
///
/// # Errors
///
/// If a move cannot be made, or neither moves nor file tell a result.
pub fn to_record(read: &FileGame, number: u64, default_rule: Rule) -> Result<GameRecord, String> {
    let rule = read.rule.unwrap_or(default_rule);
    let game = read.play(rule).map_err(|error| error.to_string())?;
    let (outcome, reason, detail) = match (game.result(), read.result) {
        (GameResult::Won(winner, WinReason::Five), _) => (win(winner), Reason::Five, String::new()),
        (GameResult::Won(winner, WinReason::Foul(foul)), _) => {
            let place = read.moves.last().map(|entry| entry.point.to_string());
            let detail = format!("{foul} at {}", place.unwrap_or_default());
            (win(winner), Reason::Foul, detail)
        }
        (GameResult::Draw, _) => (Outcome::Draw, Reason::FullBoard, String::new()),
        (GameResult::Ongoing, Some(ToldResult::Draw)) => {
            let detail = "draw by the imported file".to_owned();
            (Outcome::Draw, Reason::Adjudicated, detail)
        }
        (GameResult::Ongoing, Some(ToldResult::Won(winner))) => {
            let detail = "result of the imported file".to_owned();
            (win(winner), Reason::Adjudicated, detail)
        }
        (GameResult::Ongoing, None) => return Err("the game has no result".to_owned()),
    };
    let or_unknown = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
    Ok(GameRecord {
        number,
        pair: number,
        rule: rule.name().to_owned(),
        width: read.size.width(),
        height: read.size.height(),
        procedure: "free".to_owned(),
        opening_source: String::new(),
        black: 0,
        white: 1,
        black_name: or_unknown(&read.black_name),
        white_name: or_unknown(&read.white_name),
        moves: read.moves.iter().map(move_record).collect(),
        outcome,
        reason,
        detail,
        last_lines: Vec::new(),
        overloaded: false,
        started_unix: 0,
        duration_ms: read.moves.iter().map(|entry| entry.time_ms).sum(),
        peak_memory: [0; 2],
        worst_overstep_ms: [0; 2],
    })
}

fn move_record(entry: &FileMove) -> MoveRecord {
    MoveRecord {
        point: entry.point.to_string(),
        opening: entry.opening,
        time_ms: entry.time_ms,
        score: entry.score,
        depth: entry.depth,
        nodes: entry.nodes,
        messages: Vec::new(),
    }
}

const fn win(winner: Colour) -> Outcome {
    match winner {
        Colour::Black => Outcome::Black,
        Colour::White => Outcome::White,
    }
}
