//! A sentence as a CoNLL-U file has it: comments, rows of ten columns, and the dependency tree over its words.
//!
//! Rows are of three kinds, told apart by the ID column: syntactic words (`3`), surface tokens of several words (`1-2`)
//! and empty nodes (`2.1`). Only words are nodes of the tree. They count from 0 here, from 1 in files.
//!
//! A [`ParsedSentence`] is its text and offsets into it: all lines in one string, and where the cells of each row end.
//! So accessors return slices, and every comment, empty node and column is written as it was read. ID and HEAD are the
//! only columns that are interpreted; if no word has a head (`_`), there is no tree.
//!
//! `format::conllu` parses and checks lines, and builds sentences with `SentenceBuilder`, which checks nothing.

use std::fmt;
use std::ops::Range;

use super::{DependencyTree, Surface};

/// The columns of CoNLL-U, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// The number of the word, a range of words, or the number of an empty node.
    Id,
    /// The word as it is written.
    Form,
    /// Its lemma.
    Lemma,
    /// Its universal part of speech.
    Upos,
    /// Its part of speech in the language's own tag set.
    Xpos,
    /// Its morphological features.
    Feats,
    /// The number of its head, 0 for the root.
    Head,
    /// Its relation to the head.
    Deprel,
    /// Its heads and relations in the enhanced graph.
    Deps,
    /// Anything else.
    Misc,
}

impl Column {
    /// How many columns there are.
    pub const COUNT: usize = 10;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Id,
        Self::Form,
        Self::Lemma,
        Self::Upos,
        Self::Xpos,
        Self::Feats,
        Self::Head,
        Self::Deprel,
        Self::Deps,
        Self::Misc,
    ];

    /// The name in the definition of the format.
    pub fn name(self) -> &'static str {
        ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"][self as usize]
    }
}

/// What a row stands for. Words are numbered from 0 here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeId {
    /// A syntactic word.
    Word(u32),
    /// A surface token of several words, `first..=last`.
    Token {
        /// Its first word.
        first: u32,
        /// Its last word.
        last: u32,
    },
    /// An empty node, the `index`th (from 1) after a number of words.
    Empty {
        /// How many words stand before it.
        after: u32,
        /// Its number among those that stand there, from 1.
        index: u32,
    },
}

impl fmt::Display for NodeId {
    /// As in files, where words count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{}", word + 1),
            Self::Token { first, last } => write!(f, "{}-{}", first + 1, last + 1),
            Self::Empty { after, index } => write!(f, "{after}.{index}"),
        }
    }
}

/// A row of the ten columns: where they end in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StoredRow {
    id: NodeId,
    start: usize,
    ends: [u32; Column::COUNT],
    /// How many lines after the first row it stood in the file.
    lines_after: u32,
}

/// A sentence with everything that its lines in a file say: comments, words, surface tokens of several words, empty nodes,
/// all columns, and the tree over the words if they have heads. Made by [`format::conllu`](crate::format::conllu).
///
/// ```
/// use alinea::format::conllu;
/// use alinea::tree::{Column, Roots};
///
/// let file = "# text = aux armes\n\
///             1-2\taux\t_\t_\t_\t_\t_\t_\t_\t_\n\
///             1\tà\tà\tADP\t_\t_\t3\tcase\t_\t_\n\
///             2\tles\tle\tDET\t_\t_\t3\tdet\t_\t_\n\
///             3\tarmes\tarme\tNOUN\t_\tGender=Fem\t0\troot\t_\t_\n\n";
/// let sentence = &conllu::parse(file, "song.conllu", Roots::One)?[0];
/// assert_eq!(sentence.len(), 3);
/// assert_eq!(sentence.comment("text"), Some("aux armes"));
/// let forms: Vec<&str> = sentence.words().map(|word| word.form()).collect();
/// assert_eq!(forms, ["à", "les", "armes"]);
/// assert_eq!(sentence.word(2).get(Column::Feats), "Gender=Fem");
/// assert_eq!(sentence.tree().and_then(|tree| tree.head(0)), Some(2));
/// assert_eq!(sentence.surface_forms().collect::<Vec<_>>(), ["aux", "armes"]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedSentence {
    /// All lines, each with its line break.
    text: String,
    comments: Vec<Range<usize>>,
    rows: Vec<StoredRow>,
    /// The row of each word.
    words: Vec<u32>,
    tree: Option<DependencyTree>,
    /// The line of the file that the first row of the ten columns stood in; 0 if unknown.
    line: u64,
}

