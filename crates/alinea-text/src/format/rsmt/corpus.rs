//! A whole RSMT corpus: the rows of `.conll` joined with `.txt`, `.pos`, `.parse` and `.align.info`.
//!
//! The four files beside the rows have a line for each sentence. A sentence without aligned words has no rows;
//! `.align.info` says which sentences these are, and which words of the others the rows stand for. [`Paths`] finds
//! files by their common stem, or beside a `.conll` file by the names that the description of the task gives them.
//!
//! Test data lack `.align.info`. Then every sentence with words must have rows, and [`find_rows`] looks for them as a
//! subsequence of the sentence. A greedy pass from each end finds the leftmost and the rightmost match; if both are the
//! same, there is no other. If not, the passes are repeated over words whose tag in `.pos` is one of the row's. If no
//! match has all tags right, or several have, the leftmost is taken and marked [`Found::Leftmost`].
//!
//! [`Corpus::into_test`] makes test data with hidden orders, and their gold standard; [`Corpus::to_files`] and
//! [`Corpus::outputs`] write all files again.

use std::path::{Path, PathBuf};

use super::beside::{is_word_at, parse_info, parse_tags, write_info, write_tags};
use super::block::{Block, Reader, Unknown, odd_byte};
use crate::error::{Error, ErrorKind, Position, Result};
use crate::format::lines::{LineReader, Utf8};
use crate::format::sink::{self, Output};
use crate::format::source::Input;
use crate::format::tokens;

/// Where the files of a corpus are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The rows, `.conll`.
    pub rows: PathBuf,
    /// The whole sentences, `.txt`; the files below are read only together with these.
    pub text: Option<PathBuf>,
    /// Their tags, `.pos`.
    pub tags: Option<PathBuf>,
    /// Their parses, `.parse`.
    pub parses: Option<PathBuf>,
    /// The words that have rows, `.align.info`.
    pub info: Option<PathBuf>,
}

impl Paths {
    /// What files are called that begin with `stem`, such as `out/en_hi.en.trn`.
    pub fn with_stem(stem: &str) -> Self {
        let path = |extension: &str| PathBuf::from(format!("{stem}.{extension}"));
        Self {
            rows: path("conll"),
            text: Some(path("txt")),
            tags: Some(path("pos")),
            parses: Some(path("parse")),
            info: Some(path("align.info")),
        }
    }

    /// The files beside `rows` that exist: with `en_hi.en.trn.conll` those that begin with `en_hi.en.trn`, or, as the task's
    /// description has them, with `en_trn.en.trn`, or with `en_hi.en_trn`. With `en_hi.en.dev.conll` the description can be
    /// read in two ways, `en_trn.en.dev` and `en_dev.en.dev`; both are looked for.
    pub fn beside(rows: &Path) -> Self {
        let mut paths = Self { rows: rows.to_owned(), text: None, tags: None, parses: None, info: None };
        let name = rows.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".conll") else { return paths };
        let stems = stems_beside(stem);
        let find = |extension: &str| {
            let named = stems.iter().map(|stem| rows.with_file_name(format!("{stem}.{extension}")));
            named.into_iter().find(|path| path.exists())
        };
        paths.text = find("txt");
        paths.tags = find("pos");
        paths.parses = find("parse");
        paths.info = find("align.info");
        paths
    }

    /// All files, in the order of the fields.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let others = [&self.text, &self.tags, &self.parses, &self.info];
        std::iter::once(self.rows.as_path()).chain(others.into_iter().flatten().map(PathBuf::as_path))
    }
}

/// What the names of files may begin with beside rows whose name does with `stem`.
fn stems_beside(stem: &str) -> Vec<String> {
    let mut stems = vec![stem.to_owned()];
    let Some((before, part)) = stem.rsplit_once('.') else { return stems };
    if let Some((pair, rest)) = stem.split_once('.')
        && let Some((source, _)) = pair.split_once('_')
    {
        stems.extend([part, "trn"].map(|other| format!("{source}_{other}.{rest}")));
    }
    stems.push(format!("{before}_{part}"));
    stems
}

