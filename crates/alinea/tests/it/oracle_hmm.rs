//! The HMM, alone and in agreement, against all alignments.

use alinea::alignment::Link;
use alinea::model::{AlignerConfig, NullProbability, Schedule};
use alinea::numeric::Generator;

use crate::oracle::{Oracle, Stage, parameters_of};
use crate::oracle_ibm1::{TEXTS, assert_close, compare_decoding, compare_training};
use crate::texts::{Lines, below, bitext, sample, tiny, train, words};

const PASSES: [Stage; 4] = [Stage::Ibm1, Stage::Ibm1, Stage::Hmm, Stage::Hmm];

/// A model that nobody published: each choice made by chance.
fn any_config(generator: &mut Generator) -> AlignerConfig {
    let (agreement, hmm) = (AlignerConfig::agreement(), AlignerConfig::hmm());
    let levels = AlignerConfig::agreement_loo().prior;
    let mut coin = || below(generator, 2) == 1;
    hmm.with(|c| {
        c.prior = if !coin() {
            None
        } else if coin() {
            agreement.prior
        } else {
            levels
        };
        c.agreement = coin();
        c.null_probability = if coin() { NullProbability::Uniform } else { NullProbability::Fixed(0.05) };
        c.jumps = c.jumps.with(|c| {
            c.uniform = if coin() { 0.3 } else { 0.0 };
            c.pseudo_count = if coin() { 0.5 } else { 0.0 };
            c.window = coin();
            c.end = coin();
            c.sentences = if coin() { Some(2) } else { None };
            c.by_kind = if coin() { Some(3.0) } else { None };
        });
    })
}

#[test]
fn sums_over_all_alignments() {
    for seed in 0..TEXTS {
        let mut generator = Generator::new(seed, 3);
        let lines = tiny(&mut generator);
        let text = bitext(&lines);
        for config in [AlignerConfig::agreement(), AlignerConfig::hmm(), any_config(&mut generator)] {
            for hmm in [1, 3] {
                let config = config.clone().with(|c| c.schedule = Some(Schedule { ibm1: 2, hmm }));
                compare_decoding(&text, &train(&text, &config), Stage::Hmm, &lines);
            }
        }
    }
}

#[test]
fn training_of_the_named_models_is_that_of_enumeration() {
    for seed in 0..TEXTS {
        let lines = tiny(&mut Generator::new(seed, 4));
        let text = bitext(&lines);
        for config in [AlignerConfig::agreement(), AlignerConfig::hmm()] {
            compare_training(&text, &config, &PASSES, &lines);
        }
    }
}

#[test]
fn training_of_any_model_is_that_of_enumeration() {
    for seed in 0..TEXTS {
        let mut generator = Generator::new(seed, 5);
        let lines = tiny(&mut generator);
        compare_training(&bitext(&lines), &any_config(&mut generator), &PASSES, &lines);
    }
}

/// The jumps of one sentence of 140 words reach beyond the last weight of the table.
#[test]
fn long_jumps_share_the_outermost_weight() {
    let source: Vec<String> = (0..140).map(|n| format!("s{}", n % 50)).collect();
    let lines = vec![(source.join(" "), "t1 t2".to_owned()), ("s1 s2".to_owned(), "t2 t1".to_owned())];
    let text = bitext(&lines);
    for config in [AlignerConfig::agreement(), AlignerConfig::hmm()] {
        let aligner = train(&text, &config.with(|c| c.schedule = Some(Schedule { ibm1: 1, hmm: 2 })));
        let parameters = parameters_of(&aligner, &text);
        let oracle = Oracle::new(&text, aligner.config());
        let expected = oracle.alignments_of(0, 0, &parameters[0], Stage::Hmm);
        let mut worker = aligner.worker(&text);
        let posteriors = worker.posteriors(0).expect("no side is empty");
        assert_close(posteriors.log_weights()[0], expected.likelihood.ln(), (1e-6, 1e-4), "long sentence");
        for (j, row) in expected.posterior.iter().enumerate() {
            for (i, &posterior) in row.iter().enumerate() {
                let ours = posteriors.forward(Link::new(i as u32, j as u32));
                assert_close(f64::from(ours), posterior, (1e-4, 1e-6), &format!("link {i}-{j}"));
            }
        }
    }
}

#[test]
fn the_recursion_is_the_sum_over_all_alignments() {
    for seed in 0..TEXTS {
        let mut generator = Generator::new(seed, 6);
        let lines = tiny(&mut generator);
        let text = bitext(&lines);
        let oracle = Oracle::new(&text, &any_config(&mut generator));
        let parameters = oracle.pass(&oracle.start(), Stage::Hmm).0;
        for n in 0..lines.len() {
            for (side, expected) in oracle.alignments(n, &parameters, Stage::Hmm).iter().enumerate() {
                let (posteriors, log_likelihood) = oracle.posteriors(n, side, &parameters[side]);
                let place = format!("pair {n} of {lines:?}");
                assert_close(log_likelihood, expected.likelihood.ln(), (1e-9, 1e-9), &place);
                for (&ours, &expected) in posteriors.iter().flatten().zip(expected.posterior.iter().flatten()) {
                    assert_close(ours, expected, (1e-9, 1e-12), &place);
                }
            }
        }
    }
}

/// The sample, with some of its sentences joined to long ones at the top.
fn long_sentences_first() -> Lines {
    let mut lines = sample();
    let joined = |side: fn(&(String, String)) -> &str, length: usize| {
        let all: Vec<&str> = lines.iter().flat_map(|pair| words(side(pair))).take(length).collect();
        all.join(" ")
    };
    let long = |length| (joined(|pair| &pair.0, length), joined(|pair| &pair.1, length));
    let long = [60, 200, 250].map(long);
    lines.splice(0..0, long);
    lines
}

/// Agreement neglects states with next to no mass, which shows more in long sentences; nothing else is lost.
#[test]
fn real_sentences() {
    let text = bitext(&long_sentences_first());
    for (config, (absolute, by_word)) in
        [(AlignerConfig::agreement(), (0.0, 2e-5)), (AlignerConfig::hmm(), (2e-6, 2e-8))]
    {
        let aligner = train(&text, &config.with(|c| c.schedule = Some(Schedule { ibm1: 3, hmm: 2 })));
        let parameters = parameters_of(&aligner, &text);
        let oracle = Oracle::new(&text, aligner.config());
        let mut worker = aligner.worker(&text);
        for n in 0..60 {
            let pair = text.pair(n);
            let posteriors = worker.posteriors(n).expect("no side is empty");
            let tolerance = absolute + by_word * pair.source.len().max(pair.target.len()) as f64;
            for side in [0, 1] {
                let (expected, log_likelihood) = oracle.posteriors(n, side, &parameters[side]);
                let place = format!("{}, pair {n}, direction {side}", aligner.config().name);
                assert_close(posteriors.log_weights()[side], log_likelihood, (0.0, 10.0 * tolerance), &place);
                for (j, row) in (0..).zip(&expected) {
                    for (i, &posterior) in (0..).zip(row) {
                        let ours = match side {
                            0 => posteriors.forward(Link::new(i, j)),
                            _ => posteriors.reverse(Link::new(j, i)),
                        };
                        assert_close(f64::from(ours), posterior, (0.0, tolerance), &place);
                    }
                }
            }
        }
    }
}
