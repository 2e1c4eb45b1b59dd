//! What the words of some scripts need before they are tokenized.
//!
//! **Scripts without blanks.** Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar are written without blanks between words, and
//! tokenizers have learned their pieces from such lines. [`is_unspaced`] tells their characters: those of these scripts in the
//! Unicode Character Database (`Scripts.txt`, version 16.0.0), and the letters, marks and modifier symbols of Japanese that
//! belong to several scripts (in `ScriptExtensions.txt` Hiragana and Katakana): the prolonged sound mark U+30FC, which
//! halfwidth katakana have as U+FF70, voiced sound marks, and vertical repeat marks. Punctuation is not among them.
//!
//! **Polytonic Greek.** Vocabularies of multilingual encoders have the letters of modern Greek, and for Ancient Greek with
//! breathings and three accents hardly anything but single characters. [`push_plain`] leaves the marks out of a word that has
//! some character of U+1F00 to U+1FFF: its canonical decomposition (NFD) without U+0300 to U+036F, composed again (NFC). There
//! is a table for the two Greek blocks; letters of another script in such a word stay as they are.

/// Whether words of its script are written without blanks between them.
pub(super) fn is_unspaced(character: char) -> bool {
    let place = UNSPACED.partition_point(|&(_, last)| last < character);
    UNSPACED.get(place).is_some_and(|&(first, _)| first <= character)
}

/// Appends a word; without accents and breathings if it is in polytonic Greek.
pub(super) fn push_plain(word: &str, to: &mut String) {
    if word.chars().any(|character| matches!(character, '\u{1F00}'..='\u{1FFF}')) {
        to.extend(word.chars().filter(|character| !matches!(character, '\u{300}'..='\u{36F}')).map(without_marks));
    } else {
        to.push_str(word);
    }
}

/// Ranges of characters, rising.
const UNSPACED: [(char, char); 61] = [
    ('\u{E01}', '\u{E3A}'),
    ('\u{E40}', '\u{E5B}'),
    ('\u{E81}', '\u{E82}'),
    ('\u{E84}', '\u{E84}'),
    ('\u{E86}', '\u{E8A}'),
    ('\u{E8C}', '\u{EA3}'),
    ('\u{EA5}', '\u{EA5}'),
    ('\u{EA7}', '\u{EBD}'),
    ('\u{EC0}', '\u{EC4}'),
    ('\u{EC6}', '\u{EC6}'),
    ('\u{EC8}', '\u{ECE}'),
    ('\u{ED0}', '\u{ED9}'),
    ('\u{EDC}', '\u{EDF}'),
    ('\u{1000}', '\u{109F}'),
    ('\u{1780}', '\u{17DD}'),
    ('\u{17E0}', '\u{17E9}'),
    ('\u{17F0}', '\u{17F9}'),
    ('\u{19E0}', '\u{19FF}'),
    ('\u{2E80}', '\u{2E99}'),
    ('\u{2E9B}', '\u{2EF3}'),
    ('\u{2F00}', '\u{2FD5}'),
    ('\u{3005}', '\u{3005}'),
    ('\u{3007}', '\u{3007}'),
    ('\u{3021}', '\u{3029}'),
    ('\u{3031}', '\u{3035}'),
    ('\u{3038}', '\u{303B}'),
    ('\u{3041}', '\u{3096}'),
    ('\u{3099}', '\u{309F}'),
    ('\u{30A1}', '\u{30FA}'),
    ('\u{30FC}', '\u{30FF}'),
    ('\u{31F0}', '\u{31FF}'),
    ('\u{32D0}', '\u{32FE}'),
    ('\u{3300}', '\u{3357}'),
    ('\u{3400}', '\u{4DBF}'),
    ('\u{4E00}', '\u{9FFF}'),
    ('\u{A9E0}', '\u{A9FE}'),
    ('\u{AA60}', '\u{AA7F}'),
    ('\u{F900}', '\u{FA6D}'),
    ('\u{FA70}', '\u{FAD9}'),
    ('\u{FF66}', '\u{FF9F}'),
    ('\u{116D0}', '\u{116E3}'),
    ('\u{16FE2}', '\u{16FE3}'),
    ('\u{16FF0}', '\u{16FF1}'),
    ('\u{1AFF0}', '\u{1AFF3}'),
    ('\u{1AFF5}', '\u{1AFFB}'),
    ('\u{1AFFD}', '\u{1AFFE}'),
    ('\u{1B000}', '\u{1B122}'),
    ('\u{1B132}', '\u{1B132}'),
    ('\u{1B150}', '\u{1B152}'),
    ('\u{1B155}', '\u{1B155}'),
    ('\u{1B164}', '\u{1B167}'),
    ('\u{1F200}', '\u{1F200}'),
    ('\u{20000}', '\u{2A6DF}'),
    ('\u{2A700}', '\u{2B739}'),
    ('\u{2B740}', '\u{2B81D}'),
    ('\u{2B820}', '\u{2CEA1}'),
    ('\u{2CEB0}', '\u{2EBE0}'),
    ('\u{2EBF0}', '\u{2EE5D}'),
    ('\u{2F800}', '\u{2FA1D}'),
    ('\u{30000}', '\u{3134A}'),
    ('\u{31350}', '\u{323AF}'),
];

