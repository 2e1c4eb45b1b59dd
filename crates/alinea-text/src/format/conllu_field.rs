//! A field of the words of CoNLL-U: parts of speech, features, or something in MISC such as names.
//!
//! A field is read from one sentence and written into another, of which all else stays as it is.
//!
//! ```
//! use alinea::format::conllu;
//! use alinea::format::conllu_field::{self, Field};
//! use alinea::tree::Roots;
//!
//! let file = "# sent_id = 1\n1\tAnna\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|NER=B-PER\n2\tsings\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n";
//! let sentence = &conllu::parse(file, "anna.conllu", Roots::One)?[0];
//! let names: Field = "misc:NER".parse()?;
//! assert_eq!(sentence.words().map(|word| names.of(word)).collect::<Vec<_>>(), [Some("B-PER"), None]);
//! let mut written = String::new();
//! conllu_field::write(sentence, &Field::Upos, &[Some("PROPN"), None], &mut written);
//! assert_eq!(written, file.replace("Anna\t_\t_", "Anna\t_\tPROPN").replace("VERB", "_"));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Position, Result};
use crate::labels::Tag;
use crate::tree::{Column, NodeId, ParsedSentence, Word};

/// Which field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// UPOS, the universal part of speech.
    Upos,
    /// XPOS, the part of speech of the language.
    Xpos,
    /// FEATS, the morphological features, together.
    Feats,
    /// What stands behind `NAME=` in MISC.
    Misc(String),
}

impl Field {
    /// The column that it is in.
    pub const fn column(&self) -> Column {
        match self {
            Self::Upos => Column::Upos,
            Self::Xpos => Column::Xpos,
            Self::Feats => Column::Feats,
            Self::Misc(_) => Column::Misc,
        }
    }

    /// What a word has there; nothing if it is `_` or missing.
    pub fn of<'s>(&self, word: Word<'s>) -> Option<&'s str> {
        let column = word.get(self.column());
        match self {
            Self::Misc(name) => column.split('|').find_map(|part| part.strip_prefix(name.as_str())?.strip_prefix('=')),
            _ => Some(column).filter(|&value| value != "_"),
        }
    }

    /// The column with another value, or none.
    fn with(&self, column: &str, value: Option<&str>) -> String {
        let Self::Misc(name) = self else { return value.unwrap_or("_").to_owned() };
        let is_it = |part: &str| part.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('='));
        let new = value.map(|value| format!("{name}={value}"));
        let mut new = new.as_deref();
        let parts = column.split('|').filter(|&part| part != "_");
        // In the place of the old one, or behind all others.
        let mut parts: Vec<&str> = parts.filter_map(|part| if is_it(part) { new.take() } else { Some(part) }).collect();
        parts.extend(new);
        if parts.is_empty() { "_".to_owned() } else { parts.join("|") }
    }

    /// The tags of the words of a sentence, in a file called `file`; a word without one is outside.
    ///
    /// # Errors
    /// `Parse` for a value that is no tag.
    pub fn tags<'s>(&self, sentence: &'s ParsedSentence, file: &str) -> Result<Vec<Tag<'s>>> {
        let tags = sentence.words().zip(0..).map(|(word, number)| {
            let Some(value) = self.of(word) else { return Ok(Tag::Outside) };
            let before: usize =
                Column::ALL.into_iter().take(self.column() as usize).map(|column| word.get(column).len() + 1).sum();
            let within = value.as_ptr().addr() - word.get(self.column()).as_ptr().addr();
            let column = (before + within) as u64 + 1;
            Tag::read(value, || Position::new(file, sentence.line_of(number), column))
        });
        tags.collect()
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upos => f.write_str("upos"),
            Self::Xpos => f.write_str("xpos"),
            Self::Feats => f.write_str("feats"),
            Self::Misc(name) => write!(f, "misc:{name}"),
        }
    }
}

impl FromStr for Field {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let is_name = |name: &&str| !name.is_empty() && !name.contains(['=', '|', '\t', ' ', '\n', '\r']);
        match (text, text.strip_prefix("misc:").filter(is_name)) {
            ("upos", _) => Ok(Self::Upos),
            ("xpos", _) => Ok(Self::Xpos),
            ("feats", _) => Ok(Self::Feats),
            (_, Some(name)) => Ok(Self::Misc(name.to_owned())),
            _ => Err(Error::config("field", text, "upos, xpos, feats or misc:NAME")),
        }
    }
}

