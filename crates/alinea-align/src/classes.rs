//! Words put into classes by the company they keep.
//!
//! IBM Models 4 and 5 ask of a word what class it is in, not what word it is. The classes here are those of a bigram
//! model of classes (Brown et al. 1992, *Class-based n-gram models of natural language*): with c(w) the class of word w,
//!
//! p(w | v) = p(c(w) | c(v)) p(w | c(w)),
//!
//! where the border of sentences is a word in a class of its own, which stands before each sentence and behind it. With
//! N for counts in the text, h(n) = n ln n, and relative frequencies for the probabilities, the log-likelihood is
//!
//! Σ_cd h(N(c d)) - 2 Σ_c h(N(c)) + Σ_w h(N(w)),
//!
//! of which the last sum does not depend on the classes (Kneser and Ney 1993, *Improved clustering techniques for
//! class-based statistical language modelling*; the same is the monolingual criterion of Och 1999, *An efficient method
//! for determining bilingual word classes*, and of mkcls). Words are exchanged: each in its turn, the most frequent first,
//! goes where the likelihood is highest, again and again until none moves. That ends, for each move raises the likelihood,
//! in a place where no single move does (Martin, Liermann and Ney 1998, *Algorithms for bigram and trigram word
//! clustering*, with the bookkeeping that makes it fast).
//!
//! It is not the best of all places. To come to a better one, words are first moved in passes of *cooling*: each goes into
//! the best of the other classes, even if that costs likelihood, as long as it costs less than a threshold, which falls from
//! pass to pass. That is threshold accepting (Dueck and Scheuer 1990, *Threshold accepting: a general purpose optimization
//! algorithm appearing superior to simulated annealing*) with the best neighbors in place of random ones: nothing here is
//! random.
//!
//! [`WordClasses`] are the classes of the words of a [`Text`], by number. A text teaches them in
//! [`WordClasses::train`], or they are read from a file ([`format::classes`](crate::format::classes)).
//!
//! ```
//! use alinea::bitext::Text;
//! use alinea::classes::{ClassesConfig, WordClasses};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//!
//! let mut text = Text::default();
//! for line in ["the dog sees a cat", "a cat sees the dog", "the cat hears a dog", "a dog hears the cat"] {
//!     text.push_sentence(line.split(' ').map(str::as_bytes));
//! }
//! let config = ClassesConfig::default().with(|c| c.classes = 3);
//! let trained = WordClasses::train(&text, &config, &Parallelism::serial(), &Silent)?;
//! let class = |word: &str| text.vocabulary().id(word.as_bytes()).map(|id| trained.classes.of(id));
//! assert_eq!(class("dog"), class("cat"));
//! assert_eq!(class("the"), class("a"));
//! assert_ne!(class("the"), class("cat"));
//! assert!(trained.is_converged);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod bigrams;
mod exchange;
mod fixed;
mod training;

pub use training::{Step, StepKind, TrainedClasses};

use crate::bitext::{Text, Vocabulary, WordId};
use crate::error::{Error, ErrorKind, Result};
use crate::format::classes::ClassTable;
use crate::parallel::Parallelism;
use crate::progress::Observer;

/// The number of a class, from 0. In files it is one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ClassId(u16);

impl ClassId {
    /// The class with this index.
    ///
    /// # Panics
    /// If the index needs more than 16 bits.
    pub fn from_index(index: usize) -> Self {
        Self(u16::try_from(index).expect("at most 2^16 classes"))
    }

    /// The number as an index into arrays by class.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How classes are learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClassesConfig {
    /// The number of classes; 50 is what is usual for Model 4.
    pub classes: usize,
    /// Passes over the words in which they may move for the worse, too; 0 leaves it at plain exchange.
    pub cooling: u32,
    /// The most passes of exchanges after that. Fewer are made if no word moves any more.
    pub passes: u32,
}

alinea_text::configurable!(ClassesConfig);

impl Default for ClassesConfig {
    fn default() -> Self {
        Self { classes: 50, cooling: 40, passes: 10 }
    }
}

impl ClassesConfig {
    /// The largest number of classes: memory, and the time for a frequent word, grow with its square.
    pub const MOST_CLASSES: usize = 2000;

    /// Checks the values.
    ///
    /// # Errors
    /// `Config` for no classes or more than [`MOST_CLASSES`](Self::MOST_CLASSES).
    pub fn validate(&self) -> Result<()> {
        if self.classes == 0 || self.classes > Self::MOST_CLASSES {
            return Err(Error::config("classes", self.classes, "1 to 2000"));
        }
        Ok(())
    }

    /// One line that names what decides the result.
    pub fn signature(&self) -> String {
        let Self { classes, cooling, passes } = self;
        format!("exchange|classes:{classes}|cooling:{cooling}|passes:{passes}|version:{}", env!("CARGO_PKG_VERSION"))
    }
}

