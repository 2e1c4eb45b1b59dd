//! The file `tokenizer.json`: what it has, and what of it can be used.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::Snippet;

/// The most bytes of a part that becomes a tree of values, which takes many times its bytes. The largest known have 350 kB, nearly
/// all of it a table of replaced characters.
const LARGEST_PART: usize = 1 << 22;

/// Why a file cannot be used: what should be there, and what is there.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) expected: &'static str,
    pub(super) found: String,
}

impl Unusable {
    pub(super) fn new(expected: &'static str, found: impl Into<String>) -> Self {
        Self { expected, found: found.into() }
    }
}

/// The parts that decide the pieces of a text. `truncation`, `padding` and `decoder` do not.
#[derive(Debug, Deserialize)]
pub(super) struct File<'a> {
    added_tokens: Option<Vec<Added>>,
    #[serde(default, deserialize_with = "part")]
    pub(super) normalizer: Value,
    #[serde(default, deserialize_with = "part")]
    pub(super) pre_tokenizer: Value,
    #[serde(default, deserialize_with = "part")]
    post_processor: Value,
    #[serde(borrow)]
    pub(super) model: Model<'a>,
}

/// Reads a part, if it is not too large.
fn part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let part = <&RawValue>::deserialize(deserializer)?.get();
    if part.len() > LARGEST_PART {
        return Err(D::Error::custom(format_args!("a part of {} bytes", part.len())));
    }
    serde_json::from_str(part).map_err(D::Error::custom)
}

/// A piece with a name of its own.
#[derive(Debug, Deserialize)]
struct Added {
    id: u32,
    content: String,
    #[serde(default)]
    special: bool,
}

/// The fields of all kinds of models. Files of before 2021 do not say which kind it is.
#[derive(Debug, Deserialize)]
pub(super) struct Model<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    byte_fallback: Option<bool>,
    unk_id: Option<u64>,
    unk_token: Option<String>,
    pub(super) continuing_subword_prefix: Option<String>,
    pub(super) max_input_chars_per_word: Option<usize>,
    #[serde(borrow)]
    vocab: Option<Vocabulary<'a>>,
}

/// The pieces: a list with scores, whose numbers are their places, or with numbers.
#[derive(Debug)]
pub(super) enum Vocabulary<'a> {
    Scores(Vec<(Text<'a>, f64)>),
    Numbers(Vec<(Text<'a>, u32)>),
}

/// Text of the file: not copied if nothing in it is escaped.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Vocabulary<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VocabularyVisitor)
    }
}

struct VocabularyVisitor;

impl<'de> Visitor<'de> for VocabularyVisitor {
    type Value = Vocabulary<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of pieces with scores, or pieces with numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut pieces = Vec::new();
        while let Some(piece) = list.next_element()? {
            pieces.push(piece);
        }
        Ok(Vocabulary::Scores(pieces))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pieces = Vec::new();
        while let Some(piece) = map.next_entry()? {
            pieces.push(piece);
        }
        Ok(Vocabulary::Numbers(pieces))
    }
}

