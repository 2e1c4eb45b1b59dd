//! Large blocks of memory in large pages, where the system has them.
//!
//! The tables of word pairs are read in no order, a line here and a line there: with pages of 4 KiB the processor
//! spends part of its time on finding out where a page lies. Linux gives pages of 2 MiB to memory that is advised so
//! (its setting `transparent_hugepage/enabled` is `madvise` or `always`). It is advice: if nobody takes it, only time
//! is lost.

/// Blocks from this size on are advised: 4 MiB, so that a block has a whole page of that kind wherever it begins.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 22;

/// Asks for large pages for a block of this size, and what else its first and last page have.
#[cfg(target_os = "linux")]
#[inline]
pub(crate) fn advise(block: *mut u8, size: usize) {
    if size >= LARGE && !block.is_null() {
        advise_large(block, size);
    }
}

/// There are none.
#[cfg(not(target_os = "linux"))]
#[inline]
pub(crate) fn advise(_block: *mut u8, _size: usize) {}

#[cfg(target_os = "linux")]
#[cold]
#[expect(unsafe_code, reason = "advice about a range of memory")]
fn advise_large(block: *mut u8, size: usize) {
    use rustix::mm::{Advice, madvise};
    // Whole pages: those of a mapping of the allocator stay of one kind, so that it can still grow in place.
    let page = rustix::param::page_size();
    let before = block.addr() % page;
    let length = (before + size).next_multiple_of(page);
    // SAFETY: This advice changes no contents of memory, whoever it belongs to; where the range is not all mapped, it
    // fails. Failing means pages as usual.
    let _ = unsafe { madvise(block.wrapping_sub(before).cast(), length, Advice::LinuxHugepage) };
}
