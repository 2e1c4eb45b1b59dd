//! Text in a page so that it stays text: in HTML, and in JSON inside a script. Whatever words a corpus has, none of them can
//! close a tag, end the script or start a comment in it.

use crate::error::{Error, ErrorKind};

/// What is given to a page does not fit together.
pub(super) fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}

/// Text as HTML has it, between tags and in attributes.
pub(in crate::view) fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => *out += "&amp;",
            '<' => *out += "&lt;",
            '>' => *out += "&gt;",
            '"' => *out += "&quot;",
            _ => out.push(character),
        }
    }
}

/// JSON that ends no script and starts no comment in it: `<` occurs in strings only, and is written as an escape there.
pub(in crate::view) fn harmless(json: String) -> String {
    if json.contains('<') { json.replace('<', "\\u003c") } else { json }
}
