//! Where the files of an encoder are: in a folder, or in the cache of Hugging Face under a name.
//!
//! The cache is the folder that `HF_HUB_CACHE` names, else `HUGGINGFACE_HUB_CACHE`, else `hub` in `HF_HOME`, else
//! `huggingface/hub` in `XDG_CACHE_HOME`, else `~/.cache/huggingface/hub` (documentation of huggingface_hub, "Environment
//! variables"; the second is its older name for the first). There, `models--intfloat--multilingual-e5-small/refs/main` holds
//! the name of the newest commit, and `snapshots/COMMIT` its files (documentation of the Hub, "Hub local cache").
//!
//! Nothing is downloaded. An [error](ErrorKind::Encoder) has the name under which the files can be fetched.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use alinea_text::limits::{ENCODER_DESCRIPTION, Limit};
use serde::Deserialize;

use crate::error::{Error, ErrorKind, Result, Snippet};

/// The file of weights, if there is one.
const WEIGHTS: &str = "model.safetensors";
/// The file that says in which files the weights are, if there are several.
const INDEX: &str = "model.safetensors.index.json";
/// The longest name of a model, as huggingface_hub checks them.
const LONGEST_NAME: usize = 96;

/// The folder of an encoder: a folder is returned as it is, a name of a model such as `intfloat/multilingual-e5-small` is
/// looked up in the cache of Hugging Face. A folder goes before a model of the same name. Nothing is downloaded.
///
/// # Errors
/// `Encoder` if there is neither, or if `config.json`, `tokenizer.json` or weights in the safetensors format are missing.
pub fn find(name_or_path: &str) -> Result<PathBuf> {
    let path = Path::new(name_or_path);
    if path.is_dir() {
        complete(path, None)?;
        return Ok(path.to_owned());
    }
    if path.exists() {
        return Err(refused(path, "a file, where the folder of an encoder is expected", None));
    }
    if !is_name(name_or_path) {
        return Err(refused(path, "no such folder", None));
    }
    let variable = |name: &str| env::var_os(name);
    find_in(cache(variable, env::home_dir().as_deref()).as_deref(), name_or_path)
}

/// The newest snapshot of a model in a cache.
fn find_in(cache: Option<&Path>, name: &str) -> Result<PathBuf> {
    let Some(cache) = cache else {
        return Err(refused(Path::new(name), "no such folder", Some(name)));
    };
    let model = cache.join(format!("models--{}", name.replace('/', "--")));
    let snapshots = model.join("snapshots");
    let folder = if snapshots.is_dir() { snapshot(&model, &snapshots, name)? } else { None };
    let Some(folder) = folder else {
        let problem = format!("neither a folder nor a model in the cache of Hugging Face, {}", cache.display());
        return Err(refused(Path::new(name), problem, Some(name)));
    };
    complete(&folder, Some(name))?;
    Ok(folder)
}

/// The snapshot that `refs/main` names, or the only one.
fn snapshot(model: &Path, snapshots: &Path, name: &str) -> Result<Option<PathBuf>> {
    let reference = model.join("refs").join("main");
    if reference.is_file() {
        let commit = String::from_utf8(read_description(&reference)?).unwrap_or_default();
        let commit = commit.trim();
        if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(refused(&reference, "not the name of a commit", Some(name)));
        }
        let folder = snapshots.join(commit);
        return Ok(folder.is_dir().then_some(folder));
    }
    let entries = fs::read_dir(snapshots).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| Error::io(snapshots, error))?;
    let mut folders: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
    if folders.len() > 1 {
        return Err(refused(snapshots, "several snapshots, and no refs/main: give one of them as a folder", None));
    }
    Ok(folders.pop())
}

/// The folder in which Hugging Face keeps what was fetched.
fn cache(variable: impl Fn(&str) -> Option<OsString>, home: Option<&Path>) -> Option<PathBuf> {
    let given = |name| {
        let path = PathBuf::from(variable(name).filter(|value| !value.is_empty())?);
        match (path.strip_prefix("~"), home) {
            (Ok(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(path),
        }
    };
    let cache = given("HF_HUB_CACHE").or_else(|| given("HUGGINGFACE_HUB_CACHE"));
    let in_home = || given("HF_HOME").map(|home| home.join("hub"));
    let caches = || given("XDG_CACHE_HOME").or_else(|| home.map(|home| home.join(".cache")));
    cache.or_else(in_home).or_else(|| caches().map(|caches| caches.join("huggingface").join("hub")))
}

/// Whether a model may have this name: `bert-base-multilingual-cased`, or `intfloat/multilingual-e5-small`.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !part.is_empty() && part.bytes().all(legal) && !part.starts_with(['-', '.']) && !part.ends_with(['-', '.'])
    };
    let parts: Vec<&str> = name.split('/').collect();
    let joined = name.contains("--") || name.contains("..");
    name.len() <= LONGEST_NAME && parts.len() <= 2 && parts.into_iter().all(is_part) && !joined
}

