//! Leave-one-out estimation, fertilities and learned spelling, against subtraction and sums in double precision.

use alinea::alignment::Link;
use alinea::bitext::RankedBitext;
use alinea::model::{AlignerConfig, Schedule};
use alinea::numeric::Generator;

use crate::oracle::{LeaveOneOut, parameters_of};
use crate::texts::{Lines, bitext, sample, tiny, train};

/// The greatest differences seen.
#[derive(Debug, Default)]
struct Differences {
    translation: f64,
    null: f64,
    jumps: f64,
    posterior: f64,
    place: String,
    sum: f64,
    cells: usize,
    links: usize,
    other_links: usize,
}

impl Differences {
    fn add(&mut self, text: &RankedBitext, config: &AlignerConfig, schedule: Schedule, place: &str) {
        let aligner = train(text, &AlignerConfig { schedule: Some(schedule), ..config.clone() });
        let oracle = LeaveOneOut::train(text, config, schedule);
        for (ours, expected) in parameters_of(&aligner, text).iter().zip(oracle.parameters()) {
            let words = ours.translation.iter().flatten().zip(expected.translation.iter().flatten());
            for (ours, expected) in words.filter(|(_, expected)| !expected.is_nan()) {
                self.translation = self.translation.max((ours - expected).abs());
            }
            for (ours, expected) in ours.null.iter().zip(&expected.null) {
                self.null = self.null.max((ours - expected).abs());
            }
            for (ours, expected) in ours.jumps.weights().zip(expected.jumps.weights()) {
                self.jumps = self.jumps.max((ours - expected).abs() / (1.0 + expected));
            }
        }
        let mut worker = aligner.worker();
        for n in 0..text.len() {
            let [forward, reverse] = oracle.posteriors(n);
            let ours = worker.trained(n).posteriors(text.pair(n)).expect("no side is empty");
            for (j, row) in forward.iter().enumerate() {
                for (i, &forward) in row.iter().enumerate() {
                    let link = Link::new(i as u32, j as u32);
                    let both = [(ours.forward(link), forward), (ours.reverse(link), reverse[i][j])];
                    for (ours, expected) in both {
                        let difference = (f64::from(ours) - expected).abs();
                        if difference > self.posterior {
                            self.posterior = difference;
                            self.place = format!("{place}, pair {n}, {i}-{j}: {ours} {expected}");
                        }
                        self.sum += difference;
                    }
                    let linked = [
                        ours.mean(link) >= config.threshold,
                        f64::midpoint(forward, reverse[i][j]) >= f64::from(config.threshold),
                    ];
                    self.cells += 1;
                    self.links += usize::from(linked[1]);
                    self.other_links += usize::from(linked[0] != linked[1]);
                }
            }
        }
    }
}

/// Many tiny texts and one of real sentences, each line repeated.
fn compare(config: &AlignerConfig, hmm: u32, copies: usize) -> [Differences; 2] {
    let repeated = |lines: Lines| -> Lines { (0..copies).flat_map(|_| lines.clone()).collect() };
    let schedule = Schedule { ibm1: 2, hmm };
    let mut differences = <[Differences; 2]>::default();
    for seed in 0..100 {
        let lines = repeated(tiny(&mut Generator::new(seed, 21)));
        differences[0].add(&bitext(&lines), config, schedule, &format!("tiny text {seed}"));
    }
    differences[1].add(&bitext(&repeated(sample()[..30].to_vec())), config, schedule, "sample");
    differences
}

/// Nothing left out, every link is the same; single precision and rounding change the rest a little.
#[test]
fn fertilities_and_learned_spelling_are_those_of_sums_in_double_precision() {
    let loo = AlignerConfig::agreement_loo();
    let plain = AlignerConfig { leave_one_out: false, fertility: None, characters: false, ..loo.clone() };
    for config in [
        AlignerConfig::agreement(),
        AlignerConfig { fertility: loo.fertility, ..plain.clone() },
        AlignerConfig { characters: true, ..plain.clone() },
        AlignerConfig { leave_one_out: false, ..loo },
        plain,
    ] {
        for hmm in 1..=3 {
            for differences in compare(&config, hmm, 1) {
                assert!(differences.translation.max(differences.null).max(differences.jumps) < 1e-3, "{differences:?}");
                assert!(differences.posterior < 1e-3 && differences.other_links == 0, "{hmm}: {differences:?}");
            }
        }
    }
}

/// With every line there four times, three quarters of all counts are left. What the aligner neglects, own counts below
/// a share of what the two words have, and what it does not know exactly, those of Model 1, does not decide then.
#[test]
fn own_counts_are_left_out_of_texts_that_have_more() {
    let loo = AlignerConfig::agreement_loo();
    for config in [AlignerConfig { fertility: None, characters: false, ..loo.clone() }, loo] {
        for hmm in 1..=3 {
            for differences in compare(&config, hmm, 4) {
                let Differences { links, other_links, .. } = differences;
                assert!(differences.sum / differences.cells as f64 <= 0.01, "{hmm}: {differences:?}");
                assert!(other_links * 25 <= links, "{hmm}: {other_links} of {links} links differ");
            }
        }
    }
}

/// Where a word has nothing but its own counts, what is left of it is priors of some 0.0001. Own counts that are
/// neglected, or known with 8 bits, are larger: links may be quite different ones, posteriors are alike on average.
#[test]
fn own_counts_are_roughly_left_out_of_texts_that_have_nothing_else() {
    let loo = AlignerConfig::agreement_loo();
    for config in [AlignerConfig { fertility: None, characters: false, ..loo.clone() }, loo] {
        for hmm in 1..=3 {
            for differences in compare(&config, hmm, 1) {
                assert!(differences.sum / differences.cells as f64 <= 0.1, "{hmm}: {differences:?}");
            }
        }
    }
}
