//! Manually aligned text: the links of one or several annotators over the same sentences, and the words if given.
//!
//! The first file of links sets the number of sentences, and the other annotators must have as many. Hypotheses and
//! sentences may go on after them, since people often link the first sentences of a text: only the first lines are used
//! then, with a warning, which `--first` silences. If the words are given, links outside the sentences are errors.
//!
//! Which annotator did which sentence:
//!
//! * everybody did everything, the default; lines without links where others have some cause a warning;
//! * with `--skip-empty`, an empty line means that the annotator did not do the sentence;
//! * `--annotators` is a table; links in a sentence that the annotator did not do by the table are an error.
//!
//! An annotator is named by `NAME=FILE`, or by the file name without what it ends in if it is compressed and without its last extension;
//! names must differ.

use std::ffi::OsString;
use std::path::PathBuf;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::error::{Error, ErrorKind};
use alinea::evaluate::{Annotation, Annotations, PairLengths};
use alinea::format::alignment::AlignmentFormat;
use alinea::format::annotators;
use alinea::format::bitext::BitextSource;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::plain_name;
use anyhow::{anyhow, bail};
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::context::Context;
use crate::failure::WithHint;
use crate::input::links::{LinkFormat, LinkReader, counted};
use crate::input::paths::Role;
use crate::input::sentences::{BlanksArgs, SentencePairs};

/// A file with a name for what is in it: `NAME=FILE`, or `FILE`, whose name without extension is the name.
#[derive(Debug, Clone)]
pub(crate) struct NamedFile {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl NamedFile {
    /// Reads the value of an option.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().map(Self::from)
    }
}

impl From<OsString> for NamedFile {
    fn from(value: OsString) -> Self {
        // What has a separator before the sign is a path: `./a=b` is a file.
        let named = value.to_str().and_then(|text| text.split_once('='));
        if let Some((name, path)) = named.filter(|(name, _)| !name.is_empty() && !name.contains(['/', '\\'])) {
            return Self { name: name.to_owned(), path: path.into() };
        }
        let path = PathBuf::from(value);
        let bare = path.to_str().map_or_else(|| path.clone(), |path| PathBuf::from(plain_name(path)));
        let stem = bare.file_stem().unwrap_or(bare.as_os_str());
        Self { name: stem.to_string_lossy().into_owned(), path }
    }
}

/// Who annotated what.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Annotators")]
pub(crate) struct PanelArgs {
    /// Which annotator annotated which sentence: lines of an identifier, a tab, and names separated by whitespace
    #[arg(long, value_name = "FILE", conflicts_with = "skip_empty")]
    annotators: Option<PathBuf>,
    /// Treat an empty line as a sentence that the annotator did not annotate, not as one without links
    #[arg(long)]
    skip_empty: bool,
}

impl PanelArgs {
    /// The file, with what names it.
    pub(crate) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        self.annotators.iter().map(|path| Role::new("--annotators", path))
    }

    /// Whether there is one gold standard, of one person who did everything.
    fn is_plain(&self, files: &[NamedFile]) -> bool {
        files.len() == 1 && self.annotators.is_none() && !self.skip_empty
    }
}

/// The words of one sentence pair.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) source: Vec<String>,
    pub(crate) target: Vec<String>,
}

/// What people linked.
#[derive(Debug)]
pub(crate) struct AnnotatedText {
    frame: Frame,
    /// Files that go on after the links of people, with the numbers of their lines; none are counted with `--first`.
    longer: Vec<(String, u64)>,
    /// The links of all of them.
    pub(crate) annotations: Annotations,
    /// Whether there is one gold standard, of one person who did everything.
    pub(crate) plain: bool,
}

/// What all files of links have to fit into.
#[derive(Debug)]
struct Frame {
    /// The name of the first file.
    name: String,
    format: AlignmentFormat,
    /// The number of sentences.
    length: usize,
    /// The words of every pair, if they were given.
    words: Option<Vec<Words>>,
}

