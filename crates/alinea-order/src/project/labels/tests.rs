use std::ops::Range;

use alinea_text::alignment::{Link, WeightedLink};
use alinea_text::labels::LabeledSpan;
use proptest::prelude::*;

use super::*;

fn one_thread() -> Parallelism {
    Parallelism::new(1).unwrap()
}

fn links(cells: &[(u32, u32, f32)]) -> Vec<WeightedLink> {
    cells.iter().map(|&(source, target, weight)| WeightedLink { link: Link { source, target }, weight }).collect()
}

fn pair<'a>(source: &'a str, target: &'a str, spans: &'a [LabeledSpan], links: &'a [WeightedLink]) -> LabeledPair<'a> {
    LabeledPair { source: source.split(' ').collect(), target: target.split(' ').collect(), spans, links }
}

fn by(method: Method) -> LabelConfig {
    LabelConfig::default().with(|config| config.method = method)
}

/// What is projected of a text of one pair.
fn projected(pair: LabeledPair<'_>, method: Method) -> ProjectedLabels {
    project(&[pair], &by(method), &one_thread()).unwrap().remove(0)
}

fn stretches(labels: &ProjectedLabels) -> Vec<(usize, Range<usize>)> {
    labels.spans.iter().map(|span| (span.source, span.words.clone())).collect()
}

#[test]
fn methods_differ_in_what_they_take() {
    let spans = [LabeledSpan::new(0..2, "LOC")];
    let links = links(&[(0, 0, 0.9), (1, 1, 0.6), (1, 3, 0.5), (0, 6, 0.4)]);
    let of = |method| stretches(&projected(pair("New York said", "a b c d e f g", &spans, &links), method));
    assert_eq!(of(Method::Hull), [(0, 0..7)]);
    assert_eq!(of(Method::Longest), [(0, 0..4)]);
    assert_eq!(of(Method::All), [(0, 0..2), (0, 3..4), (0, 6..7)]);
    assert_eq!(of(Method::Overlap), [(0, 0..2)]);
}

#[test]
fn labels_share_words_only_where_their_sources_do() {
    let links = links(&[(0, 0, 0.9), (1, 0, 0.7), (1, 1, 0.55)]);
    let apart = [LabeledSpan::new(0..1, "A"), LabeledSpan::new(1..2, "B")];
    assert_eq!(stretches(&projected(pair("a b", "x y", &apart, &links), Method::Overlap)), [(0, 0..1), (1, 1..2)]);
    let nested = [LabeledSpan::new(0..1, "A"), LabeledSpan::new(0..2, "B")];
    assert_eq!(stretches(&projected(pair("a b", "x y", &nested, &links), Method::Overlap)), [(0, 0..1), (1, 0..2)]);
}

/// Whatever method found them.
#[test]
fn disjoint_labels_do_not_overlap_where_overlaps_can_be_said() {
    let links = links(&[(0, 0, 0.9), (0, 2, 0.9), (1, 1, 0.9)]);
    let of = |spans: &[LabeledSpan]| {
        let found = projected(pair("a b", "x y z", spans, &links), Method::Hull);
        found.apart_unless(|one, other| spans[one].overlaps(&spans[other]))
    };
    let apart = of(&[LabeledSpan::new(0..1, "A"), LabeledSpan::new(1..2, "B")]);
    assert_eq!((stretches(&apart), apart.lost), (vec![(1, 1..2)], vec![(0, Loss::Taken)]));
    let nested = of(&[LabeledSpan::new(0..2, "A"), LabeledSpan::new(1..2, "B")]);
    assert_eq!(stretches(&nested), [(0, 0..3), (1, 1..2)]);
}

#[test]
fn what_is_lost_has_a_reason() {
    let spans = [0..1, 1..2, 2..3, 3..4].map(|words| LabeledSpan::new(words, "A"));
    let links = links(&[(0, 0, 0.9), (1, 0, 0.8), (2, 1, 0.1)]);
    let found = projected(pair("a b c d", "x y", &spans, &links), Method::Overlap);
    assert_eq!(stretches(&found), [(0, 0..1)]);
    assert_eq!(found.lost, [(1, Loss::Taken), (2, Loss::Weak), (3, Loss::Unlinked)]);
    let strict = by(Method::Overlap).with(|config| config.min_confidence = 0.95);
    let found = project(&[pair("a b c d", "x y", &spans, &links)], &strict, &one_thread()).unwrap();
    assert_eq!((found[0].spans.len(), found[0].lost[0]), (0, (0, Loss::Unconfident)));
}

/// A name whose second word is hardly linked is completed where it is labeled in another sentence.
#[test]
fn names_are_completed_by_other_sentences() {
    let spans = [LabeledSpan::new(0..2, "PER")];
    let (sure, unsure) = (links(&[(0, 0, 0.9), (1, 1, 0.9)]), links(&[(0, 0, 0.9), (1, 1, 0.3)]));
    let of = |text: &[LabeledPair<'_>]| {
        stretches(&project(text, &LabelConfig::default(), &one_thread()).unwrap().pop().unwrap())
    };
    let unsure = pair("anna karenina liest", "anna karenina reads", &spans, &unsure);
    assert_eq!(stretches(&projected(unsure.clone(), Method::Overlap)), [(0, 0..1)]);
    let other = pair("anna karenina kommt", "anna karenina comes", &spans, &sure);
    assert_eq!(of(&[other.clone(), other, unsure]), [(0, 0..2)]);
}

