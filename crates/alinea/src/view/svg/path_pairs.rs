//! Why dependency paths score as they do, as one picture: two trees, the links, and the edges of the spanning tree.
//!
//! From top to bottom: the tree of the reference and its words; brackets for the edges of the spanning tree over these
//! words; the links; brackets for the same edges over the counterparts; the words of the hypothesis and their tree; the
//! score, and a line for each edge with both paths. A bracket becomes warmer in color and wider with its cost. It is
//! labeled `cost/most`, unless it costs nothing.
//!
//! Levels of brackets are those of `trees::levels`, so longer ones are farther from the words. Where several meet at a
//! word, higher ones end nearer to its middle, so that vertical lines do not coincide; three are kept apart. The
//! most costly are drawn last and lie on top. Widths of text are estimated for a font of fixed width. If the notes are
//! wider than the words, the words stand in the middle.

use unicode_width::UnicodeWidthStr;

use super::arcs::{self, Side};
use super::canvas::{BORDER, HALO, LINES_FROM, NOTE, Placed, SOURCE_NUMBERS, SOURCE_WORDS, TREE_GAP, head, put, row};
use super::places::rows;
use crate::metric::dependency_path::{ExplainedEdge, ExplainedPath, Explanation};
use crate::view::trees::{Trees, levels};

/// Between two levels of edges, and around the lowest and the highest.
const LEVEL: u32 = 19;
const BEFORE: u32 = 6;
const AFTER: u32 = 12;

/// How far from the middle of a word the first bracket ends, how much farther the next, and how many are kept apart.
const FIRST_INSET: f64 = 4.0;
const INSET: f64 = 3.5;
const MOST_INSETS: u8 = 2;

/// Where links cross, between the edges of both sides.
const BETWEEN: u32 = 84;

/// From the ends of links down to the numbers and the words of the hypothesis, and from these to the first note.
const TO_NUMBERS: u32 = 12;
const TO_WORDS: u32 = 30;
const TO_NOTES: u32 = 34;

/// The width of a column of notes, and of the sample of a line before them.
const NOTE_COLUMN: f64 = 7.3;
const SAMPLE: f64 = 34.0;

const LINK: &str = "#AAB2BC";

/// How an edge of a cost looks: the paint of its line, and how wide it is.
pub(super) fn paint(cost: u32) -> (&'static str, f64) {
    match cost {
        0 => ("#3E97A8", 1.3),
        1 => ("#E3A008", 1.9),
        2 => ("#E8710A", 2.3),
        _ => ("#DC3545", 2.7),
    }
}

