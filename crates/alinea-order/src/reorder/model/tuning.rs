//! How sure a model must be before it moves words: tuned on a fifth of the examples, by a model of the others.
//!
//! Where that costs little, or a fifth is too few to tell, each fifth is held out in turn, and all of them are judged together;
//! where sentences are either ordered or left alone, one fifth after another, until the gain is clear or there is none.

use super::engine::{accepted, decide, engines};
use super::gain::Gain;
use super::member::{Member, MemberConfig, MemberEngine};
use super::train_all;
use crate::error::{ErrorKind, Result};
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::{Observer, Within};
use crate::reorder::Engine;
use crate::reorder::beliefs::Decision;
use crate::reorder::btg::Search;
use crate::reorder::engine::Sentence;
use crate::reorder::example::Example;
use crate::reorder::rules::{RuleSet, RulesConfig};
use crate::reorder::scores::{Judge, Score, SentenceCounts};

/// Source-order biases that are tried; the first leaves everything as it is.
const BIASES: [f64; 8] = [1.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.7];

/// So many rules are tried, beside all; the first leaves everything as it is.
const RULES: [usize; 12] = [0, 1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 150];

/// Shares of the pairs of words that may change; the first leaves everything as it is.
const ACCEPTANCES: [f64; 9] = [0.0, 1.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];

/// So many standard errors above the first way is enough. Of many ways one is always good by chance on the few sentences that are
/// held out.
const ENOUGH: f64 = 1.0;

/// So many need no more sentences to tell.
const CLEAR: f64 = 3.0;

/// None of these may be lost.
const GUARDED: [Score; 3] = [Score::BorderedFuzzy, Score::Tau, Score::Bleu];

/// One in so many examples is held out.
const HELD_OUT: usize = 5;

/// So many sentences, held out, are too few to settle anything with.
const FEW: usize = 100;

/// Examples to settle something with: those held out, and the others.
struct Split {
    /// Which fifth is held out, from 1.
    number: usize,
    held_out: Vec<Example>,
    others: Vec<Example>,
}

impl Split {
    /// That of the fifth with this number; none if one of the parts says nothing of order.
    fn new(examples: &[Example], fifth: usize) -> Option<Self> {
        let part = |held: bool| {
            let numbered = examples.iter().enumerate().filter(move |(number, _)| (number % HELD_OUT == fifth) == held);
            numbered.map(|(_, example)| example.clone()).collect::<Vec<_>>()
        };
        let says = |examples: &[Example]| examples.iter().any(Example::says);
        let split = Self { number: fifth + 1, held_out: part(true), others: part(false) };
        (says(&split.held_out) && says(&split.others)).then_some(split)
    }

    /// The same, told of what is learned without what is held out.
    fn within<'o>(&self, observer: &'o dyn Observer) -> Within<'o> {
        Within::new(format!("without fifth {}", self.number), observer)
    }

    /// One, or of few examples and where `all` is asked for one after another.
    fn several(examples: &[Example], all: bool) -> impl Iterator<Item = Self> {
        let fifths = if all || examples.len() < FEW * HELD_OUT { HELD_OUT } else { 1 };
        (0..fifths).filter_map(|fifth| Self::new(examples, fifth))
    }
}

/// Ways to order sentences, the first of which leaves them as they are, and how good they are.
struct Trial {
    judge: Judge,
    /// Way by way, those of the sentences that were held out.
    counts: Vec<Vec<SentenceCounts>>,
}

impl Trial {
    fn new(ways: usize) -> Result<Self> {
        Ok(Self { judge: Judge::new()?, counts: vec![Vec::new(); ways] })
    }

    /// Judges the ways by what is held out; `orders` gives one for each.
    fn judge<W: Send>(
        &mut self,
        split: &Split,
        parallelism: &Parallelism,
        worker: impl Fn() -> W + Sync,
        orders: impl Fn(&mut W, &Sentence) -> Result<Vec<Permutation>> + Sync,
    ) -> Result<()> {
        let Self { judge, counts } = self;
        parallelism.map_ordered(
            split.held_out.len(),
            || (worker(), judge.counter()),
            |(worker, counter), number| {
                let example = &split.held_out[number];
                let orders = orders(worker, example.sentence())?;
                orders.iter().map(|order| example.judged(order, counter)).collect::<Result<Vec<_>>>()
            },
            |sentence| {
                counts.iter_mut().zip(sentence).for_each(|(of_way, counts)| of_way.push(counts));
                Ok(())
            },
        )
    }

