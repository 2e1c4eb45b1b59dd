//! TER, translation edit rate (Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, *A study of translation edit rate with
//! targeted human annotation*): edits that turn a hypothesis into its reference, per word of the reference. An edit
//! inserts, deletes or substitutes a word, or shifts some words that stand together to another place.
//!
//! ```text
//! TER = 100 edits / words of the reference
//! ```
//!
//! Of several references the fewest edits count, and the mean of their lengths. Edits and lengths are summed over segments
//! first. Lower is better; a score can exceed 100.
//!
//! With normalization, references are normalized twice, as sacreBLEU does. Few lines change a second time: `it's.` is
//! `it's .` at first, and then `it 's .`.
//!
//! Time grows with the square of the length, a thousand times over where many shifts are tried, so lines have a limit
//! ([`limits::TER_CELLS`]).
//!
//! The fewest edits with shifts are hard to find, so shifts are chosen by a greedy search, which is part of the
//! definition: see the module `search`. It and its limits are those of the program Tercom as sacreBLEU has them, and scores are
//! sacreBLEU's for the same settings, to the last bit.
//!
//! ```
//! use alinea::metric::ter::Ter;
//! use alinea::metric::tokenize::Tercom;
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! // One shift and one substitution.
//! segments.push(&["yesterday we saw a house"], &["we saw the house yesterday"]);
//! let ter = Ter::new(Tercom::default());
//! let statistics = &measure(&ter, &segments, &Parallelism::serial())?[0];
//! assert_eq!(statistics.sums(), [2.0, 5.0]);
//! assert_eq!(ter.score(&statistics.sums()), 40.0);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod edit_distance;
mod search;

use self::edit_distance::Reference;
use self::search::Search;
use super::smoothing::Number;
use super::tokenize::{Tercom, Tokenizer, Tokens, is_blank};
use super::{Measurer, Metric, Signature};
use crate::bitext::Vocabulary;
use crate::error::Result;
use crate::limits;

/// The metric.
#[derive(Debug, Clone, Default)]
pub struct Ter {
    tokenizer: Tercom,
}

impl Ter {
    /// The metric for tokens of this kind.
    pub fn new(tokenizer: Tercom) -> Self {
        Self { tokenizer }
    }

    fn score_of<N: Number>(sums: &[N]) -> f64 {
        let (edits, length) = (sums[0], sums[1]);
        if length.wide() > 0.0 {
            N::new(100.0).times(edits.over(length)).wide()
        } else if edits.wide() > 0.0 {
            100.0
        } else {
            0.0
        }
    }
}

impl Metric for Ter {
    fn name(&self) -> String {
        "TER".to_owned()
    }

    fn has_in_single(&self, _score: f64) -> bool {
        true
    }

    fn in_percent(&self) -> bool {
        true
    }

    fn signature(&self) -> Signature {
        let tokenizer = &self.tokenizer;
        let yes = |yes| if yes { "yes" } else { "no" };
        let mut signature = Signature::default();
        signature.push("case", "c", if tokenizer.case_sensitive { "mixed" } else { "lc" });
        signature.push("tok", "t", tokenizer.name());
        signature.push("norm", "nr", yes(tokenizer.normalized));
        signature.push("punct", "pn", yes(!tokenizer.no_punctuation));
        signature.push("asian", "as", yes(tokenizer.asian_support));
        signature
    }

    /// Edits, and the mean length of the references.
    fn width(&self) -> usize {
        2
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        Box::new(TerMeasurer {
            ter: self,
            tokens: Tokens::default(),
            vocabulary: Vocabulary::default(),
            words: Vec::new(),
            references: Vec::new(),
            used: 0,
            search: Search::default(),
        })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        Self::score_of(sums)
    }

    fn score_of_resample(&self, sums: &[f32]) -> f64 {
        Self::score_of(sums)
    }

    fn higher_is_better(&self) -> bool {
        false
    }
}

struct TerMeasurer<'t> {
    ter: &'t Ter,
    tokens: Tokens,
    /// The words of the references.
    vocabulary: Vocabulary,
    words: Vec<u32>,
    /// References, of which the first `used` are those of the segment.
    references: Vec<Reference>,
    used: usize,
    search: Search,
}

/// What words are that no reference has.
const UNKNOWN: u32 = u32::MAX;

impl Measurer for TerMeasurer<'_> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.vocabulary.clear();
        self.used = references.len();
        if self.references.len() < self.used {
            self.references.resize_with(self.used, Reference::default);
        }
        for (text, reference) in references.iter().zip(&mut self.references) {
            self.ter.tokenizer.tokenize(text.trim_end_matches(is_blank), &mut self.tokens)?;
            if self.ter.tokenizer.normalized {
                let once = self.tokens.iter().collect::<Vec<_>>().join(" ");
                self.ter.tokenizer.tokenize(&once, &mut self.tokens)?;
            }
            let vocabulary = &mut self.vocabulary;
            self.words.clear();
            self.words.extend(self.tokens.iter().map(|token| vocabulary.intern(token.as_bytes()).index() as u32));
            limits::TER_CELLS.check(self.words.len() * self.words.len())?;
            reference.read(&self.words);
        }
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        self.ter.tokenizer.tokenize(hypothesis.trim_end_matches(is_blank), &mut self.tokens)?;
        let vocabulary = &self.vocabulary;
        self.words.clear();
        self.words.extend(
            self.tokens.iter().map(|token| vocabulary.id(token.as_bytes()).map_or(UNKNOWN, |id| id.index() as u32)),
        );
        let references = &self.references[..self.used];
        for reference in references {
            limits::TER_CELLS.check(reference.len() * self.words.len())?;
        }
        let edits = references.iter().map(|reference| self.search.edits(&self.words, reference)).min();
        let length: usize = references.iter().map(Reference::len).sum();
        statistics[0] = edits.unwrap_or(0) as f64;
        statistics[1] = length as f64 / references.len() as f64;
        Ok(())
    }
}
