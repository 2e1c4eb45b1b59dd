//! What every model of this kind obeys.

use alinea::alignment::Link;
use alinea::bitext::Weights;
use alinea::lexicon::Probabilities;
use alinea::model::{Aligner, AlignerConfig, NullProbability, Schedule};
use alinea::numeric::Generator;

use crate::texts::{Lines, bitext, models, sample, swapped, tiny, train};

/// Rounding of counts to multiples of 2^-16 may cost so much likelihood, as a share.
const ROUNDING: f64 = 2e-6;

/// The sample, and many tiny texts.
fn texts(stream: u64) -> impl Iterator<Item = Lines> {
    std::iter::once(sample()).chain((0..300).map(move |seed| tiny(&mut Generator::new(seed, stream))))
}

fn assert_never_falls(likelihoods: &[[f64; 2]], place: &str) {
    for pass in likelihoods.windows(2) {
        for (before, after) in pass[0].iter().zip(pass[1]) {
            // A tiny text may be so well predicted that only an absolute tolerance makes sense.
            let tolerance = ROUNDING * before.abs() + 2e-3;
            assert!(after >= before - tolerance, "{before} falls to {after}: {place}");
        }
    }
}

#[test]
fn training_model_1_never_lowers_its_likelihood() {
    for lines in texts(11) {
        let schedule = Some(Schedule { ibm1: 12, hmm: 0 });
        for null_probability in [NullProbability::Uniform, NullProbability::Fixed(0.2)] {
            let config = AlignerConfig::ibm1().with(|c| {
                c.schedule = schedule;
                c.null_probability = null_probability;
            });
            let aligner = train(&bitext(&lines), &config);
            assert_eq!(aligner.log_likelihoods().len(), 12);
            assert_never_falls(aligner.log_likelihoods(), &format!("{lines:?}"));
        }
    }
}

/// Jump tables have no normalized maximum; where they cannot move, the rest of the model is exact.
#[test]
fn training_an_hmm_with_fixed_jumps_never_lowers_its_likelihood() {
    let hmm = AlignerConfig::hmm();
    let uniform = hmm.jumps.with(|c| c.uniform = 1.0);
    // Not counted, all jumps have the pseudo-count after the first pass of the HMM.
    let uncounted = hmm.jumps.with(|c| {
        c.sentences = Some(0);
        c.pseudo_count = 1.0;
        c.end = true;
    });
    for lines in texts(12) {
        for (jumps, fixed_from) in [(uniform, 0), (uncounted, 3)] {
            let config = hmm.clone().with(|c| {
                c.schedule = Some(Schedule { ibm1: 2, hmm: 6 });
                c.jumps = jumps;
            });
            let aligner = train(&bitext(&lines), &config);
            assert_never_falls(&aligner.log_likelihoods()[fixed_from..], &format!("{jumps:?} on {lines:?}"));
        }
    }
}

/// What counts half, and is there twice, counts as much as what is there once; jumps are learned from the first copy.
#[test]
fn two_copies_of_half_the_weight_are_one() {
    for lines in texts(13) {
        let twice = [lines.clone(), lines.clone()].concat();
        for config in [AlignerConfig::agreement(), AlignerConfig::hmm(), AlignerConfig::ibm1()] {
            let jumps = config.jumps.with(|c| c.sentences = Some(lines.len()));
            let schedule = Some(Schedule { ibm1: 2, hmm: config.schedule.map_or(2, |schedule| schedule.hmm.min(2)) });
            let config = config.with(|c| {
                c.jumps = jumps;
                c.schedule = schedule;
            });
            let text = bitext(&lines);
            let twice = bitext(&twice).weighted(Weights::new(&[(twice.len(), 0.5)]).unwrap()).unwrap();
            let (once, halved) = (train(&text, &config), train(&twice, &config));
            let (mut worker, mut other) = (once.worker(&text), halved.worker(&twice));
            for (n, pair) in (0..lines.len()).map(|n| (n, text.pair(n))) {
                let (ours, expected) = (other.posteriors(n).unwrap(), worker.posteriors(n).unwrap());
                for (s, t) in (0..pair.source.len()).flat_map(|s| (0..pair.target.len()).map(move |t| (s, t))) {
                    let link = Link::new(s as u32, t as u32);
                    let difference = (ours.mean(link) - expected.mean(link)).abs();
                    assert!(difference < 2e-2, "{}, {link:?}: {difference} in {lines:?}", config.name);
                }
            }
        }
    }
}

