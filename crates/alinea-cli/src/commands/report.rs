//! `alinea report`: tables over one or several corpora, from the JSON of `evaluate` and `agreement`.
//!
//! Every corpus is evaluated by its own command with its own options; this command only reads the results (`input`) and
//! lays them out (`tables`). There is a table for everything that some file contains: sizes, agreement, types of
//! correspondences, scores, gains, breakdowns; empty tables are left out. Nothing is computed again, so a table has the
//! numbers of the runs. Formats are text, Markdown, LaTeX, and a page of HTML.
//!
//! Other verbs write their tables by `written`, too.

pub(crate) mod tables;

mod input;

use std::path::PathBuf;

use alinea::evaluate::{Table, TableStyle, html_page};
use alinea::format::sink;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use self::input::Corpus;
use crate::context::Context;
use crate::input::annotated::NamedFile;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Make tables for one or more corpora from the JSON output of alinea evaluate and alinea agreement.

Examples:
  alinea evaluate --gold news.gold news.old news.new --source news.en --target news.fr --json > news.json
  alinea evaluate --gold law.gold law.old law.new --source law.en --target law.fr --json > law.json
  alinea report news.json law.json                       gains on each corpus
  alinea report NEWS=news.json LAW=law.json --format latex -o tables.tex
  alinea report news.json --format html -o report.html   a page for the browser
  alinea agreement anna=a.align ben=b.align --json | alinea report - --format markdown";

const AFTER_LONG_HELP: &str = "\
There is a table for each kind of result in the files: corpus sizes; inter-annotator agreement; types of \
correspondences; scores of hypotheses; for two hypotheses, the gains of the system over the baseline, absolute and \
relative to the baseline, with bootstrap intervals; and breakdowns. A corpus is named after its file, without the \
extension, or NAME with NAME=FILE. HTML is a complete page, in the light or dark mode of the reader's system.";

/// Make tables of evaluation results
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// JSON output, FILE or NAME=FILE (- for standard input)
    #[arg(value_name = "FILE", required = true, value_parser = NamedFile::parser())]
    files: Vec<NamedFile>,
    /// Kind of output: text, markdown, latex or html
    #[arg(short, long, alias = "style", value_name = "FORMAT", default_value = TableStyle::Text.name(),
        value_parser = style_parser(), hide_possible_values = true)]
    format: TableStyle,
    /// Output file for the tables (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Reads the name of a format of tables.
fn style_parser() -> impl TypedValueParser<Value = TableStyle> {
    PossibleValuesParser::new(TableStyle::ALL.map(TableStyle::name)).try_map(|name| name.parse::<TableStyle>())
}

/// Tables in a format, one below the other; in HTML a page with this title.
pub(crate) fn written(title: &str, tables: &[Table], style: TableStyle) -> String {
    if style == TableStyle::Html {
        return html_page(title, tables, &[]);
    }
    tables.iter().map(|table| table.to_text(style)).collect::<Vec<_>>().join("\n")
}

/// Makes tables.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let inputs: Vec<Role<'_>> = args.files.iter().map(|file| Role::new("FILE", &file.path)).collect();
    check_distinct(&inputs, &[Role::new("--output", &args.output)])?;
    let mut output = sink::create(&args.output)?;
    let corpora = args.files.iter().map(Corpus::read).collect::<anyhow::Result<Vec<_>>>()?;
    let judged = corpora.iter().flat_map(Corpus::hypotheses).map(|(_, judged)| judged);
    if let Some(fewest) = judged.filter(|judged| judged.intervals.is_some()).map(|judged| judged.sentences).min() {
        context.warn_of_few(fewest);
    }
    output.write_bytes(written("Evaluation", &all(&corpora), args.format).as_bytes())?;
    output.finish()?;
    Ok(())
}

/// Everything that the corpora tell about.
fn all(corpora: &[Corpus]) -> Vec<Table> {
    let mut found = vec![tables::sizes(corpora)];
    let mut agreement = tables::agreement_heading();
    let mut types = tables::types_heading();
    for corpus in corpora {
        if let Some(of_corpus) = &corpus.evaluation.agreement {
            tables::add_agreement(&mut agreement, &corpus.name, of_corpus);
        }
        if let Some(of_corpus) = &corpus.evaluation.types {
            tables::add_types(&mut types, &corpus.name, of_corpus);
        }
    }
    found.extend([agreement, types, tables::scores(corpora), tables::gains(corpora)]);
    for corpus in corpora {
        for (name, judged) in corpus.hypotheses() {
            let title = format!("{}, {name}", corpus.name);
            found.extend(judged.breakdowns.iter().map(|breakdown| tables::breakdown(&title, breakdown)));
        }
    }
    found.retain(|table| !table.is_empty());
    found
}
