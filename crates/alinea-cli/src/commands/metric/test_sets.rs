//! The references of test sets, where sacreBLEU keeps them: `$SACREBLEU`, or `.sacrebleu` in the home directory.
//!
//! sacreBLEU 2 keeps the references of `wmt17/B` for `de-en` in `wmt17/B/wmt17_B.de-en.ref`; where there are several,
//! the name goes on with the number or the name of the translator, as `.ref-0` or `.ref-A` (earlier versions wrote
//! `.ref:A`). sacreBLEU 1 kept them in `wmt17/B/de-en.en`, or `de-en.en.0` and so on. From WMT21 on a test set has one
//! of its references, or those that its name tells: [`of_translators`], after the list of sacreBLEU 2.6.0.
//!
//! Several test sets, named with commas between, are one after another. Nothing is downloaded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use super::input::Text;
use crate::failure::WithHint;

/// The references of test sets for a language pair, one after another.
pub(super) fn references(names: &str, pair: &str) -> anyhow::Result<Vec<Text>> {
    let directory = directory()?;
    let mut references: Vec<Text> = Vec::new();
    for (number, name) in names.split(',').enumerate() {
        if name.is_empty() {
            bail!("--test-set = {names}: must be names with commas between");
        }
        let files = references_of(&directory, name, pair)?;
        if number == 0 {
            references.extend(files.into_iter().map(Text::from));
        } else if files.len() == references.len() {
            references.iter_mut().zip(files).for_each(|(text, file)| text.append(file));
        } else {
            bail!("{name} has {} references for {pair}, the test sets before it {}", files.len(), references.len());
        }
    }
    Ok(references)
}

/// Where sacreBLEU keeps test sets.
fn directory() -> anyhow::Result<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".sacrebleu"));
    std::env::var_os("SACREBLEU").map(PathBuf::from).or_else(home).ok_or_else(|| {
        anyhow!("there is no home directory: set SACREBLEU to the directory in which sacreBLEU keeps its test sets")
    })
}

/// The files of one test set.
fn references_of(directory: &Path, name: &str, pair: &str) -> anyhow::Result<Vec<PathBuf>> {
    let directory = directory.join(name);
    let files = files_in(&directory);
    let prefix = format!("{}.{pair}.ref", name.replace('/', "_"));
    let label = |file: &str| {
        let rest = file.strip_prefix(&*prefix)?;
        let label = if rest.is_empty() { Some(rest) } else { rest.strip_prefix(['-', ':']) };
        label.map(str::to_owned)
    };
    let labeled: BTreeMap<String, &str> = files.iter().filter_map(|file| Some((label(file)?, file.as_str()))).collect();
    let translators = of_translators(name, pair);
    if translators.is_none() && labeled.len() > 1 && labeled.keys().any(|label| label.parse::<u32>().is_err()) {
        let paths: Vec<String> = labeled.values().map(|file| directory.join(file).display().to_string()).collect();
        bail!("{name} has references of several translators: give one as REFERENCE: {}", paths.join(", "));
    }
    let mut found: Vec<&str> = match translators {
        Some(translators) => translators.iter().filter_map(|&label| labeled.get(label).copied()).collect(),
        None => labeled.values().copied().collect(),
    };
    if translators.is_some_and(|translators| found.len() < translators.len() && !translators.contains(&"")) {
        found.clear();
    }
    if found.is_empty() {
        found = of_version_1(&files, pair);
    }
    if found.is_empty() {
        let others = pairs(&files, name);
        let there = if others.is_empty() { String::new() } else { format!(", only for {}", others.join(", ")) };
        return Err(anyhow!("{name}: no references for {pair} in {}{there}", directory.display()))
            .hint(format!("sacreBLEU downloads them: sacrebleu -t {name} -l {pair} --echo src"));
    }
    Ok(found.into_iter().map(|file| directory.join(file)).collect())
}

/// The names of the files in a directory, in order; none if it is not there.
fn files_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    files.sort();
    files
}

/// The files of sacreBLEU 1.
fn of_version_1<'f>(files: &'f [String], pair: &str) -> Vec<&'f str> {
    let target = pair.split('-').nth(1).unwrap_or_default();
    let one = format!("{pair}.{target}");
    let several = format!("{one}.");
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let of_pair = |file: &&str| *file == one || file.strip_prefix(&*several).is_some_and(is_number);
    files.iter().map(String::as_str).filter(of_pair).collect()
}

/// The language pairs whose references are there.
fn pairs(files: &[String], name: &str) -> Vec<String> {
    let prefix = format!("{}.", name.replace('/', "_"));
    let pair = |file: &String| {
        if let Some(rest) = file.strip_prefix(&*prefix) {
            return rest.split_once(".ref").map(|(pair, _)| pair.to_owned());
        }
        let mut parts = file.split('.');
        let (pair, side) = (parts.next()?, parts.next()?);
        (pair.split('-').nth(1) == Some(side)).then(|| pair.to_owned())
    };
    files.iter().filter_map(pair).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The translators whose references a test set has, of those in its files; nothing if it has all. An empty name is that
/// of a reference whose translator is not named; a test set may have either that or another.
fn of_translators(name: &str, pair: &str) -> Option<&'static [&'static str]> {
    let translators: &'static [&'static str] = match (name, pair) {
        ("wmt23", "en-he" | "he-en") => &["refB"],
        ("wmt23" | "wmt24", _) => &["refA"],
        ("wmt22", "cs-en" | "en-cs") | ("wmt21/B", _) => &["B"],
        ("wmt22", "liv-en" | "ru-sah") => &[""],
        ("wmt21" | "wmt21/systems" | "wmt22", _) => &["A"],
        ("wmt21/AB", _) => &["A", "B"],
        ("wmt21/C", _) => &["C"],
        ("wmt21/AC", _) => &["A", "C"],
        ("wmt21/D", _) => &["D"],
        ("wmt21/dev", _) => &["A", ""],
        _ => return None,
    };
    Some(translators)
}
