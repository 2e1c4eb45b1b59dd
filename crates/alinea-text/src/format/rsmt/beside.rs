//! Lines of `.align.info` and `.pos`, parsed against the words of their sentence, and written.
//!
//! `.align.info` lists the words that have rows, `0(I) 2(going) 3(home)`: the index in the sentence, from 0, and the
//! word in brackets, perhaps with a blank before them. Indices ascend, and the word must be the one at its index.
//!
//! `.pos` has a tag for each word, `TAG (word) TAG (word)`. Tags and words may contain brackets themselves. The line is
//! unambiguous because the words are known: each tag is followed by exactly `(word)`, as the next field or glued to it.
//!
//! Marks that end a sentence need care, since the task's own example has `home.` as the last word of the sentence,
//! `home` in its row and `NN (home).` in `.pos`. So the last word may lack them in either file, and a mark behind the
//! last bracket of `.pos` may be part of the last word, a word of its own, which is then its own tag, or neither.

use std::fmt::Write as _;

use crate::error::{Error, Position, Result};
use crate::format::tokens;

/// Marks that end sentences, in the scripts of the task's languages and their neighbors.
const FINAL_MARKS: [char; 11] = ['.', '!', '?', '…', '。', '！', '？', '।', '॥', '۔', '؟'];

/// A word without marks at its end; all of it if it is nothing else.
fn without_marks(word: &str) -> &str {
    match word.trim_end_matches(FINAL_MARKS) {
        "" => word,
        bare => bare,
    }
}

/// Whether `word`, from one of the files, is the one at a place of the sentence. The task's own example has `home.` at the end
/// of its sentence, with the mark that ends it, and `home` as the word of a row.
pub(super) fn is_word_at(words: &[impl AsRef<str>], place: usize, word: &str) -> bool {
    let there = words[place].as_ref();
    there == word || place + 1 == words.len() && without_marks(there) == without_marks(word)
}

/// A word of a sentence that has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptWord<'l> {
    /// Its place in the whole sentence, from 0.
    pub index: u32,
    /// The word.
    pub word: &'l str,
}

/// Reads a line of `.align.info`: `0(I) 2(going) 3 (home)`, with or without a blank before the bracket. A word may contain
/// brackets, since it contains no blanks; the last of the sentence may lack the mark that ends it. `words` is the whole sentence,
/// `position` the place of a byte, from 1, of the line.
///
/// ```
/// use alinea::error::Position;
/// use alinea::format::rsmt::parse_info;
///
/// let kept = parse_info("0(I) 3 (home)", &["I", "am", "going", "home"], |at| Position::new("x.align.info", 1, at as u64))?;
/// assert_eq!(kept.iter().map(|word| word.index).collect::<Vec<_>>(), [0, 3]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// `Parse` for what has another form, for an index that is outside the sentence or does not ascend, and for a word that is
/// not the one at that place.
pub fn parse_info<'l>(
    line: &'l str,
    words: &[impl AsRef<str>],
    position: impl Fn(usize) -> Position,
) -> Result<Vec<KeptWord<'l>>> {
    let mut kept: Vec<KeptWord<'l>> = Vec::new();
    let mut chunks = Chunks::new(line);
    while let Some((start, chunk)) = chunks.next() {
        let fault = |expected: String| Err(Error::parse(position(start + 1), expected, chunk.as_bytes()));
        let digits = chunk.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = chunk.split_at(digits);
        let bracket = if rest.is_empty() { chunks.next().map_or("", |(_, next)| next) } else { rest };
        let word = bracket.strip_prefix('(').and_then(|word| word.strip_suffix(')')).filter(|word| !word.is_empty());
        let (Some(word), false) = (word, number.is_empty()) else {
            return fault("the number of a word and the word in brackets, such as `0(I)`".to_owned());
        };
        let index = number.parse().ok().filter(|&index: &u32| (index as usize) < words.len());
        let Some(index) = index else {
            return fault(match words.len() {
                0 => "nothing, as the sentence has no words".to_owned(),
                words => format!("the number of a word, from 0 to {}", words - 1),
            });
        };
        if let Some(last) = kept.last()
            && last.index >= index
        {
            return fault(format!("a number greater than {}, as words are kept in their order", last.index));
        }
        let there = words[index as usize].as_ref();
        if !is_word_at(words, index as usize, word) {
            return fault(format!("`{index}({there})`, the word of the sentence"));
        }
        kept.push(KeptWord { index, word });
    }
    Ok(kept)
}

/// Appends a line of `.align.info`, with its end. Places without word in the sentence are left out.
pub fn write_info(kept: &[u32], words: &[impl AsRef<str>], out: &mut String) {
    let words = kept.iter().filter_map(|&index| Some((index, words.get(index as usize)?.as_ref())));
    for (place, (index, word)) in words.enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}{index}({word})", if place > 0 { " " } else { "" });
    }
    out.push('\n');
}

