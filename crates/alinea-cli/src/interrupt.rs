//! The end by Ctrl-C, or by a signal that asks to terminate.
//!
//! Work is not asked to stop: it may be waiting for input that never comes. The handler has a thread of its own, which
//! removes the outputs that are not complete and ends the process.

use alinea::format::sink;
use anyhow::Context as _;

/// The exit code after an interruption: 128 and the number of the signal, as shells have it.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

/// Prepares for interruptions. Once, before there are outputs.
#[expect(clippy::exit, reason = "nothing else ends a thread that waits for input")]
pub(crate) fn install() -> anyhow::Result<()> {
    let end = || {
        sink::remove_unfinished();
        std::process::exit(i32::from(EXIT_INTERRUPTED));
    };
    ctrlc::set_handler(end).context("no handler for interruptions")
}
