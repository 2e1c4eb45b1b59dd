//! `alinea project labels`: carries labels, such as names, over to the translation.
//!
//! `arguments` has the options, `formats` tells the format of the source, and `files` reads files as wholes. Three kinds of formats go three ways, each with its own target:
//!
//! * `spans`: words with tags, in columns or in MISC of CoNLL-U, are labels of stretches of words (`alinea::project::labels`);
//! * `tags`: other fields of CoNLL-U are tags of words (`alinea::project::tags`);
//! * `characters`: labels of characters, in JSON (`json`) or brat's standoff (`brat`), become labels of words, which `cut` finds.
//!
//! `words` has the targets of the first two, `task` what all have in common. Links come from `word_links`. `report` says of each label what became of it, and counts.

mod arguments;
mod brat;
mod characters;
mod cut;
mod files;
mod formats;
mod json;
mod options;
mod report;
mod spans;
mod tags;
mod task;
mod words;

use alinea::format::conllu_field::Field;

pub(super) use self::arguments::Args;
use self::formats::{Found, LabelFormat};
use self::task::Task;
use crate::context::Context;

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.links.check()?;
    args.config().validate()?;
    let source = Found::new(&args.source, args.format)?;
    args.check_options(source.format)?;
    args.check_paths(&source)?;
    let task = Task { args, context, parallelism: args.threads.parallelism()? };
    match source.format {
        LabelFormat::Columns => spans::of_columns(&task, &source),
        LabelFormat::Conllu => match args.field.clone().unwrap_or(Field::Misc("NER".to_owned())) {
            Field::Misc(name) => spans::of_conllu(&task, &source, &Field::Misc(name)),
            field => tags::run(&task, &source, &field),
        },
        LabelFormat::Json => json::run(&task, &source),
        LabelFormat::Brat => brat::run(&task, &source),
    }
}