impl ParsedSentence {
    /// The number of words.
    #[expect(clippy::len_without_is_empty, reason = "a sentence has at least one word")]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The tree over the words; none if the words have no heads (`_`).
    pub fn tree(&self) -> Option<&DependencyTree> {
        self.tree.as_ref()
    }

    /// A word, from 0.
    ///
    /// # Panics
    /// If there is none of that number.
    pub fn word(&self, word: u32) -> Word<'_> {
        Word(self.row(self.words[word as usize] as usize))
    }

    /// The words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = Word<'_>> {
        self.words.iter().map(|&row| Word(self.row(row as usize)))
    }

    /// All rows of ten columns, in the order of the file.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|row| self.row(row))
    }

    /// The comments, without `#` and the blanks around.
    pub fn comments(&self) -> impl ExactSizeIterator<Item = &str> {
        self.comments.iter().map(|range| self.text[range.clone()].trim_start_matches('#').trim())
    }

    /// The value of the first comment `# key = value`, such as `sent_id`, `text`, `newdoc id`.
    pub fn comment(&self, key: &str) -> Option<&str> {
        self.comments().find_map(|comment| {
            let (name, value) = comment.split_once('=')?;
            (name.trim_end() == key).then(|| value.trim_start())
        })
    }

    /// The surface tokens.
    pub fn surface(&self) -> Surface {
        Surface::new(self.tokens(), self.len())
    }

    /// What is written: the forms of the surface tokens.
    pub fn surface_forms(&self) -> impl Iterator<Item = &str> {
        let mut covered = 0;
        self.rows().filter_map(move |row| match row.id {
            NodeId::Token { last, .. } => {
                covered = last + 1;
                Some(row.get(Column::Form))
            }
            NodeId::Word(word) if word >= covered => Some(row.get(Column::Form)),
            NodeId::Word(_) | NodeId::Empty { .. } => None,
        })
    }

    /// The lines as they stand in a file, without the empty line at the end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of the file that the word, from 0, stands in, from 1; for messages.
    pub fn line_of(&self, word: u32) -> u64 {
        let row = self.words.get(word as usize).copied().unwrap_or(0);
        self.line + self.rows.get(row as usize).map_or(0, |row| u64::from(row.lines_after))
    }

    /// The words of each surface token of several.
    fn tokens(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.rows.iter().filter_map(|row| match row.id {
            NodeId::Token { first, last } => Some(first..last + 1),
            _ => None,
        })
    }

    fn row(&self, row: usize) -> Row<'_> {
        let StoredRow { id, start, ends, .. } = &self.rows[row];
        Row { id: *id, line: &self.text[*start..], ends }
    }
}

/// A row of the ten columns.
#[derive(Debug, Clone, Copy)]
pub struct Row<'s> {
    /// What it stands for.
    pub id: NodeId,
    /// The text from the row on.
    line: &'s str,
    ends: &'s [u32; Column::COUNT],
}

impl<'s> Row<'s> {
    /// What stands in a column; `_` if nothing does.
    pub fn get(&self, column: Column) -> &'s str {
        let column = column as usize;
        let start = if column == 0 { 0 } else { self.ends[column - 1] as usize + 1 };
        &self.line[start..self.ends[column] as usize]
    }
}