/// All positions being equally likely, an HMM is Model 1.
#[test]
fn an_hmm_with_uniform_jumps_is_model_1() {
    let hmm = AlignerConfig::hmm();
    let jumps = hmm.jumps.with(|c| c.uniform = 1.0);
    for lines in texts(13).take(50) {
        let text = bitext(&lines);
        let schedule = |ibm1, hmm| Some(Schedule { ibm1, hmm });
        let hmm = train(
            &text,
            &hmm.clone().with(|c| {
                c.schedule = schedule(2, 2);
                c.jumps = jumps;
            }),
        );
        let ibm1 = train(&text, &hmm.config().clone().with(|c| c.schedule = schedule(4, 0)));
        let (mut hmm, mut ibm1) = (hmm.worker(&text), ibm1.worker(&text));
        for (n, pair) in text.bitext().pairs().enumerate() {
            let hmm = hmm.posteriors(n).expect("no side is empty");
            let ibm1 = ibm1.posteriors(n).expect("no side is empty");
            for link in cells(pair.source.len(), pair.target.len()) {
                let differences = [hmm.forward(link) - ibm1.forward(link), hmm.reverse(link) - ibm1.reverse(link)];
                assert!(differences.iter().all(|d| d.abs() < 5e-3), "{link}: {differences:?} in {lines:?}");
            }
        }
    }
}

fn cells(sources: usize, targets: usize) -> impl Iterator<Item = Link> {
    (0..sources as u32).flat_map(move |source| (0..targets as u32).map(move |target| Link::new(source, target)))
}

/// For each word of both sides the sum of its probabilities of generating something, and how many words that is.
fn row_sums(aligner: &Aligner, sources: usize, targets: usize) -> [Vec<(f64, usize)>; 2] {
    let mut sums = [vec![(0.0, 0); sources], vec![(0.0, 0); targets]];
    let index = aligner.index();
    index.for_each_pair(index.rows(), |id, source, target| {
        let probabilities = aligner.parameters().translation.probability(id as u32);
        for (side, word) in [source, target].into_iter().enumerate() {
            let (sum, partners) = &mut sums[side][word];
            *sum += f64::from(probabilities[side]);
            *partners += 1;
        }
    });
    sums
}