/// The class of each word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordClasses {
    classes: Vec<ClassId>,
    count: usize,
}

impl WordClasses {
    /// Learns classes from a text. Those with more tokens have lower numbers, and the last ones are empty if there are
    /// fewer words. Words of the vocabulary that do not occur get into the class with most words, which is where rare
    /// words are: nothing else is known of them.
    ///
    /// A pass takes O(bigrams + words × classes²) at most, and much less because most words have few neighbors.
    ///
    /// # Errors
    /// `Config` as [`ClassesConfig::validate`]; `Empty` if the text has no words; `Cancelled`.
    pub fn train(
        text: &Text,
        config: &ClassesConfig,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<TrainedClasses> {
        config.validate()?;
        let start = training::start(&text.frequencies(), config.classes);
        training::train(text, start, config, parallelism, observer)
    }

    /// Exchanges words with these classes to begin with, in so many passes at most and without cooling, which would forget
    /// them; with 0 passes it is told how likely they make the text. Classes are numbered anew as in
    /// [`train`](Self::train).
    ///
    /// # Errors
    /// `Inconsistent` if these are not the classes of as many words as the text's vocabulary has; `Empty` if the text has
    /// no words; `Cancelled`.
    pub fn improved(
        &self,
        text: &Text,
        passes: u32,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<TrainedClasses> {
        let (given, words) = (self.classes.len(), text.vocabulary().len());
        if given != words {
            let message = format!("classes are given for {given} words, the text has {words}");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let config = ClassesConfig { classes: self.count, cooling: 0, passes };
        let start = self.classes.iter().map(|class| class.0).collect();
        training::train(text, start, &config, parallelism, observer)
    }

    /// The classes that a file gives to the words of a vocabulary, numbered from 0 in the order of their numbers there.
    /// Words that the file does not have get into the class that has most words in it.
    ///
    /// # Errors
    /// `Inconsistent` if the file has no words, or more than [`ClassesConfig::MOST_CLASSES`] classes.
    pub fn of_table(table: &ClassTable, vocabulary: &Vocabulary) -> Result<Self> {
        let numbers = class_numbers(table)?;
        let count = numbers.len();
        let other = largest(table.entries().map(|(_, number)| place(&numbers, number)), count);
        let classes = vocabulary.words().map(|word| table.number(word).map_or(other, |number| place(&numbers, number)));
        Ok(Self { classes: classes.collect(), count })
    }

    /// The same, but words that the file does not have are in one class more, the last, if there are any: where it is
    /// asked how a class behaves, they do not pass for words that are known.
    ///
    /// # Errors
    /// The same.
    pub fn of_table_with_unknown(table: &ClassTable, vocabulary: &Vocabulary) -> Result<Self> {
        let numbers = class_numbers(table)?;
        let unknown = ClassId::from_index(numbers.len());
        let class = |word| table.number(word).map_or(unknown, |number| place(&numbers, number));
        let classes: Vec<ClassId> = vocabulary.words().map(class).collect();
        let count = numbers.len() + usize::from(classes.contains(&unknown));
        Ok(Self { classes, count })
    }

    /// Refuses a table that is no set of classes.
    ///
    /// # Errors
    /// As [`of_table`](Self::of_table).
    pub fn check(table: &ClassTable) -> Result<()> {
        class_numbers(table).map(drop)
    }

    /// The class of a word.
    ///
    /// # Panics
    /// If the vocabulary has no such word.
    pub fn of(&self, word: WordId) -> ClassId {
        self.classes[word.index()]
    }

    /// The class of each word, by number.
    pub fn classes(&self) -> &[ClassId] {
        &self.classes
    }

    /// The number of the class of each word, by number of the word, from 0.
    pub fn numbers(&self) -> Vec<u32> {
        self.classes.iter().map(|class| class.index() as u32).collect()
    }

    /// The number of classes, empty ones among them.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// The numbers of classes in a file, ascending.
fn class_numbers(table: &ClassTable) -> Result<Vec<u32>> {
    let mut numbers: Vec<u32> = table.entries().map(|(_, number)| number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let count = numbers.len();
    if count == 0 || count > ClassesConfig::MOST_CLASSES {
        let message = format!("{count} classes of words: must be 1 to {}", ClassesConfig::MOST_CLASSES);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    Ok(numbers)
}

fn place(numbers: &[u32], number: u32) -> ClassId {
    ClassId::from_index(numbers.partition_point(|&other| other < number))
}

/// The class with most words; of several the first.
fn largest(classes: impl Iterator<Item = ClassId>, count: usize) -> ClassId {
    let mut words = vec![0usize; count];
    classes.for_each(|class| words[class.index()] += 1);
    let largest = (0..count).rev().max_by_key(|&class| words[class]);
    ClassId::from_index(largest.unwrap_or(0))
}
