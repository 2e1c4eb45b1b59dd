//! Gold standards: the right orders of a text, which runs are compared with.
//!
//! A run orders the *kept* words of each sentence, those that have a place in the gold order, whatever else it says of the others.
//! It may lack some only where that is [allowed](Missing): then the brevity penalty of the scores that have one is due.
//! Sentences without any are left out. Beside the gold order, which is total, stands the partial one of
//! [`Ranks`](super::ranks), where there is one.
//!
//! ```
//! use alinea::format::rsmt::Missing;
//! use alinea::parallel::Parallelism;
//! use alinea::reorder::standard::GoldStandard;
//! use alinea::reorder::{Incomparable, Key, Score, SentenceCounts};
//!
//! // I am going home = मैं घर जा रहा हूँ; `am` has no link.
//! let words = ["I", "am", "going", "home"].map(str::to_owned).to_vec();
//! let sentences = [(words, [(0, 0), (2, 2), (3, 1)].into())];
//! let gold = GoldStandard::of_links("gold", sentences, Key::Mean, Incomparable::Skip);
//! let run = gold.kept_orders(&[vec![0, 3, 1, 2]], "run", Missing::Refused)?;
//! let counts = gold.judge(&run, &Parallelism::serial())?;
//! assert_eq!(counts.iter().sum::<SentenceCounts>().score(Score::Kendall), Some(1.0));
//! // Two words of three: exp(1 - 3 / 2).
//! let short = gold.kept_orders(&[vec![0, 3]], "run", Missing::Allowed)?;
//! let hamming = gold.judge(&short, &Parallelism::serial())?[0].score(Score::Hamming);
//! assert!(hamming.is_some_and(|hamming| (hamming - (-0.5f64).exp()).abs() < 1e-9));
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod run;

use super::kept::KeptOrder;
use super::oracle::Key;
use super::ranks::{Incomparable, Ranks, Skipped};
use super::scores::{Case, Judge, SentenceCounts};
use crate::alignment::Alignment;
use crate::error::{Error, ErrorKind, Result};
use crate::format::rsmt::{Block, Corpus, Missing};
use crate::parallel::{Parallelism, chunk_range};

/// What is said of words that a run lacks; options have this name wherever runs are judged.
const ONLY_IF_ASKED_FOR: &str = " (`incomplete` allows that)";

/// Sentences that a thread judges at a time.
const CHUNK: usize = 32;

/// A sentence with words that have an order.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldSentence {
    number: usize,
    words: Vec<String>,
    kept: Vec<u32>,
    gold: Vec<u32>,
    ranks: Option<Ranks>,
}

impl GoldSentence {
    /// Its place among all sentences, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The kept words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Their places in the whole sentence, ascending.
    pub fn kept(&self) -> &[u32] {
        &self.kept
    }

    /// An order of the kept words, by places among them, from one of words of the whole sentence, each once.
    ///
    /// # Errors
    /// The first kept word, by its place among them, that the order lacks, where that is refused.
    fn kept_order(&self, order: impl Iterator<Item = u32>, missing: Missing) -> std::result::Result<Vec<u32>, usize> {
        let place = |word: u32| self.kept.binary_search(&word).ok().map(|place| place as u32);
        let order: Vec<u32> = order.filter_map(place).collect();
        if order.len() == self.kept.len() || missing == Missing::Allowed {
            return Ok(order);
        }
        Err((0..self.kept.len()).find(|&place| !order.contains(&(place as u32))).unwrap_or_default())
    }
}

/// The right orders of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GoldStandard {
    name: String,
    sentences: Vec<GoldSentence>,
    lengths: Vec<usize>,
    incomparable: usize,
}

impl GoldStandard {
    /// The orders of column 7 of a corpus; `name` is what messages call it.
    ///
    /// # Errors
    /// `Inconsistent` for rows whose order is unknown.
    pub fn of_corpus(name: impl Into<String>, corpus: Corpus) -> Result<Self> {
        let mut gold = Self { name: name.into(), ..Self::default() };
        for (number, sentence) in corpus.sentences.into_iter().enumerate() {
            gold.lengths.push(sentence.words.len());
            if sentence.block.is_empty() {
                continue;
            }
            let Some(order) = sentence.block.order() else { return Err(gold.hidden(number, &sentence.block)) };
            gold.sentences.push(GoldSentence {
                number,
                words: sentence.block.words().map(str::to_owned).collect(),
                kept: sentence.kept,
                gold: order.inverse().places().to_vec(),
                ranks: Some(Ranks::of_order(order)),
            });
        }
        Ok(gold)
    }

    fn hidden(&self, number: usize, block: &Block) -> Error {
        let line = match block.line_of(0) {
            0 => String::new(),
            line => format!(" (from line {line})"),
        };
        let (name, number) = (&self.name, number + 1);
        let message = format!("{name}: the order of sentence {number}{line} is hidden, as those of test data are");
        ErrorKind::Inconsistent(message).into()
    }

    /// The orders derived from links; links out of their sentence do not count.
    pub fn of_links(
        name: impl Into<String>,
        sentences: impl IntoIterator<Item = (Vec<String>, Alignment)>,
        key: Key,
        incomparable: Incomparable,
    ) -> Self {
        let mut gold = Self { name: name.into(), ..Self::default() };
        for (number, (words, links)) in sentences.into_iter().enumerate() {
            gold.lengths.push(words.len());
            if !links.is_empty() {
                gold.add_linked(number, &words, &links, key, incomparable);
            }
        }
        gold
    }

