//! The kind `Unigram`: the most probable segmentation of a normalized text (Kudo 2018, section 3.2).
//!
//! A character that is no piece has the lowest score of all pieces, less 10. Sums are kept in double precision, as `tokenizers`
//! keeps them.

use std::ops::Range;

use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

use super::file::{File, Text, Unusable, kind, refuse, steps};
use super::normalized::Normalized;
use super::{Piece, base64};
use crate::pieces::{CharacterMap, Trie, most_probable};

/// What stands for a blank in pieces.
const BLANK: char = '\u{2581}';

/// How much less a character costs that is no piece than the least likely piece.
const UNKNOWN_PENALTY: f64 = 10.0;

/// Sequences of characters of fewer bytes are replaced as a whole.
const SHORT: usize = 6;

/// Pieces with scores, and what becomes of a text before they are sought.
#[derive(Debug)]
pub(super) struct Unigram {
    pieces: Trie,
    scores: Vec<f64>,
    unknown: u32,
    unknown_score: f64,
    steps: Vec<Step>,
    blanks: Blanks,
}

/// A step of normalization.
#[derive(Debug)]
enum Step {
    /// Replaces characters.
    Map(CharacterMap),
    /// Makes a single character of two blanks and more.
    Join(char),
    /// Removes white space from the beginning, from the end.
    Strip([bool; 2]),
}

/// Where `▁` is put in front, and where text is cut.
#[derive(Debug, Clone, Copy)]
struct Blanks {
    /// Text is cut at white space, which is removed.
    cut_at_white_space: bool,
    /// Only the first part gets one in front.
    only_first: bool,
    /// Text is cut before each `▁`.
    cut_before: bool,
}

