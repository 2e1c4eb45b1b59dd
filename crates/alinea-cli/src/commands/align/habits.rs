//! Options of other aligners, understood in the place of ours.
//!
//! [`understood`] reads the words after `align` or `train` before the grammar does. Where fast_align or eflomal-align
//! is recognized by the options that only they have, theirs become ours (`-i FILE` is `--bitext FILE`, `-s X -t Y` are
//! the two files), those that need no counterpart are taken away with a note, and those that would have written a file
//! or read parameters are answered. Where neither is recognized almost nothing changes, so that our own options mean
//! what they mean: `-o` is the output and takes a value, `-f` the format, `-q` silence. `--adapt` gets a number if none
//! follows, so that it may stand before the files.
//!
//! * fast_align has `-i FILE` with flags `-d -o -v`, and `-r` for the other direction. Its flags may be joined
//!   (`-dov`), but a word that begins with `-o` is our output: `-odor` writes the file `dor`.
//! * eflomal-align has `-s FILE -t FILE` or `-i FILE`, with `-f FILE -r FILE` for the links of each direction.

use std::ffi::{OsStr, OsString};

use alinea::model::ADAPTATION_PASSES;
use clap::ValueEnum;

use super::outputs::FormatName;

/// What the words of a command line come to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Understood {
    /// Words for the grammar, and lines for standard error.
    Words {
        /// Ours.
        words: Vec<OsString>,
        /// What became of others.
        notes: Vec<String>,
    },
    /// What to say instead of doing anything.
    Answer(String),
}

/// Whose options they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    FastAlign,
    Eflomal,
    Alinea,
}