    fn add_linked(&mut self, number: usize, words: &[String], links: &Alignment, key: Key, incomparable: Incomparable) {
        let KeptOrder { kept, order: gold, ranks } = KeptOrder::of_alignment(words.len(), links, key, incomparable);
        self.incomparable += usize::from(matches!(ranks, Err(Skipped::Incomparable { .. })));
        let words = kept.iter().map(|&word| words[word as usize].clone()).collect();
        self.sentences.push(GoldSentence { number, words, kept, gold, ranks: ranks.ok() });
    }

    /// What it is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sentences that have an order.
    pub fn sentences(&self) -> &[GoldSentence] {
        &self.sentences
    }

    /// The number of words of each sentence, also of those without an order.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The number of sentences in which a word is linked around another, so that they have no ranks.
    pub fn incomparable(&self) -> usize {
        self.incomparable
    }

    /// The order of the source, sentence by sentence: the baseline.
    pub fn unreordered(&self) -> Vec<Vec<u32>> {
        self.sentences.iter().map(|sentence| (0..sentence.kept.len() as u32).collect()).collect()
    }

    /// Orders of kept words from those of whole sentences, one for each, positions of words in their new order. Words
    /// that are not kept may be missing. The run is called `name` in messages.
    ///
    /// # Errors
    /// `UnequalLengths`; `Inconsistent` if an order names a word twice, or one that there is not, or lacks a kept one
    /// where that is refused.
    pub fn kept_orders(&self, orders: &[Vec<u32>], name: &str, missing: Missing) -> Result<Vec<Vec<u32>>> {
        if orders.len() != self.lengths.len() {
            let counts = (orders.len() as u64, self.lengths.len() as u64);
            return Err(Error::unequal_lengths(&self.name, counts.1, name, counts.0));
        }
        let mut kept = Vec::with_capacity(self.sentences.len());
        let mut sentences = self.sentences.iter().peekable();
        for (number, (order, &words)) in orders.iter().zip(&self.lengths).enumerate() {
            let fault = |message: String| Err(ErrorKind::Inconsistent(format!("{name}[{number}]: {message}")).into());
            let mut seen = vec![false; words];
            for &word in order {
                match seen.get_mut(word as usize) {
                    Some(seen @ false) => *seen = true,
                    Some(_) => return fault(format!("word {word} occurs twice")),
                    None => return fault(format!("word {word} is outside a sentence of {words} words")),
                }
            }
            let Some(sentence) = sentences.next_if(|sentence| sentence.number == number) else { continue };
            match sentence.kept_order(order.iter().copied(), missing) {
                Ok(order) => kept.push(order),
                Err(lacking) => {
                    let word = sentence.kept[lacking];
                    return fault(format!("word {word}, which has a place, is missing{ONLY_IF_ASKED_FOR}"));
                }
            }
        }
        Ok(kept)
    }

    /// What is counted of each sentence for these orders of the kept words.
    ///
    /// # Errors
    /// `Inconsistent` if there are more or fewer orders than sentences, or one is of other words.
    pub fn judge(&self, orders: &[Vec<u32>], parallelism: &Parallelism) -> Result<Vec<SentenceCounts>> {
        let total = self.sentences.len();
        if orders.len() != total {
            let message = format!("{} orders for {total} sentences", orders.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let judge = Judge::new()?;
        let mut counts = Vec::with_capacity(total);
        parallelism.map_ordered(
            total.div_ceil(CHUNK),
            || judge.counter(),
            |counter, chunk| {
                let count = |place: usize| {
                    let GoldSentence { words, gold, ranks, .. } = &self.sentences[place];
                    counter.count(&Case { words, gold, candidate: &orders[place], ranks: ranks.as_ref() })
                };
                chunk_range(total, CHUNK, chunk).map(count).collect::<Result<Vec<_>>>()
            },
            |chunk| {
                counts.extend(chunk);
                Ok(())
            },
        )?;
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold() -> GoldStandard {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let sentences = [
            (words("a b c"), [(0, 1), (2, 0)].into()),
            (words("d"), Alignment::new()),
            (words("e f"), [(0, 0), (0, 2), (1, 1)].into()),
        ];
        GoldStandard::of_links("gold", sentences, Key::Mean, Incomparable::Skip)
    }

    #[test]
    fn sentences_without_order_are_left_out() {
        let gold = gold();
        assert_eq!(gold.sentences().iter().map(GoldSentence::number).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((gold.lengths(), gold.incomparable()), (&[3, 1, 2][..], 1));
        assert_eq!(gold.sentences()[0].kept(), [0, 2]);
        let orders = [vec![2, 1, 0], vec![], vec![0, 1]];
        let orders = gold.kept_orders(&orders, "run", Missing::Refused).unwrap();
        assert_eq!(orders, [[1, 0], [0, 1]]);
        let counts = gold.judge(&orders, &Parallelism::serial()).unwrap();
        assert_eq!(counts.iter().map(SentenceCounts::ranked).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn orders_of_other_words_are_refused() {
        let error =
            |orders: [Vec<u32>; 3]| gold().kept_orders(&orders, "run", Missing::Refused).unwrap_err().to_string();
        let expected = "run[0]: word 0, which has a place, is missing (`incomplete` allows that)";
        assert_eq!(error([vec![2], vec![], vec![0, 1]]), expected);
        assert_eq!(error([vec![0, 2, 0], vec![], vec![]]), "run[0]: word 0 occurs twice");
        assert_eq!(error([vec![0, 2], vec![1], vec![]]), "run[1]: word 1 is outside a sentence of 1 words");
        assert!(gold().kept_orders(&[], "run", Missing::Refused).is_err());
        assert!(gold().judge(&[], &Parallelism::serial()).is_err());
    }
}
