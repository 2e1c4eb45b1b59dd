//! NIST (Doddington 2002, *Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics*):
//! n-grams count by how much they tell.
//!
//! ```text
//! NIST = sum_n (information of the matches of order n / n-grams of order n in the hypotheses) * penalty
//! information of w1 ... wn = log2(occurrences of w1 ... wn-1 / occurrences of w1 ... wn)
//! penalty = exp(beta ln^2 min(1, c / r)),   beta = ln 0.5 / ln^2 1.5
//! ```
//!
//! n goes from 1 to 5; c is the number of words in the hypotheses, r that in the references. The penalty is 1/2 where two
//! thirds of the words are there. Scores begin at 0 and have no end: about 7 to 11 is usual for texts.
//!
//! **Information comes from all references.** n-grams are counted in the references of the whole text, and the empty n-gram
//! occurs as often as there are words. So a [`Nist`] is made from the references that it will score by, and tells the score
//! of a single segment in the light of the whole text. To score a segment by its own references alone, make one from it.
//!
//! **Several references** ([`Several`]). In the paper an n-gram matches as often as the reference has it that has most of it,
//! and r is the mean length of the references of each segment. NLTK takes for each order the reference by which the
//! precision is best, and its length, summed over orders; its values are had to the last bit.
//!
//! ```
//! use alinea::metric::nist::{Nist, NistConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! segments.push(&["the cat sat"], &["the cat sat down"]);
//! segments.push(&["a dog ran"], &["the dog ran"]);
//! let nist = Nist::new(NistConfig::default(), &segments)?;
//! let sums = measure(&nist, &segments, &Parallelism::serial())?[0].sums();
//! // Of 7 words `the` occurs twice, the others once; a word that follows `the` tells one bit, other words behind the first
//! // of a sentence none.
//! let (first, second) = (3.5_f64.log2() + 4.0 * 7_f64.log2(), 1.0);
//! let penalty = (0.5_f64.ln() / 1.5_f64.ln().powi(2) * (6.0_f64 / 7.0).ln().powi(2)).exp();
//! assert!((nist.score(&sums) - (first / 6.0 + second / 4.0) * penalty).abs() < 1e-12);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod information;

use self::information::Information;
use super::tokenize::{ThirteenA, Tokenizer};
use super::words::{WordReader, sign_words};
use super::{Measurer, Metric, Segments, Signature};
use crate::error::{Error, ErrorKind, Result};

/// The most orders there can be.
const MOST_ORDERS: usize = 32;

/// What several references of a segment are to a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Several {
    /// All of them count together, as in the paper.
    #[default]
    Together,
    /// For each order that by which its precision is best, as NLTK 3.10 does; of equal ones the longest.
    BestOfOrder,
}

/// Everything that decides a score, but the references.
#[derive(Debug)]
#[non_exhaustive]
pub struct NistConfig {
    /// Words of the longest n-grams; 5 in the paper.
    pub order: usize,
    /// What several references are.
    pub several: Several,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
    /// What makes words of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(NistConfig);

/// As in the paper, with words by 13a.
impl Default for NistConfig {
    fn default() -> Self {
        Self { order: 5, several: Several::Together, lowercase: false, tokenizer: Box::new(ThirteenA) }
    }
}

/// The metric, for the references of one text.
#[derive(Debug)]
pub struct Nist {
    config: NistConfig,
    information: Information,
}

impl Nist {
    /// The metric with these settings, for a text with the references of these segments. Time and memory grow with the
    /// distinct n-grams of all references, which take about 40 bytes each.
    ///
    /// # Errors
    /// `Config` if there are no orders or more than 32; what the tokenizer reports.
    pub fn new(config: NistConfig, segments: &Segments) -> Result<Self> {
        let mut nist = Self::without_references(config)?;
        let mut reader = WordReader::new(&*nist.config.tokenizer, nist.config.lowercase);
        let (mut references, mut words) = (Vec::new(), Vec::new());
        for segment in 0..segments.len() {
            references.clear();
            references.extend(segments.references(segment));
            reader.read_references(&references)?;
            for reference in reader.references() {
                nist.information.intern_words(reference, reader.vocabulary(), &mut words);
                nist.information.count(&words);
            }
        }
        nist.information.weigh();
        Ok(nist)
    }

    /// The metric for a text whose words are numbers already, and not in lines: for its [`counter`](Self::counter).
    ///
    /// # Errors
    /// `Config` if there are no orders or more than 32.
    pub fn of_numbers<'r>(config: NistConfig, references: impl Iterator<Item = &'r [u32]>) -> Result<Self> {
        let mut nist = Self::without_references(config)?;
        references.for_each(|reference| nist.information.count(reference));
        nist.information.weigh();
        Ok(nist)
    }

