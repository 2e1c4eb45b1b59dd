//! Sentence pairs with their links, to be drawn: pages for a browser, and pictures of one pair.
//!
//! `DrawnPairs` has both texts, sets of links with or without confidences, gold standards, and trees for the sentences
//! that are not empty. It is made once, which refuses whatever is not of one length; its methods draw some of the pairs,
//! and refuse links outside of their sentences, with the name of the set and the number of the pair. A page shows all
//! sets, a picture of one pair the first set and the first gold standard. Pages are written one pair after another; files
//! are complete or absent. `write_picture` writes what was drawn, unless the name of the file says another kind.

use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use alinea::alignment::{GoldAlignment, WeightedLink};
use alinea::bitext::Text;
use alinea::error::{Error, ErrorKind, Position, Result};
use alinea::format::alignment::{Base, LinkRecord, PairRecord};
use alinea::format::sink;
use alinea::progress::{Observer, check};
use alinea::tree::{ParsedSentence, Roots};
use alinea::view::{
    DrawnTree, HtmlPage, Layer, PagePair, PageWriter, PictureFormat, Style, Trees, dot, grid, interlinear, svg,
};
use numpy::ndarray::ArrayView1;
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::links::{ReadLinks, alignment};
use crate::project::ReadTrees;
use crate::text::{self, TextOptions, file};
use crate::work::run;

/// A set of links.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadLayer<'py> {
    name: String,
    /// Whether it is a gold standard.
    gold: bool,
    /// Sure and possible links of each pair; nothing where a gold standard has none of the pair.
    pairs: Vec<Option<(ReadLinks<'py>, ReadLinks<'py>)>>,
    /// How confident an aligner is of all sure links, one after another.
    confidences: Option<PyReadonlyArray1<'py, f32>>,
}

/// A set of links with its name, and its links of each pair.
type DrawnLayer = (Layer, Vec<Option<Vec<LinkRecord>>>);

/// The tree of each sentence; none of those without words.
type PlacedTrees = Vec<Option<ParsedSentence>>;

/// Sentence pairs that can be drawn.
#[pyclass(frozen, name = "DrawnPairs", module = "alinea._native")]
pub(crate) struct DrawnPairs {
    texts: [Text; 2],
    layers: Vec<DrawnLayer>,
    trees: [Option<PlacedTrees>; 2],
}

#[pymethods]
impl DrawnPairs {
    /// Reads everything.
    #[new]
    fn new(
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        layers: Vec<ReadLayer<'_>>,
        source_trees: Option<ReadTrees>,
        target_trees: Option<ReadTrees>,
    ) -> PyResult<Self> {
        let texts = text::read_both([source, target], TextOptions::AS_IS)?;
        let layers = layers.into_iter().map(drawn_layer).collect::<Result<Vec<DrawnLayer>>>().map_err(to_python)?;
        run(source.py(), move |_| {
            let [sentences, translations] = texts.each_ref().map(Text::len);
            check_length("source", sentences, "target", translations)?;
            for (layer, links) in &layers {
                check_length(&layer.name, links.len(), "source", sentences)?;
            }
            let trees = [
                placed_trees(source_trees, &texts[0], "source_trees")?,
                placed_trees(target_trees, &texts[1], "target_trees")?,
            ];
            let drawn = Self { texts, layers, trees };
            // What is wrong for a page is wrong for a picture as well.
            drawn.empty_page(String::new())?;
            Ok(drawn)
        })
    }

    fn __len__(&self) -> usize {
        self.texts[0].len()
    }

    /// The page for a browser of the pairs from `first` up to `end`, from 0.
    fn page(&self, py: Python<'_>, title: String, first: usize, end: usize) -> PyResult<String> {
        let page = run(py, move |observer| {
            self.write_to(Vec::new(), "the page".to_owned(), title, self.pairs(first, end), observer)
        })?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    }

    /// Writes the page of all pairs.
    fn write_page(&self, py: Python<'_>, path: PathBuf, title: String) -> PyResult<()> {
        let path = file(path);
        run(py, move |observer| {
            check_name(&path, PictureFormat::Html)?;
            let (output, name) = (sink::create(&path)?, path.display().to_string());
            self.write_to(output, name, title, self.pairs(0, usize::MAX), observer)?.finish()
        })
    }

    /// The picture of pair `number`, from 0.
    fn draw(&self, py: Python<'_>, number: usize, kind: &str) -> PyResult<String> {
        let format: PictureFormat = kind.parse().map_err(to_python)?;
        run(py, move |_| self.picture(number, format))
    }
}

