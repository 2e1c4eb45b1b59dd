//! Dictionaries of MeCab are read or refused, and cut lines into words of these lines. A random change makes a header that is
//! refused, so headers are made here, around what the input has of each file.

use alinea::metric::tokenize::{Mecab, MecabLanguage, Tokenizer as _, Tokens, is_blank};
use alinea_fuzz::parts::binaries;
use alinea_fuzz::{bit, choice, file, folder};

/// The numbers of words by which the dictionaries are known.
const WORDS: [u32; 2] = [392_126, 811_795];

/// Characters in `char.bin`.
const CHARACTERS: usize = 65_535;

/// Bytes of the name of a category.
const NAME: usize = 32;

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let [words, entries, unknown, unknown_entries, matrix, names, kinds, settings, line] = binaries(data);
    let korean = bit(choice, 0);
    let words_count = WORDS[usize::from(korean)];
    let raw = bit(choice, 1);
    file("sys.dic", &if raw { words.to_vec() } else { lexicon(words, entries, words_count) });
    file("unk.dic", &if raw { unknown.to_vec() } else { lexicon(unknown, unknown_entries, 0) });
    file("matrix.bin", matrix);
    file("char.bin", &characters(names, kinds));
    file("dicrc", settings);
    let language = if korean { MecabLanguage::Korean } else { MecabLanguage::Japanese };
    let Ok(mecab) = Mecab::open(folder(), language) else { return };
    let line = String::from_utf8_lossy(&line[..line.len().min(300)]);
    let mut tokens = Tokens::default();
    if mecab.tokenize(&line, &mut tokens).is_ok() {
        let all: String = tokens.iter().collect();
        let blank = |character: &char| !is_blank(*character);
        // A dictionary may call any character a blank, and those are no part of words.
        let mut rest = line.chars();
        let in_order = all.chars().filter(blank).all(|character| rest.any(|other| other == character));
        assert!(in_order, "{line:?} became {all:?}");
    }
}

/// `sys.dic` or `unk.dic`: a header, nodes of 8 bytes, entries of 16.
fn lexicon(nodes: &[u8], entries: &[u8], words: u32) -> Vec<u8> {
    let length = 72 + nodes.len() + entries.len();
    let magic = length as u32 ^ 0xEF71_8F77;
    let header = [magic, 102, 0, words, 1, 1, nodes.len() as u32, entries.len() as u32, 0, 0];
    let mut file: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
    file.extend(b"UTF-8");
    file.resize(72, 0);
    file.extend(nodes);
    file.extend(entries);
    file
}

/// `char.bin`: the names of categories, then the kinds of characters: the first four bytes for most of them, and six bytes for
/// each of the others, its number and its kind.
fn characters(names: &[u8], kinds: &[u8]) -> Vec<u8> {
    let mut names = names.to_vec();
    names.resize(names.len().next_multiple_of(NAME), 0);
    let mut file = ((names.len() / NAME) as u32).to_le_bytes().to_vec();
    file.extend(&names);
    let (most, others) = kinds.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
    let start = file.len();
    file.extend(most.repeat(CHARACTERS));
    for other in others.as_chunks::<6>().0 {
        let at = start + 4 * (usize::from(u16::from_le_bytes([other[0], other[1]])) % CHARACTERS);
        file[at..at + 4].copy_from_slice(&other[2..]);
    }
    file
}