#[test]
fn brackets_bound_stretches_and_glosses_are_labeled_twice() {
    let spans = [LabeledSpan::new(0..1, "PER")];
    let target = "他 是 巴赫 ( Bach ) 。";
    let links = links(&[(0, 4, 0.9), (0, 2, 0.2), (1, 1, 0.9)]);
    // Other sentences in which the words before the name are no names.
    let others: Vec<_> = (0..3).map(|_| pair("he is", "他 是 。", &[], &[])).collect();
    let of = |source| {
        let text = [others.clone(), vec![pair(source, target, &spans, &links)]].concat();
        stretches(project(&text, &LabelConfig::default(), &one_thread()).unwrap().last().unwrap())
    };
    assert_eq!(of("Bach is"), [(0, 2..3), (0, 4..5)]);
    assert_eq!(of("Bach ( is"), [(0, 4..5)]);
}

#[test]
fn bad_input_is_refused() {
    let refused = |spans: &[LabeledSpan], links: &[WeightedLink]| {
        let good = pair("a", "b", &[], &[]);
        let bad = pair("a b", "c d", spans, links);
        project(&[good, bad], &LabelConfig::default(), &one_thread()).unwrap_err().to_string()
    };
    let label = |words| [LabeledSpan { words, label: "PER".to_owned() }];
    assert_eq!(refused(&label(1..3), &[]), "pair 2: PER of words 1 to 3 in a sentence of 2");
    assert_eq!(refused(&label(1..1), &[]), "pair 2: PER of words 1 to 1 in a sentence of 2");
    assert_eq!(refused(&[], &links(&[(0, 2, 0.5)])), "pair 2: link 0-2 in sentences of 2 and 2");
    let wrong = LabelConfig::default().with(|config| config.threshold = f32::NAN);
    assert!(project(&[], &wrong, &one_thread()).is_err());
}

/// The source labels of a pair, its links, how many source words it has, and its target words by number.
type Drawn = (Vec<LabeledSpan>, Vec<WeightedLink>, usize, Vec<u8>);

fn text() -> impl Strategy<Value = Vec<Drawn>> {
    let sentence = (1..7_usize, prop::collection::vec(0..9_u8, 0..8)).prop_flat_map(|(source, target)| {
        let spans = prop::collection::vec((0..source, 1..4_usize), 0..5);
        let cells = prop::collection::vec((0..source as u32, 0..target.len().max(1) as u32, 0.0..=1.0_f32), 0..20);
        (spans, cells, Just(source), Just(target)).prop_map(|(spans, cells, source, target)| {
            let span = |(start, length): (usize, usize)| LabeledSpan::new(start..(start + length).min(source), "A");
            let cells = if target.is_empty() { Vec::new() } else { links(&cells) };
            (spans.into_iter().map(span).collect(), cells, source, target)
        })
    });
    prop::collection::vec(sentence, 0..6)
}

proptest! {
    /// Whatever the links: labels are stretches of their sentence, apart where their sources are apart, each is projected or lost,
    /// and threads do not matter.
    #[test]
    fn laws(text in text(), method in prop::sample::select(&Method::ALL[..])) {
        const WORDS: [&str; 9] = ["(", ")", "Anna", "sagt", "巴赫", "1989", ".", "。", "Über"];
        let pairs: Vec<LabeledPair<'_>> = text.iter().map(|(spans, links, source, target)| LabeledPair {
            source: (0..*source).map(|word| WORDS[word]).collect(),
            target: target.iter().map(|&word| WORDS[usize::from(word)]).collect(),
            spans,
            links,
        }).collect();
        let found = project(&pairs, &by(method), &one_thread()).unwrap();
        prop_assert_eq!(&project(&pairs, &by(method), &Parallelism::new(3).unwrap()).unwrap(), &found);
        prop_assert_eq!(found.len(), pairs.len());
        for (pair, found) in pairs.iter().zip(&found) {
            for number in 0..pair.spans.len() {
                let times = found.spans.iter().filter(|span| span.source == number).count();
                let lost = found.lost.iter().filter(|(lost, _)| *lost == number).count();
                prop_assert!((times > 0) != (lost > 0) && lost <= 1);
                let most = if method.is_joint() { 2 } else { pair.target.len() };
                prop_assert!(times <= most);
            }
            for span in &found.spans {
                prop_assert!(span.words.start < span.words.end && span.words.end <= pair.target.len());
                prop_assert!((0.0..=1.0).contains(&span.confidence));
            }
            let apart = found.clone().apart();
            prop_assert!(apart.spans.windows(2).all(|two| two[0].words.end <= two[1].words.start));
            for number in 0..pair.spans.len() {
                let is_projected = apart.spans.iter().any(|span| span.source == number);
                prop_assert!(is_projected != apart.lost.iter().any(|(lost, _)| *lost == number));
            }
            for (n, one) in found.spans.iter().enumerate() {
                for other in found.spans[..n].iter().filter(|_| method.is_joint()) {
                    let shared = one.words.start < other.words.end && other.words.start < one.words.end;
                    prop_assert!(!shared || pair.spans[one.source].overlaps(&pair.spans[other.source]));
                }
            }
        }
    }
}
