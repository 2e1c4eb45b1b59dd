//! The last resort: tokens that may be read in several ways, each for itself.
//!
//! Given what one side spells, [`search`] looks for a way to read each token of the other so that together they spell it. A token is
//! its text, or its text without a mark, or nothing if it marks the beginning or end of a sentence; an unknown token is any
//! characters. All places that tokens can lead to are kept (dynamic programming), in the order of preference: so the work is bounded by
//! tokens times characters, and lines with more than 2^22 are not looked at.

use super::reading::{self, JOINER, is_of_sentence};
use super::spelling::{Rules, Spelling};

/// Tokens for what has no token.
const UNKNOWN: [&str; 4] = ["<unk>", "<UNK>", "[UNK]", "\u{2047}"];

/// The most tokens times characters.
const MOST: usize = 1 << 22;

/// A place in the characters that the tokens so far lead to, and the number of the place before among those of the token before.
type Place = (usize, usize);

/// The characters of `spelling` with the tokens that they are from if `tokens` spell them; nothing if they do not.
pub(super) fn search(spelling: &Spelling, tokens: &[&[u8]], rules: Rules) -> Option<Spelling> {
    let characters = &spelling.characters[..];
    if tokens.len().checked_mul(characters.len() + 1)? > MOST {
        return None;
    }
    let mut places: Vec<Vec<Place>> = vec![vec![(0, 0)]];
    for (number, token) in tokens.iter().enumerate() {
        let token = std::str::from_utf8(token).ok()?;
        let next = reached(&places[number], token, characters, rules);
        if next.is_empty() {
            return None;
        }
        places.push(next);
    }
    let mut place = places.last()?.iter().position(|&(at, _)| at == characters.len())?;
    let mut found = Spelling { characters: characters.to_vec(), tokens: vec![(0, 0); characters.len()] };
    for number in (0..tokens.len()).rev() {
        let (end, before) = places[number + 1][place];
        let start = places[number][before].0;
        found.tokens[start..end].fill((number as u32, number as u32));
        place = before;
    }
    Some(found)
}

/// The places that a token leads to, in ascending order, each once.
fn reached(places: &[Place], token: &str, characters: &[char], rules: Rules) -> Vec<Place> {
    let mut next = Vec::new();
    for text in texts(token) {
        let spelled = Spelling::of_token(text, rules);
        for (number, &(at, _)) in places.iter().enumerate() {
            if characters[at..].starts_with(&spelled) {
                next.push((at + spelled.len(), number));
            }
        }
    }
    if UNKNOWN.contains(&token.strip_prefix('\u{2581}').unwrap_or(token)) {
        // As few characters as can be: from the last place before.
        let mut number = 0;
        for end in places[0].0 + 1..=characters.len() {
            while places.get(number + 1).is_some_and(|&(at, _)| at < end) {
                number += 1;
            }
            next.push((end, number));
        }
    }
    next.sort_by_key(|&(at, _)| at);
    next.dedup_by_key(|&mut (at, _)| at);
    next
}

/// What a token may be, the most probable first.
fn texts(token: &str) -> Vec<&str> {
    let mut texts = Vec::new();
    let bytes = token.as_bytes();
    if bytes.ends_with(JOINER) {
        texts.push(&token[..token.len() - JOINER.len()]);
    }
    if let Some(rest) = reading::continuation(bytes) {
        texts.push(&token[token.len() - rest.len()..]);
    }
    texts.push(token);
    if is_of_sentence(bytes) {
        texts.push("");
    }
    texts
}
