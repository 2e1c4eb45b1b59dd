//! What the sentence pairs of a part added to the counts of a pass, which the part keeps for itself.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{ErrorKind, Result};
use crate::model::refinement::leave_one_out::{ChunkContributions, KnownPairs};
use crate::model::saved::header::{self, FileKind};
use crate::storage::{Container, ContainerWriter};

const FORMAT: &str = "alinea own counts";
const VERSION: u32 = 1;
const FILE_KIND: FileKind = FileKind { what: "own counts", format: FORMAT, version: VERSION };

/// What each sentence pair of a part added to the counts of a pass: leave-one-out takes it away in the next pass, and the model has it.
#[derive(Debug, Clone)]
pub struct OwnCounts {
    pub(super) header: Header,
    /// Chunk by chunk of the part.
    pub(super) chunks: Vec<ChunkContributions>,
    /// By what the pairs say, after the last pass.
    pub(super) known: Option<KnownPairs>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    format: String,
    version: u32,
    program: String,
    /// The training.
    identity: String,
    /// The number of the part, from 0.
    pub(super) part: usize,
    /// The pass that was counted, from 1.
    pub(super) pass: u32,
    /// Sentence pairs of the part whose links were given.
    pub(super) linked: usize,
    chunks: usize,
}

impl OwnCounts {
    pub(super) fn new(
        identity: String,
        [part, linked]: [usize; 2],
        pass: u32,
        chunks: Vec<ChunkContributions>,
        known: Option<KnownPairs>,
    ) -> Self {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            identity,
            part,
            pass,
            linked,
            chunks: chunks.len(),
        };
        Self { header, chunks, known }
    }

    /// Refuses those of another training, or another pass.
    pub(super) fn check(&self, identity: &str, pass: u32) -> Result<()> {
        let Header { part, pass: own, .. } = self.header;
        let message = if self.header.identity != identity {
            format!("the own counts of part {} are of another text, or of a model trained differently", part + 1)
        } else if own != pass {
            format!("the own counts of part {} are of pass {own}, those of pass {pass} are needed", part + 1)
        } else {
            return Ok(());
        };
        Err(ErrorKind::Inconsistent(message).into())
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(self, to: &mut dyn Write) -> io::Result<()> {
        let mut file = ContainerWriter::new(serde_json::to_string(&self.header)?);
        ChunkContributions::store(self.chunks.iter(), &mut file);
        if let Some(known) = self.known {
            known.store(&mut file);
        }
        file.write(to)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `Io`; `Model` if it is not one of own counts, is damaged, or has another version.
    pub fn read(path: &Path) -> Result<Self> {
        let file = Container::open(path)?;
        let bad =
            |error: serde_json::Error| file.error("a header that describes own counts".to_owned(), error.to_string());
        let header: Header = serde_json::from_value(header::read(&file, FILE_KIND)?).map_err(bad)?;
        let chunks = ChunkContributions::load(&file, header.chunks)?;
        Ok(Self { chunks, known: KnownPairs::load(&file)?, header })
    }
}
