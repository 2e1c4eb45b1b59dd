//! The files of the page, which are part of the program.

/// A file of the page.
#[derive(Debug)]
pub(super) struct PageFile {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
}

macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        &[$(PageFile { name: $name, kind: $kind, text: include_str!(concat!("page/", $name)) }),*]
    };
}

/// All of them; the first is the page itself.
pub(super) const FILES: &[PageFile] = files! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "adjudicate.js": "text/javascript; charset=utf-8",
    "annotate.js": "text/javascript; charset=utf-8",
    "clock.js": "text/javascript; charset=utf-8",
    "desk.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "lines.js": "text/javascript; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "marks.js": "text/javascript; charset=utf-8",
    "matrix.js": "text/javascript; charset=utf-8",
    "pointer.js": "text/javascript; charset=utf-8",
    "reports.js": "text/javascript; charset=utf-8",
    "rows.js": "text/javascript; charset=utf-8",
    "saving.js": "text/javascript; charset=utf-8",
    "sentences.js": "text/javascript; charset=utf-8",
    "server.js": "text/javascript; charset=utf-8",
    "sheet.js": "text/javascript; charset=utf-8",
    "state.js": "text/javascript; charset=utf-8",
    "text.js": "text/javascript; charset=utf-8",
};