/// How the files are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnnotatedTextOptions<'a> {
    pub(crate) panel: &'a PanelArgs,
    /// The sentences of both sides.
    pub(crate) sentences: Option<&'a BitextSource>,
    /// The blanks that their words are cut at.
    pub(crate) blanks: BlanksArgs,
    /// Whether it is known that other files go on after the links of people.
    pub(crate) first: bool,
    pub(crate) format: &'a LinkFormat,
}

/// Advice about the length of a NAACL file.
const NAACL_SENTENCES: &str = "--sentences gives the number of sentences of a NAACL file";

/// Advice about links that end before the gold standard.
const SHORT_HYPOTHESIS: &str = "the links to evaluate need a line for each line of the gold standard (--gold)";

/// Who did which sentence.
enum Done {
    Everything,
    NotTheEmpty,
    /// By a table with this name: places of annotators for each sentence.
    Table(String, Vec<Vec<usize>>),
}

impl AnnotatedText {
    /// Reads the links of everybody, and as much of the sentences as they cover.
    pub(crate) fn read(
        files: &[NamedFile],
        options: &AnnotatedTextOptions<'_>,
        context: &Context,
    ) -> anyhow::Result<Self> {
        let [first, others @ ..] = files else { bail!("no files of links") };
        for (n, file) in files.iter().enumerate() {
            if files[..n].iter().any(|before| before.name == file.name) {
                return Err(anyhow!("two annotators are called {}", file.name)).hint("NAME=FILE gives a file a name");
            }
        }
        let done = Done::read(options.panel, files)?;
        let mut longer = Vec::new();
        let (frame, sentences) = Frame::read(first, options, &done, &mut longer, context)?;
        let mut annotators = vec![Annotation::new(&first.name, sentences)];
        for (place, file) in (1..).zip(others) {
            annotators.push(frame.read_annotation(file, place, options, &done, context)?);
        }
        if let Done::Everything = done {
            warn_of_empty_lines(&annotators, context);
        }
        let plain = options.panel.is_plain(files);
        Ok(Self { frame, longer, annotations: Annotations::new(annotators)?, plain })
    }

    /// The words of every pair, if they were given.
    pub(crate) fn words(&self) -> Option<&[Words]> {
        self.frame.words.as_deref()
    }

    /// The lengths of all sentences, if the words were given.
    pub(crate) fn lengths(&self) -> Option<Vec<PairLengths>> {
        let lengths = |words: &Words| PairLengths::new(words.source.len(), words.target.len());
        Some(self.words()?.iter().map(lengths).collect())
    }

    /// Reads as many lines of a hypothesis as people have linked. Of more lines nothing is read if `first` says that
    /// there are some.
    pub(crate) fn read_hypothesis(
        &mut self,
        path: &PathBuf,
        format: &LinkFormat,
        first: bool,
        context: &Context,
    ) -> anyhow::Result<Vec<Alignment>> {
        let frame = &self.frame;
        let mut reader = LinkReader::open(std::slice::from_ref(path), format)?;
        let mut links = Vec::with_capacity(frame.length);
        while links.len() < frame.length && reader.read()? {
            frame.check_range(&reader, links.len())?;
            links.push(reader.record().alignment());
        }
        warn_of_null_links(&reader, context);
        if links.len() < frame.length {
            let checked = frame.check_same_length(reader.name(), reader.number());
            let naacl = reader.format() == AlignmentFormat::Naacl;
            checked.hint(if naacl { NAACL_SENTENCES } else { SHORT_HYPOTHESIS })?;
        } else if !first {
            let lines = reader.count_all()?;
            self.longer.extend(frame.goes_on(reader.name(), lines));
        }
        Ok(links)
    }

