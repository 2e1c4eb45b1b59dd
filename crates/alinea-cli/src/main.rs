//! The command `alinea`.
fn main() {}