    /// The number of the best way: that with the greatest sum of fuzzy reordering score and tau, of those that are [enough](ENOUGH)
    /// above the first. None if nothing was judged.
    fn best(&self) -> Option<usize> {
        let (first, others) = self.counts.split_first().filter(|(first, _)| !first.is_empty())?;
        let mut best = (0, fuzzy_and_tau(first));
        for (way, counts) in (1..).zip(others) {
            let sum = fuzzy_and_tau(counts);
            if sum > best.1 && gains(first, counts, ENOUGH) {
                best = (way, sum);
            }
        }
        Some(best.0)
    }

    /// Whether more sentences are not asked for: none is better than the first way, or the best one clearly is.
    fn is_settled(&self) -> bool {
        self.best().is_none_or(|best| best == 0 || gains(&self.counts[0], &self.counts[best], CLEAR))
    }
}

/// What is looked at in one sum.
fn fuzzy_and_tau(counts: &[SentenceCounts]) -> f64 {
    let sum: SentenceCounts = counts.iter().sum();
    [Score::BorderedFuzzy, Score::Tau].iter().filter_map(|&score| sum.score(score)).sum()
}

/// Whether the second way is so many standard errors above the first in each of [`GUARDED`].
fn gains(first: &[SentenceCounts], second: &[SentenceCounts], errors: f64) -> bool {
    GUARDED.iter().all(|&score| Gain::new(first, second, score).is_at_least(errors))
}

/// The best decision of members.
pub(super) fn tuned(
    examples: &[Example],
    configs: &[MemberConfig],
    start: &[Member],
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Decision> {
    let decisions = BIASES.map(|bias| Decision { bias, ..Decision::default() });
    let mut trial = Trial::new(decisions.len())?;
    for split in Split::several(examples, configs.iter().all(MemberConfig::is_quick)) {
        let members: Vec<Member> = train_all(&split.others, configs, start, parallelism, &split.within(observer))?;
        let worker = || engines(&members, Search::default());
        let orders = |members: &mut Vec<MemberEngine<'_>>, sentence: &Sentence| {
            decide(members, sentence, decisions).map(Vec::from)
        };
        trial.judge(&split, parallelism, worker, orders)?;
    }
    Ok(trial.best().map_or_else(Decision::default, |best| decisions[best]))
}

