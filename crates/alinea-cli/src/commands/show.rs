//! `alinea show`: sentence pairs with their links, as grids in the terminal or as pictures.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use alinea::alignment::WeightedLink;
use alinea::format::alignment::LinkRecord;
use alinea::format::sink;
use alinea::format::source::is_dash;
use alinea::progress;
use alinea::view::{Marks, Style, dot, grid, svg};
use anyhow::bail;
use clap::ValueEnum;
use terminal_size::{Width, terminal_size_of};

use super::Status;
use super::paths::{Role, check_distinct};
use crate::context::Context;
use crate::links::{LinkArgs, LinkReader, counted};
use crate::sentences::SentencePairs;

const LONG_ABOUT: &str = "\
Draws the links of sentence pairs in the terminal: a row a source word, a column a target word, a mark a link. Or as \
pictures: words in two rows, with lines between them.

Examples:
  alinea show text.en text.fr links                     the first pair
  alinea show text.en text.fr links --line 42
  alinea show text.en text.fr links --gold gold.align   right, wrong, missed
  alinea show text.en text.fr links --lines 10-20 --color always | less -R
  alinea align text.en text.fr | alinea show text.en text.fr -
  alinea show text.en text.fr links --line 7 -o 7.svg   a picture
  alinea show text.en text.fr links --picture dot | dot -Tpdf -o 1.pdf";

const AFTER_LONG_HELP: &str = "\
With --gold (and --ascii):
  ■ (#) sure        ○ (O) sure, but missed
  □ (+) possible    ◦ (o) possible, not in the alignment
  × (x) wrong

In pictures links that were missed are dashed, and the weights of links, where the file has any, make lines fainter.

Words are separated by blanks and tabs. Files are read only as far as needed.";

/// The width where the terminal does not tell one.
const WIDTH: usize = 100;

/// Draws the links of sentence pairs, in the terminal or as pictures
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The source sentences, tokenized, one a line
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// The target sentences
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// Their links
    #[arg(value_name = "ALIGNMENT")]
    alignment: PathBuf,
    /// The pair to draw, from 1
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    line: u64,
    /// The pairs to draw, from the first to the last
    #[arg(long, value_name = "A-B", conflicts_with = "line", value_parser = parse_lines)]
    lines: Option<RangeInclusive<u64>>,
    /// A gold standard to compare with
    #[arg(short, long, value_name = "FILE")]
    gold: Option<PathBuf>,
    /// What is drawn [default: svg or dot if the name of the output ends so, otherwise grid]
    #[arg(short, long, value_name = "KIND", value_enum)]
    picture: Option<Picture>,
    /// Where to write (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    drawing: DrawingArgs,
    #[command(flatten)]
    reading: LinkArgs,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// A grid for the terminal
    Grid,
    /// A graph for Graphviz
    Dot,
    /// A picture as SVG, of one pair
    Svg,
}

/// How a grid looks.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Drawing grids")]
struct DrawingArgs {
    /// Columns to draw in [default: those of the terminal, otherwise 100]
    #[arg(long, value_name = "N")]
    width: Option<usize>,
    /// Whether marks are colored
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// Draw with ASCII characters
    #[arg(long)]
    ascii: bool,
}

/// Whether marks are colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    /// If standard output is a terminal and `NO_COLOR` is not set
    Auto,
    /// Yes
    Always,
    /// No
    Never,
}

/// Reads `3-7`, or `3` for one line.
fn parse_lines(value: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = value.split_once('-').unwrap_or((value, value));
    match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected two numbers from 1 such as `3-7`, the smaller first".to_owned()),
    }
}

