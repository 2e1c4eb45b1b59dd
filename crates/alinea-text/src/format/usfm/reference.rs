//! Books, chapters and verses.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The largest number of a chapter or a verse: word ids have three digits for each.
pub(crate) const MOST: u16 = 999;

/// What is expected where a reference is not one.
pub const EXPECTED: &str = "a reference such as `MAT 1:3`, `MAT 1:3-4` or `MAT 1:3a`";

/// Books by their numbers in word ids, from 1: the Old Testament, the New (40 is Matthew), the deuterocanonical books.
const BOOKS: [&[u8; 3]; 86] = [
    b"GEN", b"EXO", b"LEV", b"NUM", b"DEU", b"JOS", b"JDG", b"RUT", b"1SA", b"2SA", b"1KI", b"2KI", b"1CH", b"2CH",
    b"EZR", b"NEH", b"EST", b"JOB", b"PSA", b"PRO", b"ECC", b"SNG", b"ISA", b"JER", b"LAM", b"EZK", b"DAN", b"HOS",
    b"JOL", b"AMO", b"OBA", b"JON", b"MIC", b"NAM", b"HAB", b"ZEP", b"HAG", b"ZEC", b"MAL", b"MAT", b"MRK", b"LUK",
    b"JHN", b"ACT", b"ROM", b"1CO", b"2CO", b"GAL", b"EPH", b"PHP", b"COL", b"1TH", b"2TH", b"1TI", b"2TI", b"TIT",
    b"PHM", b"HEB", b"JAS", b"1PE", b"2PE", b"1JN", b"2JN", b"3JN", b"JUD", b"REV", b"TOB", b"JDT", b"ESG", b"WIS",
    b"SIR", b"BAR", b"LJE", b"S3Y", b"SUS", b"BEL", b"1MA", b"2MA", b"3MA", b"4MA", b"1ES", b"2ES", b"MAN", b"PS2",
    b"ODA", b"PSS",
];

/// The code of a book, three letters or digits such as `GEN` and `1CO`. In the order of the canon; books that are not in it follow by
/// their codes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BookCode([u8; 3]);

impl BookCode {
    /// A code, in capitals or not; `None` if it has not three letters or digits of ASCII.
    pub fn new(code: &str) -> Option<Self> {
        let code: [u8; 3] = code.as_bytes().try_into().ok()?;
        code.iter().all(u8::is_ascii_alphanumeric).then(|| Self(code.map(|byte| byte.to_ascii_uppercase())))
    }

    /// The book of a number in word ids, from 1 for Genesis, 40 for Matthew.
    pub fn of_number(number: u8) -> Option<Self> {
        BOOKS.get(usize::from(number).checked_sub(1)?).map(|code| Self(**code))
    }

    /// Its number in word ids; `None` for books that have none.
    pub fn number(self) -> Option<u8> {
        BOOKS.iter().zip(1..).find(|(code, _)| ***code == self.0).map(|(_, number)| number)
    }

    /// The code in capitals.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl Ord for BookCode {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |code: &Self| (code.number().unwrap_or(u8::MAX), code.0);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for BookCode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for BookCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for BookCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a `\v` says: a verse (`3`), a bridge of verses (`3-4`), or a part of a verse (`3a`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VerseRange {
    /// The first verse and the last one, from 0 to 999; twice the same but in bridges.
    pub verses: [u16; 2],
    /// The letters behind them, which say that it is a part.
    pub parts: [Option<char>; 2],
}

impl VerseRange {
    /// A verse, or a bridge.
    pub fn new(first: u16, last: u16) -> Self {
        Self { verses: [first, last], parts: [None; 2] }
    }

    /// The verses in it, each with the letter of the part.
    pub fn parts(self) -> impl Iterator<Item = (u16, Option<char>)> {
        let Self { verses: [first, last], parts } = self;
        (first..=last).map(move |verse| match verse {
            _ if verse == first => (verse, parts[0]),
            _ if verse == last => (verse, parts[1]),
            _ => (verse, None),
        })
    }
}

impl FromStr for VerseRange {
    type Err = NoReference;

    fn from_str(text: &str) -> Result<Self, NoReference> {
        // Marks of direction stand there in texts that are written from right to left.
        let clean: String = text.chars().filter(|c| !matches!(c, '\u{200E}' | '\u{200F}' | '\u{2060}')).collect();
        let (first, last) = clean.split_once(['-', '\u{2013}', '\u{2011}']).unwrap_or((&clean, &clean));
        let ((from, first), (to, last)) = (verse(first).ok_or(NoReference)?, verse(last).ok_or(NoReference)?);
        if from > to { Err(NoReference) } else { Ok(Self { verses: [from, to], parts: [first, last] }) }
    }
}

impl fmt::Display for VerseRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |f: &mut fmt::Formatter<'_>, n: usize| {
            write!(f, "{}", self.verses[n])?;
            self.parts[n].map_or(Ok(()), |part| write!(f, "{part}"))
        };
        one(f, 0)?;
        if self.verses[0] == self.verses[1] && self.parts[0] == self.parts[1] {
            return Ok(());
        }
        f.write_str("-")?;
        one(f, 1)
    }
}

/// That text is no reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoReference;

/// A number of at most three digits.
pub(super) fn number(text: &str) -> Option<u16> {
    let is_number = !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn verse(text: &str) -> Option<(u16, Option<char>)> {
    match text.chars().next_back().filter(char::is_ascii_alphabetic) {
        Some(part) => Some((number(&text[..text.len() - 1])?, Some(part.to_ascii_lowercase()))),
        None => Some((number(text)?, None)),
    }
}

/// A verse, a bridge of verses or a part of a verse in its book. Written as `MAT 1:3`, `MAT 1:3-4`, `MAT 1:3a`.
///
/// ```
/// use alinea::format::usfm::Reference;
///
/// let reference: Reference = "MAT 1:3-4".parse().unwrap();
/// assert_eq!((reference.chapter, reference.range.verses), (1, [3, 4]));
/// assert_eq!(reference.to_string(), "MAT 1:3-4");
/// assert!("Matthew 1".parse::<Reference>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The book.
    pub book: BookCode,
    /// The chapter, from 0 to 999.
    pub chapter: u16,
    /// Which verses.
    pub range: VerseRange,
}

impl FromStr for Reference {
    type Err = NoReference;

    fn from_str(text: &str) -> Result<Self, NoReference> {
        let mut parts = text.split_ascii_whitespace();
        let (Some(book), Some(place), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(NoReference);
        };
        let (chapter, verses) = place.split_once(':').ok_or(NoReference)?;
        let book = BookCode::new(book).ok_or(NoReference)?;
        Ok(Self { book, chapter: number(chapter).ok_or(NoReference)?, range: verses.parse()? })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}:{}", self.book, self.chapter, self.range)
    }
}
