//! Trees carried over links: what depends on what in one language does so in its translation.
//!
//! The direct correspondence assumption (Hwa, Resnik, Weinberg, Cabezas and Kolak 2005): if a word depends on another, so do their
//! counterparts. Links that are missing, or join one word to several, leave words without head, and heads in wrong places; what is left
//! is mended by rules (Tiedemann and Agić 2016), or, under [`Method::Consistent`], by asking what words do in the rest of the text:
//!
//! 1. words get parts of speech from what they are linked to here and elsewhere, if they have none ([`tags`]);
//! 2. each edge between target words gets the sum of the probabilities that it is that of a source word (`evidence`);
//! 3. it is weighed with the odds of such edges in the text: parts of speech, direction, distance (`attachment`);
//! 4. the tree of the greatest sum is taken, with one root (`consistent`, `spanning`);
//! 5. relations come from the source, weighed with what is usual for such edges (`relations`).
//!
//! A text that is its own translation gets its own trees, if links are certain: whatever the method, and whatever is usual.
//!
//! ```
//! use alinea::alignment::{Link, WeightedLink};
//! use alinea::format::conllu;
//! use alinea::parallel::Parallelism;
//! use alinea::project::trees::{Origin, TargetWord, TreeConfig, TreePair, project};
//! use alinea::tree::Roots;
//!
//! let file = "1\twe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tread\t_\tVERB\t_\t_\t0\troot\t_\t_\n\
//!             3\tbooks\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n\n";
//! let source = conllu::parse(file, "we.conllu", Roots::One)?;
//! let links = [(1, 0, 0.9), (2, 1, 0.9)]
//!     .map(|(source, target, weight)| WeightedLink { link: Link { source, target }, weight });
//! let target = ["leemos", "libros"].map(TargetWord::new).to_vec();
//! let pair = TreePair { source: &source[0], target, links: &links };
//! let trees = project(&[pair], &TreeConfig::default(), &Parallelism::new(1)?)?;
//! let books = &trees[0].words[1];
//! assert_eq!((books.head, books.relation.as_str(), books.upos.as_str()), (Some(0), "obj", "NOUN"));
//! assert_eq!(books.origin, Origin::Carried);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod attachment;
mod config;
mod consistent;
mod correspondence;
mod edge;
mod evidence;
mod pair;
mod projected;
mod relations;
mod spanning;
mod text;

#[cfg(test)]
mod tests;

use alinea_text::error::Result;
use alinea_text::limits::PARTS_OF_SPEECH;
use alinea_text::parallel::Parallelism;

pub use self::config::{Method, TreeConfig};
use self::consistent::Consistent;
use self::edge::Edge;
pub use self::pair::{TargetWord, TreePair};
pub use self::projected::{Origin, ProjectedTree, ProjectedWord};
use self::relations::{Candidate, Edges, Usable};
use self::text::{Names, Sentence, Tag};
use super::tags::{self, Looks, TaggedSentence};

/// Projects the trees of a text. What is found depends on the whole text.
///
/// Time O(words × target words) for each sentence, some times, and O(words × tags²); memory O(tags² + links + words).
///
/// # Errors
/// `Inconsistent` for a source without tree or links outside their sentences, and `OverLimit` for sentences of more than
/// [`PROJECTED_TREE_WORDS`](alinea_text::limits::PROJECTED_TREE_WORDS), naming the pair from 1; `OverLimit` for more tags than
/// [`PARTS_OF_SPEECH`]; `Config` for values out of range.
pub fn project(pairs: &[TreePair<'_>], config: &TreeConfig, parallelism: &Parallelism) -> Result<Vec<ProjectedTree>> {
    config.validate()?;
    for (pair, number) in pairs.iter().zip(1..) {
        pair.check(number)?;
    }
    let mut names = Names::default();
    let sentences: Vec<Sentence> = pairs.iter().map(|pair| names.sentence(pair)).collect();
    // Punctuation is told by its looks, also where the source has none.
    let marks = ["PUNCT", "SYM"].map(|name| Some(names.words.tag(name)));
    let looks = Looks { marks, unknown: Some(names.words.tag("_")) };
    PARTS_OF_SPEECH.check(names.words.tags())?;
    let tagged: Vec<TaggedSentence<'_>> = sentences.iter().map(Sentence::tagged).collect();
    let tags: Vec<Vec<Tag>> = (tags::carry(&tagged, &names.words, &looks).into_iter())
        .map(|tags| tags.into_iter().map(|(tag, _)| tag).collect())
        .collect();
    let usable = Usable::new(&names);
    let of = |n: usize, edges: &[Edge], evidence: Option<&evidence::Evidence>| {
        Edges { sentence: &sentences[n], tags: &tags[n], heads: edges }.candidates(evidence, &usable)
    };
    let (edges, candidates): (Vec<Vec<Edge>>, Vec<_>) = if config.method == Method::Consistent {
        let text = Consistent::new(&sentences, &tags, names.words.tags(), parallelism)?;
        let mut found = Vec::with_capacity(sentences.len());
        let make = |n: usize| {
            let evidence = text.evidence(n);
            let edges = text.edges(n, &evidence);
            let candidates = of(n, &edges, Some(&evidence));
            (edges, candidates)
        };
        text.each(parallelism, make, |pair| found.push(pair))?;
        found.into_iter().unzip()
    } else {
        let edges = |sentence| correspondence::edges(sentence, config.method, f64::from(config.threshold));
        let with_candidates = |(n, edges): (usize, Vec<Edge>)| {
            let candidates = of(n, &edges, None);
            (edges, candidates)
        };
        sentences.iter().map(edges).enumerate().map(with_candidates).unzip()
    };
    let relations = relations::assign(&candidates, config.method);
    let words = |n: usize| {
        let word = |word: usize| {
            finish(&names, &edges[n][word], tags[n][word], candidates[n][word].as_ref(), relations[n][word])
        };
        ProjectedTree { words: (0..sentences[n].words.len()).map(word).collect() }
    };
    Ok((0..sentences.len()).map(words).collect())
}

/// A word with all that was found.
fn finish(
    names: &Names,
    edge: &Edge,
    tag: Tag,
    candidate: Option<&Candidate>,
    relation: Option<text::Relation>,
) -> ProjectedWord {
    let unknown = || candidate.map_or("root", Candidate::unknown).to_owned();
    ProjectedWord {
        head: edge.head.map(|head| head as u32),
        relation: relation.map_or_else(unknown, |relation| names.relation_name(relation)),
        upos: names.words.tag_name(tag),
        origin: edge.origin,
        confidence: edge.confidence as f32,
        source: edge.source.map(|source| source as u32),
    }
}
