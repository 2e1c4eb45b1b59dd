//! The tables, of what there is to say about corpora, people and hypotheses. All numbers are percent but for numbers of
//! things, lengths, κ and p.

use alinea::evaluate::{Agreement, AnnotatorTypes, Breakdown, Nulls, Overlap, Scores, Table, TypeShares};
use alinea::numeric::{Estimate, Interval};

use super::input::Corpus;

/// How large the corpora are.
pub(super) fn sizes(corpora: &[Corpus]) -> Table {
    let numbers = ["sentences", "source words", "target words", "mean source length", "mean target length"];
    let mut table = Table::new("Corpora", &["corpus"], &numbers);
    for corpus in corpora {
        if let Some(size) = &corpus.evaluation.size {
            let counts = [size.sentences, size.source_tokens, size.target_tokens].map(|count| count.to_string());
            let lengths = [size.mean_source_length(), size.mean_target_length()].map(plain);
            table.row([corpus.name.clone()].into_iter().chain(counts).chain(lengths));
        }
    }
    table
}

/// A table of agreement without rows.
pub(crate) fn agreement_heading() -> Table {
    let numbers =
        ["sentences", "links of X", "links of Y", "common", "A(X/Y)", "A(Y/X)", "A", "from", "to", "κ", "from", "to"];
    Table::new("Agreement of annotators", &["corpus", "X", "Y"], &numbers)
}

/// Adds every pair of people, and the means.
pub(crate) fn add_agreement(table: &mut Table, corpus: &str, agreement: &Agreement) {
    for pair in &agreement.pairs {
        let Overlap { common, first, second, .. } = pair.counts;
        let names = [corpus, &pair.first, &pair.second].map(str::to_owned);
        let counts = [pair.sentences as u64, first, second, common].map(|count| count.to_string());
        let shares = [pair.second_covered, pair.first_covered].map(percent);
        let cells = names.into_iter().chain(counts).chain(shares);
        table.row(cells.chain(estimate(&pair.agreement, percent)).chain(estimate(&pair.kappa, fraction)));
    }
    if agreement.pairs.len() > 1 {
        let (agreement, kappa) = (percent(agreement.mean_agreement), fraction(agreement.mean_kappa));
        let empty = |number| std::iter::repeat_n(String::new(), number);
        let names = [corpus.to_owned(), "mean".to_owned()];
        table.row(names.into_iter().chain(empty(7)).chain([agreement]).chain(empty(2)).chain([kappa]));
    }
}

/// The agreement in one corpus.
pub(crate) fn agreement(corpus: &str, agreement: &Agreement) -> Table {
    let mut table = agreement_heading();
    add_agreement(&mut table, corpus, agreement);
    table.without_empty_names()
}

/// A table of types without rows.
pub(crate) fn types_heading() -> Table {
    let numbers =
        ["sentences", "1-1", "null", "chunk", "all", "1-1 (runs)", "null (runs)", "chunk (runs)", "all (runs)"];
    Table::new("Types of correspondences (a null is a word, or a run of words)", &["corpus", "annotator"], &numbers)
}

/// Adds every person.
pub(crate) fn add_types(table: &mut Table, corpus: &str, types: &[AnnotatorTypes]) {
    for person in types {
        let shares = |TypeShares { one_to_one, null, chunk }: TypeShares, nulls| {
            let all = person.counts.total(nulls).to_string();
            [percent(one_to_one), percent(null), percent(chunk), all]
        };
        let names = [corpus.to_owned(), person.annotator.clone(), person.sentences.to_string()];
        let words = shares(person.null_words, Nulls::Words);
        table.row(names.into_iter().chain(words).chain(shares(person.null_runs, Nulls::Runs)));
    }
}

/// The types in one corpus.
pub(crate) fn types(corpus: &str, types: &[AnnotatorTypes]) -> Table {
    let mut table = types_heading();
    add_types(&mut table, corpus, types);
    table.without_empty_names()
}

