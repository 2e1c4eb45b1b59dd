//! Scores of orders: how close is a predicted order to the gold order?
//!
//! Two orders of the same n words of a sentence are compared, the *candidate* and the *gold* one.
//!
//! ```text
//! bleu          BLEU of the reordered words, pooled, N = 4, without smoothing             0 ... 1
//! hamming       words in their place / n, times the brevity penalty                       0 ... 1
//! kendall       1 - pairs in the wrong order / (n (n - 1) / 2), times the penalty         0 ... 1
//! kendall-sqrt  the same with the square root of that share                               0 ... 1
//! exact         the share of sentences that are in the gold order
//! fuzzy         1 - (chunks - 1) / (n - 1)                                                0 ... 1
//! chunks        longest runs of words that follow each other in both orders; 1 is best    1 ... n
//! pef           over all permutation trees                                                0 ... 1
//! frs           1 - breaks / (n + 1)                                                      0 ... 1
//! frs-pooled    1 - all breaks / all possible ones
//! tau           1 - pairs in the wrong order / (n (n - 1) / 2)                            0 ... 1
//! tau-pooled    1 - all pairs in the wrong order / all pairs of different rank
//! complete      the share of sentences without a pair in the wrong order
//! ```
//!
//! The first four are those of the shared task on learning word order (RSMT, 2012). Its formula for Kendall's score has no
//! root, the program of the authors that it cites has one, so both are here. The brevity penalty `exp(min(1 - r / c, 0))` is 1
//! unless the candidate lacks words. Then only these four have a value, and `exact`, for which words that are missing are out
//! of order: the others know no such words, and would be the better the more are left out. `fuzzy` is that of Talbot et al.
//! (2011), `pef` of Stanojević and Sima'an (2014).
//!
//! From `frs` on the gold standard is not an order but [`Ranks`], a partial one: words of one rank may come in any order.
//! A *break* is a step, from before the first word over all words to behind the last, at which the rank neither stays nor grows
//! by one (Neubig et al. 2012, Nakagawa 2015). A sentence without ranks is left out of these scores; one of a single word
//! counts as 1 in the means. Means are over sentences; the pooled ones, which the program LADER prints, add up breaks and
//! pairs first: they differ by several points, so it must be said which is meant. The others, but BLEU, are means too.
//!
//! ```
//! use alinea::permutation::Permutation;
//! use alinea::reorder::{Judge, Ranks, Score};
//! use alinea::reorder::scores::Case;
//!
//! let words = ["I", "going", "home"];
//! let ranks = Ranks::of_order(&Permutation::from_order(&[0, 2, 1])?);
//! let case = Case { words: &words, gold: &[0, 2, 1], candidate: &[0, 1, 2], ranks: Some(&ranks) };
//! let counts = Judge::new()?.counter().count(&case)?;
//! assert!(counts.score(Score::Kendall).is_some_and(|kendall| (kendall - 2.0 / 3.0).abs() < 1e-9));
//! assert_eq!(counts.score(Score::BorderedFuzzy), Some(1.0 - 3.0 / 4.0));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt;
use std::ops::{AddAssign, Sub};
use std::str::FromStr;

use super::oracle::named;
use super::ranks::Ranks;
use crate::error::{Error, ErrorKind, Result};
use crate::metric::bleu::{Bleu, BleuConfig, brevity_penalty};
use crate::metric::order::{OrderScore, chunks, pef};
use crate::metric::smoothing::Smoothing;
use crate::metric::tokenize::Blanks;
use crate::metric::{Measurer, Metric};
use crate::numeric::{Bootstrap, Difference, Estimate, Statistics};
use crate::parallel::Parallelism;
use crate::permutation::{Permutation, rising_pairs};

/// A score of orders; the table at the head of the room says what each is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// BLEU of the reordered words.
    Bleu,
    /// The share of words in their place.
    Hamming,
    /// The share of pairs in the right order.
    Kendall,
    /// 1 less the square root of the share of pairs in the wrong order.
    KendallSquareRoot,
    /// The share of sentences in the gold order.
    Exact,
    /// By the number of chunks.
    Fuzzy,
    /// The number of chunks.
    Chunks,
    /// Over all permutation trees.
    Pef,
    /// By the number of breaks, borders of the sentence among them.
    BorderedFuzzy,
    /// The same, pooled.
    PooledFuzzy,
    /// The share of pairs whose ranks do not fall.
    Tau,
    /// The same among pairs of different rank, pooled.
    PooledTau,
    /// The share of sentences without a pair in the wrong order.
    Complete,
}

