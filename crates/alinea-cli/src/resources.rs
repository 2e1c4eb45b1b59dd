//! Options about threads and memory, and sizes.
//!
//! A verb has only options that do something there: one that computes in parallel flattens [`ThreadOptions`] into its
//! `Args`, one whose arrays grow with the text flattens [`WorkDirOptions`] and calls `install` before anything large is
//! made.

use std::path::PathBuf;
use std::str::FromStr;

use alinea::error::Error;
use alinea::parallel::Parallelism;

use crate::input::kind::Rare as _;
use crate::work_dir;

/// Of verbs that compute in parallel.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Resources")]
pub(crate) struct ThreadOptions {
    /// Number of threads (0: one per core); results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

impl ThreadOptions {
    /// The threads to work with.
    pub(crate) fn parallelism(&self) -> Result<Parallelism, Error> {
        Parallelism::new(self.threads)
    }
}

/// Of verbs whose arrays grow with the text.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Resources")]
pub(crate) struct WorkDirOptions {
    /// Keep large arrays in memory-mapped files in this directory, if memory does not suffice
    #[arg(long, value_name = "DIR", rare = true)]
    work_dir: Option<PathBuf>,
}

impl WorkDirOptions {
    /// Has large arrays lie there from now on.
    ///
    /// # Errors
    /// If no file can be made there.
    pub(crate) fn install(&self) -> Result<(), Error> {
        self.work_dir.as_deref().map_or(Ok(()), work_dir::install)
    }
}

/// A size of files or of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bytes(pub(crate) u64);

impl FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const KIB: f64 = 1024.0;
        let units = [
            ("KiB", KIB),
            ("MiB", KIB * KIB),
            ("GiB", KIB * KIB * KIB),
            ("kB", 1e3),
            ("MB", 1e6),
            ("GB", 1e9),
            ("B", 1.0),
        ];
        let cut = units.into_iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)));
        let (number, unit) = cut.unwrap_or((text, 1.0));
        let size = number.trim().parse().map(|number: f64| number * unit);
        let size = size.ok().filter(|size| (1.0..=1e15).contains(size));
        size.map(|size| Self(size as u64)).ok_or("expected a size such as 100MB, 1.5GiB or a number of bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let read = |text: &str| text.parse::<Bytes>().map(|Bytes(size)| size);
        assert_eq!(read("100MB"), Ok(100_000_000));
        assert_eq!(read("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(read("12kB"), Ok(12_000));
        assert_eq!(read("4GiB"), Ok(1 << 32));
        assert_eq!(read("0.5 MiB"), Ok(1 << 19));
        assert_eq!(read("3KiB"), Ok(3072));
        assert_eq!(read("77"), Ok(77));
        for bad in ["", "MB", "-1MB", "0", "1TB", "nan", "GiB"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
