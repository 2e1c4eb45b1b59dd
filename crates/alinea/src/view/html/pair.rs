//! A sentence pair as the JSON object that the scripts of a page read.
//!
//! Its members, which the parent module describes, come in a fixed order: `n` the number, `s` and `t` the words,
//! `l` the links of each layer, `st` and `tt` the trees, `o` and `e` the score and the edges of dependency paths. The
//! last four are there only if there is something to say.
//!
//! Links of a layer are sorted, each once, and as short as possible: `[0,0]` is a sure link without a weight. A weight
//! is written as the shortest decimal of its `f32`. `<` is written as an escape, so that no word can end the script
//! that the JSON stands in.

use bstr::ByteSlice;
use serde_json::{Value, json};

use super::escaping::{harmless, inconsistent};
use crate::error::Result;
use crate::format::alignment::{LinkKind, LinkRecord, PairRecord};
use crate::metric::dependency_path::{Comparison, ExplainedEdge, ExplainedPath, Explanation};
use crate::view::trees::{DrawnTree, Trees};

/// A sentence pair of a page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PagePair<'a, S, T> {
    /// Its number, by which it is named and found.
    pub number: u64,
    /// The source words.
    pub source: &'a [S],
    /// The target words.
    pub target: &'a [T],
    /// The links of each layer of the page. Of a link given twice the sure and then the heaviest is taken. Links outside the
    /// words are named, but not drawn.
    pub links: &'a [&'a [LinkRecord]],
    /// Their trees, where there are any.
    pub trees: Trees<'a>,
    /// Why dependency paths score the target as they do, the source being the reference.
    pub paths: Option<&'a Explanation>,
    /// Whether each layer has links of this pair, if not all have; those of others are not looked at. A gold standard may
    /// be of a part of the text only.
    pub annotated: Option<&'a [bool]>,
}

impl<'a, S: AsRef<[u8]>, T: AsRef<[u8]>> PagePair<'a, S, T> {
    /// A pair without trees and paths.
    pub fn new(number: u64, source: &'a [S], target: &'a [T], links: &'a [&'a [LinkRecord]]) -> Self {
        Self { number, source, target, links, trees: Trees::default(), paths: None, annotated: None }
    }

    /// The same with trees.
    #[must_use]
    pub fn with_trees(self, trees: Trees<'a>) -> Self {
        Self { trees, ..self }
    }

    /// The same with why dependency paths score the target as they do, the source being the reference.
    #[must_use]
    pub fn with_paths(self, paths: &'a Explanation) -> Self {
        Self { paths: Some(paths), ..self }
    }

    /// The same with whether each layer has links of this pair.
    #[must_use]
    pub fn with_annotated(self, annotated: &'a [bool]) -> Self {
        Self { annotated: Some(annotated), ..self }
    }

    /// Whether a layer has links of this pair, perhaps none.
    pub(super) fn has(&self, layer: usize) -> bool {
        self.annotated.is_none_or(|annotated| annotated.get(layer).copied().unwrap_or(false))
    }

    /// The pair as JSON that may stand in a script.
    pub(super) fn json(&self) -> Result<String> {
        let links = |(n, links): (usize, &&[LinkRecord])| if self.has(n) { layer(links) } else { Value::Null };
        let mut value = json!({
            "n": self.number,
            "s": words(self.source),
            "t": words(self.target),
            "l": self.links.iter().enumerate().map(links).collect::<Value>(),
        });
        let sides = [("st", &self.trees.source, self.source.len()), ("tt", &self.trees.target, self.target.len())];
        for (key, tree, words) in sides {
            if let Some(tree) = tree {
                value[key] = tree_json(tree, words).ok_or_else(|| {
                    inconsistent(format!(
                        "pair {}: a tree of other words than the {words} of its sentence",
                        self.number
                    ))
                })?;
            }
        }
        if let Some(paths) = self.paths {
            let Comparison { order, cost, most, coverage, .. } = paths.comparison;
            value["o"] = json!([order, cost, most, coverage]);
            value["e"] = paths.edges.iter().map(edge_json).collect();
        }
        Ok(harmless(ordered(&value)))
    }
}

/// Head, relation and part of speech of each word; none if the tree is of other words.
fn tree_json(tree: &DrawnTree<'_>, words: usize) -> Option<Value> {
    let word = |n: usize| json!([tree.heads[n].map_or(-1, i64::from), tree.relations[n], tree.tags[n]]);
    tree.is_over(words).then(|| (0..words).map(word).collect())
}

/// Cost, the most that it could be, and for each side the two words and the path, or null.
fn edge_json(edge: &ExplainedEdge) -> Value {
    let side =
        |path: &Option<ExplainedPath>| path.as_ref().map(|path| json!([path.words.0, path.words.1, path.encoding]));
    json!([edge.disparity.cost, edge.disparity.most, side(&edge.reference), side(&edge.hypothesis)])
}

fn words<W: AsRef<[u8]>>(words: &[W]) -> Value {
    words.iter().map(|word| word.as_ref().to_str_lossy().into_owned()).collect()
}

/// The links of a layer, sorted, each once.
fn layer(links: &[LinkRecord]) -> Value {
    let mut record = PairRecord { links: links.to_vec(), ..PairRecord::default() };
    record.normalize();
    let link = |record: &LinkRecord| {
        let (source, target) = (record.link.source, record.link.target);
        let possible = u8::from(record.kind == LinkKind::Possible);
        match record.weight {
            Some(weight) => json!([source, target, possible, weight_of(weight)]),
            None if possible > 0 => json!([source, target, possible]),
            None => json!([source, target]),
        }
    };
    record.links.iter().map(link).collect()
}

/// The double whose shortest decimal is that of the float, so that 0.9 is not 0.8999999761581421.
fn weight_of(weight: f32) -> f64 {
    weight.to_string().parse().unwrap_or(f64::from(weight))
}

/// The members in the order in which they are read, whatever order a map of JSON has.
fn ordered(value: &Value) -> String {
    let members = ["n", "s", "t", "l", "st", "tt", "o", "e"].iter().filter_map(|key| Some((key, value.get(key)?)));
    let members: Vec<String> = members.map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}
