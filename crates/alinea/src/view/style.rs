//! How pictures of characters are drawn.

/// Which characters stand for links; the module has the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// Geometric shapes. Terminals set up for Chinese, Japanese or Korean may draw them two columns wide.
    Unicode,
    /// ASCII only.
    Ascii,
}

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// The columns of the terminal. Default 100. At least one target word is drawn in a block, however narrow.
    pub width: usize,
    /// The length to which longer words are cut, in columns for source words, in characters for target words. From 1; default 20.
    pub word_length: usize,
    /// Words drawn of each sentence, so that the picture of absurdly long ones stays bounded. Default 1000.
    pub words: usize,
    /// Whether marks are colored, by ANSI escapes. Default no.
    pub color: bool,
    /// The marks. Default Unicode.
    pub marks: Marks,
}

alinea_text::configurable!(Style);

impl Default for Style {
    fn default() -> Self {
        Self { width: 100, word_length: 20, words: 1000, color: false, marks: Marks::Unicode }
    }
}
