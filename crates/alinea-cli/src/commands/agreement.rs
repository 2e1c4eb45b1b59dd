//! `alinea agreement`: inter-annotator agreement, and types of correspondences.
//!
//! Reads a file of links for each annotator, and the sentences if they are given. For each two annotators with the
//! links X and Y, over the sentences that both did (Ozdowska 2008):
//!
//! ```text
//! A(X/Y) = |X ∩ Y| / |Y|        A(Y/X) = |X ∩ Y| / |X|        A = 2 |X ∩ Y| / (|X| + |Y|)
//! ```
//!
//! Cohen's kappa, over all cells of the grids of the sentences, needs the words, and so do the types of correspondences
//! (1-1, chunk, null), which are counted for each annotator. Sentences may go on after those that were annotated. The
//! means are plain means over the pairs of annotators.
//! Writes tables or JSON to standard output. `people` computes the same for `alinea evaluate`.

use std::path::PathBuf;

use alinea::evaluate::{Agreement, AgreementOptions, AnnotatorTypes, CorpusSize, LinkKinds, TableStyle};
use alinea::format::sink;
use anyhow::bail;
use serde_json::{Value, json};

use super::report::tables;
use crate::context::Context;
use crate::input::annotated::{AnnotatedText, AnnotatedTextOptions, NamedFile, PanelArgs};
use crate::input::kind::{FormatArgs, TextKind};
use crate::input::links::{LinkFormatArgs, sentences};
use crate::input::pairs::BitextFileArgs;
use crate::input::paths::{Role, check_distinct};
use crate::input::resampling::ResamplingArgs;
use crate::input::sentences::BlanksArgs;

const LONG_ABOUT: &str = "\
Measure how much annotators of the same sentences agree, and count the types of correspondences of each annotator.

Examples:
  alinea agreement anna=a.align ben=b.align        how many links do they share?
  alinea agreement anna=a.align ben=b.align --source text.en --target text.fr
                                                   also Cohen's kappa and types of correspondences
  alinea agreement anna=a.align ben=b.align --annotators who-did-what.tsv
                                                   not everyone annotated everything
  alinea agreement anna=a.align ben=b.align --json > text.json
                                                   for the tables of alinea report";

const AFTER_LONG_HELP: &str = "\
For each pair of annotators X and Y, over the sentences that both annotated: A(X/Y) is the share of the links of Y \
that X also made, A(Y/X) the share of the links of X that Y also made, and A their harmonic mean, 2 common / (|X| + \
|Y|). Cohen's kappa treats every cell of the alignment grids as an item that each annotator labels linked or not \
linked. Means are unweighted means over the pairs.

Types of correspondences are those of groups of words connected by links: 1-1 is one word on each side, chunk more \
than one on at least one side, null an unlinked word or, in the second count, a run of adjacent unlinked words of one \
side. They are counted over the sentences that each annotator annotated.

Texts of --source and --target may have more lines than were annotated: the first lines are used, with a warning.

Values are percentages on the screen, except kappa, and fractions in JSON.";

/// Measure inter-annotator agreement
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Links of each annotator, FILE or NAME=FILE
    #[arg(value_name = "FILE", required = true, value_parser = NamedFile::parser())]
    files: Vec<NamedFile>,
    /// Ignore links that are only possible
    #[arg(long)]
    sure: bool,
    /// Use the first sentences, as many as were annotated, without a warning
    #[arg(long)]
    first: bool,
    #[command(flatten)]
    format: FormatArgs<TextKind>,
    #[command(flatten)]
    panel: PanelArgs,
    #[command(flatten)]
    resampling: ResamplingArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How the files are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
struct ReadingArgs {
    /// Tokenized source sentences: for kappa and types; links outside the sentences are errors
    #[arg(long, value_name = "FILE", requires = "target")]
    source: Option<PathBuf>,
    /// Tokenized target sentences
    #[arg(long, value_name = "FILE", requires = "source")]
    target: Option<PathBuf>,
    #[command(flatten)]
    bitext: BitextFileArgs,
    #[command(flatten)]
    blanks: BlanksArgs,
    #[command(flatten)]
    links: LinkFormatArgs,
    /// Sentences of a NAACL file: their number, or a file with their names, one per line
    #[arg(long, value_name = "N|FILE")]
    sentences: Option<String>,
}

