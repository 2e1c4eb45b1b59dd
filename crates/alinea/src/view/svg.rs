//! Alignments as pictures for the screen and for paper: SVG 1.1, nothing outside the file.
//!
//! The words of both sentences stand in two rows, source above target, each over or under its position, and lines join
//! them; trees stand outside, over the source and under the target. A sentence that runs from right to left begins on the
//! right. Letters are taken to be as wide as in a terminal, in a font of fixed width, whatever font there is in the end.
//!
//! A picture is a file, or stands in a page such as a notebook (`<svg>` in HTML): text has the color of the page around it,
//! or, in a file, is dark on light or light on dark, as the reader's system is set.

mod arcs;
mod canvas;
mod meta_graph;
mod path_pairs;
mod places;

use self::arcs::Side;
use self::canvas::{
    BORDER, COLUMN, FIRST_NOTE, HOLLOW, LEGEND, LINES_FROM, LINES_TO, NOTE, Placed, SAMPLE, SOURCE_NUMBERS,
    SOURCE_WORDS, TARGET_NUMBERS, TARGET_WORDS, TREE_GAP, head, put, row,
};
pub use self::meta_graph::meta_graph_svg;
pub use self::path_pairs::path_pairs_svg;
use self::places::rows;
use super::lines::{Line, lines, not_drawn};
use super::marks::Mark;
use super::trees::Trees;
use crate::alignment::{Alignment, GoldAlignment, WeightedLink};

/// An alignment as an SVG file, or as an element of a page.
///
/// Against a gold standard lines differ by what is right, wrong and missed, in color and shape, with a legend; the weight of a link,
/// where `weights` has it, is the opacity of its line, and is shown with its positions in its title. Characters that would
/// disturb the picture, or that XML does not allow, are replaced by `�`; words longer than 40 columns are cut, and the
/// first 1000 words of a sentence drawn. Links outside the words drawn are named at the end. Trees are arcs from heads to
/// dependents, with relations, and parts of speech beside positions.
/// O(words² + links · log links).
///
/// ```
/// use alinea::alignment::{Link, WeightedLink};
/// use alinea::view::{Trees, svg};
///
/// let weights = [WeightedLink { link: Link::new(0, 0), weight: 0.75 }];
/// let picture = svg(&["R&D"], &["<R&D>"], &[(0, 0)].into(), None, &weights, &Trees::default());
/// assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// assert!(picture.contains(">&lt;R&amp;D&gt;</text>"));
/// assert!(picture.contains("stroke-opacity=\"0.75\""));
/// ```
#[must_use]
pub fn svg<S: AsRef<str>, T: AsRef<str>>(
    source: &[S],
    target: &[T],
    alignment: &Alignment,
    gold: Option<&GoldAlignment>,
    weights: &[WeightedLink],
    trees: &Trees<'_>,
) -> String {
    let (source, target, inner) = rows(source, target, trees);
    let (lines, outside) = lines(alignment, gold, weights, source.len(), target.len());
    let above = trees.source.as_ref().map_or(0, |tree| arcs::height(tree, source.len()));
    let below = trees.target.as_ref().map_or(0, |tree| arcs::height(tree, target.len()));
    let number = |mark: Mark| lines.iter().filter(|line| line.mark == mark).count();
    let mut notes: Vec<(Option<Mark>, String)> = Vec::new();
    if gold.is_some() {
        notes.extend(Mark::LINKS.map(|mark| (Some(mark), format!("{} {}", mark.name(), number(mark)))));
    }
    notes.extend(not_drawn(&outside).map(|names| (None, names)));
    let longest = notes.iter().map(|(_, text)| text.len()).max().unwrap_or(0) + if gold.is_some() { LEGEND } else { 0 };
    let width = (inner.max(longest as f64 * COLUMN) + 2.0 * BORDER).ceil();
    let first_note = above + FIRST_NOTE + below;
    let height = if notes.is_empty() { first_note - NOTE } else { first_note + NOTE * notes.len() as u32 - NOTE / 2 };

    let mut out = String::new();
    let links = lines.iter().filter(|line| !line.mark.is_missed()).count();
    let mut title = if links == 1 { "1 link".to_owned() } else { format!("{links} links") };
    if gold.is_some() {
        let (wrong, missed) = (number(Mark::Wrong), number(Mark::SureMissed));
        put(&mut title, format_args!(", {wrong} wrong, {missed} missed"));
    }
    head(width, height, &title, &mut out);
    out += "<g stroke-width=\"2\" fill=\"none\">\n";
    for line in &lines {
        draw(line, gold.is_some(), above, &source, &target, &mut out);
    }
    out += "</g>\n";
    row(&source, above + SOURCE_WORDS, above + SOURCE_NUMBERS, &mut out);
    row(&target, above + TARGET_WORDS, above + TARGET_NUMBERS, &mut out);
    if let Some(tree) = &trees.source {
        arcs::draw(tree, &source, above + SOURCE_WORDS - TREE_GAP, Side::Above, &mut out);
    }
    if let Some(tree) = &trees.target {
        arcs::draw(tree, &target, above + TARGET_WORDS + TREE_GAP / 2, Side::Below, &mut out);
    }
    for (n, (mark, text)) in (0..).zip(&notes) {
        note(*mark, text, first_note + NOTE * n, &mut out);
    }
    out + "</svg>\n"
}