/// The first character of the canonical decomposition of a Greek character, composed with what follows it but marks of U+0300 to
/// U+036F; no other characters follow. From `unicodedata` of CPython 3.11: for each `c` of U+0370 to U+03FF and U+1F00 to U+1FFF
/// `normalize("NFC", "".join(d for d in normalize("NFD", c) if not "\u0300" <= d <= "\u036f"))`.
fn without_marks(character: char) -> char {
    match character {
        '\u{37E}' => '\u{3B}',
        '\u{1FEF}' => '\u{60}',
        '\u{385}' | '\u{1FC1}' | '\u{1FED}'..='\u{1FEE}' => '\u{A8}',
        '\u{1FFD}' => '\u{B4}',
        '\u{387}' => '\u{B7}',
        '\u{374}' => '\u{2B9}',
        '\u{386}' | '\u{1F08}'..='\u{1F0F}' | '\u{1F88}'..='\u{1F8F}' | '\u{1FB8}'..='\u{1FBC}' => '\u{391}',
        '\u{388}' | '\u{1F18}'..='\u{1F1D}' | '\u{1FC8}'..='\u{1FC9}' => '\u{395}',
        '\u{389}' | '\u{1F28}'..='\u{1F2F}' | '\u{1F98}'..='\u{1F9F}' | '\u{1FCA}'..='\u{1FCC}' => '\u{397}',
        '\u{38A}' | '\u{3AA}' | '\u{1F38}'..='\u{1F3F}' | '\u{1FD8}'..='\u{1FDB}' => '\u{399}',
        '\u{38C}' | '\u{1F48}'..='\u{1F4D}' | '\u{1FF8}'..='\u{1FF9}' => '\u{39F}',
        '\u{1FEC}' => '\u{3A1}',
        '\u{38E}' | '\u{3AB}' | '\u{1F59}' | '\u{1F5B}' | '\u{1F5D}' | '\u{1F5F}' | '\u{1FE8}'..='\u{1FEB}' => {
            '\u{3A5}'
        }
        '\u{38F}' | '\u{1F68}'..='\u{1F6F}' | '\u{1FA8}'..='\u{1FAF}' | '\u{1FFA}'..='\u{1FFC}' => '\u{3A9}',
        '\u{3AC}'
        | '\u{1F00}'..='\u{1F07}'
        | '\u{1F70}'..='\u{1F71}'
        | '\u{1F80}'..='\u{1F87}'
        | '\u{1FB0}'..='\u{1FB4}'
        | '\u{1FB6}'..='\u{1FB7}' => '\u{3B1}',
        '\u{3AD}' | '\u{1F10}'..='\u{1F15}' | '\u{1F72}'..='\u{1F73}' => '\u{3B5}',
        '\u{3AE}'
        | '\u{1F20}'..='\u{1F27}'
        | '\u{1F74}'..='\u{1F75}'
        | '\u{1F90}'..='\u{1F97}'
        | '\u{1FC2}'..='\u{1FC4}'
        | '\u{1FC6}'..='\u{1FC7}' => '\u{3B7}',
        '\u{390}'
        | '\u{3AF}'
        | '\u{3CA}'
        | '\u{1F30}'..='\u{1F37}'
        | '\u{1F76}'..='\u{1F77}'
        | '\u{1FBE}'
        | '\u{1FD0}'..='\u{1FD3}'
        | '\u{1FD6}'..='\u{1FD7}' => '\u{3B9}',
        '\u{3CC}' | '\u{1F40}'..='\u{1F45}' | '\u{1F78}'..='\u{1F79}' => '\u{3BF}',
        '\u{1FE4}'..='\u{1FE5}' => '\u{3C1}',
        '\u{3B0}'
        | '\u{3CB}'
        | '\u{3CD}'
        | '\u{1F50}'..='\u{1F57}'
        | '\u{1F7A}'..='\u{1F7B}'
        | '\u{1FE0}'..='\u{1FE3}'
        | '\u{1FE6}'..='\u{1FE7}' => '\u{3C5}',
        '\u{3CE}'
        | '\u{1F60}'..='\u{1F67}'
        | '\u{1F7C}'..='\u{1F7D}'
        | '\u{1FA0}'..='\u{1FA7}'
        | '\u{1FF2}'..='\u{1FF4}'
        | '\u{1FF6}'..='\u{1FF7}' => '\u{3C9}',
        '\u{3D3}'..='\u{3D4}' => '\u{3D2}',
        '\u{1FCD}'..='\u{1FCF}' => '\u{1FBF}',
        '\u{1FDD}'..='\u{1FDF}' => '\u{1FFE}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_those_of_unicode() {
        assert!(UNSPACED.iter().flat_map(|&(first, last)| [first, last]).is_sorted());
        // The totals of Scripts.txt 16.0.0, in the order of the essay, and thirteen characters of several scripts.
        let characters = 99_030 + 381 + 321 + 86 + 83 + 146 + 243 + 13;
        assert_eq!(('\0'..=char::MAX).filter(|&character| is_unspaced(character)).count(), characters);
        let unspaced = "東𠀀々〇〻㐀ひゝカーヾｶﾞｰไทยลาวខ្មែរမြန်မာ";
        assert_eq!(unspaced.chars().find(|&character| !is_unspaced(character)), None);
        let spaced = "aé1한글、。・「」฿अΩАא\u{0}\u{10FFFF}";
        assert_eq!(spaced.chars().find(|&character| is_unspaced(character)), None);
    }

    fn plain(word: &str) -> String {
        let mut plain = "|".to_owned();
        push_plain(word, &mut plain);
        plain
    }

    #[test]
    fn polytonic_greek_loses_its_marks() {
        // As the expression at `without_marks` gives for whole words.
        assert_eq!(plain("Μῆνιν"), "|Μηνιν");
        assert_eq!(plain("ᾄειδε"), "|αειδε");
        assert_eq!(plain("Ἀχιλῆος"), "|Αχιληος");
        assert_eq!(plain("ᾠδῇ"), "|ωδη");
        assert_eq!(plain("ἀΐδιος"), "|αιδιος");
        assert_eq!(plain("Ῥόδος"), "|Ροδος");
        assert_eq!(plain("ἀλλ᾽"), "|αλλ᾽");
        assert_eq!(plain("\u{1F00}\u{345}\u{3B1}\u{308}\u{301}"), "|αα");
        // Modern Greek and other letters keep theirs.
        for word in ["Ελλάδα", "προϊόν", "é", "ا", ""] {
            assert_eq!(plain(word), format!("|{word}"));
        }
    }

    #[test]
    fn all_letters_are_those_of_unicode() {
        // How many of both blocks change, and the sum of all code points afterwards, by the same expression.
        let both = || ('\u{370}'..='\u{3FF}').chain('\u{1F00}'..='\u{1FFF}');
        assert_eq!(both().filter(|&character| without_marks(character) != character).count(), 255);
        assert_eq!(both().map(|character| u32::from(without_marks(character))).sum::<u32>(), 607_781);
    }
}
