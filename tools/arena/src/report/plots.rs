//! The plots of a report: strength over games, time over moves.

use super::chart::{Chart, Series, padded_range};
use super::summary::{Summary, head_to_head};
use crate::collect::Collection;
use crate::stats::{Points, Tally, fit_ratings};

/// Points of a line at most.
const MAX_POINTS: usize = 240;
/// Ratings of a whole field are fitted so often at most.
const MAX_FITS: usize = 60;
/// Colours in the style sheet; more engines share them.
pub const COLOURS: usize = 8;
/// Width of a plot over the whole page, and of one beside something, in pixels.
const FULL_WIDTH: f64 = 1140.0;
const PART_WIDTH: f64 = 700.0;
/// A move number is drawn if this share of games got so far, and 2 games.
const LEAST_SHARE: f64 = 0.02;

/// Strength over games: for two engines the difference with its error, for
/// more the rating of each.
pub fn strength(collection: &Collection, summary: &Summary) -> Option<String> {
    if collection.games.len() < 2 || summary.names.len() < 2 {
        return None;
    }
    if summary.names.len() == 2 {
        difference(collection, summary)
    } else {
        field(collection, summary)
    }
}

fn difference(collection: &Collection, summary: &Summary) -> Option<String> {
    let mut tally = Tally::default();
    let mut line = Series::default();
    let games = collection.games.len();
    let every = games.div_ceil(MAX_POINTS);
    for (index, entry) in collection.games.iter().enumerate() {
        let is_black = summary.players[index][0] == 0;
        let points = Points::of(entry.game.outcome, is_black);
        tally.add(summary.pairs[index], points);
        let count = index + 1;
        let elo = tally.elo();
        let wanted = count % every == 0 || count == games;
        if wanted && elo.elo.is_finite() && elo.error_95.is_finite() {
            let x = count as f64;
            line.points.push((x, elo.elo));
            line.band
                .push((x, elo.elo - elo.error_95, elo.elo + elo.error_95));
        }
    }
    if line.points.is_empty() {
        return None;
    }
    // The first games swing wildly: the later ones decide the scale.
    let calm = line.band.len() / 5;
    let ends = line.band[calm..].iter();
    let y_range = padded_range(ends.flat_map(|&(_, low, high)| [low, high]).chain([0.0]));
    let description = "Elo difference with its 95 % interval after each game";
    let chart = Chart {
        id: "elo",
        description,
        width: FULL_WIDTH,
        x_label: "games played",
        x_range: (1.0, (games as f64).max(2.0)),
        y_range,
        series: &[line],
    };
    Some(chart.to_html())
}

fn field(collection: &Collection, summary: &Summary) -> Option<String> {
    let count = summary.names.len();
    let mut meetings = vec![vec![Tally::default(); count]; count];
    let mut lines: Vec<Series> = (0..count)
        .map(|engine| Series {
            label: summary.names[engine].clone(),
            colour: engine % COLOURS,
            ..Series::default()
        })
        .collect();
    let games = collection.games.len();
    let every = games.div_ceil(MAX_FITS);
    for (index, entry) in collection.games.iter().enumerate() {
        let [black, white] = summary.players[index];
        let (outcome, pair) = (entry.game.outcome, summary.pairs[index]);
        meetings[black][white].add(pair, Points::of(outcome, true));
        meetings[white][black].add(pair, Points::of(outcome, false));
        if (index + 1) % every != 0 && index + 1 != games {
            continue;
        }
        let Ok(ratings) = fit_ratings(&head_to_head(&meetings), &summary.anchors) else {
            continue;
        };
        for (line, rating) in lines.iter_mut().zip(ratings) {
            if rating.error_95.is_finite() {
                line.points.push((index as f64 + 1.0, rating.elo));
            }
        }
    }
    lines.retain(|line| !line.points.is_empty());
    // In the order of the last ratings, as the standings are.
    lines.sort_by(|a, b| {
        let last = |line: &Series| line.points.last().map_or(0.0, |point| point.1);
        last(b).total_cmp(&last(a))
    });
    let late = games as f64 / 5.0;
    let values = lines.iter().flat_map(|line| &line.points);
    let y_range = padded_range(values.filter(|(x, _)| *x >= late).map(|(_, y)| *y));
    let chart = Chart {
        id: "elo",
        description: "rating of each engine after each game",
        width: FULL_WIDTH,
        x_label: "games played",
        x_range: (1.0, (games as f64).max(2.0)),
        y_range,
        series: &lines,
    };
    (!lines.is_empty()).then(|| chart.to_html())
}

/// Mean thinking time in seconds over the number of the move.
pub fn time_use(collection: &Collection, summary: &Summary) -> Option<String> {
    // For each engine and move number the sum of times and their count.
    let mut sums: Vec<Vec<(u64, u64)>> = vec![Vec::new(); summary.names.len()];
    for (index, entry) in collection.games.iter().enumerate() {
        for (ply, entry) in entry.game.moves.iter().enumerate() {
            if entry.opening {
                continue;
            }
            let row = &mut sums[summary.players[index][ply % 2]];
            // A move number counts the moves of both sides in pairs.
            let number = ply / 2;
            if row.len() <= number {
                row.resize(number + 1, (0, 0));
            }
            row[number].0 += entry.time_ms;
            row[number].1 += 1;
        }
    }
    let mut lines = Vec::new();
    for standing in &summary.standings {
        let row = &sums[standing.engine];
        let least = (standing.tally.game_count() as f64 * LEAST_SHARE).max(1.0);
        let points: Vec<(f64, f64)> = row
            .iter()
            .enumerate()
            .filter(|(_, (_, count))| *count as f64 >= least)
            .map(|(number, &(sum, count))| {
                (number as f64 + 1.0, sum as f64 / count as f64 / 1000.0)
            })
            .collect();
        if !points.is_empty() {
            lines.push(Series {
                label: summary.names[standing.engine].clone(),
                colour: standing.engine % COLOURS,
                points,
                band: Vec::new(),
            });
        }
    }
    let all = || lines.iter().flat_map(|line| &line.points);
    let last = all().map(|point| point.0).fold(2.0, f64::max);
    let highest = all().map(|point| point.1).fold(0.0, f64::max);
    if highest <= 0.0 {
        return None;
    }
    let chart = Chart {
        id: "time",
        description: "mean thinking time in seconds over the number of the move",
        width: PART_WIDTH,
        x_label: "number of the move",
        x_range: (1.0, last),
        y_range: (0.0, highest * 1.06),
        series: &lines,
    };
    Some(chart.to_html())
}
