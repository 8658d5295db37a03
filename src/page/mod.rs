//! Layer 0: what all pages for a browser have in common, those of the analysis
//! and of the arena's report.
//!
//! A page is one file: nothing of it comes from elsewhere, and its policy
//! forbids the browser to fetch anything. Foreign text goes in through [`Html`]
//! and [`json_in_script`] only. [`BOARD`] draws the board. Uses the standard
//! library alone.

use std::fmt;

/// The script that makes elements and draws boards and stones: `kit`, for the
/// scripts after it.
pub const BOARD: &str = include_str!("board.js");

/// The beginning of a page, up to its body. `style` is CSS.
#[must_use]
pub fn head(title: &Html<'_>, style: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\
         <title>{title}</title>\n<style>{style}</style></head>\n<body>"
    )
}

/// The end of a page with a board: JSON, as the element `data`, and a script
/// that draws the page from it.
#[must_use]
pub fn tail(json: &str, script: &str) -> String {
    format!(
        "<script type=\"application/json\" id=\"data\">{}</script>\n\
         <script>{BOARD}{script}</script></body></html>\n",
        json_in_script(json)
    )
}

/// Shows a text so that it is text in HTML, also inside quoted attributes.
#[derive(Clone, Copy, Debug)]
pub struct Html<'a>(pub &'a str);

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
                c if c.is_control() && c != '\n' && c != '\t' => f.write_str("\u{fffd}")?,
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_str("\u{fffd}")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// JSON that can stand inside a script element: nothing in it can end the
/// element or begin a comment.
#[must_use]
pub fn json_in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        let text = Html("<b a='x' c=\"y\">&\u{7}\u{202e}").to_string();
        assert_eq!(
            text,
            "&lt;b a=&#39;x&#39; c=&quot;y&quot;&gt;&amp;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn pages_open_and_close() {
        let page = head(&Html("<a>"), "p {}") + &tail("[\"<\"]", "kit;");
        assert!(page.contains("<title>&lt;a&gt;</title>") && page.contains("[\"\\u003c\"]"));
        for name in ["html", "head", "body", "style", "script"] {
            let count = |text: &str| page.matches(text).count();
            assert_eq!(
                count(&format!("<{name}>")) + count(&format!("<{name} ")),
                count(&format!("</{name}>")),
                "{name}"
            );
        }
    }

    #[test]
    fn scripts_cannot_be_left() {
        let json = serde_json::to_string("</script><!--").unwrap();
        let inside = json_in_script(&json);
        assert!(!inside.contains('<'));
        let back: String = serde_json::from_str(&inside).unwrap();
        assert_eq!(back, "</script><!--");
    }
}
