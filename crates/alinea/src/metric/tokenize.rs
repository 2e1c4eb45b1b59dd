//! Lines to tokens, as the metrics of the field want them.
//!
//! Scores of different tokenizers cannot be compared, so each has the name that sacreBLEU gives it and makes the same
//! tokens.
//!
//! ```
//! use alinea::metric::tokenize::{ThirteenA, Tokenizer, Tokens};
//!
//! let mut tokens = Tokens::default();
//! ThirteenA.tokenize("It's \"1,000.50\", isn't it?", &mut tokens)?;
//! assert_eq!(tokens.iter().collect::<Vec<_>>(), ["It's", "\"", "1,000.50", "\"", ",", "isn't", "it", "?"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod blanks;
mod tercom;
mod thirteen_a;

use std::fmt;

pub use self::blanks::{Blanks, is_blank};
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

/// The tokens of one line, in one buffer that is used again, and room for steps on the way.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    text: String,
    ends: Vec<usize>,
    /// For tokenizers that work in steps.
    scratch: [Vec<u8>; 2],
}

impl Tokens {
    /// Forgets all tokens.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// Adds a token.
    pub fn push(&mut self, token: &str) {
        self.text.push_str(token);
        self.ends.push(self.text.len());
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The tokens, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.ends.iter().enumerate().map(|(number, &end)| {
            let start = if number == 0 { 0 } else { self.ends[number - 1] };
            &self.text[start..end]
        })
    }
}
