//! `alinea metric` as users of sacreBLEU call it.
//!
//! Every option of sacreBLEU 2.6.0 is understood: those of one name mean the same, those of another name are replaced
//! by [`understood`] before the words are read, and those that this verb has not ([`ForeignArgs`]) are answered with
//! what to do instead. None of them is shown in help. Letters that mean something else in other verbs, such as `-m`,
//! thus have one meaning in the grammar.

use std::ffi::{OsStr, OsString};

use anyhow::bail;

use super::scoring::{SAMPLES, TRIALS};

/// Options of sacreBLEU and what they are called here.
const OTHER_NAMES: [(&str, &str); 27] = [
    ("-m", "--metric"),
    ("--metrics", "--metric"),
    ("-tok", "--tokenize"),
    ("--tok", "--tokenize"),
    ("-lc", "--lowercase"),
    ("-sl", "--segments"),
    ("--sentence-level", "--segments"),
    ("-nr", "--num-refs"),
    ("--smooth-method", "--smoothing"),
    ("-sv", "--smoothing-value"),
    ("--smooth-value", "--smoothing-value"),
    ("-cc", "--chrf-char-order"),
    ("-cw", "--chrf-word-order"),
    ("-ci", "--confidence"),
    ("-cin", "--confidence-n"),
    ("-pbs", "--paired-bs"),
    ("-pbsn", "--paired-bs-n"),
    ("-par", "--paired-ar"),
    ("-parn", "--paired-ar-n"),
    ("-j", "--threads"),
    ("--paired-jobs", "--threads"),
    ("-sh", "--short"),
    ("-e", "--encoding"),
    ("-ol", "--origlang"),
    ("-d", "--detail"),
    ("--cite", "--citation"),
    ("-V", "--version"),
];

/// Letters whose values may stand right behind them.
const WITH_VALUE: [&str; 3] = ["-m", "-j", "-e"];

/// Options whose number is optional here, which have none in sacreBLEU, with the number that goes without saying.
const OPTIONAL_NUMBER: [(&str, &str); 3] =
    [("--confidence", SAMPLES), ("--paired-bs", SAMPLES), ("--paired-ar", TRIALS)];

/// Options that change nothing here: output has no colors.
const WITHOUT_EFFECT: [&str; 2] = ["-nc", "--no-color"];

/// The words behind `metric`, with the names that options have here.
pub(crate) fn understood(words: Vec<OsString>) -> Vec<OsString> {
    let options = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut understood = Vec::with_capacity(words.len());
    let mut words = words.into_iter().enumerate().peekable();
    while let Some((place, word)) = words.next() {
        let Some(text) = word.to_str().filter(|_| place < options) else {
            understood.push(word);
            continue;
        };
        if !WITHOUT_EFFECT.contains(&text) {
            let next = words.peek().map(|(_, next)| next.as_os_str());
            understood.push(with_number(translated(text), next));
        }
    }
    understood
}

/// A word with the name that its option has here.
fn translated(word: &str) -> String {
    let ours = |name: &str| OTHER_NAMES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
    if let Some(name) = ours(word) {
        return name.to_owned();
    }
    let attached = WITH_VALUE.iter().find_map(|letter| Some((*letter, word.strip_prefix(*letter)?)));
    let Some((name, value)) = word.split_once('=').filter(|(name, _)| ours(name).is_some()).or(attached) else {
        return word.to_owned();
    };
    format!("{}={value}", ours(name).unwrap_or(name))
}

/// An option whose number goes without saying, with that number if the next word is a file.
fn with_number(word: String, next: Option<&OsStr>) -> OsString {
    let is_file = |next: &OsStr| {
        next.to_str().is_none_or(|next| next == "-" || !next.starts_with('-') && next.parse::<u64>().is_err())
    };
    let number = OPTIONAL_NUMBER.iter().find(|(option, _)| *option == word).map(|(_, number)| number);
    match number.filter(|_| next.is_some_and(is_file)) {
        Some(number) => format!("{word}={number}").into(),
        None => word.into(),
    }
}

