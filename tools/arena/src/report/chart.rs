//! Line charts as SVG, without a library: axes with round numbers, lines and
//! bands. Colours come from the page's style sheet, so that they follow light
//! and dark.

use std::fmt::Write as _;
use yonsan::page::Html;

/// Room at the left for numbers, at the bottom for numbers and a label.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
const WIDE_HEIGHT: f64 = 300.0;
const NARROW_WIDTH: f64 = 360.0;
const NARROW_HEIGHT: f64 = 260.0;
/// How far apart marks are at least.
const MARK_WIDTH: f64 = 62.0;
const MARK_HEIGHT: f64 = 38.0;

/// A line of a chart.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// What it is.
    pub label: String,
    /// Number of its colour in the style sheet.
    pub colour: usize,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// Error band: x, lower and upper end.
    pub band: Vec<(f64, f64, f64)>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Number in the page: names must differ.
    pub id: &'a str,
    /// For readers that cannot see it.
    pub description: &'a str,
    /// Width on wide screens, in pixels.
    pub width: f64,
    /// What runs along the bottom.
    pub x_label: &'a str,
    /// Ends of the x axis.
    pub x_range: (f64, f64),
    /// Ends of the y axis.
    pub y_range: (f64, f64),
    /// The lines.
    pub series: &'a [Series],
}

impl Chart<'_> {
    /// The chart for wide and for narrow screens with a legend below, for the
    /// style sheet to choose.
    #[must_use]
    pub fn to_html(&self) -> String {
        let wide = self.to_svg(self.width, WIDE_HEIGHT, "wide");
        let narrow = self.to_svg(NARROW_WIDTH, NARROW_HEIGHT, "narrow");
        let mut legend = String::new();
        if self.series.len() > 1 || self.series.iter().any(|line| !line.label.is_empty()) {
            legend.push_str("<ul class=\"legend\">");
            for line in self.series {
                let (colour, label) = (line.colour, Html(&line.label));
                let _ = write!(legend, "<li><i class=\"key k{colour}\"></i>{label}</li>");
            }
            legend.push_str("</ul>");
        }
        format!("{wide}{narrow}{legend}")
    }

    fn to_svg(&self, width: f64, height: f64, class: &str) -> String {
        let plot = Plot {
            chart: self,
            width,
            height,
        };
        let id = format!("{}-{class}", self.id);
        let mut svg = format!(
            "<svg class=\"chart {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{}\"><clipPath id=\"{id}\"><rect x=\"{LEFT}\" y=\"{TOP}\" \
             width=\"{}\" height=\"{}\"/></clipPath>",
            Html(self.description),
            width - LEFT - RIGHT,
            height - TOP - BOTTOM,
        );
        plot.axes(&mut svg);
        let _ = write!(svg, "<g clip-path=\"url(#{id})\">");
        for line in self.series {
            plot.line(&mut svg, line);
        }
        svg.push_str("</g></svg>");
        svg
    }
}

struct Plot<'a> {
    chart: &'a Chart<'a>,
    width: f64,
    height: f64,
}

