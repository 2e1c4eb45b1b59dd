//! Why a hypothesis has its score by dependency paths: the edges of the spanning tree, as words and labels.
//!
//! The order score is 1 - ΣL / Σmost over the edges of the spanning tree, so these edges say where the score is lost.
//! [`DependencyPath::explain`] compares a hypothesis with each reference, keeps the best comparison, and lists edges,
//! the most costly first: the path in the reference, that between the counterparts in the hypothesis, L, and the most
//! that L could be. [`DependencyPath::explain_graph`] lists all n (n - 1) / 2 edges of the graph, of up to 1000 nodes,
//! and says which are in the tree. Where no links are given, words are matched (`word_matching`).
//!
//! The nodes of the graph may be words of the hypothesis (`Comparison::exchanged`). Here the sides are put right:
//! `reference` is always the path in the reference. A path is `None` where two words of the other side share a
//! counterpart. The functions for segments take sentences as lines in CoNLL-U.

use std::collections::BTreeSet;

use super::{Comparison, DependencyPath, Disparity, Encoding, PathPair};
use crate::alignment::Alignment;
use crate::error::{ErrorKind, Result};
use crate::metric::labeled_tree::{LabeledTree, Relations};
use crate::metric::parsed_segments::{given_links, read};
use crate::metric::word_matching::WordMatcher;
use crate::tree::ParsedSentence;

/// The most nodes of a graph all of whose edges are explained: half a million edges.
const MOST_NODES: usize = 1000;

/// Which edges are explained.
#[derive(Clone, Copy)]
enum Edges {
    Tree,
    Graph,
}

/// How a hypothesis compares with the reference that gives it the best score, edge by edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The number of that reference, from 0; of several the first.
    pub reference: usize,
    /// Which words are aligned; those of the reference are the sources.
    pub links: Alignment,
    /// The numbers.
    pub comparison: Comparison,
    /// The edges of the spanning tree, the most costly first; where costs are equal in the order of their choice. Or all
    /// edges of the graph, by the words of its nodes.
    pub edges: Vec<ExplainedEdge>,
}

/// An edge of the graph: a path in the reference, and that between the counterparts of its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedEdge {
    /// How different the two paths are.
    pub disparity: Disparity,
    /// Whether it is an edge of the spanning tree.
    pub spanning: bool,
    /// The path in the reference; none where two words of the hypothesis share a counterpart.
    pub reference: Option<ExplainedPath>,
    /// The path in the hypothesis; none where two words of the reference share a counterpart.
    pub hypothesis: Option<ExplainedPath>,
}

/// A path from one word to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedPath {
    /// The two words, from 0. Those of the hypothesis are the counterparts of those of the reference, in this order.
    pub words: (u32, u32),
    /// How they are written.
    pub forms: (String, String),
    /// As [`Encoding::display`] has it: `DET NSUBJ, α, –`.
    pub encoding: String,
}

impl DependencyPath {
    /// Compares a hypothesis with each of its references, and explains the comparison that gives the best score. Where there
    /// are no links with a reference, words are [matched](crate::metric::word_matching).
    ///
    /// ```
    /// use alinea::format::conllu;
    /// use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
    /// use alinea::tree::Roots;
    ///
    /// let file = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n\n\
    ///             1\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n2\tdogs\tdog\t_\t_\t_\t1\tnsubj\t_\t_\n\n";
    /// let sentences = conllu::parse(file, "dogs.conllu", Roots::One)?;
    /// let metric = DependencyPath::new(DependencyPathConfig::default())?;
    /// let found = metric.explain(&[&sentences[0]], &sentences[1], &[None])?;
    /// let [reference, hypothesis] = [&found.edges[0].reference, &found.edges[0].hypothesis].map(|path| path.as_ref().unwrap());
    /// assert_eq!((reference.words, reference.encoding.as_str()), ((0, 1), "nsubj, α, –"));
    /// assert_eq!((hypothesis.words, hypothesis.encoding.as_str()), ((1, 0), "nsubj, β, –"));
    /// assert_eq!(found.comparison.order, 0.5);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`compare`](Self::compare), and `Inconsistent` for a sentence without tree or relations, without references, and
    /// if there is not one entry of `links` for each reference.
    pub fn explain(
        &self,
        references: &[&ParsedSentence],
        hypothesis: &ParsedSentence,
        links: &[Option<Alignment>],
    ) -> Result<Explanation> {
        self.explain_edges(references, hypothesis, links, Edges::Tree)
    }

    /// The same with all edges of the graph, by the words of its nodes: n (n - 1) / 2 of n nodes.
    ///
    /// # Errors
    /// As [`explain`](Self::explain), and `Inconsistent` for more than 1000 nodes.
    pub fn explain_graph(
        &self,
        references: &[&ParsedSentence],
        hypothesis: &ParsedSentence,
        links: &[Option<Alignment>],
    ) -> Result<Explanation> {
        self.explain_edges(references, hypothesis, links, Edges::Graph)
    }

