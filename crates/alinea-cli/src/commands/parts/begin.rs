//! `alinea parts begin`: the model before its first pass.

use std::path::PathBuf;

use alinea::align::{Iterations, Request, parts};
use alinea::bitext::Dictionary;
use alinea::error::Result;
use alinea::format::bitext::ReadOptions;
use alinea::format::dictionary;
use alinea::format::lines::{LineReader, Utf8};
use alinea::model::ModelName;
use alinea::model::parts::WholeText;
use alinea::parallel::Work;

use super::files::check_files;
use crate::context::Context;
use crate::input::dictionary_format::FormatName;
use crate::input::training::ModelNames;
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Join the word pairs of all parts, and begin a training: the output is the state before the first pass.

Examples:
  alinea parts begin pairs.1 pairs.2 pairs.3 --words words -o state.0
  alinea parts begin pairs.* --words words --model agreement --iterations ibm1:3,hmm:2 -o state.0";

/// Join the word pairs of all parts, and begin a training
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Word pairs of the parts, in any order
    #[arg(value_name = "PAIRS", required = true)]
    pairs: Vec<PathBuf>,
    /// The words of the whole text, from `alinea parts join`
    #[arg(long, value_name = "FILE")]
    words: PathBuf,
    /// Alignment model
    #[arg(long, value_name = "NAME", value_parser = ModelNames, default_value_t = ModelName::default(), help_heading = "Model")]
    model: ModelName,
    /// Training iterations, such as ibm1:5,hmm:4 [default: depends on the model and the size of the text]
    #[arg(long, value_name = "PASSES", help_heading = "Model")]
    iterations: Option<Iterations>,
    /// Word translations: lines `source target` or `source target weight` (by default 0.01), separated by spaces or tabs
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    dictionary: Option<PathBuf>,
    /// Format of --dictionary
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Words, requires = "dictionary", help_heading = "Model")]
    dictionary_format: FormatName,
    /// Output file for the state of the training
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { pairs, words, model, iterations, output, threads, work_dir, .. } = args;
    work_dir.install()?;
    let inputs = pairs.iter().map(|path| ("PAIRS", &**path)).chain([("--words", &**words)]);
    check_files(inputs.chain(args.dictionary.as_deref().map(|path| ("--dictionary", path))), &[("--output", output)])?;
    let config = parts::config(Request::default().with(|c| {
        c.model = *model;
        c.iterations.clone_from(iterations);
    }))?;
    let whole = WholeText::read(words)?;
    let dictionary = args.read_dictionary(&whole)?;
    let parallelism = threads.parallelism()?;
    let work = Work { parallelism: &parallelism, observer: context.observer() };
    parts::begin(pairs, whole, config, &dictionary, output, work)?;
    Ok(())
}

impl Args {
    /// The dictionary, its words read as those of the text.
    fn read_dictionary(&self, whole: &WholeText) -> Result<Dictionary> {
        let Some(path) = &self.dictionary else { return Ok(Dictionary::default()) };
        let form = whole.form();
        let options = ReadOptions::default().with(|c| {
            c.lowercase = form.lowercase;
            c.tokenize = form.tokenize;
        });
        let read = dictionary::read(LineReader::open(path, Utf8::Strict)?, self.dictionary_format.into(), &options)?;
        Ok(read.dictionary)
    }
}