impl DrawnPairs {
    /// The pairs from `first` up to `end`, as far as there are any.
    fn pairs(&self, first: usize, end: usize) -> Range<usize> {
        let pairs = self.texts[0].len();
        first.min(pairs)..end.min(pairs)
    }

    /// A page without pairs yet.
    fn empty_page(&self, title: String) -> Result<HtmlPage> {
        HtmlPage::new(title, self.layers.iter().map(|(layer, _)| layer.clone()).collect())
    }

    /// Writes a page of some pairs, and gives back what it has written to, which errors call `name`.
    fn write_to<W: Write>(
        &self,
        out: W,
        name: String,
        title: String,
        pairs: Range<usize>,
        observer: &dyn Observer,
    ) -> Result<W> {
        self.check_links(&pairs)?;
        let mut page = PageWriter::new(self.empty_page(title)?, out, name)?;
        for n in pairs {
            check(observer)?;
            let [source, target] = self.texts.each_ref().map(|text| words(text, n));
            let layers = || self.layers.iter().map(move |(_, links)| links[n].as_deref());
            let links: Vec<&[LinkRecord]> = layers().map(Option::unwrap_or_default).collect();
            let annotated: Vec<bool> = layers().map(|links| links.is_some()).collect();
            let pair = PagePair::new(n as u64 + 1, &source, &target, &links).with_annotated(&annotated);
            page.pair(&pair.with_trees(self.trees(n)))?;
        }
        page.finish()
    }

    /// The picture of one pair, by the first set of links and the first gold standard.
    fn picture(&self, number: usize, format: PictureFormat) -> Result<String> {
        let pairs = self.pairs(number, number.saturating_add(1));
        if pairs.is_empty() {
            return Err(Error::config("line", number.saturating_add(1), "that of a pair"));
        }
        self.check_links(&pairs)?;
        let record = |gold: bool| {
            let (_, links) = self.layers.iter().find(|(layer, _)| layer.gold == gold)?;
            Some(PairRecord { links: links[number].clone()?, ..PairRecord::default() })
        };
        let links = record(false).unwrap_or_default();
        let people = record(true).map(|people| people.gold());
        let weighted = |record: &LinkRecord| Some(WeightedLink { link: record.link, weight: record.weight? });
        let weights: Vec<WeightedLink> = links.links.iter().filter_map(weighted).collect();
        let (links, people, style) = (links.alignment(), people.as_ref(), Style::default());
        let [source, target] = self.texts.each_ref().map(|text| strings(text, number));
        Ok(match format {
            PictureFormat::Svg => svg(&source, &target, &links, people, &weights, &self.trees(number)),
            PictureFormat::Dot => dot(&source, &target, &links, people, &weights),
            PictureFormat::Grid => grid(&source, &target, &links, people, &style),
            PictureFormat::Interlinear => interlinear(&source, &target, &links, people, &style),
            PictureFormat::Html => return Err(Error::config("format", format, "that of a picture of one pair")),
        })
    }

    /// The trees of pair `number`.
    fn trees(&self, number: usize) -> Trees<'_> {
        let tree = |side: usize| {
            let sentence = self.trees[side].as_ref()?.get(number)?.as_ref()?;
            DrawnTree::of(sentence, self.texts[side].sentence(number).len())
        };
        Trees { source: tree(0), target: tree(1) }
    }

    /// Refuses links outside of the sentences of these pairs.
    fn check_links(&self, pairs: &Range<usize>) -> Result<()> {
        for (layer, links) in &self.layers {
            for number in pairs.clone() {
                let [source, target] = self.texts.each_ref().map(|text| text.sentence(number).len());
                let is_inside = |record: &LinkRecord| {
                    (record.link.source as usize) < source && (record.link.target as usize) < target
                };
                let Some(links) = &links[number] else { continue };
                if !links.iter().all(is_inside) {
                    let record = PairRecord { links: links.clone(), ..PairRecord::default() };
                    let place = Position::new(layer.name.as_str(), number as u64 + 1, 0);
                    record.check_range(Some(source), Some(target), &place, Base::Zero)?;
                }
            }
        }
        Ok(())
    }
}