/// Refuses a folder in which a file is missing. `name` is that of the model, if it is from the cache.
fn complete(folder: &Path, name: Option<&str>) -> Result<()> {
    for file in ["config.json", "tokenizer.json"] {
        if !folder.join(file).is_file() {
            return Err(refused(folder, format!("no {file} in this folder"), name));
        }
    }
    weights(folder, name).map(|_| ())
}

/// Where the weights of an encoder are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WeightFiles {
    /// In this file.
    One(PathBuf),
    /// In the files that this index names.
    Index(PathBuf),
}

/// The weights in a folder. `name` is that of the model, if it is from the cache.
pub(crate) fn weights(folder: &Path, name: Option<&str>) -> Result<WeightFiles> {
    let [one, index] = [WEIGHTS, INDEX].map(|file| folder.join(file));
    if one.is_file() {
        return Ok(WeightFiles::One(one));
    }
    if index.is_file() {
        return Ok(WeightFiles::Index(index));
    }
    let others = ["pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "flax_model.msgpack"];
    let other = others.into_iter().find(|other| folder.join(other).is_file());
    let problem = match other {
        Some(other) => format!("weights in the safetensors format are needed ({WEIGHTS}), and there is only {other}"),
        None => format!("no {WEIGHTS} in this folder"),
    };
    Err(refused(folder, problem, name))
}

/// All of a file that describes an encoder or its weights.
pub(crate) fn read_description(path: &Path) -> Result<Vec<u8>> {
    read_within(path, ENCODER_DESCRIPTION)
}

/// What the JSON of such a file says; `what` it should be is for the error.
pub(crate) fn parse_description<'j, T: Deserialize<'j>>(path: &str, json: &'j [u8], what: &str) -> Result<T> {
    serde_json::from_slice(json).map_err(|error| {
        let found = Snippet::new(error.to_string().as_bytes()).to_string();
        ErrorKind::Model { path: path.to_owned(), expected: format!("{what}, in JSON"), found }.into()
    })
}

/// All of a file of limited size.
pub(crate) fn read_within(path: &Path, limit: Limit) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit.most + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::io(path, error))?;
    if bytes.len() as u64 > limit.most {
        return Err(limit.unbounded().at(path.display()));
    }
    Ok(bytes)
}

