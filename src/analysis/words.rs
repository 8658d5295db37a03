//! Sentences about games and moves, the same in every format.

use super::{Analysis, Grade, MoveReport};
use crate::board::{Colour, Point};
use crate::game_file::ToldResult;
use crate::rules::{GameResult, WinReason};
use crate::search::Score;

/// Moves of a line that are shown.
const SHOWN_MOVES: usize = 8;

/// How the game ended.
pub(super) fn ending(analysis: &Analysis) -> String {
    let last = analysis.moves.last();
    let last = last.map_or_else(String::new, |entry| entry.point.to_string());
    match (analysis.result, analysis.told) {
        (GameResult::Won(winner, WinReason::Five), _) => {
            format!("{winner} wins with {last}")
        }
        (GameResult::Won(winner, WinReason::Foul(foul)), _) => {
            format!("{winner} wins: {last} is a foul, {foul}")
        }
        (GameResult::Draw, _) => "Draw: the board is full".to_owned(),
        (GameResult::Ongoing, Some(ToldResult::Won(winner))) => {
            format!("{winner} won, says the file")
        }
        (GameResult::Ongoing, Some(ToldResult::Draw)) => "Draw, says the file".to_owned(),
        (GameResult::Ongoing, None) => "Unfinished".to_owned(),
    }
}

/// What was spent on a position: `1 s a position`.
pub(super) fn effort(analysis: &Analysis) -> String {
    let time = analysis.budget.time;
    let time = time.map(|time| format!("{} s", time.as_secs_f64()));
    let nodes = analysis.budget.nodes;
    let nodes = nodes.map(|nodes| format!("{nodes} nodes"));
    let bounds: Vec<_> = time.into_iter().chain(nodes).collect();
    format!("{} a position", bounds.join(" or "))
}

/// A score in short: `win in 3`, moves of the winner, or the win rate, `51%`.
pub(super) fn chance(score: Score) -> String {
    let moves = |plies: u32| plies.div_ceil(2);
    match (score.win_plies(), score.loss_plies()) {
        (Some(plies), _) => format!("win in {}", moves(plies)),
        (_, Some(plies)) => format!("loss in {}", moves(plies)),
        _ => percent(score.win_rate()),
    }
}

/// `37%`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The beginning of a line.
pub(super) fn line(moves: &[Point]) -> String {
    let names = moves.iter().take(SHOWN_MOVES).map(Point::to_string);
    names.collect::<Vec<_>>().join(" ")
}

/// What is to be said about a move, sentence by sentence; nothing about most.
pub(super) fn remarks(entry: &MoveReport) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(foul) = entry.foul {
        remarks.push(format!("A foul, forbidden to Black: {foul}."));
    }
    if !entry.grade.is_fault() {
        return remarks;
    }
    let winning = entry.before.win_plies().filter(|_| entry.missed_win);
    if let Some(plies) = winning {
        remarks.push(format!(
            "Missed win: {} wins in {}.",
            entry.best(),
            moves(plies)
        ));
    }
    let losing = entry.after.loss_plies().filter(|_| entry.overlooked_threat);
    if let Some(plies) = losing {
        let reply = entry.reply_line.first();
        let reply = reply.map_or_else(String::new, |point| format!(" with {point}"));
        remarks.push(format!(
            "Overlooked threat: {} wins in {}{reply}.",
            !entry.colour,
            moves(plies)
        ));
    }
    if winning.is_none() {
        remarks.push(format!("Better: {}.", entry.best()));
    }
    remarks
}

/// Moves that the winner makes in so many plies: `1 move`, `4 moves`.
fn moves(plies: u32) -> String {
    match plies.div_ceil(2) {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}

/// A name for a side that may have none.
pub(super) fn name(analysis: &Analysis, colour: Colour) -> &str {
    let name = analysis.names[colour.index()].as_str();
    match (name, colour) {
        ("", Colour::Black) => "Black",
        ("", Colour::White) => "White",
        _ => name,
    }
}

/// A grade as a headline: `Blunder`.
pub(super) const fn title(grade: Grade) -> &'static str {
    match grade {
        Grade::Given => "Given",
        Grade::Best => "Best move",
        Grade::Good => "Good move",
        Grade::Inaccuracy => "Inaccuracy",
        Grade::Mistake => "Mistake",
        Grade::Blunder => "Blunder",
    }
}