named!(
    Score,
    "score",
    [
        Bleu = "bleu",
        Hamming = "hamming",
        Kendall = "kendall",
        KendallSquareRoot = "kendall-sqrt",
        Exact = "exact",
        Fuzzy = "fuzzy",
        Chunks = "chunks",
        Pef = "pef",
        BorderedFuzzy = "frs",
        PooledFuzzy = "frs-pooled",
        Tau = "tau",
        PooledTau = "tau-pooled",
        Complete = "complete"
    ],
    "bleu, hamming, kendall, kendall-sqrt, exact, fuzzy, chunks, pef, frs, frs-pooled, tau, tau-pooled, complete"
);

/// The number of scores.
pub const SCORES: usize = 13;

impl Score {
    /// Whether better orders have higher scores: all but `chunks`.
    pub const fn higher_is_better(self) -> bool {
        !matches!(self, Self::Chunks)
    }

    /// Whether the score is defined for orders that lack words.
    pub const fn judges_missing_words(self) -> bool {
        matches!(self, Self::Bleu | Self::Hamming | Self::Kendall | Self::KendallSquareRoot | Self::Exact)
    }

    /// Whether the score is a fraction, from 0 to 1: all but `chunks`.
    pub const fn is_fraction(self) -> bool {
        self.higher_is_better()
    }
}

/// The weight of a node beside its children in `pef`, as in the paper.
pub const PEF_BETA: f64 = 0.6;

/// Sentences of more words are left out of `pef`, which takes O(n³).
pub const MOST_WORDS_FOR_PEF: usize = 400;

/// The highest order of n-grams.
const ORDERS: usize = 4;

/// What 1 is in the sums of fractions, which are whole numbers so that they have no order. 64 bits end at 2^32 sentences,
/// whose counts would take 860 GiB.
const ONE: f64 = (1u64 << 32) as f64;

/// What is counted, in the order of the columns.
#[derive(Debug, Clone, Copy)]
enum Count {
    Sentences,
    Hamming,
    Kendall,
    KendallSquareRoot,
    Exact,
    Fuzzy,
    Chunks,
    PefSentences,
    Pef,
    Ranked,
    BorderedFuzzy,
    Tau,
    Complete,
    Breaks,
    MostBreaks,
    WrongPairs,
    Pairs,
    CandidateWords,
    GoldWords,
    /// The first of four, and then four totals.
    Matches,
}

const WIDTH: usize = Count::Matches as usize + 2 * ORDERS;

/// Everything that the scores of a sentence need; the sums of those of several sentences are what their scores need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentenceCounts([u64; WIDTH]);

impl Default for SentenceCounts {
    fn default() -> Self {
        Self([0; WIDTH])
    }
}

impl AddAssign<&Self> for SentenceCounts {
    fn add_assign(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, value)| *sum = sum.saturating_add(value));
    }
}

/// What is left of a sum without one of the sentences, or several, that went into it.
impl Sub<&Self> for SentenceCounts {
    type Output = Self;

    fn sub(self, other: &Self) -> Self {
        Self(std::array::from_fn(|count| self.0[count].saturating_sub(other.0[count])))
    }
}

impl<'a> std::iter::Sum<&'a Self> for SentenceCounts {
    fn sum<I: Iterator<Item = &'a Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, counts| {
            sum += counts;
            sum
        })
    }
}

impl SentenceCounts {
    fn get(&self, count: Count) -> u64 {
        self.0[count as usize]
    }

    fn add(&mut self, count: Count, value: u64) {
        self.0[count as usize] += value;
    }

    /// Adds a fraction, from 0 to 1.
    fn add_fraction(&mut self, count: Count, value: f64) {
        self.add(count, (value * ONE).round() as u64);
    }

    /// The number of sentences.
    pub fn sentences(&self) -> u64 {
        self.get(Count::Sentences)
    }

    /// The number of those that have ranks.
    pub fn ranked(&self) -> u64 {
        self.get(Count::Ranked)
    }

