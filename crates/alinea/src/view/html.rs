//! Sentence pairs as one page for a browser, with nothing outside the file.
//!
//! The page has a list of all pairs, to be searched, filtered and sorted, and pictures of the pair that was chosen: two rows
//! of words with lines between them and trees outside, two columns of words for narrow screens, a matrix, or, for long
//! sentences, interlinear words. Sentences that run from right to left do so in all of them. There may be several sets of
//! links, the *layers*: systems, gold standards, annotators. Any of them is shown, and compared with any other, one at a time
//! or all side by side. Only what is compared with a gold standard is sure, possible, wrong or missed. Against a gold standard there is a second tab, with tables of scores and,
//! where links have confidences, curves (`evaluation`). A gold standard may be of a part of the pairs, of which the page
//! then says how many they are.
//!
//! What is written is a frame (`page.html`, with `page.css` and four scripts) around the pairs as JSON, so that a page
//! flows through: [`HtmlPage::start`], a [`HtmlPage::pair`] for each, [`HtmlPage::end`]; a [`PageWriter`] writes them. The JSON
//! is one object:
//!
//! ```text
//! {"layers": [{"name": "links", "gold": false}, …],
//!  "pairs": [{"n": 1, "s": ["das", …], "t": ["the", …], "l": [[[0, 0], [1, 2, 1, 0.5], …], …], "st": …, "tt": …,
//!             "o": …, "e": …}, …]}
//! ```
//!
//! with `l` the links of each layer, null where it has none of the pair: source, target, 1 if only possible, and the
//! confidence; and `st` and `tt` the trees:
//! for each word the position of its head (-1 for a root), its relation and its part of speech. Where dependency paths are
//! explained `o` has order, cost, the most that it could be, and coverage, and `e` the edges of the spanning tree, the most
//! costly first: cost, the most, and for each side two words and the path between them, or null. Whatever characters words
//! have, the JSON gives them back, except that bytes which are not UTF-8 become `�`; `<` is written as an escape, so that
//! no word ends the script. The page forbids itself (by a Content Security Policy) to load anything.
//!
//! ```
//! use alinea::format::alignment::LinkRecord;
//! use alinea::view::{HtmlPage, Layer, PagePair};
//!
//! let mut page = HtmlPage::new("Two houses", vec![Layer::system("links"), Layer::gold("people")])?;
//! let mut text = page.start();
//! let [links, people] = [[LinkRecord::sure(0, 0)], [LinkRecord::sure(0, 0)]];
//! text += &page.pair(&PagePair::new(1, &["Haus"], &["house"], &[&links, &people]))?;
//! text += &page.end()?;
//! assert!(text.starts_with("<!DOCTYPE html>"));
//! assert!(text.contains(r#"{"n":1,"s":["Haus"],"t":["house"],"l":[[[0,0]],[[0,0]]]}"#));
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod charts;
mod escaping;
mod evaluation;
mod layer;
mod pair;

pub use layer::Layer;
pub use pair::PagePair;

use std::collections::BTreeSet;
use std::io::Write;

use self::escaping::inconsistent;
pub(super) use self::escaping::{harmless, push_escaped};
use self::evaluation::Evaluated;
use crate::error::{Error, Result};

const FRAME: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = concat!(
    include_str!("html/data.js"),
    include_str!("html/pictures.js"),
    include_str!("html/paths.js"),
    include_str!("html/page.js")
);

/// A page that is being written; the module has the order of its parts.
#[derive(Debug)]
pub struct HtmlPage {
    title: String,
    layers: Vec<Layer>,
    evaluated: Option<Evaluated>,
    pairs: u64,
}

impl HtmlPage {
    /// A page of pairs with these layers. If there are both systems and gold standards, it will have their evaluation,
    /// which takes memory for all links.
    ///
    /// # Errors
    /// `Inconsistent` if there is no layer, or if two have the same name.
    pub fn new(title: impl Into<String>, layers: Vec<Layer>) -> Result<Self> {
        let mut names = BTreeSet::new();
        if let Some(layer) = layers.iter().find(|layer| !names.insert(layer.name.as_str())) {
            return Err(inconsistent(format!("two sets of links are called {}", layer.name)));
        }
        if layers.is_empty() {
            return Err(inconsistent("a page needs a set of links".to_owned()));
        }
        let judged = layers.iter().any(|layer| layer.gold) && layers.iter().any(|layer| !layer.gold);
        let evaluated = judged.then(|| Evaluated::new(layers.len()));
        Ok(Self { title: title.into(), layers, evaluated, pairs: 0 })
    }

