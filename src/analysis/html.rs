//! An analysis as one page for a browser: nothing of it comes from elsewhere,
//! and its policy forbids the browser to fetch anything.
//!
//! The page holds the same JSON as [`super::json()`]; its script draws board,
//! curve and moves from it. A browser without scripts shows the plain text.

use super::words::name;
use super::{Analysis, json, text};
use crate::board::Colour;
use crate::page::{self, Html};

const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");
const BODY: &str = include_str!("assets/page.html");

/// The analysis as a page.
#[must_use]
pub fn html(analysis: &Analysis) -> String {
    let [black, white] = Colour::ALL.map(|colour| name(analysis, colour));
    let title = format!("{black} – {white}");
    let title = Html(&title);
    let plain = text(analysis);
    format!(
        "{}<header><h1>{title}</h1><ul class=\"facts\" id=\"facts\"></ul></header>\n\
         <noscript><main><pre class=\"card\">{}</pre></main></noscript>\n{BODY}{}",
        page::head(&title, STYLE),
        Html(&plain),
        page::tail(&json(analysis), SCRIPT),
    )
}