    /// A score; none without sentences that have it, and where [words are missing](Score::judges_missing_words) that it does
    /// not know of.
    pub fn score(&self, score: Score) -> Option<f64> {
        if self.get(Count::CandidateWords) < self.get(Count::GoldWords) && !score.judges_missing_words() {
            return None;
        }
        let ratio = |above: u64, below: u64| (below > 0).then(|| above as f64 / below as f64);
        let fraction = |sum: Count, of: Count| Some(ratio(self.get(sum), self.get(of))? / ONE);
        let pooled = |errors: Count, all: Count| Some(1.0 - ratio(self.get(errors), self.get(all))?);
        match score {
            Score::Bleu => self.bleu(),
            Score::Hamming => fraction(Count::Hamming, Count::Sentences),
            Score::Kendall => fraction(Count::Kendall, Count::Sentences),
            Score::KendallSquareRoot => fraction(Count::KendallSquareRoot, Count::Sentences),
            Score::Exact => ratio(self.get(Count::Exact), self.sentences()),
            Score::Fuzzy => fraction(Count::Fuzzy, Count::Sentences),
            Score::Chunks => ratio(self.get(Count::Chunks), self.sentences()),
            Score::Pef => fraction(Count::Pef, Count::PefSentences),
            Score::BorderedFuzzy => fraction(Count::BorderedFuzzy, Count::Ranked),
            Score::PooledFuzzy => pooled(Count::Breaks, Count::MostBreaks),
            Score::Tau => fraction(Count::Tau, Count::Ranked),
            Score::PooledTau => pooled(Count::WrongPairs, Count::Pairs),
            Score::Complete => ratio(self.get(Count::Complete), self.ranked()),
        }
    }

    /// All scores, in the order of [`Score::ALL`].
    pub fn scores(&self) -> [Option<f64>; SCORES] {
        std::array::from_fn(|score| self.score(Score::ALL[score]))
    }

    fn bleu(&self) -> Option<f64> {
        if self.sentences() == 0 {
            return None;
        }
        let first = Count::Matches as usize;
        let counts = self.0[first..].split_at(ORDERS);
        let pairs = counts.0.iter().zip(counts.1);
        let logarithms: f64 = pairs.map(|(&matches, &total)| (matches as f64 / total.max(1) as f64).ln()).sum();
        let penalty = brevity_penalty(self.get(Count::CandidateWords) as f64, self.get(Count::GoldWords) as f64);
        Some(penalty * (logarithms / ORDERS as f64).exp())
    }
}

/// A sentence to be evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Case<'c, W> {
    /// The words that have a place in the gold order, in the order of the source.
    pub words: &'c [W],
    /// The gold order: all of them, by their places in `words`.
    pub gold: &'c [u32],
    /// The candidate: some of them or all, each once.
    pub candidate: &'c [u32],
    /// The ranks of the words, if there is a partial order.
    pub ranks: Option<&'c Ranks>,
}

/// Compares orders. Immutable; a thread has a [`Counter`].
#[derive(Debug)]
pub struct Judge {
    bleu: Bleu,
}

impl Judge {
    /// One that compares words byte by byte.
    ///
    /// # Errors
    /// None that is known; that of [`Bleu::new`] is passed on.
    pub fn new() -> Result<Self> {
        let config = BleuConfig::default().with(|c| {
            c.smoothing = Smoothing::None;
            c.tokenizer = Box::new(Blanks);
        });
        Ok(Self { bleu: Bleu::new(config)? })
    }

    /// The buffers of a thread.
    pub fn counter(&self) -> Counter<'_> {
        Counter { measurer: self.bleu.measurer(), statistics: vec![0.0; self.bleu.width()] }
    }
}

/// Counts sentences, one after another.
pub struct Counter<'j> {
    measurer: Box<dyn Measurer + 'j>,
    /// c, r, matches and totals of BLEU.
    statistics: Vec<f64>,
}

impl fmt::Debug for Counter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter").finish_non_exhaustive()
    }
}

