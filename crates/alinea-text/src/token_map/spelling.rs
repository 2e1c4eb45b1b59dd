//! What tokens spell, as characters that can be compared.
//!
//! A [`Spelling`] has the characters of a line in the form that does not depend on how they were written: each decomposed (NFKD of
//! Unicode Standard Annex 15), marks in their canonical order, without blanks and what is not visible, escapes undone if they are to
//! be. Each has the tokens that it is from: an escape may come from several, a mark from another than its letter.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible, is_combining_mark};

use super::reading::Spelled;

/// Which escapes are undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// None.
    Kept,
    /// Those within a token.
    Within,
    /// All.
    Across,
}

/// What of characters is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ignored {
    /// Nothing.
    Nothing,
    /// Case.
    Case,
    /// Case, and all marks.
    CaseAndMarks,
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) escapes: Escapes,
    pub(super) ignored: Ignored,
}

/// The escapes of Moses, without `&` and `;`, and what they are.
const ESCAPES: [(&str, char); 11] = [
    ("amp", '&'),
    ("apos", '\''),
    ("quot", '"'),
    ("lt", '<'),
    ("gt", '>'),
    ("#124", '|'),
    ("#91", '['),
    ("#93", ']'),
    ("bar", '|'),
    ("bra", '['),
    ("ket", ']'),
];

/// Characters with the first and the last token that each is from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spelling {
    pub(super) characters: Vec<char>,
    pub(super) tokens: Vec<(u32, u32)>,
}

impl Spelling {
    /// The characters of what is spelled; nothing if it is not UTF-8.
    pub(super) fn new(spelled: &Spelled, rules: Rules) -> Option<Self> {
        let text = std::str::from_utf8(&spelled.text).ok()?;
        let mut spelling = Self::default();
        let mut token = 0;
        for (at, character) in text.char_indices() {
            while spelled.ends[token] <= at {
                token += 1;
            }
            let first = token as u32;
            while spelled.ends[token] < at + character.len_utf8() {
                token += 1;
            }
            spelling.push(character, (first, token as u32), rules);
        }
        spelling.order();
        Some(spelling)
    }

    /// The characters of one token.
    pub(super) fn of_token(token: &str, rules: Rules) -> Vec<char> {
        let mut spelling = Self::default();
        for character in token.chars() {
            spelling.push(character, (0, 0), rules);
        }
        spelling.order();
        spelling.characters
    }

    fn push(&mut self, character: char, tokens: (u32, u32), rules: Rules) {
        if character.is_ascii_lowercase() {
            self.add(character, tokens);
            return;
        }
        decompose_compatible(character, |part| {
            if is_invisible(part) || rules.ignored == Ignored::CaseAndMarks && is_combining_mark(part) {
                return;
            }
            if rules.ignored == Ignored::Nothing {
                self.add(part, tokens);
            } else {
                // Up and down, so that ß is ss, and a final sigma a sigma.
                for folded in part.to_uppercase().flat_map(char::to_lowercase) {
                    self.add(folded, tokens);
                }
            }
            if rules.escapes != Escapes::Kept && matches!(part, ';' | '-' | '@') {
                self.undo(rules.escapes);
            }
        });
    }

    fn add(&mut self, character: char, tokens: (u32, u32)) {
        self.characters.push(character);
        self.tokens.push(tokens);
    }

    /// Undoes the escape that ends here, if one does. What it becomes may be the beginning of another.
    fn undo(&mut self, escapes: Escapes) {
        let Some((length, plain)) = escape_at_end(&self.characters) else { return };
        let start = self.characters.len() - length;
        let (first, last) = (self.tokens[start].0, self.tokens[self.tokens.len() - 1].1);
        if escapes == Escapes::Within && first != last {
            return;
        }
        // A hyphen in at signs is a token of its own.
        let is_hyphen = plain == '-';
        if is_hyphen && escapes == Escapes::Within && start > 0 && self.tokens[start - 1].1 == first {
            return;
        }
        self.characters.truncate(start);
        self.tokens.truncate(start);
        self.add(plain, (first, last));
    }

    /// Puts marks into their canonical order, those of one letter by their classes.
    fn order(&mut self) {
        for at in 1..self.characters.len() {
            let class = canonical_combining_class(self.characters[at]);
            let mut place = at;
            while class != 0 && place > 0 && canonical_combining_class(self.characters[place - 1]) > class {
                self.characters.swap(place, place - 1);
                self.tokens.swap(place, place - 1);
                place -= 1;
            }
        }
    }
}

