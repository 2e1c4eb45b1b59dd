//! Headwords with their translations: as text with examples in the middle of lines, and as a page for a browser.

mod kwic;
mod page;

pub use page::ConcordancePage;

use unicode_width::UnicodeWidthStr;

use self::kwic::push_line;
use super::cells::cells_within;
use super::direction::Direction;
use super::grid::{blanks, columns_of, put, text_of};
use super::style::Style;
use crate::bitext::Side;
use crate::concordance::{Example, Headword};

/// What stands in the place of a translation where there is none.
const UNTRANSLATED: &str = "(not translated)";

/// The most columns of a name of an example.
const NAME: usize = 24;

/// The most columns of a word of a headword or of a translation.
const WORD: usize = 120;

/// Columns before an example.
const INDENT: usize = 8;

/// Draws a headword: a line for it with its count, and one for each translation with count, share in percent, mean confidence and G²;
/// below it its examples, each a line of the side of the headword and one of the other, the words in brackets all in one column.
///
/// Words of examples are shown as in a [grid](super::grid()). O(words of the examples).
///
/// ```
/// use alinea::alignment::Link;
/// use alinea::bitext::Side;
/// use alinea::concordance::{Concordance, ConcordanceConfig, LinkedPair, Query};
/// use alinea::view::{Style, headword_text};
///
/// let config = ConcordanceConfig::default().with(|config| config.examples = 1);
/// let links = [(Link::new(0, 0), Some(0.9)), (Link::new(1, 1), Some(0.8))];
/// let found = Concordance::build(&config, &Query::words(["house"], false)?, |visit| {
///     visit(&LinkedPair::new(&["the", "house", "!"], &["la", "maison", "!"], &links))
/// });
/// let found: Concordance = found?;
/// let house = found.headwords().next().expect("it occurs");
/// let text = headword_text(&house, Side::Source, &Style::default().with(|style| style.width = 40));
/// let lines: Vec<&str> = text.lines().map(str::trim).collect();
/// assert_eq!(lines[0], "house  1");
/// assert!(lines[1].ends_with("maison") && lines[1].starts_with("1  100.0 %  0.80"));
/// assert!(lines[2].ends_with("the [house] !") && lines[3].ends_with("la [maison] !"));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[must_use]
pub fn headword_text(headword: &Headword, side: Side, style: &Style) -> String {
    let mut out = String::new();
    put(&mut out, format_args!("{}  {}\n", shown(&headword.word), headword.count));
    let name = |example: &Example| name_of(example).width().min(NAME);
    let all = headword.translations.iter().flat_map(|found| &found.examples).chain(&headword.untranslated_examples);
    let frame = Frame { names: all.map(name).max().unwrap_or(0), side, style };
    let digits = headword.count.to_string().len().max(5);
    for found in &headword.translations {
        let confidence = found.confidence.map_or_else(|| " ".repeat(4), |confidence| format!("{confidence:.2}"));
        let (count, share, score) = (found.count, 100.0 * found.share, found.log_likelihood);
        let words = shown(&found.words);
        put(&mut out, format_args!("  {count:>digits$}  {share:>5.1} %  {confidence}  {score:>9.1}  {words}\n"));
        frame.push(&found.examples, &mut out);
    }
    let row = |count: u64, name: &str, out: &mut String| {
        let share = 100.0 * count as f64 / headword.count as f64;
        put(out, format_args!("  {count:>digits$}  {share:>5.1} %  {:4}  {:9}  {name}\n", "", ""));
    };
    let [types, count] = headword.others;
    if types > 0 {
        row(count, &format!("({types} other translation{})", if types == 1 { "" } else { "s" }), &mut out);
    }
    if headword.untranslated > 0 {
        row(headword.untranslated, UNTRANSLATED, &mut out);
        frame.push(&headword.untranslated_examples, &mut out);
    }
    out
}

/// Words with blanks between, each as it can be shown.
fn shown(words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let direction = Direction::of(&words);
    let word = |word: &&str| text_of(&cells_within(word, WORD));
    let words: Vec<String> = words.iter().map(word).collect();
    direction.isolate(&words.join(" "))
}

/// What an example is called.
fn name_of(example: &Example) -> String {
    let sentence = &example.sentence;
    sentence.name.clone().unwrap_or_else(|| format!("#{}", sentence.number))
}

/// How examples stand in the text.
struct Frame<'a> {
    /// The columns of the longest name.
    names: usize,
    side: Side,
    style: &'a Style,
}

impl Frame<'_> {
    fn push(&self, examples: &[Example], out: &mut String) {
        for example in examples {
            let name = cells_within(&name_of(example), NAME);
            let first = INDENT + self.names + 2;
            let width = self.style.width.saturating_sub(first).max(20);
            blanks(out, INDENT);
            out.push_str(&Direction::LeftToRight.isolated(&text_of(&name)));
            blanks(out, (self.names + 2).saturating_sub(columns_of(&name)));
            let sides = match self.side {
                Side::Source => [0, 1],
                Side::Target => [1, 0],
            };
            for (n, side) in sides.into_iter().enumerate() {
                if n > 0 {
                    blanks(out, first);
                }
                push_line(&example.sentence.words[side], &example.places[side], width, self.style, out);
            }
        }
    }
}
