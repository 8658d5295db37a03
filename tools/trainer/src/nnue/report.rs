//! How good a net is on the samples held out, beside the classical evaluation.

use super::data::{Classical, Data, PLACES, Sample};
use super::layout::Layout;
use super::part::{Verdict, outcome_loss};
use super::sight::{Sight, Views};
use crate::games::Ending;
use std::fmt::{self, Write as _};
use yonsan::eval::nnue::{SIZE_CLASSES, size_class};
use yonsan::rules::Rule;

/// Rows of the calibration table.
pub const BINS: usize = 10;
/// Names of the size classes.
const CLASS_NAMES: [&str; SIZE_CLASSES] = ["up to 9", "10-12", "13-15", "16-19", "20-22"];
/// Positions are told apart by which part of their windows is rare, in
/// hundredths: up to these, and more.
const RARE_ENDS: [f32; 2] = [0.5, 2.0];
const RARE_NAMES: [&str; 3] = ["rare <=0.5%", "rare <=2%", "rare >2%"];
/// Whether the search's score counts, or the game is as good as over.
const STAGE_NAMES: [&str; 2] = ["open", "decided"];

/// What one evaluation made of some samples; sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Loss of values against their targets, in nats.
    pub value: f64,
    /// Loss of values against the endings.
    pub ending: f64,
    /// Won and lost games whose winner was told.
    pub right: f64,
    /// Loss of moves, in nats.
    pub urge: f64,
    /// Played moves among the first of [`PLACES`].
    pub found: [f64; PLACES.len()],
}

/// Positions for which a similar number of points was foretold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many there are.
    pub count: u64,
    /// Sum of the points foretold.
    pub foretold: f64,
    /// Sum of the points that were made.
    pub scored: f64,
}

/// Figures of a group of samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of values.
    pub values: u64,
    /// Number of values of games that were not drawn.
    pub decided: u64,
    /// Number of moves.
    pub moves: u64,
    /// Loss of the net's win, draw and loss against their targets, in nats: a
    /// sum.
    pub outcomes: f64,
    /// The net: sums.
    pub net: Judgement,
    /// The classical evaluation: sums.
    pub classical: Judgement,
    /// By points that the net foretold, in steps of a tenth.
    pub bins: [Bin; BINS],
}

impl Judgement {
    fn add_value(&mut self, points: f32, sample: &Sample) {
        let [win, draw, _] = sample.target;
        self.value += loss(points, win + draw / 2.0);
        self.ending += loss(points, sample.ending.points());
        if sample.ending != Ending::Draw {
            self.right += f64::from(u8::from((points > 0.5) == (sample.ending == Ending::Win)));
        }
    }

    fn add_move(&mut self, loss: f32, found: [f32; PLACES.len()]) {
        self.urge += f64::from(loss);
        for (sum, found) in self.found.iter_mut().zip(found) {
            *sum += f64::from(found);
        }
    }
}

/// Cross-entropy of a chance against a target from 0 to 1.
fn loss(chance: f32, target: f32) -> f64 {
    const LEAST: f64 = 1e-7;
    let (chance, target) = (
        f64::from(chance).clamp(LEAST, 1.0 - LEAST),
        f64::from(target),
    );
    -target * chance.ln() - (1.0 - target) * (1.0 - chance).ln()
}

impl Figures {
    /// Counts a sample.
    pub fn add(&mut self, sample: &Sample, verdict: &Verdict, classical: &Classical) {
        let points = verdict.points() as f32;
        if sample.has_value {
            self.values += 1;
            self.decided += u64::from(sample.ending != Ending::Draw);
            self.outcomes += f64::from(outcome_loss(&verdict.chances, &sample.target));
            self.net.add_value(points, sample);
            self.classical.add_value(classical.points, sample);
            let bin = &mut self.bins[((points * BINS as f32) as usize).min(BINS - 1)];
            bin.count += 1;
            bin.foretold += f64::from(points);
            bin.scored += f64::from(sample.ending.points());
        }
        if sample.has_move {
            self.moves += 1;
            self.net.add_move(verdict.move_loss, verdict.found);
            self.classical
                .add_move(classical.move_loss, classical.found);
        }
    }

    /// Mean loss of the net's win, draw and loss, in nats.
    #[must_use]
    pub fn outcome_loss(&self) -> f64 {
        self.outcomes / self.values.max(1) as f64
    }

    /// Mean loss of the points that one of the two foretold, in nats.
    #[must_use]
    pub fn value_loss(&self, of: &Judgement) -> f64 {
        of.value / self.values.max(1) as f64
    }

    /// Mean loss of the played move, in nats.
    #[must_use]
    pub fn move_loss(&self, of: &Judgement) -> f64 {
        of.urge / self.moves.max(1) as f64
    }

    /// One line of the table: the net, then the classical evaluation.
    fn line(&self, name: &str) -> String {
        let values = self.values.max(1) as f64;
        let decided = self.decided.max(1) as f64;
        let moves = self.moves.max(1) as f64;
        let [net, old] = [&self.net, &self.classical];
        let pair = |a: f64, b: f64, count: f64| format!("{:.4} {:.4}", a / count, b / count);
        let percent = |a: f64, b: f64, count: f64| {
            format!("{:4.1} {:4.1}", 100.0 * a / count, 100.0 * b / count)
        };
        format!(
            "  {name:<12} {:>7}  {}  {}  {} | {:>7}  {}  {}  {}\n",
            self.values,
            pair(net.value, old.value, values),
            pair(net.ending, old.ending, values),
            percent(net.right, old.right, decided),
            self.moves,
            pair(net.urge, old.urge, moves),
            percent(net.found[0], old.found[0], moves),
            percent(net.found[1], old.found[1], moves),
        )
    }
}

