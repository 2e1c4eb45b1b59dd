//! `alinea annotate export`: what was linked, in the formats of programs.

use std::path::PathBuf;

use alinea::annotate::{ExportFormat, Project, Whose};
use alinea::format::sink;
use clap::ValueEnum;

use super::status::confirmed_by_anybody;
use crate::context::Context;

const LONG_ABOUT: &str = "\
Write the links of an annotation project. Sentences that are not confirmed have none.

Examples:
  alinea annotate export text.en.annotation -o gold.align
  alinea annotate export text.en.annotation --by lisa --format naacl -o lisa.naacl
  alinea annotate export text.en.annotation --format who
                                                   JSON lines: who linked what, by hand or by accepting it";

const AFTER_LONG_HELP: &str = "\
Without --by, links are those that were adjudicated; where nothing was, those that all annotators of a sentence agree on are sure, \
and those of any of them are possible.";

/// Write the links of an annotation project
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Folder of the project
    #[arg(value_name = "PROJECT")]
    project: PathBuf,
    /// Only the links of this annotator (`adjudication`: what was adjudicated)
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Form::Pharaoh)]
    format: Form,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// The formats that have what there is.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// `0-0 1p2`, one line per sentence pair
    Pharaoh,
    /// `1-1 2p3`, counted from 1
    Talp,
    /// `1 1 1 S`, one line per link
    Naacl,
    /// One JSON object per sentence pair, with the words
    Jsonl,
    /// One JSON object per sentence pair and annotator: who did what
    Who,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    use alinea::format::alignment::AlignmentFormat::{JsonLines, Naacl, Pharaoh, Talp};
    let project = Project::read(&args.project)?;
    let whose = args.by.clone().map_or(Whose::All, Whose::Of);
    let format = match args.format {
        Form::Pharaoh => ExportFormat::Alignment(Pharaoh),
        Form::Talp => ExportFormat::Alignment(Talp),
        Form::Naacl => ExportFormat::Alignment(Naacl),
        Form::Jsonl => ExportFormat::Alignment(JsonLines),
        Form::Who => ExportFormat::Who,
    };
    let output = sink::create(&args.output)?;
    alinea::annotate::export(&project, &whose, format, output)?.finish()?;
    if let Whose::All = whose {
        report(&project, context);
    }
    Ok(())
}

/// Says what empty lines are.
fn report(project: &Project, context: &Context) {
    let (all, confirmed) = (project.len(), confirmed_by_anybody(project));
    if confirmed < all {
        let options = "`alinea evaluate --skip-empty` and `alinea align --gold` leave the others out";
        context.report(format_args!("{confirmed} of {all} sentences are confirmed; {options}"));
    }
}
