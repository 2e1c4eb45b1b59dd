//! The program `alinea`: see the library for what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    alinea_cli::run(std::env::args_os()).into()
}
