//! Matches what two tokenizations of a line spell.
//!
//! Most lines are equal byte by byte once the marks of tokens are undone: then the places where tokens end say everything, and nothing
//! is allocated but buffers that are used again. Others are compared by characters ([`Spelling`]), rule by rule, the strictest first;
//! so a rule does no harm to lines that are equal without it.

use super::TokenMap;
use super::reading::{Reading, Spelled, is_of_sentence};
use super::search::search;
use super::spelling::{Escapes, Ignored, Rules, Spelling};
use crate::error::{Error, Position, Snippet};
use crate::format::tokens::{self, Tokenize};
use std::fmt;

/// Finds which tokens of two tokenizations share characters, line by line.
#[derive(Debug, Default)]
pub struct TokenMatcher {
    ignores_case: bool,
    /// What both sides spell.
    spelled: [Spelled; 2],
}

/// Two lines spell something different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// The first token that the other line does not spell, by number from 0; nothing if this line ends before.
    pub from: Option<usize>,
    /// The same of the other line.
    pub to: Option<usize>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (Some(from), Some(to)) => write!(f, "token {} spells something else than token {}", from + 1, to + 1),
            (Some(from), None) => write!(f, "token {} has no counterpart", from + 1),
            (None, Some(to)) => write!(f, "nothing spells token {}", to + 1),
            (None, None) => f.write_str("the lines spell something different"),
        }
    }
}

impl std::error::Error for Mismatch {}

impl TokenMatcher {
    /// Lines match if they spell the same.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lines match if they spell the same without case and accents, as in uncased models.
    #[must_use]
    pub fn ignoring_case(self, ignores_case: bool) -> Self {
        Self { ignores_case, ..self }
    }

    /// Replaces `map` by that of two lines, whose tokens are cut at blanks and tabs.
    ///
    /// # Errors
    /// `Mismatch` if they do not spell the same; then the map is of no tokens.
    pub fn match_lines(&mut self, from: &str, to: &str, map: &mut TokenMap) -> Result<(), Mismatch> {
        for (line, spelled) in [from, to].into_iter().zip(&mut self.spelled) {
            spelled.spell_line(line.as_bytes());
        }
        if self.cut(map) {
            return Ok(());
        }
        let [from, to] = [from, to].map(|line| tokens::split(line.as_bytes()).collect::<Vec<_>>());
        self.match_unequal(&from, &to, map)
    }

    /// The same for tokens. Time O(bytes) for lines that are equal byte by byte, and a small multiple of it for others, but for lines
    /// with tokens such as `<unk>`: O(tokens × characters), and such lines do not match beyond 2^22.
    ///
    /// # Errors
    /// `Mismatch` if they do not spell the same; then the map is of no tokens.
    pub fn match_tokens<'t>(
        &mut self,
        from: impl Iterator<Item = &'t [u8]> + Clone,
        to: impl Iterator<Item = &'t [u8]> + Clone,
        map: &mut TokenMap,
    ) -> Result<(), Mismatch> {
        let [one, other] = &mut self.spelled;
        Reading::Plain.spell(from.clone(), |_| false, one);
        Reading::Plain.spell(to.clone(), |_| false, other);
        if self.cut(map) {
            return Ok(());
        }
        self.match_unequal(&from.collect::<Vec<_>>(), &to.collect::<Vec<_>>(), map)
    }

    /// Replaces `map` if both sides spell the same; says whether they do.
    fn cut(&self, map: &mut TokenMap) -> bool {
        let [one, other] = &self.spelled;
        let is_same = one.text == other.text;
        if is_same {
            map.cut(&one.ends, &other.ends);
        }
        is_same
    }

    /// The same for lines that are not equal byte by byte.
    fn match_unequal(&self, from: &[&[u8]], to: &[&[u8]], map: &mut TokenMap) -> Result<(), Mismatch> {
        let matched = self.match_read(from, to, map);
        if matched.is_err() {
            map.reset(0, 0);
        }
        matched
    }

    /// Tries all readings, and all rules.
    fn match_read(&self, from: &[&[u8]], to: &[&[u8]], map: &mut TokenMap) -> Result<(), Mismatch> {
        let sides = [from, to].map(readings);
        for one in &sides[0] {
            for other in &sides[1] {
                if one.text == other.text {
                    map.cut(&one.ends, &other.ends);
                    return Ok(());
                }
            }
        }
        let all = [Ignored::Nothing, Ignored::Case, Ignored::CaseAndMarks];
        let ignored = if self.ignores_case { &all[..] } else { &all[..1] };
        let mut furthest = Difference::default();
        for &ignored in ignored {
            for escapes in [Escapes::Kept, Escapes::Within, Escapes::Across] {
                let rules = Rules { escapes, ignored };
                let [ones, others] =
                    sides.each_ref().map(|side| side.iter().filter_map(|read| Spelling::new(read, rules)).collect());
                let pairs: [Vec<Spelling>; 2] = [ones, others];
                if let Some((one, other)) = equal(&pairs, &mut furthest) {
                    share(one, other, [from.len(), to.len()], map);
                    return Ok(());
                }
            }
        }
        for &ignored in ignored {
            for escapes in [Escapes::Kept, Escapes::Within] {
                let rules = Rules { escapes, ignored };
                let plain = sides.each_ref().map(|side| side.first().and_then(|read| Spelling::new(read, rules)));
                let [one, other] = &plain;
                if let Some((one, found)) = one.as_ref().and_then(|one| Some((one, search(one, to, rules)?))) {
                    share(one, &found, [from.len(), to.len()], map);
                    return Ok(());
                }
                if let Some((found, other)) =
                    other.as_ref().and_then(|other| Some((search(other, from, rules)?, other)))
                {
                    share(&found, other, [from.len(), to.len()], map);
                    return Ok(());
                }
            }
        }
        Err(furthest.mismatch(from, to))
    }
}

