//! `alinea reorder show`: engine, layers and search of a model of word order, and its rules if it has any.
//!
//! `describe` is used by `reorder train`, too, which reports the new model in the same words. `--rules` prints the
//! rules of a model of rules as a file that `reorder apply` reads after editing; an ensemble has no single set of rules
//! and is refused.

use std::fmt::Write as _;
use std::path::PathBuf;

use alinea::format::sink;
use alinea::reorder::features::Column;
use alinea::reorder::model::{Model, TreeKind};
use anyhow::bail;
use serde_json::{Value, json};

use crate::input::kind::{FormatArgs, TextKind};

const LONG_ABOUT: &str = "\
Show properties of a model, and the rules of a rule-based model.

Examples:
  alinea reorder show en-ja.model                    engine, annotation layers that input needs, search
  alinea reorder show en-ja.model --rules > en-ja.rules
                                                     the rules, to edit and to apply";

/// Show properties of a model
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Model written by `alinea reorder train`
    #[arg(value_name = "MODEL", required_unless_present = "model_file")]
    model: Option<PathBuf>,
    /// The same as MODEL
    #[arg(short, long, value_name = "FILE", conflicts_with = "model")]
    model_file: Option<PathBuf>,
    /// Print only the rules of a model of --engine rules, one per line
    #[arg(long, conflicts_with_all = ["format", "json"])]
    rules: bool,
    #[command(flatten)]
    format: FormatArgs<TextKind>,
}

/// Does it.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let Some(path) = args.model.as_ref().or(args.model_file.as_ref()) else { bail!("MODEL is required") };
    let model = Model::open(path)?;
    let (text, numbers) = describe(&model);
    let shown = match (args.rules, model.rules()) {
        (true, Some(rules)) => rules.text(),
        (true, None) => bail!("{}: a model of engine {} has no rules", path.display(), model.recipe()),
        (false, _) if args.format.get() == TextKind::Json => format!("{numbers:#}\n"),
        (false, _) => text + "\n",
    };
    let mut output = sink::create("-")?;
    output.write_bytes(shown.as_bytes())?;
    output.finish()?;
    Ok(())
}

/// What a model is, for people (without the end of the last line) and for programs.
pub(super) fn describe(model: &Model) -> (String, Value) {
    let names = |columns: &[Column]| columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let columns: Vec<String> = model.columns().map(names).collect();
    let trees = match (model.parser(), model.trees()) {
        (Some(_), _) => Some("induced"),
        (None, Some(TreeKind::Dependencies)) => Some("dependencies"),
        (None, Some(TreeKind::Brackets)) => Some("brackets"),
        (None, None) => None,
    };
    let search = model.way();
    let mut text = format!("engine      {}\n", model.recipe());
    // Writing to a string cannot fail.
    let _ = match model.rules() {
        Some(rules) => writeln!(text, "rules       {}", rules.rules.len()),
        None => writeln!(text, "features    {} of {}", model.features(), columns.join("; ")),
    };
    if let Some(trees) = trees {
        let _ = writeln!(text, "trees       {trees}");
    }
    if let Some(parser) = model.parser() {
        let _ = writeln!(text, "parser      {} features of {}", parser.features(), names(parser.columns()));
    }
    let _ = write!(text, "search      {search}");
    let mut numbers = json!({
        "engine": model.recipe().name(), "features": model.features(), "columns": columns, "search": search,
        "trees": trees,
    });
    if let Some(rules) = model.rules() {
        numbers["rules"] = rules.rules.iter().map(ToString::to_string).collect();
    }
    (text, numbers)
}
