//! The command as a user meets it: arguments and bytes in, exit code and bytes out.

mod align;
mod bad_inputs;
mod grammar;
mod interrupts;
mod outputs;
mod peers_failures;
mod support;
