//! `alinea bitext`: sentence pairs from one format to another, in one pass with one pair in memory.
//!
//! The input is one file, whose format its content or name tells, or two texts; the output is one file, or two texts, a line for each
//! pair (`-o` twice). Text is not changed: no word is cut, and what the output cannot have is an error with the place of the pair, or, in
//! XML, replaced if asked for. Languages go from the input to the output, where they are known: TMX and XLIFF say them, columns
//! and files may be called so. At the end standard error has the number of pairs, and what was passed over and why.

use std::path::{Path, PathBuf};

use alinea::error::{Error, ErrorKind};
use alinea::format::bitext::PassedOver;
use alinea::format::lines::Utf8;
use alinea::format::pairs::{PairFormat, PairReader, PairReport, PairWriteOptions, PairWriteReport, PairWriter, Tags};
use alinea::format::sink;
use alinea::format::source::{self, is_dash, plain_name};
use alinea::progress;
use anyhow::{anyhow, bail};
use serde_json::json;

use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::Rare as _;
use crate::input::links::counted;
use crate::input::pairs::{PairArgs, Two, pair_format, summary, two};
use crate::input::paths::{Role, check_distinct};
use crate::input::text;

const LONG_ABOUT: &str = "\
Convert sentence pairs from one format to another: TMX, XLIFF, JSON lines, CSV, zip archives, text.

Examples:
  alinea bitext memory.tmx -o text.en -o text.fr   a translation memory as two texts, line by line
  alinea bitext memory.tmx --languages de,fr -o text.tsv
                                                two of its languages as a table
  alinea bitext text.en text.fr -o memory.tmx      two texts as a translation memory
  alinea bitext en-fr.txt.zip -o text.en -o text.fr
                                                an archive of OPUS
  alinea bitext data.jsonl --fields translation.en,translation.fr -o text.csv
  alinea bitext scores.csv --fields 2,3 --format joint > text.en-fr";

const AFTER_LONG_HELP: &str = "\
Formats:
  tmx      .tmx            translation memory, version 1.4
  xliff    .xlf .xliff     XLIFF, read in versions 1.2 and 2, written in 1.2
  xliff2                   the same, written in 2.0
  jsonl    .jsonl .ndjson  an object a line: `{\"src\":\"the house\",\"tgt\":\"la maison\"}`
  csv, tsv .csv .tsv       a table with a header; values may be quoted
  zip      .zip            an archive of two texts; one of any other file is read, too
  joint                    lines `the house ||| la maison`
  columns                  two columns between tabs, without header and quotes

Verbs that align or show text read all of these with --bitext. Names may also end in .gz, .zst, .xz or .bz2. \
Segments without a translation are passed over, and counted.";

/// Pairs between two questions whether to stop.
const CHUNK: u64 = 4096;

/// Convert sentence pairs from one format to another
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// A file of sentence pairs (- for standard input), or the source text
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// The target text, with the same number of lines
    #[arg(value_name = "TARGET")]
    target: Option<PathBuf>,
    /// Output file (- for standard output); given twice, two texts: source and target
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: Vec<PathBuf>,
    /// Format of the output [default: by file name, joint for standard output]
    #[arg(long, visible_alias = "to", value_name = "FORMAT", value_parser = pair_format())]
    format: Option<PairFormat>,
    #[command(flatten)]
    pairs: PairArgs,
    /// Names of columns or members in the output [default: the languages in tables, src,tgt in JSON lines]
    #[arg(long, value_name = "S,T", value_parser = two)]
    fields_to: Option<Two>,
    /// Languages that TMX, XLIFF and archives name in the output [default: those of the input]
    #[arg(long, value_name = "S,T", value_parser = two)]
    languages_to: Option<Two>,
    /// Replace characters that XML does not allow by this one instead of failing
    #[arg(long, value_name = "CHARACTER")]
    replace: Option<char>,
    /// Replace invalid UTF-8 instead of failing
    #[arg(long, rare = true)]
    lossy: bool,
}

