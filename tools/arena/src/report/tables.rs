//! Tables and figures of a report as HTML.

use super::plots::COLOURS;
use super::summary::{Standing, Summary};
use crate::standings::reason_word;
use crate::stats::{Estimate, Sprt, SprtStatus, Tally};
use std::fmt::Write as _;
use yonsan::page::Html;

/// The figures of a match of two engines, seen from the first.
pub fn match_figures(summary: &Summary) -> String {
    let tally = &summary.meetings[0][1];
    let (name, other) = (Html(&summary.names[0]), Html(&summary.names[1]));
    let mut html = format!(
        "<section class=\"card hero\"><div class=\"versus\"><span><i class=\"key k0\"></i>{name}\
         </span><span class=\"score\">{} <small>–</small> {}</span>\
         <span>{other}<i class=\"key k1\"></i></span></div>",
        points_text(tally.wins(), tally.draws()),
        points_text(tally.losses(), tally.draws()),
    );
    html.push_str(&result_bar(tally));
    html.push_str("<dl class=\"tiles\">");
    let mut tile = |term: &str, value: String, note: &str| {
        let _ = write!(
            html,
            "<div><dt>{term}</dt><dd>{value}</dd><dd class=\"note\">{note}</dd></div>"
        );
    };
    tile("Elo", estimate(tally.elo()), &format!("of {name}, 95 %"));
    tile("Normalised Elo", estimate(tally.normalized_elo()), "95 %");
    let likely = percent(tally.los());
    tile("LOS", likely, "likelihood to be stronger");
    tile(
        "Score",
        percent(tally.score().unwrap_or(0.5)),
        &format!("of {} games", tally.game_count()),
    );
    tile(
        "Draws",
        percent(tally.draw_rate().unwrap_or(0.0)),
        &format!("{} games", tally.draws()),
    );
    html.push_str("</dl>");
    if tally.pair_count() > 0 {
        html.push_str(&pair_bars(tally));
    }
    if let Some(sprt) = &summary.sprt {
        html.push_str(&sprt_track(sprt, tally));
    }
    html.push_str("</section>");
    html
}

/// Where a sequential test stands between its bounds.
fn sprt_track(sprt: &Sprt, tally: &Tally) -> String {
    let llr = sprt.llr(tally);
    let (low, high) = (sprt.lower_bound(), sprt.upper_bound());
    let place = ((llr - low) / (high - low)).clamp(0.0, 1.0) * 100.0;
    let status = sprt.status(tally);
    let class = match status {
        SprtStatus::AcceptH1 => "good",
        SprtStatus::AcceptH0 => "bad",
        SprtStatus::Continue => "",
    };
    format!(
        "<div class=\"sprt\"><h3>Sequential test <span class=\"{class}\">{status}</span></h3>\
         <div class=\"track\"><b style=\"left:{place:.1}%\"></b></div>\
         <p class=\"ends\"><span>{}<br>H0: {} Elo</span><span>LLR {}</span>\
         <span>{}<br>H1: {} Elo</span></p></div>",
        two_places(low),
        signed(sprt.elo0),
        two_places(llr),
        two_places(high),
        signed(sprt.elo1),
    )
}

/// Wins, draws and losses as a bar.
fn result_bar(tally: &Tally) -> String {
    let mut html = String::from("<div class=\"bar\">");
    for (class, count, what) in [
        ("w", tally.wins(), "won"),
        ("d", tally.draws(), "drawn"),
        ("l", tally.losses(), "lost"),
    ] {
        if count > 0 {
            let _ = write!(
                html,
                "<span class=\"{class}\" style=\"flex-grow:{count}\">{count} <em>{what}</em></span>"
            );
        }
    }
    html.push_str("</div>");
    html
}

/// The pentanomial as five bars.
fn pair_bars(tally: &Tally) -> String {
    let pairs = tally.pairs();
    let most = pairs.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut html =
        String::from("<div class=\"pairs\"><h3>Game pairs by points</h3><div class=\"columns\">");
    for (points, count) in ["0", "½", "1", "1½", "2"].iter().zip(pairs) {
        let height = count as f64 / most * 100.0;
        let _ = write!(
            html,
            "<div><b>{count}</b><i style=\"height:{height:.1}%\"></i><span>{points}</span></div>"
        );
    }
    html.push_str("</div></div>");
    html
}

/// Standings of all engines.
pub fn standings(summary: &Summary) -> String {
    let measured = summary.standings.iter().any(|row| row.peak_memory > 0);
    let deep = summary.standings.iter().any(|row| row.depth.1 > 0);
    let mut html = String::from(
        "<div class=\"scroll\"><table><thead><tr><th>#<th class=\"left\">Engine<th>Elo\
         <th title=\"half the 95 % interval\">±<th>Games<th>Won<th>Drawn<th>Lost<th>Score\
         <th>as Black<th>as White<th class=\"left\">Failures<th title=\"mean time for a move\">\
         Time/move<th>Longest",
    );
    if deep {
        html.push_str("<th>Depth");
    }
    if measured {
        html.push_str("<th>Memory");
    }
    html.push_str("</tr></thead><tbody>");
    for (place, row) in summary.standings.iter().enumerate() {
        standing_row(&mut html, summary, place, row, deep, measured);
    }
    html.push_str("</tbody></table></div>");
    html
}

