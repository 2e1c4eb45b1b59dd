//! Ways to read the tokens of a line: what they spell without their marks.
//!
//! [`Reading::spell`] writes what the tokens spell one behind the other, with the place where each ends. [`Reading::of`] lists the ways
//! that a line may be read in, the plainest first; which is right shows in what the other side spells.

use crate::format::tokens::for_each_place;

/// What tokens spell, as one text.
#[derive(Debug, Default)]
pub(super) struct Spelled {
    /// Of all tokens; of some readings not UTF-8.
    pub(super) text: Vec<u8>,
    /// Where each token ends in it.
    pub(super) ends: Vec<usize>,
}

impl Spelled {
    /// What the tokens of a line spell if they are read plainly. As [`Reading::spell`], and faster.
    pub(super) fn spell_line(&mut self, line: &[u8]) {
        let Self { text, ends } = self;
        ends.clear();
        // Room for the line, and for what is copied beyond a token.
        text.resize(line.len() + ROOM, 0);
        let mut length = 0;
        for_each_place(line, |start, end| {
            let start = end - without_blank(&line[start..end]).len();
            copy(&line[start..], end - start, &mut text[length..]);
            length += end - start;
            ends.push(length);
        });
        text.truncate(length);
    }
}

/// Room for what [`copy`] writes behind a token.
const ROOM: usize = 16;

/// Copies so many bytes. Most tokens are short, and copying a fixed number is faster than calling what copies any number; what is written
/// behind them the next token overwrites.
fn copy(from: &[u8], length: usize, to: &mut [u8]) {
    if !(copy_fixed::<16>(from, length, to) || copy_fixed::<8>(from, length, to)) {
        to[..length].copy_from_slice(&from[..length]);
    }
}

/// Copies N bytes, if they are there and enough.
#[inline(always)]
fn copy_fixed<const N: usize>(from: &[u8], length: usize, to: &mut [u8]) -> bool {
    let (Some(from), Some(to)) = (from.first_chunk::<N>(), to.first_chunk_mut::<N>()) else { return false };
    *to = *from;
    length <= N
}

/// How tokens are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// As they are, without `▁` at the beginning.
    Plain,
    /// The same, and `<0xE2>` is a byte.
    BytePieces,
    /// `@@` at the end joins with the next.
    Joiners,
    /// `##` at the beginning joins with the token before.
    WordPiece,
    /// Characters are bytes.
    ByteLevel,
}

/// What SentencePiece writes for a blank, in UTF-8.
pub(super) const BLANK: &[u8] = "\u{2581}".as_bytes();

/// Tokens that mark a sentence, and spell nothing.
const OF_SENTENCES: [&str; 6] = ["<s>", "</s>", "<pad>", "[CLS]", "[SEP]", "[PAD]"];

/// What joins tokens: at the end of one, at the beginning of the next.
pub(super) const JOINER: &[u8] = b"@@";
pub(super) const CONTINUATION: &[u8] = b"##";

impl Reading {
    /// The ways that these tokens may be read in.
    pub(super) fn of<'t>(tokens: impl Iterator<Item = &'t [u8]>) -> Vec<Self> {
        let (mut bytes, mut joiners, mut pieces, mut other) = (false, false, false, false);
        let mut ends_in_joiner = false;
        for (number, token) in tokens.enumerate() {
            bytes |= byte_piece(token).is_some();
            joiners |= ends_in_joiner;
            ends_in_joiner = token.len() > JOINER.len() && token.ends_with(JOINER);
            pieces |= number > 0 && continuation(token).is_some();
            other |= !token.is_ascii();
        }
        let readings = [
            (Self::Plain, true),
            (Self::BytePieces, bytes),
            (Self::Joiners, joiners),
            (Self::WordPiece, pieces),
            (Self::ByteLevel, other),
        ];
        readings.into_iter().filter_map(|(reading, may_be)| may_be.then_some(reading)).collect()
    }

    /// Replaces `spelled` by what tokens spell, passing over some; says whether they can be read so.
    pub(super) fn spell<'t>(
        self,
        tokens: impl Iterator<Item = &'t [u8]>,
        passes_over: impl Fn(&[u8]) -> bool,
        spelled: &mut Spelled,
    ) -> bool {
        let Spelled { text, ends } = spelled;
        text.clear();
        ends.clear();
        let mut tokens = tokens.peekable();
        while let Some(token) = tokens.next() {
            match self {
                _ if passes_over(token) => {}
                Self::Plain => text.extend_from_slice(without_blank(token)),
                Self::BytePieces => match byte_piece(token) {
                    Some(byte) => text.push(byte),
                    None => text.extend_from_slice(without_blank(token)),
                },
                Self::Joiners => {
                    let joined = token.strip_suffix(JOINER).filter(|_| tokens.peek().is_some());
                    text.extend_from_slice(joined.unwrap_or(token));
                }
                Self::WordPiece => {
                    let continued = continuation(token).filter(|_| !ends.is_empty());
                    text.extend_from_slice(continued.unwrap_or(token));
                }
                Self::ByteLevel => {
                    if !push_bytes(token, text) {
                        return false;
                    }
                }
            }
            ends.push(text.len());
        }
        true
    }
}

