//! What both models have in common.

use super::learner::Objective;
use super::scorer::PairwiseConfig;
use super::{Linear, Salesman, Scorer};
use crate::numeric::Generator;
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::Silent;
use crate::reorder::beliefs::Beliefs;
use crate::reorder::engine::{Engine, MOST_WORDS, Sentence};
use crate::reorder::example::Example;
use crate::reorder::linear::Preferences;
use crate::storage::{Container, ContainerWriter};

/// Slopes against differences, at random scores.
pub(super) fn check_slopes<const LABELS: usize>(known: &impl Objective<LABELS>, pairs: usize) {
    let mut generator = Generator::new(7, 0);
    let scores: Vec<[f64; LABELS]> = (0..pairs).map(|_| [(); LABELS].map(|()| 4.0 * generator.unit() - 2.0)).collect();
    let none = || vec![[0.0; LABELS]; pairs];
    let mut slopes = none();
    known.slopes(&scores, &mut slopes);
    for number in 0..pairs {
        for label in 0..LABELS {
            let lost = |more: f64| {
                let mut scores = scores.clone();
                scores[number][label] += more;
                known.slopes(&scores, &mut none())
            };
            let difference = (lost(1e-5) - lost(-1e-5)) / 2e-5;
            assert!((difference - slopes[number][label]).abs() < 1e-8, "{number} {label}");
        }
    }
}

fn sentence(text: &str) -> Sentence {
    Sentence::new(text.split(' ').map(str::to_owned).collect())
}

/// Adjectives come behind nouns, and verbs at the end; the article has no link.
fn examples() -> Vec<Example> {
    let nouns = ["house", "bird", "tree", "book", "road"];
    let verbs = ["sees", "takes", "likes"];
    let example = |number: usize| {
        let text = format!("he {} the {} {} .", verbs[number % 3], ["red", "old"][number % 2], nouns[number % 5]);
        Example::of_links(sentence(&text), [(0, 0), (1, 3), (3, 2), (4, 1), (5, 4)].into()).unwrap()
    };
    (0..25).map(example).collect()
}

fn config() -> PairwiseConfig {
    PairwiseConfig::new(&["words".parse().unwrap(), "suffix1".parse().unwrap()], false)
}

/// Both models behind one face.
enum Either {
    Linear(Linear),
    Salesman(Salesman),
}

impl Either {
    fn train(linear: bool, examples: &[Example], threads: usize) -> Self {
        let parallelism = Parallelism::new(threads).unwrap();
        if linear {
            Self::Linear(Linear::train(examples, &config(), None, &parallelism, &Silent).unwrap())
        } else {
            Self::Salesman(Salesman::train(examples, &config(), None, &parallelism, &Silent).unwrap())
        }
    }

    fn order(&self, sentence: &Sentence) -> Permutation {
        match self {
            Self::Linear(model) => model.engine().order(sentence).unwrap(),
            Self::Salesman(model) => model.engine().order(sentence).unwrap(),
        }
    }

