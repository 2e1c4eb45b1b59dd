//! The same bits under any number of threads, and every time.

use alinea::alignment::{Alignment, Link};
use alinea::bitext::RankedBitext;
use alinea::model::{Aligner, AlignerConfig, ModelName, Schedule};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;

use crate::texts::{Lines, below, bitext, models, sample};

/// FNV-1a, of 64 bits.
struct Fingerprint(u64);

impl Fingerprint {
    fn add(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Everything a trained model says about the first sentence pairs, and the log-likelihoods of its training.
fn fingerprint(text: &RankedBitext, pairs: usize, config: &AlignerConfig, threads: usize) -> u64 {
    let parallelism = Parallelism::new(threads).expect("a few threads");
    let aligner = Aligner::train(text, config.clone(), &parallelism, &Silent).expect("there are pairs to train on");
    let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
    for log_likelihood in aligner.log_likelihoods().iter().flatten() {
        fingerprint.add(log_likelihood.to_bits());
    }
    let mut worker = aligner.worker(text).judging();
    for (n, pair) in text.bitext().pairs().take(pairs).enumerate() {
        let (posteriors, paths) = worker.posteriors_and_viterbi(n).expect("no side is empty");
        let links = posteriors.links(config.threshold);
        for link in paths.iter().chain([&links]).flat_map(Alignment::iter) {
            fingerprint.add(u64::from(link.source) << 32 | u64::from(link.target));
        }
        for (source, target) in (0..pair.source.len()).flat_map(|s| (0..pair.target.len()).map(move |t| (s, t))) {
            let link = Link::new(source as u32, target as u32);
            fingerprint.add(u64::from(posteriors.forward(link).to_bits()));
            fingerprint.add(u64::from(posteriors.reverse(link).to_bits()));
        }
        let log_likelihoods = posteriors.log_likelihoods().expect("the worker was asked");
        for log_likelihood in posteriors.log_weights().into_iter().chain(log_likelihoods) {
            fingerprint.add(log_likelihood.to_bits());
        }
    }
    fingerprint.0
}

fn assert_same(text: &RankedBitext, pairs: usize, config: &AlignerConfig, threads: &[usize]) {
    let expected = fingerprint(text, pairs, config, 1);
    for &threads in threads {
        let again = fingerprint(text, pairs, config, threads);
        assert_eq!(again, expected, "{} under {threads} threads", config.name);
    }
}

#[test]
fn threads_do_not_change_the_sample() {
    let text = bitext(&sample());
    for config in models() {
        assert_same(&text, text.len(), &config, &[1, 2, 3, 7, 7]);
    }
    assert_same(&text, text.len(), &AlignerConfig::quality(), &[3]);
}

/// So much text that every thread gets several pieces of each kind of work: the sample with its own lines, and with
/// those of other pairs.
#[test]
fn threads_do_not_change_a_longer_text() {
    let sample = sample();
    let copies = (0..16).flat_map(|copy| {
        let shift = if copy % 2 == 0 { 0 } else { copy };
        sample.iter().zip(sample.iter().cycle().skip(shift))
    });
    let lines: Lines = copies.map(|((source, _), (_, target))| (source.clone(), target.clone())).collect();
    let text = bitext(&lines);
    for config in models() {
        let schedule = Schedule { ibm1: 1, hmm: u32::from(config.name != ModelName::Ibm1) };
        assert_same(&text, 20, &config.with(|c| c.schedule = Some(schedule)), &[2, 3, 7]);
    }
}

/// Numbers have one stem, so that all pairs of words add to one sum, which outgrows its bits again and again; distinct pairs
/// are there several times each, so that much is added at once.
#[test]
fn threads_do_not_change_a_text_with_few_stems() {
    let mut generator = Generator::new(33, 0);
    let number = |generator: &mut Generator| (1000 + below(generator, 9000)).to_string();
    let mut lines = Lines::new();
    for _ in 0..3000 {
        let words: Vec<String> = (0..8).map(|_| number(&mut generator)).collect();
        lines.extend([0; 3].map(|_| (words.join(" "), words.iter().rev().cloned().collect::<Vec<_>>().join(" "))));
    }
    let text = bitext(&lines);
    for config in models() {
        let schedule = Some(Schedule { ibm1: 3, hmm: u32::from(config.name != ModelName::Ibm1) });
        assert_same(&text, 20, &config.with(|c| c.schedule = schedule), &[2, 16, 16]);
    }
}
