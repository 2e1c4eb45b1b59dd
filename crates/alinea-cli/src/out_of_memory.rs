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
use crate::failure;

/// Who tells, and what can be done.
static VOICE: OnceLock<(&Context, &str)> = OnceLock::new();

/// Whether a thread is at it.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Prepares for it.
pub(crate) fn install(context: &'static Context, has_work_dir: bool) {
    let hint = if has_work_dir {
        "fewer threads need less memory: --threads 1"
    } else {
        "--work-dir DIR keeps large arrays in memory-mapped files in a directory"
    };
    VOICE.get_or_init(|| (context, hint));
}

/// Ends the process, since so many bytes are not to be had. Several threads may come to it at once.
#[cold]
pub(crate) fn end(bytes: usize) -> ! {
    if ENDING.swap(true, Ordering::SeqCst) {
        // The first one ends the process, unless it came here again itself.
        thread::sleep(Duration::from_secs(2));
    } else {
        sink::remove_unfinished_without_memory();
        if let Some((context, hint)) = VOICE.get() {
            context.last_words(
                format_args!("not enough memory: cannot allocate another {} kB", bytes.div_ceil(1000)),
                hint,
            );
        }
    }
    signal_hook::low_level::exit(i32::from(failure::EXIT_ERROR))
}
