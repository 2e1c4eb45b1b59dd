//! Intervals and tests against sacreBLEU over numpy.

use std::num::NonZeroU64;

use alinea::error::ErrorKind;
use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::significance::{
    RandomSource, Resampling, Tested, bootstrap, bootstrap_scores, paired_bootstrap, paired_randomization,
};
use alinea::metric::ter::Ter;
use alinea::metric::tokenize::Tercom;
use alinea::metric::{Metric, Segments, Statistics, measure};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::{Observer, Silent};
use serde_json::Value;

/// What sacreBLEU 2.6.0 says, with one reference and with two: the paired bootstrap with 300 samples (`bs`),
/// approximate randomization with 500 trials and intervals of 200 samples (`ar`).
const VECTORS: &str = include_str!("../vectors/significance.jsonl");

fn segments(input: &Value) -> Segments {
    let lines = |stream: &Value| -> Vec<String> {
        stream.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    let streams = |name: &str| input[name].as_array().unwrap().iter().map(lines).collect::<Vec<_>>();
    let references: Vec<Vec<_>> =
        streams("references").into_iter().map(|stream| stream.into_iter().map(Some).collect()).collect();
    Segments::from_streams(&streams("systems"), &references).unwrap()
}

fn check(what: &str, found: &[Tested], expected: &Value) {
    for (found, expected) in found.iter().zip(expected.as_array().unwrap()) {
        let near = |found: f64, name: &str| {
            let expected = expected[name].as_f64().unwrap();
            assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{what} {name}: {found} {expected}");
        };
        let confidence = found.confidence.unwrap();
        near(found.score, "score");
        near(confidence.mean, "mean");
        near(confidence.half_width, "half_width");
        assert_eq!(found.p_value, expected["p_value"].as_f64(), "{what}");
        assert_eq!(found.sacrebleu_p_value, found.p_value, "{what}");
    }
}

fn check_metric(metric: &dyn Metric, name: &str) {
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let expected = &vector["expect"][name];
        let what = format!("{name} {}", vector["id"]);
        for threads in [1, 3] {
            let parallelism = Parallelism::new(threads).unwrap();
            let systems: Vec<Statistics> = measure(metric, &segments(&vector["input"]), &parallelism).unwrap();
            let tested = paired_bootstrap(metric, &systems, Resampling::new(300), &parallelism, &Silent).unwrap();
            check(&what, &tested, &expected["bs"]);
            let intervals = bootstrap(metric, &systems[1..], Resampling::new(300), &parallelism, &Silent).unwrap();
            assert_eq!(intervals[0], tested[1].confidence.unwrap());
            let tested =
                paired_randomization(metric, &systems, Resampling::new(500), Some(200), &parallelism, &Silent).unwrap();
            check(&what, &tested, &expected["ar"]);
        }
    }
}

#[test]
fn bleu_is_tested_as_sacrebleu_tests_it() {
    check_metric(&Bleu::new(BleuConfig::default()).unwrap(), "BLEU");
}

#[test]
fn chrf_is_tested_as_sacrebleu_tests_it() {
    let config = ChrfConfig::default().with(|c| c.word_order = 2);
    check_metric(&Chrf::new(config).unwrap(), "chrF2++");
}

#[test]
fn ter_is_tested_as_sacrebleu_tests_it() {
    check_metric(&Ter::new(Tercom { normalized: true, ..Tercom::default() }), "TER");
}

/// Two systems that are equal do not differ. What sacreBLEU 2.6.0 says of them is the least p: `sacrebleu ref -i a b
/// --paired-bs` gives 0.000999 (1000 samples), `--paired-ar` 0.00009999 (10000 trials), for any files a and b that are equal.
#[test]
fn systems_that_no_sample_tells_apart_do_not_differ() {
    let bleu = Bleu::new(BleuConfig::default()).unwrap();
    let test = |systems: &[&[&str]], reference: &[&str]| {
        let mut segments = Segments::new(systems.len());
        for (segment, reference) in reference.iter().enumerate() {
            let lines: Vec<&str> = systems.iter().map(|lines| lines[segment]).collect();
            segments.push(&lines, &[reference]);
        }
        let rows = measure(&bleu, &segments, &Parallelism::serial()).unwrap();
        let resampling = Resampling::new(99);
        let both = [
            paired_bootstrap(&bleu, &rows, resampling, &Parallelism::serial(), &Silent).unwrap(),
            paired_randomization(&bleu, &rows, resampling, None, &Parallelism::serial(), &Silent).unwrap(),
        ];
        both.map(|tested| (tested[1].p_value, tested[1].sacrebleu_p_value, tested[1].identical))
    };
    let reference = ["the cat sat on the mat", "it rained all day"];
    let close = ["the cat sat on a mat", "it rained all day"];
    let other = ["a cat sat on the mat", "it rained the day"];
    assert_eq!(test(&[&close, &close], &reference), [(Some(1.0), Some(0.01), true); 2]);
    // Nothing matches in either, so every sample has the scores 0 and 0.
    let [none, nothing] = [["x", "x y"], ["x y z", "x"]];
    assert_eq!(test(&[&none, &nothing], &reference), [(Some(1.0), Some(0.01), false); 2]);
    // Of one segment there is no other sample.
    assert_eq!(test(&[&close[..1], &other[..1]], &reference[..1]), [(None, Some(0.01), false); 2]);
    for (p_value, sacrebleu, identical) in test(&[&close, &other], &reference) {
        assert_eq!((p_value, identical), (sacrebleu, false));
    }
}

