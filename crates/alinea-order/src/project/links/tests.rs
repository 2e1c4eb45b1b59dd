//! Projection over small trees: directions, precision, weights, restrictions, and learned rules.
//!
//! Links are worked out by hand from the definition of the rules, probabilities from the logistic function. On random
//! trees the rules that `learn` returns, written and read again, must add exactly the links that learning predicted.

use super::*;
use crate::alignment::Link;
use crate::format::conllu;
use crate::parallel::Parallelism;
use crate::progress::Silent;
use crate::tree::{ParsedSentence, Roots};

/// A sentence from rows `form tag head relation`.
fn tree(rows: &[[&str; 4]]) -> ParsedSentence {
    let lines: Vec<String> = rows
        .iter()
        .zip(1..)
        .map(|([form, tag, head, relation], id)| format!("{id}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"))
        .collect();
    conllu::parse(&lines.concat(), "rows", Roots::One).unwrap().remove(0)
}

fn english() -> ParsedSentence {
    tree(&[
        ["we", "PRON", "2", "nsubj"],
        ["read", "VERB", "0", "root"],
        ["old", "ADJ", "4", "amod"],
        ["books", "NOUN", "2", "obj"],
    ])
}

fn spanish() -> ParsedSentence {
    tree(&[
        ["leemos", "VERB", "0", "root"],
        ["libros", "NOUN", "1", "obj"],
        ["muy", "ADV", "4", "advmod"],
        ["viejos", "ADJ", "2", "amod"],
    ])
}

fn links(rules: &str, config: ProjectionConfig, anchors: &[(u32, u32)]) -> Projection {
    let rules = RuleSet::parse(rules, "r").unwrap();
    let (english, spanish) = (english(), spanish());
    let pair = ParsedPair::new(&english, &spanish).unwrap();
    let anchors = Alignment::from_links(anchors.iter().map(|&(source, target)| Link { source, target }).collect());
    Projector::new(&rules, config).unwrap().project(&pair, &anchors, &[]).unwrap()
}

#[test]
fn directions_and_precision_hold_rules_back() {
    let rule = "VERB -obj-> NOUN / VERB -obj-> NOUN";
    let default = ProjectionConfig::default;
    assert_eq!(links(rule, default(), &[(1, 0)]).links.to_string(), "1-0 3-1");
    assert_eq!(links(rule, default(), &[(3, 1)]).links.to_string(), "1-0 3-1");
    assert_eq!(links(&format!("{rule} up"), default(), &[(1, 0)]).links.to_string(), "1-0");
    assert_eq!(links(&format!("{rule} up"), default(), &[(3, 1)]).links.to_string(), "1-0 3-1");
    let strict = || ProjectionConfig { least_precision: 0.8, ..default() };
    assert_eq!(links(&format!("{rule} precision 3/4"), strict(), &[(1, 0)]).links.to_string(), "1-0");
    assert_eq!(links(&format!("{rule} precision 4/5"), strict(), &[(1, 0)]).links.to_string(), "1-0 3-1");
    assert_eq!(links(rule, strict(), &[(1, 0)]).links.to_string(), "1-0 3-1");
}

#[test]
fn weights_add_up_to_a_probability() {
    let rules = "bias -1\n\
                 VERB -obj-> NOUN / VERB -obj-> NOUN  down  weight 2\n\
                 NOUN / NOUN  weight 0.5\n\
                 clue links-0-0  weight 0.25\n\
                 ADJ / NOUN -amod-> ADJ weight 9\n";
    let found = links(rules, ProjectionConfig { threshold: Some(0.5), ..ProjectionConfig::default() }, &[(1, 0)]);
    assert_eq!(found.links.to_string(), "1-0 3-1");
    let expected = 1.0 / (1.0 + f64::exp(1.0 - 2.0 - 0.5 - 0.25));
    assert!((found.added[0].probability.unwrap() - expected).abs() < 1e-12);
    let origin = found.added[0].origin.unwrap();
    assert_eq!((origin.rule, origin.direction, origin.from), (0, Direction::Down, Link::new(1, 0)));
    let none = links(rules, ProjectionConfig { threshold: Some(0.9), ..ProjectionConfig::default() }, &[(1, 0)]);
    assert_eq!(none.links.to_string(), "1-0");
}

