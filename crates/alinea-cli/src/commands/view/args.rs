//! The options of `alinea view`, and what follows from them.
//!
//! What is drawn is the value of `--format`, or follows from the name of the output (`PictureFormat` of the library):
//! SVG for `.svg`, a graph for `.dot` and `.gv`, a page for `.html` and `.htm`, a grid for `.txt` and for the terminal,
//! devices and pipes. A file of any other name is refused, so that nobody gets a grid in a PDF. Pages show all pairs,
//! and all other kinds the first one, unless `--line` or `--lines` select some. Links are the positional arguments, or
//! the values of `--links`.
//!
//! `check_one` refuses what only pages have: several sets of links or gold standards, a title, `--first`; trees also
//! need a page or SVG. `DrawingArgs` settles the width of drawings in the terminal (the option, the terminal, 100
//! columns) and their color (the option; by itself only on a terminal, and if `NO_COLOR` is not set).

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use alinea::format::bitext::BitextSource;
use alinea::format::sink;
use alinea::format::source::is_dash;
use alinea::view::{Marks, PictureFormat, Style};
use anyhow::{Context as _, anyhow, bail};
use clap::builder::PossibleValue;
use clap::{ArgGroup, ValueEnum};
use terminal_size::{Width, terminal_size_of};

use super::path_pairs::DrawnPathArgs;
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::annotated::NamedFile;
use crate::input::kind::{KindParser, letter};
use crate::input::links::LinkArgs;
use crate::input::pairs::BitextFileArgs;
use crate::input::paths::{Role, check_distinct};
use crate::input::sentences::BlanksArgs;

const LONG_ABOUT: &str = "\
Draw the links of sentence pairs. In the terminal: a grid (one row per source word, one column per target word, one \
mark per link) or interlinear lines. As pictures: words in two rows, with lines between them. As a page for a browser: \
all pairs, with search and filters, several sets of links side by side, and the evaluation against gold standards.

Examples:
  alinea view text.en text.fr links                     the first pair
  alinea view text.en text.fr links --line 42
  alinea view text.en text.fr links --gold gold.align   right, wrong, missed
  alinea view text.en text.fr links --lines 10-20 --color always | less -R
  alinea view text.en text.fr links -f interlinear
  alinea align text.en text.fr | alinea view text.en text.fr -
  alinea view text.en text.fr links --line 7 -o 7.svg   a picture
  alinea view text.en text.fr links -f dot | dot -Tpdf -o 1.pdf
  alinea view text.en text.fr links --line 7 --source-trees en.conllu -o 7.svg
  alinea view text.en text.fr links -o links.html       a page
  alinea view reference.conllu system.conllu --dpath -o order.html
                                                        explain scores of dependency paths
  alinea view reference.conllu system.conllu --dpath --graph -o graph.svg
                                                        all word pairs they choose from
  alinea view text.en text.fr old=a new=b -g Ann=ann.align -g Ben=ben.align -o all.html";

