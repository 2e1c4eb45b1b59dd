//! Lower case, as words are compared in it.

use super::blank::HIGH_BITS;

/// Appends the lower case of `token` to `folded`: `str::to_lowercase`, with the final sigma where it belongs. Bytes
/// that are not UTF-8 stay as they are.
pub fn fold_case(token: &[u8], folded: &mut Vec<u8>) {
    match std::str::from_utf8(token) {
        Ok(text) => fold_text(text, folded),
        Err(_) => {
            for chunk in token.utf8_chunks() {
                fold_text(chunk.valid(), folded);
                folded.extend_from_slice(chunk.invalid());
            }
        }
    }
}

/// Appends the lower case of `text`, a word or a line: a blank ends the neighborhood that a sigma looks at.
pub(crate) fn fold_text(text: &str, folded: &mut Vec<u8>) {
    let start = folded.len();
    folded.extend_from_slice(text.as_bytes());
    folded[start..].make_ascii_lowercase();
    // What is left to do is often nothing, or done in place.
    let mut at = 0;
    while let Some(step) = find_non_ascii(&text.as_bytes()[at..]) {
        at += step;
        let (width, lower) = lower_of_first(&text[at..]);
        match lower {
            Lower::Same => {}
            Lower::AsWide(character) => {
                character.encode_utf8(&mut folded[start + at..start + at + width]);
            }
            Lower::Other => {
                folded.truncate(start + at);
                return fold_slowly(text, at, folded);
            }
        }
        at += width;
    }
}

/// Where the first byte above 127 is.
fn find_non_ascii(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let high = u64::from_le_bytes(*eight) & HIGH_BITS;
        if high != 0 {
            return Some(at + high.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    bytes[at..].iter().position(|byte| !byte.is_ascii()).map(|place| at + place)
}

/// What lower case makes of a character.
enum Lower {
    Same,
    /// Another character of as many bytes.
    AsWide(char),
    /// Something else, or something that depends on its neighbors.
    Other,
}

/// The width of the first character of `text`, which is not ASCII, and its lower case.
fn lower_of_first(text: &str) -> (usize, Lower) {
    // What has no case, or is small already, in the scripts that are met most.
    match *text.as_bytes() {
        // U+0080 to U+00BF; à to ÿ; а to п; р to я; U+05C0 to U+07FF, Hebrew, Arabic and their neighbors.
        [0xC2, _, ..]
        | [0xC3, 0x9F..=0xBF, ..]
        | [0xD0, 0xB0..=0xBF, ..]
        | [0xD1, 0x80..=0x8F, ..]
        | [0xD7..=0xDF, ..] => {
            return (2, Lower::Same);
        }
        // U+0800 to U+0FFF and U+3000 to U+9FFF: the scripts of India, Thai, Chinese characters, Kana.
        [0xE0 | 0xE3..=0xE9, ..] => return (3, Lower::Same),
        _ => {}
    }
    let character = text.chars().next().unwrap_or_default();
    let width = character.len_utf8();
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) if lower.len_utf8() == width && character != 'Σ' => {
            (width, if lower == character { Lower::Same } else { Lower::AsWide(lower) })
        }
        _ => (width, Lower::Other),
    }
}

/// Appends the lower case of `text[at..]`.
fn fold_slowly(text: &str, at: usize, folded: &mut Vec<u8>) {
    // Only the capital sigma needs to see its neighbors, also those before `at`.
    if text[at..].contains('Σ') {
        folded.truncate(folded.len() - text[..at].len());
        folded.extend_from_slice(text.to_lowercase().as_bytes());
        return;
    }
    let mut utf8 = [0; 4];
    for lower in text[at..].chars().flat_map(char::to_lowercase) {
        folded.extend_from_slice(lower.encode_utf8(&mut utf8).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::split;
    use super::*;

    fn folded(token: &[u8]) -> Vec<u8> {
        let mut folded = b"x".to_vec();
        fold_case(token, &mut folded);
        folded.split_off(1)
    }

    #[test]
    fn case_is_folded_as_unicode_says() {
        assert_eq!(folded("ÉTÉ".as_bytes()), "été".as_bytes());
        assert_eq!(folded("ΟΔΥΣΣΕΥΣ".as_bytes()), "οδυσσευς".as_bytes());
        assert_eq!(folded("İ".as_bytes()), "i\u{307}".as_bytes());
        assert_eq!(folded(b"A\xFFB\xC3"), b"a\xFFb\xC3");
    }

    #[test]
    fn every_character_folds_as_in_the_standard_library() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            assert_eq!(folded(text.as_bytes()), text.to_lowercase().into_bytes(), "{character:?}");
        }
    }

    #[test]
    fn letters_beyond_ascii_are_found_at_every_place() {
        for length in 0..20 {
            let mut bytes = vec![b'!'; length];
            assert_eq!(find_non_ascii(&bytes), None);
            for place in (0..length).rev() {
                bytes[place] = 0x80 | b'!';
                assert_eq!(find_non_ascii(&bytes), Some(place));
            }
        }
    }

    proptest! {
        #[test]
        fn folding_is_that_of_the_standard_library(text in "\\PC{0,12}|[ΣσςΑa' ]{0,8}") {
            prop_assert_eq!(folded(text.as_bytes()), text.to_lowercase().into_bytes());
        }

        #[test]
        fn a_line_folds_as_its_words(line in "[ΣσςΑÀ×ÖİſKéa'. \t]{0,24}|\\PC{0,20}") {
            let mut whole = Vec::new();
            fold_text(&line, &mut whole);
            let by_line: Vec<Vec<u8>> = split(&whole).map(<[u8]>::to_vec).collect();
            let by_word: Vec<Vec<u8>> = split(line.as_bytes()).map(folded).collect();
            prop_assert_eq!(by_line, by_word);
        }

        #[test]
        fn any_bytes_fold(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let once = folded(&bytes);
            prop_assert_eq!(std::str::from_utf8(&once).is_ok(), std::str::from_utf8(&bytes).is_ok());
        }
    }
}
