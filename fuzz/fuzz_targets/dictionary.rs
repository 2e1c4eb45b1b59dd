//! Dictionaries and tables of translations in all formats are read or refused; tables that are written are read again.

use alinea::format::bitext::ReadOptions;
use alinea::format::dictionary::{self, DictionaryFormat};
use alinea::format::lines::Utf8;
use alinea::format::tokens::Tokenize;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{bit, choice, lines, read_again};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let format = DictionaryFormat::ALL[choice % 5];
    let tokenize = if bit(choice, 7) { Tokenize::Unicode } else { Tokenize::None };
    let options = ReadOptions::default().with(|c| {
        c.tokenize = tokenize;
        c.lowercase = bit(choice, 6);
    });
    let _ = dictionary::read(lines(data, Utf8::Strict), format, &options);

    // The same bytes as words of a table: what is a word is read as one.
    let [source, target] = texts(data);
    let is_word = |word: &[u8]| {
        let text = std::str::from_utf8(word);
        text.is_ok_and(|text| !text.is_empty() && text.bytes().all(|byte| byte > b' ') && !text.contains('\u{feff}'))
            && word != format.empty_word().as_bytes()
    };
    if is_word(source) && is_word(target) {
        let mut line = Vec::new();
        format.write(Some(source), Some(target), 0.5, &mut line);
        let options = ReadOptions::default();
        let Some(read) = read_again(dictionary::read(lines(&line, Utf8::Strict), format, &options)) else { return };
        assert_eq!((read.dictionary.len(), read.several_words, read.others), (1, 0, 0));
    }
}