/// What tokens spell in each way that they may be read in, the plain one first; without tokens that mark the sentence last.
fn readings(tokens: &[&[u8]]) -> Vec<Spelled> {
    let all = Reading::of(tokens.iter().copied());
    let read = |reading: Reading, passes_over: fn(&[u8]) -> bool| {
        let mut spelled = Spelled::default();
        reading.spell(tokens.iter().copied(), passes_over, &mut spelled).then_some(spelled)
    };
    let whole = all.iter().filter_map(|&reading| read(reading, |_| false));
    let without = all.iter().filter_map(|&reading| read(reading, is_of_sentence));
    if tokens.iter().any(|token| is_of_sentence(token)) { whole.chain(without).collect() } else { whole.collect() }
}

/// The first two that are equal; if none are, notes where those differ that are equal for longest, of several the last.
fn equal<'s>(
    [ones, others]: &'s [Vec<Spelling>; 2],
    furthest: &mut Difference,
) -> Option<(&'s Spelling, &'s Spelling)> {
    for one in ones {
        for other in others {
            if one.characters == other.characters {
                return Some((one, other));
            }
            furthest.note(one, other);
        }
    }
    None
}

/// The map of spellings with the same characters.
fn share(one: &Spelling, other: &Spelling, [tokens, others]: [usize; 2], map: &mut TokenMap) {
    map.reset(tokens, others);
    for (&(first, last), &(other_first, other_last)) in one.tokens.iter().zip(&other.tokens) {
        map.share(first..last + 1, &(other_first..other_last + 1));
    }
}

/// Where lines differ: behind how many equal characters, and which tokens are there.
#[derive(Debug, Default)]
struct Difference {
    found: Option<(usize, Mismatch)>,
}

impl Difference {
    fn note(&mut self, one: &Spelling, other: &Spelling) {
        let pairs = one.characters.iter().zip(&other.characters);
        let equal = pairs.take_while(|(one, other)| one == other).count();
        if self.found.is_none_or(|(length, _)| equal >= length) {
            let token = |spelling: &Spelling| spelling.tokens.get(equal).map(|&(first, _)| first as usize);
            self.found = Some((equal, Mismatch { from: token(one), to: token(other) }));
        }
    }

    /// Of tokens that are not UTF-8 nothing was noted: then it is the first.
    fn mismatch(&self, from: &[&[u8]], to: &[&[u8]]) -> Mismatch {
        let first = |tokens: &[&[u8]]| (!tokens.is_empty()).then_some(0);
        self.found.map_or_else(|| Mismatch { from: first(from), to: first(to) }, |(_, mismatch)| mismatch)
    }
}

impl Mismatch {
    /// The error, given the two tokens, each with its place; a line that has no such token ends there.
    ///
    /// ```
    /// use alinea::error::Position;
    /// use alinea::format::tokens::Tokenize;
    /// use alinea::token_map::{TokenMap, TokenMatcher, token_at};
    ///
    /// let [words, pieces] = ["the house", "▁the ▁hau se"];
    /// let mismatch = TokenMatcher::new().match_lines(words, pieces, &mut TokenMap::default()).unwrap_err();
    /// let word = token_at(words, Tokenize::None, mismatch.from, Position::new("text.en", 3, 1));
    /// let piece = token_at(pieces, Tokenize::None, mismatch.to, Position::new("pieces.en", 3, 1));
    /// let error = mismatch.error(word, piece).to_string();
    /// assert_eq!(error, "pieces.en:3:8: expected the characters of `house` (text.en:3:5), found `▁hau`");
    /// ```
    pub fn error(&self, (word, place): (Option<&str>, Position), (found, found_at): (Option<&str>, Position)) -> Error {
        let expected = match word {
            Some(word) => format!("the characters of {} ({place})", Snippet::new(word.as_bytes())),
            None => format!("the end of the line, as at {place}"),
        };
        Error::parse(found_at, expected, found.unwrap_or_default().as_bytes())
    }
}

/// A token of a line by number, and its place; behind the last token nothing, and the end of the line. `line_at` is where the line
/// begins, with its column, or without one (0) if that is not known: then the place has none.
pub fn token_at(line: &str, tokenize: Tokenize, number: Option<usize>, line_at: Position) -> (Option<&str>, Position) {
    let mut spans = Vec::new();
    tokens::spans(line, tokenize, &mut spans);
    let token = number.and_then(|number| spans.get(number)).map(|span| span.bytes.clone());
    let offset = token.as_ref().map_or(line.len(), |bytes| bytes.start) as u64;
    let column = if line_at.column == 0 { 0 } else { line_at.column + offset };
    (token.map(|bytes| &line[bytes]), Position { column, ..line_at })
}
