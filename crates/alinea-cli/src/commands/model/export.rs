//! `alinea model export`: the table of translations, for other programs.

use std::path::PathBuf;

use alinea::format::dictionary::DictionaryFormat;
use alinea::model::{Model, Side};
use anyhow::bail;

use crate::commands::table::TableWriter;
use crate::input::dictionary_format::FormatName;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Writes the table of translations of a model for other programs.

Examples:
  alinea model export en-fr.alinea --format moses -o lex.f2e            maison house p(maison | house)
  alinea model export en-fr.alinea --format moses --reverse -o lex.e2f  house maison p(house | maison)
  alinea model export en-fr.alinea --format fast-align -o forward.params
  alinea model export en-fr.alinea --format eflomal -o en-fr.priors     for eflomal's --priors
  alinea model export en-fr.alinea | head                               house, tab, maison, tab, p(maison | house)";

const AFTER_LONG_HELP: &str = "\
Translations come word by word, the most frequent first, and the most probable of each first; those of the empty word \
before all others, in the formats that have them. In eflomal's format the number is what the model has counted, prior and \
back-off included, and translations below the count --least are left out.";

/// Writes the table of translations for other programs
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// The model
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Words)]
    format: FormatName,
    /// p(source | target) in place of p(target | source)
    #[arg(long)]
    reverse: bool,
    /// Leave out what is less probable
    #[arg(long, value_name = "P", default_value_t = 0.001)]
    least: f32,
    /// Where the table goes (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Exports.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let Args { model: path, format, reverse, least, output } = args;
    let format = DictionaryFormat::from(*format);
    if format == DictionaryFormat::Eflomal && *reverse {
        bail!("--reverse: the priors of eflomal are for both directions");
    }
    if !(0.0..=1.0).contains(least) {
        bail!("--least {least}: expected a probability from 0 to 1");
    }
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
