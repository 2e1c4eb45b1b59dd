//! Training of word classes: a schedule of passes over the words of a text.
//!
//! 1. Words are dealt out to the classes in turn, by falling frequency, unless there are classes to begin with.
//! 2. *Cooling*: each word moves to the best of the other classes, unless that costs as much log-likelihood as a
//!    threshold (threshold accepting, Dueck and Scheuer 1990). The threshold falls from pass to pass in equal ratios,
//!    from 1000 nats, or 0.0004 nats a token if that is more, to 0.01.
//! 3. *Exchange*: the same with threshold 0, until no word moves or the given number of passes is done.
//! 4. Classes are numbered by falling token count. Words that do not occur join the class with most words.
//!
//! In each pass words come by falling frequency. The result depends on the text and the configuration alone.

use std::cmp::Reverse;

use super::bigrams::Bigrams;
use super::exchange::Exchange;
use super::fixed::{Entropy, MOST_EVENTS, nats, units};
use super::{ClassId, ClassesConfig, WordClasses, largest};
use crate::bitext::Text;
use crate::error::{ErrorKind, Result};
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};

/// Words between two questions whether to stop.
const CHUNK: usize = 256;

/// In nats, how much likelihood a word may cost in the first pass of cooling: so much, or this share of the tokens if that
/// is more, for in large texts every word weighs more.
const FIRST_THRESHOLD: (f64, f64) = (1000.0, 0.0004);

/// The same for the last pass of cooling.
const LAST_THRESHOLD: f64 = 0.01;

/// What moves words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// A pass in which words may move for the worse, too.
    Cooling,
    /// A pass in which words move for the better.
    Exchange,
}

/// A pass over the words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Of what kind it was.
    pub kind: StepKind,
    /// How many words it put into another class.
    pub moved: usize,
    /// The log-likelihood after it.
    pub log_likelihood: f64,
}

/// Classes that were learned, and how that went.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedClasses {
    /// The classes.
    pub classes: WordClasses,
    /// How they were learned.
    pub config: ClassesConfig,
    /// The passes. The log-likelihood never falls where words are exchanged.
    pub steps: Vec<Step>,
    /// Whether no word moved in the last pass: no exchange of a single word can make the text more likely.
    pub is_converged: bool,
    /// The log-likelihood of the text under the class bigram model, in nats, at most 0; to some 10^-7 for each class
    /// bigram and word.
    pub log_likelihood: f64,
    /// What the model predicts: the words of the text, and the end of each sentence that is not empty.
    pub events: u64,
}

impl TrainedClasses {
    /// exp(-log-likelihood / events), at least 1.
    pub fn perplexity(&self) -> f64 {
        (-self.log_likelihood / self.events as f64).exp()
    }
}

/// The words by falling frequency, those of equal frequency by number; those that do not occur are left out.
fn by_frequency(frequencies: &[u64]) -> Vec<usize> {
    let mut words: Vec<usize> = (0..frequencies.len()).filter(|&word| frequencies[word] > 0).collect();
    words.sort_by_key(|&word| Reverse(frequencies[word]));
    words
}

/// The classes to begin with: the words by falling frequency, dealt out.
pub(super) fn start(frequencies: &[u64], classes: usize) -> Vec<u16> {
    let mut start = vec![0; frequencies.len()];
    for (rank, word) in by_frequency(frequencies).into_iter().enumerate() {
        start[word] = (rank % classes) as u16;
    }
    start
}