const AFTER_LONG_HELP: &str = "\
■ (# with --ascii) is a link. With --gold:
  ■ (#) sure        ○ (O) missed: sure, and not in the alignment
  □ (+) possible    ◦ (o) missed (possible)
  × (x) wrong

In pictures, missed links are dashed, and links with lower weights, if the file has weights, are fainter. Sentences in \
a right-to-left script, such as Hebrew or Arabic, are drawn from right to left.

The extension of the output chooses the format: FILE.svg, FILE.html, FILE.dot (or .gv) or FILE.txt, also with .gz or \
.zst. For any other name, give --format.

A page is one self-contained file; press `?` for keyboard shortcuts. It has all pairs, unless --line or --lines \
selects some; where the gold standard has fewer lines, it says how many pairs have gold links. If links have weights \
(align --posteriors or --format jsonl), its evaluation has the curve of precision \
and recall over the threshold and shows whether the weights are probabilities.

With --dpath a page or picture has both trees, the links, and the spanning tree of path pairs: a bracket below two \
words of the reference and one above their counterparts, in warmer colors for higher costs, with the cost and its \
maximum; --graph draws the graph from which the tree is chosen, all pairs with their costs. The links are those of \
ALIGNMENT, of comments `# links = 0-0 1-2` in the second file, or words are matched as by alinea metric.

Tree files have a sentence for each nonempty line, with the same number of words (or surface tokens).

Words are separated by spaces and tabs. Files are read only as far as needed.";

/// The arguments that name links.
pub(super) const LINK_FILES: &str = "link_files";

/// The width where the terminal does not tell one.
const WIDTH: usize = 100;

/// Draw the links of sentence pairs: in the terminal, as a picture or as a page for a browser
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
#[command(group(ArgGroup::new(LINK_FILES).multiple(true)))]
#[command(arg(letter("line_letter", 'l', "the line is --line")))]
#[command(arg(letter("picture_letter", 'p', "the kind of output is --format (-f)")))]
pub(crate) struct Args {
    /// Tokenized source sentences, one per line; with --bitext, links
    #[arg(value_name = "SOURCE", required_unless_present_all = ["bitext", "links"])]
    front: Option<PathBuf>,
    /// Tokenized target sentences; with --bitext, links
    #[arg(value_name = "TARGET", required_unless_present = "bitext")]
    second: Option<PathBuf>,
    /// Links, optionally named (NAME=FILE); a page shows several sets. With --dpath, words are matched if no links are
    /// given
    #[arg(value_name = "ALIGNMENT", required_unless_present_any = ["dpath", "links", "bitext"], group = LINK_FILES)]
    #[arg(value_parser = NamedFile::parser())]
    alignments: Vec<NamedFile>,
    #[command(flatten)]
    bitext: BitextFileArgs,
    /// More links, optionally named (NAME=FILE), like ALIGNMENT
    #[arg(long, value_name = "FILE", value_parser = NamedFile::parser(), group = LINK_FILES)]
    links: Vec<NamedFile>,
    /// Pair to draw, from 1 [default: 1; in pages, all]
    #[arg(long, value_name = "N", value_parser = parse_line)]
    pub(super) line: Option<u64>,
    /// Pairs to draw, from the first to the last
    #[arg(long, value_name = "A-B", conflicts_with = "line", value_parser = parse_lines)]
    pub(super) lines: Option<RangeInclusive<u64>>,
    /// Gold standard to compare with, optionally named (NAME=FILE); a page shows several
    #[arg(short, long, value_name = "FILE", value_parser = NamedFile::parser())]
    pub(super) gold: Vec<NamedFile>,
    /// Kind of output [default: by the extension of the output; grid for standard output]
    #[arg(short, long, alias = "picture", value_name = "FORMAT", value_parser = KindParser::<Named>::new())]
    format: Option<Named>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(super) output: PathBuf,
    /// Trees of the source sentences (CoNLL-U), drawn in pictures and pages
    #[arg(long, value_name = "FILE", help_heading = "Trees")]
    pub(super) source_trees: Option<PathBuf>,
    /// Trees of the target sentences
    #[arg(long, value_name = "FILE", help_heading = "Trees")]
    pub(super) target_trees: Option<PathBuf>,
    #[command(flatten)]
    pub(super) paths: DrawnPathArgs,
    #[command(flatten)]
    pub(super) drawing: DrawingArgs,
    /// Title of a page [default: the names of the texts]
    #[arg(long, value_name = "TEXT", help_heading = "Pages")]
    pub(super) title: Option<String>,
    /// Show only the first pairs, as many as the gold standard has
    #[arg(long, help_heading = "Pages")]
    pub(super) first: bool,
    #[command(flatten)]
    pub(super) reading: LinkArgs,
    #[command(flatten)]
    pub(super) blanks: BlanksArgs,
    /// Replace invalid UTF-8 in the texts with U+FFFD
    #[arg(long, help_heading = "Reading")]
    pub(super) lossy: bool,
}

/// What is drawn, as `--format` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named(PictureFormat);

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Self] {
        const {
            &[
                Self(PictureFormat::Grid),
                Self(PictureFormat::Interlinear),
                Self(PictureFormat::Dot),
                Self(PictureFormat::Svg),
                Self(PictureFormat::Html),
            ]
        }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.0.name());
        Some(match self.0 {
            PictureFormat::Grid => value.help("A grid for the terminal").alias("text"),
            PictureFormat::Interlinear => {
                value.help("Target words under the source words they are linked to, for the terminal")
            }
            PictureFormat::Dot => value.help("A graph for Graphviz"),
            PictureFormat::Svg => value.help("A picture as SVG, of one pair"),
            PictureFormat::Html => value.help("A page for a browser"),
        })
    }
}