/// Figures of all samples and of groups of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// All samples.
    pub all: Figures,
    /// By [`Rule::index`].
    pub rules: [Figures; Rule::ALL.len()],
    /// By size class.
    pub classes: [Figures; SIZE_CLASSES],
    /// By the part of the windows that are rare.
    pub rare: [Figures; RARE_NAMES.len()],
    /// Before the end is near, and then.
    pub stages: [Figures; STAGE_NAMES.len()],
}

impl Report {
    /// Figures of the samples held out; `rare` is from [`rare_parts`].
    #[must_use]
    pub fn new(data: &Data, verdicts: &[Verdict], rare: &[f32]) -> Self {
        let mut report = Self::default();
        let judged = data.held_out.iter().zip(verdicts);
        for ((sample, verdict), (classical, rare)) in judged.zip(data.classical.iter().zip(rare)) {
            let game = data.game(sample);
            let rarity = RARE_ENDS.iter().filter(|&&end| *rare > end).count();
            for figures in [
                &mut report.all,
                &mut report.rules[game.rule.index()],
                &mut report.classes[size_class(game.size)],
                &mut report.rare[rarity],
                &mut report.stages[usize::from(sample.score.is_none())],
            ] {
                figures.add(sample, verdict, classical);
            }
        }
        report
    }

    /// One line for the time during a run.
    #[must_use]
    pub fn short(&self) -> String {
        let all = &self.all;
        let [net, old] = [&all.net, &all.classical];
        let first = |of: &Judgement| 100.0 * of.found[0] / all.moves.max(1) as f64;
        format!(
            "outcomes {:.4}, points {:.4} (classical {:.4}), moves {:.4} ({:.4}), \
             first {:.1} % ({:.1} %)",
            all.outcome_loss(),
            all.value_loss(net),
            all.value_loss(old),
            all.move_loss(net),
            all.move_loss(old),
            first(net),
            first(old),
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from(
            "  held out: net, then classical\n  \
             group         values  loss of value  against ending winner told |   \
             moves  loss of move   first      of 3\n",
        );
        text += &self.all.line("all");
        let rules = Rule::ALL.map(Rule::name);
        let groups = [
            (&rules[..], &self.rules[..]),
            (&CLASS_NAMES, &self.classes),
            (&RARE_NAMES, &self.rare),
            (&STAGE_NAMES, &self.stages),
        ];
        for (names, figures) in groups {
            for (name, figures) in names.iter().zip(figures) {
                if figures.values + figures.moves > 0 {
                    text += &figures.line(name);
                }
            }
        }
        text += "  foretold  scored  positions\n";
        for bin in self.all.bins.iter().filter(|bin| bin.count > 0) {
            let count = bin.count as f64;
            writeln!(
                text,
                "  {:6.1} %  {:4.1} %  {:9}",
                100.0 * bin.foretold / count,
                100.0 * bin.scored / count,
                bin.count
            )?;
        }
        f.write_str(&text)
    }
}

/// Which part of the windows of each sample held out has no row of its own,
/// in hundredths.
#[must_use]
pub fn rare_parts(data: &Data, sight: &Sight, layout: &Layout) -> Vec<f32> {
    let mut views = Views::default();
    let part = |sample| {
        sight.look(&data.view(sample), &mut views);
        let keys = || views.keys.iter().flatten();
        let rare = keys()
            .filter(|&&key| !layout.has_whole(key as usize))
            .count();
        100.0 * rare as f32 / keys().count().max(1) as f32
    };
    data.held_out.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Ending;

    /// By hand: chances 0.8 and 0.5 against a win, of which the target is 0.9.
    #[test]
    fn figures_are_sums_over_samples() {
        let sample = Sample::for_tests(Ending::Win, [0.85, 0.1, 0.05]);
        let verdict = Verdict {
            chances: [0.7, 0.2, 0.1],
            move_loss: 2.0,
            found: [0.0, 1.0, 1.0],
        };
        let classical = Classical {
            points: 0.5,
            move_loss: 3.0,
            found: [0.0, 0.0, 1.0],
        };
        let mut figures = Figures::default();
        figures.add(&sample, &verdict, &classical);
        figures.add(&sample, &verdict, &classical);
        assert_eq!((figures.values, figures.decided, figures.moves), (2, 2, 2));
        let close = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        };
        // -0.85 ln 0.7 - 0.1 ln 0.2 - 0.05 ln 0.1 = 0.579246.
        close(figures.outcomes, 2.0 * 0.579_246);
        // -0.9 ln 0.8 - 0.1 ln 0.2 = 0.361773; -ln 0.8 = 0.223144.
        close(figures.net.value, 2.0 * 0.361_773);
        close(figures.net.ending, 2.0 * 0.223_144);
        close(figures.classical.value, 2.0 * std::f64::consts::LN_2);
        // Even is no telling of the winner.
        assert_eq!((figures.net.right, figures.classical.right), (2.0, 0.0));
        assert_eq!((figures.net.urge, figures.classical.urge), (4.0, 6.0));
        assert_eq!(figures.net.found, [0.0, 2.0, 2.0]);
        let bin = figures.bins[8];
        assert_eq!((bin.count, bin.scored), (2, 2.0));
        let line = figures.line("all");
        assert!(
            line.contains("0.3618 0.6931  0.2231 0.6931  100.0  0.0"),
            "{line}"
        );
    }
}
