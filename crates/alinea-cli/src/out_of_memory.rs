//! The end where memory is missing.
//!
//! The standard library aborts then, and outputs that are not complete would stay. This end removes them and tells what
//! can be done. It allocates nothing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use alinea::format::sink;

use crate::context::Context;
use crate::{failure, work_dir};

/// Who tells, and what can be done where `--work-dir` is not used.
static VOICE: OnceLock<(&Context, &str)> = OnceLock::new();

const FEWER_THREADS: &str = "fewer threads need less memory: --threads 1";

/// Whether a thread is at it.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Prepares for it.
pub(crate) fn install(context: &'static Context) {
    let has = |name: &str| context.options().iter().any(|option| option == name);
    let hint = match (has("work-dir"), has("threads")) {
        (true, _) => "--work-dir DIR keeps large arrays in memory-mapped files in a directory",
        (false, true) => FEWER_THREADS,
        (false, false) => "is the memory limited, for example by `ulimit -v`?",
    };
    VOICE.get_or_init(|| (context, hint));
}

/// Who tells of errors that no verb can pass on: if this process is the command, and not a library in another.
pub(crate) fn context() -> Option<&'static Context> {
    VOICE.get().map(|&(context, _)| context)
}

/// Ends the command, since so many bytes are not to be had. Several threads may come to it at once. In another process
/// nothing happens: there it is for the standard library to end it.
#[cold]
pub(crate) fn end(bytes: usize) {
    let Some(&(context, hint)) = VOICE.get() else { return };
    if ENDING.swap(true, Ordering::SeqCst) {
        // The first one ends the process, unless it came here again itself.
        thread::sleep(Duration::from_secs(2));
    } else {
        sink::remove_unfinished_without_memory();
        let hint = if work_dir::is_installed() { FEWER_THREADS } else { hint };
        context
            .last_words(format_args!("not enough memory: cannot allocate another {} kB", bytes.div_ceil(1000)), hint);
    }
    signal_hook::low_level::exit(i32::from(failure::EXIT_ERROR))
}
