//! The command as a user meets it: arguments and bytes in, exit code and bytes out.

mod files;
mod support;

mod convert;
mod evaluate;
mod show;
mod symmetrize;
