//! chrF: how many n-grams of characters hypotheses and references share, by precision and recall (Popović 2015, *chrF:
//! character n-gram F-score for automatic MT evaluation*); chrF++ counts words and pairs of words too (Popović 2017,
//! *chrF++: words helping character n-grams*).
//!
//! ```text
//! chrF_beta = 100 (1 + beta^2) P R / (beta^2 P + R)
//! ```
//!
//! For each order, m n-grams of the hypotheses match, of h that they have and r that the references have; all are summed
//! over segments first. P is the mean of m / h, R that of m / r, over the orders that both sides have. beta = 2 gives
//! recall the weight that agrees best with people (Popović 2016, *chrF deconstructed*). Of several references a segment
//! counts only the one that its own score is best for. With epsilon smoothing each order has an F of its own, and the
//! score is their mean.
//!
//! Blanks are no characters, unless `whitespace` says so. Words are what stands between blanks, without one mark of
//! punctuation at the end, or else at the beginning, which is a word for itself.
//!
//! Scores are those of sacreBLEU for the same settings, to the last bit. NLTK's chrF, which is another number, is in
//! [`nltk`].
//!
//! ```
//! use alinea::metric::chrf::{Chrf, ChrfConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! segments.push(&["the cats sat"], &["the cat sat"]);
//! let chrf = Chrf::new(ChrfConfig::default())?;
//! let statistics = &measure(&chrf, &segments, &Parallelism::serial())?[0];
//! assert_eq!(format!("{} = {:.2}", chrf.name(), chrf.score(&statistics.sums())), "chrF2 = 74.78");
//! # Ok::<(), alinea::error::Error>(())
//! ```

pub mod nltk;
mod sorted;

use self::sorted::{SortedNgrams, UNKNOWN};
use super::smoothing::Number;
use super::tokenize::is_blank;
use super::{Measurer, Metric, Signature};
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};

/// The most orders of characters, or of words, there can be.
const MOST_ORDERS: usize = 32;

/// Stands for precision and recall of what is not there.
const EPSILON: f64 = 1e-16;

/// Everything that decides a score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChrfConfig {
    /// The longest n-grams of characters, 0 to 32.
    pub character_order: usize,
    /// The longest n-grams of words, 0 to 32; with 2 the metric is chrF++.
    pub word_order: usize,
    /// How many times as important as precision recall is, from 0.
    pub beta: f64,
    /// Whether blanks are characters.
    pub whitespace: bool,
    /// Whether each order has an F, 1e-16 where there is none; else orders that a side does not have are left out.
    pub epsilon_smoothing: bool,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
}

alinea_text::configurable!(ChrfConfig);

/// What sacreBLEU does without options: chrF2.
impl Default for ChrfConfig {
    fn default() -> Self {
        Self {
            character_order: 6,
            word_order: 0,
            beta: 2.0,
            whitespace: false,
            epsilon_smoothing: false,
            lowercase: false,
        }
    }
}

/// The metric.
#[derive(Debug)]
pub struct Chrf {
    config: ChrfConfig,
}

