//! The pairs of words of a part of a text.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::part_text::PartText;
use super::words::WholeText;
use crate::error::Result;
use crate::lexicon::{PairIndex, SomePairs};
use crate::model::saved::header::{self, FileKind};
use crate::parallel::Work;
use crate::storage::{Container, ContainerWriter};

const FORMAT: &str = "alinea word pairs";
const VERSION: u32 = 1;
const FILE_KIND: FileKind = FileKind { what: "word pairs", format: FORMAT, version: VERSION };

/// Which words occur together in a part of a text, by their ranks in the whole.
#[derive(Debug)]
pub struct PartPairs {
    header: Header,
    pub(super) pairs: SomePairs,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    program: String,
    /// The number of the part, from 0, and that which tells its text from others.
    part: usize,
    fingerprint: u64,
}

impl PartPairs {
    /// Collects them. O(cells) at most.
    ///
    /// # Errors
    /// If there are 2^32 pairs or more; `Cancelled` if the observer says so.
    pub fn of(part: &PartText, work: Work<'_>) -> Result<Self> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            part: part.number(),
            fingerprint: part.facts().fingerprint,
        };
        let index = PairIndex::build(part.text().in_stretches(), work.parallelism, work.observer)?;
        Ok(Self { header, pairs: SomePairs::Held(index) })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut writer = ContainerWriter::new(serde_json::to_string(&self.header)?);
        match &self.pairs {
            SomePairs::Held(index) => index.store(&mut writer),
            SomePairs::InFile(file) => {
                file.names().iter().try_for_each(|name| writer.copy(file, name)).map_err(io::Error::other)?;
            }
        }
        writer.write(to)
    }

    /// Opens a file of a part of this text. The pairs remain in it until they are joined with those of the other parts; what is damaged
    /// of them is found then.
    ///
    /// # Errors
    /// `Io`; `Model` if it is not one of pairs of words, has another version, or is of another text.
    pub fn read(path: &Path, whole: &WholeText) -> Result<Self> {
        let file = Container::open(path)?;
        let bad =
            |error: serde_json::Error| file.error("a header that describes word pairs".to_owned(), error.to_string());
        let header: Header = serde_json::from_value(header::read(&file, FILE_KIND)?).map_err(bad)?;
        if whole.parts().get(header.part).is_none_or(|part| part.fingerprint != header.fingerprint) {
            return Err(file.error("word pairs of a part of the text".to_owned(), "those of another text".to_owned()));
        }
        Ok(Self { header, pairs: SomePairs::InFile(file) })
    }

    /// The pairs that any part has, each part being there once.
    ///
    /// # Errors
    /// `Inconsistent` if a part is missing, or there twice; `Model` if a file is damaged.
    pub(super) fn joined(parts: Vec<Self>, whole: &WholeText) -> Result<PairIndex> {
        whole.check_all_there(parts.iter().map(|part| part.header.part), "word pairs")?;
        let frequencies = [whole.words().source_frequencies(), whole.words().target_frequencies()];
        PairIndex::union(frequencies, &parts.into_iter().map(|part| part.pairs).collect::<Vec<_>>())
    }
}
