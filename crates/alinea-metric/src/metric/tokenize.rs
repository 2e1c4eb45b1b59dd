//! Lines to tokens, as the metrics of the field want them.
//!
//! Scores of different tokenizers cannot be compared, so each has the name that sacreBLEU gives it and makes the same
//! tokens.
//!
//! | name | tokens | needs |
//! |---|---|---|
//! | `none` | what stands between blanks | |
//! | `13a` | mteval-v13a: for Western languages | |
//! | `intl` | mteval-v14: punctuation and symbols of all scripts | |
//! | `char` | characters | |
//! | `zh` | Chinese characters, the rest as `13a` | |
//! | `zh-fixed` | the same, where sacreBLEU's ranges went wrong | |
//! | `ja-mecab`, `ko-mecab` | morphemes | a compiled dictionary of MeCab |
//! | `flores101`, `flores200`, `spBLEU-1K` | subwords | a model of SentencePiece |
//!
//! ```
//! use alinea::metric::tokenize::{ThirteenA, Tokenizer, Tokens};
//!
//! let mut tokens = Tokens::default();
//! ThirteenA.tokenize("It's \"1,000.50\", isn't it?", &mut tokens)?;
//! assert_eq!(tokens.iter().collect::<Vec<_>>(), ["It's", "\"", "1,000.50", "\"", ",", "isn't", "it", "?"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Rooms.** [`tokenizer_by_name`] and [`default_for_language`] choose; `scan` is the pass that most tokenizers share;
//! [`Mecab`] and [`SentencePiece`] read what users have installed; [`ScriptCounts`] tells when `13a` is a poor choice.

mod blanks;
mod by_name;
mod categories;
mod chinese;
mod international;
mod mecab;
mod scan;
mod scripts;
mod sentence_piece;
mod tercom;
mod thirteen_a;

use std::fmt;

pub use self::blanks::{Blanks, Characters, is_blank};
pub use self::by_name::{TOKENIZERS, TokenizerOptions, default_for_language, tokenizer_by_name};
pub use self::chinese::{Chinese, ChineseFixed};
pub use self::international::International;
pub use self::mecab::{Mecab, MecabLanguage};
pub use self::scripts::ScriptCounts;
pub use self::sentence_piece::SentencePiece;
pub use self::tercom::Tercom;
pub use self::thirteen_a::ThirteenA;
use crate::error::Result;

/// Makes tokens of lines.
pub trait Tokenizer: fmt::Debug + Send + Sync {
    /// The name, as signatures have it.
    fn name(&self) -> &str;

    /// Replaces `tokens` by those of a line.
    ///
    /// # Errors
    /// If a model that users supply cannot deal with the line. Those that are part of this library never fail.
    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()>;
}

/// The tokens of one line: parts of one text, in buffers that are used again.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    text: String,
    /// Where each token begins and ends in the text; never within a character.
    spans: Vec<(usize, usize)>,
}

impl Tokens {
    /// Forgets all tokens.
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }

    /// Adds a token.
    pub fn push(&mut self, token: &str) {
        let start = self.text.len();
        self.text.push_str(token);
        self.spans.push((start, self.text.len()));
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The tokens, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.spans.iter().map(|&(start, end)| &self.text[start..end])
    }

    /// Holds a text, of which there are no tokens yet.
    fn hold(&mut self, text: &str) {
        self.clear();
        self.text.push_str(text);
    }

    /// Adds what stands between blanks.
    fn push_split(&mut self, line: &str) {
        for token in line.split(is_blank).filter(|token| !token.is_empty()) {
            self.push(token);
        }
    }
}
