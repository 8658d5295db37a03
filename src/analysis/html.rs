//! An analysis as one page for a browser: nothing of it comes from elsewhere,
//! and its policy forbids the browser to fetch anything.
//!
//! The page holds the same JSON as [`super::json()`]; its script draws board,
//! curve and moves from it. A browser without scripts shows the plain text.

use super::words::name;
use super::{Analysis, json, text};
use crate::board::Colour;
use std::fmt;

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
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\
         <title>{title}</title>\n<style>{STYLE}</style></head>\n<body>\
         <header><h1>{title}</h1><ul class=\"facts\" id=\"facts\"></ul></header>\n\
         <noscript><main><pre class=\"card\">{}</pre></main></noscript>\n{BODY}\
         <script type=\"application/json\" id=\"data\">{}</script>\n\
         <script>{SCRIPT}</script></body></html>\n",
        Html(&plain),
        json_in_script(&json(analysis)),
    )
}

/// Shows a text so that it is text in HTML. Names come from files.
struct Html<'a>(&'a str);

impl fmt::Display for Html<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // Nor can control characters and those that change the
                // direction of what follows do anything.
                c if c.is_control() && c != '\n' => f.write_str("\u{fffd}")?,
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_str("\u{fffd}")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// JSON that can stand inside a script element: nothing in it can end the
/// element or begin a comment.
fn json_in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}
