//! The meta-graph of dependency paths as a picture: all pairs of aligned words with their costs, and the spanning tree.
//!
//! The aligned words of the tree that the graph is over stand on a circle, the first on top and the others clockwise,
//! each with its position and its counterparts. Every two are joined by a straight line labeled `cost/most`. The label
//! is not in the middle, where lines across the circle meet. Edges of the spanning tree are wide, colored by their cost
//! as in `path_pairs`, and drawn last; the others are thin and gray.
//!
//! The radius of the circle grows with the number of words. At most 60 words are drawn; if there are more, a note
//! below says so. After McCaffery 2017, figure 5.2.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use super::canvas::{BORDER, FAINT, HALO, NOTE, Placed, SMALL_COLUMN, head, put};
use super::path_pairs::{paint, score};
use super::places::place;
use crate::metric::dependency_path::Explanation;

/// Words that are drawn: of more nobody could read the edges.
const NODES: usize = 60;

/// The radius of the circle on which words stand: for none, and for each more.
const RADIUS: f64 = 70.0;
const ROOM: f64 = 22.0;

/// How far out of the circle a word is, how far from the top and the bottom it begins or ends there instead of having its
/// middle, and the size of the dot at its place.
const WORD: f64 = 18.0;
const ASIDE: f64 = 0.3;
const DOT: f64 = 3.5;

/// Where on an edge its cost stands, from the word that comes first: not in the middle, where edges across the circle meet.
const LABEL: f64 = 0.36;

/// From the lowest word down to the first note.
const TO_NOTES: f64 = 56.0;

const OUTSIDE: &str = "#9AA2AC";

/// The size of letters of counterparts, beside that of words.
const SMALL: f64 = 2.0 / 3.0;

/// The width of a column of notes.
const NOTE_COLUMN: f64 = 7.3;

/// The graph that dependency paths are scored by, as an SVG file (McCaffery 2017, figure 5.2): the aligned words of the tree
/// that it is over, in a circle, each with its counterparts; an edge between each two, with its cost and the most that it could
/// be; and the edges of the spanning tree, whose costs are summed, wide and in color.
///
/// `found` is what [`explain_graph`](crate::metric::dependency_path::DependencyPath::explain_graph) returns, `reference` the
/// sentence that it speaks of. Of more than 60 aligned words the first 60 are drawn, which is said below. O(words²).
///
/// ```
/// use alinea::format::conllu;
/// use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
/// use alinea::tree::Roots;
/// use alinea::view::meta_graph_svg;
///
/// let file = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n\n\
///             1\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n2\tdogs\tdog\t_\t_\t_\t1\tnsubj\t_\t_\n\n";
/// let sentences = conllu::parse(file, "dogs.conllu", Roots::One)?;
/// let metric = DependencyPath::new(DependencyPathConfig::default())?;
/// let found = metric.explain_graph(&[&sentences[0]], &sentences[1], &[None])?;
/// let picture = meta_graph_svg(&["dogs", "bark"], &["bark", "dogs"], &found);
/// assert!(picture.contains(">1/2</text>"));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[must_use]
pub fn meta_graph_svg<S: AsRef<str>, T: AsRef<str>>(reference: &[S], hypothesis: &[T], found: &Explanation) -> String {
    let [(reference, _), (hypothesis, _)] = [place(reference, None), place(hypothesis, None)];
    let graph = Graph::new(found, [&reference, &hypothesis]);
    let notes = graph.notes(found);
    let longest = notes.iter().map(|note| note.chars().count()).max().unwrap_or(0) as f64 * NOTE_COLUMN;
    // Words stand out to both sides.
    let reach = graph.radius + WORD + graph.longest();
    let width = (2.0 * reach.max(longest / 2.0) + 2.0 * BORDER).ceil();
    let middle = (width / 2.0, BORDER + WORD + graph.radius + WORD);
    let first_note = (middle.1 + graph.radius + TO_NOTES).ceil() as u32;
    let mut out = String::new();
    head(width, first_note + NOTE * notes.len() as u32, &score(found), &mut out);
    graph.draw(middle, &mut out);
    out += "<g font-size=\"12\">\n";
    for (n, note) in (0..).zip(&notes) {
        let y = first_note + NOTE * n;
        let bold = if n == 0 { " font-weight=\"bold\"" } else { "" };
        put(&mut out, format_args!("<text x=\"{BORDER}\" y=\"{y}\"{bold}>{note}</text>\n"));
    }
    out + "</g>\n</svg>\n"
}

/// A word with its counterparts.
struct Node<'p> {
    word: &'p Placed,
    counterparts: String,
    /// Of the longer line.
    width: f64,
}

/// An edge between two nodes, by their numbers.
struct Edge {
    ends: (usize, usize),
    cost: u32,
    most: u32,
    spanning: bool,
}

struct Graph<'p> {
    nodes: Vec<Node<'p>>,
    /// The nodes that there are, drawn or not.
    all: usize,
    edges: Vec<Edge>,
    radius: f64,
}