fn standing_row(
    html: &mut String,
    summary: &Summary,
    place: usize,
    row: &Standing,
    deep: bool,
    measured: bool,
) {
    let score = |tally: &Tally| tally.score().map_or("–".to_owned(), percent);
    let failures = failures_text(row);
    let error = if row.rating.anchored {
        "held".to_owned()
    } else if row.rating.error_95.is_finite() {
        format!("{:.0}", row.rating.error_95)
    } else {
        "∞".to_owned()
    };
    let mean = row.time_ms as f64 / row.move_count.max(1) as f64;
    let _ = write!(
        html,
        "<tr><td>{}<td class=\"left name\"><i class=\"key k{}\"></i>{}<td><b>{}</b><td>{error}\
         <td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td class=\"left\">{failures}<td>{}<td>{}",
        place + 1,
        row.engine % COLOURS,
        Html(&summary.names[row.engine]),
        signed_if(row.rating.elo, !summary.anchors.iter().any(Option::is_some)),
        row.tally.game_count(),
        row.tally.wins(),
        row.tally.draws(),
        row.tally.losses(),
        score(&row.tally),
        score(&row.black),
        score(&row.white),
        seconds(mean),
        seconds(row.longest_ms as f64),
    );
    if deep {
        let depth = row.depth.0 as f64 / row.depth.1.max(1) as f64;
        let _ = match row.depth.1 {
            0 => write!(html, "<td>–"),
            _ => write!(html, "<td>{depth:.1}"),
        };
    }
    if measured {
        let _ = write!(
            html,
            "<td>{:.0} MiB",
            row.peak_memory as f64 / f64::from(1 << 20)
        );
    }
    html.push_str("</tr>");
}

/// What an engine failed by, and how often.
fn failures_text(row: &Standing) -> String {
    let failures: Vec<String> = row
        .failures
        .iter()
        .map(|(kind, count)| match count {
            1 => (*kind).to_owned(),
            _ => format!("{kind} ×\u{a0}{count}"),
        })
        .collect();
    if failures.is_empty() {
        "–".to_owned()
    } else {
        format!("<span class=\"bad\">{}</span>", failures.join(", "))
    }
}

/// Everybody against everybody, in the order of the standings.
pub fn cross_table(summary: &Summary) -> String {
    let mut html = String::from(
        "<div class=\"scroll\"><table class=\"cross\"><thead><tr><th>#<th class=\"left\">Engine",
    );
    for place in 1..=summary.standings.len() {
        let _ = write!(html, "<th>{place}");
    }
    html.push_str("</tr></thead><tbody>");
    for (place, row) in summary.standings.iter().enumerate() {
        let name = Html(&summary.names[row.engine]);
        let _ = write!(html, "<tr><td>{}<td class=\"left name\">{name}", place + 1);
        for column in &summary.standings {
            let tally = &summary.meetings[row.engine][column.engine];
            let Some(score) = tally.score() else {
                html.push_str(if row.engine == column.engine {
                    "<td class=\"self\">"
                } else {
                    "<td>"
                });
                continue;
            };
            let class = match score {
                s if s > 0.5 => "ahead",
                s if s < 0.5 => "behind",
                _ => "level",
            };
            let against = Html(&summary.names[column.engine]);
            let _ = write!(
                html,
                "<td class=\"{class}\" title=\"{name} against {against}: {} Elo\"><b>{}</b>\
                 <small>{}–{}–{}</small>",
                tally.elo(),
                percent(score),
                tally.wins(),
                tally.draws(),
                tally.losses(),
            );
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    html
}

/// How games ended.
pub fn endings(summary: &Summary) -> String {
    let total: u64 = summary.endings.iter().map(|(_, count)| count).sum();
    let mut html = String::from("<ul class=\"endings\">");
    for (reason, count) in &summary.endings {
        let share = *count as f64 / total.max(1) as f64;
        let class = if reason.is_failure() { " failed" } else { "" };
        let words = reason_word(*reason);
        let _ = write!(
            html,
            "<li class=\"ending{class}\"><span>{words}</span><i style=\"width:{:.1}%\"></i>\
             <b>{count}</b><small>{}</small></li>",
            share * 100.0,
            percent(share),
        );
    }
    html.push_str("</ul>");
    html
}

/// `52.3 %`.
fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Points with halves: `12½`.
fn points_text(wins: u64, draws: u64) -> String {
    let half = if draws % 2 == 1 { "½" } else { "" };
    let whole = wins + draws / 2;
    if whole == 0 && !half.is_empty() {
        half.to_owned()
    } else {
        format!("{whole}{half}")
    }
}

fn estimate(estimate: Estimate) -> String {
    let text = estimate.to_string().replace('-', "−");
    match text.split_once(" ± ") {
        Some((elo, error)) => format!("{elo} <small>± {error}</small>"),
        None => text,
    }
}

fn two_places(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}

fn signed(elo: f64) -> String {
    format!("{elo}").replace('-', "−")
}

/// A rating; with a sign if ratings are differences.
fn signed_if(elo: f64, with_sign: bool) -> String {
    let rounded = elo.round() as i64;
    let text = if with_sign {
        format!("{rounded:+}")
    } else {
        rounded.to_string()
    };
    text.replace('-', "−")
}

/// Milliseconds as people read them.
pub fn seconds(ms: f64) -> String {
    match ms {
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms if ms < 9_995.0 => format!("{:.2} s", ms / 1000.0),
        ms if ms < 99_950.0 => format!("{:.1} s", ms / 1000.0),
        ms => format!("{:.0} s", ms / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(points_text(12, 3), "13½");
        assert_eq!(points_text(0, 1), "½");
        assert_eq!(points_text(0, 0), "0");
        assert_eq!(percent(0.523), "52.3 %");
        assert_eq!(signed_if(-12.4, true), "−12");
        assert_eq!(signed_if(0.2, true), "+0");
        assert_eq!(signed_if(2716.4, false), "2716");
        assert_eq!(seconds(12.4), "12 ms");
        assert_eq!(seconds(1234.0), "1.23 s");
        assert_eq!(seconds(120_000.0), "120 s");
    }
}
