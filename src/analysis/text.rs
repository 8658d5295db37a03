//! An analysis as text for a terminal: no line longer than 80 columns.

use super::words::{chance, effort, ending, line, name, percent, remarks, title};
use super::{Analysis, BLUNDER, Grade, INACCURACY, MISTAKE, MoveReport, SideSummary};
use crate::board::Colour;
use std::fmt::Write as _;

/// Width of the columns of the summary.
const SIDE_WIDTH: usize = 18;

/// The analysis as text, line by line.
#[must_use]
pub fn text(analysis: &Analysis) -> String {
    let mut text = head(analysis);
    text.push_str("\n Move             Before       After    Loss\n");
    for (number, entry) in (1..).zip(&analysis.moves) {
        text.push_str(&row(number, entry));
    }
    text.push('\n');
    text.push_str(&summary(analysis));
    text.push_str(&legend());
    text
}

fn head(analysis: &Analysis) -> String {
    let count = analysis.moves.len();
    let plural = if count == 1 { "" } else { "s" };
    let mut text = String::new();
    for (colour, mark) in [(Colour::Black, 'X'), (Colour::White, 'O')] {
        let told = &analysis.names[colour.index()];
        if !told.is_empty() {
            let _ = writeln!(text, "{mark} {colour}: {}", shortened(told, 60));
        }
    }
    let _ = writeln!(
        text,
        "{}, {}, {count} move{plural}. {}.\nYonsan {}, {}.",
        analysis.size,
        analysis.rule,
        ending(analysis),
        env!("CARGO_PKG_VERSION"),
        effort(analysis),
    );
    text
}

/// A move, and below it what is to be said about it.
fn row(number: usize, entry: &MoveReport) -> String {
    let mark = match entry.colour {
        Colour::Black => 'X',
        Colour::White => 'O',
    };
    let lost = if entry.grade.is_fault() {
        percent(entry.loss())
    } else {
        String::new()
    };
    let verdict = match entry.grade {
        Grade::Best | Grade::Good => "",
        grade => title(grade),
    };
    let row = format!(
        "{number:>4} {mark} {:<4} {:>12} {:>11} {lost:>7}  {verdict}",
        entry.point,
        chance(entry.before),
        chance(entry.after),
    );
    let mut text = format!("{}\n", row.trim_end());
    for remark in remarks(entry) {
        let _ = writeln!(text, "       {remark}");
    }
    if entry.grade.is_fault() && entry.best_line.len() > 1 {
        let _ = writeln!(text, "       Line: {}", line(&entry.best_line));
    }
    text
}

fn summary(analysis: &Analysis) -> String {
    let sides = Colour::ALL.map(|colour| analysis.summary(colour));
    let names = Colour::ALL.map(|colour| shortened(name(analysis, colour), SIDE_WIDTH - 2));
    let mut text = summary_row("", &names);
    type Figure = fn(&SideSummary) -> String;
    let figures: [(&str, Figure); 8] = [
        ("Average loss", |side| {
            format!("{:.1}%", side.mean_loss * 100.0)
        }),
        ("Moves judged", |side| side.judged.to_string()),
        ("Best moves", |side| side.best.to_string()),
        ("Inaccuracies", |side| side.inaccuracies.to_string()),
        ("Mistakes", |side| side.mistakes.to_string()),
        ("Blunders", |side| side.blunders.to_string()),
        ("Missed wins", |side| side.missed_wins.to_string()),
        ("Overlooked threats", |side| {
            side.overlooked_threats.to_string()
        }),
    ];
    for (title, figure) in figures {
        text.push_str(&summary_row(title, &sides.each_ref().map(figure)));
    }
    text
}

fn summary_row(title: &str, cells: &[String; 2]) -> String {
    let [black, white] = cells;
    format!(" {title:<20}{black:>SIDE_WIDTH$}{white:>SIDE_WIDTH$}\n")
}

fn legend() -> String {
    let [inaccuracy, mistake, blunder] = [INACCURACY, MISTAKE, BLUNDER].map(percent);
    format!(
        "\nPer cent are chances to win for the side that moves. A move that loses\n\
         {inaccuracy} of them is an inaccuracy, {mistake} a mistake, {blunder} a blunder. \
         `win in 3` and\n`loss in 3` are forced: the winner makes 3 more moves.\n"
    )
}

/// A text of at most so many characters, without line breaks.
fn shortened(text: &str, width: usize) -> String {
    let text = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let text: Vec<char> = text.collect();
    if text.len() <= width {
        text.into_iter().collect()
    } else {
        let kept = text.into_iter().take(width - 2);
        kept.chain("..".chars()).collect()
    }
}