    fn beliefs(&self, sentence: &Sentence) -> Beliefs {
        match self {
            Self::Linear(model) => model.engine().beliefs(sentence).unwrap(),
            Self::Salesman(model) => model.engine().beliefs(sentence).unwrap(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut writer = ContainerWriter::new(String::new());
        match self {
            Self::Linear(model) => model.scorer().add_to(3, &mut writer),
            Self::Salesman(model) => model.scorer().add_to(3, &mut writer),
        }
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        bytes
    }

    fn read(&self, container: &Container) -> Self {
        match self {
            Self::Linear(model) => {
                let (columns, templates) = model.scorer().description();
                Self::Linear(Linear::new(Scorer::read(container, 3, &columns, &templates).unwrap()))
            }
            Self::Salesman(model) => {
                let (columns, templates) = model.scorer().description();
                Self::Salesman(Salesman::new(Scorer::read(container, 3, &columns, &templates).unwrap()))
            }
        }
    }
}

#[test]
fn models_learn_and_are_read_as_written() {
    for linear in [true, false] {
        let model = Either::train(linear, &examples(), 1);
        assert_eq!(model.bytes(), Either::train(linear, &examples(), 3).bytes(), "threads make no difference");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model");
        std::fs::write(&path, model.bytes()).unwrap();
        let read = model.read(&Container::open(&path).unwrap());
        assert_eq!(read.bytes(), model.bytes());
        // No example is the same, and the article may be anywhere.
        let unseen = sentence("he takes the old house .");
        assert!(examples().iter().all(|example| example.sentence() != &unseen));
        for model in [&model, &read] {
            let order = model.order(&unseen).inverse();
            let words: Vec<u32> = order.places().iter().copied().filter(|&word| word != 2).collect();
            assert_eq!(words, [0, 4, 3, 1, 5], "{linear}");
        }
        assert_eq!(read.beliefs(&unseen), model.beliefs(&unseen));
    }
}

/// All orders of few words.
fn orders(words: u32) -> Vec<Vec<u32>> {
    (0..words).fold(vec![Vec::new()], |all, word| {
        let grown = |order: Vec<u32>| {
            (0..=order.len()).map(move |place| [&order[..place], &[word], &order[place..]].concat()).collect::<Vec<_>>()
        };
        all.into_iter().flat_map(grown).collect()
    })
}

#[test]
fn orders_are_the_best_of_all() {
    let unseen = sentence("house takes he old the");
    let linear = Linear::train(&examples(), &config(), None, &Parallelism::serial(), &Silent).unwrap();
    let beliefs = linear.engine().beliefs(&unseen).unwrap();
    let odds = |first: usize, second: usize| {
        if first == second { 0.0 } else { (beliefs.before(first, second) / beliefs.before(second, first)).ln() }
    };
    let preferences = Preferences::new(5, (0..25).map(|at| odds(at / 5, at % 5)).collect()).unwrap();
    let best = orders(5).into_iter().map(|order| preferences.score(&order)).fold(f64::MIN, f64::max);
    let found = linear.engine().order(&unseen).unwrap().inverse();
    assert!((preferences.score(found.places()) - best).abs() < 1e-6);

    let salesman = Salesman::train(&examples(), &config(), None, &Parallelism::serial(), &Silent).unwrap();
    let beliefs = salesman.engine().beliefs(&unseen).unwrap();
    // From each word somewhere: to the others, or the end.
    let end = |word: u32| 1.0 - (0..5).map(|to| beliefs.next(word as usize, to)).sum::<f64>();
    let found = salesman.engine().order(&unseen).unwrap().inverse();
    let likelihood = |order: &[u32]| {
        let steps = order.windows(2).map(|step| beliefs.next(step[0] as usize, step[1] as usize).ln());
        steps.sum::<f64>() + end(order[4]).ln()
    };
    // The start is not among beliefs, so orders are compared that begin alike.
    let first = found.places()[0];
    let alike = orders(5).into_iter().filter(|order| order[0] == first);
    let best = alike.map(|order| likelihood(&order)).fold(f64::MIN, f64::max);
    assert!((likelihood(found.places()) - best).abs() < 1e-6);
}

#[test]
fn odd_sentences_are_ordered() {
    for linear in [true, false] {
        let model = Either::train(linear, &examples(), 1);
        assert!(model.order(&Sentence::default()).places().is_empty());
        assert_eq!(model.order(&sentence("unknown")).places(), [0]);
        let long = sentence(&vec!["bird"; MOST_WORDS / 2 + 1].join(" old "));
        assert_eq!(model.order(&long).places().len(), MOST_WORDS + 1);
    }
}

#[test]
fn what_cannot_be_learned_is_said() {
    let train = |examples: &[Example], config: &PairwiseConfig| {
        let serial = Parallelism::serial();
        let linear = Linear::train(examples, config, None, &serial, &Silent).unwrap_err().to_string();
        let salesman = Salesman::train(examples, config, None, &serial, &Silent).unwrap_err().to_string();
        assert_eq!(linear, salesman);
        linear
    };
    let nothing = "nothing to learn from: no sentence has two words whose order is known";
    assert_eq!(train(&[], &config()), nothing);
    let one = Example::of_links(sentence("he sees"), [(0, 0)].into()).unwrap();
    assert_eq!(train(&[one], &config()), nothing);
    let tags = PairwiseConfig::new(&["tags".parse().unwrap()], false);
    assert_eq!(train(&examples(), &tags), "the sentence has no tags, which the model was trained with");
    assert!(train(&examples(), &PairwiseConfig { passes: 0, ..config() }).contains("at least 1"));
    assert!(train(&examples(), &PairwiseConfig { rate: 0.0, ..config() }).contains("above 0"));
    assert!(train(&examples(), &PairwiseConfig { penalty: f64::NAN, ..config() }).contains("at least 0"));
    let unknown = PairwiseConfig { templates: vec!["X.words".to_owned()], ..config() };
    assert!(train(&examples(), &unknown).contains("SLOT.COLUMN"));
}
