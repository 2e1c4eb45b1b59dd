//! What kinds of correspondences links make.
//!
//! The links of a sentence pair are the edges of a graph over the words of both sides. Its connected groups are of three
//! types (Ozdowska 2008): **1-1**, one word on each side; **chunk**, two or more words on some side; **null**, words
//! without any link. How many 1-1 there are says how literal a translation is.
//!
//! Nulls are counted in two ways ([`Nulls`]), since "a word without correspondence" and "the words without
//! correspondence" can both be meant: each unlinked word is one, or each run of adjacent unlinked words of one side.
//!
//! ```
//! use alinea::evaluate::{Correspondences, Nulls, PairLengths};
//!
//! // allis shad – grande alose, as one group and word by word, in sentences with two and three words more.
//! let lengths = PairLengths::new(4, 5);
//! let chunk = Correspondences::of(&[(0, 0), (0, 1), (1, 0), (1, 1)].into(), lengths)?;
//! assert_eq!((chunk.one_to_one, chunk.chunks, chunk.null_words, chunk.null_runs), (0, 1, 5, 2));
//! let words = Correspondences::of(&[(0, 0), (1, 1)].into(), lengths)?;
//! assert_eq!(words.shares(Nulls::Runs).one_to_one, Some(0.5));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Annotations, LinkKinds, PairLengths};
use crate::alignment::Alignment;
use crate::error::{Error, Result};

/// What one null is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nulls {
    /// A word without link.
    #[default]
    Words,
    /// A longest stretch of adjacent words of one side without link.
    Runs,
}

impl Nulls {
    /// Both ways to count.
    pub const ALL: [Self; 2] = [Self::Words, Self::Runs];

    /// The name by which it is written and read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Runs => "runs",
        }
    }
}

impl fmt::Display for Nulls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Nulls {
    type Err = Error;

    /// Reads a [`name`](Nulls::name).
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|nulls| nulls.name() == name)
            .ok_or_else(|| Error::config("nulls", name, "words, runs"))
    }
}

/// Numbers of correspondences by type, of one sentence pair or, added, of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Correspondences {
    /// Groups of one word on each side.
    pub one_to_one: u64,
    /// Groups of two or more words on some side.
    pub chunks: u64,
    /// Words without link, of both sides.
    pub null_words: u64,
    /// Longest stretches of adjacent words without link, of both sides.
    pub null_runs: u64,
}

/// Shares of the types, which add up to 1; none if there are no correspondences.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct TypeShares {
    /// Of groups of one word on each side.
    pub one_to_one: Option<f64>,
    /// Of nulls.
    pub null: Option<f64>,
    /// Of larger groups.
    pub chunk: Option<f64>,
}

/// What kinds of correspondences one person made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnotatorTypes {
    /// The name of the person.
    pub annotator: String,
    /// The number of sentences that the person did.
    pub sentences: usize,
    /// The numbers.
    pub counts: Correspondences,
    /// Their shares where each word without link is a null.
    pub null_words: TypeShares,
    /// Their shares where each run of adjacent words without link is a null.
    pub null_runs: TypeShares,
}

impl Correspondences {
    /// Counts the correspondences of one sentence pair. O(words + links log words).
    ///
    /// # Errors
    /// `Inconsistent` if there is a link outside the sentences.
    pub fn of(links: &Alignment, lengths: PairLengths) -> Result<Self> {
        lengths.check(links, 0)?;
        Ok(Self::of_checked(links, lengths))
    }

    /// The same for links that are known to lie between the sentences.
    fn of_checked(links: &Alignment, lengths: PairLengths) -> Self {
        let mut groups = Groups::new(lengths.source + lengths.target);
        let mut linked = vec![false; lengths.source + lengths.target];
        for link in links.iter() {
            let (source, target) = (link.source as usize, lengths.source + link.target as usize);
            groups.join(source, target);
            (linked[source], linked[target]) = (true, true);
        }
        let mut counts = Self::default();
        for (word, _) in linked.iter().enumerate().filter(|(_, linked)| **linked) {
            if groups.root(word) == word {
                // A linked group has words on both sides: two words are one on each.
                let pair = groups.sizes[word] == 2;
                *(if pair { &mut counts.one_to_one } else { &mut counts.chunks }) += 1;
            }
        }
        let (source, target) = linked.split_at(lengths.source);
        for side in [source, target] {
            counts.null_words += side.iter().filter(|linked| !**linked).count() as u64;
            counts.null_runs += side.chunk_by(|left, right| left == right).filter(|run| !run[0]).count() as u64;
        }
        counts
    }

    /// The number of nulls.
    pub fn nulls(&self, nulls: Nulls) -> u64 {
        match nulls {
            Nulls::Words => self.null_words,
            Nulls::Runs => self.null_runs,
        }
    }

    /// The number of all correspondences.
    pub fn total(&self, nulls: Nulls) -> u64 {
        self.one_to_one + self.chunks + self.nulls(nulls)
    }

    /// The shares of the types.
    pub fn shares(&self, nulls: Nulls) -> TypeShares {
        let total = self.total(nulls);
        let share = |number: u64| (total > 0).then(|| number as f64 / total as f64);
        TypeShares { one_to_one: share(self.one_to_one), null: share(self.nulls(nulls)), chunk: share(self.chunks) }
    }
}