/// Moves words as the configuration says.
pub(super) fn train(
    text: &Text,
    start: Vec<u16>,
    config: &ClassesConfig,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<TrainedClasses> {
    if text.token_count() == 0 {
        return Err(ErrorKind::Empty("no words to put into classes".to_owned()).into());
    }
    check_size(text.token_count() as u64 + text.len() as u64)?;
    check(observer)?;
    let bigrams = Bigrams::of(text, parallelism)?;
    let entropy = Entropy::new();
    let words = by_frequency(&bigrams.frequencies);
    let exchange = Exchange::new(&bigrams, &entropy, start, config.classes);
    let mut training = Training { exchange, words: &words, steps: Vec::new(), observer };
    for pass in 0..config.cooling {
        let task = format!("cooling {}/{}", pass + 1, config.cooling);
        training.pass(StepKind::Cooling, threshold(pass, config.cooling, text.token_count()), &task)?;
    }
    let mut is_converged = false;
    for pass in 1..=config.passes {
        let moved = training.pass(StepKind::Exchange, 0, &format!("pass {pass}/{}", config.passes))?;
        is_converged = moved == 0;
        if is_converged {
            break;
        }
    }
    let Training { exchange, steps, .. } = training;
    Ok(TrainedClasses {
        classes: numbered(exchange.classes(), &bigrams.frequencies, config.classes),
        config: *config,
        steps,
        is_converged,
        log_likelihood: nats(exchange.log_likelihood()),
        events: text.token_count() as u64 + bigrams.sentences,
    })
}

/// Refuses texts whose criterion would not fit its units.
fn check_size(events: u64) -> Result<()> {
    if events > MOST_EVENTS {
        let message =
            format!("{events} words and sentences; classes are learned from at most {MOST_EVENTS}; use a part");
        return Err(ErrorKind::Inconsistent(message).into());
    }
    Ok(())
}

/// The threshold of a pass of cooling, numbered from 0, in units: from the first to the last in equal ratios.
fn threshold(pass: u32, passes: u32, tokens: usize) -> i64 {
    let (least, share) = FIRST_THRESHOLD;
    let first = least.max(share * tokens as f64);
    let done = f64::from(pass) / f64::from(passes.saturating_sub(1).max(1));
    units(first * (LAST_THRESHOLD / first).powf(done))
}

/// The state between two passes.
struct Training<'a> {
    exchange: Exchange<'a>,
    words: &'a [usize],
    steps: Vec<Step>,
    observer: &'a dyn Observer,
}

impl Training<'_> {
    /// A pass over the words; how many of them moved.
    fn pass(&mut self, kind: StepKind, threshold: i64, task: &str) -> Result<usize> {
        self.observer.started(task, self.words.len() as u64);
        let mut moved = 0;
        for chunk in self.words.chunks(CHUNK) {
            check(self.observer)?;
            moved += chunk.iter().filter(|&&word| self.exchange.exchange(word, threshold)).count();
            self.observer.advance(chunk.len() as u64);
        }
        let log_likelihood = nats(self.exchange.log_likelihood());
        self.steps.push(Step { kind, moved, log_likelihood });
        self.observer.finished(&format!("log-likelihood {log_likelihood:.0}, {moved} words moved"));
        Ok(moved)
    }
}

/// Numbers classes by falling numbers of tokens; of equal ones that with the first word comes first. Words that do not
/// occur get into the class with most words.
fn numbered(classes: &[u16], frequencies: &[u64], count: usize) -> WordClasses {
    let mut tokens = vec![0u64; count];
    let mut first = vec![usize::MAX; count];
    for (word, (&class, &frequency)) in classes.iter().zip(frequencies).enumerate() {
        let class = usize::from(class);
        tokens[class] += frequency;
        if frequency > 0 {
            first[class] = first[class].min(word);
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&class| (Reverse(tokens[class]), first[class]));
    let mut number = vec![ClassId::from_index(0); count];
    for (new, &old) in order.iter().enumerate() {
        number[old] = ClassId::from_index(new);
    }
    let met = classes.iter().zip(frequencies).filter(|&(_, &frequency)| frequency > 0);
    let other = largest(met.map(|(&class, _)| number[usize::from(class)]), count);
    let of = |(&class, &frequency)| if frequency > 0 { number[usize::from(class)] } else { other };
    WordClasses { classes: classes.iter().zip(frequencies).map(of).collect(), count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_too_large_for_the_criterion_are_refused() {
        assert!(check_size(MOST_EVENTS).is_ok());
        assert!(check_size(MOST_EVENTS + 1).unwrap_err().to_string().contains("10000000001 words"));
    }

    #[test]
    fn thresholds_fall_from_the_first_to_the_last() {
        let thresholds: Vec<i64> = (0..6).map(|pass| threshold(pass, 6, 2_000_000)).collect();
        let expected = [1000.0, 100.0, 10.0, 1.0, 0.1, 0.01];
        for (threshold, expected) in thresholds.iter().zip(expected) {
            assert!((nats(*threshold) - expected).abs() < 1e-6, "{thresholds:?}");
        }
        assert_eq!((threshold(0, 1, 9), threshold(0, 40, 10_000_000)), (units(1000.0), units(4000.0)));
    }

    #[test]
    fn words_are_dealt_out_by_frequency() {
        assert_eq!(start(&[1, 5, 0, 5, 2], 3), [0, 0, 0, 1, 2]);
    }
}