impl Unigram {
    pub(super) fn new(
        file: &File<'_>,
        pieces: &[(Text<'_>, f64)],
        unknown: u32,
        ordinary: impl Fn(u32) -> bool,
    ) -> Result<Self, Unusable> {
        let steps: Vec<Step> =
            steps(&file.normalizer, "normalizers").into_iter().map(Step::new).collect::<Result<_, _>>()?;
        let blanks = Blanks::new(&file.pre_tokenizer)?;
        let lowest = pieces.iter().map(|piece| piece.1).fold(f64::INFINITY, f64::min);
        let texts = (0..).zip(pieces).filter(|&(id, _)| ordinary(id)).map(|(id, (text, _))| (text.as_str(), id));
        Ok(Self {
            pieces: Trie::new(texts),
            scores: pieces.iter().map(|piece| piece.1).collect(),
            unknown,
            unknown_score: lowest - UNKNOWN_PENALTY,
            steps,
            blanks,
        })
    }

    pub(super) fn blank(&self) -> Option<u32> {
        self.pieces.find(BLANK.encode_utf8(&mut [0; 4]))
    }

    pub(super) fn pieces(&self, text: &str, pieces: &mut Vec<Piece>) {
        let mut normalized = Normalized::new(text);
        for step in &self.steps {
            normalized = step.apply(&normalized);
        }
        if !self.blanks.cut_at_white_space {
            self.part(&normalized, 0..normalized.text().len(), pieces);
            return;
        }
        let mut start = 0;
        for part in normalized.text().split_inclusive(char::is_whitespace) {
            let without = part.trim_end_matches(char::is_whitespace);
            self.part(&normalized, start..start + without.len(), pieces);
            start += part.len();
        }
    }

    /// The pieces of a part of a text that may get a `▁` in front.
    fn part(&self, normalized: &Normalized, range: Range<usize>, pieces: &mut Vec<Piece>) {
        if range.is_empty() {
            return;
        }
        let mut marked = Normalized::default();
        let (start, _) = normalized.place(range.clone());
        let has_blank = normalized.text()[range.clone()].starts_with([' ', BLANK]);
        let first = range.start == 0 || start == 0;
        if !has_blank && (first || !self.blanks.only_first) {
            marked.push(BLANK, (start, start));
        }
        for (character, place) in normalized.characters(range) {
            marked.push(if character == ' ' { BLANK } else { character }, place);
        }
        let mut start = 0;
        if self.blanks.cut_before {
            for (cut, _) in marked.text().match_indices(BLANK).filter(|&(cut, _)| cut > 0) {
                self.segment(&marked, start..cut, pieces);
                start = cut;
            }
        }
        self.segment(&marked, start..marked.text().len(), pieces);
    }

    /// The best segmentation of a range of a text. Neighbors that no piece has are one piece.
    fn segment(&self, text: &Normalized, range: Range<usize>, pieces: &mut Vec<Piece>) {
        let (offset, first) = (range.start, pieces.len());
        let score = |id: u32, _| Some(self.scores[id as usize]);
        for (range, id) in most_probable(&self.pieces, &text.text()[range], score, self.unknown_score) {
            let (start, end) = text.place(offset + range.start..offset + range.end);
            match pieces[first..].last_mut() {
                Some(before) if id.is_none() && before.id == self.unknown => before.end = end,
                _ => pieces.push(Piece { id: id.unwrap_or(self.unknown), start, end }),
            }
        }
    }
}

impl Step {
    fn new(step: &Value) -> Result<Self, Unusable> {
        match kind(step) {
            "Precompiled" => {
                let table = step["precompiled_charsmap"].as_str().and_then(base64::decode);
                let table = table.and_then(|bytes| CharacterMap::of_bytes(&bytes));
                table.map(Self::Map).ok_or_else(|| {
                    Unusable::new("a table of replaced characters in `precompiled_charsmap`", "something else")
                })
            }
            "Replace" => match (step["pattern"]["Regex"].as_str(), step["content"].as_str()) {
                (Some(" {2,}"), Some(" ")) => Ok(Self::Join(' ')),
                (Some(" {2,}"), Some("\u{2581}")) => Ok(Self::Join(BLANK)),
                _ => Err(refuse("a normalizer that replaces blanks only", step)),
            },
            "Strip" => Ok(Self::Strip(["strip_left", "strip_right"].map(|side| step[side].as_bool() != Some(false)))),
            _ => Err(refuse("the normalizers `Precompiled`, `Strip` and `Replace`", step)),
        }
    }

    fn apply(&self, old: &Normalized) -> Normalized {
        match self {
            Self::Map(map) => replaced(map, old),
            Self::Join(joined) => {
                let mut new = Normalized::default();
                let mut rest = old.text();
                while let Some(character) = rest.chars().next() {
                    let blanks = rest.len() - rest.trim_start_matches(' ').len();
                    let length = blanks.max(character.len_utf8());
                    let start = old.text().len() - rest.len();
                    new.push(if blanks > 1 { *joined } else { character }, old.place(start..start + length));
                    rest = &rest[length..];
                }
                new
            }
            Self::Strip([left, right]) => {
                let text = old.text();
                let start = if *left { text.len() - text.trim_start().len() } else { 0 };
                let end = if *right { text.trim_end().len() } else { text.len() };
                let mut new = Normalized::default();
                for (character, place) in old.characters(start.min(end)..end) {
                    new.push(character, place);
                }
                new
            }
        }
    }
}

/// A text with characters replaced. As `tokenizers` does it, a short sequence of characters that is shown as one (a
/// grapheme cluster) becomes what its shortest beginning in the table becomes; longer ones are replaced character by
/// character.
fn replaced(map: &CharacterMap, old: &Normalized) -> Normalized {
    let mut new = Normalized::default();
    for (start, cluster) in old.text().grapheme_indices(true) {
        if cluster.len() < SHORT
            && let Some(replacement) = map.shortest(cluster)
        {
            new.push_all(replacement, old.place(start..start + cluster.len()));
            continue;
        }
        for (at, character) in cluster.char_indices() {
            let part = &cluster[at..at + character.len_utf8()];
            let place = old.place(start + at..start + at + part.len());
            new.push_all(map.shortest(part).unwrap_or(part), place);
        }
    }
    new
}

impl Blanks {
    fn new(pre_tokenizer: &Value) -> Result<Self, Unusable> {
        let steps = steps(pre_tokenizer, "pretokenizers");
        let (metaspace, cut_at_white_space) = match steps[..] {
            [metaspace] => (metaspace, false),
            [white_space, metaspace] if kind(white_space) == "WhitespaceSplit" => (metaspace, true),
            _ => (pre_tokenizer, false),
        };
        if kind(metaspace) != "Metaspace" {
            return Err(refuse("the pre-tokenizer `Metaspace`, alone or after `WhitespaceSplit`", metaspace));
        }
        let scheme = metaspace["prepend_scheme"].as_str().unwrap_or("always");
        let prepends = matches!(scheme, "always" | "first") && metaspace["add_prefix_space"].as_bool() != Some(false);
        if metaspace["replacement"].as_str() != Some("\u{2581}") || !prepends {
            return Err(refuse("a pre-tokenizer `Metaspace` that puts `\u{2581}` in front", metaspace));
        }
        Ok(Self {
            cut_at_white_space,
            only_first: scheme == "first",
            cut_before: metaspace["split"].as_bool().unwrap_or(true),
        })
    }
}
