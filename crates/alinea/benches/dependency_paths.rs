//! A pair of trees of 100 words, all linked, from heads and relations to the score by dependency paths. Shapes say how deep
//! trees are: a chain is the deepest, a star the flattest; in a random tree each head is any word made before, in a drawn
//! one it is near, as in sentences. Words stand in any order, and those of the other tree are linked in any order.
//!
//! Run with `cargo bench -p alinea --bench dependency_paths`.

use std::num::NonZeroU64;

use alinea::alignment::{Alignment, Link};
use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
use alinea::metric::labeled_tree::{LabeledTree, Relations};
use alinea::numeric::Generator;
use alinea::tree::{DependencyTree, Roots};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

const WORDS: u32 = 100;
const PAIRS: u64 = 32;
const RELATIONS: [&str; 12] =
    ["acl", "advmod", "amod", "aux", "case", "conj", "det", "nmod", "nsubj", "obj", "obl", "punct"];

/// Below which of the words made before it each word hangs.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Chain,
    Star,
    Binary,
    Random,
    Near,
}

impl Shape {
    fn head(self, made: u32, generator: &mut Generator) -> u32 {
        match self {
            Self::Chain => made - 1,
            Self::Star => 0,
            Self::Binary => (made - 1) / 2,
            Self::Random => below(generator, made),
            Self::Near => made - 1 - below(generator, made.min(4)),
        }
    }
}

fn below(generator: &mut Generator, bound: u32) -> u32 {
    generator.below(NonZeroU64::new(u64::from(bound)).expect("there is a choice")) as u32
}

/// Heads and relations of a sentence.
type Parsed = (Vec<Option<u32>>, Vec<&'static str>);

fn parsed(shape: Shape, generator: &mut Generator) -> Parsed {
    let places = permutation(generator);
    let mut heads = vec![None; WORDS as usize];
    for word in 1..WORDS {
        heads[places[word as usize] as usize] = Some(places[shape.head(word, generator) as usize]);
    }
    let relation = |_| RELATIONS[below(generator, RELATIONS.len() as u32) as usize];
    (heads, (0..WORDS).map(relation).collect())
}

fn permutation(generator: &mut Generator) -> Vec<u32> {
    let mut places: Vec<u32> = (0..WORDS).collect();
    for at in (1..places.len()).rev() {
        places.swap(at, below(generator, at as u32 + 1) as usize);
    }
    places
}

fn tree(relations: &mut Relations, (heads, names): &Parsed) -> LabeledTree {
    relations.label(DependencyTree::new(heads.clone(), Roots::One).expect("it is a tree"), names)
}

fn benchmarks(criterion: &mut Criterion) {
    let metric = DependencyPath::new(DependencyPathConfig::default()).expect("the default is valid");
    let mut group = criterion.benchmark_group("dependency paths, 100 words");
    for shape in [Shape::Chain, Shape::Star, Shape::Binary, Shape::Random, Shape::Near] {
        let pairs: Vec<_> = (0..PAIRS)
            .map(|seed| {
                let mut generator = Generator::new(seed, 0);
                let links: Alignment =
                    (0..).zip(permutation(&mut generator)).map(|(one, other)| Link::new(one, other)).collect();
                ([parsed(shape, &mut generator), parsed(shape, &mut generator)], links)
            })
            .collect();
        let mut turn = pairs.iter().cycle();
        group.bench_function(BenchmarkId::from_parameter(format!("{shape:?}").to_lowercase()), |bencher| {
            bencher.iter(|| {
                let ([reference, hypothesis], links) = turn.next().expect("there are pairs");
                let mut relations = Relations::default();
                let (reference, hypothesis) = (tree(&mut relations, reference), tree(&mut relations, hypothesis));
                metric.compare(&reference, &hypothesis, links).expect("links are within the trees").score
            });
        });
    }
    group.finish();
}

criterion_group!(benches, benchmarks);
criterion_main!(benches);