impl Chrf {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if there is no order or there are too many, or beta is negative or no finite number.
    pub fn new(config: ChrfConfig) -> Result<Self> {
        if config.character_order > MOST_ORDERS {
            return Err(Error::config("order of characters", config.character_order, "0 to 32"));
        }
        if config.word_order > MOST_ORDERS {
            return Err(Error::config("order of words", config.word_order, "0 to 32"));
        }
        if config.character_order + config.word_order == 0 {
            return Err(Error::config("orders of characters and words together", 0, "at least 1"));
        }
        validate_beta(config.beta)?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &ChrfConfig {
        &self.config
    }

    fn orders(&self) -> usize {
        self.config.character_order + self.config.word_order
    }

    /// In the arithmetic of Python, where a constant takes the precision of what it is combined with.
    fn score_of<N: Number>(&self, sums: &[N]) -> f64 {
        let (factor, one_more) = (self.config.beta * self.config.beta, 1.0 + self.config.beta * self.config.beta);
        let f =
            |precision: N, recall: N, denominator: N| N::new(one_more).times(precision).times(recall).over(denominator);
        let zero = N::new(0.0);
        let mut total = Sum::Constants(0.0);
        let (mut precisions, mut recalls, mut effective) = (zero, zero, 0);
        for row in sums.chunks_exact(3) {
            let [of_hypothesis, of_reference, matches] = [row[0], row[1], row[2]];
            let (precision, recall, denominator) = match (of_hypothesis.wide() > 0.0, of_reference.wide() > 0.0) {
                (true, true) => {
                    let (precision, recall) = (matches.over(of_hypothesis), matches.over(of_reference));
                    (precisions, recalls) = (precisions.add(precision), recalls.add(recall));
                    effective += 1;
                    (precision, recall, N::new(factor).times(precision).add(recall))
                }
                (false, true) => (N::new(EPSILON), zero, N::new(factor * EPSILON)),
                (true, false) => (zero, N::new(EPSILON), N::new(EPSILON)),
                (false, false) => {
                    total.add_constant(one_more * EPSILON * EPSILON / (factor * EPSILON + EPSILON));
                    continue;
                }
            };
            if denominator.wide() > 0.0 {
                total.add(f(precision, recall, denominator));
            } else {
                total.add_constant(EPSILON);
            }
        }
        if self.config.epsilon_smoothing {
            return total.percent_of(self.orders());
        }
        if effective == 0 {
            return 0.0;
        }
        let effective = N::new(f64::from(effective));
        let (precision, recall) = (precisions.over(effective), recalls.over(effective));
        if precision.add(recall).wide() == 0.0 {
            return 0.0;
        }
        N::new(100.0).times(f(precision, recall, N::new(factor).times(precision).add(recall))).wide()
    }
}

/// A sum as Python has it: of constants in double precision, until a number joins, whose precision it then has.
enum Sum<N> {
    Constants(f64),
    Numbers(N),
}

impl<N: Number> Sum<N> {
    fn add(&mut self, number: N) {
        *self = Self::Numbers(match *self {
            Self::Constants(sum) => N::new(sum).add(number),
            Self::Numbers(sum) => sum.add(number),
        });
    }

    fn add_constant(&mut self, constant: f64) {
        match self {
            Self::Constants(sum) => *sum += constant,
            Self::Numbers(sum) => *sum = sum.add(N::new(constant)),
        }
    }

    /// The mean over orders in percent.
    fn percent_of(self, orders: usize) -> f64 {
        match self {
            Self::Constants(sum) => 100.0 * sum / orders as f64,
            Self::Numbers(sum) => N::new(100.0).times(sum).over(N::new(orders as f64)).wide(),
        }
    }
}

fn validate_beta(beta: f64) -> Result<()> {
    if beta.is_finite() && beta >= 0.0 { Ok(()) } else { Err(Error::config("beta", beta, "a finite number from 0")) }
}

impl Metric for Chrf {
    fn name(&self) -> String {
        format!("chrF{}{}", self.config.beta, "+".repeat(self.config.word_order))
    }

    /// But scores of nothing but constants: 0, or the mean of orders that have 1e-16 each, which no number of single
    /// precision is.
    #[expect(clippy::float_cmp, reason = "whether a number has a certain form")]
    fn has_in_single(&self, score: f64) -> bool {
        let constant = if self.config.epsilon_smoothing { f64::from(score as f32) != score } else { score == 0.0 };
        !constant
    }

    fn in_percent(&self) -> bool {
        true
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        signature.push("case", "c", if config.lowercase { "lc" } else { "mixed" });
        signature.push("eff", "e", if config.epsilon_smoothing { "no" } else { "yes" });
        signature.push("nc", "nc", config.character_order.to_string());
        signature.push("nw", "nw", config.word_order.to_string());
        signature.push("space", "s", if config.whitespace { "yes" } else { "no" });
        signature
    }