/// Reads the tags of a line of `.pos`: `TAG (word) TAG (word) …`. Since the words are known, they and the tags may contain
/// brackets; the blank before a bracket may be missing. The mark that ends the sentence may stand behind the last bracket, as in
/// `NN (home).`, whether it is part of the last word, a word of its own, whose tag it is then, or none of either.
///
/// ```
/// use alinea::error::Position;
/// use alinea::format::rsmt::parse_tags;
///
/// let position = |at| Position::new("x.pos", 1, at as u64);
/// assert_eq!(parse_tags("NN (x) ( (() SYM (:-))", &["x", "(", ":-)"], position)?, ["NN", "(", "SYM"]);
/// assert_eq!(parse_tags("VBG (going) NN (home).", &["going", "home."], position)?, ["VBG", "NN"]);
/// assert_eq!(parse_tags("VBG (going) NN (home).", &["going", "home", "."], position)?, ["VBG", "NN", "."]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// `Parse` where the next tag and word are not there, or something follows the last.
pub fn parse_tags<'l>(
    line: &'l str,
    words: &[impl AsRef<str>],
    position: impl Fn(usize) -> Position,
) -> Result<Vec<&'l str>> {
    // Whatever the last word is, its bracket ends the line.
    let ended = line.trim_ascii_end();
    let body = Some(ended.trim_end_matches(FINAL_MARKS)).filter(|body| body.ends_with(')')).unwrap_or(ended);
    let marks = &ended[body.len()..];
    let tags = tags_before_marks(body, words, &position);
    match words.split_last() {
        Some((last, before)) if tags.is_err() && !before.is_empty() && last.as_ref() == marks => {
            let tags = tags_before_marks(body, before, &position).map(|tags| [tags, vec![marks]].concat());
            tags.or_else(|_| tags_before_marks(line, words, &position))
        }
        _ => tags,
    }
}

fn tags_before_marks<'l>(
    line: &'l str,
    words: &[impl AsRef<str>],
    position: impl Fn(usize) -> Position,
) -> Result<Vec<&'l str>> {
    let mut tags = Vec::with_capacity(words.len());
    let mut chunks = Chunks::new(line);
    for (place, word) in (1..).zip(words) {
        let word = word.as_ref();
        let bracket = format!("({word})");
        let bare = format!("({})", if place == words.len() { without_marks(word) } else { word });
        let (start, chunk) = chunks.next().unwrap_or((line.len(), ""));
        let after = chunks.clone().next();
        let glued = chunk.strip_suffix(&bracket).or_else(|| chunk.strip_suffix(&bare)).filter(|tag| !tag.is_empty());
        let tag = match (after, glued) {
            (Some((_, next)), _) if next == bracket || next == bare => {
                chunks.next();
                chunk
            }
            (_, Some(tag)) => tag,
            _ => {
                let expected = format!("`TAG {bracket}`, a tag and word {place} of {}", words.len());
                return Err(Error::parse(
                    position(start + 1),
                    expected,
                    line.as_bytes().get(start..).unwrap_or_default(),
                ));
            }
        };
        tags.push(tag);
    }
    match chunks.next() {
        None => Ok(tags),
        Some((start, _)) => {
            let expected = format!("the end of the line, as the sentence has {} words", words.len());
            Err(Error::parse(position(start + 1), expected, &line.as_bytes()[start..]))
        }
    }
}

/// Appends a line of `.pos`, with its end.
pub fn write_tags(tags: &[impl AsRef<str>], words: &[impl AsRef<str>], out: &mut String) {
    for (place, (tag, word)) in tags.iter().zip(words).enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}{} ({})", if place > 0 { " " } else { "" }, tag.as_ref(), word.as_ref());
    }
    out.push('\n');
}

/// What stands between blanks, with the byte where it begins.
#[derive(Debug, Clone)]
struct Chunks<'l> {
    line: &'l str,
    split: tokens::Split<'l>,
}

impl<'l> Chunks<'l> {
    fn new(line: &'l str) -> Self {
        Self { line, split: tokens::split(line.as_bytes()) }
    }

