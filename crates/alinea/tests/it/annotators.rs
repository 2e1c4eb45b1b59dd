//! Several annotators: counts, agreement, types and gains against the reference implementation and the published table.

use alinea::alignment::{Alignment, GoldAlignment, Link};
use alinea::evaluate::{
    AgreementOptions, Annotation, Annotations, Correspondences, Counts, Gain, Nulls, Options, Overlap, PairLengths,
    References, evaluate_annotations,
};
use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/alibi.jsonl");

fn vectors(op: &str) -> Vec<Value> {
    let all = VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|vector| vector["op"] == op).collect()
}

/// Positions count from 1 in these vectors.
fn links(pairs: &Value) -> Alignment {
    let position = |value: &Value| u32::try_from(value.as_u64().unwrap() - 1).unwrap();
    pairs.as_array().unwrap().iter().map(|pair| Link::new(position(&pair[0]), position(&pair[1]))).collect()
}

fn gold(pairs: &Value) -> GoldAlignment {
    GoldAlignment::from_parts(links(pairs), &Alignment::new())
}

fn assert_close(found: Option<f64>, expected: &Value, what: &Value) {
    match (found, expected.as_f64()) {
        (None, None) => {}
        (Some(found), Some(expected)) if (found - expected).abs() < 1e-12 => {}
        (found, expected) => panic!("{what}: {found:?} instead of {expected:?}"),
    }
}

fn assert_counts(counts: Counts, expect: &Value, what: &Value) {
    let found = [counts.in_sure, counts.hypothesis, counts.sure];
    let expected = ["correct", "output", "reference"].map(|name| expect[name].as_u64().unwrap());
    assert_eq!(found, expected, "{what}");
    let scores = counts.scores(0.5);
    assert_close(scores.precision, &expect["precision"], what);
    assert_close(scores.recall, &expect["recall"], what);
    assert_close(scores.f, &expect["f"], what);
}

#[test]
fn pooled_counts_are_those_of_the_reference() {
    let vectors = vectors("prf");
    for vector in &vectors {
        let instances = vector["input"].as_array().unwrap();
        let counts = instances.iter().map(|pair| Counts::of(&gold(&pair[1]), &links(&pair[0]))).sum();
        assert_counts(counts, &vector["expect"], &vector["id"]);
    }
    assert_eq!(vectors.len(), 15);
}

#[test]
fn every_annotation_is_an_instance() {
    let vectors = vectors("multi_reference");
    for vector in &vectors {
        let output = vector["input"]["output"].as_object().unwrap();
        let names: Vec<&String> = output.keys().collect();
        let references = vector["input"]["references"].as_array().unwrap();
        let mut annotators: Vec<Annotation> = Vec::new();
        for reference in references {
            let (name, sentence) = (reference[0].as_str().unwrap(), reference[1].as_str().unwrap());
            let mut sentences = vec![None; names.len()];
            sentences[names.iter().position(|name| *name == sentence).unwrap()] = Some(gold(&reference[2]));
            annotators.push(Annotation::new(name, sentences));
        }
        let annotations = Annotations::new(annotators).unwrap();
        let hypotheses: Vec<Alignment> = output.values().map(links).collect();
        let how = References::Instances;
        let evaluation = evaluate_annotations(&annotations, &hypotheses, how, &Options::default()).unwrap();
        assert_counts(evaluation.counts, &vector["expect"], &vector["id"]);
        assert_eq!(evaluation.panel.unwrap().annotations, references.len());
    }
    assert_eq!(vectors.len(), 1);
}

#[test]
fn agreement_is_that_of_the_reference() {
    let vectors = vectors("agreement");
    for vector in &vectors {
        let of = |name: &str| {
            let sentences = vector["input"][name].as_object().unwrap().values();
            Annotation::complete(name, sentences.map(gold).collect())
        };
        let annotations = Annotations::new(vec![of("x"), of("y")]).unwrap();
        let agreement = annotations.agreement(None, &AgreementOptions::default()).unwrap();
        let (pair, expect) = (&agreement.pairs[0], &vector["expect"]);
        assert_eq!(pair.counts.common, expect["common"].as_u64().unwrap(), "{}", vector["id"]);
        assert_close(pair.second_covered, &expect["a_x_y"], &vector["id"]);
        assert_close(pair.first_covered, &expect["a_y_x"], &vector["id"]);
        assert_close(pair.agreement.value, &expect["a"], &vector["id"]);
        assert_eq!(agreement.mean_agreement, pair.agreement.value);
    }
    assert_eq!(vectors.len(), 15);
}