/// Writes a picture to a file, which is complete or absent, and whose name says no other kind.
#[pyfunction]
pub(crate) fn write_picture(py: Python<'_>, path: PathBuf, text: &str, kind: &str) -> PyResult<()> {
    let format: PictureFormat = kind.parse().map_err(to_python)?;
    let path = file(path);
    run(py, move |_| {
        check_name(&path, format)?;
        let mut output = sink::create(&path)?;
        output.write_bytes(text.as_bytes())?;
        output.finish()
    })
}

/// Refuses a file whose name says another kind.
fn check_name(path: &Path, format: PictureFormat) -> Result<()> {
    let allowed = match format {
        _ if format.fits(path) => return Ok(()),
        PictureFormat::Html => "a name for html, such as .html",
        PictureFormat::Svg => "a name for svg, such as .svg",
        PictureFormat::Grid => "a name for grid, such as .txt",
        PictureFormat::Interlinear => "a name for interlinear, such as .txt",
        PictureFormat::Dot => "a name for dot, such as .dot",
    };
    Err(Error::config("path", path.display(), allowed))
}

/// A set of links as it is drawn.
fn drawn_layer(layer: ReadLayer<'_>) -> Result<DrawnLayer> {
    let ReadLayer { name, gold, pairs, confidences } = layer;
    let Some(confidences) = confidences else {
        let links = |(sure, possible): &(ReadLinks<'_>, ReadLinks<'_>)| {
            let links = GoldAlignment::from_parts(alignment(sure), &alignment(possible));
            PairRecord::from_gold(0, &links).links
        };
        return Ok((Layer { name, gold }, pairs.iter().map(|pair| pair.as_ref().map(links)).collect()));
    };
    let expected = pairs.iter().flatten().map(|(sure, _)| sure.as_array().nrows()).sum::<usize>();
    let found = confidences.len();
    if found != expected {
        return Err(inconsistent(format!("{name}: {found} confidences of {expected} links")));
    }
    let confidences = confidences.as_array();
    if let Some(wrong) = confidences.iter().find(|confidence| !confidence.is_finite()) {
        return Err(Error::config("confidences", wrong, "finite numbers"));
    }
    let mut confidences = confidences.iter();
    let links = pairs.iter().map(|pair| pair.as_ref().map(|(sure, _)| confident(sure, confidences.by_ref())));
    Ok((Layer { name, gold }, links.collect()))
}

/// Links with their confidences. Rows with fewer than two columns are no links.
fn confident<'c>(links: &ReadLinks<'_>, confidences: impl Iterator<Item = &'c f32>) -> Vec<LinkRecord> {
    let links = links.as_array();
    let record = |(row, &confidence): (ArrayView1<'_, u32>, _)| {
        Some(LinkRecord::sure(*row.get(0)?, *row.get(1)?).with_weight(confidence))
    };
    links.rows().into_iter().zip(confidences).filter_map(record).collect()
}

/// The trees of the argument `name`, each beside its sentence; nothing if there are none.
fn placed_trees(trees: Option<ReadTrees>, text: &Text, name: &str) -> Result<Option<PlacedTrees>> {
    let Some(trees) = trees else { return Ok(None) };
    let mut trees = trees.read(name, Roots::Many)?.into_iter();
    let mut placed = Vec::with_capacity(text.len());
    for number in 1..=text.len() {
        let words = text.sentence(number - 1).len();
        if words == 0 {
            placed.push(None);
            continue;
        }
        let none = || inconsistent(format!("{name}: no tree for sentence {number}"));
        let tree = trees.next().ok_or_else(none)?;
        if DrawnTree::of(&tree, words).is_none() {
            let found = tree.len();
            return Err(inconsistent(format!(
                "{name}: sentence {number} has {found} words there, {words} in the text"
            )));
        }
        placed.push(Some(tree));
    }
    if trees.next().is_some() {
        return Err(inconsistent(format!("{name}: more trees than nonempty sentences")));
    }
    Ok(Some(placed))
}

fn words(text: &Text, number: usize) -> Vec<&[u8]> {
    text.sentence(number).iter().map(|&id| text.vocabulary().word(id)).collect()
}

fn strings(text: &Text, number: usize) -> Vec<Cow<'_, str>> {
    words(text, number).into_iter().map(String::from_utf8_lossy).collect()
}

/// Refuses two things, called by their names, of different length.
fn check_length(first: &str, first_length: usize, second: &str, second_length: usize) -> Result<()> {
    if first_length == second_length {
        return Ok(());
    }
    Err(Error::unequal_lengths(first, first_length as u64, second, second_length as u64))
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}
