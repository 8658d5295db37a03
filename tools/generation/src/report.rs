//! The report of a generation, Markdown, made from its state alone: the same
//! state gives the same text.

use crate::results::{Change, GateFigures, NetFigures, Outcome, RuleFit, RuleGames, elo};
use crate::state::State;
use crate::steps::{Bound, Gate, Step, plan};
use crate::table::{grouped, table};
use std::fmt::Write as _;

const SECONDS_PER_MINUTE: f64 = 60.0;
const MINUTES_PER_HOUR: u64 = 60;

/// The report.
#[must_use]
pub fn report(state: &State) -> String {
    let settings = &state.settings;
    let mut text = format!(
        "# Generation {}: {}\n\n",
        settings.generation, settings.name
    );
    text += "New against old, with the settings below. Elo is that of the new; the error is\n\
             half the width of its 95 % interval. Losses are in nats, on games held out.\n";
    for step in plan(settings) {
        if let Some(outcome) = state.outcome(&step.to_string()) {
            text += &section(step, outcome);
        }
    }
    text += &gate_section(state);
    text += &time_section(state);
    text += "\n## Line for the table of generations\n\n";
    text += &table([state]);
    let _ = write!(
        text,
        "\n## Settings\n\n```toml\n{}\n```\n",
        state.settings_text.trim()
    );
    text
}

/// One line about what came out of a step.
#[must_use]
pub fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Data { rules } => {
            let games = rules.iter().map(|of| of.games).sum();
            let positions = rules.iter().map(|of| of.positions).sum();
            format!("{} games, {} positions", grouped(games), grouped(positions))
        }
        Outcome::Fit { rules } => {
            let changes = rules.iter().filter_map(|fit| {
                let Change { before, after } = fit.values?;
                Some(format!(
                    "{} {:.4} to {:.4}",
                    fit.rule, before.loss, after.loss
                ))
            });
            format!("loss of values {}", changes.collect::<Vec<_>>().join(", "))
        }
        Outcome::Net(net) => format!(
            "loss of values {:.4}, tables {:.4}; of moves {:.4}, tables {:.4}",
            net.values, net.table_values, net.moves.loss, net.table_moves.loss
        ),
        Outcome::Openings { count } => format!("{count} openings"),
        Outcome::Gate(figures) => gate_summary(figures),
    }
}

/// A time in words, `2 h 05 min`, `8 min 02 s` or `3.1 s`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if seconds < SECONDS_PER_MINUTE {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    let (minutes, rest) = (whole / 60, whole % 60);
    if minutes < MINUTES_PER_HOUR {
        return format!("{minutes} min {rest:02} s");
    }
    let (hours, minutes) = (minutes / MINUTES_PER_HOUR, minutes % MINUTES_PER_HOUR);
    format!("{hours} h {minutes:02} min")
}

fn section(step: Step, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Data { rules } => data_section(rules),
        Outcome::Fit { rules } => fit_section(rules),
        Outcome::Net(net) => net_section(net),
        Outcome::Openings { .. } | Outcome::Gate(_) => {
            // The matches have one table, and their openings need none.
            debug_assert!(matches!(step, Step::Openings(_) | Step::Gate(_)));
            String::new()
        }
    }
}

fn data_section(rules: &[RuleGames]) -> String {
    let mut text = String::from("\n## Games\n\n| Rule | Games | Positions |\n|---|---:|---:|\n");
    for of in rules {
        let (games, positions) = (grouped(of.games), grouped(of.positions));
        let _ = writeln!(text, "| {} | {games} | {positions} |", of.rule);
    }
    let games = rules.iter().map(|of| of.games).sum();
    let positions = rules.iter().map(|of| of.positions).sum();
    let _ = writeln!(
        text,
        "| all | {} | {} |",
        grouped(games),
        grouped(positions)
    );
    text
}

fn fit_section(rules: &[RuleFit]) -> String {
    let mut text = String::from(
        "\n## Tables\n\n\
         | Rule | Values held out | Loss of values | Winner told, % | Loss of moves | Move first, % |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    for fit in rules {
        let [value_loss, told] = cells(fit.values);
        let [move_loss, first] = cells(fit.moves);
        let count = grouped(fit.value_count);
        let _ = writeln!(
            text,
            "| {} | {count} | {value_loss} | {told} | {move_loss} | {first} |",
            fit.rule
        );
    }
    text + "\nBefore the fit and after it.\n"
}

fn cells(change: Option<Change>) -> [String; 2] {
    match change {
        Some(Change { before, after }) => [
            format!("{:.4} → {:.4}", before.loss, after.loss),
            format!("{:.1} → {:.1}", before.right, after.right),
        ],
        None => ["–", "–"].map(str::to_owned),
    }
}

fn net_section(net: &NetFigures) -> String {
    let mut text = format!(
        "\n## Net\n\n{} positions for learning, {} held out.\n\n\
         | | Loss of values | Loss of moves | Move first, % |\n|---|---:|---:|---:|\n",
        grouped(net.learned),
        grouped(net.held_out)
    );
    for (name, values, moves) in [
        ("tables", net.table_values, net.table_moves),
        ("net", net.values, net.moves),
    ] {
        let (loss, right) = (moves.loss, moves.right);
        let _ = writeln!(text, "| {name} | {values:.4} | {loss:.4} | {right:.1} |");
    }
    let _ = writeln!(
        text,
        "\nLoss of win, draw and loss: {:.4}.",
        net.outcome_loss
    );
    text
}

fn gate_section(state: &State) -> String {
    let gates = crate::steps::gates(&state.settings);
    let mut text = String::from(
        "\n## Matches\n\n\
         | New | Rule and board | A move | Games | Won | Drawn | Lost | Elo | Failures |\n\
         |---|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for gate in gates {
        let outcome = state.outcome(&Step::Gate(gate).to_string());
        let Some(Outcome::Gate(figures)) = outcome else {
            continue;
        };
        let elo = elo([figures]).map_or_else(String::new, |elo| elo.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {elo} | {} |",
            gate.player,
            gate.board,
            bound_text(state, gate),
            figures.games(),
            figures.wins,
            figures.draws,
            figures.losses,
            figures.failures
        );
    }
    text
}

/// What bounds the moves of a match, with its number.
fn bound_text(state: &State, gate: Gate) -> String {
    let gates = &state.settings.gates;
    let text = match gate.bound {
        Bound::Nodes => gates
            .nodes
            .as_ref()
            .map(|by| format!("{} nodes", grouped(by.nodes))),
        Bound::Time => gates.time.as_ref().map(|by| format!("{} s", by.seconds)),
    };
    text.unwrap_or_default()
}

fn gate_summary(figures: &GateFigures) -> String {
    let elo = elo([figures]).map_or_else(String::new, |elo| format!(", Elo {elo}"));
    let mut text = format!(
        "{} won, {} drawn, {} lost{elo}",
        figures.wins, figures.draws, figures.losses
    );
    if figures.failures > 0 {
        let _ = write!(text, ", {} failures", figures.failures);
    }
    text
}

fn time_section(state: &State) -> String {
    let mut text = String::from("\n## Times\n\n| Step | Time |\n|---|---:|\n");
    for step in state.steps() {
        let _ = writeln!(text, "| {} | {} |", step.name, duration(step.seconds));
    }
    let _ = writeln!(text, "| all | {} |", duration(state.seconds()));
    text
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
