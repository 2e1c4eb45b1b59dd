//! What becomes of a line before pieces are sought: characters are replaced by a table in the model, blanks are joined and
//! marked.
//!
//! The table is a double array as of Darts-clone, over the bytes of what is replaced, whose values lead to replacements,
//! strings that end in a zero byte. Of several beginnings of the rest of the line the longest one is replaced.

use std::path::Path;

use super::BLANK;
use super::model::{Model, Role};
use super::trie::Trie;
use crate::error::{ErrorKind, Result};

#[derive(Debug)]
pub(super) struct Normalizer {
    nodes: Vec<u32>,
    replacements: String,
    /// Pieces that users want whole; they are not normalized.
    kept: Option<Trie>,
    add_blank: bool,
    remove_extra_blanks: bool,
    blank_as_suffix: bool,
    blank: &'static str,
}

impl Normalizer {
    pub(super) fn new(model: &Model, path: &Path) -> Result<Self> {
        let (nodes, replacements) = split(&model.characters_map).ok_or_else(|| ErrorKind::Model {
            path: path.display().to_string(),
            expected: "a table of replaced characters".to_owned(),
            found: format!("{} bytes of another form", model.characters_map.len()),
        })?;
        let kept =
            || model.text_pieces().filter(|&(_, number)| model.pieces[number as usize].role == Role::UserDefined);
        Ok(Self {
            nodes,
            replacements,
            kept: kept().next().is_some().then(|| Trie::new(kept())),
            add_blank: model.add_blank,
            remove_extra_blanks: model.remove_extra_blanks,
            blank_as_suffix: model.blank_as_suffix,
            blank: if model.escape_blanks { BLANK } else { " " },
        })
    }

    /// The line as pieces are sought in it; empty if it has only blanks and these are removed.
    pub(super) fn normalize(&self, line: &str) -> String {
        let mut rest = line;
        if self.remove_extra_blanks {
            while let Some((" ", length)) = self.first(rest) {
                rest = &rest[length..];
            }
        }
        let mut text = String::with_capacity(line.len() + line.len() / 2 + 3);
        if rest.is_empty() {
            return text;
        }
        if self.add_blank && !self.blank_as_suffix {
            text.push_str(self.blank);
        }
        let mut after_blank = self.remove_extra_blanks;
        while let Some((mut replacement, length)) = self.first(rest) {
            if after_blank {
                replacement = replacement.trim_start_matches(' ');
            }
            if !replacement.is_empty() {
                for (number, part) in replacement.split(' ').enumerate() {
                    if number > 0 {
                        text.push_str(self.blank);
                    }
                    text.push_str(part);
                }
                after_blank = replacement.ends_with(' ');
            }
            after_blank &= self.remove_extra_blanks;
            rest = &rest[length..];
        }
        if self.remove_extra_blanks {
            text.truncate(text.trim_end_matches(self.blank).len());
        }
        if self.add_blank && self.blank_as_suffix {
            text.push_str(self.blank);
        }
        text
    }

    /// What the beginning of a text becomes, and its length.
    fn first<'t>(&'t self, text: &'t str) -> Option<(&'t str, usize)> {
        let character = text.chars().next()?;
        if let Some(kept) = &self.kept
            && let Some((length, _)) = kept.prefixes(text.as_bytes()).last()
        {
            return Some((&text[..length], length));
        }
        if let Some((value, length)) = self.longest(text.as_bytes())
            && text.is_char_boundary(length)
            && let Some(replacement) = self.replacements.get(value..)
            && let Some(end) = replacement.find('\0')
        {
            return Some((&replacement[..end], length));
        }
        let length = character.len_utf8();
        Some((&text[..length], length))
    }

    /// The value of the longest beginning of a text that the table has, and its length.
    fn longest(&self, text: &[u8]) -> Option<(usize, usize)> {
        let mut place = offset(*self.nodes.first()?);
        let mut longest = None;
        for (number, &byte) in text.iter().enumerate() {
            place ^= usize::from(byte);
            let Some(&node) = self.nodes.get(place) else { break };
            // The label; the highest bit is that of a value.
            if node & 0x8000_00ff != u32::from(byte) {
                break;
            }
            place ^= offset(node);
            if node >> 8 & 1 == 1
                && let Some(&value) = self.nodes.get(place)
            {
                longest = Some(((value & 0x7fff_ffff) as usize, number + 1));
            }
        }
        longest
    }
}

/// Where the children of a node are, relative to itself.
fn offset(node: u32) -> usize {
    ((node >> 10) << ((node & 1 << 9) >> 6)) as usize
}

/// The length of the double array in bytes, the array, the replacements. An empty table replaces nothing.
fn split(map: &[u8]) -> Option<(Vec<u32>, String)> {
    if map.is_empty() {
        return Some((Vec::new(), String::new()));
    }
    let (length, rest) = map.split_first_chunk::<4>()?;
    let (nodes, replacements) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (nodes, odd) = nodes.as_chunks::<4>();
    let replacements = String::from_utf8(replacements.to_vec()).ok()?;
    odd.is_empty().then(|| (nodes.iter().map(|&node| u32::from_le_bytes(node)).collect(), replacements))
}