/// Options of sacreBLEU that this verb has not.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(super) struct ForeignArgs {
    /// Encoding of all files
    #[arg(long, value_name = "NAME", hide = true)]
    encoding: Option<String>,
    /// Score only segments of this original language
    #[arg(long, value_name = "LANGUAGE", hide = true)]
    origlang: Option<String>,
    /// Score only segments of this subset
    #[arg(long, value_name = "REGEX", hide = true)]
    subset: Option<String>,
    /// Download a test set
    #[arg(long, value_name = "NAME", hide = true)]
    download: Option<String>,
    /// Print fields of a test set
    #[arg(long, value_name = "FIELD", num_args = 1.., hide = true)]
    echo: Vec<String>,
    /// List all test sets
    #[arg(long, hide = true)]
    list: bool,
    /// Print the citation of a test set
    #[arg(long, hide = true)]
    citation: bool,
    /// Score subsets of a test set, too
    #[arg(long, hide = true)]
    detail: bool,
    /// Print the version
    #[arg(long, hide = true)]
    version: bool,
}

impl ForeignArgs {
    /// Says what to do instead of what was asked for, if that is not here.
    pub(super) fn answer(&self) -> anyhow::Result<()> {
        let utf8 = |name: &String| matches!(name.to_lowercase().as_str(), "utf-8" | "utf8");
        if let Some(encoding) = self.encoding.as_ref().filter(|name| !utf8(name)) {
            bail!("--encoding {encoding}: text must be UTF-8; convert it: iconv -f {encoding} -t UTF-8");
        }
        let select = "select the lines of all files first, by what sacrebleu --echo origlang docid prints";
        for (given, option, instead) in [
            (self.origlang.is_some(), "--origlang", select),
            (self.subset.is_some(), "--subset", select),
            (self.download.is_some(), "--download", "call sacrebleu --download, then --test-set finds the files"),
            (!self.echo.is_empty(), "--echo", "call sacrebleu --echo"),
            (self.list, "--list", "call sacrebleu --list; --test-set knows those that it has downloaded"),
            (self.citation, "--citation", "call sacrebleu --citation"),
            (self.detail, "--detail", select),
            (self.version, "--version", "call alinea --version"),
        ] {
            if given {
                bail!("alinea metric has no {option}: {instead}");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> String {
        let words = words.split(' ').map(OsString::from).collect();
        let understood: Vec<String> =
            understood(words).into_iter().map(|word| word.into_string().unwrap_or_default()).collect();
        understood.join(" ")
    }

    #[test]
    fn options_have_the_names_of_this_verb() {
        for (theirs, ours) in [
            ("ref -i a -m bleu chrf", "ref -i a --metric bleu chrf"),
            ("ref -mbleu -m=ter", "ref --metric=bleu --metric=ter"),
            ("ref --metrics ter -tok intl -lc -sl", "ref --metric ter --tokenize intl --lowercase --segments"),
            ("ref -tok=none --tok char --smooth-value=2", "ref --tokenize=none --tokenize char --smoothing-value=2"),
            ("ref -j4 -sh -nc --no-color", "ref --threads=4 --short"),
            ("ref -f json -t wmt22 -l en-de -w 4 -b -s floor", "ref -f json -t wmt22 -l en-de -w 4 -b -s floor"),
            ("ref --min x --jobs", "ref --min x --jobs"),
            ("ref -- -m -tok", "ref -- -m -tok"),
        ] {
            assert_eq!(read(theirs), ours);
        }
    }

    #[test]
    fn a_file_is_no_number_of_samples() {
        assert_eq!(read("-pbs ref -i a b"), "--paired-bs=1000 ref -i a b");
        assert_eq!(read("--paired-ar - -i a b"), "--paired-ar=10000 - -i a b");
        assert_eq!(read("--confidence 200 ref"), "--confidence 200 ref");
        assert_eq!(read("ref -ci -cin 200"), "ref --confidence --confidence-n 200");
        assert_eq!(read("ref --confidence=9 -i a"), "ref --confidence=9 -i a");
    }

    #[test]
    fn no_option_has_two_names_here() {
        for (number, (theirs, _)) in OTHER_NAMES.iter().enumerate() {
            assert!(OTHER_NAMES[..number].iter().all(|(other, _)| other != theirs), "{theirs}");
        }
    }
}
