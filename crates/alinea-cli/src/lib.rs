//! The command `alinea`: the library's verbs for files and pipes.
//!
//! Standard output is data, standard error is talk. The exit code is 0 when all is well, 1 where a search has found nothing, 2
//! after an error, 128 and its number after a signal (130 after Ctrl-C). A reader that closes its pipe early is no error.
//!
//! It is a library so that the Python package can have the same command. A program has [`Allocator`] as its allocator and
//! calls [`run`], and nothing else.
//!
//! **Rooms.** `cli` the grammar of the command line; `options` options that all verbs share, `resources` those about
//! threads and memory, `context` what verbs are given; `progress` how long work shows itself; `failure` errors and
//! advice; `interrupt` the end by Ctrl-C, `out_of_memory` that where memory is missing; `input` what several verbs read;
//! `work_dir` memory on disk, `huge_pages` in large pages; `commands` one file a verb.

mod cli;
mod commands;
mod context;
mod failure;
mod huge_pages;
mod input;
mod interrupt;
mod options;
mod out_of_memory;
mod progress;
mod resources;
mod table;
mod work_dir;

use std::ffi::OsString;

use alinea::format::sink;

use crate::cli::{Cli, Read};
use crate::context::Context;
pub use crate::work_dir::Allocator;

/// Does what the words of a command line say, the first of which is the name of the program, and returns the exit code.
/// To be called once in a process: it prepares for signals and for missing memory.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let Read { cli, options, notes } = match Cli::read(words) {
        Ok(read) => read,
        Err(error) => {
            // Help goes to standard output, complaints to standard error; if either is closed nobody listens.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(failure::EXIT_ERROR);
        }
    };
    // As long as the process, for `work_dir` may need it at any time.
    let context = Box::leak(Box::new(Context::new(&cli.shared, options)));
    for note in notes {
        context.report(note);
    }
    match execute(cli, context) {
        Ok(()) => 0,
        Err(error) => failure::end(&error, context),
    }
}

fn execute(cli: Cli, context: &'static Context) -> anyhow::Result<()> {
    out_of_memory::install(context);
    interrupt::install()?;
    cli.command.run(context)?;
    for path in sink::take_parted() {
        context.warn(format_args!("{}: its other names (hard links) keep the old content", path.display()));
    }
    Ok(())
}