impl<'p> Graph<'p> {
    fn new(found: &Explanation, words: [&'p [Placed]; 2]) -> Self {
        // The graph is over the words of one side.
        let exchanged = found.comparison.exchanged;
        let [own, other] = if exchanged { [words[1], words[0]] } else { words };
        let links: BTreeSet<(u32, u32)> = found
            .links
            .iter()
            .map(|link| if exchanged { (link.target, link.source) } else { (link.source, link.target) })
            .collect();
        let numbers: BTreeSet<u32> = links.iter().map(|&(word, _)| word).collect();
        let numbers: Vec<u32> = numbers.into_iter().collect();
        let drawn = numbers.iter().take(NODES).filter_map(|&number| Some((number, own.get(number as usize)?)));
        let nodes: Vec<Node<'p>> = drawn
            .map(|(number, word)| {
                let counterparts = links.range((number, 0)..=(number, u32::MAX));
                let words: Vec<Option<&Placed>> = counterparts.map(|&(_, at)| other.get(at as usize)).collect();
                let texts: Vec<&str> = words.iter().map(|word| word.map_or("…", |word| word.text.as_str())).collect();
                let letters = words.iter().map(|word| word.map_or(0.0, |word| word.width)).sum::<f64>() * SMALL;
                let width = word.width.max(letters + (word.number.len() + 1 + words.len()) as f64 * SMALL_COLUMN);
                Node { word, counterparts: texts.join(" "), width }
            })
            .collect();
        let place = |word: u32| numbers.binary_search(&word).ok().filter(|&place| place < nodes.len());
        let edges = found.edges.iter().filter_map(|edge| {
            let path = if exchanged { &edge.hypothesis } else { &edge.reference };
            let (first, last) = path.as_ref()?.words;
            let (one, other) = (place(first)?, place(last)?);
            Some(Edge {
                ends: (one.min(other), one.max(other)),
                cost: edge.disparity.cost,
                most: edge.disparity.most,
                spanning: edge.spanning,
            })
        });
        let mut edges: Vec<Edge> = edges.collect();
        // The tree lies above the others.
        edges.sort_by_key(|edge| edge.spanning);
        let radius = RADIUS + ROOM * nodes.len() as f64;
        Self { nodes, all: numbers.len(), edges, radius }
    }

    /// How wide the widest word is, with its counterparts.
    fn longest(&self) -> f64 {
        self.nodes.iter().map(|node| node.width).fold(0.0, f64::max)
    }

    fn notes(&self, found: &Explanation) -> Vec<String> {
        let mut notes = vec![score(found)];
        notes.push(
            "wide: the spanning tree; cost / most, of the paths between each two words and their counterparts"
                .to_owned(),
        );
        if self.nodes.len() < self.all {
            notes.push(format!("the first {} of {} aligned words", self.nodes.len(), self.all));
        }
        notes
    }

    /// Where a node stands, at a distance from the middle: the first on top, the others along the clock.
    fn at(&self, node: usize, (x, y): (f64, f64), distance: f64) -> (f64, f64) {
        let (sine, cosine) = (TAU * node as f64 / self.nodes.len() as f64).sin_cos();
        (x + distance * sine, y - distance * cosine)
    }

    fn draw(&self, middle: (f64, f64), out: &mut String) {
        let mut labels = String::new();
        *out += "<g stroke-linecap=\"round\">\n";
        for edge in &self.edges {
            let [(x, y), (u, v)] = [edge.ends.0, edge.ends.1].map(|node| self.at(node, middle, self.radius));
            let (color, letters, width) = if edge.spanning {
                let (color, width) = paint(edge.cost);
                (color, " font-weight=\"bold\"".to_owned(), 2.0 * width)
            } else {
                (OUTSIDE, format!(" {FAINT}"), 1.0)
            };
            put(
                out,
                format_args!(
                    "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{u:.1}\" y2=\"{v:.1}\" stroke=\"{color}\" stroke-width=\"{width:.1}\"/>\n"
                ),
            );
            let (x, y) = (x + LABEL * (u - x), y + LABEL * (v - y) + 4.0);
            let (cost, most) = (edge.cost, edge.most);
            // Painted first, an edge in the color of the ground keeps lines out of the letters.
            put(
                &mut labels,
                format_args!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" {HALO} stroke-width=\"4\" \
                     paint-order=\"stroke\"{letters}>{cost}/{most}</text>\n"
                ),
            );
        }
        *out += "</g>\n<g text-anchor=\"middle\" font-size=\"11\" stroke-linejoin=\"round\">\n";
        *out += &labels;
        *out += "</g>\n<g>\n";
        for (number, Node { word: Placed { text, number: position, .. }, counterparts, .. }) in
            self.nodes.iter().enumerate()
        {
            let (x, y) = self.at(number, middle, self.radius);
            put(out, format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\"/>"));
            let (x, y) = self.at(number, middle, self.radius + WORD);
            let anchor = match (x - middle.0) / self.radius {
                aside if aside > ASIDE => "start",
                aside if aside < -ASIDE => "end",
                _ => "middle",
            };
            put(out, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"));
            let y = y + 13.0;
            put(
                out,
                format_args!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"10\" \
                     {FAINT}>{position} {counterparts}</text>\n"
                ),
            );
        }
        *out += "</g>\n";
    }
}