impl AddAssign for Correspondences {
    fn add_assign(&mut self, other: Self) {
        self.one_to_one += other.one_to_one;
        self.chunks += other.chunks;
        self.null_words += other.null_words;
        self.null_runs += other.null_runs;
    }
}

impl Annotations {
    /// The types of correspondences of every annotator, over the sentences that each did. O(annotators × words).
    ///
    /// # Errors
    /// `UnequalLengths` if there are lengths of more or fewer sentences, `Inconsistent` for a link outside them.
    pub fn correspondences(&self, lengths: &[PairLengths], kinds: LinkKinds) -> Result<Vec<AnnotatorTypes>> {
        self.check_lengths(lengths)?;
        let types = self.annotators().iter().map(|annotation| {
            let mut counts = Correspondences::default();
            for (gold, lengths) in annotation.sentences.iter().zip(lengths) {
                if let Some(gold) = gold {
                    counts += Correspondences::of_checked(kinds.of(gold), *lengths);
                }
            }
            AnnotatorTypes {
                annotator: annotation.name.clone(),
                sentences: annotation.sentences.iter().flatten().count(),
                counts,
                null_words: counts.shares(Nulls::Words),
                null_runs: counts.shares(Nulls::Runs),
            }
        });
        Ok(types.collect())
    }
}

/// Sets of words that links join, as trees whose roots know how large they are.
struct Groups {
    parents: Vec<usize>,
    sizes: Vec<usize>,
}

impl Groups {
    fn new(words: usize) -> Self {
        Self { parents: (0..words).collect(), sizes: vec![1; words] }
    }

    fn root(&mut self, mut word: usize) -> usize {
        while self.parents[word] != word {
            self.parents[word] = self.parents[self.parents[word]];
            word = self.parents[word];
        }
        word
    }

    fn join(&mut self, first: usize, second: usize) {
        let (first, second) = (self.root(first), self.root(second));
        if first == second {
            return;
        }
        let (small, large) = if self.sizes[first] < self.sizes[second] { (first, second) } else { (second, first) };
        self.parents[small] = large;
        self.sizes[large] += self.sizes[small];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::Link;
    use proptest::prelude::*;

    /// The definition: what can be reached from a word, by going over all links again and again.
    fn by_definition(links: &Alignment, lengths: PairLengths) -> Correspondences {
        let mut counts = Correspondences::default();
        let mut seen = vec![false; lengths.source];
        for word in 0..lengths.source as u32 {
            if seen[word as usize] || links.of_source(word).is_empty() {
                continue;
            }
            let (mut sources, mut targets) = (vec![word], Vec::new());
            loop {
                let before = (sources.len(), targets.len());
                for link in links.iter() {
                    if sources.contains(&link.source) && !targets.contains(&link.target) {
                        targets.push(link.target);
                    }
                    if targets.contains(&link.target) && !sources.contains(&link.source) {
                        sources.push(link.source);
                    }
                }
                if before == (sources.len(), targets.len()) {
                    break;
                }
            }
            for source in &sources {
                seen[*source as usize] = true;
            }
            let pair = (sources.len(), targets.len()) == (1, 1);
            counts.one_to_one += u64::from(pair);
            counts.chunks += u64::from(!pair);
        }
        let unlinked = |length: usize, linked: &dyn Fn(u32) -> bool| -> (u64, u64) {
            let free: Vec<bool> = (0..length as u32).map(|word| !linked(word)).collect();
            let runs = (0..length).filter(|&word| free[word] && (word == 0 || !free[word - 1])).count();
            (free.iter().filter(|free| **free).count() as u64, runs as u64)
        };
        let targets = links.targets();
        let source = unlinked(lengths.source, &|word| !links.of_source(word).is_empty());
        let target = unlinked(lengths.target, &|word| targets.contains(&word));
        Correspondences { null_words: source.0 + target.0, null_runs: source.1 + target.1, ..counts }
    }

    proptest! {
        #[test]
        fn types_are_those_of_the_definition(links in proptest::collection::vec((0u32..6, 0u32..7), 0..12)) {
            let links: Alignment = links.into_iter().map(|(source, target)| Link::new(source, target)).collect();
            let lengths = PairLengths::new(6, 7);
            let counts = Correspondences::of(&links, lengths).unwrap();
            prop_assert_eq!(counts, by_definition(&links, lengths));
            // Seen from the other side nothing changes.
            let back = Correspondences::of(&links.inverted(), PairLengths::new(7, 6)).unwrap();
            prop_assert_eq!(counts, back);
            for nulls in Nulls::ALL {
                let TypeShares { one_to_one, null, chunk } = counts.shares(nulls);
                prop_assert!((one_to_one.unwrap() + null.unwrap() + chunk.unwrap() - 1.0).abs() < 1e-12);
            }
            prop_assert!(counts.null_runs <= counts.null_words);
        }
    }

    #[test]
    fn nothing_has_no_shares() {
        let nothing = Correspondences::of(&Alignment::new(), PairLengths::default()).unwrap();
        assert_eq!((nothing, nothing.shares(Nulls::Words)), (Correspondences::default(), TypeShares::default()));
        let error = Correspondences::of(&[(0, 9)].into(), PairLengths::new(1, 1)).unwrap_err().to_string();
        assert_eq!(error, "sentence 1: link 0-9 is out of range, the source has 1 token, the target 1");
        assert_eq!("runs".parse::<Nulls>().unwrap(), Nulls::Runs);
        assert!("run".parse::<Nulls>().is_err());
    }
}
