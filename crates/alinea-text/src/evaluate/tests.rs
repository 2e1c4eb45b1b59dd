//! Expectations are computed by hand; `tests/evaluate.rs` holds those of other programs.

use super::*;

fn gold(sure: Alignment, only_possible: &Alignment) -> GoldAlignment {
    GoldAlignment::from_parts(sure, only_possible)
}

/// S = {0-0, 1-1}, P = S + {1-2}, A = {0-0, 1-2, 2-2}; and a second sentence that the hypothesis leaves unaligned.
fn two_sentences() -> ([GoldAlignment; 2], [Alignment; 2]) {
    let first = gold([(0, 0), (1, 1)].into(), &[(1, 2)].into());
    let second = gold([(3, 3)].into(), &Alignment::new());
    ([first, second], [[(0, 0), (1, 2), (2, 2)].into(), Alignment::new()])
}

#[test]
fn the_scores_of_one_and_of_two_sentences() {
    let (gold, hypotheses) = two_sentences();
    let one = evaluate(&gold[..1], &hypotheses[..1], &Options::default()).unwrap();
    assert_eq!(one.scores.array(), [Some(2.0 / 3.0), Some(0.5), one.scores.f, Some(1.0 - 3.0 / 5.0)]);
    // 1 / (0.5 / (2/3) + 0.5 / (1/2)) = 1 / (3/4 + 1) = 4/7.
    assert!((one.scores.f.unwrap() - 4.0 / 7.0).abs() < 1e-15);

    let two = evaluate(&gold, &hypotheses, &Options::default()).unwrap();
    assert_eq!(two.scores.precision, Some(2.0 / 3.0));
    assert_eq!(two.scores.recall, Some(1.0 / 3.0));
    assert_eq!(two.scores.aer, Some(0.5));
    let counts = Counts { hypothesis: 3, sure: 3, possible: 4, in_sure: 1, in_possible: 2 };
    assert_eq!(two.counts, counts);
    // The second sentence has recall 0 and AER 1, but neither precision nor F.
    let mean = two.mean_over_sentences;
    assert_eq!((mean.precision, mean.recall, mean.f), (Some(2.0 / 3.0), Some(0.25), one.scores.f));
    assert!((mean.aer.unwrap() - 0.7).abs() < 1e-15);
}

#[test]
fn alpha_weighs_precision() {
    let counts = Counts { hypothesis: 4, sure: 2, possible: 2, in_sure: 2, in_possible: 2 };
    assert_eq!((counts.f(1.0), counts.f(0.0)), (counts.precision(), counts.recall()));
    // 1 / (0.2 / 0.5 + 0.8 / 1) = 1 / 1.2.
    assert!((counts.f(0.2).unwrap() - 1.0 / 1.2).abs() < 1e-15);
    let nothing_right = Counts { hypothesis: 4, sure: 2, possible: 2, in_sure: 0, in_possible: 0 };
    assert_eq!(nothing_right.f(0.0), Some(0.0));
    assert_eq!(Counts::default().scores(0.5), Scores::default());
}

#[test]
fn links_of_words_that_nobody_linked_can_be_left_out() {
    let gold = [gold([(0, 0), (2, 2)].into(), &Alignment::new())];
    let hypotheses = [[(0, 0), (1, 1), (1, 0), (0, 2)].into()];
    let all = evaluate(&gold, &hypotheses, &Options::default()).unwrap();
    assert_eq!(all.scores.precision, Some(0.25));
    let options = Options { annotated_only: true, ..Options::default() };
    let annotated = evaluate(&gold, &hypotheses, &options).unwrap();
    assert_eq!((annotated.counts.hypothesis, annotated.scores.precision), (2, Some(0.5)));
    assert!(annotated.report(0).signature.starts_with("alignment|annotated-only:yes|alpha:0.5|bootstrap|samples:1000"));
}

#[test]
fn the_worst_sentences_have_most_errors() {
    let sure = || gold([(0, 0), (1, 1)].into(), &Alignment::new());
    let gold = [sure(), sure(), sure(), sure()];
    // Errors: 1 missed; 1 wrong and 2 missed; none; 1 wrong.
    let hypotheses = [[(0, 0)].into(), [(0, 1)].into(), [(0, 0), (1, 1)].into(), [(0, 0), (1, 1), (1, 0)].into()];
    let evaluation = evaluate(&gold, &hypotheses, &Options::default()).unwrap();
    assert_eq!(evaluation.worst(10), [1, 0, 3]);
    assert_eq!(evaluation.worst(1), [1]);
    let report = evaluation.report(1);
    assert_eq!((report.worst[0].sentence, report.worst[0].wrong, report.worst[0].missed), (2, 1, 2));
}