/// How it is known which words of a sentence the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// `.align.info` says so.
    Listed,
    /// There is no other way.
    Only,
    /// There are several ways, of which one has the tags of `.pos`.
    ByTags,
    /// There are several ways that nothing distinguishes: the leftmost was taken.
    Leftmost,
}

/// A sentence with what the files say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// All words.
    pub words: Vec<String>,
    /// Their tags, where there is a file of them.
    pub tags: Option<Vec<String>>,
    /// The parse, where there is a file of them.
    pub parse: Option<String>,
    /// The places, from 0, of the words that have rows; ascending, as many as there are rows.
    pub kept: Vec<u32>,
    /// How these are known.
    pub found: Found,
    /// The rows; none if no word is aligned.
    pub block: Block,
}

/// All sentences of a corpus, in memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Corpus {
    /// The sentences.
    pub sentences: Vec<Sentence>,
}

impl Corpus {
    /// Reads the files and joins them. Without `.txt` sentences are their rows. Linear, but that finding rows takes as many
    /// steps as a sentence has words.
    ///
    /// # Errors
    /// As [`Reader::read_into`], [`parse_info`] and [`parse_tags`]; `UnequalLengths`; `Parse` where rows and sentences do not
    /// have the same words, or a word of a sentence has what those of rows may not have; `Inconsistent` if there are more
    /// sentences in one file than in another, or `.pos`, `.parse` or `.align.info` are given without `.txt`.
    pub fn read(paths: &Paths, unknown: Unknown) -> Result<Self> {
        let reader = Reader::open(&paths.rows, unknown)?;
        let Some(text) = &paths.text else {
            if let Some(other) = paths.all().nth(1) {
                let message = format!("{}: it annotates sentences, but there is no .txt with them", other.display());
                return Err(ErrorKind::Inconsistent(message).into());
            }
            let sentences = reader.map(|block| Ok(Sentence::of_block(block?))).collect::<Result<_>>()?;
            return Ok(Self { sentences });
        };
        let text = Lines::read(text)?;
        let beside = |path: &Option<PathBuf>| path.as_deref().map(|path| Lines::parallel(path, &text)).transpose();
        let (tags, parses, info) = (beside(&paths.tags)?, beside(&paths.parses)?, beside(&paths.info)?);
        let mut join = Join { reader, text: &text, tags: tags.as_ref(), info: info.as_ref() };
        let mut sentences = Vec::with_capacity(text.lines.len());
        for number in 0..text.lines.len() {
            let mut sentence = join.sentence(number)?;
            sentence.parse = parses.as_ref().map(|parses| parses.lines[number].clone());
            sentences.push(sentence);
        }
        join.finish()?;
        Ok(Self { sentences })
    }

    /// Test data for participants: the sentences with their orders unknown, and without what a reader
    /// could not tell without `.align.info`, sentences of which no word is aligned. These are left out of the second corpus
    /// too, which is the gold standard: the same sentences as they are. At last the numbers, from 0, of those left out.
    ///
    /// Readers of the test data find the rows in the sentences again ([`find_rows`]); as long as no `.align.info` is given to
    /// them, [`to_files`](Self::to_files) has one file too many.
    pub fn into_test(self) -> (Self, Self, Vec<usize>) {
        let (mut test, mut gold, mut left_out) = (Self::default(), Self::default(), Vec::new());
        for (number, sentence) in self.sentences.into_iter().enumerate() {
            if sentence.block.is_empty() {
                left_out.push(number);
                continue;
            }
            test.sentences.push(Sentence { block: sentence.block.without_order(), ..sentence.clone() });
            gold.sentences.push(sentence);
        }
        (test, gold, left_out)
    }