    fn without_references(config: NistConfig) -> Result<Self> {
        if !(1..=MOST_ORDERS).contains(&config.order) {
            return Err(Error::config("order", config.order, "1 to 32"));
        }
        let information = Information::new(config.order);
        Ok(Self { config, information })
    }

    /// Counts in sentences whose words are numbers already, those that the metric was [made of](Self::of_numbers).
    ///
    /// ```
    /// use alinea::metric::Metric;
    /// use alinea::metric::nist::{Nist, NistConfig};
    ///
    /// let references = [&[1, 2, 3, 1][..]];
    /// let nist = Nist::of_numbers(NistConfig::default().with(|c| c.order = 1), references.into_iter())?;
    /// let mut counter = nist.counter();
    /// counter.read_references(references.into_iter())?;
    /// let mut statistics = [0.0; 4];
    /// counter.count(&[1, 2, 7, 8], &mut statistics);
    /// // One word in two tells one bit, one in four tells two.
    /// assert_eq!(nist.score(&statistics), 3.0 / 4.0);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    pub fn counter(&self) -> NistCounter<'_> {
        NistCounter {
            nist: self,
            lengths: Vec::new(),
            references: Vec::new(),
            numbers: vec![Vec::new(); self.config.order],
            grams: Vec::new(),
        }
    }

    /// The settings.
    pub fn config(&self) -> &NistConfig {
        &self.config
    }
}

/// The penalty for c words in hypotheses and r in references, 0 to 1 (Doddington 2002, equation 3).
///
/// ```
/// use alinea::metric::nist::length_penalty;
///
/// assert!((length_penalty(20.0, 30.0) - 0.5).abs() < 1e-12);
/// assert_eq!(length_penalty(31.0, 30.0), 1.0);
/// ```
pub fn length_penalty(hypothesis: f64, reference: f64) -> f64 {
    if hypothesis <= 0.0 {
        return 0.0;
    }
    let ratio = hypothesis / reference;
    if ratio < 1.0 {
        let (half, full) = (0.5_f64.ln(), 1.5_f64.ln());
        (half / (full * full) * (ratio.ln() * ratio.ln())).exp()
    } else {
        1.0
    }
}

impl Metric for Nist {
    fn name(&self) -> String {
        "NIST".to_owned()
    }

    fn signature(&self) -> Signature {
        let mut signature = Signature::default();
        sign_words(&mut signature, &*self.config.tokenizer, self.config.lowercase);
        signature.push("order", "n", self.config.order.to_string());
        let several = match self.config.several {
            Several::Together => "together",
            Several::BestOfOrder => "nltk",
        };
        signature.push("several", "sv", several);
        signature
    }

    /// c and r, then the information of matches and the number of n-grams for each order.
    fn width(&self) -> usize {
        2 + 2 * self.config.order
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let reader = WordReader::new(&*self.config.tokenizer, self.config.lowercase);
        Box::new(NistMeasurer { reader, counter: self.counter(), words: Vec::new() })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        let (lengths, counts) = sums.split_at(2);
        let (gained, totals) = counts.split_at(self.config.order);
        let shares = gained.iter().zip(totals).filter(|&(_, &total)| total > 0.0);
        // From 0, since a sum of nothing is -0.
        shares.fold(0.0, |sum, (gain, total)| sum + gain / total) * length_penalty(lengths[0], lengths[1])
    }
}

/// An n-gram of a hypothesis: its first place, and how often it occurs.
#[derive(Debug, Clone, Copy)]
struct Gram {
    first: u32,
    number: u32,
    count: u32,
}

/// Counts in sentences whose words are numbers already; made by [`Nist::counter`].
#[derive(Debug)]
pub struct NistCounter<'n> {
    nist: &'n Nist,
    lengths: Vec<usize>,
    /// Numbers of the n-grams of each order and reference, sorted: reference r and order n at `r * order + n - 1`.
    references: Vec<Vec<u32>>,
    numbers: Vec<Vec<u32>>,
    grams: Vec<Gram>,
}

struct NistMeasurer<'n> {
    reader: WordReader<'n>,
    counter: NistCounter<'n>,
    words: Vec<u32>,
}

impl Measurer for NistMeasurer<'_> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.reader.read_references(references)?;
        self.counter.lengths.clear();
        for reference in self.reader.references() {
            self.counter.nist.information.known_words(reference, self.reader.vocabulary(), &mut self.words);
            self.counter.add_reference(&self.words)?;
        }
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        self.reader.read_hypothesis(hypothesis)?;
        let (information, vocabulary) = (&self.counter.nist.information, self.reader.vocabulary());
        information.known_words(self.reader.hypothesis(), vocabulary, &mut self.words);
        self.counter.count(&self.words, statistics);
        Ok(())
    }
}

