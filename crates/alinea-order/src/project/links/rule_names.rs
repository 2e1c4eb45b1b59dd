//! Names for patterns in rules, so that rules can be written with the tags and relations of another parser.
//!
//! A file has definitions, one a line: `let N = NOUN|PROPN` for parts of speech, `let -subj- = nsubj|csubj` for
//! relations; `#` begins a comment. Definitions may use names defined above them. `rule_set` resolves names when it
//! reads rules, so matching never sees them.
//!
//! `syntex` is a built-in table from SYNTEX (Bourigault et al. 2005) to Universal Dependencies, for the rules printed
//! by Ozdowska; its text is `syntex.names`.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::rule::Pattern;
use crate::error::Result;
use crate::format::lines::{LineReader, Utf8};
use crate::rule_line::{Tokens, tokens};

/// The names of SYNTEX.
const SYNTEX: &str = include_str!("syntex.names");

/// Meanings of names: a file has a line for each, `let N = NOUN|PROPN` for a part of speech and `let -subj- = nsubj|csubj` for
/// a relation; `#` begins a comment. [Rules](super::RuleSet::read) may be written with them.
///
/// ```
/// use alinea::format::lines::{LineReader, Utf8};
/// use alinea::project::links::{RuleNames, RuleSet};
///
/// let rules = LineReader::new(&b"V-subj-N / V-subj-N"[..], "ozdowska.rules", Utf8::Strict);
/// let rules = RuleSet::read(rules, RuleNames::syntex())?;
/// let edge = "VERB|AUX -nsubj|csubj-> NOUN|PROPN";
/// assert_eq!(rules.rules[0].to_string(), format!("{edge} / {edge}"));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RuleNames(pub(super) BTreeMap<String, Pattern>);

impl RuleNames {
    /// Tags and relations of the parser SYNTEX (Bourigault et al. 2005), which Ozdowska's rules are written with, in Universal
    /// Dependencies.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn syntex() -> Self {
        let lines = LineReader::new(SYNTEX.as_bytes(), "syntex.names", Utf8::Strict);
        Self::read(lines).expect("the names of the library are well formed")
    }

    /// The text of these names, with its comments: a file to begin with.
    pub fn syntex_text() -> &'static str {
        SYNTEX
    }

    /// Reads names.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `Parse` for what is no definition.
    pub fn read<R: BufRead>(mut lines: LineReader<R>) -> Result<Self> {
        let mut names = BTreeMap::new();
        let mut line = String::new();
        while lines.read_into(&mut line)? {
            let tokens = tokens(line.split('#').next().unwrap_or_default());
            if !tokens.is_empty() {
                let defined = Tokens::new(&tokens, &names).definition();
                let (name, pattern) = defined.map_err(|fault| fault.into_error(&line, &lines))?;
                names.insert(name, pattern);
            }
        }
        Ok(Self(names))
    }
}