/// The row of a syntactic word.
#[derive(Debug, Clone, Copy)]
pub struct Word<'s>(Row<'s>);

impl<'s> Word<'s> {
    /// What stands in a column; `_` if nothing does.
    pub fn get(&self, column: Column) -> &'s str {
        self.0.get(column)
    }

    /// The word as it is written.
    pub fn form(&self) -> &'s str {
        self.get(Column::Form)
    }

    /// Its lemma; none if it is not given. The lemma of the word `_` is `_`.
    pub fn lemma(&self) -> Option<&'s str> {
        let lemma = self.get(Column::Lemma);
        (lemma != "_" || self.form() == "_").then_some(lemma)
    }

    /// Its universal part of speech, such as `NOUN`; `_` if it is not given.
    pub fn upos(&self) -> &'s str {
        self.get(Column::Upos)
    }

    /// Its relation to the head, such as `nsubj:pass`; `_` if it is not given.
    pub fn deprel(&self) -> &'s str {
        self.get(Column::Deprel)
    }

    /// Its relation without the subtype, such as `nsubj`.
    pub fn relation(&self) -> &'s str {
        self.deprel().split(':').next().unwrap_or_default()
    }
}

/// Puts sentences together, line by line. What it is given has been checked.
#[derive(Debug, Default)]
pub(crate) struct SentenceBuilder {
    sentence: ParsedSentence,
    /// Comments that came after a row, each with its line break.
    late: String,
}

impl SentenceBuilder {
    /// A line that begins with `#`; behind a row it becomes the last of the comments before the rows.
    pub(crate) fn comment(&mut self, line: &str) {
        if self.has_rows() {
            self.late.push_str(line);
            self.late.push('\n');
            return;
        }
        let start = self.line(line);
        self.sentence.comments.push(start..start + line.len());
    }

    /// A line of ten columns, which end where `ends` says. `number` is its line in the file.
    pub(crate) fn row(&mut self, id: NodeId, line: &str, ends: [u32; Column::COUNT], number: u64) {
        if self.sentence.rows.is_empty() {
            self.sentence.line = number;
        }
        if matches!(id, NodeId::Word(_)) {
            self.sentence.words.push(self.sentence.rows.len() as u32);
        }
        let (start, lines_after) = (self.line(line), (number - self.sentence.line) as u32);
        self.sentence.rows.push(StoredRow { id, start, ends, lines_after });
    }

    /// How many words there are so far.
    pub(crate) fn words(&self) -> u32 {
        self.sentence.words.len() as u32
    }

    /// Whether there is any row.
    pub(crate) fn has_rows(&self) -> bool {
        !self.sentence.rows.is_empty()
    }

    /// Whether there is any line.
    pub(crate) fn has_lines(&self) -> bool {
        !self.sentence.text.is_empty()
    }

    /// The row read last.
    pub(crate) fn last(&self) -> Option<NodeId> {
        self.sentence.rows.last().map(|row| row.id)
    }

    /// The sentence so far.
    pub(crate) fn sentence(&self) -> &ParsedSentence {
        &self.sentence
    }

    /// The sentence with its tree; the builder is as new.
    pub(crate) fn finish(&mut self, tree: Option<DependencyTree>) -> ParsedSentence {
        let late = std::mem::take(&mut self.late);
        let mut sentence = ParsedSentence { tree, ..std::mem::take(&mut self.sentence) };
        if let Some(mut start) = sentence.rows.first().map(|row| row.start).filter(|_| !late.is_empty()) {
            sentence.text.insert_str(start, &late);
            sentence.rows.iter_mut().for_each(|row| row.start += late.len());
            for line in late.split_terminator('\n') {
                sentence.comments.push(start..start + line.len());
                start += line.len() + 1;
            }
        }
        sentence
    }

    fn line(&mut self, line: &str) -> usize {
        let start = self.sentence.text.len();
        self.sentence.text.push_str(line);
        self.sentence.text.push('\n');
        start
    }
}