/// Adds a sentence to a file, with these values of its words; `_`, or nothing in MISC, where there is none.
///
/// # Panics
/// If there is not a value for each word, or one has a tab.
pub fn write(sentence: &ParsedSentence, field: &Field, values: &[Option<&str>], file: &mut String) {
    assert_eq!(sentence.len(), values.len(), "a value for each word");
    for line in sentence.text().lines().take(sentence.comments().len()) {
        let _ = writeln!(file, "{line}");
    }
    for row in sentence.rows() {
        for column in Column::ALL {
            file.push_str(if column == Column::Id { "" } else { "\t" });
            match row.id {
                NodeId::Word(word) if column == field.column() => {
                    let value = values[word as usize];
                    assert!(!value.is_some_and(|value| value.contains(['\t', '\n'])), "a value within its column");
                    file.push_str(&field.with(row.get(column), value));
                }
                _ => file.push_str(row.get(column)),
            }
        }
        file.push('\n');
    }
    file.push('\n');
}

/// Adds a sentence of these words to a file, with nothing but their values.
///
/// # Errors
/// `Inconsistent` for a sentence without words, or a word that is empty or has a tab: there are no lines for them.
pub fn write_words(words: &[&str], field: &Field, values: &[Option<&str>], file: &mut String) -> Result<()> {
    if words.is_empty() {
        return Err(ErrorKind::Inconsistent("a sentence without words, which CoNLL-U cannot have".to_owned()).into());
    }
    for ((word, value), number) in words.iter().zip(values).zip(1..) {
        if word.is_empty() || word.contains(['\t', '\n', '\r']) {
            return Err(ErrorKind::Inconsistent(format!("a column cannot have the word {word:?}")).into());
        }
        let _ = write!(file, "{number}\t{word}");
        for column in &Column::ALL[2..] {
            let value = if *column == field.column() { field.with("_", *value) } else { "_".to_owned() };
            let _ = write!(file, "\t{value}");
        }
        file.push('\n');
    }
    file.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::conllu;
    use crate::tree::Roots;

    const FILE: &str = "# sent_id = 1\n# odd\n0.1\t_\t_\tX\t_\t_\t_\t_\t_\tNER=Q\n1-2\tzum\t_\t_\t_\t_\t_\t_\t_\tNER=Z\n\
        1\tzu\tzu\tADP\tAPPR\t_\t_\t_\t_\t_\n2\tdem\t_\tDET\t_\tCase=Dat\t_\t_\t_\tA=1|NER=B-X|C\n\
        3\tHof\t_\t_\t_\t_\t_\t_\t_\tNER=I-X\n\n";

    fn written(field: &str, values: &[Option<&str>]) -> String {
        let mut file = String::new();
        write(&conllu::parse(FILE, "f", Roots::One).unwrap()[0], &field.parse().unwrap(), values, &mut file);
        file
    }

    #[test]
    fn a_field_is_replaced_and_all_else_stays() {
        let sentence = &conllu::parse(FILE, "f", Roots::One).unwrap()[0];
        for name in ["upos", "xpos", "feats", "misc:NER", "misc:A", "misc:B"] {
            let field: Field = name.parse().unwrap();
            assert_eq!(field.to_string(), name);
            let values: Vec<Option<&str>> = sentence.words().map(|word| field.of(word)).collect();
            assert_eq!(written(name, &values), FILE, "{name}");
        }
        let names = written("misc:NER", &[Some("S-Y"), None, None]);
        assert_eq!(
            names,
            FILE.replace("APPR\t_\t_\t_\t_\t_", "APPR\t_\t_\t_\t_\tNER=S-Y")
                .replace("|NER=B-X", "")
                .replace("NER=I-X", "_")
        );
        let tags = written("upos", &[None, Some("PRON"), Some("NOUN")]);
        assert_eq!(tags, FILE.replace("ADP", "_").replace("DET", "PRON").replace("Hof\t_\t_", "Hof\t_\tNOUN"));
        for none in ["UPOS", "misc", "misc:", "misc:A=B", "misc:A|B", ""] {
            assert!(none.parse::<Field>().is_err(), "{none}");
        }
    }

    #[test]
    fn tags_are_read_with_their_places() {
        let sentence = &conllu::parse(FILE, "f", Roots::One).unwrap()[0];
        let tags = Field::Misc("NER".to_owned()).tags(sentence, "f").unwrap();
        assert_eq!(tags, [Tag::Outside, Tag::Begin("X"), Tag::Inside("X")]);
        let error = Field::Misc("A".to_owned()).tags(sentence, "f").unwrap_err().to_string();
        assert_eq!(error, "f:6:32: expected a tag: O, or B-, I-, E-, L-, S- or U- and a label, found `1`");
    }

    #[test]
    fn words_alone_make_a_sentence() {
        let mut file = String::new();
        let names: Field = "misc:NER".parse().unwrap();
        write_words(&["a", "b c"], &names, &[None, Some("B-X")], &mut file).unwrap();
        let sentence = &conllu::parse(&file, "f", Roots::One).unwrap()[0];
        assert_eq!(
            sentence.words().map(|word| (word.form(), names.of(word))).collect::<Vec<_>>(),
            [("a", None), ("b c", Some("B-X"))]
        );
        for words in [&["a\tb"][..], &[""], &[]] {
            assert!(write_words(words, &names, &[None], &mut file).is_err());
        }
    }
}
