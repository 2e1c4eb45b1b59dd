//! `alinea view --dpath`: pictures of why `alinea metric --metric dpath` scores as it does.
//!
//! Reads references and translations in CoNLL-U. Words are linked by a file, by comments, or by matching, as in the
//! metric, and the options for matching and paths are the same. Each segment is explained by the path pairs of the
//! spanning tree and their costs; with `--graph` by those of all pairs of aligned words, with the tree among them.
//!
//! Writes a page of all segments, or of those that `--line` or `--lines` select, or an SVG file of one segment;
//! `--graph` is for SVG alone. Files are read only up to the last segment that is wanted.

use std::path::PathBuf;
use std::slice;

use alinea::error::Result;
use alinea::format::alignment::LinkRecord;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::sink::{self, Output};
use alinea::metric::dependency_path::{DependencyPath, Explanation};
use alinea::metric::meteor::Synonyms;
use alinea::progress;
use alinea::tree::{ParsedSentence, Roots};
use alinea::view::{
    DrawnTree, HtmlPage, Layer, PagePair, PageWriter, PictureFormat, Trees, meta_graph_svg, path_pairs_svg,
};
use anyhow::bail;

use super::args::{Args, LINK_FILES};
use crate::context::Context;
use crate::input::links::{LinkReader, counted};
use crate::input::paths::Role;
use crate::input::trees::{MatchingArgs, ParsedSegment, PathArgs, RootsName, TreeOptions, TreeStreams, Units};

/// Whether dependency paths are drawn, and how they are compared.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Dependency paths")]
pub(super) struct DrawnPathArgs {
    /// Explain scores of `alinea metric --metric dpath`: SOURCE and TARGET are references and translations in CoNLL-U
    #[arg(long, conflicts_with_all = ["gold", "source_trees", "target_trees", "first", "lossy"])]
    pub(super) dpath: bool,
    /// Draw the graph of all pairs of aligned words instead, with the chosen tree, as an SVG file
    #[arg(long, requires = "dpath")]
    graph: bool,
    /// Units that links connect
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Units::Words, requires_all = ["dpath", LINK_FILES])]
    units: Units,
    /// Number of roots a tree may have
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = RootsName::One, requires = "dpath")]
    roots: RootsName,
    /// Also match synonyms: one set per line, separated by whitespace
    #[arg(long, value_name = "FILE", requires = "dpath")]
    pub(super) synonyms: Option<PathBuf>,
    #[command(flatten)]
    matching: MatchingArgs,
    #[command(flatten)]
    paths: PathArgs,
}

impl DrawnPathArgs {
    /// Refuses what says how paths are compared where none are drawn.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if !self.dpath && (self.matching.any() || self.paths.any()) {
            bail!("options for matching words and comparing paths need --dpath");
        }
        Ok(())
    }

    fn metric(&self) -> anyhow::Result<DependencyPath> {
        let read = |path: &PathBuf| Synonyms::read(LineReader::open(path, Utf8::Strict)?);
        self.paths.metric(&self.matching, self.synonyms.as_ref().map(read).transpose()?, false)
    }
}

impl Args {
    /// Files that only paths are drawn with.
    pub(super) fn path_inputs(&self) -> impl Iterator<Item = Role<'_>> {
        self.paths.synonyms.iter().map(|path| Role::new("--synonyms", path))
    }
}

/// Draws them.
pub(super) fn run(args: &Args, picture: PictureFormat, context: &Context) -> anyhow::Result<()> {
    let files = args.link_files();
    if files.len() > 1 {
        bail!("--dpath draws one set of links");
    }
    let Some((reference, system)) = args.texts() else { bail!("--dpath needs two files of trees, not --bitext") };
    let metric = args.paths.metric()?;
    let formats = args.reading.formats()?;
    let links = files.iter().map(|file| LinkReader::open(slice::from_ref(&file.path), &formats.links));
    let options = TreeOptions { roots: Roots::from(args.paths.roots), units: args.paths.units, relations: true };
    let (references, systems) = (slice::from_ref(reference), slice::from_ref(system));
    let streams = TreeStreams::open(references, systems, links.collect::<anyhow::Result<_>>()?, options)?;
    match picture {
        _ if args.paths.graph && picture != PictureFormat::Svg => bail!("--graph draws an SVG file (-o FILE.svg)"),
        PictureFormat::Html => page(args, &metric, streams, context),
        PictureFormat::Svg => svg(args, &metric, streams),
        _ => bail!("{picture}: paths are drawn in SVG files (-o FILE.svg) and pages (-o FILE.html)"),
    }
}

