//! `metric --metric dpath --explain`: the path pairs behind each score by dependency paths.
//!
//! Segments are streamed; each hypothesis is compared with its references, and the best reference is explained. `Shown`
//! selects the edges of the minimum spanning tree, which make up the score, or all edges of the meta-graph (McCaffery
//! 2017, sections 5.1 to 5.4.1; `alinea::metric::dependency_path`).
//!
//! The table has a line for each path pair: cost, the greatest possible cost, and words and path on both sides,
//! positions from 0; `-` is a path that does not exist on that side. JSON has a line for each hypothesis, with scores
//! and links, too.

use std::fmt::Write as _;

use alinea::format::sink;
use alinea::metric::dependency_path::{Comparison, DependencyPath, ExplainedPath, Explanation};
use alinea::progress;
use alinea::tree::ParsedSentence;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::context::Context;
use crate::input::trees::TreeStreams;

/// Which path pairs are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shown {
    /// Path pairs of the spanning tree, the most costly first
    Tree,
    /// All path pairs: the weights of the meta-graph
    Graph,
}

const HEADER: &str =
    "segment\tsystem\treference\tcost\tmost\treference_words\treference_path\thypothesis_words\thypothesis_path";

/// Writes the table, a line for each path pair; or JSON, a line for each hypothesis.
pub(super) fn run(
    metric: &DependencyPath,
    shown: Shown,
    json: bool,
    mut streams: TreeStreams,
    context: &Context,
) -> anyhow::Result<()> {
    let mut output = sink::create("-")?;
    if !json {
        let last = if shown == Shown::Graph { "\tin_tree\n" } else { "\n" };
        output.write_bytes(HEADER.as_bytes())?;
        output.write_bytes(last.as_bytes())?;
    }
    while let Some(segment) = streams.next()? {
        progress::check(context.observer())?;
        let references: Vec<&ParsedSentence> = segment.references.iter().collect();
        for (system, links) in segment.links.iter().enumerate() {
            let hypothesis = &segment.hypotheses[system];
            let found = match shown {
                Shown::Tree => metric.explain(&references, hypothesis, links)?,
                Shown::Graph => metric.explain_graph(&references, hypothesis, links)?,
            };
            let text = if json {
                serde_json::to_string(&object(segment.number, system, &found))? + "\n"
            } else {
                lines(segment.number, system, shown, &found)
            };
            output.write_bytes(text.as_bytes())?;
        }
    }
    output.finish()?;
    Ok(())
}

/// The lines of a hypothesis.
fn lines(at: u64, system: usize, shown: Shown, found: &Explanation) -> String {
    let mut lines = String::new();
    for edge in &found.edges {
        let [reference, hypothesis] = [&edge.reference, &edge.hypothesis].map(|side| path(side.as_ref()));
        let (system, number) = (system + 1, found.reference + 1);
        let (cost, most) = (edge.disparity.cost, edge.disparity.most);
        let in_tree = match (shown, edge.spanning) {
            (Shown::Tree, _) => "",
            (Shown::Graph, true) => "\tyes",
            (Shown::Graph, false) => "\tno",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{at}\t{system}\t{number}\t{cost}\t{most}\t{reference}\t{hypothesis}{in_tree}");
    }
    lines
}

/// Two words, with their places from 0, and the path from the one to the other.
fn path(path: Option<&ExplainedPath>) -> String {
    let Some(ExplainedPath { words, forms, encoding }) = path else { return "-\t-".to_owned() };
    format!("{}:{} {}:{}\t{encoding}", words.0, forms.0, words.1, forms.1)
}

/// A hypothesis, with all digits.
fn object(at: u64, system: usize, found: &Explanation) -> Value {
    let path = |path: &ExplainedPath| {
        let ExplainedPath { words, forms, encoding } = path;
        json!({"words": [words.0, words.1], "forms": [forms.0, forms.1], "path": encoding})
    };
    let edges: Vec<Value> = found
        .edges
        .iter()
        .map(|edge| {
            json!({"cost": edge.disparity.cost, "most": edge.disparity.most, "in_tree": edge.spanning,
                "reference": edge.reference.as_ref().map(path), "hypothesis": edge.hypothesis.as_ref().map(path)})
        })
        .collect();
    let links: Vec<[u32; 2]> = found.links.iter().map(|link| [link.source, link.target]).collect();
    let Comparison { cost, most, order, coverage, score, .. } = &found.comparison;
    json!({"segment": at, "system": system + 1, "reference": found.reference + 1, "score": score, "order": order,
        "coverage": coverage, "cost": cost, "most": most, "links": links, "edges": edges})
}