#[cfg(test)]
mod tests {
    use super::super::path_pairs::tests::sentence;
    use super::*;
    use crate::alignment::Link;
    use crate::metric::dependency_path::{DependencyPath, DependencyPathConfig};
    use crate::tree::ParsedSentence;
    use crate::view::well_formed::texts;

    fn picture(reference: &ParsedSentence, hypothesis: &ParsedSentence, links: &[(u32, u32)]) -> String {
        let links = links.iter().map(|&(one, other)| Link::new(one, other)).collect();
        let metric = DependencyPath::new(DependencyPathConfig::default()).unwrap();
        let found = metric.explain_graph(&[reference], hypothesis, &[Some(links)]).unwrap();
        let forms = |side: &ParsedSentence| side.words().map(|word| word.form().to_owned()).collect::<Vec<_>>();
        meta_graph_svg(&forms(reference), &forms(hypothesis), &found)
    }

    /// All weights of McCaffery's example (2017, table 5.1 and figure 5.2), by hand, with `a` under `Holmes`.
    #[test]
    fn all_weights_are_there_and_the_tree_is_marked() {
        let holmes = [("the", 2, "DET"), ("detective", 4, "NSUBJ"), ("is", 4, "AUX"), ("becoming", 0, "ROOT")];
        let holmes = [&holmes[..], &[("a", 7, "DET"), ("<S&>", 7, "CMP"), ("Holmes", 4, "DOBJ")]].concat();
        let detective = [
            ("a", 2, "DET"),
            ("Sherlock", 3, "NSUBJ"),
            ("becomes", 0, "ROOT"),
            ("the", 5, "DET"),
            ("detective", 3, "DOBJ"),
        ];
        let picture = picture(&sentence(&holmes), &sentence(&detective), &[(0, 3), (1, 4), (3, 2), (4, 0), (5, 1)]);
        let found = texts(&picture);
        assert_eq!(found[0], "order 0.5000 = 1 - 5 / 10, coverage 0.8333");
        let mut weights: Vec<&str> =
            found.iter().filter(|text| text.contains('/') && text.len() == 3).map(String::as_str).collect();
        // The tree comes last.
        let mut tree = weights.split_off(6);
        weights.sort_unstable();
        tree.sort_unstable();
        assert_eq!(weights, ["2/3", "3/3", "3/4", "3/5", "4/4", "4/5"]);
        assert_eq!(tree, ["0/2", "1/3", "2/2", "2/3"]);
        assert_eq!(picture.matches("font-weight=\"bold\">").count(), 4 + 1, "the tree, and the score");
        for word in ["the", "5 Sherlock", "<S&>", "4 a", "3 becomes"] {
            assert!(found.iter().any(|text| text == word), "{word}: {found:?}");
        }
        assert!(!found.iter().any(|text| text == "Holmes" || text == "is"), "not aligned");
    }

    #[test]
    fn sentences_of_any_length_have_a_picture() {
        for words in [1, 2, 61] {
            let chain: Vec<(&str, usize, &str)> = (0..words).map(|head| ("w", head, "x")).collect();
            let links: Vec<(u32, u32)> = (0..words as u32).map(|word| (word, word)).collect();
            let picture = picture(&sentence(&chain), &sentence(&chain), &links);
            let found = texts(&picture);
            let drawn = words.min(60);
            assert_eq!(picture.matches("<circle").count(), drawn);
            assert_eq!(picture.matches("<line").count(), drawn * (drawn - 1) / 2);
            assert_eq!(found.contains(&"the first 60 of 61 aligned words".to_owned()), words > 60);
            assert!(!picture.contains("NaN"));
        }
        // Nothing is aligned.
        let one = sentence(&[("a", 0, "root")]);
        assert!(!picture(&one, &one, &[]).contains("NaN"));
    }

    /// The graph is over the side whose words have one counterpart each.
    #[test]
    fn graphs_of_exchanged_sides_are_drawn() {
        let reference = sentence(&[("a", 2, "x"), ("b", 0, "root")]);
        let hypothesis = sentence(&[("c", 2, "x"), ("d", 3, "y"), ("e", 0, "root")]);
        let picture = picture(&reference, &hypothesis, &[(0, 0), (1, 1), (1, 2)]);
        let found = texts(&picture);
        assert_eq!(picture.matches("<circle").count(), 3);
        assert_eq!(picture.matches("<line").count(), 3);
        assert!(found.contains(&"2 b".to_owned()) && found.contains(&"1 b".to_owned()), "{found:?}");
        assert!(found.contains(&"0/0".to_owned()), "{found:?}");
    }
}