    fn next(&mut self) -> Option<(usize, &'l str)> {
        let chunk = self.split.next()?;
        let end = self.split.offset();
        let start = end - chunk.len();
        Some((start, &self.line[start..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(at: usize) -> Position {
        Position::new("f", 7, at as u64)
    }

    fn info(line: &str) -> String {
        let kept = parse_info(line, &["I", "am", "(", "x)y"], place);
        kept.map_or_else(|error| error.to_string(), |kept| kept.iter().map(|word| word.index.to_string()).collect())
    }

    #[test]
    fn kept_words_are_checked() {
        assert_eq!(info("0(I) 2 (()  3(x)y)"), "023");
        assert_eq!(info(" "), "");
        for (line, expected) in [
            ("0(I) 4(x)", "f:7:6: expected the number of a word, from 0 to 3, found `4(x)`"),
            ("1(am) 0(I)", "f:7:7: expected a number greater than 1, as words are kept in their order, found `0(I)`"),
            ("1(am) 1(am)", "f:7:7: expected a number greater than 1, as words are kept in their order, found `1(am)`"),
            ("0(am)", "f:7:1: expected `0(I)`, the word of the sentence, found `0(am)`"),
            ("0 1(am)", "f:7:1: expected the number of a word and the word in brackets, such as `0(I)`, found `0`"),
            ("I", "f:7:1: expected the number of a word and the word in brackets, such as `0(I)`, found `I`"),
            ("0()", "f:7:1: expected the number of a word and the word in brackets, such as `0(I)`, found `0()`"),
            ("-1(I)", "f:7:1: expected the number of a word and the word in brackets, such as `0(I)`, found `-1(I)`"),
            ("99999999999(I)", "f:7:1: expected the number of a word, from 0 to 3, found `99999999999(I)`"),
        ] {
            assert_eq!(info(line), expected);
        }
        let none: [&str; 0] = [];
        let error = parse_info("0(I)", &none, place).unwrap_err().to_string();
        assert_eq!(error, "f:7:1: expected nothing, as the sentence has no words, found `0(I)`");
    }

    #[test]
    fn tags_are_checked() {
        let words = ["I", "am"];
        assert_eq!(parse_tags("PRP (I)  VB(am)", &words, place).unwrap(), ["PRP", "VB"]);
        for (line, expected) in [
            ("PRP (I)", "f:7:8: expected `TAG (am)`, a tag and word 2 of 2, found nothing"),
            ("PRP (I) (am)", "f:7:9: expected `TAG (am)`, a tag and word 2 of 2, found `(am)`"),
            ("PRP (I) VB (was)", "f:7:9: expected `TAG (am)`, a tag and word 2 of 2, found `VB (was)`"),
            ("PRP (I) VB (am) .", "f:7:17: expected the end of the line, as the sentence has 2 words, found `.`"),
        ] {
            assert_eq!(parse_tags(line, &words, place).unwrap_err().to_string(), expected);
        }
    }

    /// The task's description has `NN (home).` for `I am going home.`; whether the mark is a word is not said.
    #[test]
    fn marks_at_the_end_of_sentences_are_read() {
        let line = "VRB (I) VMZ (am) VBG (going) NN (home).";
        let tags = |words: &[&str]| parse_tags(line, words, place).map_err(|error| error.to_string());
        let expected = ["VRB", "VMZ", "VBG", "NN"];
        assert_eq!(tags(&["I", "am", "going", "home."]).unwrap(), expected);
        assert_eq!(tags(&["I", "am", "going", "home"]).unwrap(), expected);
        assert_eq!(tags(&["I", "am", "going", "home", "."]).unwrap(), ["VRB", "VMZ", "VBG", "NN", "."]);
        assert_eq!(parse_tags("NN(home)۔", &["home۔"], place).unwrap(), ["NN"]);
        assert_eq!(parse_tags("NN (home.)", &["home."], place).unwrap(), ["NN"]);
        assert_eq!(parse_tags("NN (home) . (.).", &["home", "."], place).unwrap(), ["NN", "."]);
        let expected = "f:7:30: expected `TAG (house.)`, a tag and word 4 of 4, found `NN (home)`";
        assert_eq!(tags(&["I", "am", "going", "house."]).unwrap_err(), expected);
        // Within a sentence marks are words or parts of them.
        assert!(parse_tags("NN (home). UH (oh)", &["home.", "oh"], place).is_err());
        let kept = parse_info("0(I) 2(going) 3 (home)", &["I", "am", "going", "home."], place).unwrap();
        assert_eq!(kept.last(), Some(&KeptWord { index: 3, word: "home" }));
        assert!(parse_info("0(I) 1 (am)", &["I", "am.", "going"], place).is_err());
    }

    proptest! {
        #[test]
        fn lines_come_back(
            sentence in prop::collection::vec(("[a()0-9.]{1,4}", "[A().]{1,3}", any::<bool>()), 0..9),
        ) {
            let words: Vec<&str> = sentence.iter().map(|(word, ..)| word.as_str()).collect();
            let tags: Vec<&str> = sentence.iter().map(|(_, tag, _)| tag.as_str()).collect();
            let kept: Vec<u32> = (0..).zip(&sentence).filter(|(_, (.., kept))| *kept).map(|(index, _)| index).collect();
            let mut line = String::new();
            write_info(&kept, &words, &mut line);
            let read = parse_info(line.trim_end(), &words, place).unwrap();
            prop_assert_eq!(read.iter().map(|word| word.index).collect::<Vec<_>>(), kept);
            line.clear();
            write_tags(&tags, &words, &mut line);
            prop_assert_eq!(parse_tags(line.trim_end_matches('\n'), &words, place).unwrap(), tags);
        }
    }
}