/// What becomes of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// It stays as it is, its value too.
    Kept,
    /// Another name, the same value.
    Named(&'static str),
    /// It is taken away, and named in a note.
    Dropped,
    /// The same with its value.
    DroppedWithValue,
    /// Its value is the number of a model: the same, with a note of its own.
    ModelNumber,
    /// It has no number, and gets this one.
    Numbered(u32),
    /// Its value is a side of the text: 0 the source, 1 the target.
    Side(usize),
    /// Its value is a file of eflomal's priors.
    Priors,
    /// It is taken away, for a reason of its own.
    Noted(&'static str),
    /// It is refused.
    Answered(&'static str),
}

const REVERSE: &str = "\
note: fast_align's -r is ignored: both directions are trained together, so links need no symmetrization \
(atools); --reverse FILE writes the links of the reverse direction";
const VERBOSE: &str = "note: -v, --verbose: a terminal shows the progress; elsewhere --progress json reports it";
const PRIORS: &str = "\
note: eflomal's priors of words are read as a dictionary (--dictionary FILE --dictionary-format eflomal); priors of \
jumps and fertilities are ignored";
const BOTH: &str = "note: the links of both directions together are on standard output; -o FILE writes them to a file";

const TABLE: &str = "\
fast_align's -p and -c write the table of translations: train a model with `alinea train --bitext TEXT -m MODEL`, then \
`alinea model export MODEL --format fast-align` (eflomal's -p, its priors, is --dictionary FILE --dictionary-format \
eflomal)";
const FORCED: &str = "\
fast_align's -f and -m align with parameters from files: train a model with `alinea train --bitext TEXT -m MODEL`, \
then `alinea align -m MODEL --bitext TEXT`";
const SCORES: &str = "scores of both directions are written by --scores FILE, beside the links";
const MODEL_NUMBER: &str = "\
-m is a model file, written by `alinea train`; a model is chosen by name, such as --model hmm (for a file whose name \
is a number: -m ./3)";

/// Puts our options in the place of those of other aligners, in the words after the verb.
pub(crate) fn understood(words: Vec<OsString>) -> Understood {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let words = split_flags(words, end);
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (ours, rest) = words.split_at(end);
    let given = || (0..ours.len()).filter_map(move |at| Given::at(ours, at));
    let program = Program::of(&given().collect::<Vec<_>>());
    let has = |name: &str| given().any(|option| option.name == name);

    let (mut read, mut at) = (Reading::default(), 0);
    while at < ours.len() {
        let Some(option) = Given::at(ours, at) else {
            read.words.push(ours[at].clone());
            at += 1;
            continue;
        };
        let turn = program.turn(&option);
        if let Turn::Answered(answer) = turn {
            return Understood::Answer(answer.to_owned());
        }
        read.take(turn, &option, &ours[at]);
        let takes_value =
            matches!(turn, Turn::Named(_) | Turn::DroppedWithValue | Turn::ModelNumber | Turn::Side(_) | Turn::Priors);
        at += if takes_value && option.value.is_some() && !option.is_attached { 2 } else { 1 };
    }
    let of_direction = |option: Given<'_>| option.is_direction() || option.is_one_of(&EFLOMAL_LINKS);
    if program == Program::Eflomal && given().any(of_direction) && !has("-o") && !has("--output") {
        read.note(BOTH);
    }
    read.finish(program, rest)
}

/// An option as it was given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'w> {
    /// `-x` or `--xyz`.
    pub(crate) name: &'w str,
    /// What is attached to it or, if nothing is, the next word, if that is no option.
    pub(crate) value: Option<&'w OsStr>,
    pub(crate) is_attached: bool,
}

impl<'w> Given<'w> {
    /// The option at a place, if there is one.
    pub(crate) fn at(words: &'w [OsString], at: usize) -> Option<Self> {
        let word = words[at].as_os_str();
        let bytes = word.as_encoded_bytes();
        let (end, value) = match bytes {
            [b'-', b'-', ..] => {
                let end = bytes.iter().position(|&byte| byte == b'=');
                end.map_or((bytes.len(), None), |end| (end, Some(end + 1)))
            }
            [b'-', _] => (2, None),
            [b'-', _, _, ..] => (2, Some(2)),
            _ => return None,
        };
        // Names are ASCII; what is attached need not even be text.
        let name = std::str::from_utf8(&bytes[..end]).ok()?;
        let attached = match value {
            Some(value) => Some(behind(word, value)?),
            None => None,
        };
        let next = words.get(at + 1).filter(|next| !is_option(next) || is_negative(next)).map(OsString::as_os_str);
        Some(Self { name, value: attached.or(next), is_attached: attached.is_some() })
    }

    fn is_one_of(&self, names: &[&str]) -> bool {
        names.contains(&self.name)
    }

    /// Whether the value is a number; it need not be the option's.
    fn has_number(&self) -> bool {
        let number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_ok();
        self.value.and_then(OsStr::to_str).is_some_and(number)
    }

    /// Whether the value is one of the formats of links.
    fn has_format(&self) -> bool {
        let format = |text: &str| FormatName::from_str(text, false).is_ok();
        self.value.and_then(OsStr::to_str).is_some_and(format)
    }

    /// Whether it names a file for the links of a direction: never an option of ours.
    fn is_direction(&self) -> bool {
        self.value.is_some() && (self.name == "-r" || self.name == "-f" && !self.has_format())
    }
}

/// The rest of a word after its first `bytes` bytes, which are ASCII.
#[cfg(unix)]
fn behind(word: &OsStr, bytes: usize) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt as _;
    word.as_bytes().get(bytes..).map(OsStr::from_bytes)
}

/// The rest of a word after its first `bytes` bytes, which are ASCII; nothing if the word is not Unicode.
#[cfg(not(unix))]
fn behind(word: &OsStr, bytes: usize) -> Option<&OsStr> {
    word.to_str().and_then(|word| word.get(bytes..)).map(OsStr::new)
}

/// Whether a word is an option; `-` is standard input or output.
fn is_option(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.len() > 1 && bytes[0] == b'-'
}

/// Whether a word is a negative number.
fn is_negative(word: &OsStr) -> bool {
    let digits = word
        .to_str()
        .and_then(|word| word.strip_prefix('-'))
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    digits.is_some_and(|digits| digits.parse::<f64>().is_ok())
}