#[test]
fn links_stay_and_spread_where_rules_say_so() {
    // `books` is linked to `libros`, and spreads to its adjective; the next round goes on from there.
    let rules = "bias -1\nNOUN / NOUN -amod-> ADJ  down  weight 2\n* / ADJ -advmod-> ADV down weight 2\n";
    let found = links(rules, ProjectionConfig::default(), &[(3, 1)]);
    assert_eq!(found.links.to_string(), "3-1 3-2 3-3");
    assert_eq!(found.added.iter().map(|carried| carried.round).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn content_words_leave_the_words_of_grammar_alone() {
    let source = tree(&[["the", "DET", "2", "det"], ["house", "NOUN", "0", "root"]]);
    let target = tree(&[["das", "DET", "2", "det"], ["Haus", "NOUN", "0", "root"]]);
    let pair = ParsedPair::new(&source, &target).unwrap();
    let rules = RuleSet::universal();
    let project = |restriction| {
        let config = ProjectionConfig { restriction, ..ProjectionConfig::default() };
        Projector::new(&rules, config).unwrap().project(&pair, &[(1, 1)].into(), &[]).unwrap().links.to_string()
    };
    assert_eq!(project(Restriction::None), "0-0 1-1");
    assert_eq!(project(Restriction::ContentWords), "1-1");
}

#[test]
fn what_does_not_fit_is_refused() {
    let (english, spanish) = (english(), spanish());
    let pair = ParsedPair::new(&english, &spanish).unwrap();
    let rules = RuleSet::universal();
    let error = Projector::new(&rules, ProjectionConfig::default()).unwrap().project(&pair, &[(4, 0)].into(), &[]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "link 4-0 is out of range, the trees at lines 1 and 1 have 4 and 4 words"
    );
    let bare = conllu::parse("1\tx\t_\tX\t_\t_\t_\t_\t_\t_\n", "bare", Roots::One).unwrap();
    assert_eq!(
        ParsedPair::new(&bare[0], &spanish).unwrap_err().to_string(),
        "the source sentence at line 1 has no tree"
    );
    let odd = ProjectionConfig { threshold: Some(1.5), ..ProjectionConfig::default() };
    assert_eq!(Projector::new(&rules, odd).unwrap_err().to_string(), "threshold = 1.5: must be 0 to 1");
}

#[test]
fn learned_rules_tell_right_from_wrong() {
    let (english, spanish) = (english(), spanish());
    let pair = ParsedPair::new(&english, &spanish).unwrap();
    let gold: Alignment = [(1, 0), (2, 3), (3, 1)].into();
    let config = LearningConfig { least_proposed: 1, penalty: 0.1, ..LearningConfig::default() };
    let anchors: [Alignment; 3] = [[(1, 0)].into(), [(3, 1)].into(), [(2, 3)].into()];
    let examples: Vec<Example<'_>> =
        anchors.iter().map(|anchors| Example { pair, anchors, confidences: &[], gold: &gold }).collect();
    let rules = learn(&examples, &config, &Parallelism::serial(), &Silent).unwrap().rules;
    let mut projector =
        Projector::new(&rules, ProjectionConfig { threshold: Some(0.5), ..ProjectionConfig::default() }).unwrap();
    for anchors in &anchors {
        assert_eq!(projector.project(&pair, anchors, &[]).unwrap().links, gold);
    }
    // A file of them is the same rules.
    assert_eq!(RuleSet::parse(&rules.text(), "r").unwrap(), rules);
}

#[test]
fn growing_covers_words_beside_links() {
    let toward: Alignment = [(0, 0), (1, 1), (3, 3)].into();
    assert_eq!(grow(&[(0, 0)].into(), &toward).to_string(), "0-0 1-1");
}

/// Sentences of up to nine words with random tags and trees.
fn random_sentences(draw: &mut impl FnMut(usize) -> usize, number: usize) -> Vec<ParsedSentence> {
    let mut sentences = Vec::new();
    for _ in 0..number {
        let mut rows = Vec::new();
        for word in 1..=2 + draw(8) {
            let (tag, relation) = (["NOUN", "VERB", "ADP"][draw(3)], ["obj", "obl:agent", "obl", "case"][draw(4)]);
            let (head, relation) = if word == 1 { (0, "root") } else { (1 + draw(word - 1), relation) };
            rows.push(format!("{word}\tw{}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n", draw(4)));
        }
        sentences.push(conllu::parse(&rows.concat(), "random", Roots::One).unwrap().remove(0));
    }
    sentences
}

/// Learning judges its rules by numbers of its own; the rules that it returns must do the same when they are read and applied.
#[test]
fn learned_rules_carry_what_learning_saw_them_carry() {
    let mut state = 7u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (sources, targets) = (random_sentences(&mut draw, 60), random_sentences(&mut draw, 60));
    let mut data: Vec<(Alignment, Alignment, Vec<WeightedLink>)> = Vec::new();
    for (source, target) in sources.iter().zip(&targets) {
        let mut links = |number: usize| -> Alignment {
            let link = |_| Link::new(draw(source.len()) as u32, draw(target.len()) as u32);
            (0..number).map(link).collect()
        };
        let (anchors, others) = (links(2), links(5));
        let confidences = others.iter().map(|link| WeightedLink { link, weight: 0.37 }).collect();
        data.push((anchors.clone(), anchors.union(&links(4)), confidences));
    }
    let pairs = sources.iter().zip(&targets).zip(&data);
    let examples: Vec<Example<'_>> = pairs
        .map(|((source, target), (anchors, gold, confidences))| Example {
            pair: ParsedPair::new(source, target).unwrap(),
            anchors,
            confidences,
            gold,
        })
        .collect();
    let config = LearningConfig { penalty: 0.5, ..LearningConfig::default() };
    let material = rounds::Material::new(&examples, &config).unwrap();
    let settings = rounds::FitSettings { penalty: 0.5, half_annotated: 1.0, least_proposed: 3 };
    let mut templates = material.templates.clone();
    let fitted = material.fit_rounds(&(0..examples.len()).collect::<Vec<_>>(), settings, &mut templates);
    let learned = learn(&examples, &config, &Parallelism::serial(), &Silent).unwrap();
    assert_eq!(learned.trials.len(), 13);
    let rules = RuleSet::parse(&learned.rules.text(), "learned").unwrap();
    assert_eq!(rules, learned.rules);

    let thresholds = [0.15, 0.2, 0.3];
    let mut added = [0; 3];
    let projector = |&threshold: &f64| {
        let config = ProjectionConfig { threshold: Some(threshold), ..ProjectionConfig::default() };
        Projector::new(&rules, config).unwrap()
    };
    let mut projectors: Vec<Projector<'_>> = thresholds.iter().map(projector).collect();
    for (pair, example) in material.pairs.iter().zip(&examples) {
        let carried = material.carry(pair, &fitted, &templates, &thresholds);
        for ((projector, links), added) in projectors.iter_mut().zip(carried).zip(&mut added) {
            let found = projector.project(&example.pair, example.anchors, example.confidences).unwrap();
            assert_eq!(found.links, links);
            *added += found.added.len();
        }
    }
    assert!(added.iter().all(|&added| added > 5), "{added:?}");
    for threads in [2, 3] {
        assert_eq!(learn(&examples, &config, &Parallelism::new(threads).unwrap(), &Silent).unwrap(), learned);
    }
}