/// Converts.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let format = args.written_format()?;
    let mut reader = args.open().map_err(text::advise)?;
    // The languages of a file are known with its first pair.
    let mut more = reader.read().map_err(text::advise)?;
    let mut writer = args.create(&reader, format)?;
    let observer = context.observer();
    observer.started("bitext", 0);
    while more {
        writer.write(reader.lines(), || reader.position())?;
        if reader.number().is_multiple_of(CHUNK) {
            observer.advance(CHUNK);
            progress::check(observer)?;
        }
        more = reader.read().map_err(text::advise)?;
    }
    let written = writer.finish()?;
    observer.finished("");
    tell(&reader.report(), written, context);
    Ok(())
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        if self.output.len() > 2 {
            bail!("--output is given {} times; a bitext has two sides", self.output.len());
        }
        if self.output.len() == 2 && self.format.is_some() {
            bail!("--format is for one output; two are texts, a line for each pair");
        }
        let names = if self.target.is_some() { ["SOURCE", "TARGET"] } else { ["INPUT", "INPUT"] };
        let inputs = std::iter::once(&self.input).chain(&self.target);
        let inputs: Vec<Role<'_>> = names.into_iter().zip(inputs).map(|(name, path)| Role::new(name, path)).collect();
        let outputs: Vec<Role<'_>> = self.output.iter().map(|path| Role::new("--output", path)).collect();
        check_distinct(&inputs, &outputs)
    }

    fn open(&self) -> Result<PairReader, Error> {
        let utf8 = if self.lossy { Utf8::Lossy } else { Utf8::Strict };
        let options = self.pairs.options().with(|c| c.utf8 = utf8);
        let Some(target) = &self.target else { return PairReader::open(&self.input, &options) };
        let languages =
            self.pairs.languages().cloned().or_else(|| ending(&self.input).zip(ending(target)).map(|(s, t)| [s, t]));
        Ok(PairReader::of_texts(source::open(&self.input)?, source::open(target)?, &options, languages))
    }

    /// The format of the output, as given or as the name says; of two outputs it does not matter.
    fn written_format(&self) -> anyhow::Result<PairFormat> {
        let [output] = &self.output[..] else { return Ok(PairFormat::Joint) };
        let format = self.format.or_else(|| PairFormat::from_path(output));
        let format = format.or((is_dash(output) || sink::is_stream(output)).then_some(PairFormat::Joint));
        format.map_or_else(|| unknown(output), Ok)
    }

    fn create(&self, reader: &PairReader, format: PairFormat) -> anyhow::Result<PairWriter> {
        let [output, others @ ..] = &self.output[..] else { bail!("no output") };
        if let [target] = others {
            return Ok(PairWriter::create_texts(output, target)?);
        }
        let own = |two: &Option<Two>| two.as_ref().map(|Two(names)| names.clone());
        let options = PairWriteOptions::default().with(|c| {
            c.languages = own(&self.languages_to).or(reader.report().languages).or(self.pairs.languages().cloned());
            c.fields = own(&self.fields_to);
            c.replace = self.replace;
            // Versions of XLIFF have other tags, so these become text there.
            c.markup = self.pairs.tags() == Tags::Keep && [reader.format(), format] == [PairFormat::Tmx; 2];
        });
        PairWriter::create(output, format, &options).map_err(|error| match error.kind() {
            ErrorKind::Choice { .. } => crate::failure::hinted(error, "name them: --languages-to en,fr"),
            _ => error.into(),
        })
    }
}

/// The language that the name of a text ends in.
fn ending(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let (_, code) = plain_name(name).rsplit_once('.')?;
    let letters = code.split(['-', '_']).next().is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_lowercase()));
    ((2..=7).contains(&code.len()) && letters && code != "txt").then(|| code.to_owned())
}

fn unknown(output: &Path) -> anyhow::Result<PairFormat> {
    let names = PairFormat::ALL.map(PairFormat::name).join(", ");
    Err(anyhow!("{}: cannot infer the format of the output from the file name", output.display()))
        .hint(format!("--format FORMAT, one of {names}; or two texts: -o text.en -o text.fr"))
}

/// Says what was done, and what was left out.
fn tell(read: &PairReport, written: PairWriteReport, context: &Context) {
    let passed = PassedOver { untranslated: read.untranslated, other_languages: read.other_languages };
    let mut lines = vec![counted(written.pairs, "sentence pair")];
    lines.extend(summary(passed).map(|passed| format!("passed over: {passed}")));
    for (number, noun, what) in [
        (written.blank, "pair", "with a blank side, which the format cannot have"),
        (read.replaced_utf8, "line", "with invalid UTF-8 replaced"),
        (written.replaced, "character", "replaced, which XML does not allow"),
    ] {
        if number > 0 {
            lines.push(format!("{} {what}", counted(number, noun)));
        }
    }
    let numbers = json!({
        "pairs": written.pairs, "untranslated": read.untranslated, "other_languages": read.other_languages,
        "blank": written.blank, "replaced_utf8": read.replaced_utf8, "replaced": written.replaced,
    });
    context.summary(&lines.join("\n"), &numbers);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_texts_end_in_their_languages() {
        let code = |name: &str| ending(Path::new(name));
        assert_eq!(code("a/text.en.gz").as_deref(), Some("en"));
        assert_eq!(code("text.pt-BR").as_deref(), Some("pt-BR"));
        for name in ["text", "text.txt", "text.1", "source.clean"] {
            assert_eq!(code(name).filter(|code| code.len() < 4), None, "{name}");
        }
    }
}