    fn explain_edges(
        &self,
        references: &[&ParsedSentence],
        hypothesis: &ParsedSentence,
        links: &[Option<Alignment>],
        edges: Edges,
    ) -> Result<Explanation> {
        if references.len() != links.len() {
            let message = format!("{} references, links with {}", references.len(), links.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let mut matcher = WordMatcher::new(self.config.matching.clone());
        let mut relations = Relations::new(self.config.subtypes);
        let tree = relations.of_sentence(hypothesis)?;
        let mut best: Option<(LabeledTree, Explanation)> = None;
        for (number, (sentence, links)) in references.iter().zip(links).enumerate() {
            let reference = relations.of_sentence(sentence)?;
            let links = match links {
                Some(links) => links.clone(),
                None => matcher.align_sentences(sentence, hypothesis)?,
            };
            let comparison = self.compare(&reference, &tree, &links)?;
            if best.as_ref().is_none_or(|(_, best)| comparison.score > best.comparison.score) {
                best = Some((reference, Explanation { reference: number, links, comparison, edges: Vec::new() }));
            }
        }
        let Some((reference, mut found)) = best else {
            return Err(ErrorKind::Inconsistent("a hypothesis without references".to_owned()).into());
        };
        let sides = [(references[found.reference], &reference), (hypothesis, &tree)];
        found.edges = match edges {
            Edges::Tree => {
                let mut edges: Vec<&PathPair> = found.comparison.edges.iter().collect();
                edges.sort_by_key(|edge| std::cmp::Reverse(edge.disparity.cost));
                found.comparison.explained(edges.into_iter(), sides, &relations)
            }
            Edges::Graph => {
                let (_, graph) = self.meta_graph(&reference, &tree, &found.links)?;
                let nodes = graph.nodes().len();
                if nodes > MOST_NODES {
                    let message = format!("{nodes} aligned words: all pairs are shown for at most {MOST_NODES}");
                    return Err(ErrorKind::Inconsistent(message).into());
                }
                let edges: Vec<PathPair> = graph.edges().collect();
                found.comparison.explained(edges.iter(), sides, &relations)
            }
        };
        Ok(found)
    }

    /// The same for strings: the lines of sentences in CoNLL-U, with links in comments, as
    /// [parsed segments](crate::metric::parsed_segments) have them.
    ///
    /// # Errors
    /// As [`explain`](Self::explain), and `Parse` for what is not one sentence in CoNLL-U.
    pub fn explain_segment(&self, hypothesis: &str, references: &[&str]) -> Result<Explanation> {
        self.explain_strings(hypothesis, references, Edges::Tree)
    }

    /// [`explain_graph`](Self::explain_graph) for strings.
    ///
    /// # Errors
    /// As [`explain_graph`](Self::explain_graph), and `Parse` for what is not one sentence in CoNLL-U.
    pub fn explain_segment_graph(&self, hypothesis: &str, references: &[&str]) -> Result<Explanation> {
        self.explain_strings(hypothesis, references, Edges::Graph)
    }

    fn explain_strings(&self, hypothesis: &str, references: &[&str], edges: Edges) -> Result<Explanation> {
        let hypothesis = read(hypothesis)?;
        let references = references.iter().map(|text| read(text)).collect::<Result<Vec<_>>>()?;
        let links = (0..references.len()).map(|number| given_links(&hypothesis, number)).collect::<Result<Vec<_>>>()?;
        self.explain_edges(&references.iter().collect::<Vec<_>>(), &hypothesis, &links, edges)
    }
}

impl Comparison {
    /// Edges of the graph between a reference and a hypothesis, in this order.
    fn explained<'e>(
        &self,
        edges: impl Iterator<Item = &'e PathPair>,
        sides: [(&ParsedSentence, &LabeledTree); 2],
        relations: &Relations,
    ) -> Vec<ExplainedEdge> {
        let tree: BTreeSet<(u32, u32)> = self.edges.iter().map(|edge| edge.words).collect();
        let path = |side: usize, words: (u32, u32)| {
            let (sentence, tree) = sides[side];
            let [first, last] = [words.0, words.1].map(|word| sentence.word(word).form().to_owned());
            let encoding = Encoding::of(tree, words.0, words.1).display(relations);
            ExplainedPath { words, forms: (first, last), encoding }
        };
        let nodes = usize::from(self.exchanged);
        let explained = |edge: &PathPair| {
            let mut paths =
                [Some(path(nodes, edge.words)), edge.counterparts.map(|counterparts| path(1 - nodes, counterparts))];
            paths.rotate_left(nodes);
            let [reference, hypothesis] = paths;
            let spanning = tree.contains(&edge.words);
            ExplainedEdge { disparity: edge.disparity, spanning, reference, hypothesis }
        };
        edges.map(explained).collect()
    }
}