/// Makes words of fast_align's flags that are written in one, such as `-dov`, where the text is given by `-i`. A word
/// that begins with `-o` stays: what follows is the name of our output.
fn split_flags(words: Vec<OsString>, end: usize) -> Vec<OsString> {
    if !(0..end).any(|at| Given::at(&words, at).is_some_and(|option| option.is_one_of(&["-i", "--input"]))) {
        return words;
    }
    let flags_of = |word: &OsString| {
        let flags = word.to_str()?.strip_prefix('-')?;
        let is_joined = flags.len() > 1 && !flags.starts_with('o') && flags.chars().all(|flag| "dovrN".contains(flag));
        is_joined.then(|| flags.to_owned())
    };
    let mut split = Vec::with_capacity(words.len());
    for (at, word) in words.into_iter().enumerate() {
        match flags_of(&word).filter(|_| at < end) {
            Some(flags) => split.extend(flags.chars().map(|flag| OsString::from(format!("-{flag}")))),
            None => split.push(word),
        }
    }
    split
}

/// Flags of fast_align alone.
const FAST_ALIGN_FLAGS: [&str; 6] =
    ["-d", "-N", "--favor_diagonal", "--optimize_tension", "--variational_bayes", "--no_null_word"];
/// Its options with a value that have no counterpart.
const FAST_ALIGN_VALUES: [&str; 8] =
    ["-T", "-a", "-b", "--diagonal_tension", "--alpha", "--p0", "--beam_threshold", "--thread_buffer_size"];
const FAST_ALIGN_TABLES: [&str; 2] = ["-c", "--conditional_probabilities"];
const FAST_ALIGN_FORCED: [&str; 2] = ["--force_align", "--mean_srclen_multiplier"];

/// Flags of eflomal-align alone, but `--verbose`.
const EFLOMAL_FLAGS: [&str; 2] = ["--overwrite", "--debug"];
/// Its options with a value that have no counterpart.
const EFLOMAL_VALUES: [&str; 16] = [
    "-l",
    "--length",
    "-M",
    "--score-model",
    "--null-prior",
    "--n-samplers",
    "--source-prefix",
    "--source-suffix",
    "--target-prefix",
    "--target-suffix",
    "-1",
    "--ibm1-iters",
    "-2",
    "--hmm-iters",
    "-3",
    "--fert-iters",
];
const EFLOMAL_SCORES: [&str; 4] = ["-F", "--forward-scores", "-R", "--reverse-scores"];
const EFLOMAL_LINKS: [&str; 2] = ["--forward-links", "--reverse-links"];

impl Program {
    /// Whose options these are.
    fn of(given: &[Given<'_>]) -> Self {
        let has = |names: &[&str]| given.iter().any(|option| option.is_one_of(names) && option.value.is_some());
        if !has(&["-i", "--input"]) {
            let has_sides = has(&["-s", "--source"]) && has(&["-t", "--target"]);
            return if has_sides { Self::Eflomal } else { Self::Alinea };
        }
        let is_of_fast_align = |option: &Given<'_>| {
            option.is_one_of(&FAST_ALIGN_FLAGS)
                || option.is_one_of(&FAST_ALIGN_VALUES)
                || option.is_one_of(&FAST_ALIGN_TABLES)
                || option.is_one_of(&FAST_ALIGN_FORCED)
                || option.name == "-I"
                || option.name == "-o" && option.value.is_none()
                || option.is_one_of(&["-q", "-p"]) && option.has_number()
        };
        let is_of_eflomal = |option: &Given<'_>| {
            option.is_one_of(&EFLOMAL_FLAGS)
                || option.is_one_of(&EFLOMAL_VALUES)
                || option.is_one_of(&EFLOMAL_SCORES)
                || option.is_one_of(&EFLOMAL_LINKS)
                || option.name == "--priors"
                || option.is_direction()
        };
        if given.iter().any(is_of_fast_align) || !given.iter().any(is_of_eflomal) {
            Self::FastAlign
        } else {
            Self::Eflomal
        }
    }

    /// What becomes of an option.
    fn turn(self, option: &Given<'_>) -> Turn {
        match self {
            _ if option.name == "--adapt" && !option.is_attached && !option.has_number() => {
                Turn::Numbered(ADAPTATION_PASSES)
            }
            Self::FastAlign => of_fast_align(option),
            Self::Eflomal => of_eflomal(option),
            Self::Alinea => of_nobody(option),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::FastAlign => "fast_align",
            Self::Eflomal => "eflomal",
            Self::Alinea => "alinea",
        }
    }
}