/// How a grid or interlinear lines look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Drawing in the terminal")]
pub(super) struct DrawingArgs {
    /// Width in columns [default: that of the terminal, otherwise 100]
    #[arg(long, value_name = "N")]
    pub(super) width: Option<usize>,
    /// Whether to color marks
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,
    /// Draw with ASCII characters
    #[arg(long)]
    pub(super) ascii: bool,
}

/// Whether marks are colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// If standard output is a terminal and `NO_COLOR` is not set
    Auto,
    /// Yes
    Always,
    /// No
    Never,
}

/// Reads the number of a pair.
fn parse_line(value: &str) -> Result<u64, String> {
    value.parse().ok().filter(|&line| line > 0).ok_or_else(|| "expected a number from 1".to_owned())
}

/// Reads `3-7`, or `3` for one line.
pub(super) fn parse_lines(value: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = value.split_once('-').unwrap_or((value, value));
    match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected two numbers from 1 such as `3-7`, the smaller first".to_owned()),
    }
}

impl Args {
    /// What is drawn, as given or as the name of the output says.
    pub(super) fn picture(&self) -> anyhow::Result<PictureFormat> {
        match self.format {
            Some(Named(format)) if is_dash(&self.output) || format.fits(&self.output) => Ok(format),
            Some(Named(format)) => bail!("{}: the file name is not one for --format {format}", self.output.display()),
            None if is_dash(&self.output) => Ok(PictureFormat::Grid),
            None => of_name(&self.output),
        }
    }

    /// Source and target, if they are no one file.
    pub(super) fn texts(&self) -> Option<(&PathBuf, &PathBuf)> {
        let is_one = self.bitext.path().is_some();
        Some((self.front.as_ref()?, self.second.as_ref()?)).filter(|_| !is_one)
    }

    /// The sentences.
    pub(super) fn sentences(&self) -> anyhow::Result<BitextSource> {
        let texts = self.texts().map(|(source, target)| (source.as_path(), target.as_path()));
        self.bitext.source(texts)?.context("no text")
    }

    /// Links in the places of source and target, which are one file.
    fn moved(&self) -> impl Iterator<Item = NamedFile> {
        let is_one = self.bitext.path().is_some();
        let moved = [&self.front, &self.second].into_iter().flatten().filter(move |_| is_one);
        moved.map(|path| NamedFile::from(path.clone().into_os_string()))
    }

    /// The files of links, those of all systems.
    pub(super) fn link_files(&self) -> Vec<NamedFile> {
        self.moved().chain(self.alignments.iter().chain(&self.links).cloned()).collect()
    }

    /// The pairs that were named.
    pub(super) fn lines(&self) -> Option<RangeInclusive<u64>> {
        self.lines.clone().or_else(|| self.line.map(|line| line..=line))
    }

    /// The title of the page.
    pub(super) fn title(&self) -> String {
        let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let of_texts = || match (self.texts(), self.bitext.path()) {
            (Some((source, target)), _) => format!("{} – {}", name(source), name(target)),
            (None, path) => path.map(|path| name(&path.to_path_buf())).unwrap_or_default(),
        };
        self.title.clone().unwrap_or_else(of_texts)
    }