    /// What comes before the pairs.
    #[must_use]
    pub fn start(&self) -> String {
        let layer = |layer: &Layer| serde_json::json!({"name": layer.name, "gold": layer.gold});
        let layers: serde_json::Value = self.layers.iter().map(layer).collect();
        let mut out = String::new();
        for (n, piece) in frame("{data}").0.split("{title}").enumerate() {
            if n > 0 {
                push_escaped(&mut out, &self.title);
            }
            match piece.split_once("{style}") {
                Some((before, after)) => out.extend([before, STYLE, after]),
                None => out += piece,
            }
        }
        out + "{\"layers\":" + &harmless(layers.to_string()) + ",\"pairs\":["
    }

    /// The next pair.
    ///
    /// # Errors
    /// `Inconsistent` if it has links of more or fewer layers than the page, or says of more or fewer whether they have
    /// any, or has a tree of more or fewer words than its sentence.
    pub fn pair<S: AsRef<[u8]>, T: AsRef<[u8]>>(&mut self, pair: &PagePair<'_, S, T>) -> Result<String> {
        if pair.links.len() != self.layers.len() {
            let (found, expected) = (pair.links.len(), self.layers.len());
            return Err(inconsistent(format!("pair {}: {found} sets of links on a page of {expected}", pair.number)));
        }
        if let Some(annotated) = pair.annotated.filter(|annotated| annotated.len() != self.layers.len()) {
            let (found, expected) = (annotated.len(), self.layers.len());
            return Err(inconsistent(format!("pair {}: annotated says {found} of {expected} layers", pair.number)));
        }
        let json = pair.json()?;
        if let Some(evaluated) = &mut self.evaluated {
            evaluated.push(pair.links, |layer| pair.has(layer));
        }
        self.pairs += 1;
        Ok(format!("{}{json}", if self.pairs == 1 { "\n" } else { ",\n" }))
    }

    /// What comes after the pairs.
    ///
    /// # Errors
    /// `Config` if a confidence is no number.
    pub fn end(self) -> Result<String> {
        let (before, after) = frame("{data}").1.split_once("{evaluation}").unwrap_or_default();
        let mut out = "\n]}".to_owned() + before;
        if let Some(evaluated) = &self.evaluated {
            out += &evaluated.html(&self.layers)?;
        }
        let (before, after) = after.split_once("{script}").unwrap_or_default();
        out.extend([before, SCRIPT, after]);
        Ok(out)
    }
}

/// A page that is being written somewhere: a file, or memory.
///
/// ```
/// use alinea::format::alignment::LinkRecord;
/// use alinea::view::{HtmlPage, Layer, PagePair, PageWriter};
///
/// let page = HtmlPage::new("Two houses", vec![Layer::system("links")])?;
/// let mut page = PageWriter::new(page, Vec::new(), "the page")?;
/// page.pair(&PagePair::new(1, &["Haus"], &["house"], &[&[LinkRecord::sure(0, 0)]]))?;
/// let text = String::from_utf8(page.finish()?).unwrap();
/// assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct PageWriter<W> {
    page: HtmlPage,
    out: W,
    name: String,
}

impl<W: Write> PageWriter<W> {
    /// Begins to write a page; errors call what it is written to by this name.
    ///
    /// # Errors
    /// `Io` if it cannot be written.
    pub fn new(page: HtmlPage, out: W, name: impl Into<String>) -> Result<Self> {
        let start = page.start();
        let mut writer = Self { page, out, name: name.into() };
        writer.write(&start)?;
        Ok(writer)
    }

    /// Writes the next pair.
    ///
    /// # Errors
    /// As [`HtmlPage::pair`]; `Io` if it cannot be written.
    pub fn pair<S: AsRef<[u8]>, T: AsRef<[u8]>>(&mut self, pair: &PagePair<'_, S, T>) -> Result<()> {
        let text = self.page.pair(pair)?;
        self.write(&text)
    }

    /// Writes what comes after the pairs, and gives back what it has written to.
    ///
    /// # Errors
    /// As [`HtmlPage::end`]; `Io` if it cannot be written.
    pub fn finish(self) -> Result<W> {
        let Self { page, mut out, name } = self;
        let end = page.end()?;
        out.write_all(end.as_bytes()).map_err(|error| Error::io(name, error))?;
        Ok(out)
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(|error| Error::io(&self.name, error))
    }
}

/// The frame before and after a mark in it.
fn frame(mark: &str) -> (&'static str, &'static str) {
    FRAME.split_once(mark).unwrap_or_default()
}

#[cfg(test)]
mod tests;
