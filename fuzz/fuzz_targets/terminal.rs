//! Whatever is written to a terminal, in whatever pieces, nothing of it is obeyed; text without anything dangerous stays as it is.

use std::io::Write as _;

use alinea::terminal::{Shown, is_dangerous};
use alinea_fuzz::choice;

pub(crate) fn fuzz(data: &[u8]) {
    let (size, data) = choice(data);
    let mut all = Vec::new();
    let mut shown = Shown::new(&mut all, true);
    for piece in data.chunks(1 + size % 8) {
        shown.write_all(piece).expect("memory takes all");
    }
    shown.flush().expect("memory takes all");
    drop(shown);
    let shown = String::from_utf8(all).expect("what is shown is text");
    let harmless = |character| !is_dangerous(character) || matches!(character, '\t' | '\n');
    assert!(shown.replace("\r\n", "\n").chars().all(harmless), "{shown:?}");
    if let Ok(text) = std::str::from_utf8(data)
        && text.chars().all(harmless)
    {
        assert_eq!(shown, text);
    }
}
