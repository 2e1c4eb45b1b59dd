//! Memory on disk: where the large arrays are with `--work-dir`.
//!
//! Each block of memory of [`LARGE`] bytes or more is then a file in that directory, mapped into memory: the text, the
//! index and the table of word pairs, whatever grows with the work. The system keeps in memory what is in use and writes
//! the rest to the disk when memory is wanted. So results are the same, and the library knows nothing of it. The files
//! have no names: they are gone when the process ends, however it does. Their room is reserved when they are made, so
//! that a full disk is an error then, and not a signal later.
//!
//! The program declares [`Allocator`] as its global allocator; without it `--work-dir` is refused.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::fs::File;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use alinea::error::Error;
use alinea::format::sink;
use memmap2::MmapMut;

use crate::{failure, huge_pages, out_of_memory};

/// Blocks from this size on are files: 1 MiB.
const LARGE: usize = 1 << 20;

/// No block is aligned to more than the pages of any system, and these have at least this size.
const PAGE: usize = 4096;

/// Where large blocks are, if not in memory.
static PLACE: OnceLock<PathBuf> = OnceLock::new();

/// The large blocks by address.
static BLOCKS: Mutex<BTreeMap<usize, MmapMut>> = Mutex::new(BTreeMap::new());

/// Has large blocks of memory lie in a directory from now on.
///
/// # Errors
/// If no file can be made there, or [`Allocator`] is not the allocator of this program.
pub(crate) fn install(directory: &Path) -> Result<(), Error> {
    map(directory, LARGE).map_err(|error| Error::io(directory, error))?;
    PLACE.get_or_init(|| directory.to_owned());
    let block = black_box(vec![0_u8; LARGE]);
    if !blocks().contains_key(&block.as_ptr().addr()) {
        let needed = "--work-dir needs alinea_cli::Allocator as the allocator";
        return Err(Error::io(directory, io::Error::new(io::ErrorKind::Unsupported, needed)));
    }
    Ok(())
}

/// Whether large blocks lie in a directory.
pub(crate) fn is_installed() -> bool {
    PLACE.get().is_some()
}

/// The allocator of programs that [`run`](crate::run) the command: it puts large arrays where `--work-dir` says, and ends the
/// command with a message where memory is missing.
///
/// Otherwise, and in a program that does not run the command, it is the system's allocator, with large pages where the
/// system has them.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: alinea_cli::Allocator = alinea_cli::Allocator;
///
/// # fn main() {
/// assert_eq!(alinea_cli::run(["alinea", "--version"].map(Into::into)), 0);
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Allocator;

impl Allocator {
    /// A block in a file, of zeros; nothing if this one belongs in the system's memory.
    #[inline]
    fn in_file(layout: Layout) -> Option<*mut u8> {
        if layout.size() < LARGE || layout.align() > PAGE {
            return None;
        }
        let directory = PLACE.get()?;
        let mut file = map(directory, layout.size()).unwrap_or_else(|error| end(directory, error));
        let block = file.as_mut_ptr();
        blocks().insert(block.addr(), file);
        Some(block)
    }

    /// Whether this block was in a file, which is gone now.
    #[inline]
    fn removed(block: *mut u8, layout: Layout) -> bool {
        layout.size() >= LARGE && PLACE.get().is_some() && {
            // Unmapped only after the lock is given back, for that takes a while.
            let file = blocks().remove(&block.addr());
            file.is_some()
        }
    }
}

#[expect(unsafe_code, reason = "the memory of all that is allocated")]
// SAFETY: A block is the system's, or a mapping of its own that lives in `BLOCKS` until the block is given back: at least
// as long as asked for, aligned to a page, and nobody else has its address. What this code allocates itself while it makes
// or finds a mapping (names, nodes of the map) is smaller than `LARGE`, so it does not come here again.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: As the caller promises.
        Self::in_file(layout).unwrap_or_else(|| advised(unsafe { System.alloc(layout) }, layout.size()))
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: As the caller promises.
        Self::in_file(layout).unwrap_or_else(|| advised(unsafe { System.alloc_zeroed(layout) }, layout.size()))
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !Self::removed(block, layout) {
            // SAFETY: What is in no file came from the system.
            unsafe { System.dealloc(block, layout) }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size.max(layout.size()) < LARGE || PLACE.get().is_none() {
            // SAFETY: No block of this size is in a file, neither before nor after.
            return advised(unsafe { System.realloc(block, layout, size) }, size);
        }
        // SAFETY: The caller promises that the new size is one a layout can have, and that the block has the old one.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(block, moved, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// A block of the system's, in large pages if there are any. Without a block the command ends.
#[inline]
fn advised(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        out_of_memory::end(size);
    }
    huge_pages::advise(block, size);
    block
}

fn blocks() -> MutexGuard<'static, BTreeMap<usize, MmapMut>> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// So many zeros in a new file without a name.
#[expect(unsafe_code, reason = "mapping a file into memory")]
fn map(directory: &Path, size: usize) -> io::Result<MmapMut> {
    let file = tempfile::tempfile_in(directory)?;
    reserve(&file, size as u64)?;
    // SAFETY: The file has no name, and nobody else has it open: it changes by way of this mapping alone.
    unsafe { MmapMut::map_mut(&file) }
}

/// Gives a file its length, and the room on the disk.
#[cfg(unix)]
fn reserve(file: &File, size: u64) -> io::Result<()> {
    Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, size)?)
}

/// Gives a file its length, and so the room on the disk.
#[cfg(not(unix))]
fn reserve(file: &File, size: u64) -> io::Result<()> {
    file.set_len(size)
}

/// Ends the process, since memory that is missing is no error that could be passed on.
#[cold]
#[expect(clippy::exit, reason = "whoever asks for memory cannot go on")]
fn end(directory: &Path, error: io::Error) -> ! {
    sink::remove_unfinished();
    let hint = match error.kind() {
        io::ErrorKind::OutOfMemory => "is the address space limited, for example by `ulimit -v`?",
        _ => "--work-dir needs enough disk space for all large arrays",
    };
    if let Some(context) = out_of_memory::context() {
        context.error(&Error::io(directory, error).to_string(), &[hint.to_owned()]);
    }
    std::process::exit(i32::from(failure::EXIT_ERROR));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program of this test has another allocator.
    #[test]
    fn without_the_allocator_nothing_is_installed() {
        let directory = tempfile::tempdir().unwrap();
        let error = install(directory.path()).unwrap_err().to_string();
        assert!(error.ends_with(": --work-dir needs alinea_cli::Allocator as the allocator"), "{error}");
    }
}