/// What there is to say about the people who linked a text.
#[derive(Debug)]
pub(crate) struct People {
    /// How far they agree.
    agreement: Agreement,
    /// What types of correspondences they made, if the words are known.
    types: Option<Vec<AnnotatorTypes>>,
}

/// Finds out what there is to say about them.
pub(crate) fn people(text: &AnnotatedText, options: &AgreementOptions) -> anyhow::Result<People> {
    let lengths = text.lengths();
    let agreement = text.annotations.agreement(lengths.as_deref(), options)?;
    let types = lengths.map(|lengths| text.annotations.correspondences(&lengths, options.kinds)).transpose()?;
    Ok(People { agreement, types })
}

impl People {
    /// For programs.
    pub(crate) fn add_to(&self, report: &mut Value) {
        report["agreement"] = json!(self.agreement);
        if let Some(types) = &self.types {
            report["types"] = json!(types);
        }
    }
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let files = self.files.iter().map(|file| Role::new("FILE", &file.path));
        let sentences = [("--source", &self.reading.source), ("--target", &self.reading.target)];
        let sentences = sentences.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_ref()?)));
        let sentences = sentences.chain(self.reading.bitext.path().map(|path| Role::new("--bitext", path)));
        check_distinct(&files.chain(sentences).chain(self.panel.roles()).collect::<Vec<_>>(), &[])
    }

    fn options(&self) -> anyhow::Result<AgreementOptions> {
        if self.files.len() < 2 && self.reading.source.is_none() && self.reading.bitext.path().is_none() {
            bail!("agreement needs at least two annotators; the types of one need --source and --target, or --bitext");
        }
        let kinds = if self.sure { LinkKinds::Sure } else { LinkKinds::All };
        let bootstrap = self.resampling.bootstrap();
        bootstrap.map_or(Ok(()), |bootstrap| bootstrap.validate())?;
        Ok(AgreementOptions::default().with(|c| {
            c.kinds = kinds;
            c.bootstrap = bootstrap;
        }))
    }
}

/// Compares people.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let options = args.options()?;
    args.check_paths()?;
    let reading = &args.reading;
    let format = reading.links.format(reading.sentences.as_deref().map(sentences).transpose()?);
    let bitext = reading.bitext.source(reading.source.as_deref().zip(reading.target.as_deref()))?;
    let (sentences, blanks) = (bitext.as_ref(), reading.blanks);
    let reading = AnnotatedTextOptions { panel: &args.panel, sentences, blanks, first: args.first, format: &format };
    let text = AnnotatedText::read(&args.files, &reading, context)?;
    text.warn_of_longer(context);
    let people = people(&text, &options)?;
    if let Some(fewest) =
        people.agreement.pairs.iter().map(|pair| pair.sentences).min().filter(|_| options.bootstrap.is_some())
    {
        context.warn_of_few(fewest);
    }
    let answer = match args.format.get() {
        TextKind::Json => json(&text, &people, &options)?,
        TextKind::Text => shown(&people, &options),
    };
    let mut output = sink::create("-")?;
    output.write_bytes(answer.as_bytes())?;
    output.finish()?;
    Ok(())
}

fn json(text: &AnnotatedText, people: &People, options: &AgreementOptions) -> anyhow::Result<String> {
    let mut report = json!({"signature": options.signature()});
    people.add_to(&mut report);
    if let Some(lengths) = text.lengths() {
        report["size"] = json!(CorpusSize::of(&lengths));
    }
    Ok(serde_json::to_string(&report)? + "\n")
}

fn shown(people: &People, options: &AgreementOptions) -> String {
    let mut text = String::new();
    if !people.agreement.pairs.is_empty() {
        text += &tables::agreement("", &people.agreement).to_text(TableStyle::Text);
        text.push('\n');
    }
    if let Some(types) = &people.types {
        text += &tables::types("", types).to_text(TableStyle::Text);
        text.push('\n');
    }
    text + &options.signature() + "\n"
}
