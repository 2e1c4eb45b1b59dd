//! Why a hypothesis has its score: the edges of the spanning tree, as words and labels.

use super::{Comparison, DependencyPath, Disparity, Encoding, PathPair};
use crate::alignment::Alignment;
use crate::error::{ErrorKind, Result};
use crate::metric::labeled_tree::{LabeledTree, Relations};
use crate::metric::parsed_segments::{given_links, read};
use crate::metric::word_matching::WordMatcher;
use crate::tree::ParsedSentence;

/// How a hypothesis compares with the reference that gives it the best score, edge by edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The number of that reference, from 0; of several the first.
    pub reference: usize,
    /// Which words are aligned; those of the reference are the sources.
    pub links: Alignment,
    /// The numbers.
    pub comparison: Comparison,
    /// The edges of the spanning tree, the most costly first; where costs are equal in the order of their choice.
    pub edges: Vec<ExplainedEdge>,
}

/// An edge of the spanning tree: a path in the reference, and that between the counterparts of its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedEdge {
    /// How different the two paths are.
    pub disparity: Disparity,
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
        found.edges = found.comparison.explained(sides, &relations);
        Ok(found)
    }

    /// The same for strings: the lines of sentences in CoNLL-U, with links in comments, as
    /// [parsed segments](crate::metric::parsed_segments) have them.
    ///
    /// # Errors
    /// As [`explain`](Self::explain), and `Parse` for what is not one sentence in CoNLL-U.
    pub fn explain_segment(&self, hypothesis: &str, references: &[&str]) -> Result<Explanation> {
        let hypothesis = read(hypothesis)?;
        let references = references.iter().map(|text| read(text)).collect::<Result<Vec<_>>>()?;
        let links = (0..references.len()).map(|number| given_links(&hypothesis, number)).collect::<Result<Vec<_>>>()?;
        self.explain(&references.iter().collect::<Vec<_>>(), &hypothesis, &links)
    }
}

impl Comparison {
    /// The edges between a reference and a hypothesis, the most costly first.
    fn explained(&self, sides: [(&ParsedSentence, &LabeledTree); 2], relations: &Relations) -> Vec<ExplainedEdge> {
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
            ExplainedEdge { disparity: edge.disparity, reference, hypothesis }
        };
        let mut edges: Vec<ExplainedEdge> = self.edges.iter().map(explained).collect();
        edges.sort_by_key(|edge| std::cmp::Reverse(edge.disparity.cost));
        edges
    }
}
