//! Counts by pair of words as lists whose sums they are, in memory or in files.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use super::packed::{PAIRS, Packed, pack};
use super::sum::Sums;
use crate::error::{Error, Result};
use crate::storage::{Container, ContainerWriter};

/// What was counted of pairs of words: nothing at first.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct CountedPairs(Vec<Packed>);

impl CountedPairs {
    /// Those of a file of counts, where they stay. They are read through once.
    ///
    /// # Errors
    /// `Model` if there are none, or they are damaged; `Io`.
    pub(super) fn in_file(file: Container) -> Result<Self> {
        Ok(Self(vec![Packed::in_file(Arc::new(file))?]))
    }

    /// Adds counts by ascending id, in memory.
    pub(in crate::model) fn push(&mut self, counts: impl Iterator<Item = (u32, [u64; 2])>) {
        let bytes: Vec<u8> = pack(counts.map(Ok)).filter_map(Result::ok).collect();
        self.0.push(Packed::Held(bytes.into()));
    }

    /// Moves what is in memory to files without a name in a directory.
    ///
    /// # Errors
    /// `Io`.
    pub(in crate::model) fn spill(&mut self, directory: &Path) -> Result<()> {
        for list in &mut self.0 {
            if let Packed::Held(bytes) = list {
                let file = spilled(bytes, directory).map_err(|error| Error::io(directory, error))?;
                *list =
                    Packed::InFile(Arc::new(Container::of_file(format!("a file in {}", directory.display()), file)?));
            }
        }
        Ok(())
    }

    /// Adds those of another part.
    pub(super) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The sums, by ascending id.
    ///
    /// # Errors
    /// `Io`; `Model` if a file was changed.
    pub(super) fn sums(&self) -> Result<Sums<'_>> {
        Sums::of(&self.0)
    }
}

fn spilled(bytes: &[u8], directory: &Path) -> std::io::Result<File> {
    let mut writer = ContainerWriter::new(String::new());
    writer.add(PAIRS, bytes);
    let mut file = BufWriter::new(tempfile::tempfile_in(directory)?);
    writer.write(&mut file)?;
    file.into_inner().map_err(std::io::IntoInnerError::into_error)
}
