//! Books in USFM and alignment records are read or refused. What is written into a book is read again, and nothing else of it changes;
//! records are the same when they are written and read again.

use alinea::alignment::{Alignment, Link};
use alinea::format::burrito::{self, Layout};
use alinea::format::usfm::{Attributes, Book, Reference, SourceWord, VerseLinks, groups};
use alinea_fuzz::{choice, input, read_again};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    if choice % 4 == 0 {
        let Ok(records) = burrito::read(input(data)) else { return };
        for layout in [Layout::Groups, Layout::Flat] {
            let written = burrito::write(&records, ["a", "b"], layout);
            let Some(again) = read_again(burrito::read(input(written.as_bytes()))) else { return };
            assert_eq!(again.len(), records.len());
            assert!(again.iter().zip(&records).all(|(again, record)| again.target == record.target));
        }
        return;
    }
    let Ok(book) = Book::read(input(data)).and_then(|book| book.unaligned()) else { return };
    let references: Vec<Reference> = book.verses.iter().map(|verse| verse.reference).collect();
    let joined: usize = groups([&references, &[]]).iter().map(|group| group.verses[0].len()).sum();
    assert_eq!(joined, references.len());
    for verse in &book.verses {
        let _ = book.verse_text(verse);
    }
    // Milestones that are cut out of each other may leave new ones.
    if book.unaligned_text() != book.text {
        return;
    }
    let none = Attributes::default();
    let sources = SourceWord::of_verse(["a", "b", "a"].into_iter().map(|word| (word, &none)));
    let links = |words: usize| -> Alignment {
        let all = (0..words as u32).flat_map(|target| (0..3).map(move |source| Link::new(source, target)));
        all.filter(|link| (link.source + link.target + choice as u32) % 3 == 0).collect()
    };
    let given: Vec<VerseLinks> = book
        .verses
        .iter()
        .map(|verse| VerseLinks { sources: sources.clone(), links: links(verse.words.len()) })
        .collect();
    let text = book.aligned_text(&given).expect("links between the words");
    let aligned = Book::parse("aligned", text).expect("what was written is read");
    assert_eq!(aligned.unaligned_text(), book.text);
    for ((verse, before), given) in aligned.verses.iter().zip(&book.verses).zip(&given) {
        assert!(aligned.words(verse).eq(book.words(before)));
        let back = verse.links.iter().map(|link| {
            let word = &verse.sources[link.source as usize];
            let source = given.sources.iter().position(|given| given == word).expect("a word that was given");
            Link::new(source as u32, link.target)
        });
        assert_eq!(back.collect::<Alignment>(), given.links);
    }
}
