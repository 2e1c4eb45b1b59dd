//! The one error type: what went wrong, and where.
//!
//! An [`Error`] is a boxed [`ErrorKind`]; kinds are matched, the message is for people. A parse error names file,
//! line, column (both from 1, the column in bytes), what was expected, and the offending text, escaped and cut to
//! [`SNIPPET_BYTES`] bytes. Input never causes a panic: whatever bytes arrive, a kind below says what is wrong.
//!
//! ```
//! use alinea::error::{Error, ErrorKind, Position};
//!
//! let error = Error::parse(Position::new("gold.align", 3, 7), "a link such as `0-1`", b"0=1");
//! assert_eq!(error.to_string(), "gold.align:3:7: expected a link such as `0-1`, found `0=1`");
//! assert!(matches!(error.kind(), ErrorKind::Parse { .. }));
//! ```

use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;

use crate::limits::Limit;
use crate::terminal::is_dangerous;

/// The result of everything here that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How many bytes of offending text a message shows.
pub const SNIPPET_BYTES: usize = 80;

/// An error of the library. Small: one pointer.
#[derive(Debug)]
pub struct Error(Box<ErrorKind>);

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    #[error("{path}: {}", system_message(source))]
    Io {
        /// The file, or `<stdin>`, `<stdout>`.
        path: String,
        /// What the operating system or the decompressor said.
        source: io::Error,
    },
    /// A line does not follow its format.
    #[error("{position}: expected {expected}, found {found}")]
    Parse {
        /// Where it is.
        position: Position,
        /// What the format wants there.
        expected: String,
        /// What is there.
        found: Snippet,
        /// What may be the cause.
        hint: Option<Hint>,
    },
    /// A line is not UTF-8.
    #[error("{position}: invalid UTF-8 at byte {offset} of the file ({found})")]
    InvalidUtf8 {
        /// Line, and column of the first bad byte.
        position: Position,
        /// Offset of that byte in the (decompressed) file, from 0.
        offset: u64,
        /// The text around it.
        found: Snippet,
    },
    /// A file is in another format than the one expected.
    #[error("{path}: {found}, where {expected} is expected")]
    OtherFormat {
        /// The file.
        path: String,
        /// What it is.
        found: &'static str,
        /// What should be there.
        expected: &'static str,
        /// What to do about it.
        hint: Hint,
    },
    /// It is not clear what of a file is to be read, or what is to be read is not there.
    #[error("{path}: {problem}")]
    Choice {
        /// The file.
        path: String,
        /// What is not clear, and what there is.
        problem: String,
        /// What chooses.
        hint: Hint,
    },
    /// Files that should have the same number of lines do not.
    #[error("unequal lengths: {first} has {first_lines} {}, {second} has {second_lines}", lines(*first_lines))]
    UnequalLengths {
        /// Name of the first file.
        first: String,
        /// Its number of lines.
        first_lines: u64,
        /// Name of the second file.
        second: String,
        /// Its number of lines.
        second_lines: u64,
    },
    /// A link points outside its sentences.
    #[error("{position}: link {link} is out of range, {}", lengths(*source_len, *target_len))]
    LinkOutOfRange {
        /// Where it is.
        position: Position,
        /// The link as written.
        link: String,
        /// Number of source tokens, if known.
        source_len: Option<usize>,
        /// Number of target tokens, if known.
        target_len: Option<usize>,
        /// What may be the cause.
        hint: Option<Hint>,
    },
    /// A sentence is longer than the configured limit.
    #[error("{position}: {tokens} tokens, more than the limit of {limit}")]
    TooLong {
        /// The line.
        position: Position,
        /// Its number of tokens.
        tokens: usize,
        /// The limit.
        limit: usize,
    },
    /// An input asks for more than the [budget](crate::limits) allows.
    #[error("{}{}: {found}, more than the limit of {}", colon(place), limit.name, limit.most)]
    OverLimit {
        /// Where: a file, perhaps with line or sentence; empty where only the caller knows.
        place: String,
        /// What of.
        limit: Limit,
        /// How many there are, or at least.
        found: String,
    },
    /// A file is no model, or not one that can be used.
    #[error("{path}: expected {expected}, found {found}")]
    Model {
        /// The file.
        path: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// An encoder is not there, or not all of its files.
    #[error("{path}: {problem}")]
    Encoder {
        /// Its folder, or the name that was looked up.
        path: String,
        /// What is wrong with it.
        problem: String,
        /// The name of the model on the Hugging Face Hub, if it is known.
        name: Option<String>,
    },
    /// Nothing of this kind can be written where a path leads.
    #[error("{path}: {reason}")]
    UnusablePath {
        /// The path.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Training cannot be resumed from a checkpoint.
    #[error("{0}")]
    Checkpoint(#[source] Box<Error>),
    /// A field of a configuration has a value that is not allowed.
    #[error("{field} = {value}: must be {allowed}")]
    Config {
        /// Name of the field.
        field: &'static str,
        /// The value given.
        value: String,
        /// The values allowed.
        allowed: &'static str,
    },
    /// A model cannot do what is asked of it.
    #[error("{option} is for the models {models}, not for {model}")]
    Unsupported {
        /// The name of the option that asks for it.
        option: &'static str,
        /// The models that can.
        models: String,
        /// The model that cannot.
        model: &'static str,
    },
    /// There is nothing to work on.
    #[error("{0}")]
    Empty(String),
    /// No pair of a text has words on both sides.
    #[error("nothing to align: each of the {pairs} sentence pairs has an empty side")]
    EmptySides {
        /// How many there are.
        pairs: usize,
    },
    /// The system starts no more threads: there are too many, or no memory for their stacks.
    #[error("cannot start {wanted} threads: {error}")]
    Threads {
        /// How many there should be.
        wanted: usize,
        /// What it says.
        error: String,
    },
    /// Data that contradicts itself or another file.
    #[error("{0}")]
    Inconsistent(String),
    /// The observer asked to stop.
    #[error("interrupted")]
    Cancelled,
}

/// What the user may do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// The positions of the file probably count from 1.
    CountsFromOne,
    /// The positions of the file probably count from 0.
    CountsFromZero,
    /// The links would fit if source and target were swapped.
    SidesSwapped,
    /// Lines of more tokens may be allowed, or left empty.
    LineTooLong {
        /// The most tokens of a line.
        limit: usize,
    },
    /// Trees with several roots can be read.
    SeveralRoots,
    /// Text with the separator in it needs another form of input.
    SeparatorInText,
    /// The text is in another encoding, or has bytes that may be replaced.
    NotUtf8,
    /// Line n of one file must belong to line n of the other.
    LineByLine,
    /// A file is empty, or all of its lines are too long.
    EmptySides,
    /// The project can be opened without a text, and another one made elsewhere.
    OtherProject,
    /// Without the checkpoint, training starts from the beginning.
    OtherCheckpoint,
    /// Fewer threads need less memory.
    FewerThreads,
    /// This command decompresses the file.
    Decompress(&'static str),
    /// The file can be saved as UTF-8.
    SaveAsUtf8,
    /// The file has sentence pairs, and can be read as such.
    ReadPairs,
    /// Two languages of the file are to be chosen.
    ChooseLanguages,
    /// Characters that the format does not allow can be replaced.
    ReplaceCharacters,
    /// Two fields, columns or members of the file are to be chosen.
    ChooseFields,
    /// The words of the trees are the text that is needed.
    WordsOfTrees,
    /// The files of the encoder can be fetched; [`ErrorKind::Encoder`] has its name.
    FetchEncoder,
}

/// Why data of zstd or xz are not read that ask for more memory than streams get; what an I/O error has inside then, so that there
/// is a hint.
#[derive(Debug, thiserror::Error)]
#[error("{0} data with a window of more than 128 MiB")]
pub(crate) struct WideWindow(pub(crate) &'static str);

/// Common errors of Windows by their numbers, in the words of other systems: its own are in the language of the user.
const OF_WINDOWS: [(&str, &str); 4] = [
    ("2", "No such file or directory"),
    ("3", "No such file or directory"),
    ("5", "Permission denied"),
    ("112", "No space left on device"),
];

/// What the operating system says, without the number of the error.
pub fn system_message(error: impl fmt::Display) -> String {
    let text = error.to_string();
    let Some((message, number)) = text.split_once(" (os error ") else { return text };
    let is_number = |known: &&(&str, &str)| cfg!(windows) && number.strip_suffix(')') == Some(known.0);
    OF_WINDOWS.iter().find(is_number).map_or(message, |&(_, words)| words).to_owned()
}

impl Error {
    /// A parse error; `found` is escaped and cut.
    pub fn parse(position: Position, expected: impl Into<String>, found: &[u8]) -> Self {
        ErrorKind::Parse { position, expected: expected.into(), found: Snippet::new(found), hint: None }.into()
    }

    /// Gives a hint to a parse error; leaves other errors as they are.
    #[must_use]
    pub fn with_hint(mut self, what: Hint) -> Self {
        if let ErrorKind::Parse { hint, .. } = &mut *self.0 {
            *hint = Some(what);
        }
        self
    }

    /// The error for a link that does not lie within sentences of these lengths.
    pub fn link_outside_sentences(link: impl fmt::Display, [source, target]: [usize; 2]) -> Self {
        Self::link_outside_known(link, [Some(source), Some(target)])
    }

    /// The same where only some lengths are known.
    pub fn link_outside_known(link: impl fmt::Display, [source, target]: [Option<usize>; 2]) -> Self {
        let lengths = lengths(source, target);
        ErrorKind::Inconsistent(format!("link {link} is out of range, {lengths}")).into()
    }

    /// The same for units other than the tokens of sentences; `what` has these numbers of `units` on each side.
    pub fn link_outside(link: impl fmt::Display, what: &str, [source, target]: [usize; 2], units: &str) -> Self {
        ErrorKind::Inconsistent(format!("link {link} is out of range, {what} have {source} and {target} {units}"))
            .into()
    }

    /// An I/O error of the file called `path`.
    pub fn io(path: impl AsRef<Path>, source: io::Error) -> Self {
        ErrorKind::Io { path: path.as_ref().display().to_string(), source }.into()
    }

    /// A configuration error.
    pub fn config(field: &'static str, value: impl fmt::Display, allowed: &'static str) -> Self {
        ErrorKind::Config { field, value: value.to_string(), allowed }.into()
    }

    /// The error for two things, called by their names, that should have the same number of lines.
    pub fn unequal_lengths(first: &str, first_lines: u64, second: &str, second_lines: u64) -> Self {
        let (first, second) = (first.to_owned(), second.to_owned());
        ErrorKind::UnequalLengths { first, first_lines, second, second_lines }.into()
    }

    /// Gives a place to what is [over a limit](ErrorKind::OverLimit) and has none yet; leaves other errors as they are.
    #[must_use]
    pub fn at(mut self, where_it_is: impl fmt::Display) -> Self {
        if let ErrorKind::OverLimit { place, .. } = &mut *self.0
            && place.is_empty()
        {
            *place = where_it_is.to_string();
        }
        self
    }

    /// Says what data it is about that [contradicts itself](ErrorKind::Inconsistent) or is over a limit; leaves other errors as
    /// they are.
    #[must_use]
    pub fn within(mut self, whole: impl fmt::Display) -> Self {
        if let ErrorKind::Inconsistent(message) = &mut *self.0 {
            *message = format!("{whole}: {message}");
        }
        self.at(whole)
    }

    /// Calls the field of a [configuration error](ErrorKind::Config) by another name, that of the argument which it came from;
    /// leaves other errors as they are.
    #[must_use]
    pub fn for_field(mut self, name: &'static str) -> Self {
        if let ErrorKind::Config { field, .. } = &mut *self.0 {
            *field = name;
        }
        self
    }

    /// Gives another place to an error about one line, such as one that was read from memory; the column stays. Leaves errors
    /// without a position as they are.
    #[must_use]
    pub fn in_line(mut self, path: &str, line: u64) -> Self {
        if let ErrorKind::Parse { position, .. } | ErrorKind::LinkOutOfRange { position, .. } = &mut *self.0 {
            *position = Position::new(path, line, position.column);
        }
        self
    }

    /// What the user may do about it, if anything is known. Front ends put it into their own words.
    pub fn hint(&self) -> Option<Hint> {
        match self.kind() {
            ErrorKind::Parse { hint, .. } | ErrorKind::LinkOutOfRange { hint, .. } => *hint,
            ErrorKind::OtherFormat { hint, .. } | ErrorKind::Choice { hint, .. } => Some(*hint),
            ErrorKind::TooLong { limit, .. } => Some(Hint::LineTooLong { limit: *limit }),
            ErrorKind::InvalidUtf8 { .. } => Some(Hint::NotUtf8),
            ErrorKind::UnequalLengths { .. } => Some(Hint::LineByLine),
            ErrorKind::EmptySides { .. } => Some(Hint::EmptySides),
            ErrorKind::Checkpoint(_) => Some(Hint::OtherCheckpoint),
            ErrorKind::Threads { .. } => Some(Hint::FewerThreads),
            ErrorKind::Encoder { name: Some(_), .. } => Some(Hint::FetchEncoder),
            ErrorKind::Io { source, .. } => {
                let inner = source.get_ref()?.downcast_ref::<WideWindow>();
                let command = |WideWindow(name): &WideWindow| match *name {
                    "xz" => "xz -dc FILE",
                    _ => "zstd -dc --long=31 FILE",
                };
                inner.map(|window| Hint::Decompress(command(window)))
            }
            _ => None,
        }
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// What went wrong, by value.
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// The place in a file, for the kinds that have one.
    pub fn position(&self) -> Option<&Position> {
        match self.kind() {
            ErrorKind::Parse { position, .. }
            | ErrorKind::InvalidUtf8 { position, .. }
            | ErrorKind::LinkOutOfRange { position, .. }
            | ErrorKind::TooLong { position, .. } => Some(position),
            _ => None,
        }
    }

    /// Whether the reader at the other end of a pipe has gone: for a command that is no error.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self.kind(), ErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// What is known of the lengths of a pair of sentences.
fn lengths(source: Option<usize>, target: Option<usize>) -> String {
    let of = |side: &str, tokens: usize| format!("the {side} has {tokens} token{}", if tokens == 1 { "" } else { "s" });
    match (source, target) {
        (Some(source), Some(target)) => format!("{}, the target {target}", of("source", source)),
        (Some(source), None) => of("source", source),
        (None, Some(target)) => of("target", target),
        (None, None) => "no sentence is that long".to_owned(),
    }
}

/// A place before what is said of it.
fn colon(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}

/// The noun behind a number of lines.
fn lines(number: u64) -> &'static str {
    if number == 1 { "line" } else { "lines" }
}

/// A place in a file: name, line and column, both from 1, the column in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The file's name, or `<stdin>`, or `<memory>`.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
    /// The byte in the line, from 1; 0 where the whole line is meant.
    pub column: u64,
}

impl Position {
    /// A place in the file called `path`.
    pub fn new(path: impl Into<String>, line: u64, column: u64) -> Self {
        Self { path: path.into(), line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

/// Offending text as a message shows it: in backquotes, escaped, at most [`SNIPPET_BYTES`] bytes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet(String);

impl Snippet {
    /// Escapes and cuts `text`.
    pub fn new(text: &[u8]) -> Self {
        if text.is_empty() {
            return Self("nothing".to_owned());
        }
        let mut cut = text.len().min(SNIPPET_BYTES);
        while cut > 0 && cut < text.len() && (text[cut] & 0xC0) == 0x80 {
            cut -= 1;
        }
        let escaped = escape(&text[..cut]);
        let dots = if cut < text.len() { "…" } else { "" };
        Self(format!("`{escaped}{dots}`"))
    }
}

/// Shows what a terminal would swallow or obey: controls, odd white space, marks of direction, invalid bytes.
fn escape(text: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            let invisible = matches!(character, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
            let shown = !invisible && !is_dangerous(character) && !character.is_whitespace() && character != '\\';
            if character != ' ' && !shown {
                escaped.extend(character.escape_default());
            } else {
                escaped.push(character);
            }
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\x{byte:02X}");
        }
    }
    escaped
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_are_escaped_and_cut_at_character_boundaries() {
        assert_eq!(Snippet::new(b"a\tb\xff").to_string(), "`a\\tb\\xFF`");
        assert_eq!(Snippet::new(b"").to_string(), "nothing");
        assert_eq!(Snippet::new(b" a  b\\x20").to_string(), "` a  b\\\\x20`");
        let long = "é".repeat(60);
        let shown = Snippet::new(long.as_bytes()).to_string();
        assert_eq!(shown, format!("`{}…`", "é".repeat(40)));
        let control = Snippet::new("a\u{85}b".as_bytes()).to_string();
        assert_eq!(control, "`a\\u{85}b`");
    }

    #[test]
    fn fields_can_have_the_names_of_arguments() {
        let error = Error::config("adapt", 0, "1 to 1000 passes").for_field("passes");
        assert_eq!(error.to_string(), "passes = 0: must be 1 to 1000 passes");
        let other = Error::io("file", io::Error::from(io::ErrorKind::NotFound)).for_field("passes");
        assert!(matches!(other.kind(), ErrorKind::Io { .. }));
    }

    #[test]
    fn one_line_is_singular() {
        let message = |first, second| Error::unequal_lengths("a", first, "b", second).to_string();
        assert_eq!(message(1, 2), "unequal lengths: a has 1 line, b has 2");
        assert_eq!(message(2, 1), "unequal lengths: a has 2 lines, b has 1");
        assert_eq!(message(0, 1), "unequal lengths: a has 0 lines, b has 1");
    }

    #[test]
    fn a_broken_pipe_is_recognized() {
        let error = Error::io("<stdout>", io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(error.is_broken_pipe());
        assert!(!Error::config("alpha", -1, "0 to 1").is_broken_pipe());
    }
}
