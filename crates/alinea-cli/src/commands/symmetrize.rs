//! `alinea symmetrize`: joins the alignments of two directions, line by line (Koehn, Och and Marcu 2003).
//!
//! Reads two Pharaoh files in step, with one pair in memory. In the forward file each target word has at most one link.
//! Both name the source word first, unless `--invert-reverse` is given. Kinds and weights of links are ignored. The
//! methods give the links of Moses' `symal`.
//!
//! Files of different length are an error. An output file appears only when it is complete. Lines on standard output
//! cannot be taken back, so there the lengths are compared first, if both inputs are files and can be read twice.
//!
//! Module: `habits` options of atools.

pub(crate) mod habits;

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::error::Error;
use alinea::format::alignment::{
    AlignmentFormat, AlignmentWriter, Base, LinkReadOptions, LinkRecord, LinkWriteOptions, PairRecord,
};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::sink;
use alinea::format::source::is_dash;
use alinea::progress;
use alinea::symmetrize::{Method, Symmetrizer};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::letter;
use crate::input::links::{LinkFormat, LinkReader, base_parser, counted};
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Symmetrize the links of two directions into one alignment.

Examples:
  alinea symmetrize forward.align reverse.align > links
  alinea symmetrize forward.align reverse.align --method intersection -o links.gz
  alinea symmetrize forward.align reverse.align --invert-reverse > links
                                       the reverse file names the target first
  alinea convert forward.A3.final -o forward.align
  alinea convert reverse.A3.final --direction target-source -o reverse.align
                                       first, for the output of GIZA++";

const AFTER_LONG_HELP: &str = "\
Both files are in Pharaoh format (`0-0 1-2`), one line per sentence pair, with the source word first; use \
--invert-reverse for a reverse file with the target word first. Forward is the direction in which each target word has \
at most one source word. Kinds and weights of links are ignored.

Methods:
  intersection         links of both directions: few, mostly correct
  union                links of either direction: many, few missing
  grow                 the intersection, and neighboring links of the union that cover a new word
  grow-diag            the same, with diagonal neighbors
  grow-diag-final      then links of one direction that cover a new word on either side
  grow-diag-final-and  then links of one direction that cover a new word on both sides

Also understood: intersect, gd, gdf, gdfa, and grow_diag_final_and.

The result is identical to that of symal (Moses), link for link.";

/// Pairs between two questions whether to stop.
const CHUNK: u64 = 4096;

/// Symmetrize the links of two directions into one alignment
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
#[command(arg(letter("method_letter", 'm', "-m is a model file; the method is --method")))]
pub(crate) struct Args {
    /// Links of the forward direction (- for standard input)
    #[arg(value_name = "FORWARD")]
    forward: PathBuf,
    /// Links of the reverse direction (- for standard input)
    #[arg(value_name = "REVERSE")]
    reverse: PathBuf,
    /// Symmetrization method
    #[arg(long, value_name = "METHOD", default_value = Method::GrowDiagFinalAnd.name(), value_parser = method_parser())]
    method: Method,
    /// The reverse file has the target word first
    #[arg(long)]
    invert_reverse: bool,
    /// Index of the first word, in both files and in the output
    #[arg(long, alias = "base", value_name = "BASE", default_value = "0", value_parser = base_parser())]
    links_base: Base,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

fn method_parser() -> impl TypedValueParser<Value = Method> {
    let values = Method::ALL.map(|method| PossibleValue::new(method.name()).aliases(method.aliases().iter().copied()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Method>())
}

/// Joins them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let inputs = [Role::new("FORWARD", &args.forward), Role::new("REVERSE", &args.reverse)];
    check_distinct(&inputs, &[Role::new("--output", &args.output)])?;
    check_lengths(args)?;
    let mut forward = open(&args.forward, args.links_base)?;
    let mut reverse = open(&args.reverse, args.links_base)?;
    let output = sink::create(&args.output)?;
    let (name, options) =
        (output.name().to_owned(), LinkWriteOptions::default().with(|c| c.base = Some(args.links_base)));
    let mut writer = AlignmentWriter::new(output, name, AlignmentFormat::Pharaoh, &options)?;
    let mut symmetrizer = Symmetrizer::new(args.method);
    let mut joined = Alignment::new();
    let mut record = PairRecord::default();
    let observer = context.observer();
    observer.started("symmetrize", 0);
    while both(&mut forward, &mut reverse)? {
        let links = reverse.record().alignment();
        let links = if args.invert_reverse { links.inverted() } else { links };
        symmetrizer.symmetrize_into(&forward.record().alignment(), &links, &mut joined);
        record.links.clear();
        record.links.extend(joined.iter().map(|link| LinkRecord::sure(link.source, link.target)));
        writer.write(&record)?;
        if forward.number().is_multiple_of(CHUNK) {
            observer.advance(CHUNK);
            progress::check(observer)?;
        }
    }
    let written = writer.report();
    writer.into_inner().finish()?;
    observer.finished("");
    let (pairs, links) = (counted(written.pairs, "sentence pair"), counted(written.links, "link"));
    context.report(format_args!("{pairs}, {links} ({})", args.method));
    Ok(())
}

/// An output file appears only when it is complete; what went to standard output cannot be taken back, so there the
/// lengths are compared first, where the inputs can be read twice.
fn check_lengths(args: &Args) -> anyhow::Result<()> {
    let is_file = |path: &Path| std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if !is_dash(&args.output) || !is_file(&args.forward) || !is_file(&args.reverse) {
        return Ok(());
    }
    let count = |path: &Path| LineReader::open(path, Utf8::Strict)?.count_all();
    let (forward, reverse) = (count(&args.forward)?, count(&args.reverse)?);
    if forward == reverse {
        return Ok(());
    }
    let name = |path: &Path| path.display().to_string();
    Err(Error::unequal_lengths(&name(&args.forward), forward, &name(&args.reverse), reverse).into())
}

fn open(path: &Path, base: Base) -> anyhow::Result<LinkReader> {
    let options = LinkReadOptions::default().with(|c| c.base = Some(base));
    let format = LinkFormat { format: Some(AlignmentFormat::Pharaoh), options, base_option: "--links-base" };
    LinkReader::open(&[path.to_path_buf()], &format)
}

/// Goes to the next pair of both; says whether there is one.
fn both(forward: &mut LinkReader, reverse: &mut LinkReader) -> anyhow::Result<bool> {
    let more = [next(forward)?, next(reverse)?];
    if more[0] == more[1] {
        return Ok(more[0]);
    }
    let lengths = [forward.count_all()?, reverse.count_all()?];
    Err(Error::unequal_lengths(forward.name(), lengths[0], reverse.name(), lengths[1]).into())
}

/// Goes to the next pair; a file that looks like another format gets the advice to convert it.
fn next(links: &mut LinkReader) -> anyhow::Result<bool> {
    let read = links.read();
    let suggested = AlignmentFormat::from_path(Path::new(links.name()));
    match suggested.filter(|_| read.is_err()) {
        Some(other) if other != AlignmentFormat::Pharaoh => read.hint(format!(
            "the name suggests the format {}: convert it to Pharaoh with `alinea convert`",
            other.name()
        )),
        _ => read,
    }
}