/// Draws them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    args.check_paths()?;
    let mut pairs = SentencePairs::open(&args.source, &args.target)?;
    let formats = args.reading.formats()?;
    let open = |path, format| LinkReader::open(std::slice::from_ref(path), format);
    let mut links = open(&args.alignment, &formats.links)?;
    let mut gold = args.gold.as_ref().map(|path| open(path, &formats.gold)).transpose()?;
    let lines = args.lines.clone().unwrap_or(args.line..=args.line);
    let picture = args.picture();
    if picture == Picture::Svg && lines.start() != lines.end() {
        bail!("an SVG file has one picture: --line names the pair");
    }
    let style = args.drawing.style(is_dash(&args.output), context);
    let mut output = sink::create(&args.output)?;
    for number in 1..=*lines.end() {
        go_on(&mut pairs, &mut links, gold.as_mut(), number.max(*lines.start()))?;
        if !lines.contains(&number) {
            continue;
        }
        progress::check(context.observer())?;
        // Graphs follow each other without anything between.
        let between = picture == Picture::Grid && lines.start() != lines.end();
        if between {
            output.write_bytes(format!("pair {number}\n\n").as_bytes())?;
        }
        output.write_bytes(draw(&pairs, &links, gold.as_ref(), picture, &style, context).as_bytes())?;
        if between && number < *lines.end() {
            output.write_bytes(b"\n")?;
        }
    }
    output.finish()?;
    Ok(Status::Success)
}

/// Goes to the next pair in all files, on the way to the one wanted.
fn go_on(
    pairs: &mut SentencePairs,
    links: &mut LinkReader,
    gold: Option<&mut LinkReader>,
    wanted: u64,
) -> anyhow::Result<()> {
    if !pairs.read()? {
        bail!("there is no pair {wanted}: {} has {}", pairs.name(), counted(pairs.number(), "line"));
    }
    for links in std::iter::once(links).chain(gold) {
        if !links.read()? {
            bail!("there is no pair {wanted}: {} has {}", links.name(), counted(links.number(), "pair"));
        }
    }
    Ok(())
}

/// The picture of the current pair. Links out of the sentences are named in it, and here.
fn draw(
    pairs: &SentencePairs,
    links: &LinkReader,
    gold: Option<&LinkReader>,
    picture: Picture,
    style: &Style,
    context: &Context,
) -> String {
    let (source, target) = (pairs.source(), pairs.target());
    for links in std::iter::once(links).chain(gold) {
        if let Some(error) = links.out_of_range(source.len(), target.len()) {
            context.warn(error);
        }
    }
    let people = gold.map(|gold| gold.record().gold());
    let (alignment, people) = (links.record().alignment(), people.as_ref());
    let weighted = |record: &LinkRecord| Some(WeightedLink { link: record.link, weight: record.weight? });
    let weights: Vec<WeightedLink> = links.record().links.iter().filter_map(weighted).collect();
    match picture {
        Picture::Grid => grid(&source, &target, &alignment, people, style),
        Picture::Dot => dot(&source, &target, &alignment, people, &weights),
        Picture::Svg => svg(&source, &target, &alignment, people, &weights),
    }
}

impl Args {
    /// What is drawn, as given or as the name of the output suggests.
    fn picture(&self) -> Picture {
        let suggested = match self.output.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Picture::Svg,
            Some("dot" | "gv") => Picture::Dot,
            _ => Picture::Grid,
        };
        self.picture.unwrap_or(suggested)
    }

    /// Refuses standard input for two files, and an output that is an input.
    fn check_paths(&self) -> anyhow::Result<()> {
        let gold = self.gold.as_ref().map(|path| Role::new("--gold", path));
        let files = [("SOURCE", &self.source), ("TARGET", &self.target), ("ALIGNMENT", &self.alignment)];
        let roles: Vec<Role<'_>> = files.into_iter().map(|(name, path)| Role::new(name, path)).chain(gold).collect();
        check_distinct(&roles, &[Role::new("--output", &self.output)])
    }
}

impl DrawingArgs {
    fn style(&self, to_stdout: bool, context: &Context) -> Style {
        let terminal = || terminal_size_of(std::io::stdout()).map(|(Width(width), _)| usize::from(width));
        let color = match self.color {
            Color::Auto => to_stdout && context.color_stdout(),
            Color::Always => true,
            Color::Never => false,
        };
        Style {
            width: self.width.or_else(|| if to_stdout { terminal() } else { None }).unwrap_or(WIDTH),
            color,
            marks: if self.ascii { Marks::Ascii } else { Marks::Unicode },
            ..Style::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_lines_are_read() {
        assert_eq!(parse_lines("3-7"), Ok(3..=7));
        assert_eq!(parse_lines("3"), Ok(3..=3));
        for bad in ["", "-", "0-3", "7-3", "3-", "-3", "a-b", "1-2-3"] {
            assert!(parse_lines(bad).is_err(), "{bad}");
        }
    }
}