    /// The files as text, in the order of [`Paths`]: rows, sentences, tags, parses, kept words. Tags and parses are none
    /// if a sentence lacks them.
    pub fn to_files(&self) -> [Option<Vec<u8>>; 5] {
        let mut rows = Vec::new();
        let (mut text, mut tags, mut parses, mut info) = (String::new(), String::new(), String::new(), String::new());
        let (mut with_tags, mut with_parses) = (true, true);
        for sentence in &self.sentences {
            sentence.block.write(&mut rows);
            text.push_str(&sentence.words.join(" "));
            text.push('\n');
            write_info(&sentence.kept, &sentence.words, &mut info);
            match &sentence.tags {
                Some(of_words) => write_tags(of_words, &sentence.words, &mut tags),
                None => with_tags = false,
            }
            match &sentence.parse {
                Some(parse) => parses.extend([parse, "\n"]),
                None => with_parses = false,
            }
        }
        let tags = with_tags.then(|| tags.into_bytes());
        [Some(rows), Some(text.into_bytes()), tags, with_parses.then(|| parses.into_bytes()), Some(info.into_bytes())]
    }
}

impl Corpus {
    /// Writes [the files](Self::to_files), to be finished together.
    ///
    /// # Errors
    /// `Io`; `Inconsistent` if there is nothing to put into a file that is there already.
    pub fn outputs(&self, paths: &Paths) -> Result<Vec<Output>> {
        let beside = [&paths.text, &paths.tags, &paths.parses, &paths.info].map(Option::as_ref);
        let places = std::iter::once(Some(&paths.rows)).chain(beside);
        let mut outputs = Vec::new();
        for (place, file) in places.zip(self.to_files()) {
            let Some(place) = place else { continue };
            match file {
                None if place.exists() => {
                    let place = place.display();
                    let message = format!("{place} exists already, but nothing is written to it: remove it first");
                    return Err(ErrorKind::Inconsistent(message).into());
                }
                None => {}
                Some(file) => {
                    let mut output = sink::create(place)?;
                    output.write_bytes(&file)?;
                    outputs.push(output);
                }
            }
        }
        Ok(outputs)
    }
}

impl Sentence {
    /// A sentence of which only the rows are known.
    pub fn of_block(block: Block) -> Self {
        let words = block.words().map(str::to_owned).collect();
        Self { words, tags: None, parse: None, kept: (0..block.len() as u32).collect(), found: Found::Listed, block }
    }
}

/// The lines of a file, and its name for messages.
struct Lines {
    name: String,
    lines: Vec<String>,
}

impl Lines {
    fn read(path: &Path) -> Result<Self> {
        let mut reader = LineReader::open(path, Utf8::Strict)?;
        let mut lines = Vec::new();
        while let Some(line) = reader.read()? {
            lines.push(line.to_owned());
        }
        Ok(Self { name: reader.name().to_owned(), lines })
    }

    /// Reads a file that has as many lines as another.
    fn parallel(path: &Path, other: &Self) -> Result<Self> {
        let read = Self::read(path)?;
        if read.lines.len() == other.lines.len() {
            return Ok(read);
        }
        let [expected, found] = [other, &read].map(|file| file.lines.len() as u64);
        Err(Error::unequal_lengths(&other.name, expected, &read.name, found))
    }

    fn place(&self, line: usize) -> impl Fn(usize) -> Position + '_ {
        move |column| Position::new(self.name.as_str(), line as u64 + 1, column as u64)
    }
}

/// Refuses words of a line that rows could not have either.
fn check_words(words: &[&str], line: &str, place: impl Fn(usize) -> Position) -> Result<()> {
    let odd = words.iter().find_map(|word| Some((word, odd_byte(word)?)));
    let Some((word, at)) = odd else { return Ok(()) };
    let column = word.as_ptr().addr() - line.as_ptr().addr() + at + 1;
    let expected = "a word without carriage returns, which does not begin with a byte order mark";
    Err(Error::parse(place(column), expected, word.as_bytes()))
}

/// Goes through rows and lines together.
struct Join<'f> {
    reader: Reader<Input>,
    text: &'f Lines,
    tags: Option<&'f Lines>,
    info: Option<&'f Lines>,
}