impl Plot<'_> {
    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.chart.x_range;
        LEFT + (value - low) / (high - low) * (self.width - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.chart.y_range;
        self.height - BOTTOM - (value - low) / (high - low) * (self.height - TOP - BOTTOM)
    }

    fn axes(&self, svg: &mut String) {
        let (right, bottom) = (self.width - RIGHT, self.height - BOTTOM);
        let most = ((self.height - TOP - BOTTOM) / MARK_HEIGHT) as usize;
        for mark in marks(self.chart.y_range, most) {
            let y = self.y(mark.value);
            let class = if mark.value == 0.0 { "zero" } else { "grid" };
            let _ = write!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                LEFT - 8.0,
                y + 4.0,
                mark.text
            );
        }
        let most = ((self.width - LEFT - RIGHT) / MARK_WIDTH) as usize;
        for mark in marks(self.chart.x_range, most) {
            let _ = write!(
                svg,
                "<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{}\">{}</text>",
                self.x(mark.value),
                bottom + 16.0,
                mark.text
            );
        }
        let _ = write!(
            svg,
            "<text class=\"axis\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
            (LEFT + right) / 2.0,
            self.height - 6.0,
            Html(self.chart.x_label)
        );
    }

    fn line(&self, svg: &mut String, line: &Series) {
        let place = |x: f64, y: f64| format!("{:.1},{:.1} ", self.x(x), self.y(y));
        if !line.band.is_empty() {
            let upper = line.band.iter().map(|&(x, _, high)| place(x, high));
            let lower = line.band.iter().rev().map(|&(x, low, _)| place(x, low));
            let points: String = upper.chain(lower).collect();
            let _ = write!(
                svg,
                "<polygon class=\"band b{}\" points=\"{points}\"/>",
                line.colour
            );
        }
        let points: String = line.points.iter().map(|&(x, y)| place(x, y)).collect();
        let _ = write!(
            svg,
            "<polyline class=\"line l{}\" points=\"{points}\"/>",
            line.colour
        );
        if let [(x, y)] = line.points[..] {
            let _ = write!(
                svg,
                "<circle class=\"dot k{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
                line.colour,
                self.x(x),
                self.y(y)
            );
        }
    }
}

struct Mark {
    value: f64,
    text: String,
}

/// At most `most` round numbers in a range, at least 2 if they fit.
fn marks((low, high): (f64, f64), most: usize) -> Vec<Mark> {
    let rough = (high - low) / most.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= rough * 0.999_999)
        .unwrap_or(rough);
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last)
        .map(|count| {
            let value = count as f64 * step;
            Mark {
                value,
                text: format!("{value:.digits$}").replace('-', "−"),
            }
        })
        .collect()
}

/// A range that holds all values with a little room, and is never empty.
#[must_use]
pub fn padded_range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|value| value.is_finite()) {
        low = low.min(value);
        high = high.max(value);
    }
    if low > high {
        return (-1.0, 1.0);
    }
    let room = ((high - low) * 0.06).max(high.abs().max(1.0) * 0.02);
    (low - room, high + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: (f64, f64), most: usize) -> Vec<String> {
        marks(range, most)
            .into_iter()
            .map(|mark| mark.text)
            .collect()
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(
            texts((-42.0, 61.0), 6),
            ["−40", "−20", "0", "20", "40", "60"]
        );
        assert_eq!(
            texts((0.0, 0.5), 5),
            ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]
        );
        assert_eq!(texts((1.0, 1000.0), 3), ["500", "1000"]);
        assert!(texts((1.0, 1.0), 3).is_empty());
        assert!(texts((0.0, f64::NAN), 3).is_empty());
    }

    #[test]
    fn charts_escape_labels_and_place_points() {
        let series = [Series {
            label: "<A>".to_owned(),
            colour: 2,
            points: vec![(0.0, 0.0), (10.0, 1.0)],
            band: vec![(0.0, -1.0, 1.0)],
        }];
        let chart = Chart {
            id: "test",
            description: "a \"test\"",
            width: 860.0,
            x_label: "games",
            x_range: (0.0, 10.0),
            y_range: (0.0, 1.0),
            series: &series,
        };
        let html = chart.to_html();
        assert!(html.contains("&lt;A&gt;") && !html.contains("<A>"));
        assert!(html.contains("a &quot;test&quot;"));
        // The corners of the plot: 860 by 300 with its margins.
        assert!(html.contains("points=\"52.0,260.0 848.0,12.0 \""), "{html}");
    }

    #[test]
    fn ranges_are_never_empty() {
        assert_eq!(padded_range([].into_iter()), (-1.0, 1.0));
        let (low, high) = padded_range([3.0, f64::INFINITY].into_iter());
        assert!(low < 3.0 && high > 3.0 && high < 4.0);
    }
}