/// Why dependency paths give a hypothesis its score, as an SVG file: the reference above, the hypothesis below, each with
/// its tree outside; links between their words; and between links and words the edges of the spanning tree, once over the
/// words of the reference and once over their counterparts. The more an edge costs the warmer is its color; it says its cost
/// and the most that it could be. All are listed below with their paths, also those that cost nothing.
///
/// `reference` is the sentence that the explanation speaks of. Of sentences of more than 1000 words the first 1000 are
/// drawn. O(words²).
///
/// ```
/// use alinea::format::conllu;
/// use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
/// use alinea::tree::Roots;
/// use alinea::view::{DrawnTree, Trees, path_pairs_svg};
///
/// let file = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n\n\
///             1\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n2\tdogs\tdog\t_\t_\t_\t1\tnsubj\t_\t_\n\n";
/// let sentences = conllu::parse(file, "dogs.conllu", Roots::One)?;
/// let [reference, hypothesis] = [&sentences[0], &sentences[1]];
/// let found = DependencyPath::new(DependencyPathConfig::default())?.explain(&[reference], hypothesis, &[None])?;
/// let trees = Trees { source: DrawnTree::of(reference, 2), target: DrawnTree::of(hypothesis, 2) };
/// let picture = path_pairs_svg(&["dogs", "bark"], &["bark", "dogs"], &trees, &found);
/// assert!(picture.contains(">1/2</text>"));
/// assert!(picture.contains("order 0.5000 = 1 - 1 / 2, coverage 1.0000"));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[must_use]
pub fn path_pairs_svg<S: AsRef<str>, T: AsRef<str>>(
    reference: &[S],
    hypothesis: &[T],
    trees: &Trees<'_>,
    found: &Explanation,
) -> String {
    let (source, target, inner) = rows(reference, hypothesis, trees);
    let upper = Band::new(&found.edges, |edge| edge.reference.as_ref(), source.len());
    let lower = Band::new(&found.edges, |edge| edge.hypothesis.as_ref(), target.len());
    let above = trees.source.as_ref().map_or(0, |tree| arcs::height(tree, source.len()));
    let below = trees.target.as_ref().map_or(0, |tree| arcs::height(tree, target.len()));
    let from = above + LINES_FROM;
    let (over, under) = (from + upper.height, from + upper.height + BETWEEN);
    let to = under + lower.height;
    let notes: Vec<Note> = found.edges.iter().map(|edge| Note::new(edge, [&source, &target])).collect();
    let score = score(found);
    let notes_width = tabs(&notes)[5].max(score.width() as f64 * NOTE_COLUMN);
    let width = (inner.max(notes_width) + 2.0 * BORDER).ceil();
    let first_note = to + TO_WORDS + below + TO_NOTES;
    let height = first_note + NOTE * notes.len() as u32 + NOTE;
    // Links and words stand in the middle if notes are wider.
    let shift = |words: Vec<Placed>| -> Vec<Placed> {
        let by = ((notes_width - inner) / 2.0).max(0.0);
        words.into_iter().map(|word| Placed { middle: word.middle + by, ..word }).collect()
    };
    let (source, target) = (shift(source), shift(target));

    let mut out = String::new();
    head(width, height, &score, &mut out);
    put(&mut out, format_args!("<g fill=\"none\" stroke=\"{LINK}\" stroke-width=\"1.4\">\n"));
    for link in found.links.iter() {
        if let (Some(one), Some(other)) = (source.get(link.source as usize), target.get(link.target as usize)) {
            let (x, u) = (one.middle, other.middle);
            let (bend, end) = (over + BETWEEN / 2, under - BETWEEN / 2);
            put(&mut out, format_args!("<path d=\"M{x} {from}V{over}C{x} {bend} {u} {end} {u} {under}V{to}\"/>\n"));
        }
    }
    out += "</g>\n";
    upper.draw(&source, from, Side::Below, &mut out);
    lower.draw(&target, to, Side::Above, &mut out);
    row(&source, above + SOURCE_WORDS, above + SOURCE_NUMBERS, &mut out);
    row(&target, to + TO_WORDS, to + TO_NUMBERS, &mut out);
    if let Some(tree) = &trees.source {
        arcs::draw(tree, &source, above + SOURCE_WORDS - TREE_GAP, Side::Above, &mut out);
    }
    if let Some(tree) = &trees.target {
        arcs::draw(tree, &target, to + TO_WORDS + TREE_GAP / 2, Side::Below, &mut out);
    }
    put_notes(&score, &notes, first_note, &mut out);
    out + "</svg>\n"
}

/// The score in one line.
pub(super) fn score(found: &Explanation) -> String {
    let numbers = &found.comparison;
    let fraction = if numbers.most > 0 { format!(" = 1 - {} / {}", numbers.cost, numbers.most) } else { String::new() };
    format!("order {:.4}{fraction}, coverage {:.4}", numbers.order, numbers.coverage)
}

/// A line about an edge.
struct Note {
    cost: u32,
    /// Cost, and for each side the words and the path.
    columns: [String; 5],
}

impl Note {
    fn new(edge: &ExplainedEdge, words: [&[Placed]; 2]) -> Self {
        let (cost, most) = (edge.disparity.cost, edge.disparity.most);
        let side = |side: usize, path: &Option<ExplainedPath>| {
            // Two words that share a counterpart have no path there.
            let nothing = || ("–".to_owned(), "–".to_owned());
            let Some(ExplainedPath { words: (first, last), encoding, .. }) = path else { return nothing() };
            let word = |word: &u32| words[side].get(*word as usize).map_or("…", |word| word.text.as_str());
            (format!("{} {}", word(first), word(last)), escaped(encoding))
        };
        let ((words, path), (others, other)) = (side(0, &edge.reference), side(1, &edge.hypothesis));
        Self { cost, columns: [format!("{cost} of {most}"), words, path, others, other] }
    }
}

/// Where the columns of notes start, and where the last one ends.
fn tabs(notes: &[Note]) -> [f64; 6] {
    let mut at = [SAMPLE + 8.0; 6];
    for column in 0..5 {
        let longest = notes.iter().map(|note| note.columns[column].width()).max().unwrap_or(0);
        at[column + 1] = at[column] + (longest + 2) as f64 * NOTE_COLUMN;
    }
    at
}

/// Relations as XML has them.
fn escaped(encoding: &str) -> String {
    super::canvas::escaped(&crate::view::cells::cells_within(encoding, usize::MAX))
}

/// The score, and the edges.
fn put_notes(score: &str, notes: &[Note], first: u32, out: &mut String) {
    put(
        out,
        format_args!("<g font-size=\"12\">\n<text x=\"{BORDER}\" y=\"{first}\" font-weight=\"bold\">{score}</text>\n"),
    );
    let tabs = tabs(notes);
    for (n, note) in (1..).zip(notes) {
        let (paint, width) = paint(note.cost);
        let y = first + NOTE * n;
        let (middle, end) = (y - 4, BORDER + SAMPLE);
        put(out, format_args!("<path d=\"M{BORDER} {middle}H{end}\" stroke=\"{paint}\" stroke-width=\"{width}\"/>\n"));
        for (text, tab) in note.columns.iter().zip(tabs) {
            let x = BORDER + tab;
            put(out, format_args!("<text x=\"{x}\" y=\"{y}\">{text}</text>\n"));
        }
    }
    *out += "</g>\n";
}

