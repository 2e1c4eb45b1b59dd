//! Suggestions learn from confirmed sentences, and the queue finds those that teach, on the sample text of the command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use alinea::align::{Request, Trained, TrainingData};
use alinea::alignment::{GoldAlignment, Link};
use alinea::annotate::{Learner, Order, Queue, QueueWeights, Simulation, Suggestions, Teaching};
use alinea::bitext::Bitext;
use alinea::error::ErrorKind;
use alinea::format::alignment::{AlignmentFormat, LinkReadOptions, read_gold};
use alinea::format::bitext::{ReadOptions, read_files};
use alinea::format::source::open;
use alinea::model::{Model, TextForm};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::{Observer, Silent};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../alinea-cli/sample").join(name)
}

/// The pairs of the sample that have gold links.
fn annotated() -> (Bitext, Vec<GoldAlignment>) {
    let gold = read_gold(sample("en-fr.gold"), AlignmentFormat::Pharaoh, &LinkReadOptions::default()).unwrap();
    let [source, target] = ["en-fr.en", "en-fr.fr"].map(|name| open(sample(name)).unwrap());
    let all = read_files(source, target, &ReadOptions::default(), &Parallelism::serial()).unwrap().bitext;
    let others: Vec<usize> = (gold.len()..all.len()).collect();
    let emptied = Bitext::new(all.source.with_emptied(&others), all.target.with_emptied(&others)).unwrap();
    let mut text = Bitext::default();
    for n in 0..gold.len() {
        let pair = emptied.pair(n);
        text.source.push_sentence(pair.source.iter().map(|&word| emptied.source.vocabulary().word(word)));
        text.target.push_sentence(pair.target.iter().map(|&word| emptied.target.vocabulary().word(word)));
    }
    (text, gold)
}

fn with_work<T>(threads: usize, act: impl FnOnce(Work<'_>) -> T) -> T {
    act(Work { parallelism: &Parallelism::new(threads).unwrap(), observer: &Silent })
}

#[test]
fn suggestions_follow_from_text_and_links_alone() {
    let (text, gold) = annotated();
    let known: Vec<_> = [3, 8, 9, 20, 33].into_iter().map(|n| (n, gold[n].clone())).collect();
    let suggest = |threads: usize, first: &[usize]| {
        with_work(threads, |work| {
            let mut learner = Learner::new(text.clone(), &Request::default(), None, work).unwrap();
            // What was suggested before, from other links, has no say in it.
            let others: Vec<_> = first.iter().map(|&n| (n, gold[n].clone())).collect();
            learner.suggest(&others, Teaching::default(), work).unwrap();
            learner.suggest(&known, Teaching::default(), work).unwrap()
        })
    };
    let suggestions = suggest(1, &[]);
    assert_eq!(suggestions, suggest(3, &[1, 2, 40]));
    assert_eq!(suggestions.len(), gold.len());
    let expected: f64 = (0..gold.len()).map(|n| suggestions.expected_errors(n)).sum();
    assert!(expected > 1.0 && expected.is_finite());
    let validation = suggestions.validation().unwrap();
    assert_eq!(validation.pairs, 5);
    assert!(validation.without.is_some_and(|aer| (0.0..1.0).contains(&aer)));
}

/// A saved model knows words that the text alone does not teach, and is adapted to what is confirmed.
#[test]
fn a_saved_model_is_adapted() {
    let (text, gold) = annotated();
    let first = |pairs: usize| {
        let others: Vec<usize> = (pairs..text.len()).collect();
        Bitext::new(text.source.with_emptied(&others), text.target.with_emptied(&others)).unwrap()
    };
    let (request, known) = (Request::default(), vec![(0, gold[0].clone()), (1, gold[1].clone())]);
    let wrong = |suggestions: &Suggestions| -> usize {
        let errors = |n: usize| {
            let links = suggestions.links(n);
            links.difference(gold[n].possible()).len() + gold[n].sure().difference(&links).len()
        };
        (2..10).map(errors).sum()
    };
    with_work(2, |work| {
        let data = TrainingData::of(text.clone()).unwrap().build().unwrap();
        let trained = Trained::train(request.plan().unwrap().recipe, &data, None, work).unwrap();
        let mut file = Vec::new();
        trained.save(&data, TextForm::default(), &mut file).unwrap();
        let suggest = |model: Option<Model>, known: &[_]| {
            let mut learner = Learner::new(first(10), &request, model, work).unwrap();
            learner.suggest(known, Teaching::default(), work).unwrap()
        };
        let adapted = |known: &[_]| suggest(Some(Model::from_bytes(file.clone()).unwrap()), known);
        assert!(wrong(&adapted(&[])) < wrong(&suggest(None, &[])));
        assert_ne!(adapted(&known), adapted(&[]));
        assert_eq!(adapted(&known), adapted(&known));
        // What is confirmed is suggested.
        let links = adapted(&known).links(0);
        assert!(gold[0].sure().difference(&links).is_empty() && links.difference(gold[0].possible()).is_empty());
    });
}

#[test]
fn links_that_the_text_does_not_have_are_refused() {
    let (text, gold) = annotated();
    with_work(1, |work| {
        let mut learner = Learner::new(text, &Request::default(), None, work).unwrap();
        let outside = GoldAlignment::from_parts([Link::new(99, 0)].into_iter().collect(), &[].into());
        for known in [vec![(0, outside)], vec![(gold.len(), gold[0].clone())]] {
            let error = learner.suggest(&known, Teaching::default(), work).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Inconsistent(_) | ErrorKind::LinkOutOfRange { .. }), "{error}");
        }
    });
}

