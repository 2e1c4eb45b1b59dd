//! Why dependency paths give the score that they give: the path pairs of each segment's spanning tree.

use std::fmt::Write as _;

use alinea::alignment::Alignment;
use alinea::format::sink;
use alinea::metric::dependency_path::{Comparison, DependencyPath, Encoding, PathPair};
use alinea::metric::labeled_tree::{LabeledTree, Relations};
use alinea::metric::word_matching::WordMatcher;
use alinea::progress;
use alinea::tree::ParsedSentence;

use super::trees::{ParsedSegment, TreeStreams};
use crate::commands::Status;
use crate::context::Context;

const HEADER: &str =
    "segment\tsystem\treference\tcost\tmost\treference_words\treference_path\thypothesis_words\thypothesis_path\n";

/// A sentence with its tree.
struct Side<'s> {
    sentence: &'s ParsedSentence,
    tree: LabeledTree,
}

impl Side<'_> {
    /// Two words, with their places from 0, and the path from the one to the other.
    fn path(&self, (first, last): (u32, u32), relations: &Relations) -> String {
        let word = |word: u32| format!("{word}:{}", self.sentence.word(word).form());
        let path = Encoding::of(&self.tree, first, last).display(relations);
        format!("{} {}\t{path}", word(first), word(last))
    }
}

/// Writes the table: a line for each path pair.
pub(super) fn run(metric: &DependencyPath, mut streams: TreeStreams, context: &Context) -> anyhow::Result<Status> {
    let mut output = sink::create("-")?;
    output.write_bytes(HEADER.as_bytes())?;
    let mut matcher = WordMatcher::new(metric.config().matching.clone());
    while let Some(segment) = streams.next()? {
        progress::check(context.observer())?;
        let mut relations = Relations::new(metric.config().subtypes);
        let mut side = |sentence| -> alinea::error::Result<Side<'_>> {
            Ok(Side { sentence, tree: relations.of_sentence(sentence)? })
        };
        let references = segment.references.iter().map(&mut side).collect::<Result<Vec<_>, _>>()?;
        let hypotheses = segment.hypotheses.iter().map(side).collect::<Result<Vec<_>, _>>()?;
        for (system, (hypothesis, links)) in hypotheses.iter().zip(&segment.links).enumerate() {
            let (number, best) = best(metric, &mut matcher, &references, (hypothesis, links))?;
            let lines = lines(&segment, (system, number), (&references[number], hypothesis), (&best, &relations));
            output.write_bytes(lines.as_bytes())?;
        }
    }
    output.finish()?;
    Ok(Status::Success)
}

/// The reference that gives the most, the first of several, and how the hypothesis compares with it.
fn best(
    metric: &DependencyPath,
    matcher: &mut WordMatcher,
    references: &[Side<'_>],
    (hypothesis, links): (&Side<'_>, &[Option<Alignment>]),
) -> anyhow::Result<(usize, Comparison)> {
    let mut best: Option<(usize, Comparison)> = None;
    for (number, (reference, links)) in references.iter().zip(links).enumerate() {
        let matched;
        let links = if let Some(links) = links {
            links
        } else {
            matched = matcher.align_sentences(reference.sentence, hypothesis.sentence);
            &matched
        };
        let found = metric.compare(&reference.tree, &hypothesis.tree, links)?;
        if best.as_ref().is_none_or(|(_, best)| found.score > best.score) {
            best = Some((number, found));
        }
    }
    best.ok_or_else(|| anyhow::anyhow!("no references"))
}

/// The lines of a hypothesis, the most costly pairs first.
fn lines(
    segment: &ParsedSegment,
    (system, number): (usize, usize),
    (reference, hypothesis): (&Side<'_>, &Side<'_>),
    (found, relations): (&Comparison, &Relations),
) -> String {
    let mut edges: Vec<&PathPair> = found.edges.iter().collect();
    // Where costs are equal the order of choice stays.
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.disparity.cost));
    let mut lines = String::new();
    for PathPair { words, counterparts, disparity, .. } in edges {
        let (nodes, others) = if found.exchanged { (hypothesis, reference) } else { (reference, hypothesis) };
        let mut paths = [
            nodes.path(*words, relations),
            counterparts.map_or("-\t-".to_owned(), |words| others.path(words, relations)),
        ];
        if found.exchanged {
            paths.swap(0, 1);
        }
        let (at, system, number) = (segment.number, system + 1, number + 1);
        // Writing to a string cannot fail.
        let _ =
            writeln!(lines, "{at}\t{system}\t{number}\t{}\t{}\t{}", disparity.cost, disparity.most, paths.join("\t"));
    }
    lines
}