impl NistCounter<'_> {
    /// Replaces the references.
    ///
    /// # Errors
    /// `Inconsistent` if the metric was not made from them.
    pub fn read_references<'r>(&mut self, references: impl Iterator<Item = &'r [u32]>) -> Result<()> {
        self.lengths.clear();
        for reference in references {
            self.add_reference(reference)?;
        }
        Ok(())
    }

    fn add_reference(&mut self, words: &[u32]) -> Result<()> {
        let (start, end) = (self.lengths.len() * self.lists(), (self.lengths.len() + 1) * self.lists());
        if self.references.len() < end {
            self.references.resize_with(end, Vec::new);
        }
        self.lengths.push(words.len());
        let lists = &mut self.references[start..end];
        self.nist.information.numbers(words, lists);
        for (n, list) in (1..).zip(lists) {
            if list.len() != (words.len() + 1).saturating_sub(n) {
                let message = "NIST was not made from all references: it has no information on some of their words";
                return Err(ErrorKind::Inconsistent(message.to_owned()).into());
            }
            list.sort_unstable();
        }
        Ok(())
    }

    /// Writes the statistics of a hypothesis: see [`Metric::width`] of the metric.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn count(&mut self, hypothesis: &[u32], statistics: &mut [f64]) {
        let order = self.nist.config.order;
        self.nist.information.numbers(hypothesis, &mut self.numbers);
        let length = hypothesis.len();
        let (lengths, counts) = statistics.split_at_mut(2);
        let (gained, totals) = counts.split_at_mut(order);
        lengths.fill(0.0);
        for (n, (gain, total)) in gained.iter_mut().zip(totals).enumerate() {
            group(&mut self.numbers[n], &mut self.grams);
            *total = length.saturating_sub(n) as f64;
            match self.nist.config.several {
                Several::Together => *gain = self.gain(n, 0..self.lengths.len()),
                Several::BestOfOrder => {
                    let mut best = (f64::NEG_INFINITY, 0);
                    for (reference, &length) in self.lengths.iter().enumerate() {
                        let gain = self.gain(n, reference..reference + 1);
                        best = if (gain, length) > best { (gain, length) } else { best };
                    }
                    *gain = best.0;
                    lengths[0] += length as f64;
                    lengths[1] += best.1 as f64;
                }
            }
        }
        if self.nist.config.several == Several::Together {
            lengths[0] = length as f64;
            lengths[1] = self.lengths.iter().sum::<usize>() as f64 / self.lengths.len() as f64;
        }
    }

    /// The information of the matches of an order (here from 0) with some references, in the order of their first places.
    fn gain(&self, order: usize, references: std::ops::Range<usize>) -> f64 {
        let mut sum = 0.0;
        for gram in &self.grams {
            let lists = references.clone().map(|reference| &self.references[reference * self.lists() + order]);
            let most = lists.map(|list| occurrences(list, gram.number)).max().unwrap_or(0);
            if most > 0 {
                sum += self.nist.information.weight(gram.number) * f64::from(gram.count.min(most));
            }
        }
        sum
    }

    fn lists(&self) -> usize {
        self.nist.config.order
    }
}

/// Joins equal numbers; those of n-grams come in the order of their places, but places without known n-grams are left out.
fn group(numbers: &mut [u32], grams: &mut Vec<Gram>) {
    grams.clear();
    grams.extend(numbers.iter().zip(0..).map(|(&number, first)| Gram { first, number, count: 1 }));
    grams.sort_unstable_by_key(|gram| (gram.number, gram.first));
    grams.dedup_by(|next, kept| {
        let same = next.number == kept.number;
        kept.count += u32::from(same);
        same
    });
    grams.sort_unstable_by_key(|gram| gram.first);
}

/// How often a number is in a sorted list.
fn occurrences(sorted: &[u32], number: u32) -> u32 {
    let start = sorted.partition_point(|&other| other < number);
    sorted[start..].iter().take_while(|&&other| other == number).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_that_were_not_counted_are_refused() {
        let mut segments = Segments::new(1);
        segments.push(&[""], &["a b c"]);
        let nist = Nist::new(NistConfig::default(), &segments).expect("five orders");
        let mut measurer = nist.measurer();
        measurer.read_references(&["b c"]).expect("counted");
        for references in [&["a d"], &["c b"]] {
            let error = measurer.read_references(references).unwrap_err().to_string();
            assert!(error.starts_with("NIST was not made from all references"), "{error}");
        }
        let error = Nist::new(NistConfig { order: 0, ..NistConfig::default() }, &segments).unwrap_err();
        assert_eq!(error.to_string(), "order = 0: must be 1 to 32");
    }
}