/// A line of the legend, or of text alone.
fn note(mark: Option<Mark>, text: &str, y: u32, out: &mut String) {
    let mut x = BORDER;
    if let Some(mark) = mark {
        let (paint, dashes) = (mark.paint(), dashes(mark));
        let (middle, end) = (f64::from(y - 4), x + SAMPLE);
        put(out, format_args!("<path d=\"M{x} {middle}H{end}\" stroke=\"{paint}\" stroke-width=\"2\"{dashes}/>"));
        shape(mark, x + SAMPLE / 2.0, middle, out);
        x += SAMPLE + 8.0;
    }
    put(out, format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"12\">{text}</text>\n"));
}

fn draw(line: &Line, gold: bool, above: u32, source: &[Placed], target: &[Placed], out: &mut String) {
    let (from, to) = (&source[line.link.source as usize], &target[line.link.target as usize]);
    let paint = line.mark.paint();
    let opacity = if line.weight.is_some() { format!(" stroke-opacity=\"{}\"", line.opacity()) } else { String::new() };
    let dashes = dashes(line.mark);
    put(
        out,
        format_args!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{paint}\"{opacity}{dashes}>\
             <title>{}: {} – {}</title></line>\n",
            from.middle,
            above + LINES_FROM,
            to.middle,
            above + LINES_TO,
            line.name(),
            from.direction.isolate(&from.text),
            to.direction.isolate(&to.text)
        ),
    );
    if gold {
        let y = f64::from(above) + f64::from(LINES_FROM + LINES_TO) / 2.0;
        shape(line.mark, f64::midpoint(from.middle, to.middle), y, out);
    }
}

/// How the line of a mark is broken.
fn dashes(mark: Mark) -> &'static str {
    match mark {
        Mark::SureMissed => " stroke-dasharray=\"5 4\"",
        Mark::PossibleMissed => " stroke-dasharray=\"2 4\"",
        _ => "",
    }
}

