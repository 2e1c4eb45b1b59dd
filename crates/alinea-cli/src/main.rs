//! The program `alinea`: see the library for what it does.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: alinea_cli::Allocator = alinea_cli::Allocator;

fn main() -> ExitCode {
    alinea_cli::run(std::env::args_os()).into()
}
