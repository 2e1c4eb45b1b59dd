//! `alinea model export`: the translation table of a model in the formats of Moses, fast_align, eflomal and others.
//!
//! Rows come from `Model::for_each_translation`, by falling frequency of the conditioning word; `TableWriter` has the
//! formats. eflomal's priors are counts of both directions, so there `--least` is a count and `--reverse` is refused;
//! elsewhere numbers are probabilities. Rows of the NULL word are written only in formats that have it.

use std::path::PathBuf;

use alinea::format::dictionary::DictionaryFormat;
use alinea::model::{Model, Side};

use crate::input::dictionary_format::{FormatName, check_table};
use crate::input::paths::{Role, check_distinct};
use crate::table::TableWriter;

const LONG_ABOUT: &str = "\
Export the translation table of a model for other programs.

Examples:
  alinea model export en-fr.alinea --format moses -o lex.f2e            maison house p(maison | house)
  alinea model export en-fr.alinea --format moses --reverse -o lex.e2f  house maison p(house | maison)
  alinea model export en-fr.alinea --format fast-align -o forward.params
  alinea model export en-fr.alinea --format eflomal -o en-fr.priors     for eflomal's --priors
  alinea model export en-fr.alinea | head                               house, tab, maison, tab, p(maison | house)";

const AFTER_LONG_HELP: &str = "\
Translations are grouped by word, the most frequent word first, and sorted by probability; those of the NULL word come \
first, in formats that include them. In eflomal's format the number is the model's count, including prior and \
back-off, and --least is the minimum count.";

/// Export the translation table for other programs
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Kind of output
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Words)]
    format: FormatName,
    /// Export p(source | target) instead of p(target | source)
    #[arg(long)]
    reverse: bool,
    /// Drop translations with a lower probability
    #[arg(long, value_name = "P", default_value_t = 0.001)]
    least: f32,
    /// Output file for the table (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Exports.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let Args { model: path, format, reverse, least, output } = args;
    let format = DictionaryFormat::from(*format);
    check_table(format, *reverse, *least)?;
    check_distinct(&[Role::new("MODEL", path)], &[Role::new("--output", output)])?;
    let model = Model::open(path)?;
    let (mut table, mut result) = (TableWriter::create(output, format)?, Ok(()));
    let of = if *reverse { Side::Target } else { Side::Source };
    let least_probability = if format == DictionaryFormat::Eflomal { 0.0 } else { *least };
    model.for_each_translation(of, least_probability, |found| {
        let number = if format == DictionaryFormat::Eflomal { found.count } else { found.probability };
        let wanted = number >= *least && (found.condition.is_some() || format.has_empty_word());
        if wanted && result.is_ok() {
            result = table.write(found.condition, Some(found.generated), f64::from(number));
        }
    });
    result?;
    table.into_output()?.finish()?;
    Ok(())
}
