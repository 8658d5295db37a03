//! The table of generations: one line for each work folder, made from its
//! state alone.

use crate::results::{GateFigures, Outcome, elo};
use crate::settings::Player;
use crate::state::State;
use crate::steps::{Bound, Step, gates};

const NOTHING: &str = "–";
const SECONDS_PER_HOUR: f64 = 3600.0;

const TITLES: [&str; 12] = [
    "Name",
    "Generation",
    "Nodes a ply",
    "Games",
    "Positions",
    "Loss of values, tables",
    "Loss of values, net",
    "Tables, nodes",
    "Tables, time",
    "Net, nodes",
    "Net, time",
    "Hours",
];
/// Columns of text; all others are numbers.
const TEXT_COLUMNS: usize = 1;

/// The table, in Markdown.
#[must_use]
pub fn table<'a>(states: impl IntoIterator<Item = &'a State>) -> String {
    let rule = (0..TITLES.len()).map(|column| if column < TEXT_COLUMNS { "---" } else { "---:" });
    let mut text = line(&TITLES.map(str::to_owned)) + "\n";
    text += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    for state in states {
        text += &(row(state) + "\n");
    }
    text
}

/// The line of a work folder, without a line end.
#[must_use]
pub fn row(state: &State) -> String {
    let settings = &state.settings;
    let [games, positions] = match state.outcome(&Step::Data.to_string()) {
        Some(Outcome::Data { rules }) => [
            Some(rules.iter().map(|of| of.games).sum::<u64>()),
            Some(rules.iter().map(|of| of.positions).sum::<u64>()),
        ],
        _ => [None; 2],
    };
    let net = match state.outcome(&Step::Net.to_string()) {
        Some(Outcome::Net(net)) => Some(net.values),
        _ => None,
    };
    let number = |count: Option<u64>| count.map_or(NOTHING.to_owned(), grouped);
    let loss = |loss: Option<f64>| loss.map_or(NOTHING.to_owned(), |loss| format!("{loss:.4}"));
    let of = |player, bound| {
        let elo = elo(matches(state, player, bound));
        elo.map_or(NOTHING.to_owned(), |elo| elo.to_string())
    };
    line(&[
        settings.name.clone(),
        settings.generation.to_string(),
        grouped(settings.data.nodes),
        number(games),
        number(positions),
        loss(table_loss(state)),
        loss(net),
        of(Player::Tables, Bound::Nodes),
        of(Player::Tables, Bound::Time),
        of(Player::Net, Bound::Nodes),
        of(Player::Net, Bound::Time),
        format!("{:.2}", state.seconds() / SECONDS_PER_HOUR),
    ])
}

/// The matches that are done, of one kind.
fn matches(state: &State, player: Player, bound: Bound) -> Vec<&GateFigures> {
    let gates = gates(&state.settings);
    let wanted = gates
        .into_iter()
        .filter(|gate| gate.player == player && gate.bound == bound);
    let outcomes = wanted.filter_map(|gate| state.outcome(&Step::Gate(gate).to_string()));
    let figures = outcomes.filter_map(|outcome| match outcome {
        Outcome::Gate(figures) => Some(figures),
        _ => None,
    });
    figures.collect()
}

/// Loss of the values held out with the new tables, all rules together.
fn table_loss(state: &State) -> Option<f64> {
    let Some(Outcome::Fit { rules }) = state.outcome(&Step::Fit.to_string()) else {
        return None;
    };
    let (mut sum, mut count) = (0.0, 0);
    for fit in rules {
        if let Some(values) = fit.values {
            sum += values.after.loss * fit.value_count as f64;
            count += fit.value_count;
        }
    }
    (count > 0).then(|| sum / count as f64)
}

fn line(cells: &[String; TITLES.len()]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// A number with commas between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    const GROUP: usize = 3;
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(GROUP) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }
}
