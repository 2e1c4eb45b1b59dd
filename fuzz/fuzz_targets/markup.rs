//! Segments with inline tags are read or refused; a translation with their tags is read again, as itself.

use alinea::alignment::{Link, WeightedLink};
use alinea::error::Position;
use alinea::format::markup::{Markup, Syntax, write};
use alinea::format::tokens::Tokenize;
use alinea::parallel::Parallelism;
use alinea::project::markup::{MarkedPair, MarkupConfig, project};
use alinea_fuzz::choice;
use alinea_fuzz::parts::texts;

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let [source, target] = texts(data);
    let syntax = Syntax::ALL[choice % Syntax::ALL.len()];
    let (Ok(source), Ok(target)) = (std::str::from_utf8(source), std::str::from_utf8(target)) else { return };
    let (markup, line) = (Markup::new(syntax), Position::new("fuzz", 1, 0));
    let markup = markup.with_escaped_translations(choice > 127);
    let Ok(segment) = markup.segment(source, &line) else { return };
    let Ok(translation) = markup.translation(target, &segment, &line) else { return };
    let words = [segment.words(Tokenize::Script).len(), translation.words(Tokenize::Script).len()];
    let links: Vec<WeightedLink> = (0..words[0].min(words[1]) as u32)
        .map(|word| WeightedLink { link: Link { source: word, target: word }, weight: 0.9 })
        .collect();
    let pair = MarkedPair { source: &segment, target: &translation, links: &links, words: Tokenize::Script };
    let threads = Parallelism::new(1).expect("a thread");
    let found = project(&[pair], &MarkupConfig::default(), &threads).expect("links are in range").remove(0);
    assert_eq!(found.places.len(), segment.tags.len());
    let written = write(&segment, &translation, &found.places);
    if !matches!(syntax, Syntax::Usfm | Syntax::Plain) {
        let again = markup.segment(&written, &line).expect("it was written");
        assert_eq!(again.text, translation.text());
    }
}
