//! Files with names: `NAME=FILE`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use alinea::format::source::is_dash;
use anyhow::bail;

/// A file, and what its content is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    name: Option<String>,
    /// The file.
    pub(super) path: PathBuf,
}

impl Named {
    /// Reads `NAME=FILE` or `FILE`. What exists under the whole of it is a file with `=` in its name.
    pub(super) fn parse(value: &OsStr) -> Self {
        let whole = Self { name: None, path: PathBuf::from(value) };
        let Some((name, path)) = value.to_str().and_then(|value| value.split_once('=')) else { return whole };
        if name.is_empty() || path.is_empty() || whole.path.exists() {
            return whole;
        }
        Self { name: Some(name.to_owned()), path: PathBuf::from(path) }
    }

    /// The name given, or that of the file.
    fn short(&self) -> String {
        let file = self.path.file_name().filter(|_| !is_dash(&self.path));
        self.name.clone().or_else(|| file.map(lossy)).unwrap_or_else(|| "links".to_owned())
    }
}

fn lossy(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// What each is called: the name given, or that of the file, with its folders where two files would be called the same.
///
/// # Errors
/// If two names that were given are the same, or a file is there twice without names.
pub(super) fn names(files: &[&Named]) -> anyhow::Result<Vec<String>> {
    let short: Vec<String> = files.iter().map(|file| file.short()).collect();
    let whole = |path: &Path| lossy(path.as_os_str());
    let name = |(n, file): (usize, &&Named)| {
        let clash = short.iter().enumerate().any(|(other, name)| other != n && *name == short[n]);
        if clash && file.name.is_none() { whole(&file.path) } else { short[n].clone() }
    };
    let names: Vec<String> = files.iter().enumerate().map(name).collect();
    for (n, name) in names.iter().enumerate() {
        if names[..n].contains(name) {
            bail!("two files of links are called {name}: NAME=FILE gives one another name");
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(values: &[&str]) -> Result<Vec<String>, String> {
        let files: Vec<Named> = values.iter().map(|value| Named::parse(OsStr::new(value))).collect();
        names(&files.iter().collect::<Vec<_>>()).map_err(|error| error.to_string())
    }

    #[test]
    fn names_are_given_or_those_of_files() {
        let expected = ["new", "gold.align", "a/links", "b/links", "links"].map(str::to_owned);
        assert_eq!(all(&["new=x/y", "g/gold.align", "a/links", "b/links", "-"]), Ok(expected.to_vec()));
        assert_eq!(Named::parse(OsStr::new("new=x/y=z")).path, Path::new("x/y=z"));
        assert_eq!(Named::parse(OsStr::new("=x")).path, Path::new("=x"));
    }

    #[test]
    fn one_name_for_two_is_refused() {
        let message = "two files of links are called a: NAME=FILE gives one another name".to_owned();
        assert_eq!(all(&["a=x", "a=y"]), Err(message.clone()));
        assert_eq!(all(&["a", "a"]), Err(message));
        assert_eq!(
            all(&["a", "a=x"]).unwrap_err(),
            "two files of links are called a: NAME=FILE gives one another name"
        );
    }

    #[test]
    fn a_file_may_have_the_sign_in_its_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a=b");
        std::fs::write(&path, "").unwrap();
        assert_eq!(Named::parse(path.as_os_str()), Named { name: None, path });
    }
}