/// By the definition: stream `[0, k]` of the seed names the segments of sample k, the bits of stream `[1, k]` the sides of
/// trial k.
#[test]
fn the_own_generator_has_a_stream_for_each_sample() {
    let bleu = Bleu::new(BleuConfig::default()).unwrap();
    let vector: Value = serde_json::from_str(VECTORS.lines().next().unwrap()).unwrap();
    let serial = Parallelism::serial();
    let systems = measure(&bleu, &segments(&vector["input"]), &serial).unwrap();
    let resampling = Resampling::new(100).drawn_by(RandomSource::Alinea, 5);
    let length = systems[0].len();
    let add = |sums: &mut [f64], row: &[f64]| sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    let rows: Vec<Vec<&[f64]>> = systems.iter().map(|system| system.rows().collect()).collect();

    let samples = bootstrap_scores(&bleu, &systems, resampling, &serial, &Silent).unwrap();
    for sample in [0, 99] {
        let mut random = Generator::named(5, &[0, sample as u64]);
        let mut sums = vec![0.0; bleu.width()];
        for _ in 0..length {
            add(&mut sums, rows[1][random.below(NonZeroU64::new(length as u64).unwrap()) as usize]);
        }
        assert!((samples[1][sample] - bleu.score(&sums)).abs() < 1e-4, "sample {sample}");
    }

    let scores = [0, 1].map(|system| bleu.score(&systems[system].sums()));
    let above = (0..100).filter(|&trial| {
        let mut random = Generator::named(5, &[1, trial]);
        let mut sums = [vec![0.0; bleu.width()], vec![0.0; bleu.width()]];
        let mut bits = 0;
        for (segment, (ours, theirs)) in rows[0].iter().zip(&rows[1]).enumerate() {
            if segment % 64 == 0 {
                bits = random.next_u64();
            }
            let side = usize::from(bits >> (segment % 64) & 1 == 0);
            add(&mut sums[side], ours);
            add(&mut sums[1 - side], theirs);
        }
        (bleu.score(&sums[0]) - bleu.score(&sums[1])).abs() > (scores[0] - scores[1]).abs()
    });
    let expected = (above.count() + 1) as f64 / 101.0;
    let tested = paired_randomization(&bleu, &systems, resampling, Some(100), &serial, &Silent).unwrap();
    assert_eq!(tested[1].p_value, Some(expected));
    // All intervals are of the same samples.
    let intervals = bootstrap(&bleu, &systems, resampling, &Parallelism::new(3).unwrap(), &Silent).unwrap();
    assert_eq!(tested.iter().map(|tested| tested.confidence.unwrap()).collect::<Vec<_>>(), intervals);
}

#[test]
fn who_says_stop_ends_a_test() {
    struct Stop;
    impl Observer for Stop {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let bleu = Bleu::new(BleuConfig::default()).unwrap();
    let mut rows = Statistics::new(bleu.width());
    rows.extend_from_slice(&vec![1.0; bleu.width()]);
    let (systems, serial) = ([rows.clone(), rows], Parallelism::serial());
    let resampling = Resampling::new(10);
    let stopped = [
        bootstrap(&bleu, &systems, resampling, &serial, &Stop).err(),
        paired_bootstrap(&bleu, &systems, resampling, &serial, &Stop).err(),
        paired_randomization(&bleu, &systems, resampling, None, &serial, &Stop).err(),
    ];
    assert!(stopped.iter().all(|error| matches!(error.as_ref().unwrap().kind(), ErrorKind::Cancelled)));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let bleu = Bleu::new(BleuConfig::default()).unwrap();
    let serial = Parallelism::serial();
    let empty = Statistics::new(bleu.width());
    let message = |systems: &[Statistics], samples| {
        bootstrap(&bleu, systems, Resampling::new(samples), &serial, &Silent).unwrap_err().to_string()
    };
    assert_eq!(message(&[], 10), "no segments to draw from");
    assert_eq!(message(std::slice::from_ref(&empty), 10), "no segments to draw from");
    assert_eq!(message(&[], 0), "number of samples = 0: must be 1 to 1000000");
    let mut one = empty.clone();
    one.extend_from_slice(&vec![1.0; bleu.width()]);
    assert_eq!(message(&[one, empty], 10), "unequal lengths: one system has 1 segments, another 0");
}
