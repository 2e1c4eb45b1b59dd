//! The kind `WordPiece`: the longest piece that a word begins with, then the longest of the rest, and so on (Wu et al.
//! 2016, section 4.1, as BERT has it).

use std::ops::Range;

use serde_json::Value;
use unicode_normalization::char::decompose_canonical;

use super::Piece;
use super::characters::{is_control, is_ideograph, is_mark, is_punctuation};
use super::file::{File, Text, Unusable, kind, refuse};
use super::normalized::{Normalized, Place};
use crate::pieces::Trie;

/// Longer words are unknown, if the file does not say how long they may be.
const LONGEST_WORD: usize = 100;

/// Pieces, and what becomes of a text before they are sought.
#[derive(Debug)]
pub(super) struct WordPiece {
    /// Pieces of beginnings of words.
    beginnings: Trie,
    /// Pieces of what comes after, without their mark.
    continuations: Trie,
    unknown: u32,
    /// In characters.
    longest_word: usize,
    normalizer: Normalizer,
}

/// The settings of a `BertNormalizer`.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "the settings of the format, each by itself")]
struct Normalizer {
    clean_text: bool,
    handle_chinese_chars: bool,
    strip_accents: bool,
    lowercase: bool,
}

impl WordPiece {
    pub(super) fn new(
        file: &File<'_>,
        pieces: &[(Text<'_>, u32)],
        unknown: u32,
        ordinary: impl Fn(u32) -> bool,
    ) -> Result<Self, Unusable> {
        let normalizer = Normalizer::new(&file.normalizer)?;
        if kind(&file.pre_tokenizer) != "BertPreTokenizer" {
            return Err(refuse("the pre-tokenizer `BertPreTokenizer`", &file.pre_tokenizer));
        }
        let mark = file.model.continuing_subword_prefix.as_deref().unwrap_or("##");
        let texts = || pieces.iter().filter(|piece| ordinary(piece.1)).map(|(text, id)| (text.as_str(), *id));
        Ok(Self {
            beginnings: Trie::new(texts()),
            continuations: Trie::new(texts().filter_map(|(text, id)| Some((text.strip_prefix(mark)?, id)))),
            unknown,
            longest_word: file.model.max_input_chars_per_word.unwrap_or(LONGEST_WORD),
            normalizer,
        })
    }

    pub(super) fn pieces(&self, text: &str, pieces: &mut Vec<Piece>) {
        let normalized = self.normalizer.apply(text);
        let mut start = 0;
        for (at, character) in normalized.text().char_indices() {
            let end = at + character.len_utf8();
            let punctuation = is_punctuation(character);
            if punctuation || character.is_whitespace() {
                self.word(&normalized, start..at, pieces);
                start = end;
            }
            if punctuation {
                self.word(&normalized, at..end, pieces);
            }
        }
        self.word(&normalized, start..normalized.text().len(), pieces);
    }

    fn word(&self, text: &Normalized, range: Range<usize>, pieces: &mut Vec<Piece>) {
        if range.is_empty() {
            return;
        }
        let piece = |id, range| {
            let (start, end) = text.place(range);
            Piece { id, start, end }
        };
        let first = pieces.len();
        let mut rest = range.clone();
        let mut trie = &self.beginnings;
        let known = text.text()[range.clone()].chars().nth(self.longest_word).is_none();
        while known && !rest.is_empty() {
            let Some((length, id)) = trie.prefixes(&text.text().as_bytes()[rest.clone()]).last() else { break };
            pieces.push(piece(id, rest.start..rest.start + length));
            rest.start += length;
            trie = &self.continuations;
        }
        if !rest.is_empty() {
            pieces.truncate(first);
            pieces.push(piece(self.unknown, range));
        }
    }
}

impl Normalizer {
    fn new(normalizer: &Value) -> Result<Self, Unusable> {
        let setting = |name: &str| {
            let setting = normalizer[name].as_bool();
            setting.ok_or_else(|| refuse("a `BertNormalizer` with all of its settings", normalizer))
        };
        if kind(normalizer) != "BertNormalizer" {
            return Err(refuse("the normalizer `BertNormalizer`", normalizer));
        }
        let lowercase = setting("lowercase")?;
        Ok(Self {
            clean_text: setting("clean_text")?,
            handle_chinese_chars: setting("handle_chinese_chars")?,
            strip_accents: normalizer["strip_accents"].as_bool().unwrap_or(lowercase),
            lowercase,
        })
    }

    fn apply(self, text: &str) -> Normalized {
        let mut normalized = Normalized::default();
        for (start, mut character) in text.char_indices() {
            let place = (start, start + character.len_utf8());
            if self.clean_text {
                if is_control(character) {
                    continue;
                }
                if character.is_whitespace() {
                    character = ' ';
                }
            }
            let alone = self.handle_chinese_chars && is_ideograph(character);
            if alone {
                normalized.push(' ', place);
            }
            if self.strip_accents {
                // Marks need no order: almost none are left.
                decompose_canonical(character, |part| {
                    if !is_mark(part) {
                        self.add(part, place, &mut normalized);
                    }
                });
            } else {
                self.add(character, place, &mut normalized);
            }
            if alone {
                normalized.push(' ', place);
            }
        }
        normalized
    }

    fn add(self, character: char, place: Place, normalized: &mut Normalized) {
        if self.lowercase {
            for lower in character.to_lowercase() {
                normalized.push(lower, place);
            }
        } else {
            normalized.push(character, place);
        }
    }
}
