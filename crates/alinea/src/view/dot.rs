//! Alignments as graphs in the language of Graphviz.
//!
//! The grammar of the language: <https://graphviz.org/doc/info/lang.html>. In a quoted string `\"` stands for the quote;
//! in a label a backslash begins an escape and `&` a character reference, so both are written as one.

use std::fmt::Write as _;

use super::cells::cells_within;
use super::direction::Direction;
use super::lines::{lines, not_drawn};
use crate::alignment::{Alignment, GoldAlignment, WeightedLink};

/// An alignment as a graph for Graphviz (`dot -Tsvg`): the source words on one rank, the target words on the rank below,
/// a line for each link. A word is a node named after its position, `s0` or `t0`, so that equal words are different
/// nodes. A sentence that runs from right to left begins on the right.
///
/// Against a gold standard lines are colored by what is right, wrong and missed; the weight of a link, where `weights`
/// has it, is the opacity of its line, and is shown with its positions in the tooltip. Characters that would disturb the
/// picture are replaced by `�`. Links outside the words are named in a comment.
/// O(words + links · log links).
///
/// ```
/// use alinea::view::dot;
///
/// let graph = dot(&["das", "das"], &["the"], &[(1, 0)].into(), None, &[]);
/// assert_eq!(graph, r##"graph alignment {
///   graph [ranksep=1.2];
///   node [shape=plaintext];
///   s0 [label="das"];
///   s1 [label="das"];
///   t0 [label="the"];
///   { rank=same; s0 -- s1 [style=invis]; }
///   { rank=same; t0; }
///   s0 -- t0 [style=invis];
///   s1 -- t0 [color="#009E73", tooltip="1-0"];
/// }
/// "##);
/// ```
#[must_use]
pub fn dot<S: AsRef<str>, T: AsRef<str>>(
    source: &[S],
    target: &[T],
    alignment: &Alignment,
    gold: Option<&GoldAlignment>,
    weights: &[WeightedLink],
) -> String {
    let mut out = "graph alignment {\n  graph [ranksep=1.2];\n  node [shape=plaintext];\n".to_owned();
    declare('s', source, &mut out);
    declare('t', target, &mut out);
    rank('s', source, &mut out);
    rank('t', target, &mut out);
    if !source.is_empty() && !target.is_empty() {
        // Keeps the source above the target where no link does.
        out += "  s0 -- t0 [style=invis];\n";
    }
    let (lines, outside) = lines(alignment, gold, weights, source.len(), target.len());
    for line in lines {
        let (link, paint, name) = (line.link, line.mark.paint(), line.name());
        let alpha =
            if line.weight.is_some() { format!("{:02X}", (line.opacity() * 255.0) as u8) } else { String::new() };
        let dashed = if line.mark.is_missed() { ", style=dashed" } else { "" };
        let (source, target) = (link.source, link.target);
        // A String takes whatever is written.
        let _ = writeln!(out, "  s{source} -- t{target} [color=\"{paint}{alpha}\"{dashed}, tooltip=\"{name}\"];");
    }
    if let Some(names) = not_drawn(&outside) {
        let _ = writeln!(out, "  // {names}");
    }
    out + "}\n"
}

/// The nodes of one side.
fn declare<W: AsRef<str>>(side: char, words: &[W], out: &mut String) {
    for (n, word) in words.iter().enumerate() {
        let mut label = String::new();
        let cells = cells_within(word.as_ref(), usize::MAX);
        for character in cells.iter().flat_map(|cell| cell.text.chars()) {
            match character {
                '"' | '\\' => label.extend(['\\', character]),
                '&' => label += "&amp;",
                _ => label.push(character),
            }
        }
        let _ = writeln!(out, "  {side}{n} [label=\"{label}\"];");
    }
}

/// Keeps the words of one side on one line, in order.
fn rank<W: AsRef<str>>(side: char, words: &[W], out: &mut String) {
    let order = Direction::of(words).visual_order(0..words.len());
    let chain: Vec<String> = order.into_iter().map(|n| format!("{side}{n}")).collect();
    let edges = if words.len() > 1 { " [style=invis]" } else { "" };
    if !words.is_empty() {
        let _ = writeln!(out, "  {{ rank=same; {}{edges}; }}", chain.join(" -- "));
    }
}