    /// For each order of characters, then of words: n-grams of the hypothesis, of the reference, and matches.
    fn width(&self) -> usize {
        3 * self.orders()
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        Box::new(ChrfMeasurer {
            chrf: self,
            references: 0,
            lowered: String::new(),
            characters: Characters::new(
                self.config.character_order,
                if self.config.whitespace { |_| true } else { |character| !is_blank(character) },
            ),
            words: Words::new(self.config.word_order),
            best: vec![0.0; self.width()],
        })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        self.score_of(sums)
    }

    fn score_of_resample(&self, sums: &[f32]) -> f64 {
        self.score_of(sums)
    }
}

struct ChrfMeasurer<'c> {
    chrf: &'c Chrf,
    references: usize,
    lowered: String,
    characters: Characters,
    words: Words,
    /// The statistics for the best reference so far.
    best: Vec<f64>,
}

/// A line, or the same in lower case.
fn cased<'l>(line: &'l str, lowercase: bool, lowered: &'l mut String) -> &'l str {
    if !lowercase {
        return line;
    }
    lowered.clear();
    lowered.push_str(&line.to_lowercase());
    lowered
}

impl ChrfMeasurer<'_> {
    fn count(&mut self, reference: usize, statistics: &mut [f64]) {
        let (of_characters, of_words) = statistics.split_at_mut(3 * self.chrf.config.character_order);
        self.characters.ngrams.count(reference, of_characters);
        if !of_words.is_empty() {
            self.words.ngrams.count(reference, of_words);
        }
    }
}

impl Measurer for ChrfMeasurer<'_> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        let config = &self.chrf.config;
        self.references = references.len();
        self.characters.clear();
        self.words.clear();
        for reference in references {
            let line = cased(reference, config.lowercase, &mut self.lowered);
            self.characters.add_reference(line);
            if config.word_order > 0 {
                self.words.add_reference(line);
            }
        }
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        let config = &self.chrf.config;
        let line = cased(hypothesis, config.lowercase, &mut self.lowered);
        self.characters.read_hypothesis(line);
        if config.word_order > 0 {
            self.words.read_hypothesis(line);
        }
        self.count(0, statistics);
        if self.references > 1 {
            let mut best = std::mem::take(&mut self.best);
            let mut best_score = self.chrf.score(statistics);
            for reference in 1..self.references {
                self.count(reference, &mut best);
                let score = self.chrf.score(&best);
                if score > best_score {
                    best_score = score;
                    statistics.copy_from_slice(&best);
                }
            }
            self.best = best;
        }
        Ok(())
    }
}

/// Lines as characters, numbered in the order in which references have them.
#[derive(Debug)]
struct Characters {
    /// Whether a character counts.
    counts: fn(char) -> bool,
    /// The numbers of all characters, by code point; most are 0. Only what is touched takes memory.
    numbers: Vec<u32>,
    /// Those that have one.
    numbered: Vec<char>,
    ngrams: SortedNgrams,
}

impl Characters {
    fn new(order: usize, counts: fn(char) -> bool) -> Self {
        let numbers = vec![0; char::MAX as usize + 1];
        Self { counts, numbers, numbered: Vec::new(), ngrams: SortedNgrams::new(order) }
    }

    fn clear(&mut self) {
        for character in self.numbered.drain(..) {
            self.numbers[character as usize] = 0;
        }
        self.ngrams.clear();
    }

    fn add_reference(&mut self, line: &str) {
        let Self { counts, numbers, numbered, ngrams } = self;
        ngrams.add_reference(line.chars().filter(|&character| counts(character)).map(|character| {
            let number = &mut numbers[character as usize];
            if *number == 0 {
                numbered.push(character);
                *number = numbered.len() as u32;
            }
            *number
        }));
    }