#[test]
fn lengths_that_differ_are_an_error() {
    let (gold, hypotheses) = two_sentences();
    let error = evaluate(&gold, &hypotheses[..1], &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "unequal lengths: gold has 2 lines, hypothesis has 1");
    let error = evaluate(&gold[..1], &hypotheses, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "unequal lengths: gold has 1 line, hypothesis has 2");
    assert!(matches!(evaluate(&[], &[], &Options::default()).unwrap_err().kind(), ErrorKind::Empty(_)));
    let error = evaluate(&gold, &hypotheses, &Options { alpha: 1.5, ..Options::default() }).unwrap_err();
    assert_eq!(error.to_string(), "alpha = 1.5: must be 0 to 1");
    assert!(compare(&gold, &hypotheses, &hypotheses[..1], &Options::default()).is_err());
}

#[test]
fn a_report_is_a_table_for_people() {
    let (gold, hypotheses) = two_sentences();
    let options = Options { bootstrap: None, ..Options::default() };
    let evaluation = evaluate(&gold, &hypotheses, &options).unwrap();
    let expected = "\
sentences            2
gold                 3 sure links, 1 only possible
hypothesis           3 links: 1 sure, 1 only possible, 1 wrong; 2 sure missed

percent                    AER  precision     recall          F
corpus                   50.00      66.67      33.33      44.44
mean over sentences      70.00      66.67      25.00      57.14

worst sentences        wrong    missed       AER
              1           1         1     40.00
              2           0         1    100.00

alignment|annotated-only:no|alpha:0.5|bootstrap:no
";
    assert_eq!(evaluation.report(5).to_string(), expected);
}

#[test]
fn a_report_is_json_for_programs() {
    let (gold, hypotheses) = two_sentences();
    let evaluation = evaluate(&gold, &hypotheses, &Options::default()).unwrap();
    let json = serde_json::to_value(evaluation.report(1)).unwrap();
    assert_eq!(json["sentences"], 2);
    assert_eq!(json["counts"]["in_possible"], 2);
    assert_eq!(json["corpus"]["aer"], 0.5);
    assert_eq!(json["worst"][0]["sentence"], 1);
    assert_eq!(json["confidence"], 0.95);
    // Samples: the first sentence twice (1/4), both (1/2), the second twice (1/4): AER 0.4, 0.5 and 1.
    let aer = &json["intervals"]["aer"];
    assert_eq!((&aer["interval"]["low"], &aer["interval"]["high"]), (&0.4.into(), &1.0.into()));
    assert_eq!(evaluation.intervals.unwrap().aer.undefined, 0);
    let undefined = evaluation.intervals.unwrap().precision.undefined;
    assert!((150..350).contains(&undefined), "about a quarter of the samples has no links: {undefined}");
}

#[test]
fn the_better_of_two_hypotheses_is_found() {
    let sure: Alignment = (0..4).map(|n| crate::alignment::Link::new(n, n)).collect();
    let gold = vec![gold(sure.clone(), &Alignment::new()); 30];
    let perfect = vec![sure; 30];
    let half: Vec<Alignment> = vec![[(0, 0), (1, 1)].into(); 30];
    let comparison = compare(&gold, &half, &perfect, &Options::default()).unwrap();
    // AER of half the links: 1 - (2 + 2) / (2 + 4) = 1/3.
    let aer = comparison.differences.aer;
    assert!((aer.difference.unwrap() + 1.0 / 3.0).abs() < 1e-15);
    assert_eq!((aer.lower, aer.p_value), (1000, Some(1.0 / 1001.0)));
    assert_eq!(comparison.differences.precision.p_value, Some(1.0));
    let text = comparison.report(0).to_string();
    assert!(text.contains("system - baseline       -33.33      +0.00     +50.00     +33.33\n"), "{text}");
    assert!(text.contains("p-value                 0.0010     1.0000     0.0010     0.0010\n"), "{text}");
    let json = serde_json::to_value(comparison.report(0)).unwrap();
    assert_eq!(json["differences"]["aer"]["lower"], 1000);
    assert_eq!(
        (&json["baseline"]["corpus"]["recall"], &json["system"]["corpus"]["recall"]),
        (&0.5.into(), &1.0.into())
    );

    let same = compare(&gold, &perfect, &perfect, &Options { bootstrap: None, ..Options::default() }).unwrap();
    assert_eq!(same.differences.aer.p_value, Some(1.0));
    assert_eq!(same.baseline.intervals, None);
}