/// The graph that NLTK 3.10 draws of an aligned sentence, line by line; [`dot`] is the better one. Nodes are named after
/// their words, so that equal words of one side are one node.
///
/// Two things differ: links come in order (in NLTK in that of a hash table), and quotes and backslashes in words are
/// escaped. Links outside the words, which NLTK's aligned sentences do not have, are left out.
#[must_use]
pub fn nltk_dot<S: AsRef<str>, T: AsRef<str>>(source: &[S], target: &[T], alignment: &Alignment) -> String {
    let node = |word: &str, side: &str| format!("\"{}_{side}\"", escaped(word));
    let sources: Vec<String> = source.iter().map(|word| node(word.as_ref(), "source")).collect();
    let targets: Vec<String> = target.iter().map(|word| node(word.as_ref(), "target")).collect();
    let labels = source.iter().map(AsRef::as_ref).chain(target.iter().map(AsRef::as_ref)).map(escaped);
    let mut out = "graph align {\nnode[shape=plaintext]\n".to_owned();
    for (node, label) in sources.iter().chain(&targets).zip(labels) {
        let _ = writeln!(out, "{node} [label=\"{label}\"] ");
    }
    for link in alignment.iter() {
        if let (Some(source), Some(target)) = (sources.get(link.source as usize), targets.get(link.target as usize)) {
            let _ = writeln!(out, "{source} -- {target} ");
        }
    }
    for side in [&sources, &targets] {
        for neighbors in side.windows(2) {
            let _ = writeln!(out, "{} -- {} [style=invis]", neighbors[0], neighbors[1]);
        }
    }
    for side in [&sources, &targets] {
        let _ = writeln!(out, "{{rank = same; {}}}", side.join(" "));
    }
    out + "}"
}

/// A word inside quotes.
fn escaped(word: &str) -> String {
    word.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::Link;

    /// Of these labels Graphviz 2.43.0 (`dot -Tsvg`, read with an XML parser) draws the words as they are here.
    #[test]
    fn labels_are_escaped_as_graphviz_reads_them() {
        let words = ["<b>", "a\"b", "a&lt;b", "c\\n", "\\", "\u{301}x", "\u{202e}abc", "שלום", "{|}"];
        let graph = dot(&words, &["x"], &Alignment::new(), None, &[]);
        let labels: Vec<&str> = graph
            .lines()
            .filter(|line| line.starts_with("  s") && line.contains("label"))
            .map(|line| line.split_once('=').unwrap().1.trim_end_matches("];"))
            .collect();
        assert_eq!(
            labels,
            [
                r#""<b>""#,
                r#""a\"b""#,
                r#""a&amp;lt;b""#,
                r#""c\\n""#,
                r#""\\""#,
                "\"◌\u{301}x\"",
                "\"�abc\"",
                "\"שלום\"",
                "\"{|}\""
            ]
        );
        assert!(nltk_dot(&["a\"\\"], &["b"], &[(0, 0)].into()).contains("\"a\\\"\\\\_source\" -- \"b_target\" \n"));
    }

    #[test]
    fn links_have_colors_weights_and_places() {
        let gold = GoldAlignment::from_parts([(0, 0)].into(), &Alignment::new());
        let weights = [WeightedLink { link: Link::new(0, 1), weight: 0.5 }];
        let graph = dot(&["a"], &["b", "c"], &[(0, 1), (3, 3)].into(), Some(&gold), &weights);
        assert!(graph.contains("  s0 -- t0 [color=\"#E69F00\", style=dashed, tooltip=\"0-0\"];\n"), "{graph}");
        assert!(graph.contains("  s0 -- t1 [color=\"#D55E007F\", tooltip=\"0-1 0.5\"];\n"), "{graph}");
        assert!(graph.ends_with("  // not drawn: 3-3\n}\n"), "{graph}");
    }

    #[test]
    fn sentences_from_right_to_left_begin_on_the_right() {
        let graph = dot(&["ספר", "זה"], &["this", "book"], &Alignment::new(), None, &[]);
        assert!(graph.contains("{ rank=same; s1 -- s0 [style=invis]; }"), "{graph}");
        assert!(graph.contains("{ rank=same; t0 -- t1 [style=invis]; }"), "{graph}");
    }

    #[test]
    fn empty_sides_are_drawn() {
        let none: [&str; 0] = [];
        let graph = dot(&none, &none, &Alignment::new(), None, &[]);
        assert_eq!(graph, "graph alignment {\n  graph [ranksep=1.2];\n  node [shape=plaintext];\n}\n");
        assert!(dot(&none, &["a"], &Alignment::new(), None, &[]).contains("  { rank=same; t0; }\n"));
    }
}