    fn read_hypothesis(&mut self, line: &str) {
        let Self { counts, numbers, ngrams, .. } = self;
        let characters = line.chars().filter(|&character| counts(character));
        ngrams.read_hypothesis(characters.map(|character| numbers[character as usize]));
    }
}

/// Lines as words.
#[derive(Debug)]
struct Words {
    vocabulary: Vocabulary,
    ngrams: SortedNgrams,
}

impl Words {
    fn new(order: usize) -> Self {
        Self { vocabulary: Vocabulary::default(), ngrams: SortedNgrams::new(order) }
    }

    fn clear(&mut self) {
        self.vocabulary.clear();
        self.ngrams.clear();
    }

    fn add_reference(&mut self, line: &str) {
        let Self { vocabulary, ngrams } = self;
        ngrams.add_reference(split_words(line).map(|word| vocabulary.intern(word.as_bytes()).index() as u32 + 1));
    }

    fn read_hypothesis(&mut self, line: &str) {
        let Self { vocabulary, ngrams } = self;
        let number = |word: &str| vocabulary.id(word.as_bytes()).map_or(UNKNOWN, |id| id.index() as u32 + 1);
        ngrams.read_hypothesis(split_words(line).map(number));
    }
}

/// What stands between blanks, in one or two parts.
fn split_words(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_blank).filter(|token| !token.is_empty()).flat_map(|token| {
        let bytes = token.as_bytes();
        let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
        let middle = if bytes.len() > 1 && last.is_ascii_punctuation() {
            bytes.len() - 1
        } else if bytes.len() > 1 && first.is_ascii_punctuation() {
            1
        } else {
            bytes.len()
        };
        let (start, end) = token.split_at(middle);
        std::iter::once(start).chain(Some(end).filter(|end| !end.is_empty()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_is_set_apart() {
        // As sacreBLEU 2.6.0 splits them, `CHRF._remove_punctuation`.
        let words: Vec<_> = split_words(" (hi) \"so\" -x  - ... é! a,b\u{a0}'s \u{201c}q\u{201d}").collect();
        let expected =
            ["(hi", ")", "\"so", "\"", "-", "x", "-", "..", ".", "é", "!", "a,b", "'", "s", "\u{201c}q\u{201d}"];
        assert_eq!(words, expected);
    }

    #[test]
    fn settings_are_checked() {
        let message = |config: ChrfConfig| Chrf::new(config).unwrap_err().to_string();
        let default = ChrfConfig::default;
        assert!(message(ChrfConfig { character_order: 0, ..default() }).contains("at least 1"));
        assert!(message(ChrfConfig { character_order: 33, ..default() }).contains("0 to 32"));
        assert!(message(ChrfConfig { word_order: 33, ..default() }).contains("0 to 32"));
        assert!(message(ChrfConfig { beta: f64::NAN, ..default() }).contains("beta"));
        assert!(message(ChrfConfig { beta: -1.0, ..default() }).contains("beta"));
    }

    #[test]
    fn names_and_signatures_are_sacrebleus() {
        // `str(CHRF(word_order=2).get_signature())` and the like of sacreBLEU 2.6.0, without version and references.
        let chrf = |config| Chrf::new(config).expect("valid");
        let plain = chrf(ChrfConfig::default());
        assert_eq!(
            (plain.name(), plain.signature().to_string()),
            ("chrF2".into(), "case:mixed|eff:yes|nc:6|nw:0|space:no".into())
        );
        let config = ChrfConfig {
            word_order: 2,
            beta: 3.0,
            whitespace: true,
            epsilon_smoothing: true,
            lowercase: true,
            ..ChrfConfig::default()
        };
        let other = chrf(config);
        assert_eq!((other.name(), other.signature().short()), ("chrF3++".into(), "c:lc|e:no|nc:6|nw:2|s:yes".into()));
    }
}