    /// Says that only the first lines of some files are used.
    pub(crate) fn warn_of_longer(&self, context: &Context) {
        if self.longer.is_empty() {
            return;
        }
        let Frame { name, format, length, .. } = &self.frame;
        let first = if *length == 1 { "first line counts".to_owned() } else { format!("first {length} lines count") };
        let longer: Vec<String> = self.longer.iter().map(|(name, lines)| format!("{name} has {lines}")).collect();
        let naacl = if *format == AlignmentFormat::Naacl { format!("; {NAACL_SENTENCES}") } else { String::new() };
        context.warn(format_args!(
            "only the {first}: {name} has {length}, {} (--first says that this is intended{naacl})",
            longer.join(", ")
        ));
    }
}

impl Frame {
    /// Reads the links of the first annotator, with the sentences.
    fn read(
        file: &NamedFile,
        options: &AnnotatedTextOptions<'_>,
        done: &Done,
        longer: &mut Vec<(String, u64)>,
        context: &Context,
    ) -> anyhow::Result<(Self, Vec<Option<GoldAlignment>>)> {
        let mut reader = LinkReader::open(std::slice::from_ref(&file.path), options.format)?;
        let open = |bitext| SentencePairs::open(bitext, options.blanks);
        let mut pairs = options.sentences.map(open).transpose()?;
        let mut words = pairs.is_some().then(Vec::new);
        let mut sentences = Vec::new();
        while reader.read()? {
            if let (Some(pairs), Some(words)) = (&mut pairs, &mut words) {
                if !pairs.read()? {
                    let lines = reader.count_all()?;
                    return Err(Error::unequal_lengths(reader.name(), lines, pairs.name(), pairs.number()).into());
                }
                let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<_>>();
                let (source, target) = (owned(pairs.source()), owned(pairs.target()));
                reader.check_range(source.len(), target.len())?;
                words.push(Words { source, target });
            }
            sentences.push(done.keep(&reader, 0, sentences.len(), &file.name)?);
        }
        let frame = Self { name: reader.name().to_owned(), format: reader.format(), length: sentences.len(), words };
        if sentences.is_empty() {
            return Err(Error::from(ErrorKind::Empty(format!("{}: no sentences", frame.name))).into());
        }
        warn_of_null_links(&reader, context);
        if let Some(pairs) = &mut pairs {
            pairs.warn_of_blanks(context);
        }
        if let Done::Table(table, lines) = done {
            frame.check_same_length(table, lines.len() as u64)?;
        }
        if let (Some(pairs), false) = (&mut pairs, options.first) {
            let lines = pairs.count_all()?;
            longer.extend(frame.goes_on(pairs.name(), lines));
        }
        Ok((frame, sentences))
    }

    /// Reads the links of one of the other annotators.
    fn read_annotation(
        &self,
        file: &NamedFile,
        place: usize,
        options: &AnnotatedTextOptions<'_>,
        done: &Done,
        context: &Context,
    ) -> anyhow::Result<Annotation> {
        let mut reader = LinkReader::open(std::slice::from_ref(&file.path), options.format)?;
        let mut sentences = Vec::with_capacity(self.length);
        while sentences.len() < self.length && reader.read()? {
            self.check_range(&reader, sentences.len())?;
            sentences.push(done.keep(&reader, place, sentences.len(), &file.name)?);
        }
        warn_of_null_links(&reader, context);
        let lines = reader.count_all()?;
        self.check_same_length(reader.name(), lines)?;
        Ok(Annotation::new(&file.name, sentences))
    }

    fn check_range(&self, reader: &LinkReader, sentence: usize) -> anyhow::Result<()> {
        match &self.words {
            Some(words) => reader.check_range(words[sentence].source.len(), words[sentence].target.len()),
            None => Ok(()),
        }
    }

    fn check_same_length(&self, name: &str, lines: u64) -> anyhow::Result<()> {
        let expected = self.length as u64;
        if lines == expected { Ok(()) } else { Err(Error::unequal_lengths(&self.name, expected, name, lines).into()) }
    }

