//! Two texts of sentences with trees: metrics that compare trees give a number or an error, links of comments included,
//! links are carried along trees, and trees over links.

use alinea::alignment::{Link, WeightedLink};
use alinea::format::conllu;
use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::{Metric, Segments, measure};
use alinea::parallel::Parallelism;
use alinea::project::links::{ParsedPair, ProjectionConfig, Projector, RuleSet};
use alinea::project::trees::{Method, TargetWord, TreeConfig, TreePair, project};
use alinea::tree::{DependencyTree, ParsedSentence, Roots};
use alinea_fuzz::NAME;
use alinea_fuzz::parts::texts;

pub(crate) fn fuzz(data: &[u8]) {
    let [reference, hypothesis] = texts(data).map(String::from_utf8_lossy);
    carry(&reference, &hypothesis);
    let mut segments = Segments::new(1);
    segments.push(&[&*hypothesis], &[&*reference]);
    check(&DependencyPath::new(DependencyPathConfig::default()).expect("its defaults"), &segments);
    check(&TreeEdit::new(TreeEditConfig::default()).expect("its defaults"), &segments);
}

fn check(metric: &dyn Metric, segments: &Segments) {
    if let Ok(statistics) = measure(metric, segments, &Parallelism::serial()) {
        let score = metric.score(&statistics[0].sums());
        assert!(!score.is_nan(), "{}: {score}", metric.name());
    }
}

/// Carries a link of the first words along the trees of sentences that have some.
fn carry(source: &str, target: &str) {
    let read = |text| conllu::parse(text, NAME, Roots::One);
    let (Ok(source), Ok(target)) = (read(source), read(target)) else { return };
    carry_trees(&source, &target);
    let rules = RuleSet::universal();
    let mut projector = Projector::new(&rules, ProjectionConfig::default()).expect("its defaults");
    for (source, target) in source.iter().zip(&target) {
        let Ok(pair) = ParsedPair::new(source, target) else { continue };
        let Ok(projection) = projector.project(&pair, &[(0, 0)].into(), &[]) else { continue };
        let (lengths, links) = ((source.len(), target.len()), projection.links);
        let within = |link: Link| (link.source as usize) < lengths.0 && (link.target as usize) < lengths.1;
        assert!(links.iter().all(within), "{links}");
    }
}

/// Carries trees over links of words at equal positions: they are trees again.
fn carry_trees(source: &[ParsedSentence], target: &[ParsedSentence]) {
    let link = |at: u32| WeightedLink { link: Link::new(at, at), weight: 1.0 / (at + 1) as f32 };
    let links: Vec<Vec<WeightedLink>> = (source.iter().zip(target))
        .map(|(source, target)| (0..source.len().min(target.len()) as u32).map(link).collect())
        .collect();
    let pairs: Vec<TreePair<'_>> = (source.iter().zip(target).zip(&links))
        .map(|((source, target), links)| {
            let word = |form, upos| TargetWord { form, upos: Some(upos).filter(|upos| *upos != "_") };
            let target = target.words().map(|of| word(of.form(), of.upos())).collect();
            TreePair { source, target, links }
        })
        .collect();
    for method in Method::ALL {
        let config = TreeConfig::default().with(|config| config.method = method);
        let Ok(trees) = project(&pairs, &config, &Parallelism::serial()) else { continue };
        for tree in trees {
            let heads = tree.words.iter().map(|word| word.head).collect();
            DependencyTree::new(heads, Roots::One).expect("a tree");
        }
    }
}