/// The length of the escape at the end, and what it stands for.
fn escape_at_end(characters: &[char]) -> Option<(usize, char)> {
    if characters.ends_with(&['@', '-', '@']) {
        return Some((3, '-'));
    }
    let before = characters.strip_suffix(&[';'])?;
    let and = before.iter().rev().take(5).position(|&character| character == '&')?;
    let name = &before[before.len() - and..];
    let is_named = |(known, _): &&(&str, char)| known.chars().eq(name.iter().copied());
    ESCAPES.iter().find(is_named).map(|&(_, plain)| (and + 2, plain))
}

/// Whether nobody sees a character: blanks, control characters, those that Unicode says are ignored by default, and `▁` and U+FFFD,
/// which SentencePiece makes blanks of.
fn is_invisible(character: char) -> bool {
    if character.is_ascii() {
        return character <= ' ' || character == '\x7F';
    }
    character.is_whitespace()
        || character.is_control()
        || matches!(
            character,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2581}' | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{FFFD}'
                | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization as _;

    const PLAIN: Rules = Rules { escapes: Escapes::Kept, ignored: Ignored::Nothing };

    fn spelled(tokens: &[&str]) -> Spelled {
        let mut spelled = Spelled::default();
        for token in tokens {
            spelled.text.extend_from_slice(token.as_bytes());
            spelled.ends.push(spelled.text.len());
        }
        spelled
    }

    fn text(tokens: &[&str], rules: Rules) -> String {
        Spelling::new(&spelled(tokens), rules).unwrap().characters.into_iter().collect()
    }

    #[test]
    fn escapes_are_undone_where_they_may_be() {
        let escaped = |tokens: &[&str]| {
            [Escapes::Kept, Escapes::Within, Escapes::Across].map(|escapes| text(tokens, Rules { escapes, ..PLAIN }))
        };
        assert_eq!(escaped(&["l&apos;", "&#91;", "@-@"]), ["l&apos;&#91;@-@", "l'[-", "l'[-"]);
        assert_eq!(escaped(&["&", "apos", ";", "@", "-@"]), ["&apos;@-@", "&apos;@-@", "'-"]);
        assert_eq!(escaped(&["&amp;amp;lt;", "&;", "&x;"]), ["&amp;amp;lt;&;&x;", "<&;&x;", "<&;&x;"]);
        let across =
            Spelling::new(&spelled(&["a&a", "mp;", "b"]), Rules { escapes: Escapes::Across, ..PLAIN }).unwrap();
        assert_eq!(across.tokens, [(0, 0), (0, 1), (2, 2)]);
    }

    #[test]
    fn case_and_marks_are_ignored_if_they_are_to_be() {
        let ignoring = |ignored| text(&["ΣΊΓΑΣ", "Straße", "É"], Rules { ignored, ..PLAIN });
        assert_eq!(ignoring(Ignored::Case), "σι\u{301}γασstrassee\u{301}");
        assert_eq!(ignoring(Ignored::CaseAndMarks), "σιγασstrassee");
    }

    #[test]
    fn characters_may_be_from_two_tokens_and_marks_from_another() {
        let bytes = Spelled { text: "aé".into(), ends: vec![2, 3] };
        assert_eq!(Spelling::new(&bytes, PLAIN).unwrap().tokens, [(0, 0), (0, 1), (0, 1)]);
        assert_eq!(Spelling::new(&Spelled { text: b"a\xC3".to_vec(), ends: vec![2] }, PLAIN), None);
        // The mark below comes first.
        let marks = Spelling::new(&spelled(&["a\u{301}", "\u{323}"]), PLAIN).unwrap();
        assert_eq!((marks.characters, marks.tokens), (vec!['a', '\u{323}', '\u{301}'], vec![(0, 0), (1, 1), (0, 0)]));
    }

    proptest! {
        /// What `unicode-normalization` makes of the text as a whole, without what is left out.
        #[test]
        fn characters_are_those_of_nfkd(line in "[a-cA ÀḊ\u{300}-\u{330}각ﬁ①…½\u{e40}\u{ad}Ⅷ㍿ﾊﾞ]{0,20}", cut in 0usize..20) {
            let cut = line.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(line.len());
            let visible: String = line.nfkd().filter(|&c| !is_invisible(c)).collect();
            // Without what stood between them, marks of neighbors may have to be put in order.
            prop_assert_eq!(text(&[&line[..cut], &line[cut..]], PLAIN), visible.nfkd().collect::<String>());
        }
    }
}