#[test]
fn work_can_be_given_up() {
    struct Over;
    impl Observer for Over {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let (text, gold) = annotated();
    with_work(1, |work| {
        let mut learner = Learner::new(text, &Request::default(), None, work).unwrap();
        let known = [(0, gold[0].clone())];
        let error = learner.suggest(&known, Teaching::default(), Work { observer: &Over, ..work }).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Cancelled));
    });
}

/// The order by the formula, pair by pair, from nothing but the text.
#[test]
fn the_queue_is_in_the_order_of_its_formula() {
    let (text, _) = annotated();
    let weights = QueueWeights { novelty: 0.3, cost: 4.0 };
    with_work(1, |work| {
        let mut learner = Learner::new(text.clone(), &Request::default(), None, work).unwrap();
        let suggestions = learner.suggest(&[], Teaching::default(), work).unwrap();
        let mut done = BTreeSet::from([5, 17]);
        let order: Vec<usize> = Queue::new(&text, &suggestions, &done, weights).collect();
        assert_eq!(order.len(), text.len() - 2);
        let words = |n: usize| -> BTreeSet<(usize, Vec<u8>)> {
            let pair = text.pair(n);
            let of = |side: usize, text: &alinea::bitext::Text, words: &[alinea::bitext::WordId]| {
                words.iter().map(|&word| (side, text.vocabulary().word(word).to_vec())).collect::<Vec<_>>()
            };
            of(0, &text.source, pair.source).into_iter().chain(of(1, &text.target, pair.target)).collect()
        };
        let left: Vec<usize> = (0..text.len()).filter(|n| !done.contains(n)).collect();
        for &chosen in &order {
            let known: BTreeSet<_> = done.iter().flat_map(|&n| words(n)).collect();
            let worth = |n: usize| {
                let new = words(n).difference(&known).cloned().collect::<Vec<_>>();
                let coming = |word: &(usize, Vec<u8>)| left.iter().filter(|&&n| words(n).contains(word)).count();
                let novelty: f64 = new.iter().map(|word| (coming(word) as f64).ln()).sum();
                let length: usize = text.pair(n).lengths().iter().sum();
                (suggestions.expected_errors(n) + 0.3 * novelty) / (4.0 + length as f64)
            };
            let best = left.iter().filter(|n| !done.contains(n)).map(|&n| worth(n)).fold(f64::MIN, f64::max);
            assert!((worth(chosen) - best).abs() < 1e-9, "{chosen}");
            done.insert(chosen);
        }
    });
}

#[test]
fn a_simulation_counts_what_is_left_to_correct() {
    let (text, gold) = annotated();
    with_work(2, |work| {
        let mut learner = Learner::new(text, &Request::default(), None, work).unwrap();
        let before = learner.suggest(&[], Teaching::default(), work).unwrap();
        for order in [Order::Text, Order::Random(1), Order::Queue(QueueWeights::default())] {
            let simulation = Simulation { order, teaching: Teaching::default(), batch: 20, sentences: 50 };
            let points = simulation.run(&mut learner, &gold, work).unwrap();
            let confirmed: Vec<usize> = points.iter().map(|point| point.confirmed.len()).collect();
            assert_eq!(confirmed, [0, 20, 40, 50]);
            let last = points.last().unwrap();
            let distinct: BTreeSet<usize> = last.confirmed.iter().copied().collect();
            assert_eq!((distinct.len(), last.rest.len()), (50, gold.len() - 50));
            let fixed: u64 = last
                .confirmed
                .iter()
                .map(|&n| {
                    let links = before.links(n);
                    let wrong = links.difference(gold[n].possible()).len();
                    (wrong + gold[n].sure().difference(&links).len()) as u64
                })
                .sum();
            let empty: u64 = last.confirmed.iter().map(|&n| gold[n].sure().len() as u64).sum();
            assert_eq!((last.corrections.fixed, last.corrections.nothing), (fixed, empty));
            // The first batch was suggested by the same model.
            assert_eq!(points[1].corrections.between_sentences, points[1].corrections.fixed);
            assert!(last.corrections.learning > 0);
            if order == Order::Text {
                assert_eq!(last.confirmed, (0..50).collect::<Vec<_>>());
            }
        }
        let simulation = Simulation { order: Order::Text, teaching: Teaching::default(), batch: 0, sentences: 5 };
        assert!(simulation.run(&mut learner, &gold, work).is_err());
        let simulation = Simulation { batch: 1, ..simulation };
        assert!(simulation.run(&mut learner, &gold[..9], work).is_err());
    });
}