    /// A file that goes on after the sentences, and the number of its lines.
    fn goes_on(&self, name: &str, lines: u64) -> Option<(String, u64)> {
        (lines > self.length as u64).then(|| (name.to_owned(), lines))
    }
}

impl Done {
    fn read(panel: &PanelArgs, files: &[NamedFile]) -> anyhow::Result<Self> {
        let Some(path) = &panel.annotators else {
            return Ok(if panel.skip_empty { Self::NotTheEmpty } else { Self::Everything });
        };
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let lines = LineReader::open(path, Utf8::Strict)?;
        let table = lines.name().to_owned();
        let hint = "every name needs a file: NAME=FILE";
        Ok(Self::Table(table, annotators::read(lines, &names).hint(hint)?))
    }

    /// The links of the current pair, if the annotator at this place did it.
    fn keep(
        &self,
        reader: &LinkReader,
        place: usize,
        sentence: usize,
        name: &str,
    ) -> anyhow::Result<Option<GoldAlignment>> {
        let gold = reader.record().gold();
        match self {
            Self::Everything => Ok(Some(gold)),
            Self::NotTheEmpty => Ok((!gold.is_empty()).then_some(gold)),
            Self::Table(table, sentences) => {
                // A table that is too short is refused at the end.
                let done = sentences.get(sentence).is_none_or(|done| done.contains(&place));
                if !done && !gold.is_empty() {
                    let line = sentence + 1;
                    bail!(
                        "{}: links for a sentence that {name} did not annotate according to {table}:{line}",
                        reader.position()
                    );
                }
                Ok(done.then_some(gold))
            }
        }
    }
}

/// An empty line may mean two things if others have links there, or if most lines are empty.
fn warn_of_empty_lines(annotators: &[Annotation], context: &Context) {
    if let [Annotation { name, sentences }] = annotators {
        let empty = sentences.iter().flatten().filter(|gold| gold.is_empty()).count();
        if 2 * empty > sentences.len() {
            let all = sentences.len();
            context.warn(format_args!(
                "{name}: {empty} of {all} lines are empty, treated as sentences without links (--skip-empty treats them as not annotated)"
            ));
        }
    }
    let linked = |annotation: &Annotation, sentence: usize| {
        annotation.sentences[sentence].as_ref().is_some_and(|gold| !gold.is_empty())
    };
    for annotation in annotators {
        let empty = (0..annotation.sentences.len()).filter(|&sentence| {
            !linked(annotation, sentence) && annotators.iter().any(|other| linked(other, sentence))
        });
        let number = empty.count() as u64;
        if number > 0 {
            let lines = counted(number, "line");
            context.warn(format_args!(
                "{}: {lines} without links where others have some, treated as sentences without links \
                 (--annotators lists who annotated which sentence, --skip-empty treats such lines as not annotated)",
                annotation.name
            ));
        }
    }
}

fn warn_of_null_links(reader: &LinkReader, context: &Context) {
    let number = reader.report().null_links;
    if number > 0 {
        let links = counted(number, "link");
        context.warn(format_args!("{}: {links} to the NULL word (position 0) left out", reader.name()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names() {
        let named = |value: &str| {
            let file = NamedFile::from(OsString::from(value));
            (file.name, file.path.to_str().unwrap().to_owned())
        };
        let pair = |name: &str, path: &str| (name.to_owned(), path.to_owned());
        assert_eq!(named("lisa=a/gold.align"), pair("lisa", "a/gold.align"));
        assert_eq!(named("a/gold.lisa.align.gz"), pair("gold.lisa", "a/gold.lisa.align.gz"));
        assert_eq!(named("./x=y"), pair("x=y", "./x=y"));
        assert_eq!(named("=y"), pair("=y", "=y"));
        assert_eq!(named("-"), pair("-", "-"));
    }
}