impl Join<'_> {
    /// The sentence of a line, from 0.
    fn sentence(&mut self, line: usize) -> Result<Sentence> {
        let text = &self.text.lines[line];
        let words: Vec<&str> =
            tokens::split(text.as_bytes()).filter_map(|word| std::str::from_utf8(word).ok()).collect();
        check_words(&words, text, self.text.place(line))?;
        let tags = self.tags.map(|tags| parse_tags(&tags.lines[line], &words, tags.place(line))).transpose()?;
        let mut block = Block::default();
        let (kept, found) = match self.info {
            Some(info) => {
                let kept = parse_info(&info.lines[line], &words, info.place(line))?;
                if !kept.is_empty() {
                    self.read_block(&mut block, line)?;
                    let told = kept.iter().map(|word| word.word);
                    let fits = |row: usize| is_word_at(&words, kept[row].index as usize, block.word(row));
                    let rows = block.words().zip(told).enumerate();
                    let differs = { rows }.position(|(row, (word, told))| word != told && !fits(row));
                    if let Some(row) = differs.or((block.len() != kept.len()).then_some(block.len().min(kept.len()))) {
                        return Err(self.other_word(&block, row, line, kept.get(row).map(|word| word.word)));
                    }
                }
                (kept.iter().map(|word| word.index).collect(), Found::Listed)
            }
            None if words.is_empty() => (Vec::new(), Found::Listed),
            None => {
                self.read_block(&mut block, line)?;
                match find_rows(&block, &words, tags.as_deref()) {
                    Ok(found) => found,
                    Err(row) => return Err(self.not_in_sentence(&block, row, line)),
                }
            }
        };
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect::<Vec<_>>();
        Ok(Sentence { words: owned(words), tags: tags.map(owned), parse: None, kept, found, block })
    }

    fn read_block(&mut self, block: &mut Block, line: usize) -> Result<()> {
        if self.reader.read_into(block)? {
            return Ok(());
        }
        let message = match self.info {
            Some(info) => format!("{} has no rows for line {} of {}", self.reader.name(), line + 1, info.name),
            None => format!(
                "{} has no rows for line {} of {}, and there is no .align.info that says which sentences have none",
                self.reader.name(),
                line + 1,
                self.text.name
            ),
        };
        Err(ErrorKind::Inconsistent(message).into())
    }

    fn other_word(&self, block: &Block, row: usize, line: usize, told: Option<&str>) -> Error {
        let name = self.info.map_or("", |info| info.name.as_str());
        let expected = match told {
            Some(word) => format!("in sentence {} `{word}`, as {name} says", line + 1),
            None => format!("in sentence {} no more rows than the {row} listed in {name}", line + 1),
        };
        self.at_row(block, row, expected)
    }

    fn not_in_sentence(&self, block: &Block, row: usize, line: usize) -> Error {
        let name = &self.text.name;
        self.at_row(
            block,
            row,
            format!("in sentence {} a word of line {} of {name}, after that of the row before", line + 1, line + 1),
        )
    }

    fn at_row(&self, block: &Block, row: usize, expected: String) -> Error {
        let there = row < block.len();
        let number = if there { block.line_of(row) } else { block.line_of(block.len().saturating_sub(1)) + 1 };
        let column = if there { (row + 1).to_string().len() as u64 + 2 } else { 0 };
        let found = if there { block.word(row) } else { "" };
        Error::parse(Position::new(self.reader.name(), number, column), expected, found.as_bytes())
    }

    /// Refuses rows that are left.
    fn finish(&mut self) -> Result<()> {
        let mut block = Block::default();
        if !self.reader.read_into(&mut block)? {
            return Ok(());
        }
        let name = self.info.unwrap_or(self.text).name.as_str();
        let position = Position::new(self.reader.name(), block.line_of(0), 0);
        Err(Error::parse(
            position,
            format!("the end of the file, as {name} lists no more sentences with rows"),
            block.word(0).as_bytes(),
        ))
    }
}