/// An edge on one side.
struct Bracket<'e> {
    edge: &'e ExplainedEdge,
    low: usize,
    high: usize,
    /// From 1, away from the words.
    level: u32,
    /// How far its ends are from the middles of the words, inwards: where several end at a word none lies upon another.
    insets: [f64; 2],
}

/// The edges on one side, and how high they are together.
struct Band<'e> {
    brackets: Vec<Bracket<'e>>,
    height: u32,
}

impl<'e> Band<'e> {
    /// Of the edges those that have a path on this side, within the first `words` words.
    fn new(edges: &'e [ExplainedEdge], side: fn(&ExplainedEdge) -> Option<&ExplainedPath>, words: usize) -> Self {
        let span = |edge: &'e ExplainedEdge| {
            let (first, last) = side(edge)?.words;
            let (low, high) = (first.min(last) as usize, first.max(last) as usize);
            (high < words).then_some(Bracket { edge, low, high, level: 0, insets: [FIRST_INSET; 2] })
        };
        let mut brackets: Vec<Bracket<'e>> = edges.iter().filter_map(span).collect();
        let spans: Vec<(usize, usize)> = brackets.iter().map(|bracket| (bracket.low, bracket.high)).collect();
        for (bracket, level) in brackets.iter_mut().zip(levels(&spans)) {
            bracket.level = level;
        }
        let highest = brackets.iter().map(|bracket| bracket.level).max().unwrap_or(0);
        let mut band = Self { brackets, height: BEFORE + LEVEL * highest + AFTER };
        band.set_insets(words);
        band
    }

    /// The higher a bracket, the nearer to the middle of a word it ends.
    fn set_insets(&mut self, words: usize) {
        let mut ended = vec![[0_u8; 2]; words];
        self.brackets.sort_by_key(|bracket| std::cmp::Reverse(bracket.level));
        for bracket in &mut self.brackets {
            for (end, word) in [bracket.low, bracket.high].into_iter().enumerate() {
                bracket.insets[end] = FIRST_INSET + INSET * f64::from(ended[word][end].min(MOST_INSETS));
                ended[word][end] = ended[word][end].saturating_add(1);
            }
        }
        self.brackets.sort_by_key(|bracket| bracket.edge.disparity.cost);
    }

    /// Draws them, the most costly last, so that it lies above the others.
    fn draw(&self, words: &[Placed], from: u32, side: Side, out: &mut String) {
        let sign = if side == Side::Above { -1.0 } else { 1.0 };
        let from = f64::from(from);
        *out += "<g fill=\"none\" stroke-linecap=\"round\">\n";
        let mut labels = String::new();
        for Bracket { edge, low, high, level, insets } in &self.brackets {
            let (paint, width) = paint(edge.disparity.cost);
            let mut ends = [(words[*low].middle, insets[0]), (words[*high].middle, insets[1])];
            ends.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (start, end) = (ends[0].0 + ends[0].1, ends[1].0 - ends[1].1);
            let top = from + sign * f64::from(BEFORE + LEVEL * level);
            let bend = 8_f64.min((end - start).abs() / 2.0);
            let (near, inner_start, inner_end) = (top - sign * bend, start + bend, end - bend);
            put(
                out,
                format_args!(
                    "<path d=\"M{start} {from}V{near}Q{start} {top} {inner_start} {top}H{inner_end}Q{end} {top} {end} {near}V{from}\" \
                     stroke=\"{paint}\" stroke-width=\"{width}\"/>\n"
                ),
            );
            let (x, y) = (f64::midpoint(start, end), top + 4.0);
            let text = format!("{}/{}", edge.disparity.cost, edge.disparity.most);
            if edge.disparity.cost > 0 {
                // An edge in the color of the ground keeps lines out of the letters.
                put(&mut labels, format_args!("<text x=\"{x}\" y=\"{y}\" {HALO} stroke-width=\"5\">{text}</text>"));
                put(&mut labels, format_args!("<text x=\"{x}\" y=\"{y}\">{text}</text>\n"));
            }
        }
        *out += "</g>\n<g text-anchor=\"middle\" font-size=\"11\" font-weight=\"bold\" stroke-linejoin=\"round\">\n";
        *out += &labels;
        *out += "</g>\n";
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::format::conllu;
    use crate::metric::dependency_path::{DependencyPath, DependencyPathConfig};
    use crate::tree::{ParsedSentence, Roots};
    use crate::view::DrawnTree;
    use crate::view::well_formed::texts;
    use proptest::prelude::*;

    /// A sentence of words with heads and relations.
    pub(in crate::view::svg) fn sentence(words: &[(&str, usize, &str)]) -> ParsedSentence {
        let row = |(n, (form, head, relation)): (usize, &(&str, usize, &str))| {
            format!("{n}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n")
        };
        let text: String = (1..).zip(words).map(row).collect();
        conllu::parse(&text, "test", Roots::Many).unwrap().remove(0)
    }

    fn picture(reference: &ParsedSentence, hypothesis: &ParsedSentence, links: &[(u32, u32)]) -> String {
        let links = links.iter().map(|&(one, other)| crate::alignment::Link::new(one, other)).collect();
        let metric = DependencyPath::new(DependencyPathConfig::default()).unwrap();
        let found = metric.explain(&[reference], hypothesis, &[Some(links)]).unwrap();
        let [source, target] = [reference, hypothesis].map(|side| DrawnTree::of(side, side.len()));
        let forms = |side: &ParsedSentence| side.words().map(|word| word.form().to_owned()).collect::<Vec<_>>();
        path_pairs_svg(&forms(reference), &forms(hypothesis), &Trees { source, target }, &found)
    }

    /// The example of McCaffery (2017), by hand.
    #[test]
    fn costs_stand_on_both_sides_and_below() {
        let holmes = [("the", 2, "DET"), ("detective", 4, "NSUBJ"), ("is", 4, "AUX"), ("becoming", 0, "ROOT")];
        let holmes = [&holmes[..], &[("a", 7, "DET"), ("Sherlock", 7, "CMP"), ("Holmes", 4, "DOBJ")]].concat();
        let detective = [
            ("a", 2, "DET"),
            ("Sherlock", 3, "<N&>"),
            ("becomes", 0, "ROOT"),
            ("the", 5, "DET"),
            ("detective", 3, "DOBJ"),
        ];
        let picture = picture(&sentence(&holmes), &sentence(&detective), &[(0, 3), (1, 4), (3, 2), (4, 0), (5, 1)]);
        let found = texts(&picture);
        assert_eq!(found[0], "order 0.5000 = 1 - 5 / 10, coverage 0.8333");
        // On each side once to keep the line out of the letters, and once to be read; nothing where there is no cost.
        for (cost, times) in [("2/2", 4), ("2/3", 4), ("1/3", 4), ("0/2", 0)] {
            assert_eq!(found.iter().filter(|text| *text == cost).count(), times, "{cost}");
        }
        let notes = found.iter().skip_while(|text| *text != "2 of 3").take(5);
        assert_eq!(
            notes.collect::<Vec<_>>(),
            ["2 of 3", "becoming a", "–, α, DOBJ DET", "becomes a", "–, β, <N&> DET"]
        );
        let of_paint = |paint: &str| picture.matches(&format!("\" stroke=\"{paint}\"")).count();
        // Brackets on both sides, and a sample beside each note.
        assert_eq!([0, 1, 2, 3].map(|cost| of_paint(paint(cost).0)), [3, 3, 6, 0]);
        let nothing = found.iter().skip_while(|text| *text != "0 of 2").take(5);
        assert_eq!(nothing.collect::<Vec<_>>(), ["0 of 2", "the detective", "DET, α, –", "the detective", "DET, α, –"]);
    }

    #[test]
    fn what_shares_a_counterpart_has_one_bracket() {
        let reference = sentence(&[("a", 2, "x"), ("b", 0, "root")]);
        let hypothesis = sentence(&[("c", 2, "x"), ("d", 3, "y"), ("e", 0, "root")]);
        let picture = picture(&reference, &hypothesis, &[(0, 0), (1, 1), (1, 2)]);
        // And a sample beside each of two notes.
        assert_eq!(picture.matches(paint(0).0).count(), 3 + 2, "{picture}");
    }

    proptest! {
        #[test]
        fn pictures_are_well_formed(
            heads in proptest::collection::vec(0usize..8, 1..8),
            others in proptest::collection::vec(0usize..8, 1..8),
            links in proptest::collection::vec((0u32..7, 0u32..7), 0..8),
        ) {
            // A head stands before its word: there is no cycle.
            let tree = |heads: &[usize]| {
                let words: Vec<_> = (0..).zip(heads).map(|(n, &head)| ("w", head.min(n), "a<b")).collect();
                sentence(&words)
            };
            let (one, other) = (tree(&heads), tree(&others));
            let inside = |&(source, target): &(u32, u32)| (source as usize) < one.len() && (target as usize) < other.len();
            let links: Vec<_> = links.into_iter().filter(inside).collect();
            let picture = picture(&one, &other, &links);
            prop_assert!(texts(&picture)[0].starts_with("order "));
            prop_assert!(!picture.contains("NaN"));
        }
    }
}