impl<'a> File<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Unusable> {
        serde_json::from_slice(bytes)
            .map_err(|error| Unusable::new("a tokenizer.json of Hugging Face", shown(&error.to_string())))
    }

    /// The number of the unknown piece, and all pieces.
    pub(super) fn vocabulary(&self) -> Result<(u32, &Vocabulary<'a>), Unusable> {
        let Some(vocabulary) = &self.model.vocab else {
            return Err(Unusable::new("a vocabulary", "none"));
        };
        let kind = self.model.kind.as_deref().or(match vocabulary {
            Vocabulary::Scores(_) => Some("Unigram"),
            Vocabulary::Numbers(_) => self.model.max_input_chars_per_word.map(|_| "WordPiece"),
        });
        let unknown = match (kind, vocabulary) {
            (Some("Unigram"), Vocabulary::Scores(pieces)) => self.unknown_of_unigram(pieces.len()),
            (Some("WordPiece"), Vocabulary::Numbers(pieces)) => self.unknown_of_word_piece(pieces),
            (Some("Unigram"), _) => Err(Unusable::new("pieces with scores", "pieces with numbers")),
            (Some("WordPiece"), _) => Err(Unusable::new("pieces with numbers", "pieces with scores")),
            (kind, _) => {
                let found = kind.map_or_else(|| "another one".to_owned(), shown);
                Err(Unusable::new("a tokenizer of the kind `Unigram` or `WordPiece`", found))
            }
        };
        Ok((unknown?, vocabulary))
    }

    fn unknown_of_unigram(&self, pieces: usize) -> Result<u32, Unusable> {
        if self.model.byte_fallback == Some(true) {
            return Err(Unusable::new("a Unigram tokenizer without `byte_fallback`", "one with it"));
        }
        let number =
            self.model.unk_id.ok_or_else(|| Unusable::new("the number of the unknown piece, `unk_id`", "none"))?;
        if number < pieces as u64
            && let Ok(number) = u32::try_from(number)
        {
            return Ok(number);
        }
        Err(Unusable::new("an `unk_id` in the vocabulary", format!("{number}, with {pieces} pieces")))
    }

    fn unknown_of_word_piece(&self, pieces: &[(Text<'_>, u32)]) -> Result<u32, Unusable> {
        let name = self.model.unk_token.as_deref().unwrap_or("[UNK]");
        let unknown = pieces.iter().find(|(text, _)| text.as_str() == name).map(|&(_, number)| number);
        unknown.ok_or_else(|| {
            let found = format!("{} pieces without {}", pieces.len(), shown(name));
            Unusable::new("the unknown piece in the vocabulary", found)
        })
    }

    /// The numbers of special pieces.
    pub(super) fn special(&self) -> Vec<u32> {
        self.added().filter(|added| added.special).map(|added| added.id).collect()
    }

    /// The pieces in front of a sentence and behind it: those that are put there when a single text is processed, else
    /// by their names.
    pub(super) fn ends(&self) -> Result<[u32; 2], Unusable> {
        let named = |name: &str| self.added().find(|added| added.content == name).map(|added| added.id);
        let names = [["<s>", "</s>"], ["[CLS]", "[SEP]"]];
        let by_name = || names.iter().find_map(|[begin, end]| Some([named(begin)?, named(end)?]));
        ends_of(&self.post_processor).or_else(by_name).ok_or_else(|| {
            let found = "neither in `post_processor` nor in `added_tokens`";
            Unusable::new("the pieces before and after a sentence", found)
        })
    }

    fn added(&self) -> impl Iterator<Item = &Added> {
        self.added_tokens.iter().flatten()
    }
}

/// What a `post_processor` puts before and after a single text.
fn ends_of(processor: &Value) -> Option<[u32; 2]> {
    match kind(processor) {
        "TemplateProcessing" => {
            let special = |part: &Value| {
                let name = part["SpecialToken"]["id"].as_str()?;
                number(&processor["special_tokens"][name]["ids"][0])
            };
            let single = processor["single"].as_array()?;
            Some([special(single.first()?)?, special(single.last()?)?])
        }
        "BertProcessing" | "RobertaProcessing" => Some([number(&processor["cls"][1])?, number(&processor["sep"][1])?]),
        "Sequence" => processor["processors"].as_array()?.iter().find_map(ends_of),
        _ => None,
    }
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// The `type` of a part; empty if it has none.
pub(super) fn kind(part: &Value) -> &str {
    part["type"].as_str().unwrap_or("")
}

/// The steps of a part: those in the `list` of a `Sequence`, the part itself otherwise, none if there is no part.
pub(super) fn steps<'v>(part: &'v Value, list: &str) -> Vec<&'v Value> {
    match part[list].as_array() {
        Some(parts) if kind(part) == "Sequence" => parts.iter().flat_map(|part| steps(part, list)).collect(),
        _ if part.is_null() => Vec::new(),
        _ => vec![part],
    }
}

/// The error that a part is none that can be followed.
pub(super) fn refuse(expected: &'static str, part: &Value) -> Unusable {
    Unusable::new(expected, shown(&part.to_string()))
}

/// Text of the file as a message shows it.
fn shown(text: &str) -> String {
    Snippet::new(text.as_bytes()).to_string()
}