/// The best [`Model::acceptance`](super::Model::acceptance) of the first member.
pub(super) fn tuned_acceptance(
    examples: &[Example],
    configs: &[MemberConfig],
    search: Search,
    start: &[Member],
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<f64> {
    let mut trial = Trial::new(ACCEPTANCES.len())?;
    for split in Split::several(examples, true) {
        let members = match train_all(&split.others, configs, start, parallelism, &split.within(observer)) {
            // There may be no order in four fifths that the engine can learn from.
            Err(error) if matches!(error.kind(), ErrorKind::Inconsistent(_)) => continue,
            members => members?,
        };
        trial.judge(
            &split,
            parallelism,
            || engines(&members, search),
            |members, sentence| {
                let order = members[0].order(sentence)?;
                Ok(ACCEPTANCES.map(|acceptance| accepted(order.clone(), acceptance)).into())
            },
        )?;
        if split.held_out.len() >= FEW && trial.is_settled() {
            break;
        }
    }
    Ok(trial.best().map_or(1.0, |best| ACCEPTANCES[best]))
}

/// The most rules that are good; as many as the configuration allows if all are.
pub(super) fn tuned_rules(
    examples: &[Example],
    config: &RulesConfig,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<usize> {
    let learn =
        |split: Split| Ok((RuleSet::train(&split.others, config, parallelism, &split.within(observer))?, split));
    let learned = Split::several(examples, false).map(learn).collect::<Result<Vec<(RuleSet, Split)>>>()?;
    let most = learned.iter().map(|(rules, _)| rules.rules.len()).max().unwrap_or_default();
    let numbers: Vec<usize> = RULES.into_iter().filter(|&number| number < most).chain([most]).collect();
    if numbers.len() < 2 {
        return Ok(config.rules);
    }
    let mut trial = Trial::new(numbers.len())?;
    for (rules, split) in &learned {
        let ways: Vec<RuleSet> = numbers.iter().map(|&number| rules.first(number)).collect();
        let worker = || ways.iter().map(RuleSet::engine).collect::<Vec<_>>();
        trial.judge(split, parallelism, worker, |engines, sentence| {
            engines.iter_mut().map(|engine| engine.order(sentence)).collect()
        })?;
    }
    let best = trial.best().map_or(most, |best| numbers[best]);
    Ok(if best == most { config.rules } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the best of leaving twelve words as they are and other orders, where so many sentences exchange the first two
    /// words, and others do not; the last four words have the same place. And whether that is settled.
    fn best(exchanged: usize, kept: usize, ways: &[&[u32]]) -> (usize, bool) {
        let words = "a b c d e f g h i j k l".split(' ').map(str::to_owned).collect();
        let sentence = Sentence::new(words);
        let example = |number: usize| {
            let target = |word: u32| if word < 2 && number < exchanged { 1 - word } else { word.min(8) };
            let links = (0..12).map(|word| crate::alignment::Link::new(word, target(word))).collect();
            Example::of_links(sentence.clone(), links).unwrap()
        };
        let split = Split { number: 1, held_out: (0..exchanged + kept).map(example).collect(), others: Vec::new() };
        let identity = Permutation::identity(12);
        let orders: Vec<Permutation> =
            [identity].into_iter().chain(ways.iter().map(|way| Permutation::from_order(way).unwrap())).collect();
        let mut trial = Trial::new(orders.len()).unwrap();
        assert!(trial.best().is_none() && trial.is_settled());
        trial.judge(&split, &Parallelism::serial(), || (), |(), _| Ok(orders.clone())).unwrap();
        (trial.best().unwrap(), trial.is_settled())
    }

    #[test]
    fn chance_and_losses_of_bleu_are_no_reason_to_move() {
        let exchanged: &[u32] = &[1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        // Words of one place are turned round, which only BLEU sees.
        let turned: &[u32] = &[1, 0, 2, 3, 4, 5, 6, 7, 11, 10, 9, 8];
        assert_eq!(best(14, 2, &[exchanged]), (1, true));
        assert_eq!(best(14, 2, &[turned, exchanged]), (2, true));
        // By 2.97 errors, so that more sentences are asked for: mean 8 / 12, deviation of the mean 0.2247.
        assert_eq!(best(10, 2, &[exchanged]), (1, false));
        assert_eq!(best(10, 2, &[turned]), (0, true));
        // By chance seven of twelve are better.
        assert_eq!(best(7, 5, &[exchanged]), (0, true));
        assert_eq!(best(2, 10, &[exchanged]), (0, true));
    }

    #[test]
    fn few_examples_are_all_held_out() {
        let links = || [(0, 1), (1, 0)].into();
        let sentence = |number: usize| Sentence::new(vec![number.to_string(), "a".to_owned()]);
        let example = |number: usize| Example::of_links(sentence(number), links()).unwrap();
        let examples: Vec<Example> = (0..FEW * HELD_OUT).map(example).collect();
        let held_out = |count: usize, all: bool| {
            let splits = Split::several(&examples[..count], all);
            splits.map(|split| (split.held_out.len(), split.others.len())).collect::<Vec<_>>()
        };
        assert_eq!(held_out(examples.len(), false), [(100, 400)]);
        assert_eq!(held_out(examples.len(), true), [(100, 400); 5]);
        assert_eq!(held_out(7, false), [(2, 5), (2, 5), (1, 6), (1, 6), (1, 6)]);
        // What is held out must not be everything.
        assert_eq!(held_out(1, false), []);
    }
}
