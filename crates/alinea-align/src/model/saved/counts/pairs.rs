//! Counts by pair of words as lists whose sums they are, in memory or in files.

use std::fs::File;
use std::io::{self, BufWriter};
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

    /// Adds counts by ascending id, which are made several times, in memory.
    pub(in crate::model) fn push<N: Iterator<Item = (u32, [u64; 2])>>(&mut self, counts: impl Fn() -> N) {
        let bytes = || pack(counts().map(Ok)).filter_map(Result::ok);
        // As much memory as it takes, and no more.
        let mut packed = Vec::with_capacity(bytes().count());
        packed.extend(bytes());
        self.0.push(Packed::Held(Arc::new(packed)));
    }

    /// Adds them in a file without a name in a directory.
    ///
    /// # Errors
    /// `Io`.
    pub(in crate::model) fn push_to<N: Iterator<Item = (u32, [u64; 2])>>(
        &mut self,
        directory: &Path,
        counts: impl Fn() -> N,
    ) -> Result<()> {
        let write = || -> io::Result<File> {
            let mut writer = ContainerWriter::new(String::new());
            writer.add_made(PAIRS, || pack(counts().map(Ok)).filter_map(Result::ok));
            let mut file = BufWriter::new(tempfile::tempfile_in(directory)?);
            writer.write(&mut file)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)
        };
        let file = write().map_err(|error| Error::io(directory, error))?;
        let name = format!("a file in {}", directory.display());
        self.0.push(Packed::InFile(Arc::new(Container::of_file(name, file)?)));
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