#[test]
fn types_are_those_of_the_reference() {
    let vectors = vectors("types");
    for vector in &vectors {
        let (input, expect) = (&vector["input"], &vector["expect"]);
        let length = |name: &str| input[name].as_u64().unwrap() as usize;
        let counts = Correspondences::of(&links(&input["pairs"]), PairLengths::new(length("n"), length("m"))).unwrap();
        let found = [counts.one_to_one, counts.null_words, counts.chunks, counts.total(Nulls::Words)];
        let expected = ["1-1", "null", "chunk", "total"].map(|name| expect[name].as_u64().unwrap());
        assert_eq!(found, expected, "{}", vector["id"]);
    }
    assert_eq!(vectors.len(), 22);
}

#[test]
fn gains_are_those_of_the_reference() {
    let vectors = vectors("gain");
    for vector in &vectors {
        for score in ["precision", "recall", "f"] {
            let (input, expect) = (&vector["input"], &vector["expect"][score]);
            let gain = Gain::of(input["base"][score].as_f64(), input["new"][score].as_f64());
            assert_close(gain.absolute, &expect["absolute"], &vector["id"]);
            assert_close(gain.relative, &expect["relative"], &vector["id"]);
        }
    }
    assert_eq!(vectors.len(), 3);
}

/// Table 3 of Ozdowska 2008, *Cross-corpus evaluation of word alignment*: scores of baseline and system, the printed gain and relative gain. The
/// scores are rounded to two decimals, the relative gains come from what was not: so the printed ones must lie between
/// those of the scores rounded up and down.
#[test]
fn gains_are_those_of_the_published_table() {
    let table = [
        (0.95, 0.91, -0.04, -0.04),
        (0.93, 0.87, -0.06, -0.06),
        (0.89, 0.82, -0.07, -0.08),
        (0.66, 0.75, 0.09, 0.13),
        (0.58, 0.67, 0.09, 0.15),
        (0.43, 0.53, 0.10, 0.23),
        (0.78, 0.82, 0.04, 0.05),
        (0.71, 0.75, 0.04, 0.06),
        (0.58, 0.64, 0.06, 0.10),
    ];
    for (base, new, absolute, relative) in table {
        let gain = Gain::of(Some(base), Some(new));
        assert!((gain.absolute.unwrap() - absolute).abs() < 1e-9, "{base} {new}");
        let least = Gain::of(Some(base + 0.005), Some(new - 0.005)).relative.unwrap();
        let most = Gain::of(Some(base - 0.005), Some(new + 0.005)).relative.unwrap();
        assert!(least - 0.005 <= relative && relative <= most + 0.005, "{base} {new}: {least} {relative} {most}");
        assert!((gain.relative.unwrap() - relative).abs() < 0.015, "{base} {new}");
    }
}

/// The example of kappa in the textbooks, Cohen's own (1960, table 1), has three classes; with two, the counts of a
/// two-by-two table of 50 items, 20 and 15 of which both call the same, give (0.7 - 0.5) / (1 - 0.5).
#[test]
fn kappa_of_a_table_by_hand() {
    // Linked by both 20, by the first only 5, by the second only 10, by neither 15.
    let overlap = Overlap { common: 20, first: 25, second: 30, cells: 50 };
    assert!((overlap.kappa().unwrap() - 0.4).abs() < 1e-15);
}

/// Annotators who did the same sentences, one of whom is also the hypothesis: each instance against itself is perfect,
/// and F against the other is their agreement.
#[test]
fn f_against_a_person_is_the_agreement_with_that_person() {
    for vector in vectors("agreement") {
        let of = |name: &str| -> Vec<GoldAlignment> {
            vector["input"][name].as_object().unwrap().values().map(gold).collect()
        };
        let (x, y) = (of("x"), of("y"));
        let hypotheses: Vec<Alignment> = x.iter().map(|gold| gold.sure().clone()).collect();
        let judged = |gold: &[GoldAlignment], how| {
            let annotations = Annotations::new(vec![Annotation::complete("y", gold.to_vec())]).unwrap();
            evaluate_annotations(&annotations, &hypotheses, how, &Options::default()).unwrap().counts
        };
        for how in References::ALL {
            let counts = judged(&y, how);
            let expected = vector["expect"]["a"].as_f64().unwrap();
            assert!((1.0 - counts.aer().unwrap_or(0.0) - expected).abs() < 1e-12, "{}", vector["id"]);
            assert_eq!(judged(&x, how).errors(), 0);
        }
        let both = vec![Annotation::complete("x", x.clone()), Annotation::complete("y", y.clone())];
        let both = Annotations::new(both).unwrap();
        let counts = |how| evaluate_annotations(&both, &hypotheses, how, &Options::default()).unwrap().counts;
        // Among x and y, x itself is the best for x.
        assert_eq!(counts(References::Best).errors(), 0);
        let [instances, alone] =
            [counts(References::Instances), judged(&x, References::Best) + judged(&y, References::Best)];
        assert_eq!(instances, alone);
        let union = counts(References::Union);
        assert_eq!((union.wrong(), union.missed()), (0, 0));
    }
}
