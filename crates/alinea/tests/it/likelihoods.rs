//! What models say of the probability of sentences: laws of probabilities, and brute force over all sentences.
//!
//! That a likelihood is the sum over all alignments is compared in `oracle_hmm`, `oracle_ibm1` and `oracle_loo`.

use alinea::bitext::{RankedBitext, SentencePair, WordId};
use alinea::model::ibm::{IbmAligner, IbmConfig};
use alinea::model::{Aligner, AlignerConfig, Posteriors, Schedule};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use proptest::prelude::*;

use crate::texts::{Lines, bitext, models, sample, tiny, train};

/// All named models.
fn named() -> impl Iterator<Item = AlignerConfig> {
    models().into_iter().chain([AlignerConfig::quality()])
}

const CHAINS: [&str; 4] =
    ["ibm1:2,ibm2:2", "ibm1:2,diagonal:2", "ibm1:2,hmm:2,ibm3:2", "ibm1:2,hmm:2,ibm3:1,ibm4:1,ibm5:1"];

fn assert_probable(posteriors: Option<Posteriors<'_>>, name: &str, place: &str) {
    let Some(posteriors) = posteriors else { return };
    for score in posteriors.scores().expect("the worker was asked") {
        assert!(score <= 0.0 && score.is_finite(), "{name}: a score of {score} in {place}");
    }
}

fn assert_chain_probable(text: &RankedBitext, chain: &str, place: &str) {
    let config = IbmConfig::new(chain.parse().expect("a chain"));
    let aligner = IbmAligner::train(text, &config, &Parallelism::serial(), &Silent).expect("there are pairs");
    let mut worker = aligner.worker(text);
    (0..text.len()).for_each(|n| assert_probable(worker.posteriors(n), chain, place));
}

/// Of the pairs trained on, and of those that do not belong together.
fn assert_model_probable(text: &RankedBitext, config: &AlignerConfig, place: &str) {
    let aligner = train(text, config);
    let (mut worker, mut new) = (aligner.worker(text).judging(), aligner.worker_for_new_pairs().judging());
    for n in 0..text.len() {
        let other =
            SentencePair { source: text.pair(n).source, target: text.pair((n + 1) % text.len()).target, cuts: &[] };
        assert_probable(worker.posteriors(n), config.name.name(), place);
        assert_probable(new.posteriors(other), config.name.name(), place);
    }
}

#[test]
fn no_pair_of_the_sample_is_more_than_certain() {
    let text = bitext(&sample());
    for config in named() {
        assert_model_probable(&text, &config, "the sample");
    }
    for chain in CHAINS {
        assert_chain_probable(&text, chain, "the sample");
    }
}

/// Few words, so that some repeat each other and many pairs are met once.
fn any_lines() -> impl Strategy<Value = Lines> {
    let side = || {
        proptest::collection::vec(proptest::sample::select(vec!["a", "b", "c", "dd", "dde", "ddef", "7", "."]), 1..7)
    };
    let pair = (side(), side()).prop_map(|(source, target)| (source.join(" "), target.join(" ")));
    proptest::collection::vec(pair, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn no_pair_of_any_text_is_more_than_certain(lines in any_lines()) {
        let (text, place) = (bitext(&lines), format!("{lines:?}"));
        for config in named() {
            assert_model_probable(&text, &config, &place);
        }
        for chain in CHAINS {
            assert_chain_probable(&text, chain, &place);
        }
    }
}

/// All sentences of so many words of a vocabulary.
fn sentences(vocabulary: usize, length: u32) -> impl Iterator<Item = Vec<WordId>> {
    (0..vocabulary.pow(length)).map(move |number| {
        (0..length).map(|place| WordId::from_index(number / vocabulary.pow(place) % vocabulary)).collect()
    })
}

/// The probabilities of all sentences of so many words, given one of the text.
fn all(aligner: &Aligner, text: &RankedBitext, n: usize, length: u32) -> f64 {
    let mut worker = aligner.worker_for_new_pairs().judging();
    let targets = sentences(text.target_frequencies().len(), length);
    let probability = |target: Vec<WordId>| {
        let pair = SentencePair { source: text.pair(n).source, target: &target, cuts: &[] };
        let posteriors = worker.posteriors(pair).expect("no side is empty");
        posteriors.log_likelihoods().expect("the worker was asked")[0].exp()
    };
    targets.map(probability).sum()
}

/// Of a source sentence, P of all target sentences of one, two and three words adds up to at most one; and to one where
/// the text has all words together, so that no probability is left for others.
#[test]
fn all_sentences_of_a_length_are_certain_together() {
    for seed in 0..15 {
        let lines = tiny(&mut Generator::new(seed, 71));
        let every_word = |side: fn(&(String, String)) -> &str| lines.iter().map(side).collect::<Vec<_>>().join(" ");
        let whole = (every_word(|pair| &pair.0), every_word(|pair| &pair.1));
        let closed = [vec![whole], lines.clone()].concat();
        for (lines, least) in [(&lines, 0.0), (&closed, 1.0 - 1e-3)] {
            let text = bitext(lines);
            for config in models() {
                let hmm = config.schedule_for(1).hmm.min(2);
                let aligner = train(&text, &config.clone().with(|c| c.schedule = Some(Schedule { ibm1: 2, hmm })));
                for (n, length) in (0..text.len()).flat_map(|n| (1..=3).map(move |length| (n, length))) {
                    let all = all(&aligner, &text, n, length);
                    let place = format!("{}, pair {n}, {length} words, {lines:?}", config.name);
                    assert!((least..1.0 + 1e-3).contains(&all), "{all}: {place}");
                }
            }
        }
    }
}
