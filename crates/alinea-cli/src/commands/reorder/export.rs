//! `alinea reorder export`: training and test files for LADER and for Nakagawa's top-down preorderer.
//!
//! `STEM.annot` has words and up to two more layers in columns; `STEM.align` has the links with the lengths of both
//! sentences, and is written only if links are given. Both files appear together or not at all. Without `--columns` the
//! finest tags are chosen, or coarse classes if there are none, and classes. Formats are in
//! `alinea::format::preordering`.

use std::path::PathBuf;

use alinea::format::preordering::{AlignedLengths, write_alignment};
use alinea::format::sink;
use alinea::reorder::engine::Layer;
use alinea::reorder::reading::{annotation, annotation_columns};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::input::{SourceArgs, choice_parser};
use super::layers::LayerArgs;
use crate::context::Context;
use crate::input::kind::former_format;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Write sentences and links for LADER and Nakagawa's top-down preorderer: STEM.annot with tab-separated columns of \
words, tags and classes, and STEM.align with the lengths of both sentences before the links.

Examples:
  alinea reorder export links --trees train.conllu --classes en.classes --target train.ja --stem train
  alinea reorder export links --source train.en --coarse-classes en.12 --classes en.50 --target train.ja --stem train
                                                          classes instead of tags
  alinea reorder export --trees test.conllu --classes en.classes --stem test
                                                          sentences to reorder: no links";

/// Write files for other reordering programs
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, arg(former_format()))]
pub(super) struct Args {
    /// Links, one line per sentence; without them, no STEM.align is written
    #[arg(value_name = "LINKS")]
    links: Option<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    layers: LayerArgs,
    /// Second and third column, comma-separated: lemmas, tags, finetags, classes, coarseclasses or relations
    /// [default: the finest tags available, or else coarse classes, and classes]
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', value_parser = choice_parser!(Layer),
        hide_possible_values = true)]
    columns: Vec<Layer>,
    /// Prefix of both file names
    #[arg(long, value_name = "STEM", help_heading = "Output")]
    stem: String,
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let [annotation_file, alignment_file] =
        ["annot", "align"].map(|extension| PathBuf::from(format!("{}.{extension}", args.stem)));
    let links = args.links.iter().map(|path| Role::new("LINKS", path));
    let inputs: Vec<Role<'_>> = links.chain(args.source.roles()).chain(args.layers.roles()).collect();
    check_distinct(&inputs, &[Role::new("--stem", &annotation_file), Role::new("--stem", &alignment_file)])?;
    let mut aligned = match &args.links {
        Some(links) => args.source.read(links, None, context)?,
        None => args.source.text.read(None, context)?.1,
    };
    let pair = |sentence: &mut super::input::AlignedSentence| AlignedLengths {
        source: sentence.words.len(),
        target: sentence.target,
        links: std::mem::take(&mut sentence.links),
    };
    let pairs: Vec<AlignedLengths> = aligned.iter_mut().map(pair).collect();
    let sentences = args.layers.read()?.sentences(aligned)?;
    let columns = annotation_columns(&sentences, &args.columns)?;
    let text = annotation(&sentences, &columns)?;
    let mut files = vec![sink::create(&annotation_file)?];
    files[0].write_bytes(text.as_bytes())?;
    if args.links.is_some() {
        let mut text = String::new();
        for pair in &pairs {
            write_alignment(pair, &mut text);
        }
        let mut file = sink::create(&alignment_file)?;
        file.write_bytes(text.as_bytes())?;
        files.push(file);
    }
    sink::finish_all(files)?;
    let names: Vec<&str> = columns.iter().map(|layer| layer.name()).collect();
    let text = format!("sentences   {}\ncolumns     {}", sentences.len(), names.join(" "));
    context.summary(&text, &json!({"sentences": sentences.len(), "columns": names}));
    Ok(())
}
