//! CoNLL-U: sentences with trees, a word a line, ten columns a word.
//!
//! The format is that of Universal Dependencies, version 2 (<https://universaldependencies.org/format.html>). Everything
//! is kept: comments, surface tokens of several words (`1-2`), empty nodes (`1.1`, and `0.1` before the first word), all
//! columns, of which ID and HEAD are checked and the others are text. So what was read is written again to the byte,
//! but for `\r` at the ends of lines, a byte order mark, several empty lines in a row, and a last empty line that was missing.
//!
//! What is refused, with the place: fewer or more than ten columns, an empty column, numbers with gaps, tokens that overlap
//! or have words that are not there, a head that there is not, cycles, a second root (unless
//! [`Roots::Many`]), and heads for some words and none (`_`) for others. If no word has a head the sentence has no
//! tree: that is how files with tags but without trees look. Tabs at the end of a line are left out, and
//! comments between words, which the format does not know, become comments before them.
//!
//! CoNLL-U Plus (<https://universaldependencies.org/ext-format.html>) names its columns in a first line `# global.columns = ID FORM ...`.
//! What is read from it has the ten columns: those that are missing have `_` (words are numbered), and a value of another column
//! stands in MISC as `NAME=value` unless it is `_` or `*`. Places in messages are those in the file.
//!
//! ```
//! use alinea::format::conllu;
//! use alinea::tree::Roots;
//!
//! let file = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\thouse\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n";
//! let sentences = conllu::parse(file, "house.conllu", Roots::One)?;
//! assert_eq!(sentences[0].word(1).form(), "house");
//! let mut written = Vec::new();
//! conllu::write(&sentences[0], &mut written);
//! assert_eq!(written, file.as_bytes());
//!
//! let cyclic = file.replace("\t0\troot", "\t1\troot");
//! let error = conllu::parse(&cyclic, "house.conllu", Roots::One).unwrap_err();
//! assert_eq!(error.to_string(), "house.conllu:1:17: expected a tree, but words 1 → 2 → 1 are each other's heads, found `2`");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod layout;

use std::io::BufRead;
use std::path::Path;

use self::layout::Layout;
use super::lines::{LineReader, Utf8};
use super::source::Input;
use crate::error::{Error, ErrorKind, Hint, Position, Result, Snippet};
use crate::tree::{Column, DependencyTree, NoTree, NodeId, ParsedSentence, Roots, SentenceBuilder};

/// Reads sentences one by one. Also an iterator over them.
#[derive(Debug)]
pub struct Reader<R> {
    lines: LineReader<R>,
    roots: Roots,
    line: String,
    /// The columns of a file that does not have the ten.
    layout: Option<Layout>,
    builder: SentenceBuilder,
    /// The last word that the token read last has, as a number from 1; 0 before the first.
    token_end: u32,
    heads: Heads,
}