impl Counter<'_> {
    /// Counts a sentence of at least one word. O(n log n), and for `pef` O(n³) up to [`MOST_WORDS_FOR_PEF`] words.
    ///
    /// # Errors
    /// `Inconsistent` if the gold order is not one of all words, or the candidate names a word twice or one that there is
    /// not.
    pub fn count<W: AsRef<str>>(&mut self, case: &Case<'_, W>) -> Result<SentenceCounts> {
        let gold = Permutation::from_order(case.gold)?;
        if gold.len() != case.words.len() {
            let message = format!("an order of {} words for a sentence of {}", gold.len(), case.words.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        // Where the words of the candidate, as they come, are in the gold order.
        let mut seen = vec![false; gold.len()];
        let mut places = Vec::with_capacity(case.candidate.len());
        for &word in case.candidate {
            let Some(seen @ false) = seen.get_mut(word as usize) else {
                let words = gold.len();
                let message =
                    format!("word {word} occurs twice in an order, or is outside a sentence of {words} words");
                return Err(ErrorKind::Inconsistent(message).into());
            };
            *seen = true;
            places.push(gold.places()[word as usize]);
        }
        let mut counts = SentenceCounts::default();
        count_total(&mut counts, &Permutation::ranks(&places), gold.len());
        self.count_bleu(&mut counts, case)?;
        if let Some(ranks) = case.ranks {
            count_partial(&mut counts, ranks, case.candidate);
        }
        Ok(counts)
    }

    fn count_bleu<W: AsRef<str>>(&mut self, counts: &mut SentenceCounts, case: &Case<'_, W>) -> Result<()> {
        let line = |order: &[u32]| -> String {
            let words: Vec<&str> = order.iter().map(|&word| case.words[word as usize].as_ref()).collect();
            words.join(" ")
        };
        self.measurer.read_references(&[&line(case.gold)])?;
        self.measurer.measure(&line(case.candidate), &mut self.statistics)?;
        let [candidate, gold, matches @ ..] = &self.statistics[..] else { return Ok(()) };
        counts.add(Count::CandidateWords, *candidate as u64);
        counts.add(Count::GoldWords, *gold as u64);
        let first = Count::Matches as usize;
        counts.0[first..].iter_mut().zip(matches).for_each(|(count, &value)| *count += value as u64);
        Ok(())
    }
}

/// Compares two total orders: `ranks` are the places that the words of the candidate, as they come, have in the gold order
/// of `words` words, counted among them.
fn count_total(counts: &mut SentenceCounts, ranks: &Permutation, words: usize) {
    let penalty = brevity_penalty(ranks.len() as f64, words as f64);
    counts.add(Count::Sentences, 1);
    for (count, score) in [
        (Count::Hamming, OrderScore::Hamming),
        (Count::Kendall, OrderScore::Kendall),
        (Count::KendallSquareRoot, OrderScore::KendallSquareRoot),
    ] {
        counts.add_fraction(count, score.of_ranks(ranks) * penalty);
    }
    counts.add_fraction(Count::Fuzzy, OrderScore::Fuzzy.of_ranks(ranks));
    counts.add(Count::Chunks, chunks(ranks) as u64);
    counts.add(Count::Exact, u64::from(*ranks == Permutation::identity(words)));
    if ranks.len() <= MOST_WORDS_FOR_PEF {
        counts.add(Count::PefSentences, 1);
        counts.add_fraction(Count::Pef, pef(ranks, PEF_BETA));
    }
}

/// Compares an order with a partial one.
fn count_partial(counts: &mut SentenceCounts, ranks: &Ranks, candidate: &[u32]) {
    let mut along: Vec<u32> = ranks.along(candidate).collect();
    let words = along.len() as u64;
    // One more than the ranks, so that the place before the first word has one.
    let steps = std::iter::once(0).chain(along.iter().map(|rank| rank + 1));
    let next = along.iter().map(|rank| rank + 1).chain([ranks.count() + 1]);
    let breaks = steps.zip(next).filter(|&(rank, next)| next != rank && next != rank + 1).count() as u64;
    let rising = rising_pairs(&mut along, &mut Vec::new());
    // Sorted now, so that equal ranks are neighbors.
    let ties: u64 = along.chunk_by(|one, other| one == other).map(|equal| pairs(equal.len() as u64)).sum();
    let different = pairs(words) - ties;
    let wrong = different - rising;
    counts.add(Count::Ranked, 1);
    counts.add(Count::Breaks, breaks);
    counts.add(Count::MostBreaks, words + 1);
    counts.add(Count::WrongPairs, wrong);
    counts.add(Count::Pairs, different);
    counts.add(Count::Complete, u64::from(wrong == 0));
    let single = words < 2;
    let share = |part: u64, whole: u64| if single { 1.0 } else { 1.0 - part as f64 / whole as f64 };
    counts.add_fraction(Count::BorderedFuzzy, share(breaks, words + 1));
    counts.add_fraction(Count::Tau, share(wrong, pairs(words)));
}

fn pairs(words: u64) -> u64 {
    words * words.saturating_sub(1) / 2
}

fn statistics(counts: &[SentenceCounts]) -> Statistics {
    Statistics::from_rows(counts.iter().map(|counts| counts.0))
}

fn scores_of(sums: &[u64]) -> [Option<f64>; SCORES] {
    let mut counts = SentenceCounts::default();
    counts.0.copy_from_slice(sums);
    counts.scores()
}

/// All scores of a corpus with their intervals, in the order of [`Score::ALL`]. O(samples × sentences).
///
/// # Errors
/// As [`Bootstrap::estimate`].
pub fn estimate(
    counts: &[SentenceCounts],
    bootstrap: &Bootstrap,
    parallelism: &Parallelism,
) -> Result<[Estimate; SCORES]> {
    bootstrap.estimate(&statistics(counts), scores_of, parallelism)
}

/// How all scores of two systems differ on the same sentences, in the order of [`Score::ALL`]. O(samples × sentences).
///
/// # Errors
/// As [`Bootstrap::compare`].
pub fn compare(
    first: &[SentenceCounts],
    second: &[SentenceCounts],
    bootstrap: &Bootstrap,
    parallelism: &Parallelism,
) -> Result<[Difference; SCORES]> {
    bootstrap.compare(&statistics(first), &statistics(second), scores_of, parallelism)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        assert_eq!(Score::ALL.len(), SCORES);
        for &score in Score::ALL {
            assert_eq!(score.to_string().parse::<Score>().unwrap(), score);
        }
        let names: Vec<&str> = Score::ALL.iter().map(|score| score.name()).collect();
        let error = "x".parse::<Score>().unwrap_err().to_string();
        assert_eq!(error, format!("score = x: must be {}", names.join(", ")));
    }

    #[test]
    fn nothing_has_no_score() {
        assert_eq!(SentenceCounts::default().scores(), [None; SCORES]);
    }

    #[test]
    fn orders_of_other_words_are_refused() {
        let judge = Judge::new().unwrap();
        let count = |gold: &[u32], candidate: &[u32]| {
            let case = Case { words: &["a", "b"], gold, candidate, ranks: None };
            judge.counter().count(&case).map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(count(&[0], &[0]), "an order of 1 words for a sentence of 2");
        assert_eq!(count(&[0, 0], &[0]), "0 occurs twice in a permutation");
        let expected = "word 1 occurs twice in an order, or is outside a sentence of 2 words";
        assert_eq!(count(&[0, 1], &[1, 1]), expected);
        assert_eq!(count(&[0, 1], &[2]), expected.replace("word 1", "word 2"));
    }

    /// More sentences than there is room for in 64 bits at 2^-40.
    #[test]
    fn scores_of_many_equal_sentences_are_those_of_one() {
        let case = Case { words: &["a", "b", "c"], gold: &[0, 1, 2], candidate: &[1, 0, 2], ranks: None };
        let one = Judge::new().unwrap().counter().count(&case).unwrap();
        let mut many = one;
        (0..28).for_each(|_| many += &many.clone());
        assert_eq!(many.sentences(), 1 << 28);
        for (score, (many, one)) in Score::ALL.iter().zip(many.scores().iter().zip(one.scores())) {
            assert_eq!(*many, one, "{score}");
        }
    }

    /// Lacking one word of three costs exp(1 - 3 / 2).
    #[test]
    fn words_that_are_missing_cost_the_penalty() {
        let case = Case { words: &["a", "b", "c"], gold: &[2, 0, 1], candidate: &[2, 1], ranks: None };
        let counts = Judge::new().unwrap().counter().count(&case).unwrap();
        let penalty = (-0.5f64).exp();
        for score in [Score::Hamming, Score::Kendall, Score::KendallSquareRoot] {
            assert!((counts.score(score).unwrap() - penalty).abs() < 1.2e-10);
        }
        assert_eq!(counts.score(Score::Exact), Some(0.0));
        // What is there is in order, which tells nothing.
        assert_eq!([Score::Fuzzy, Score::Chunks, Score::Pef, Score::Tau].map(|score| counts.score(score)), [None; 4]);
        let nothing = Case { candidate: &[], ..case };
        let counts = Judge::new().unwrap().counter().count(&nothing).unwrap();
        for score in Score::ALL.iter().filter(|score| score.judges_missing_words()) {
            assert_eq!(counts.score(*score), Some(0.0), "{score}");
        }
        // In no sample has a score an interval that the text has not.
        let whole = Judge::new().unwrap().counter().count(&Case { candidate: &[2, 0, 1], ..case }).unwrap();
        let estimates = estimate(&[whole, counts], &Bootstrap::default(), &Parallelism::serial()).unwrap();
        assert!(estimates[Score::Hamming as usize].interval.is_some());
        assert_eq!(estimates[Score::Fuzzy as usize].interval, None);
    }
}