/// What tells a line from others besides its color, in its middle: the mark of a grid, but none where a link is sure.
fn shape(mark: Mark, x: f64, y: f64, out: &mut String) {
    let paint = mark.paint();
    let drawn = match mark {
        Mark::Wrong => format!("<path d=\"M{} {}l8 8m0 -8l-8 8\"", x - 4.0, y - 4.0),
        Mark::Possible => format!("<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"8\"", x - 4.0, y - 4.0),
        Mark::SureMissed => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\""),
        Mark::PossibleMissed => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2.2\""),
        Mark::Link | Mark::Sure | Mark::Nothing => return,
    };
    put(out, format_args!("{drawn} {HOLLOW} stroke=\"{paint}\" stroke-width=\"2\"/>\n"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::Link;
    use crate::view::DrawnTree;
    use crate::view::well_formed::texts;
    use proptest::prelude::*;

    #[test]
    fn words_numbers_links_and_notes_are_there() {
        let gold = GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &Alignment::new());
        let weights = [WeightedLink { link: Link::new(0, 0), weight: 0.03 }];
        let picture = svg(
            &["<das>", "Haus"],
            &["the", "\"A&B\\"],
            &[(0, 0), (5, 0)].into(),
            Some(&gold),
            &weights,
            &Trees::default(),
        );
        let expected = [
            "1 link, 0 wrong, 1 missed",
            "0-0 0.03: <das> – the",
            "1-1: Haus – \"A&B\\",
            "<das>",
            "0",
            "Haus",
            "1",
            "the",
            "0",
            "\"A&B\\",
            "1",
            "sure 1",
            "possible 0",
            "wrong 0",
            "missed 1",
            "missed (possible) 0",
            "not drawn: 5-0",
        ];
        assert_eq!(texts(&picture), expected);
        assert_eq!(picture.matches("stroke-opacity=\"0.1\"").count(), 1);
        // A link, and two lines of the legend; the shapes of the missed one and of four in the legend.
        assert_eq!(picture.matches("stroke-dasharray").count(), 3);
        assert_eq!(picture.matches("fill=\"#FFFFFF\" stroke=").count(), 5);
    }

    #[test]
    fn words_have_their_places() {
        // 5 columns at 9 pixels, a gap of 18; the shorter row stands in the middle of the longer.
        let picture = svg(&["abcde", "日本"], &["x"], &[(1, 0)].into(), None, &[], &Trees::default());
        assert!(picture.contains("<text x=\"38.5\" y=\"32\">abcde</text>"), "{picture}");
        assert!(picture.contains("<text x=\"97\" y=\"32\">日本</text>"), "{picture}");
        assert!(picture.contains("<text x=\"65.5\" y=\"183\">x</text>"), "{picture}");
        assert!(picture.contains("<line x1=\"97\" y1=\"53\" x2=\"65.5\" y2=\"153\""), "{picture}");
        assert!(picture.contains(" width=\"131\" height=\"196\" viewBox=\"0 0 131 196\""), "{picture}");
    }

    #[test]
    fn sentences_from_right_to_left_begin_on_the_right() {
        let links = [(0, 1), (1, 0)].into();
        let picture = svg(&["this", "book"], &["ספר", "זה"], &links, None, &[], &Trees::default());
        // Columns of 9 and of 12 pixels, a gap of 18: 90 and 78 pixels, the shorter row in the middle.
        assert!(picture.contains("<text x=\"34\" y=\"32\">this</text>"), "{picture}");
        assert!(picture.contains("<text x=\"82\" y=\"183\" direction=\"rtl\">ספר</text>"), "{picture}");
        assert!(picture.contains("<text x=\"34\" y=\"183\" direction=\"rtl\">זה</text>"), "{picture}");
        assert!(picture.contains("<line x1=\"34\" y1=\"53\" x2=\"34\" y2=\"153\""), "{picture}");
        assert!(texts(&picture).contains(&"0-1: this – \u{2067}זה\u{2069}".to_owned()), "{picture}");
        let tree = DrawnTree { heads: vec![Some(1), None], relations: vec!["det", "root"], tags: vec!["", ""] };
        let trees = Trees { source: None, target: Some(tree) };
        let picture = svg(&["x"], &["ספר", "זה"], &Alignment::new(), None, &[], &trees);
        // From the head on the left to the arrow at the dependent on the right.
        let start = |part: &str| -> f64 {
            let line = picture.lines().find(|line| line.starts_with("<path d=\"M") && line.contains(part)).unwrap();
            line["<path d=\"M".len()..].split(' ').next().unwrap().parse().unwrap()
        };
        assert!(start("Q") + 20.0 < start("l-3.5"), "{picture}");
    }

    #[test]
    fn pictures_have_no_colors_of_text_and_of_the_ground() {
        let gold = GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &[(0, 1)].into());
        let picture = svg(&["a", "b"], &["c", "d"], &[(0, 0), (1, 0)].into(), Some(&gold), &[], &Trees::default());
        let (before, after) = picture.split_once("<style>").unwrap();
        let (style, after) = after.split_once("</style>").unwrap();
        assert!(before.contains(" class=\"alinea\"") && before.contains(" fill=\"currentColor\""), "{before}");
        assert!(style.contains("prefers-color-scheme:dark"));
        // A style sheet in a page is one of the whole page.
        for rule in
            style.replace("@media (prefers-color-scheme:dark){", "").split('}').filter(|rule| rule.contains('{'))
        {
            let (selectors, _) = rule.split_once('{').unwrap();
            assert!(selectors.trim().split(',').all(|selector| selector.starts_with("svg.alinea")), "{selectors}");
        }
        for element in after.split('<').filter(|element| element.starts_with("text ")) {
            assert!(!element.contains("fill=\"#"), "{element}");
        }
        for element in after.split('<').filter(|element| element.contains("#FFFFFF")) {
            assert!(element.contains("class=\"hollow\""), "{element}");
        }
    }

    #[test]
    fn nothing_is_cut_off() {
        // A square is about as wide as its letter is high.
        let wide = "漢字".repeat(20);
        let picture = svg(&[&wide], &["x"], &Alignment::new(), None, &[], &Trees::default());
        let width: f64 = picture.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let shown = texts(&picture).into_iter().find(|text| text.starts_with('漢')).unwrap();
        assert!(width >= 15.0 * shown.chars().count() as f64 + 2.0 * BORDER, "{width}");
    }

    #[test]
    fn trees_are_drawn_outside() {
        let tree = |heads: &[Option<u32>], relation| DrawnTree {
            heads: heads.to_vec(),
            relations: vec![relation; heads.len()],
            tags: vec!["T&"; heads.len()],
        };
        let trees = Trees { source: Some(tree(&[Some(1), None, Some(0)], "<r>")), target: Some(tree(&[None], "root")) };
        let picture = svg(&["a", "b", "c"], &["d"], &[(0, 0)].into(), None, &[], &trees);
        // Every relation is there twice: its white edge, and its letters.
        let relations = texts(&picture).into_iter().filter(|text| text == "<r>" || text == "root").count();
        assert_eq!(relations, 8);
        assert!(texts(&picture).contains(&"2 T&".to_owned()));
        // Two levels of arcs, the second over both gaps, and a root over these: 8 + 3 · 19 + 12 above, 8 + 19 + 12 below.
        assert!(picture.contains("height=\"312\""), "{picture}");
        assert!(picture.contains("y=\"109\">a</text>") && picture.contains("y=\"260\">d</text>"), "{picture}");
        let plain = svg(&["a", "b", "c"], &["d"], &[(0, 0)].into(), None, &[], &Trees::default());
        assert!(plain.contains("height=\"196\""), "{plain}");
    }

    #[test]
    fn long_words_and_sentences_are_cut() {
        let words = vec!["x".repeat(100); 1200];
        let picture = svg(&words, &["y"], &[(999, 0), (1000, 0)].into(), None, &[], &Trees::default());
        assert!(picture.contains(&format!(">{}…</text>", "x".repeat(39))));
        assert!(!picture.contains(&"x".repeat(40)));
        assert!(texts(&picture).contains(&"not drawn: 1000-0".to_owned()));
    }

    proptest! {
        #[test]
        fn pictures_are_well_formed(
            source in proptest::collection::vec("[<>&\"'\\\\/a\u{301}\u{202e}א\u{1b}\u{0}\u{fffe}]{1,5}|\\PC{1,5}", 0..5),
            target in proptest::collection::vec(any::<String>(), 0..5),
            links in proptest::collection::vec((0u32..6, 0u32..6, any::<f32>()), 0..10),
        ) {
            let weights: Vec<WeightedLink> =
                links.iter().map(|&(s, t, weight)| WeightedLink { link: Link::new(s, t), weight }).collect();
            let alignment: Alignment = weights.iter().map(|weighted| weighted.link).collect();
            let found = texts(&svg(&source, &target, &alignment, None, &weights, &Trees::default()));
            let inside = alignment.iter().filter(|l| (l.source as usize) < source.len() && (l.target as usize) < target.len());
            let inside = inside.count();
            prop_assert_eq!(&found[0], &format!("{inside} link{}", if inside == 1 { "" } else { "s" }));
        }
    }
}