/// What becomes of an option of fast_align.
fn of_fast_align(option: &Given<'_>) -> Turn {
    match option.name {
        "-i" | "--input" => Turn::Named("--bitext"),
        "-I" => Turn::Named("--iterations"),
        "-r" | "--reverse" if option.value.is_none() => Turn::Noted(REVERSE),
        "-r" => Turn::Named("--reverse"),
        "-o" if option.value.is_none() => Turn::Dropped,
        "-v" if !option.is_attached => Turn::Dropped,
        "--verbose" if !option.is_attached => Turn::Noted(VERBOSE),
        "-q" | "-p" if option.has_number() => Turn::DroppedWithValue,
        "-p" => Turn::Answered(TABLE),
        "-f" if !option.has_format() => Turn::Answered(FORCED),
        "-m" if option.has_number() => Turn::Answered(FORCED),
        "-s" | "--print_scores" => Turn::Answered(SCORES),
        "-t" => Turn::DroppedWithValue,
        _ if option.is_one_of(&FAST_ALIGN_TABLES) => Turn::Answered(TABLE),
        _ if option.is_one_of(&FAST_ALIGN_FORCED) => Turn::Answered(FORCED),
        _ if option.is_one_of(&FAST_ALIGN_VALUES) => Turn::DroppedWithValue,
        _ if option.is_one_of(&FAST_ALIGN_FLAGS) && !option.is_attached => Turn::Dropped,
        _ => Turn::Kept,
    }
}

/// What becomes of an option of eflomal-align.
fn of_eflomal(option: &Given<'_>) -> Turn {
    match option.name {
        "-i" | "--input" => Turn::Named("--bitext"),
        "-s" | "--source" => Turn::Side(0),
        "-t" | "--target" => Turn::Side(1),
        "-f" if !option.has_format() => Turn::Named("--forward"),
        "--forward-links" => Turn::Named("--forward"),
        "-r" | "--reverse-links" => Turn::Named("--reverse"),
        "-p" | "--priors" => Turn::Priors,
        "-m" | "--model" if option.has_number() => Turn::ModelNumber,
        "-v" | "--verbose" if !option.is_attached => Turn::Noted(VERBOSE),
        _ if option.is_one_of(&EFLOMAL_SCORES) => Turn::Answered(SCORES),
        _ if option.is_one_of(&EFLOMAL_VALUES) => Turn::DroppedWithValue,
        _ if option.is_one_of(&EFLOMAL_FLAGS) && !option.is_attached => Turn::Dropped,
        _ => Turn::Kept,
    }
}

/// What becomes of an option where no other program is recognized.
fn of_nobody(option: &Given<'_>) -> Turn {
    let is_model_number = || option.value.is_some_and(|value| ["1", "2", "3"].iter().any(|&number| value == number));
    match option.name {
        "-v" | "--verbose" if !option.is_attached => Turn::Noted(VERBOSE),
        "-m" if is_model_number() => Turn::Answered(MODEL_NUMBER),
        _ => Turn::Kept,
    }
}

/// What was understood so far.
#[derive(Debug, Default)]
struct Reading {
    words: Vec<OsString>,
    /// The sides of the text.
    sides: [Vec<OsString>; 2],
    /// The options that were taken away.
    dropped: Vec<String>,
    notes: Vec<String>,
}

impl Reading {
    /// Takes an option, which was given as this word.
    fn take(&mut self, turn: Turn, option: &Given<'_>, word: &OsString) {
        let value = option.value.map(OsStr::to_owned);
        match turn {
            Turn::Named(name) => {
                self.words.push(name.into());
                self.words.extend(value);
            }
            // A second one is a word too many.
            Turn::Side(side) => self.sides[side].extend(value),
            Turn::Priors => {
                self.words.push("--dictionary".into());
                self.words.extend(value);
                self.words.extend(["--dictionary-format", "eflomal"].map(OsString::from));
                self.note(PRIORS);
            }
            Turn::Dropped | Turn::DroppedWithValue => {
                if !self.dropped.iter().any(|other| other == option.name) {
                    self.dropped.push(option.name.to_owned());
                }
            }
            Turn::ModelNumber => {
                let value = value.unwrap_or_default();
                let (name, number) = (option.name, value.display());
                self.note(&format!(
                    "note: eflomal's {name} {number} is ignored: choose a model by name, such as --model hmm"
                ));
            }
            Turn::Numbered(number) => self.words.push(format!("{}={number}", option.name).into()),
            Turn::Noted(note) => self.note(note),
            Turn::Kept | Turn::Answered(_) => self.words.push(word.clone()),
        }
    }

