//! Keeping foreign text from becoming markup or script.

use std::fmt;

/// Shows a text so that it is text in HTML, also inside quoted attributes.
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
    fn scripts_cannot_be_left() {
        let json = serde_json::to_string("</script><!--").unwrap();
        let inside = json_in_script(&json);
        assert!(!inside.contains('<'));
        let back: String = serde_json::from_str(&inside).unwrap();
        assert_eq!(back, "</script><!--");
    }
}
