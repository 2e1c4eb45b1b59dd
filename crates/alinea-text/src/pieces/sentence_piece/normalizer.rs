//! What becomes of a line before pieces are sought: characters are replaced by a table in the model, blanks are joined and
//! marked.
//!
//! Of several beginnings of the rest of the line that the table has, the longest one is replaced.

use std::path::Path;

use super::model::{Model, Role};
use super::piece::BLANK;
use crate::error::{ErrorKind, Result};
use crate::pieces::{CharacterMap, Trie};

#[derive(Debug)]
pub(super) struct Normalizer {
    replaced: CharacterMap,
    /// Pieces that users want whole; they are not normalized.
    kept: Option<Trie>,
    add_blank: bool,
    remove_extra_blanks: bool,
    blank_as_suffix: bool,
    blank: &'static str,
}

impl Normalizer {
    pub(super) fn new(model: &Model, path: &Path) -> Result<Self> {
        let replaced = CharacterMap::of_bytes(&model.characters_map).ok_or_else(|| ErrorKind::Model {
            path: path.display().to_string(),
            expected: "a table of replaced characters".to_owned(),
            found: format!("{} bytes of another form", model.characters_map.len()),
        })?;
        let kept =
            || model.text_pieces().filter(|&(_, number)| model.pieces[number as usize].role == Role::UserDefined);
        Ok(Self {
            replaced,
            kept: kept().next().is_some().then(|| Trie::new(kept())),
            add_blank: model.add_blank,
            remove_extra_blanks: model.remove_extra_blanks,
            blank_as_suffix: model.blank_as_suffix,
            blank: if model.escape_blanks { BLANK } else { " " },
        })
    }

    /// The line as pieces are sought in it; empty if it has only blanks and these are removed. `origin` hears, for each
    /// part that is added, how long the text was before, and where in the line the part is from; at last the length of the line.
    pub(super) fn normalize(&self, line: &str, mut origin: impl FnMut(usize, usize)) -> String {
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
            origin(0, line.len() - rest.len());
            text.push_str(self.blank);
        }
        let mut after_blank = self.remove_extra_blanks;
        while let Some((mut replacement, length)) = self.first(rest) {
            origin(text.len(), line.len() - rest.len());
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
        origin(text.len(), line.len());
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
        self.replaced.longest(text).or_else(|| {
            let length = character.len_utf8();
            Some((&text[..length], length))
        })
    }
}
