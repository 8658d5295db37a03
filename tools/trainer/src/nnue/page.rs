//! A page about a run: the course of the losses and the calibration, as one
//! HTML file that needs nothing else.

use super::report::{Bin, Report};
use super::watch::History;
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 280.0;
/// Room for the numbers at the axes.
const MARGIN: f64 = 48.0;
/// Lines across a chart.
const GRID_LINES: u32 = 4;
const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;\
padding:0 1rem;color:#222;background:#fff}svg{width:100%;height:auto}\
text{font-size:12px;fill:currentColor}.grid{stroke:#8884}.line{fill:none;stroke-width:2}\
.a{stroke:#06c}.b{stroke:#c50}.c{stroke:#888;stroke-dasharray:5 4}i{font-style:normal;\
font-weight:600}i.a{color:#06c}i.b{color:#c50}i.c{color:#888}pre{overflow-x:auto;font-size:12px}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}}";

/// A line of a chart: its class in the style sheet, its name, its points.
type Line<'a> = (&'a str, &'a str, Vec<(f64, f64)>);

/// The page; `title` and `settings` are plain text.
#[must_use]
pub fn page(title: &str, settings: &str, history: &History, outcome: &Report) -> String {
    let lesson = |pick: fn(&super::watch::Lesson) -> f64| {
        let points = history.lessons.iter();
        points.map(|l| (l.step as f64, pick(l))).collect::<Vec<_>>()
    };
    let exam = |pick: fn(&Report) -> f64| {
        let points = history.exams.iter();
        points
            .map(|(step, report)| (*step as f64, pick(report)))
            .collect::<Vec<_>>()
    };
    let points = chart(&[
        ("a", "held out", exam(|r| r.all.value_loss(&r.all.net))),
        (
            "c",
            "classical",
            exam(|r| r.all.value_loss(&r.all.classical)),
        ),
    ]);
    let outcomes = chart(&[
        ("b", "learning", lesson(|l| l.value)),
        ("a", "held out", exam(|r| r.all.outcome_loss())),
    ]);
    let moves = chart(&[
        ("b", "learning", lesson(|l| l.urge)),
        ("a", "held out", exam(|r| r.all.move_loss(&r.all.net))),
        (
            "c",
            "classical",
            exam(|r| r.all.move_loss(&r.all.classical)),
        ),
    ]);
    let calibration = chart(&[
        ("a", "points made", calibration(&outcome.all.bins)),
        ("c", "as foretold", vec![(0.0, 0.0), (1.0, 1.0)]),
    ]);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1><p>{settings}</p>\n\
         <h2>Points</h2><p>Loss of the points foretold, in nats, by step.</p>{points}\n\
         <h2>Outcomes</h2><p>Loss of win, draw and loss, in nats, by step.</p>{outcomes}\n\
         <h2>Moves</h2><p>Loss of the played move, in nats, by step.</p>{moves}\n\
         <h2>Calibration</h2><p>Points made by points foretold, held out.</p>{calibration}\n\
         <h2>Figures</h2><pre>{figures}</pre></html>\n",
        title = escape(title),
        settings = escape(settings),
        figures = escape(&outcome.to_string()),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn calibration(bins: &[Bin]) -> Vec<(f64, f64)> {
    let filled = bins.iter().filter(|bin| bin.count > 0);
    filled
        .map(|bin| {
            let count = bin.count as f64;
            (bin.foretold / count, bin.scored / count)
        })
        .collect()
}

/// A chart with a legend.
fn chart(lines: &[Line<'_>]) -> String {
    let points = || lines.iter().flat_map(|line| &line.2);
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let (low, high) = points().map(pick).fold((f64::MAX, f64::MIN), |ends, x| {
            (ends.0.min(x), ends.1.max(x))
        });
        if low < high {
            (low, high)
        } else {
            // Nothing, or one point: anything but an empty range will do.
            (low.min(0.0), high.max(low.min(0.0) + 1.0))
        }
    };
    let ((left, right), (bottom, top)) = (range(|p| p.0), range(|p| p.1));
    let x_of = |x: f64| MARGIN + (x - left) / (right - left) * (WIDTH - 2.0 * MARGIN);
    let y_of = |y: f64| HEIGHT - MARGIN + (bottom - y) / (top - bottom) * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">");
    for line in 0..=GRID_LINES {
        let part = f64::from(line) / f64::from(GRID_LINES);
        let (x, y) = (left + part * (right - left), bottom + part * (top - bottom));
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{MARGIN} {0:.1}H{1}\"/><text x=\"4\" y=\"{2:.1}\">{y:.3}</text>\
             <text x=\"{3:.1}\" y=\"{4}\" text-anchor=\"middle\">{5}</text>",
            y_of(y),
            WIDTH - MARGIN,
            y_of(y) + 4.0,
            x_of(x),
            HEIGHT - MARGIN / 2.0,
            if right - left > 2.0 {
                format!("{x:.0}")
            } else {
                format!("{x:.2}")
            },
        );
    }
    for (class, _, points) in lines {
        let path: Vec<String> = points
            .iter()
            .map(|&(x, y)| format!("{:.1},{:.1}", x_of(x), y_of(y)))
            .collect();
        let _ = write!(
            svg,
            "<polyline class=\"line {class}\" points=\"{}\"/>",
            path.join(" ")
        );
    }
    let names = lines
        .iter()
        .map(|(class, name, _)| format!("<i class=\"{class}\">{name}</i>"));
    svg + "</svg><p>" + &names.collect::<Vec<_>>().join(" · ") + "</p>"
}

#[cfg(test)]
mod tests {
    use super::super::watch::Lesson;
    use super::*;

    #[test]
    fn charts_show_every_point_within_their_frame() {
        let mut outcome = Report::default();
        outcome.all.bins[3] = Bin {
            count: 4,
            foretold: 1.4,
            scored: 2.0,
        };
        let lesson = |step, value, urge| Lesson { step, value, urge };
        let history = History {
            lessons: vec![
                lesson(1, 1.0, 4.0),
                lesson(2, 0.5, 3.0),
                lesson(3, 0.7, 2.0),
            ],
            exams: vec![(3, outcome.clone())],
        };
        let page = page("A & B", "1 < 2", &history, &outcome);
        assert!(page.contains("<h1>A &amp; B</h1><p>1 &lt; 2</p>"));
        assert_eq!(page.matches("<svg").count(), 4);
        // Losses from 0, that of the exam, to 1: down by half, then up a bit.
        assert!(page.contains("points=\"48.0,48.0 320.0,140.0 592.0,103.2\""));
        // The bin lies at 0.35 and scored a half.
        assert!(page.contains("points=\"238.4,140.0\""), "{page}");
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }
}