/// Finds the rows in a sentence, from left to right: the places of the words, ascending, and how they were told apart. A
/// row whose coarse or fine tag is that of the word in `.pos` agrees with it; if the words can be found in several ways, that
/// is taken in which all rows agree (the leftmost such, if there are several), else the leftmost. Linear.
///
/// ```
/// use alinea::format::rsmt::{Block, Found, NewRow, find_rows};
///
/// let row = |word| NewRow { word, coarse_tag: "N", fine_tag: "NN" };
/// let block = Block::new([row("rose"), row("garden")], None);
/// let words = ["the", "rose", "rose", "in", "the", "garden"];
/// assert_eq!(find_rows(&block, &words, None), Ok((vec![1, 5], Found::Leftmost)));
/// let tags = ["DT", "VBD", "NN", "IN", "DT", "NN"];
/// assert_eq!(find_rows(&block, &words, Some(&tags)), Ok((vec![2, 5], Found::ByTags)));
/// ```
///
/// # Errors
/// The first row, from 0, that is not found.
pub fn find_rows(
    block: &Block,
    words: &[impl AsRef<str>],
    tags: Option<&[&str]>,
) -> std::result::Result<(Vec<u32>, Found), usize> {
    let exactly = |row: usize, place: usize| block.word(row) == words[place].as_ref();
    let marks = from_left(block.len(), words.len(), exactly).is_err();
    let same = |row, place| exactly(row, place) || marks && is_word_at(words, place, block.word(row));
    let agrees = |row: usize, place: usize| {
        let tag = tags.map(|tags| tags[place]);
        same(row, place) && tag.is_some() && [block.coarse_tag(row), block.fine_tag(row)].contains(&tag)
    };
    let leftmost = from_left(block.len(), words.len(), same)?;
    if from_right(block.len(), words.len(), same) == Some(leftmost.clone()) {
        return Ok((leftmost, Found::Only));
    }
    let Ok(by_tags) = from_left(block.len(), words.len(), agrees) else { return Ok((leftmost, Found::Leftmost)) };
    let one = from_right(block.len(), words.len(), agrees) == Some(by_tags.clone());
    Ok((by_tags, if one { Found::ByTags } else { Found::Leftmost }))
}

fn from_left(rows: usize, words: usize, fits: impl Fn(usize, usize) -> bool) -> std::result::Result<Vec<u32>, usize> {
    let mut places = (0..words).peekable();
    (0..rows).map(|row| places.find(|&place| fits(row, place)).map(|place| place as u32).ok_or(row)).collect()
}