    /// Refuses what only pages have.
    pub(super) fn check_one(&self, kind: PictureFormat) -> anyhow::Result<()> {
        if self.link_files().len() > 1 || self.gold.len() > 1 {
            bail!("a picture has one set of links and one gold standard; a page has several (-o FILE.html)");
        }
        if self.title.is_some() || self.first {
            bail!("--first and --title are for pages (-o FILE.html); leave them out to draw one pair");
        }
        if kind != PictureFormat::Svg && (self.source_trees.is_some() || self.target_trees.is_some()) {
            bail!("trees are drawn in SVG files (-o FILE.svg) and pages (-o FILE.html)");
        }
        Ok(())
    }

    /// Refuses standard input for two files, and an output that is an input.
    pub(super) fn check_paths(&self) -> anyhow::Result<()> {
        let [first, second] = match self.bitext.path() {
            Some(_) => ["ALIGNMENT", "ALIGNMENT"],
            None => ["SOURCE", "TARGET"],
        };
        let texts =
            [(first, self.front.as_deref()), (second, self.second.as_deref()), ("--bitext", self.bitext.path())];
        let texts = texts.into_iter().filter_map(|(name, path)| Some(Role::new(name, path?)));
        let alignments = self.alignments.iter().map(|file| Role::new("ALIGNMENT", &file.path));
        let links = self.links.iter().map(|file| Role::new("--links", &file.path));
        let gold = self.gold.iter().map(|file| Role::new("--gold", &file.path));
        let trees = [("--source-trees", &self.source_trees), ("--target-trees", &self.target_trees)];
        let trees = trees.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_ref()?)));
        let files = texts.chain(alignments).chain(links).chain(gold).chain(trees);
        let roles: Vec<Role<'_>> = files.chain(self.path_inputs()).collect();
        check_distinct(&roles, &[Role::new("--output", &self.output)])
    }
}

/// What is drawn into a file of this name.
fn of_name(path: &Path) -> anyhow::Result<PictureFormat> {
    match PictureFormat::from_path(path) {
        Some(format) => Ok(format),
        None if sink::is_stream(path) => Ok(PictureFormat::Grid),
        None => {
            let mut unknown: anyhow::Result<PictureFormat> =
                Err(anyhow!("{}: cannot infer the kind of output from the file name", path.display()));
            if PictureFormat::is_unsupported(path) {
                unknown = unknown.hint("for PDF and PNG, use Graphviz: --format dot | dot -Tpdf -o FILE.pdf");
            }
            unknown.hint("use .svg, .html, .dot or .txt; or --format grid, interlinear, dot, svg or html")
        }
    }
}

impl DrawingArgs {
    pub(super) fn style(&self, to_stdout: bool, context: &Context) -> Style {
        let terminal = || terminal_size_of(std::io::stdout()).map(|(Width(width), _)| usize::from(width));
        let color = match self.color {
            Color::Auto => to_stdout && context.color_stdout(),
            Color::Always => true,
            Color::Never => false,
        };
        Style::default().with(|c| {
            c.width = self.width.or_else(|| if to_stdout { terminal() } else { None }).unwrap_or(WIDTH);
            c.color = color;
            c.marks = if self.ascii { Marks::Ascii } else { Marks::Unicode };
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_written() {
        let kind = |name: &str| of_name(Path::new(name)).ok();
        for (name, picture) in [
            ("a.svg", PictureFormat::Svg),
            ("b/a.svg.gz", PictureFormat::Svg),
            ("a.gv", PictureFormat::Dot),
            ("a.html.zst", PictureFormat::Html),
            ("a.txt", PictureFormat::Grid),
        ] {
            assert_eq!(kind(name), Some(picture), "{name}");
        }
        for name in ["a", "a.pdf", "a.png", "a.tex", "a.gz", "svg", ".svg", "/dev/missing.pdf"] {
            assert_eq!(kind(name), None, "{name}");
        }
    }

    #[test]
    fn ranges_of_lines_are_read() {
        assert_eq!(parse_lines("3-7"), Ok(3..=7));
        assert_eq!(parse_lines("3"), Ok(3..=3));
        for bad in ["", "-", "0-3", "7-3", "3-", "-3", "a-b", "1-2-3"] {
            assert!(parse_lines(bad).is_err(), "{bad}");
        }
    }
}