/// A page of all pairs, or of those that were named.
fn page(args: &Args, metric: &DependencyPath, mut streams: TreeStreams, context: &Context) -> anyhow::Result<()> {
    let files = args.link_files();
    let name = files.first().map_or("links", |file| file.name.as_str());
    let page = HtmlPage::new(args.title(), vec![Layer::system(name)])?;
    let output = sink::create(&args.output)?;
    let name = output.name().to_owned();
    let mut page = PageWriter::new(page, output, name)?;
    let lines = args.lines();
    let mut read = 0;
    while lines.as_ref().is_none_or(|lines| read < *lines.end()) {
        progress::check(context.observer())?;
        let Some(segment) = streams.next()? else { break };
        read = segment.number;
        if lines.as_ref().is_none_or(|lines| lines.contains(&read)) {
            Drawn::new(metric, &segment, false)?.on_page(&mut page, read)?;
        }
    }
    if let Some(lines) = lines.filter(|lines| read < *lines.end()) {
        return Err(no_pair(args, read.max(*lines.start() - 1) + 1, read));
    }
    page.finish()?.finish()?;
    Ok(())
}

/// A picture of one pair.
fn svg(args: &Args, metric: &DependencyPath, mut streams: TreeStreams) -> anyhow::Result<()> {
    let lines = args.lines().unwrap_or(1..=1);
    if lines.start() != lines.end() {
        bail!("an SVG file has one picture: --line names the pair");
    }
    let mut read = 0;
    while let Some(segment) = streams.next()? {
        read = segment.number;
        if lines.contains(&read) {
            let mut output = sink::create(&args.output)?;
            output.write_bytes(Drawn::new(metric, &segment, args.paths.graph)?.svg().as_bytes())?;
            output.finish()?;
            return Ok(());
        }
    }
    Err(no_pair(args, *lines.start(), read))
}

fn no_pair(args: &Args, wanted: u64, read: u64) -> anyhow::Error {
    let name = args.texts().map(|(reference, _)| reference.display().to_string()).unwrap_or_default();
    anyhow::anyhow!("there is no pair {wanted}: {name} has {}", counted(read, "sentence"))
}

/// A pair, with what is drawn of it.
struct Drawn<'s> {
    words: [Vec<&'s str>; 2],
    trees: Trees<'s>,
    found: Explanation,
    graph: bool,
}

impl<'s> Drawn<'s> {
    fn new(metric: &DependencyPath, segment: &'s ParsedSegment, graph: bool) -> Result<Self> {
        let (reference, hypothesis) = (&segment.references[0], &segment.hypotheses[0]);
        let links = &segment.links[0];
        let found = if graph {
            metric.explain_graph(&[reference], hypothesis, links)?
        } else {
            metric.explain(&[reference], hypothesis, links)?
        };
        let sides: [&ParsedSentence; 2] = [reference, hypothesis];
        let words = sides.map(|sentence| (0..).take(sentence.len()).map(|word| sentence.word(word).form()).collect());
        let [source, target] = sides.map(|sentence| DrawnTree::of(sentence, sentence.len()));
        Ok(Self { words, trees: Trees { source, target }, found, graph })
    }

    fn svg(&self) -> String {
        if self.graph {
            return meta_graph_svg(&self.words[0], &self.words[1], &self.found);
        }
        path_pairs_svg(&self.words[0], &self.words[1], &self.trees, &self.found)
    }

    /// Writes the pair of this number on a page.
    fn on_page(&self, page: &mut PageWriter<Output>, number: u64) -> Result<()> {
        let links: Vec<LinkRecord> =
            self.found.links.iter().map(|link| LinkRecord::sure(link.source, link.target)).collect();
        let layers = [links.as_slice()];
        let pair = PagePair::new(number, &self.words[0], &self.words[1], &layers);
        page.pair(&pair.with_trees(self.trees.clone()).with_paths(&self.found))
    }
}