fn refused(path: &Path, problem: impl Into<String>, name: Option<&str>) -> Error {
    let (path, name) = (path.display().to_string(), name.map(str::to_owned));
    ErrorKind::Encoder { path, problem: problem.into(), name }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Hint;

    const NAME: &str = "intfloat/multilingual-e5-small";

    fn touch(folder: &Path, files: &[&str]) {
        fs::create_dir_all(folder).unwrap();
        for file in files {
            fs::write(folder.join(file), "x").unwrap();
        }
    }

    #[test]
    fn variables_name_the_cache_in_the_order_of_huggingface_hub() {
        let of = |set: &[(&str, &str)]| {
            let set: Vec<(String, OsString)> = set.iter().map(|&(name, value)| (name.into(), value.into())).collect();
            let variable = |name: &str| set.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
            cache(variable, Some(Path::new("home")))
        };
        let path = |parts: &[&str]| Some(parts.iter().collect::<PathBuf>());
        let all = [("HF_HUB_CACHE", "a"), ("HUGGINGFACE_HUB_CACHE", "b"), ("HF_HOME", "c"), ("XDG_CACHE_HOME", "d")];
        assert_eq!(of(&all), path(&["a"]));
        assert_eq!(of(&all[1..]), path(&["b"]));
        assert_eq!(of(&all[2..]), path(&["c", "hub"]));
        assert_eq!(of(&all[3..]), path(&["d", "huggingface", "hub"]));
        assert_eq!(of(&[]), path(&["home", ".cache", "huggingface", "hub"]));
        assert_eq!(of(&[("HF_HUB_CACHE", ""), ("HF_HOME", "~/c")]), path(&["home", "c", "hub"]));
        assert_eq!(cache(|_| None, None), None);
    }

    #[test]
    fn names_are_told_from_paths() {
        for name in [NAME, "bert-base-multilingual-cased", "sentence-transformers/LaBSE", "a/b_c.d"] {
            assert!(is_name(name), "{name}");
        }
        let long = "a".repeat(97);
        for path in ["", "/", "a/b/c", "/a", "a/", ".", "..", "./a", "a/..", "a--b", "a b", "a\\b", "ä", &long] {
            assert!(!is_name(path), "{path}");
        }
    }

    #[test]
    fn a_model_is_found_in_the_cache() {
        let cache = tempfile::tempdir().unwrap();
        let model = cache.path().join("models--intfloat--multilingual-e5-small");
        let snapshots = model.join("snapshots");
        let files = ["config.json", "tokenizer.json", "model.safetensors"];
        touch(&snapshots.join("0123abc"), &files);
        let found = || find_in(Some(cache.path()), NAME);
        assert_eq!(found().unwrap(), snapshots.join("0123abc"));
        touch(&snapshots.join("4567def"), &files);
        let message = found().unwrap_err().to_string();
        assert!(message.contains("several snapshots"), "{message}");
        touch(&model.join("refs"), &[]);
        let main = model.join("refs").join("main");
        fs::write(&main, "4567def\n").unwrap();
        assert_eq!(found().unwrap(), snapshots.join("4567def"));
        fs::write(&main, "../../elsewhere").unwrap();
        let message = found().unwrap_err().to_string();
        assert!(message.ends_with("not the name of a commit"), "{message}");
        fs::write(&main, "89").unwrap();
        assert!(found().unwrap_err().to_string().starts_with(NAME));
    }

    #[test]
    fn what_is_missing_can_be_fetched() {
        let cache = tempfile::tempdir().unwrap();
        let error = find_in(Some(cache.path()), NAME).unwrap_err();
        let expected = "intfloat/multilingual-e5-small: neither a folder nor a model in the cache of Hugging Face, ";
        assert_eq!(error.to_string(), format!("{expected}{}", cache.path().display()));
        assert_eq!(error.hint(), Some(Hint::FetchEncoder));
        assert!(matches!(error.kind(), ErrorKind::Encoder { name: Some(name), .. } if name == NAME));
        let snapshot = cache.path().join("models--intfloat--multilingual-e5-small/snapshots/1");
        touch(&snapshot, &["config.json", "model.safetensors"]);
        let error = find_in(Some(cache.path()), NAME).unwrap_err();
        assert!(error.to_string().ends_with(": no tokenizer.json in this folder"), "{error}");
        assert_eq!(error.hint(), Some(Hint::FetchEncoder));
        assert_eq!(find_in(None, NAME).unwrap_err().hint(), Some(Hint::FetchEncoder));
    }

    #[test]
    fn a_folder_is_taken_if_it_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("encoder");
        let path = folder.to_str().unwrap();
        let message = || find(path).unwrap_err().to_string();
        assert_eq!(message(), format!("{path}: no such folder"));
        touch(&folder, &[]);
        assert_eq!(message(), format!("{path}: no config.json in this folder"));
        touch(&folder, &["config.json"]);
        assert_eq!(message(), format!("{path}: no tokenizer.json in this folder"));
        touch(&folder, &["tokenizer.json"]);
        assert_eq!(message(), format!("{path}: no model.safetensors in this folder"));
        touch(&folder, &["pytorch_model.bin"]);
        assert!(message().ends_with("(model.safetensors), and there is only pytorch_model.bin"), "{}", message());
        assert_eq!(find(path).unwrap_err().hint(), None);
        touch(&folder, &[INDEX]);
        assert_eq!(weights(&folder, None).unwrap(), WeightFiles::Index(folder.join(INDEX)));
        touch(&folder, &[WEIGHTS]);
        assert_eq!(weights(&folder, None).unwrap(), WeightFiles::One(folder.join(WEIGHTS)));
        assert_eq!(find(path).unwrap(), folder);
        let file = folder.join(WEIGHTS);
        let message = find(file.to_str().unwrap()).unwrap_err().to_string();
        assert!(message.ends_with("a file, where the folder of an encoder is expected"), "{message}");
    }
}