    /// Says something once.
    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|other| other == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// All of it, with the words that were no options for certain.
    fn finish(mut self, program: Program, rest: &[OsString]) -> Understood {
        if let Some((last, others)) = self.dropped.split_last() {
            let listed = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
            let verb = if others.is_empty() { "is" } else { "are" };
            let replaces = self.dropped.iter().any(|option| option == "--overwrite");
            let instead = match program {
                Program::FastAlign => "; fast_align's model is --model diagonal",
                Program::Eflomal if replaces => "; files are always replaced",
                Program::Eflomal | Program::Alinea => "",
            };
            self.notes.insert(0, format!("note: {}'s {listed} {verb} ignored{instead}", program.name()));
        }
        self.words.extend_from_slice(rest);
        // First, so that no option before them takes them for its value.
        self.words.splice(0..0, self.sides.into_iter().flatten());
        Understood::Words { words: self.words, notes: self.notes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words for the grammar and the notes, from words separated by blanks.
    fn read(line: &str) -> (String, Vec<String>) {
        match understood(line.split(' ').map(OsString::from).collect()) {
            Understood::Words { words, notes } => {
                let words: Vec<String> = words.into_iter().map(|word| word.into_string().unwrap()).collect();
                (words.join(" "), notes)
            }
            Understood::Answer(answer) => panic!("{line}: {answer}"),
        }
    }

    fn assert_read(line: &str, expected: &str, noted: &[&str]) {
        let (words, notes) = read(line);
        assert_eq!(words, expected, "{line}");
        assert_eq!(notes.len(), noted.len(), "{line}: {notes:?}");
        for (note, noted) in notes.iter().zip(noted) {
            assert!(note.starts_with("note: ") && note.contains(noted), "{line}: {note}");
        }
    }

    #[test]
    fn fast_align_is_understood() {
        let flags = ["fast_align's -d, -o and -v are ignored; fast_align's model is --model diagonal"];
        assert_read("-i text -d -o -v", "--bitext text", &flags);
        assert_read("-i text -dov", "--bitext text", &flags);
        assert_read("-d -o -v -i text", "--bitext text", &flags);
        assert_read("-dov -itext", "--bitext text", &flags);
        assert_read("-i text -v -r", "--bitext text", &["fast_align's -v is", "atools"]);
        assert_read("-i text -vodr -I 5", "--bitext text --iterations 5", &["-v, -o and -d", "atools"]);
        assert_read("-i text -I7", "--bitext text --iterations 7", &[]);
        assert_read("-i text -T 4 -q 0.08 -a 0.01 -N", "--bitext text", &["-T, -q, -a and -N are"]);
        assert_read("--input=text --favor_diagonal", "--bitext text", &["--favor_diagonal is"]);
        assert_read("-i - -d", "--bitext -", &["-d is"]);
    }

    #[test]
    fn our_options_beside_those_of_fast_align_stay_ours() {
        assert_read("-i text -d -o links -v", "--bitext text -o links", &["-d and -v are"]);
        assert_read("-i text -o links", "--bitext text -o links", &[]);
        assert_read("-i text -odor", "--bitext text -odor", &[]);
        assert_read("-i text -dv -ovd", "--bitext text -ovd", &["-d and -v are"]);
        assert_read("-i text -d -o -", "--bitext text -o -", &["-d is"]);
        assert_read("-i text -q -d", "--bitext text -q", &["-d is"]);
        assert_read("-i text -d -f jsonl", "--bitext text -f jsonl", &["-d is"]);
        assert_read("-i text -d -m model", "--bitext text -m model", &["-d is"]);
        assert_read("-i text --reverse r -d", "--bitext text --reverse r", &["-d is"]);
    }

    #[test]
    fn eflomal_is_understood() {
        assert_read("-s s -t t -f f -r r", "s t --forward f --reverse r", &["-o FILE"]);
        assert_read("-s s -t t -f f -r r -o links", "s t --forward f --reverse r -o links", &[]);
        assert_read("-t t --source=s -q", "s t -q", &[]);
        assert_read("--source s --target t --forward-links f", "s t --forward f", &["-o FILE"]);
        let dropped =
            ["eflomal's --overwrite is ignored; files are always replaced", "eflomal's -m 3 is ignored: choose"];
        assert_read("-s s -t t --overwrite -m 3 -r r -o l", "s t --reverse r -o l", &dropped);
        assert_read("-s s -t t --model=1", "s t", &["eflomal's --model 1 is ignored: choose a model by name"]);
        assert_read("-s s -t t -m3 -l 1", "s t", &["eflomal's -l is ignored", "-m 3 is ignored"]);
        assert_read("-i text -f f -r r", "--bitext text --forward f --reverse r", &["-o FILE"]);
        assert_read("-i text --overwrite -v", "--bitext text", &["--overwrite is", "--progress json"]);
        let expected = "s t --dictionary priors --dictionary-format eflomal";
        assert_read("-s s -t t -p priors", expected, &["as a dictionary"]);
        assert_read("-s s -t t --null-prior 0.2 -1 5", "s t", &["--null-prior and -1 are"]);
        assert_read("-s s -t t -f jsonl --model hmm", "s t -f jsonl --model hmm", &[]);
        assert_read("-s s -t t -o", "s t -o", &[]);
        assert_read("-s s -s x -t t", "s x t", &[]);
        assert_read("-i text -d -t -4", "--bitext text", &["-d and -t are"]);
    }

    #[test]
    fn our_own_options_are_not_misread() {
        for line in [
            "s t",
            "s t -o links -f jsonl -q",
            "s t -f pharaoh --forward f --reverse r",
            "--bitext text -o - --columns 1,2",
            "-m model --adapt 2 s t",
            "-m model --adapt=2 s t",
            "s t -m ./3",
            "s t --model hmm --iterations 5 --gold g",
            "s t --add a b --weight 0.5",
            "s t -qo links",
            "s t -ov",
            "s t -f wrong",
            "s t -t 4",
            "s t -- -i text -d",
            "-- -v",
        ] {
            assert_read(line, line, &[]);
        }
        assert_eq!(understood(Vec::new()), Understood::Words { words: Vec::new(), notes: Vec::new() });
    }

    #[test]
    fn talk_is_understood() {
        assert_read("s t -v", "s t", &["--progress json"]);
        assert_read("s t --verbose -o links -v", "s t -o links", &["--progress json"]);
    }

    #[test]
    fn what_would_be_missed_is_answered() {
        for (line, expected) in [
            ("-i text -d -o -v -p params", "alinea model export"),
            ("-i text -c params", "alinea model export"),
            ("-i text -p priors", "--dictionary-format eflomal"),
            ("-i text -d -v -T 4.5 -m 1.1 -f params", "alinea align -m MODEL"),
            ("-i text -s -d", "--scores FILE"),
            ("-s s -t t -F scores", "--scores FILE"),
            ("s t -m 3", "-m ./3"),
        ] {
            match understood(line.split(' ').map(OsString::from).collect()) {
                Understood::Answer(answer) => assert!(answer.contains(expected), "{line}: {answer}"),
                Understood::Words { words, .. } => panic!("{line}: {words:?}"),
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_text() {
        use std::os::unix::ffi::OsStringExt as _;
        let name = OsString::from_vec(b"t\xff".to_vec());
        let attached = |option: &[u8]| OsString::from_vec([option, b"t\xff"].concat());
        for words in [vec!["-i".into(), name.clone()], vec![attached(b"-i")], vec![attached(b"--input=")]] {
            let Understood::Words { words: ours, .. } = understood([words.clone(), vec!["-d".into()]].concat()) else {
                panic!("{words:?}")
            };
            assert_eq!(ours, ["--bitext".into(), name.clone()], "{words:?}");
        }
        let output = vec!["--bitext".into(), name, attached(b"-o")];
        assert_eq!(understood(output.clone()), Understood::Words { words: output, notes: Vec::new() });
    }
}
