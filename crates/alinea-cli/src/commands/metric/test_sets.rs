//! The references of test sets, where sacreBLEU keeps them: `$SACREBLEU`, or `.sacrebleu` in the home directory.
//!
//! sacreBLEU 2 keeps the references of `wmt17/B` for `de-en` in `wmt17/B/wmt17_B.de-en.ref`; where there are several,
//! the name goes on with the number or the name of the translator, as `.ref-0` or `.ref-A` (earlier versions wrote
//! `.ref:A`). sacreBLEU 1 kept them in `wmt17/B/de-en.en`, or `de-en.en.0` and so on. [`Reference::of`] reads these
//! names, also of files that users have compressed. From WMT21 on a test set has one of its references, or those that
//! its name tells: [`of_translators`], after the list of sacreBLEU 2.6.0.
//!
//! Several test sets, named with commas between, are one after another. Nothing is downloaded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use alinea::format::source::plain_name;
use anyhow::{anyhow, bail};

use super::input::Text;
use crate::failure::WithHint;
use crate::input::links::counted;

/// A file of references.
struct Reference<'f> {
    file: &'f str,
    pair: &'f str,
    /// The number or the translator; empty if neither is named.
    label: &'f str,
    /// Whether it is named as sacreBLEU 1 did.
    of_version_1: bool,
}

/// The references of test sets for a language pair, one after another.
pub(super) fn references(names: &str, pair: &str) -> anyhow::Result<Vec<Text>> {
    let directory = directory()?;
    let mut references: Vec<Text> = Vec::new();
    for (number, name) in names.split(',').enumerate() {
        if name.is_empty() {
            bail!("--test-set = {names}: must be comma-separated names");
        }
        let files = references_of(&directory, name, pair)?;
        if number == 0 {
            references.extend(files.into_iter().map(Text::from));
        } else if files.len() == references.len() {
            references.iter_mut().zip(files).for_each(|(text, file)| text.append(file));
        } else {
            let found = counted(files.len() as u64, "reference");
            bail!("{name} has {found} for {pair}, the test sets before it {}", references.len());
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

impl<'f> Reference<'f> {
    /// What the name of a file in the folder of a test set says, if it is that of references.
    fn of(file: &'f str, test_set: &str) -> Option<Self> {
        let bare = plain_name(file);
        let prefix = test_set.replace('/', "_") + ".";
        if let Some(rest) = bare.strip_prefix(&*prefix) {
            let (pair, label) = rest.split_once(".ref")?;
            let label = if label.is_empty() { label } else { label.strip_prefix(['-', ':'])? };
            return Some(Self { file, pair, label, of_version_1: false });
        }
        let (pair, rest) = bare.split_once('.')?;
        let label = rest.strip_prefix(pair.split('-').nth(1)?)?;
        let label = if label.is_empty() { label } else { label.strip_prefix('.').filter(|label| is_number(label))? };
        Some(Self { file, pair, label, of_version_1: true })
    }
}

fn is_number(label: &str) -> bool {
    label.parse::<u32>().is_ok()
}

/// The files of one test set.
fn references_of(directory: &Path, name: &str, pair: &str) -> anyhow::Result<Vec<PathBuf>> {
    let directory = directory.join(name);
    let files = files_in(&directory);
    let references: Vec<Reference<'_>> = files.iter().filter_map(|file| Reference::of(file, name)).collect();
    let by_label = |of_version_1: bool| {
        let mut labeled: BTreeMap<&str, &str> = BTreeMap::new();
        for reference in references.iter().filter(|found| found.pair == pair && found.of_version_1 == of_version_1) {
            // A file stands before the same file compressed.
            labeled.entry(reference.label).or_insert(reference.file);
        }
        labeled
    };
    let labeled = by_label(false);
    let translators = of_translators(name, pair);
    if translators.is_none() && labeled.len() > 1 && !labeled.keys().all(|label| is_number(label)) {
        let paths: Vec<String> = labeled.values().map(|file| directory.join(file).display().to_string()).collect();
        bail!("{name} has references of several translators: give one as REFERENCE: {}", paths.join(", "));
    }
    let mut found: Vec<&str> = match translators {
        Some(translators) => translators.iter().filter_map(|&label| labeled.get(label).copied()).collect(),
        None => labeled.into_values().collect(),
    };
    if translators.is_some_and(|translators| found.len() < translators.len() && !translators.contains(&"")) {
        found.clear();
    }
    if found.is_empty() {
        found = by_label(true).into_values().collect();
    }
    if found.is_empty() {
        let others: BTreeSet<&str> = references.iter().map(|found| found.pair).filter(|other| *other != pair).collect();
        let others: Vec<&str> = others.into_iter().collect();
        let there = if others.is_empty() { String::new() } else { format!(", only for {}", others.join(", ")) };
        return Err(anyhow!("{name}: no references for {pair} in {}{there}", directory.display()))
            .hint(format!("sacreBLEU downloads them: sacrebleu --download {name} -l {pair}"));
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
