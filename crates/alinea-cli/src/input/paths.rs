//! Refuses runs whose files would overwrite each other.
//!
//! Commands list the paths of their options as `Role`s before they open any. Files are compared by identity, not by
//! name, so links and other spellings of a path are found (`same_file`, `same_output`). Reading one file twice is
//! allowed; an output that is an input or another output is not, nor is `-` for two inputs or two outputs. Messages
//! name both options.

use std::path::Path;

use alinea::format::sink::{same_file, same_output};
use alinea::format::source::is_dash;
use anyhow::bail;

/// A path and the option that names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Role<'p> {
    name: &'static str,
    path: &'p Path,
}

impl<'p> Role<'p> {
    /// The path given for `name`.
    pub(crate) fn new(name: &'static str, path: &'p Path) -> Self {
        Self { name, path }
    }
}

/// Refuses an output that is an input, two outputs that are one file, and standard streams used twice.
pub(crate) fn check_distinct(inputs: &[Role<'_>], outputs: &[Role<'_>]) -> anyhow::Result<()> {
    twice(inputs, "standard input", "read")?;
    twice(outputs, "standard output", "written")?;
    for (n, output) in outputs.iter().enumerate() {
        if let Some(input) = inputs.iter().find(|input| same_file(input.path, output.path)) {
            bail!("{}: {} would overwrite the input {}", output.path.display(), output.name, input.name);
        }
        if let Some(other) = outputs[..n].iter().find(|other| same_output(other.path, output.path)) {
            bail!("{}: {} and {} are the same file", output.path.display(), other.name, output.name);
        }
    }
    Ok(())
}

fn twice(roles: &[Role<'_>], stream: &str, done: &str) -> anyhow::Result<()> {
    let mut dashes = roles.iter().filter(|role| is_dash(role.path));
    if let (Some(first), Some(second)) = (dashes.next(), dashes.next()) {
        bail!("{stream} cannot be {done} twice: {} and {} are both `-`", first.name, second.name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inputs: &[(&'static str, &str)], outputs: &[(&'static str, &str)]) -> String {
        let roles = |pairs: &[(&'static str, &'static str)]| -> Vec<Role<'static>> {
            pairs.iter().map(|&(name, path)| Role::new(name, Path::new(path))).collect()
        };
        let leak = |pairs: &[(&'static str, &str)]| -> Vec<(&'static str, &'static str)> {
            pairs.iter().map(|&(name, path)| (name, &*path.to_owned().leak())).collect()
        };
        let (inputs, outputs) = (leak(inputs), leak(outputs));
        check_distinct(&roles(&inputs), &roles(&outputs)).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn clashes_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        let file = file.to_str().unwrap();
        assert_eq!(check(&[("A", file), ("B", file)], &[("-o", "-")]), "");
        assert_eq!(check(&[("A", file)], &[("-o", file)]), format!("{file}: -o would overwrite the input A"));
        assert_eq!(check(&[], &[("-o", "x"), ("--f", "./x")]), "./x: -o and --f are the same file");
        assert_eq!(check(&[("A", "-"), ("B", "-")], &[]), "standard input cannot be read twice: A and B are both `-`");
        assert_eq!(
            check(&[("A", "-")], &[("-o", "-"), ("--f", "-")]),
            "standard output cannot be written twice: -o and --f are both `-`"
        );
    }
}
