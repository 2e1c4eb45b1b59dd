//! Why dependency paths give the score that they give: the path pairs of each segment's spanning tree.

use std::fmt::Write as _;

use alinea::format::sink;
use alinea::metric::dependency_path::{DependencyPath, ExplainedPath, Explanation};
use alinea::progress;
use alinea::tree::ParsedSentence;

use crate::commands::Status;
use crate::commands::trees::TreeStreams;
use crate::context::Context;

const HEADER: &str =
    "segment\tsystem\treference\tcost\tmost\treference_words\treference_path\thypothesis_words\thypothesis_path\n";

/// Writes the table: a line for each path pair.
pub(super) fn run(metric: &DependencyPath, mut streams: TreeStreams, context: &Context) -> anyhow::Result<Status> {
    let mut output = sink::create("-")?;
    output.write_bytes(HEADER.as_bytes())?;
    while let Some(segment) = streams.next()? {
        progress::check(context.observer())?;
        let references: Vec<&ParsedSentence> = segment.references.iter().collect();
        for (system, links) in segment.links.iter().enumerate() {
            let found = metric.explain(&references, &segment.hypotheses[system], links)?;
            output.write_bytes(lines(segment.number, system, &found).as_bytes())?;
        }
    }
    output.finish()?;
    Ok(Status::Success)
}

/// The lines of a hypothesis, the most costly pairs first.
fn lines(at: u64, system: usize, found: &Explanation) -> String {
    let mut lines = String::new();
    for edge in &found.edges {
        let [reference, hypothesis] = [&edge.reference, &edge.hypothesis].map(|side| path(side.as_ref()));
        let (system, number) = (system + 1, found.reference + 1);
        let (cost, most) = (edge.disparity.cost, edge.disparity.most);
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{at}\t{system}\t{number}\t{cost}\t{most}\t{reference}\t{hypothesis}");
    }
    lines
}

/// Two words, with their places from 0, and the path from the one to the other.
fn path(path: Option<&ExplainedPath>) -> String {
    let Some(ExplainedPath { words, forms, encoding }) = path else { return "-\t-".to_owned() };
    format!("{}:{} {}:{}\t{encoding}", words.0, forms.0, words.1, forms.1)
}