impl Reader<Input> {
    /// Opens a file, or standard input if the path is `-`.
    ///
    /// # Errors
    /// `Io`.
    pub fn open(path: impl AsRef<Path>, roots: Roots) -> Result<Self> {
        Ok(Self::new(LineReader::open(path, Utf8::Strict)?, roots))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the sentences of a file.
    pub fn new(lines: LineReader<R>, roots: Roots) -> Self {
        let builder = SentenceBuilder::default();
        Self { lines, roots, line: String::new(), layout: None, builder, token_end: 0, heads: Heads::default() }
    }

    /// The name of the file in messages.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// Puts the next sentence into `sentence`; says whether there was one.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `OverLimit` for a sentence of more than [`limits::SENTENCE`](crate::limits::SENTENCE); `Parse` for all that the head of this room lists, with a hint for a second root.
    pub fn read_into(&mut self, sentence: &mut ParsedSentence) -> Result<bool> {
        let mut before = self.lines.bytes();
        loop {
            let more = self.lines.read_into(&mut self.line)?;
            if more && !self.line.is_empty() {
                self.lines.check_sentence(before)?;
                self.add_line()?;
            } else if self.builder.has_lines() {
                *sentence = self.finish()?;
                return Ok(true);
            } else if !more {
                return Ok(false);
            } else {
                before = self.lines.bytes();
            }
        }
    }

    /// Adds a line that is not empty.
    fn add_line(&mut self) -> Result<()> {
        if self.line.starts_with('#') {
            match Layout::of_comment(&self.line).map_err(|(column, expected)| self.fault(column, expected))? {
                Some(_) if self.builder.has_rows() => {
                    return Err(self.fault(0, "a word or an empty line (global.columns comes before the words)"));
                }
                Some(layout) => self.layout = Some(layout),
                None => self.builder.comment(&self.line),
            }
            return Ok(());
        }
        let columns = self.layout.as_ref().map_or(Column::COUNT, Layout::len);
        drop_tabs_behind(&mut self.line, columns);
        if let Some(mut layout) = self.layout.take() {
            let arranged = layout.arrange(&mut self.line, self.builder.words() + 1);
            self.layout = Some(layout);
            arranged.map_err(|expected| self.fault(0, expected))?;
        }
        let ends = self.columns()?;
        let id = self.id(&self.line[..ends[0] as usize])?;
        match id {
            NodeId::Word(_) => {
                let place = self.place(ends[Column::Head as usize - 1] as usize + 1);
                self.heads.push(&self.line, &ends, place)?;
            }
            NodeId::Token { last, .. } => self.token_end = last + 1,
            NodeId::Empty { .. } => {}
        }
        self.builder.row(id, &self.line, ends, self.lines.number());
        Ok(())
    }

    /// Where the ten columns end.
    fn columns(&self) -> Result<[u32; Column::COUNT]> {
        let mut ends = [0; Column::COUNT];
        let mut start = 0;
        let mut count = 0;
        for column in self.line.split('\t') {
            let end = start + column.len();
            if count < Column::COUNT {
                ends[count] = end as u32;
                if column.is_empty() {
                    let name = Column::ALL[count].name();
                    return Err(self.fault(start, format!("{name}, or `_` where there is none")));
                }
            }
            count += 1;
            start = end + 1;
        }
        if count != Column::COUNT {
            return Err(self.fault(0, format!("10 tab-separated columns (this line has {count})")));
        }
        Ok(ends)
    }

    /// What the first column stands for, if it may follow what was there before.
    fn id(&self, text: &str) -> Result<NodeId> {
        let words = self.builder.words();
        let id = parse_id(text).ok_or_else(|| {
            self.fault(0, "the number of a word, such as 1, of a token of several words, 1-2, or of an empty node, 1.1")
        })?;
        let last = self.builder.last();
        let may_follow = match id {
            NodeId::Word(word) => word == words,
            NodeId::Token { first, last: end } => {
                let again = matches!(last, Some(NodeId::Token { .. }));
                first == words && end > first && first >= self.token_end && !again
            }
            NodeId::Empty { after, index } => {
                let before = match last {
                    Some(NodeId::Empty { index, .. }) => index,
                    _ => 0,
                };
                after == words && index == before + 1 && !matches!(last, Some(NodeId::Token { .. }))
            }
        };
        if may_follow { Ok(id) } else { Err(self.fault(0, self.expected(last))) }
    }

    /// What may stand in the first column now.
    fn expected(&self, last: Option<NodeId>) -> String {
        let words = self.builder.words();
        let word = words + 1;
        match last {
            Some(NodeId::Token { .. }) => format!("word {word}, the first of the token before"),
            Some(NodeId::Empty { index, .. }) => format!("word {word} or empty node {words}.{}", index + 1),
            _ if words < self.token_end => format!("word {word}, which belongs to a token above"),
            _ => format!("word {word}, a token from {word} on, or empty node {words}.1"),
        }
    }

    /// Ends the sentence.
    fn finish(&mut self) -> Result<ParsedSentence> {
        let place = |number, column| Position::new(self.lines.name(), number, column);
        let end = self.lines.number().max(1);
        if !self.builder.has_rows() {
            return Err(Error::parse(place(end, 0), "words after the comments", b""));
        }
        if self.builder.words() == 0 || self.builder.words() < self.token_end {
            return Err(Error::parse(place(end, 0), format!("word {}", self.builder.words() + 1), b""));
        }
        let sentence = self.builder.sentence();
        let tree = self.heads.tree(self.roots).map_err(|error| {
            let word = error.word();
            let position = place(sentence.line_of(word), u64::from(self.heads.columns[word as usize]));
            let head = sentence.word(word).get(Column::Head);
            let (expected, found) = (format!("a tree, but {error}"), Snippet::new(head.as_bytes()));
            let hint = matches!(error, NoTree::SecondRoot(..)).then_some(Hint::SeveralRoots);
            Error::from(ErrorKind::Parse { position, expected, found, hint })
        })?;
        self.heads.clear();
        self.token_end = 0;
        Ok(self.builder.finish(tree))
    }

    fn fault(&self, column: usize, expected: impl Into<String>) -> Error {
        let found = self.line.as_bytes().get(column..).unwrap_or_default();
        let found = found.split(|&byte| byte == b'\t').next().unwrap_or_default();
        Error::parse(self.place(column), expected, found)
    }

    /// Where the byte of the current line, from 0, stands in the file.
    fn place(&self, column: usize) -> Position {
        let column = self.layout.as_ref().map_or(column, |layout| layout.column_in_file(column));
        self.lines.position(column + 1)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<ParsedSentence>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut sentence = ParsedSentence::default();
        match self.read_into(&mut sentence) {
            Ok(true) => Some(Ok(sentence)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// The heads of the words read so far.
#[derive(Debug, Default)]
struct Heads {
    numbers: Vec<Option<u32>>,
    /// The column, in bytes from 1, in which each word's head stands.
    columns: Vec<u32>,
    /// Whether words have heads, told by the first.
    given: bool,
}

impl Heads {
    /// Adds the head of a word, which stands at this place.
    fn push(&mut self, line: &str, ends: &[u32; Column::COUNT], place: Position) -> Result<()> {
        let start = ends[Column::Head as usize - 1] + 1;
        let text = &line[start as usize..ends[Column::Head as usize] as usize];
        let given = text != "_";
        if self.numbers.is_empty() {
            self.given = given;
        }
        let head = if given { number(text) } else { Some(0) };
        let (Some(head), true) = (head, given == self.given) else {
            let expected = if self.given {
                "the number of the head, or 0 for the root"
            } else {
                "`_`, as the words before have no heads either"
            };
            return Err(Error::parse(place, expected, text.as_bytes()));
        };
        self.numbers.push(head.checked_sub(1));
        self.columns.push(place.column as u32);
        Ok(())
    }

    /// The tree, if words have heads.
    fn tree(&mut self, roots: Roots) -> Result<Option<DependencyTree>, NoTree> {
        if !self.given {
            return Ok(None);
        }
        DependencyTree::new(std::mem::take(&mut self.numbers), roots).map(Some)
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.columns.clear();
    }
}

/// Cuts off tabs at the end of a line that follow its last column.
fn drop_tabs_behind(line: &mut String, columns: usize) {
    if let Some((end, _)) = line.match_indices('\t').nth(columns - 1)
        && line.as_bytes()[end..].iter().all(|&byte| byte == b'\t')
    {
        line.truncate(end);
    }
}

/// Digits only, without a leading zero: what is written is what was read.
fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text == "0" || !text.starts_with('0');
    if digits && plain { text.parse().ok() } else { None }
}

fn parse_id(text: &str) -> Option<NodeId> {
    if let Some((first, last)) = text.split_once('-') {
        let (first, last) = (number(first)?.checked_sub(1)?, number(last)?.checked_sub(1)?);
        return Some(NodeId::Token { first, last });
    }
    if let Some((after, index)) = text.split_once('.') {
        return Some(NodeId::Empty { after: number(after)?, index: number(index)? });
    }
    Some(NodeId::Word(number(text)?.checked_sub(1)?))
}

/// All sentences of a text, called `name` in messages.
///
/// # Errors
/// As [`Reader::read_into`].
pub fn parse(text: &str, name: &str, roots: Roots) -> Result<Vec<ParsedSentence>> {
    Reader::new(LineReader::new(text.as_bytes(), name, Utf8::Strict), roots).collect()
}

/// All sentences of a file, or of standard input if the path is `-`.
///
/// # Errors
/// As [`Reader::open`] and [`Reader::read_into`].
pub fn read(path: impl AsRef<Path>, roots: Roots) -> Result<Vec<ParsedSentence>> {
    Reader::open(path, roots)?.collect()
}

/// Appends the lines of a sentence, and the empty line after them.
pub fn write(sentence: &ParsedSentence, out: &mut Vec<u8>) {
    out.extend_from_slice(sentence.text().as_bytes());
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines from rows of ID and HEAD.
    fn file(rows: &[(&str, &str)]) -> String {
        let lines: Vec<String> =
            rows.iter().map(|(id, head)| format!("{id}\tw{id}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n")).collect();
        lines.concat() + "\n"
    }

    fn message(text: &str) -> String {
        parse(text, "f", Roots::One).unwrap_err().to_string()
    }

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        for sentence in parse(text, "f", Roots::Many).unwrap() {
            write(&sentence, &mut out);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn everything_is_kept() {
        let text = "# newdoc id = d\n#odd comment\n# sent_id = 1\n0.1\t_\t_\t_\t_\t_\t_\t_\t0:root\t_\n\
                    1-2\tzum\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1\tzu\tzu\tADP\t_\t_\t2\tcase\t2:case\t_\n\
                    2\tdem\u{a0}x y\t_\tDET\t_\t_\t0\troot\t0:root|0.1:dep\t_\n2.1\tnull\t_\tVERB\t_\t_\t_\t_\t0:root\t_\n\
                    2.2\tnull\t_\tVERB\t_\t_\t_\t_\t0:root\t_\n3\tx\t_\tX\t_\t_\t2\tdep\t_\t_\n\n";
        assert_eq!(written(text), text);
        let sentence = &parse(text, "f", Roots::One).unwrap()[0];
        assert_eq!(sentence.comments().collect::<Vec<_>>(), ["newdoc id = d", "odd comment", "sent_id = 1"]);
        assert_eq!(sentence.comment("sent_id"), Some("1"));
        assert_eq!(sentence.comment("text"), None);
        assert_eq!(
            sentence.rows().map(|row| row.id.to_string()).collect::<Vec<_>>(),
            ["0.1", "1-2", "1", "2", "2.1", "2.2", "3"]
        );
        assert_eq!(sentence.surface_forms().collect::<Vec<_>>(), ["zum", "x"]);
        assert_eq!(sentence.surface().words_of(0), 0..2);
        assert_eq!(sentence.word(1).get(Column::Deps), "0:root|0.1:dep");
        assert_eq!((sentence.line_of(0), sentence.line_of(2)), (6, 10));
    }

    #[test]
    fn ends_of_lines_and_files_may_differ() {
        let plain = file(&[("1", "0")]).repeat(2);
        for end in ["\r\n", "\r\r\n"] {
            assert_eq!(written(&plain.replace('\n', end)), plain);
        }
        assert_eq!(written(plain.trim_end()), plain);
        assert_eq!(written(&format!("\u{FEFF}\n\n{}\n\n", plain.replace("\n\n", "\n\n\n"))), plain);
        assert!(parse("", "f", Roots::One).unwrap().is_empty());
    }

    #[test]
    fn sentences_that_do_not_end_are_refused() {
        let comment = format!("# {}\n", "x".repeat(1 << 16));
        let read = |text: &str| {
            Reader::new(LineReader::new(text.as_bytes(), "f", Utf8::Strict), Roots::One)
                .try_for_each(|sentence| sentence.map(|_| ()))
        };
        // As much, but in many sentences.
        read(&format!("{comment}{}", file(&[("1", "0")])).repeat(1100)).unwrap();
        let error = read(&comment.repeat(1100)).unwrap_err().to_string();
        assert_eq!(error, "f:1024: bytes of the lines of a sentence: 67111936, more than the limit of 67108864");
    }

    #[test]
    fn tags_without_trees_are_sentences() {
        let text = file(&[("1", "_"), ("2", "_")]);
        let sentence = &parse(&text, "f", Roots::One).unwrap()[0];
        assert!(sentence.tree().is_none());
        assert_eq!(
            message(&file(&[("1", "_"), ("2", "1")])),
            "f:2:14: expected `_`, as the words before have no heads either, found `1`"
        );
        assert_eq!(
            message(&file(&[("1", "0"), ("2", "_")])),
            "f:2:14: expected the number of the head, or 0 for the root, found `_`"
        );
    }

    #[test]
    fn trees_must_be_trees() {
        for (rows, expected) in [
            (vec![("1", "0"), ("2", "0")], "f:2:14: expected a tree, but words 1 and 2 are both roots, found `0`"),
            (
                vec![("1", "2"), ("2", "1")],
                "f:1:14: expected a tree, but words 1 → 2 → 1 are each other's heads, found `2`",
            ),
            (
                vec![("1", "0"), ("2", "3")],
                "f:2:14: expected a tree, but the head of word 2 is word 3, and the sentence has 2, found `3`",
            ),
            (vec![("1", "0"), ("2", "2")], "f:2:14: expected a tree, but word 2 is its own head, found `2`"),
            (vec![("1", "0"), ("2", "-1")], "f:2:14: expected the number of the head, or 0 for the root, found `-1`"),
            (
                vec![("1", "0"), ("2", "99999999999")],
                "f:2:14: expected the number of the head, or 0 for the root, found `99999999999`",
            ),
        ] {
            assert_eq!(message(&file(&rows)), expected);
        }
        assert!(parse(&file(&[("1", "0"), ("2", "0")]), "f", Roots::Many).is_ok());
    }

    #[test]
    fn numbers_must_follow_each_other() {
        let ids = |ids: &[&str]| {
            let rows: Vec<_> = ids
                .iter()
                .map(|id| {
                    (
                        *id,
                        if id.contains(['-', '.']) {
                            "_"
                        } else if *id == "1" {
                            "0"
                        } else {
                            "1"
                        },
                    )
                })
                .collect();
            parse(&file(&rows), "f", Roots::One).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(ids(&["1-2", "1", "2", "3-4", "3", "4"]), Ok(()));
        assert_eq!(ids(&["0.1", "1-2", "1", "1.1", "2"]), Ok(()));
        let fault = |text: &str| Err(text.to_owned());
        assert_eq!(ids(&["1", "3"]), fault("f:2:1: expected word 2, a token from 2 on, or empty node 1.1, found `3`"));
        assert_eq!(ids(&["2"]), fault("f:1:1: expected word 1, a token from 1 on, or empty node 0.1, found `2`"));
        assert_eq!(
            ids(&["1-2", "1", "2-3", "2", "3"]),
            fault("f:3:1: expected word 2, which belongs to a token above, found `2-3`")
        );
        assert_eq!(
            ids(&["1-2", "1-3", "1", "2", "3"]),
            fault("f:2:1: expected word 1, the first of the token before, found `1-3`")
        );
        assert_eq!(ids(&["1-2", "2"]), fault("f:2:1: expected word 1, the first of the token before, found `2`"));
        assert_eq!(ids(&["1-2", "1"]), fault("f:3: expected word 2, found nothing"));
        assert_eq!(
            ids(&["1-1", "1"]),
            fault("f:1:1: expected word 1, a token from 1 on, or empty node 0.1, found `1-1`")
        );
        assert_eq!(
            ids(&["1", "1.2"]),
            fault("f:2:1: expected word 2, a token from 2 on, or empty node 1.1, found `1.2`")
        );
        assert_eq!(ids(&["1", "1.1", "1.1"]), fault("f:3:1: expected word 2 or empty node 1.2, found `1.1`"));
        assert_eq!(ids(&["0.1"]), fault("f:2: expected word 1, found nothing"));
        let kinds = "the number of a word, such as 1, of a token of several words, 1-2, or of an empty node, 1.1";
        for odd in ["0", "01", "x", "1-", "-1", "1.", "+1", " 1", "1-2-3"] {
            assert_eq!(ids(&[odd]), fault(&format!("f:1:1: expected {kinds}, found `{odd}`")));
        }
    }

    #[test]
    fn columns_are_ten() {
        let row = file(&[("1", "0")]);
        let nine = row.replace("\t_\t_\n", "\t_\n");
        assert_eq!(message(&nine), "f:1:1: expected 10 tab-separated columns (this line has 9), found `1`");
        assert_eq!(
            message(&row.replace("\t_\n", "\t_\t_\n")),
            "f:1:1: expected 10 tab-separated columns (this line has 11), found `1`"
        );
        assert_eq!(message("1 the\n"), "f:1:1: expected 10 tab-separated columns (this line has 1), found `1 the`");
        assert_eq!(
            message(&row.replace("\tX\t", "\t\t")),
            "f:1:8: expected UPOS, or `_` where there is none, found nothing"
        );
        assert_eq!(message("# a\n\n"), "f:2: expected words after the comments, found nothing");
    }

    #[test]
    fn comments_between_words_come_before_them() {
        let row = |id: u32, head: u32| format!("{id}\ta\t_\tX\t_\t_\t{head}\tdep\t_\t_\n");
        let lines = format!("# x = 1\n{}# y = 2\n#\r\n{}# z\n\n{}\n", row(1, 0), row(2, 1), row(1, 0));
        let sentences = parse(&lines, "f", Roots::One).unwrap();
        assert_eq!(sentences[0].comments().collect::<Vec<_>>(), ["x = 1", "y = 2", "", "z"]);
        assert_eq!(sentences[0].comment("y"), Some("2"));
        assert_eq!((sentences[0].line_of(0), sentences[0].line_of(1), sentences[1].line_of(0)), (2, 5, 8));
        let expected = format!("# x = 1\n# y = 2\n#\n# z\n{}{}\n{}\n", row(1, 0), row(2, 1), row(1, 0));
        assert_eq!(written(&lines), expected);
        assert_eq!(written(&expected), expected);
        let cycle = lines.replace(&row(2, 1), &row(2, 2));
        assert!(message(&cycle).starts_with("f:5:13: expected a tree, but "), "{}", message(&cycle));
        let late = lines.replace("# y = 2", "# global.columns = ID FORM");
        assert_eq!(
            message(&late),
            "f:3:1: expected a word or an empty line (global.columns comes before the words), found `# global.columns = ID FORM`"
        );
    }

    #[test]
    fn tabs_at_the_end_of_a_line_are_left_out() {
        let lines = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";
        assert_eq!(written(&lines.replace("\t_\n", "\t_\t\t\n")), lines);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(text in "([#0-9_.\\-\ta\n]{0,6}(\t_\t_\t_\t_\t_\t[0-3_]\t_\t_\t_\n){0,2}){0,6}") {
            if let Ok(sentences) = parse(&text, "f", Roots::Many) {
                let mut out = Vec::new();
                for sentence in &sentences {
                    write(sentence, &mut out);
                }
                let again = String::from_utf8(out).unwrap();
                prop_assert_eq!(parse(&again, "f", Roots::Many).unwrap().len(), sentences.len());
                prop_assert_eq!(written(&again), again);
            }
        }
    }
}