fn from_right(rows: usize, words: usize, fits: impl Fn(usize, usize) -> bool) -> Option<Vec<u32>> {
    let mut places = (0..words).rev();
    let found: Option<Vec<u32>> =
        (0..rows).rev().map(|row| places.find(|&place| fits(row, place)).map(|place| place as u32)).collect();
    found.map(|mut found| {
        found.reverse();
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ROWS: &str = "1\tI\t-\tP\tPRP\t-\t0\t-\t-\t-\n2\tgoing\t-\tV\tVBG\t-\t3\t-\t-\t-\n3\thome\t-\tN\tNN\t-\t1\t-\t-\t-\n\n\
                        1\tyes\t-\tI\tUH\t-\t0\t-\t-\t-\n\n";
    const TEXT: &str = "I am going home\nwell\noh yes\n";
    const TAGS: &str = "PRP (I) VBP (am) VBG (going) NN (home)\nUH (well)\nUH (oh) UH (yes)\n";
    const PARSES: &str = "(S (NP (PRP I)) (VP am going home))\n(X (UH well))\n(X oh yes)\n";
    const INFO: &str = "0(I) 2(going) 3(home)\n\n1(yes)\n";

    fn write(files: [&str; 5]) -> (tempfile::TempDir, Paths) {
        let room = tempfile::tempdir().unwrap();
        let paths = Paths::with_stem(room.path().join("a.b.trn").to_str().unwrap());
        for (path, file) in paths.all().zip(files) {
            if !file.is_empty() {
                fs::write(path, file).unwrap();
            }
        }
        let found = Paths::beside(&paths.rows);
        (room, found)
    }

    fn message(files: [&str; 5]) -> String {
        let (room, paths) = write(files);
        let error = Corpus::read(&paths, Unknown::Refused).unwrap_err().to_string();
        error.replace(&format!("{}{}", room.path().display(), std::path::MAIN_SEPARATOR), "")
    }

    #[test]
    fn files_are_joined_and_come_back() {
        let files = [ROWS, TEXT, TAGS, PARSES, INFO];
        let (_room, paths) = write(files);
        let corpus = Corpus::read(&paths, Unknown::Refused).unwrap();
        assert_eq!(corpus.sentences[0].kept, [0, 2, 3]);
        assert!(corpus.sentences[1].block.is_empty());
        assert_eq!(corpus.sentences[2].words, ["oh", "yes"]);
        assert_eq!(corpus.to_files().map(|file| String::from_utf8(file.unwrap()).unwrap()), files);
        let mut other = corpus;
        other.sentences[1].parse = None;
        assert!(other.to_files()[3].is_none());
    }

    #[test]
    fn test_data_keep_their_orders_to_themselves() {
        let (_room, paths) = write([ROWS, TEXT, TAGS, PARSES, INFO]);
        let (test, gold, left_out) = Corpus::read(&paths, Unknown::Refused).unwrap().into_test();
        assert_eq!(left_out, [1]);
        let files = |corpus: &Corpus| corpus.to_files().map(|file| String::from_utf8(file.unwrap()).unwrap());
        let [rows, text, tags, parses, info] = files(&gold);
        assert_eq!((rows.as_str(), text.as_str()), (ROWS, "I am going home\noh yes\n"));
        assert_eq!(info, INFO.replace("\n\n", "\n"));
        let hidden = files(&test);
        assert_eq!(hidden[1..4], [text.as_str(), &tags, &parses]);
        // Who has these files alone finds the same rows, and no order.
        let (_room, paths) = write([&hidden[0], &text, &tags, &parses, ""]);
        assert!(Corpus::read(&paths, Unknown::Refused).is_err());
        let read = Corpus::read(&paths, Unknown::Allowed).unwrap();
        for (read, gold) in read.sentences.iter().zip(&gold.sentences) {
            assert_eq!((&read.kept, read.block.order()), (&gold.kept, None));
        }
    }

    #[test]
    fn other_names_are_found() {
        let (room, _) = write([ROWS, "", "", "", ""]);
        fs::write(room.path().join("a.b_trn.txt"), TEXT).unwrap();
        fs::write(room.path().join("a.b_trn.align.info"), INFO).unwrap();
        let corpus = Corpus::read(&Paths::beside(&room.path().join("a.b.trn.conll")), Unknown::Refused).unwrap();
        assert_eq!(corpus.sentences.len(), 3);
    }

    /// All files as the task's description prints them, names included (with `going` and `home` for its `Ι`, `\mathbf{V}`).
    #[test]
    fn the_example_of_the_task_is_read() {
        let rows =
            "1\tI\t-\tP\tPRP\t-\t0\t-\t-\t-\n2\tgoing\t-\tV\tVBG\t-\t3\t-\t-\t-\n3\thome\t-\tN\tNOUN\t-\t1\t-\t-\t-\n";
        let (text, tags) = ("I am going home.\n", "VRB (I) VMZ (am) VBG (going) NN (home).\n");
        for (part, beside) in [("trn", "src_trn.src.trn"), ("dev", "src_trn.src.dev"), ("dev", "src_dev.src.dev")] {
            let room = tempfile::tempdir().unwrap();
            let conll = room.path().join(format!("src_tgt.src.{part}.conll"));
            fs::write(&conll, rows).unwrap();
            for (extension, file) in [("txt", text), ("pos", tags), ("align.info", "0(I) 2(going) 3 (home)\n")] {
                fs::write(room.path().join(format!("{beside}.{extension}")), file).unwrap();
            }
            let read = |unknown| Corpus::read(&Paths::beside(&conll), unknown).unwrap().sentences.remove(0);
            let sentence = read(Unknown::Refused);
            assert_eq!(sentence.words, ["I", "am", "going", "home."]);
            assert_eq!(sentence.tags.unwrap(), ["VRB", "VMZ", "VBG", "NN"]);
            assert_eq!((sentence.kept, sentence.found), (vec![0, 2, 3], Found::Listed));
            assert_eq!(sentence.block.order().unwrap().inverse().places(), [0, 2, 1]);
            fs::remove_file(room.path().join(format!("{beside}.align.info"))).unwrap();
            let sentence = read(Unknown::Refused);
            assert_eq!((sentence.kept, sentence.found), (vec![0, 2, 3], Found::Only));
        }
    }

    #[test]
    fn rows_alone_are_sentences() {
        let (_room, paths) = write([ROWS, "", "", "", ""]);
        let corpus = Corpus::read(&paths, Unknown::Refused).unwrap();
        assert_eq!(corpus.sentences[0].words, ["I", "going", "home"]);
        assert_eq!((corpus.sentences.len(), corpus.sentences[1].kept.as_slice()), (2, &[0][..]));
    }

    #[test]
    fn rows_are_found_without_info() {
        let (_room, paths) = write([ROWS, "I am going home\noh yes\n", "", "", ""]);
        let corpus = Corpus::read(&paths, Unknown::Refused).unwrap();
        assert_eq!((corpus.sentences[0].kept.as_slice(), corpus.sentences[0].found), (&[0, 2, 3][..], Found::Only));
        assert_eq!(corpus.sentences[1].kept, [1]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (files, expected) in [
            (
                [ROWS, "I am going home\nw\r ell\noh yes\n", "", "", INFO],
                "a.b.trn.txt:2:2: expected a word without carriage returns, which does not begin with a byte order mark, found `w\\r`",
            ),
            (
                [ROWS, "I am going home\nso \u{FEFF}well\noh yes\n", "", "", INFO],
                "a.b.trn.txt:2:4: expected a word without carriage returns, which does not begin with a byte order mark, found `\\u{feff}well`",
            ),
            (
                [ROWS, TEXT, "", "", "0(I) 2(going)\n\n1(yes)\n"],
                "a.b.trn.conll:3:3: expected in sentence 1 no more rows than the 2 listed in a.b.trn.align.info, found `home`",
            ),
            (
                [ROWS, TEXT, "", "", "0(I) 1(am) 3(home)\n\n1(yes)\n"],
                "a.b.trn.conll:2:3: expected in sentence 1 `am`, as a.b.trn.align.info says, found `going`",
            ),
            (
                [ROWS, TEXT, "", "", "0(I) 1(am) 2(going) 3(home)\n\n1(yes)\n"],
                "a.b.trn.conll:2:3: expected in sentence 1 `am`, as a.b.trn.align.info says, found `going`",
            ),
            (
                [ROWS, TEXT, "", "", "0(I) 2(going) 3(home)\n\n0(oh) 1(yes)\n"],
                "a.b.trn.conll:5:3: expected in sentence 3 `oh`, as a.b.trn.align.info says, found `yes`",
            ),
            (
                [ROWS, TEXT, "", "", "0(I) 2(going) 3(home)\n\n\n"],
                "a.b.trn.conll:5: expected the end of the file, as a.b.trn.align.info lists no more sentences with rows, found `yes`",
            ),
            (
                [ROWS, "I am going home\nwell\noh yes\nx\n", "", "", "0(I) 2(going) 3(home)\n\n1(yes)\n0(x)\n"],
                "a.b.trn.conll has no rows for line 4 of a.b.trn.align.info",
            ),
            ([ROWS, TEXT, "", "", "0(I)\n"], "unequal lengths: a.b.trn.txt has 3 lines, a.b.trn.align.info has 1"),
            (
                [ROWS, TEXT, "", "", ""],
                "a.b.trn.conll:5:3: expected in sentence 2 a word of line 2 of a.b.trn.txt, after that of the row before, found `yes`",
            ),
            (
                [ROWS, "I am going home\nyes\nx\n", "", "", ""],
                "a.b.trn.conll has no rows for line 3 of a.b.trn.txt, and there is no .align.info that says which sentences have none",
            ),
            ([ROWS, "", "", "", INFO], "a.b.trn.align.info: it annotates sentences, but there is no .txt with them"),
        ] {
            assert_eq!(message(files), expected);
        }
    }
}