#[test]
fn probabilities_of_the_lexicon_sum_to_one() {
    for lines in texts(14) {
        let text = bitext(&lines);
        let frequencies = [text.source_frequencies(), text.target_frequencies()];
        let words = frequencies.map(<[u64]>::len);
        for config in models() {
            let aligner = train(&text, &config);
            let parameters = aligner.parameters();
            for (name, null) in [("forward", &parameters.forward.null), ("reverse", &parameters.reverse.null)] {
                let sum: f64 = null.iter().map(|&p| f64::from(p)).sum();
                assert!((sum - 1.0).abs() < 1e-4, "{}: the empty word's {name} sum is {sum}", config.name);
            }
            for (side, sums) in row_sums(&aligner, words[0], words[1]).iter().enumerate() {
                for (word, &(sum, partners)) in sums.iter().enumerate() {
                    let place = format!("{}, side {side}, word {word}: {sum} over {partners}", config.name);
                    match &config.prior {
                        // What a word that has lost all its counts generates is below any other probability.
                        None => assert!((sum - 1.0).abs() < 1e-4 || sum < 1e-8, "{place}"),
                        Some(prior) => {
                            // alpha (V - n) / denominator is kept for the words that never occur beside this one. In
                            // the denominator are alpha V, up to mu of the stems, similarities and counts.
                            let (alpha, all) = (f64::from(prior.pair), words[1 - side] as f64);
                            let (unseen, seen) = (all - partners as f64, partners as f64);
                            let stems: f64 = prior.levels.iter().map(|level| f64::from(level.weight)).sum();
                            let more = stems + seen + frequencies[side][word] as f64;
                            let least = alpha * unseen / (alpha * all + more);
                            let most = unseen / all;
                            assert!((least - 1e-5..most + 1e-5).contains(&(1.0 - sum)), "{place}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn posteriors_of_a_word_sum_to_at_most_one() {
    for lines in texts(15).take(100) {
        let text = bitext(&lines);
        for config in models() {
            let aligner = train(&text, &config);
            let mut worker = aligner.worker_for_new_pairs();
            for pair in text.bitext().pairs() {
                let posteriors = worker.posteriors(pair).expect("no side is empty");
                let mut by_target = vec![0.0f64; pair.target.len()];
                let mut by_source = vec![0.0f64; pair.source.len()];
                for link in cells(pair.source.len(), pair.target.len()) {
                    by_target[link.target as usize] += f64::from(posteriors.forward(link));
                    by_source[link.source as usize] += f64::from(posteriors.reverse(link));
                    let mean = 0.5 * (posteriors.forward(link) + posteriors.reverse(link));
                    assert_eq!(posteriors.mean(link).to_bits(), mean.to_bits());
                }
                let most = by_target.iter().chain(&by_source).fold(0.0f64, |most, &sum| most.max(sum));
                // What agreement neglects it neglects in one direction of the recursion and not in the other.
                let tolerance = if config.agreement { 5e-4 } else { 1e-5 };
                assert!(most < 1.0 + tolerance, "{}: {most} in {lines:?}", config.name);
            }
        }
    }
}

/// Neither language is the first one: trained on exchanged sides, a model says the same in the other direction, bit
/// for bit.
#[test]
fn exchanging_the_sides_exchanges_the_directions() {
    for lines in texts(16).take(100) {
        let (text, mirrored) = (bitext(&lines), bitext(&swapped(&lines)));
        for config in models().into_iter().chain([AlignerConfig::quality()]) {
            let (aligner, mirror) = (train(&text, &config), train(&mirrored, &config));
            for (ours, theirs) in aligner.log_likelihoods().iter().zip(mirror.log_likelihoods()) {
                assert_eq!(ours.map(f64::to_bits), [theirs[1], theirs[0]].map(f64::to_bits), "{lines:?}");
            }
            let (mut worker, mut mirror) = (aligner.worker(&text), mirror.worker(&mirrored));
            for n in 0..text.len() {
                let paths = worker.viterbi(n);
                let [forward, reverse] = mirror.viterbi(n);
                assert_eq!(paths, [reverse.inverted(), forward.inverted()], "{}, {lines:?}", config.name);
                let ours = worker.posteriors(n).expect("no side is empty");
                let theirs = mirror.posteriors(n).expect("no side is empty");
                for link in cells(text.pair(n).source.len(), text.pair(n).target.len()) {
                    let bits = [ours.forward(link), ours.reverse(link)].map(f32::to_bits);
                    let link = Link::new(link.target, link.source);
                    assert_eq!(bits, [theirs.reverse(link), theirs.forward(link)].map(f32::to_bits), "{lines:?}");
                }
            }
        }
    }
}

/// What a pair was counted by in the last pass has its share in what it is decoded by; in nothing else.
#[test]
fn after_an_independent_pass_old_and_new_posteriors_are_averaged() {
    for lines in texts(17).take(100) {
        let text = bitext(&lines);
        let aligners = [0.0, 1.0, 0.25]
            .map(|share| train(&text, &AlignerConfig::agreement_loo().with(|c| c.independent_pass = Some(share))));
        let [mut new, mut old, mut averaged] = aligners.each_ref().map(|aligner| aligner.worker(&text));
        let mut strangers = [0, 2].map(|n: usize| aligners[n].worker_for_new_pairs());
        for (n, pair) in text.bitext().pairs().enumerate() {
            let (of_new, paths) = new.posteriors_and_viterbi(n).expect("no side is empty");
            let (of_averaged, same) = averaged.posteriors_and_viterbi(n).expect("no side is empty");
            let of_old = old.posteriors(n).expect("no side is empty");
            assert_eq!(paths, same, "{lines:?}");
            let weights = [of_new, of_averaged].map(|posteriors| posteriors.log_weights().map(f64::to_bits));
            assert_eq!(weights[0], weights[1], "{lines:?}");
            for (link, mean) in cells(pair.source.len(), pair.target.len()).zip(of_averaged.means()) {
                let expected = 0.75 * of_new.mean(link) + 0.25 * of_old.mean(link);
                assert!((mean - expected).abs() < 1e-5, "{link}: {mean} for {expected} in {lines:?}");
                assert_eq!(mean.to_bits(), of_averaged.mean(link).to_bits());
                assert!(of_averaged.links(mean).contains(link), "{link} in {lines:?}");
            }
            let [unknown, same] = &mut strangers;
            let [unknown, same] = [unknown, same].map(|worker| worker.posteriors(pair).expect("no side is empty"));
            assert!(unknown.means().eq(same.means()), "{lines:?}");
        }
    }
}
