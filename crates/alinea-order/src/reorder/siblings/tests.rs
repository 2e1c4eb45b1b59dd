//! Sibling models: files, threads, refusals, and the laws that pairwise posteriors must satisfy.
//!
//! Trees are random, gold places are set by hand. For each pair p(a before b) + p(b before a) = 1, and the
//! probabilities of direct succession sum as those of a permutation must.

use proptest::prelude::*;

use super::*;
use crate::progress::Silent;
use crate::reorder::engine::Layer;
use crate::tree::{DependencyTree, Roots};

/// A sentence of these heads, relations and gold places.
fn example(heads: &[Option<u32>], relations: &[u8], places: &[u32]) -> Example {
    let words: Vec<String> = relations.iter().map(|relation| format!("w{relation}")).collect();
    let relations = relations.iter().map(|relation| format!("r{}", relation % 3)).collect();
    let sentence = Sentence::new(words)
        .with_layer(Layer::Relations, relations)
        .unwrap()
        .with_tree(DependencyTree::new(heads.to_vec(), Roots::Many).unwrap())
        .unwrap();
    Example::of_places(sentence, places.iter().copied().map(Some).collect()).unwrap()
}

fn config() -> SiblingsConfig {
    SiblingsConfig::new(&["relations", "words"].map(|name| name.parse().unwrap()))
}

fn train(examples: &[Example], threads: usize) -> Siblings {
    Siblings::train(examples, &config(), None, &Parallelism::new(threads).unwrap(), &Silent).unwrap()
}

fn examples() -> Vec<Example> {
    let heads = [Some(1), None, Some(3), Some(1), Some(3)];
    let one = |n: u8| {
        example(&heads, &[n, n / 2, n / 3, n / 5, n / 7], &[[0, 1, 4, 3, 2], [4, 0, 1, 3, 2]][usize::from(n % 2)])
    };
    (0..40).map(one).collect()
}

#[test]
fn models_do_not_depend_on_threads_and_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |model: &Siblings| {
        let path = folder.path().join("model");
        let mut writer = ContainerWriter::new(String::new());
        model.add_to(&mut writer);
        writer.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        std::fs::read(path).unwrap()
    };
    let model = train(&examples(), 1);
    let written = bytes(&model);
    assert_eq!(written, bytes(&train(&examples(), 3)));
    let container = Container::open(&folder.path().join("model")).unwrap();
    let (columns, templates) = model.description();
    let read = Siblings::read(&container, &columns, &templates).unwrap();
    for example in examples() {
        let order = |model: &Siblings| model.engine(SiblingsSearch::Best).order(example.sentence()).unwrap();
        assert_eq!(order(&read), order(&model));
    }
    assert_eq!(bytes(&read), written);
    let error = Siblings::read(&container, &columns, &["a.tags".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("over the columns of the model"), "{error}");
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let message = |example: Example| {
        Siblings::train(&[example], &config(), None, &Parallelism::serial(), &Silent).unwrap_err().to_string()
    };
    let known = examples()[0].sentence().clone();
    let silent = Example::of_places(known, vec![None; 5]).unwrap();
    assert_eq!(message(silent), "nothing to learn from: no two siblings have a known order");
    let bare = || Sentence::new(vec!["a".to_owned(), "b".to_owned()]);
    let without = |sentence: Sentence| message(Example::of_places(sentence, vec![Some(1), Some(0)]).unwrap());
    assert_eq!(without(bare()), "the sentence has no tree");
    let tree = DependencyTree::new(vec![Some(1), None], Roots::One).unwrap();
    let error = without(bare().with_tree(tree).unwrap());
    assert_eq!(error, "the sentence has no relations, which the model was trained with");
    let model = train(&examples(), 1);
    let empty = model.engine(SiblingsSearch::Consensus(Decision::default())).order(&Sentence::default());
    assert!(empty.unwrap().is_empty());
}

/// Where a conflict of arcs is, a sentence of which nothing is learned stays as it is.
#[test]
fn crossing_arcs_do_not_move_words() {
    let crossing = example(&[Some(2), None, Some(1), Some(0)], &[7, 7, 7, 7], &[0, 1, 2, 3]);
    let model = train(std::slice::from_ref(&crossing), 1);
    let order = model.engine(SiblingsSearch::Best).order(crossing.sentence()).unwrap();
    assert_eq!(order, Permutation::identity(4));
}

proptest! {
    /// What is believed by the definition: words of a node's parts are exchanged as the parts are, and neighbors add up.
    #[test]
    fn beliefs_are_probabilities(
        parents in prop::collection::vec(any::<prop::sample::Index>(), 2..8),
        relations in prop::collection::vec(0u8..9, 8),
        flip in any::<bool>(),
    ) {
        let n = parents.len();
        let mut heads: Vec<Option<u32>> =
            parents.iter().enumerate().map(|(word, parent)| (word > 0).then(|| parent.index(word.max(1)) as u32)).collect();
        if flip {
            let mirrored = |head: Option<u32>| head.map(|head| (n - 1) as u32 - head);
            heads = heads.into_iter().rev().map(mirrored).collect();
        }
        let model = train(&examples(), 1);
        let places: Vec<u32> = (0..n as u32).collect();
        let example = example(&heads, &relations[..n], &places);
        let mut engine = model.engine(SiblingsSearch::Best);
        let beliefs = engine.beliefs(example.sentence()).unwrap();
        let (mut followed, mut follows) = (vec![0.0; n], vec![0.0; n]);
        for (one, followed) in followed.iter_mut().enumerate() {
            for other in (0..n).filter(|&other| other != one) {
                let (before, after) = (beliefs.before(one, other), beliefs.before(other, one));
                prop_assert!((before + after - 1.0).abs() < 1e-9 && (0.0..=1.0).contains(&before));
                *followed += beliefs.next(one, other);
                follows[other] += beliefs.next(one, other);
            }
        }
        // All words but one follow another; what is improbable is left out.
        for sums in [followed, follows] {
            let sum: f64 = sums.iter().sum();
            prop_assert!(sums.iter().all(|sum| *sum < 1.0 + 1e-9));
            prop_assert!((sum - (n - 1) as f64).abs() < 0.05, "{sum} of {n}");
        }
        // Pairs of words of two parts have one belief.
        let tree = Constituents::of_sentence(example.sentence()).unwrap();
        for node in tree.nodes() {
            for (second, part) in node.parts().iter().enumerate() {
                for other in &node.parts()[..second] {
                    let first = beliefs.before(other.range().start, part.range().start);
                    for one in other.range() {
                        for two in part.range() {
                            prop_assert!((beliefs.before(one, two) - first).abs() < 1e-12);
                        }
                    }
                }
            }
        }
        // The consensus is an order.
        let consensus = model.engine(SiblingsSearch::Consensus(Decision::default())).order(example.sentence());
        prop_assert_eq!(consensus.unwrap().len(), n);
    }
}