/// Whether a token marks a sentence.
pub(super) fn is_of_sentence(token: &[u8]) -> bool {
    OF_SENTENCES.iter().any(|name| name.as_bytes() == token)
}

/// A piece without the blank that it begins with.
pub(super) fn without_blank(token: &[u8]) -> &[u8] {
    token.strip_prefix(BLANK).unwrap_or(token)
}

/// What a token that continues a word adds to it.
pub(super) fn continuation(token: &[u8]) -> Option<&[u8]> {
    token.strip_prefix(CONTINUATION).filter(|rest| !rest.is_empty())
}

/// The byte that a piece such as `<0xE2>` stands for.
fn byte_piece(token: &[u8]) -> Option<u8> {
    let digits = token.strip_prefix(b"<0x")?.strip_suffix(b">")?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == 2 && !digits.starts_with('+'))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Appends the bytes that the characters of a token stand for, without blanks; says whether all of them stand for one.
fn push_bytes(token: &[u8], text: &mut Vec<u8>) -> bool {
    let Ok(token) = std::str::from_utf8(token) else { return false };
    for character in token.chars() {
        let Some(byte) = byte_of(character) else { return false };
        if !matches!(byte, b' ' | b'\t'..=b'\r') {
            text.push(byte);
        }
    }
    true
}

/// The byte that GPT-2 writes as this character: bytes that are visible in Latin-1 are their own characters, the others, in order, are
/// those from U+0100 on.
fn byte_of(character: char) -> Option<u8> {
    match u32::from(character) {
        code @ (0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF) => Some(code as u8),
        code @ 0x100..0x121 => Some((code - 0x100) as u8),
        code @ 0x121..0x143 => Some((code - 0x121 + 0x7F) as u8),
        0x143 => Some(0xAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(reading: Reading, line: &str) -> Option<(String, Vec<usize>)> {
        let mut spelled = Spelled::default();
        let could = reading.spell(line.split(' ').map(str::as_bytes), |token| token == b"</s>", &mut spelled);
        could.then(|| (String::from_utf8(spelled.text).unwrap(), spelled.ends))
    }

    #[test]
    fn marks_are_undone() {
        let some = |text: &str, ends: &[usize]| Some((text.to_owned(), ends.to_vec()));
        assert_eq!(spelled(Reading::Plain, "▁a ▁ ▁bc d@@"), some("abcd@@", &[1, 1, 3, 6]));
        assert_eq!(
            spelled(Reading::BytePieces, "▁a <0xC3> <0xa4> <0xC> <0x+1>"),
            some("aä<0xC><0x+1>", &[1, 2, 3, 8, 14])
        );
        assert_eq!(spelled(Reading::Joiners, "a@@ b @@ c@@"), some("abc@@", &[1, 2, 2, 5]));
        assert_eq!(spelled(Reading::WordPiece, "##a ##b ##"), some("##ab##", &[3, 4, 6]));
        assert_eq!(spelled(Reading::ByteLevel, "Ã¤ ĠÃ ¤Ċ"), some("ää", &[2, 3, 4]));
        assert_eq!(spelled(Reading::ByteLevel, "a 東"), None);
        assert_eq!(spelled(Reading::WordPiece, "</s> a ##b </s>"), some("ab", &[0, 1, 2, 2]));
    }

    /// The law of `bytes_to_unicode` in GPT-2's encoder: all bytes have a character, and no two the same.
    #[test]
    fn every_byte_has_one_character() {
        let mut bytes: Vec<u8> = ('\0'..='\u{FFFF}').filter_map(byte_of).collect();
        bytes.sort_unstable();
        assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
        assert_eq!(['Ġ', 'Ċ', 'ĉ', 'ł', 'Ń', '¡'].map(|c| byte_of(c).unwrap()), [b' ', b'\n', b'\t', 0xA0, 0xAD, 0xA1]);
    }

    #[test]
    fn readings_are_those_whose_marks_are_there() {
        let of = |line: &str| Reading::of(line.split(' ').map(str::as_bytes));
        assert_eq!(of("a b@@"), [Reading::Plain]);
        assert_eq!(of("a@@ b ##c"), [Reading::Plain, Reading::Joiners, Reading::WordPiece]);
        assert_eq!(of("##a <0x20> ü"), [Reading::Plain, Reading::BytePieces, Reading::ByteLevel]);
    }
}
