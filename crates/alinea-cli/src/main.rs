//! The command `alinea`: the library's verbs for files and pipes.
//!
//! Standard output is data, standard error is talk. The exit code is 0 when all is well, 2
//! after an error, 128 and its number after a signal (130 after Ctrl-C). A reader that closes its pipe early is no error.
//!
//! **Rooms.** `cli` the grammar of the command line; `context` what all verbs share; `progress` how long work shows
//! itself; `failure` errors and advice; `interrupt` the end by Ctrl-C, `out_of_memory` that
//! where memory is missing; `input` what several verbs read; `work_dir` memory on disk, `huge_pages` in
//! large pages; `commands` one file a verb.

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
mod table;
mod work_dir;

use std::process::ExitCode;

use alinea::format::sink;

use crate::cli::Cli;
use crate::context::Context;

fn main() -> ExitCode {
    let (cli, options) = match Cli::read() {
        Ok(read) => read,
        Err(error) => {
            // Help goes to standard output, complaints to standard error; if either is closed nobody listens.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(failure::EXIT_ERROR));
        }
    };
    // As long as the process, for `work_dir` may need it at any time.
    let context = Box::leak(Box::new(Context::new(&cli.shared, options)));
    match run(cli, context) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::end(&error, context),
    }
}

fn run(cli: Cli, context: &'static Context) -> anyhow::Result<()> {
    out_of_memory::install(context, cli.shared.work_dir.is_some());
    interrupt::install()?;
    if let Some(directory) = &cli.shared.work_dir {
        work_dir::install(directory, context)?;
    }
    cli.command.run(context)?;
    for path in sink::take_parted() {
        context.warn(format_args!("{}: its other names (hard links) keep the old content", path.display()));
    }
    Ok(())
}
