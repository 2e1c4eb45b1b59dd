//! What is the same for all formats: the links, and the files that are written.

use std::path::Path;

use alinea::alignment::WeightedLink;
use alinea::error::Error;
use alinea::format::sink::{self, Output};
use alinea::parallel::{Parallelism, Work};

use super::arguments::Args;
use crate::context::Context;
use crate::input::trees::unequal;
use crate::input::word_links::Sentences;

/// A run of the command.
pub(super) struct Task<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) parallelism: Parallelism,
}

impl Task<'_> {
    /// The links of each pair, unless words were to be written only; the names are those of the files.
    pub(super) fn links(
        &self,
        [name, target_name]: [&str; 2],
        [source, target]: [&Sentences<'_>; 2],
    ) -> anyhow::Result<Option<Vec<Vec<WeightedLink>>>> {
        if source.len() != target.len() {
            return Err(unequal(name, source.len() as u64, target_name, target.len() as u64).into());
        }
        if let [source_path, target_path] = self.args.write_words.as_slice() {
            let outputs = [(source_path, source), (target_path, target)].map(|(path, words)| write_words(path, words));
            sink::finish_all(outputs.into_iter().collect::<Result<Vec<Output>, Error>>()?)?;
            return Ok(None);
        }
        let work = Work { parallelism: &self.parallelism, observer: self.context.observer() };
        self.args.links.links(name, [source, target], work).map(Some)
    }

    /// The output file, and that of the report, before anything is computed.
    pub(super) fn outputs(&self) -> Result<(Option<Output>, Option<Output>), Error> {
        let output = if self.args.write_words.is_empty() { Some(sink::create(&self.args.output)?) } else { None };
        Ok((output, self.args.report.as_deref().map(sink::create).transpose()?))
    }
}

/// A sentence a line; blanks within words become no-break spaces, so that they stay words.
fn write_words(path: &Path, sentences: &Sentences<'_>) -> Result<Output, Error> {
    let mut output = sink::create(path)?;
    for words in sentences {
        let words: Vec<String> =
            words.iter().map(|word| word.replace(|c: char| c.is_ascii_whitespace(), "\u{A0}")).collect();
        output.write_bytes(format!("{}\n", words.join(" ")).as_bytes())?;
    }
    Ok(output)
}
