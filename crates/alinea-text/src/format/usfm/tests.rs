use proptest::prelude::*;

use super::*;
use crate::alignment::{Alignment, Link};

fn book(text: &str) -> Book {
    Book::parse("book", text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The verses as `reference: words`.
fn verses(text: &str) -> Vec<String> {
    let book = book(text);
    book.verses
        .iter()
        .map(|v| format!("{}: {}", v.reference.range, book.words(v).collect::<Vec<_>>().join(" ")))
        .collect()
}

fn refused(text: &str) -> String {
    Book::parse("book", text).map_or_else(|error| error.to_string(), |book| panic!("{book:?}"))
}

const SAMPLE: &str = "\u{FEFF}\\id RUT a sample\r
\\usfm 3.0\r
\\h Heading\r
\\mt1 Title \\f + \\ft a note \\f*\r
\\ip Introduction with \\bk a book\\bk*.\r
\\c 1\r
\\cl Chapter One\r
\\s1 A heading\r
\\r (Somewhere 1:1)\r
\\p\r
\\v 1 In those\\f + \\fr 1:1 \\fq those \\ft or: \\fv 3\\fv* these\\f* days\\x - \\xo 1:1 \\xt Mark 2\\x*, the\r
\\nd Lord\\nd* spoke.\r
\\q1 He said:\r
\\q2 “Go, \\add and \\+nd see\\+nd*\\add*!”\\fig a picture|src=\"x.jpg\" size=\"col\"\\fig*\r
\\s2 Another heading\r
\\m and they went.\r
\\v 2-3 \\vp 2b\\vp* Two verses\\rb x|g\\rb*\r
\\tr \\th1 one \\tc2-3 two\r
\\p\r
\\v 4a first part\r
\\zother and more\r
\\v 4b second\\zstyle styled\\zstyle*part \\ts\\* end\\qt-s |sid=\"a\" who=\"b\"\\*.\r
\\esb \\p aside \\esbe\r
\\c 2\r
\\d A song. \\v 1 of \\w many wordless|x-y=\"z\"\\w* \\w words,|word\\w*\r
\\b\r
\\li1 ~item//next \\\\ 3:4 \\ \\* 5\r
";

#[test]
fn verses_have_their_words_alone() {
    let expected = [
        "1: In those days the Lord spoke He said Go and see and they went",
        "2-3: Two verses x one two",
        "4a: first part and more",
        "4b: second styled part end",
        "1: of many wordless words, item next 3 4 5",
    ];
    assert_eq!(verses(SAMPLE), expected);
    let book = book(SAMPLE);
    assert_eq!((book.code.as_str(), book.code.number()), ("RUT", Some(8)));
    let texts: Vec<String> = book.verses.iter().map(|verse| book.verse_text(verse)).collect();
    assert_eq!(texts[0], "In those days, the Lord spoke. He said: “Go, and see!” and they went.");
    assert_eq!(texts[3..], ["secondstyledpart end.", r"of many wordless words, item next \\ 3:4 \ \* 5"]);
    assert_eq!(book.verses[4].reference.to_string(), "RUT 2:1");
    assert_eq!(book.position(book.verses[1].start).to_string(), "book:17:1");
    let words = &book.verses[4].words;
    assert_eq!((words[1].form, words[1].attribute("x-y")), (WordForm::Phrase, Some("z")));
    assert_eq!((words[3].form, words[3].attribute("lemma")), (WordForm::Marked, Some("word")));
    assert_eq!(&book.text[words[3].outer.clone()], "\\w words,|word\\w*");
    assert_eq!(book.verses[0].words[4].form, WordForm::Styled);
    // The same with other ends of lines, and without the mark.
    assert_eq!(verses(&SAMPLE.replace("\r\n", "\n").replace('\u{FEFF}', "")), expected);
    assert_eq!(verses("\\id MAT"), [""; 0]);
    // What is not closed hides no other verse, and a word in a phrase stays one.
    assert_eq!(verses("\\id MAT \\c 1 \\p \\v 1 a \\xt b \\v 2 c \\nd d|e \\v 3 f"), ["1: a", "2: c d", "3: f"]);
    assert_eq!(verses("\\id MAT \\c 1 \\p \\v 1 \\w a \\w b\\w*\\w* \\w L\\+sc ord\\+sc*\\w*"), ["1: a b L ord"]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let head = "\\id MAT\n\\c 1\n\\p\n";
    for (text, message) in [
        ("", "book:1:1: expected `\\id` and the code of a book, such as `\\id MAT`, found nothing"),
        ("\\c 1", "book:1:1: expected `\\id` and the code of a book, such as `\\id MAT`, found `\\\\c`"),
        ("\n word \\id MAT", "book:2:2: expected `\\id` and the code of a book, such as `\\id MAT`, found `word`"),
        ("\\id", "book:1:4: expected the code of a book, such as `MAT`, found nothing"),
        ("\\id Matthew\n", "book:1:5: expected the code of a book, such as `MAT`, found `Matthew`"),
        ("\\id MAT\n\\id MRK", "book:2:1: expected one book in a file, with one `\\id`, found `\\\\id`"),
        ("\\id MAT\n\\c one\n", "book:2:4: expected the number of a chapter, at most 999, found `one`"),
        ("\\id MAT\n\\c 1000\n", "book:2:4: expected the number of a chapter, at most 999, found `1000`"),
        ("\\id MAT\n\\p\n\\v 1 x\n", "book:3:1: expected a chapter, `\\c`, before the first verse, found `\\\\v`"),
    ] {
        assert_eq!(refused(text), message);
    }
    for (text, message) in [
        ("\\v x y", "book:4:4: expected a verse such as `3`, `3-4` or `3a`, at most 999, found `x`"),
        ("\\v 4-3 y", "book:4:4: expected a verse such as `3`, `3-4` or `3a`, at most 999, found `4-3`"),
        ("\\v\n1", "book:4:3: expected a verse such as `3`, `3-4` or `3a`, at most 999, found nothing"),
        ("\\v 1 a\n\\v 1 b", "book:5:4: expected a verse that was not there before: MAT 1:1 was, found `1`"),
        ("\\v 1-3 a\n\\v 2a b", "book:5:4: expected a verse that was not there before: MAT 1:2 was, found `2a`"),
        ("\\v 1a a\n\\v 1a b", "book:5:4: expected a verse that was not there before: MAT 1:1 was, found `1a`"),
        ("\\v 1 a\\f + b\n\\v 2 \\f + \\f*", "book:4:7: expected a `\\f*` that ends `\\f`, found `\\\\f`"),
        ("\\v 1 a\\x - b", "book:4:7: expected a `\\x*` that ends `\\x`, found `\\\\x`"),
        ("\\v 1 \\zaln-s |x-content=\"a\"\\*b\n\\v 2", "book:4:6: expected a `\\zaln-e\\*` for each `\\zaln-s`"),
        ("\\v 1 \\zaln-e\\*", "book:4:6: expected a `\\zaln-s` before `\\zaln-e\\*`"),
        ("\\v 1 \\zaln-s |x-content=\"a\" \\w b", "book:4:6: expected a `\\*` that ends `\\zaln-s`"),
        ("\\v 1 \\zaln-s |x-strong=\"a\"\\*b\\zaln-e\\*", "book:4:6: expected `\\zaln-s |x-content=\"...\""),
        ("\\v 1 \\zaln-s |x-content=\"a\" x-occurrence=\"0\"\\*b", "book:4:6: expected `\\zaln-s |x-content=\"...\""),
        ("\\v 1 \\w a|lemma=b\\w*", "book:4:11: expected attributes such as `lemma=\"house\"`, found `lemma=b`"),
    ] {
        let found = refused(&format!("{head}{text}"));
        assert!(found.starts_with(message), "{text}: {found}");
    }
    let bad = crate::format::source::Input::from_bytes("book", b"\\id MAT\n\\c \xFF\n".to_vec());
    assert_eq!(
        Book::read(bad).unwrap_err().to_string(),
        "book:2:4: invalid UTF-8 at byte 11 of the file (`\\\\c \\xFF`)"
    );
    let deep = format!("{head}\\v 1 {}", "\\nd a ".repeat(65));
    assert!(refused(&deep).starts_with("book:4:390: expected the end of one of the 64 styles"), "{}", refused(&deep));
}

#[test]
fn words_are_letters_and_digits() {
    for (text, expected) in [
        ("", ""),
        ("l’homme d'en-haut’ ‘x’", "l’homme|d'en-haut|x"),
        ("12,345.6, 7:8 a.b 9.", "12,345.6|7|8|a|b|9"),
        ("בְּרֵאשִׁ֖ית־בָּרָ֣א", "בְּרֵאשִׁ֖ית|בָּרָ֣א"),
        ("नमस्ते! e\u{301}te\u{301}", "नमस्ते|e\u{301}te\u{301}"),
        ("a--b -c- d'", "a|b|c|d"),
    ] {
        let found: Vec<&str> = words(text).into_iter().map(|word| &text[word]).collect();
        assert_eq!(found.join("|"), expected);
    }
    assert_eq!(occurrences(["a", "b", "a", "A"].into_iter()), [[1, 2], [1, 1], [2, 2], [1, 1]]);
}

#[test]
fn references_are_read_as_they_are_written() {
    for text in ["MAT 1:3", "1CO 12:3-4", "PSA 119:3a", "GEN 1:3a-4b", "XXA 0:0", "GEN 1:3a-3b"] {
        assert_eq!(text.parse::<Reference>().map(|reference| reference.to_string()).as_deref(), Ok(text));
    }
    for text in [
        "MAT",
        "MAT 1",
        "MAT 1:",
        "MATT 1:1",
        "MAT 1:1 x",
        "MAT 1:2-1",
        "MAT 1:+1",
        "MAT 1:1,3",
        "MAT 1000:1",
        "MAT 1:é",
    ] {
        assert!(text.parse::<Reference>().is_err(), "{text}");
    }
    for number in 1..=86 {
        assert_eq!(BookCode::of_number(number).and_then(BookCode::number), Some(number));
    }
    // Matthew, Revelation and Tobit, as word ids of the Clear Bible project number them.
    assert_eq!(["MAT", "rev", "TOB"].map(|code| BookCode::new(code).unwrap().number()), [Some(40), Some(66), Some(67)]);
    assert_eq!((BookCode::of_number(0), BookCode::of_number(87), BookCode::new("MÄ")), (None, None, None));
    let mut books = ["XXA", "MAT", "GEN", "AAA"].map(|code| BookCode::new(code).unwrap());
    books.sort();
    assert_eq!(books.map(|code| code.to_string()), ["GEN", "MAT", "AAA", "XXA"]);
}

#[test]
fn groups_are_the_smallest_that_keep_verses_whole() {
    let list = |text: &str| -> Vec<Reference> {
        text.split_whitespace().map(|verses| format!("MAT 1:{verses}").parse().unwrap()).collect()
    };
    let written = |source: &str, target: &str| -> String {
        let (source, target) = (list(source), list(target));
        let found = groups([&source, &target]);
        let all: Vec<String> = found.iter().map(|g| format!("{} {:?}", g.reference.range, g.verses)).collect();
        all.join("; ")
    };
    assert_eq!(written("1 2 3", "1 3"), "1 [[0], [0]]; 2 [[1], []]; 3 [[2], [1]]");
    assert_eq!(written("1-2 3 4", "1 2-3 4a 4b"), "1-3 [[0, 1], [0, 1]]; 4 [[2], [2, 3]]");
    assert_eq!(written("5 2", "2-5"), "2-5 [[0, 1], [0]]");
    assert_eq!(written("", ""), "");
    let other = [list("1"), vec!["MAT 2:1".parse().unwrap(), "LUK 1:1".parse().unwrap(), "ACT 1:1".parse().unwrap()]];
    let found: Vec<String> = groups([&other[0], &other[1]]).iter().map(|g| g.reference.to_string()).collect();
    assert_eq!(found, ["MAT 1:1", "MAT 2:1", "LUK 1:1", "ACT 1:1"]);
}

/// An aligned verse as editors write it, over several lines.
const ALIGNED: &str = "\\id TIT
\\c 1
\\p
\\v 1
\\zaln-s |x-strong=\"G1\" x-lemma=\"alba\" x-morph=\"Gr,N\" x-occurrence=\"1\" x-occurrences=\"2\" x-content=\"alba\"\\*
\\w the|x-occurrence=\"1\" x-occurrences=\"2\"\\w*
\\w white|x-occurrence=\"1\" x-occurrences=\"1\"\\w*\\zaln-e\\*
\\zaln-s |x-occurrence=\"2\" x-occurrences=\"2\" x-content=\"alba\"\\*\\zaln-s |x-content=\"casa\"\\*\\w house|lemma=\"house\" x-occurrence=\"1\"\\w*\\zaln-e\\*\\zaln-e\\*,
and \\zaln-s |x-strong=\"G1\" x-lemma=\"alba\" x-morph=\"Gr,N\" x-occurrence=\"1\" x-occurrences=\"2\" x-content=\"alba\"\\*\\w the|x-occurrence=\"2\" x-occurrences=\"2\"\\w*\\zaln-e\\*.
";

#[test]
fn milestones_are_read() {
    let book = book(ALIGNED);
    let verse = &book.verses[0];
    assert_eq!(book.words(verse).collect::<Vec<_>>(), ["the", "white", "house", "and", "the"]);
    let sources: Vec<(&str, u32, u32)> =
        verse.sources.iter().map(|source| (source.content.as_str(), source.occurrence, source.occurrences)).collect();
    assert_eq!(sources, [("alba", 1, 2), ("alba", 2, 2), ("casa", 1, 1)]);
    assert_eq!(verse.links.to_string(), "0-0 0-1 0-4 1-2 2-2");
    assert_eq!(verse.sources[0].attributes[2], ("x-morph".to_owned(), "Gr,N".to_owned()));
    let plain =
        "\\id TIT\n\\c 1\n\\p\n\\v 1\n\nthe\nwhite\n\\w house|lemma=\"house\" x-occurrence=\"1\"\\w*,\nand the.\n";
    assert_eq!(book.unaligned_text(), plain);
    // Written again, milestones say the same.
    let links = VerseLinks { sources: verse.sources.clone(), links: verse.links.clone() };
    let again = Book::parse("book", book.unaligned().unwrap().aligned_text(&[links]).unwrap()).unwrap();
    assert_eq!((&again.verses[0].links, &again.verses[0].sources), (&verse.links, &verse.sources));
    assert_eq!(again.unaligned_text(), plain);
}

#[test]
fn links_of_nothing_are_refused() {
    let book = book("\\id TIT\n\\c 1\n\\p\n\\v 1 a b\n");
    let word = |content: &str| SourceWord {
        content: content.to_owned(),
        occurrence: 1,
        occurrences: 1,
        attributes: Attributes::default(),
    };
    let links = |content: &str, link| VerseLinks { sources: vec![word(content)], links: [link].into() };
    let error = book.aligned_text(&[links("x", (0, 2))]).unwrap_err();
    assert_eq!(error.to_string(), "book:4:1: link 0-2 is out of range, the source has 1 token, the target 2");
    let error = book.aligned_text(&[links("x\"", (0, 1))]).unwrap_err();
    assert_eq!(error.to_string(), "an attribute of USFM cannot be \"x\\\"\"");
}

/// Pieces of books.
const PIECES: [&str; 50] = [
    "\\c 2 ",
    "\\c 3\n",
    "\\v 1 ",
    "\\v 2-3 ",
    "\\v 4a ",
    "\\v 4b",
    "\\p\n",
    "\\q1 ",
    "\\s ",
    "\\d ",
    "\\nd ",
    "\\nd*",
    "\\add ",
    "\\+nd ",
    "\\+nd*",
    "\\add*",
    "\\w ",
    "\\w*",
    "|lemma=\"x\"",
    "|x-occurrence=\"1\"",
    "\\f + ",
    "\\f*",
    "\\fig ",
    "\\fig*",
    "\\zaln-s |x-content=\"A\"\\*",
    "\\zaln-e\\*",
    "\\k-s |x\n",
    "\\ts\\*",
    "\\xx ",
    "\\yy ",
    "\\yy*",
    "\\esb ",
    "\\esbe ",
    "word",
    "a b",
    "l’eau",
    " ",
    "\n",
    ", ",
    "\\",
    "*",
    "|",
    "é",
    "12",
    "\\tc1 ",
    "e\u{301}",
    "\u{301}",
    "\r\n",
    "-",
    "\\xt ",
];

fn text_of(pieces: &[usize]) -> String {
    let text: String = pieces.iter().map(|&piece| PIECES[piece]).collect();
    format!("\\id TIT\n\\c 1\n\\p\n\\v 9 {text}")
}

/// Some links for each verse.
fn some_links(book: &Book, seed: u32) -> Vec<VerseLinks> {
    let names = ["A", "B", "A", "C"];
    let attributes = Attributes::from([("strong".to_owned(), "G1".to_owned())]);
    let sources = SourceWord::of_verse(names.into_iter().map(|name| (name, &attributes)));
    let chosen = |n: u32| n.wrapping_mul(2_654_435_761).wrapping_add(seed).rotate_left(seed % 32).is_multiple_of(3);
    let links = |words: usize| -> Alignment {
        let all = (0..words as u32).flat_map(|target| (0..4).map(move |source| Link::new(source, target)));
        Alignment::from_links(all.filter(|link| chosen(link.source + 4 * link.target)).collect())
    };
    book.verses.iter().map(|v| VerseLinks { sources: sources.clone(), links: links(v.words.len()) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// What is written is read, and taken out again, whatever the book.
    #[test]
    fn links_come_back_and_nothing_else_changes(pieces in proptest::collection::vec(0..PIECES.len(), 0..40), seed in any::<u32>()) {
        let Ok(read) = Book::parse("book", text_of(&pieces)) else { return Ok(()) };
        let Ok(book) = read.unaligned() else { return Ok(()) };
        // Where styles of words are cut apart, taking out once may leave more to take out.
        prop_assume!(book.unaligned_text() == book.text);
        let links = some_links(&book, seed);
        let text = book.aligned_text(&links).unwrap();
        let aligned = Book::parse("book", text).unwrap();
        prop_assert_eq!(&aligned.unaligned_text(), &book.text);
        let words = |book: &Book| -> Vec<String> {
            book.verses.iter().map(|verse| format!("{:?}", book.words(verse).collect::<Vec<_>>())).collect()
        };
        prop_assert_eq!(words(&aligned), words(&book));
        for (verse, given) in aligned.verses.iter().zip(&links) {
            let mut back: Vec<Link> = Vec::new();
            for link in verse.links.iter() {
                let word = &verse.sources[link.source as usize];
                let source = given.sources.iter().position(|given| given == word).unwrap();
                back.push(Link::new(source as u32, link.target));
            }
            prop_assert_eq!(&Alignment::from_links(back), &given.links);
        }
    }

    /// Nothing makes it panic.
    #[test]
    fn anything_is_read_or_refused(text in "\\PC{0,40}", pieces in proptest::collection::vec(0..PIECES.len(), 0..20)) {
        for text in [text.clone(), text_of(&pieces) + &text, format!("\\id MAT\\c 1\\v 1{text}")] {
            if let Ok(book) = Book::parse("book", text) {
                prop_assert!(book.unaligned_text().len() <= book.text.len());
            }
        }
    }
}