/// The scores of all hypotheses.
pub(super) fn scores(corpora: &[Corpus]) -> Table {
    let numbers = ["sentences", "annotations", "precision", "recall", "F", "AER", "from", "to"];
    let mut table = Table::new("Scores", &["corpus", "hypothesis"], &numbers);
    for corpus in corpora {
        for (name, judged) in corpus.hypotheses() {
            let Scores { precision, recall, f, aer } = judged.corpus;
            let annotations = judged.panel.map_or(judged.sentences, |panel| panel.annotations);
            let names = [corpus.name.clone(), name.to_owned(), judged.sentences.to_string(), annotations.to_string()];
            let interval = interval(judged.intervals.and_then(|intervals| intervals.aer.interval), percent);
            table.row(names.into_iter().chain([precision, recall, f, aer].map(percent)).chain(interval));
        }
    }
    table
}

/// What the systems gain over the baselines.
pub(super) fn gains(corpora: &[Corpus]) -> Table {
    let numbers = ["baseline", "system", "absolute", "from", "to", "relative", "from", "to", "p"];
    let mut table = Table::new("Gains", &["corpus", "score"], &numbers);
    for corpus in corpora {
        let evaluation = &corpus.evaluation;
        let (Some(system), Some(baseline), Some(gains), Some(differences)) =
            (&evaluation.system, &evaluation.baseline, &evaluation.gains, &evaluation.differences)
        else {
            continue;
        };
        let (new, old) = (system.corpus, baseline.corpus);
        for (score, old, new, gain, difference) in [
            ("precision", old.precision, new.precision, &gains.precision, &differences.precision),
            ("recall", old.recall, new.recall, &gains.recall, &differences.recall),
            ("F", old.f, new.f, &gains.f, &differences.f),
            ("AER", old.aer, new.aer, &gains.aer, &differences.aer),
        ] {
            let cells = [corpus.name.clone(), score.to_owned(), percent(old), percent(new)];
            let absolute = estimate(&gain.absolute, signed_percent);
            let relative = estimate(&gain.relative, signed_percent);
            let p = difference.p_value.map_or_else(dash, |p| format!("{p:.4}"));
            table.row(cells.into_iter().chain(absolute).chain(relative).chain([p]));
        }
    }
    table
}

/// The scores of one hypothesis, bucket by bucket.
pub(crate) fn breakdown(title: &str, breakdown: &Breakdown) -> Table {
    let separator = if title.is_empty() { "" } else { ": " };
    let numbers = ["sure", "possible", "links", "right", "precision", "recall", "F", "AER"];
    let mut table =
        Table::new(format!("{title}{separator}by {}", breakdown.attribute), &[&breakdown.attribute], &numbers);
    for bucket in &breakdown.buckets {
        let (counts, Scores { precision, recall, f, aer }) = (bucket.counts, bucket.scores);
        let counts = [counts.sure, counts.possible, counts.hypothesis, counts.in_possible];
        let counts = counts.map(|count| count.to_string());
        table.row([bucket.label.clone()].into_iter().chain(counts).chain([precision, recall, f, aer].map(percent)));
    }
    table
}

/// A value and its interval.
fn estimate(estimate: &Estimate, shown: fn(Option<f64>) -> String) -> [String; 3] {
    let [from, to] = interval(estimate.interval, shown);
    [shown(estimate.value), from, to]
}

fn interval(interval: Option<Interval>, shown: fn(Option<f64>) -> String) -> [String; 2] {
    [interval.map(|interval| interval.low), interval.map(|interval| interval.high)].map(shown)
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{:.2}", value * 100.0))
}

fn signed_percent(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{:+.2}", value * 100.0))
}

fn fraction(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{value:.4}"))
}

fn plain(value: Option<f64>) -> String {
    value.map_or_else(dash, |value| format!("{value:.2}"))
}

fn dash() -> String {
    "-".to_owned()
}
