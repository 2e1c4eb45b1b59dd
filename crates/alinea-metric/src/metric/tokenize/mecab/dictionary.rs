//! A compiled dictionary of MeCab: words, words that are not known, costs of neighbors, kinds of characters.
//!
//! ```text
//! sys.dic, unk.dic   72 bytes of header, a double array, entries, features
//! matrix.bin         two numbers of 16 bits, then costs by right and left context
//! char.bin           the number of categories, their names (32 bytes each), 65535 characters (4 bytes each)
//! ```
//!
//! All numbers are little-endian. Nothing in a file is trusted: what leads out of it is not found.

use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::format::source;

/// What the first number of a dictionary is, combined with its length by exclusive or.
const MAGIC: u32 = 0xef71_8f77;
const VERSION: u32 = 102;
const HEADER: usize = 72;
const ENTRY: usize = 16;
const NAME: usize = 32;
/// Characters that `char.bin` has. MeCab finds zeros for the next one, U+FFFF, and treats those beyond as U+0000.
const CHARACTERS: usize = 0xffff;

/// An entry: a word in one of its functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) left_context: u16,
    pub(super) right_context: u16,
    pub(super) part_of_speech: u16,
    pub(super) cost: i16,
}

/// The kinds of a character, and how words of it are made that are not in the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds {
    /// A bit for each category that it belongs to.
    categories: u32,
    /// The category that such words are looked up by.
    pub(super) category: usize,
    /// Up to this many characters are such words.
    pub(super) length: u32,
    /// Whether a whole stretch of such characters is one.
    pub(super) group: bool,
    /// Whether such words are made where the dictionary has some.
    pub(super) always: bool,
}

impl Kinds {
    fn new(bits: u32) -> Self {
        Self {
            categories: bits & 0x3_ffff,
            category: (bits >> 18 & 0xff) as usize,
            length: bits >> 26 & 0xf,
            group: bits >> 30 & 1 == 1,
            always: bits >> 31 == 1,
        }
    }

    pub(super) fn is_like(self, other: Self) -> bool {
        self.categories & other.categories != 0
    }
}

/// All files.
#[derive(Debug)]
pub(super) struct Dictionary {
    words: Lexicon,
    /// Entries for unknown words, by category.
    unknown: Vec<Vec<Entry>>,
    /// How many right contexts there are; the number of rows of the matrix.
    contexts: usize,
    costs: Vec<i16>,
    kinds: Vec<Kinds>,
    /// The kinds of a blank.
    pub(super) blank: Kinds,
    /// What a morpheme of some parts of speech costs behind a blank.
    penalties: Vec<(u16, i64)>,
}

impl Dictionary {
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let words = Lexicon::open(&folder.join("sys.dic"))?;
        let unknown = Lexicon::open(&folder.join("unk.dic"))?;
        let (contexts, costs) = read_costs(&folder.join("matrix.bin"))?;
        let path = folder.join("char.bin");
        let (names, kinds) = read_kinds(&path)?;
        let unknown: Vec<Vec<Entry>> = names.iter().map(|name| unknown.entries_of(name).collect()).collect();
        if let Some(empty) = unknown.iter().position(Vec::is_empty) {
            let name = String::from_utf8_lossy(&names[empty]).into_owned();
            return Err(other(&folder.join("unk.dic"), "entries of every category", format!("none of {name}")));
        }
        if let Some(kinds) = kinds.iter().find(|kinds| kinds.category >= names.len()) {
            return Err(other(&path, "categories that have names", format!("category {}", kinds.category)));
        }
        let penalties = read_penalties(&folder.join("dicrc"))?;
        let blank = kinds[usize::from(b' ')];
        Ok(Self { words, unknown, contexts, costs, kinds, blank, penalties })
    }

    /// The number of words that the header states.
    pub(super) fn words(&self) -> u32 {
        self.words.words
    }

    /// Calls `found` with the length and each entry of all words that a text begins with, short ones first.
    pub(super) fn prefixes(&self, text: &[u8], found: impl FnMut(usize, Entry)) {
        self.words.prefixes(text, found);
    }

    /// Entries of unknown words of a category.
    pub(super) fn unknown(&self, category: usize) -> &[Entry] {
        &self.unknown[category]
    }

    pub(super) fn kinds(&self, character: char) -> Kinds {
        *self.kinds.get(character as usize).unwrap_or(&self.kinds[0])
    }

    /// The cost of two neighbors: the right context of the first, the left one of the second.
    #[inline]
    pub(super) fn cost(&self, right_context: u16, left_context: u16) -> i64 {
        let cell = usize::from(right_context) + self.contexts * usize::from(left_context);
        self.costs.get(cell).map_or(0, |&cost| i64::from(cost))
    }

    /// What a morpheme costs more behind a blank.
    pub(super) fn penalty(&self, part_of_speech: u16) -> i64 {
        self.penalties.iter().find(|(found, _)| *found == part_of_speech).map_or(0, |&(_, penalty)| penalty)
    }
}

/// Words and their entries.
#[derive(Debug)]
struct Lexicon {
    words: u32,
    /// Nodes of a double array, as in Darts: where children are, and the parent.
    nodes: Vec<(i32, u32)>,
    entries: Vec<Entry>,
}

impl Lexicon {
    fn open(path: &Path) -> Result<Self> {
        let bytes = read(path)?;
        let header: Vec<u32> = numbers(bytes.get(..40).unwrap_or_default()).collect();
        let &[magic, version, _, words, _, _, nodes, entries, features, _] = header.as_slice() else {
            return Err(other(path, "a compiled dictionary of MeCab", format!("{} bytes", bytes.len())));
        };
        if (magic ^ MAGIC) as usize != bytes.len() {
            return Err(other(path, "a compiled dictionary of MeCab", "other data, or a truncated file".to_owned()));
        }
        if version != VERSION {
            return Err(other(path, "version 102 of the format", format!("version {version}")));
        }
        let charset = bytes.get(40..HEADER).unwrap_or_default().split(|&byte| byte == 0).next().unwrap_or_default();
        let charset = String::from_utf8_lossy(charset).to_ascii_lowercase();
        if charset != "utf8" && charset != "utf-8" {
            return Err(other(path, "the encoding UTF-8", format!("{charset:?}")));
        }
        let (nodes, entries) = (nodes as usize, entries as usize);
        if bytes.len() as u64 != HEADER as u64 + nodes as u64 + entries as u64 + u64::from(features) {
            return Err(other(path, "parts that are as long as the file", "other lengths".to_owned()));
        }
        let (nodes, rest) = bytes[HEADER..].split_at(nodes);
        let nodes = nodes.as_chunks::<8>().0.iter().map(|node| {
            let [a, b, c, d, e, f, g, h] = *node;
            (i32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
        });
        let entries = rest[..entries].as_chunks::<ENTRY>().0.iter().map(|entry| {
            let number = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
            let (left_context, right_context) = (number(0), number(2));
            Entry { left_context, right_context, part_of_speech: number(4), cost: number(6) as i16 }
        });
        Ok(Self { words, nodes: nodes.collect(), entries: entries.collect() })
    }

    /// Where the children of a node are, if it is one of a parent.
    fn child(&self, node: i64, parent: i32) -> Option<i32> {
        let &(base, check) = self.nodes.get(usize::try_from(node).ok()?)?;
        (check == parent as u32).then_some(base)
    }

    /// The number by which a word that ends at these children has its entries.
    fn value(&self, base: i32) -> Option<u32> {
        self.child(i64::from(base), base).filter(|&value| value < 0).map(|value| (-1 - value) as u32)
    }

    /// Some 8 bits of a value are the number of entries, the others the first.
    fn entries(&self, value: u32) -> impl Iterator<Item = Entry> {
        let (first, count) = ((value >> 8) as usize, (value & 0xff) as usize);
        self.entries.get(first..first + count).unwrap_or_default().iter().copied()
    }

    fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, Entry)) {
        let Some(&(mut base, _)) = self.nodes.first() else { return };
        for length in 0..=text.len() {
            if let Some(value) = self.value(base) {
                self.entries(value).for_each(|entry| found(length, entry));
            }
            let Some(&byte) = text.get(length) else { return };
            match self.child(i64::from(base) + i64::from(byte) + 1, base) {
                Some(next) => base = next,
                None => return,
            }
        }
    }

    fn entries_of(&self, word: &[u8]) -> impl Iterator<Item = Entry> {
        let mut all = Vec::new();
        self.prefixes(word, |length, entry| all.extend((length == word.len()).then_some(entry)));
        all.into_iter()
    }
}

fn read_costs(path: &Path) -> Result<(usize, Vec<i16>)> {
    let bytes = read(path)?;
    let mut numbers = bytes.as_chunks::<2>().0.iter().map(|&number| u16::from_le_bytes(number));
    let (right, left) = (usize::from(numbers.next().unwrap_or(0)), usize::from(numbers.next().unwrap_or(0)));
    let costs: Vec<i16> = numbers.map(|number| number as i16).collect();
    if costs.is_empty() || costs.len() != right * left {
        return Err(other(path, &format!("{right} times {left} costs"), format!("{}", costs.len())));
    }
    Ok((right, costs))
}

/// The names of categories, and the kinds of characters.
fn read_kinds(path: &Path) -> Result<(Vec<Vec<u8>>, Vec<Kinds>)> {
    let bytes = read(path)?;
    let categories = numbers(bytes.get(..4).unwrap_or_default()).next().unwrap_or(0) as usize;
    if bytes.len() != 4 + NAME * categories + 4 * CHARACTERS {
        let expected = format!("{categories} names and {CHARACTERS} characters");
        return Err(other(path, &expected, format!("{} bytes", bytes.len())));
    }
    let (names, kinds) = bytes[4..].split_at(NAME * categories);
    let names = names.chunks_exact(NAME).map(|name| name.iter().copied().take_while(|&byte| byte != 0).collect());
    Ok((names.collect(), numbers(kinds).chain([0]).map(Kinds::new).collect()))
}

/// `left-space-penalty-factor = part,cost,part,cost` of the settings; only the Korean dictionary has it.
fn read_penalties(path: &Path) -> Result<Vec<(u16, i64)>> {
    let bytes = read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(value) = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "left-space-penalty-factor").then(|| value.trim().to_owned())
    }) else {
        return Ok(Vec::new());
    };
    let wrong = || other(path, "pairs of numbers as left-space-penalty-factor", value.clone());
    let numbers: Vec<i64> =
        value.split(',').map(|number| number.trim().parse().map_err(|_| wrong())).collect::<Result<_>>()?;
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(wrong());
    }
    pairs.iter().map(|&[part, cost]| Ok((u16::try_from(part).map_err(|_| wrong())?, cost))).collect()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|&number| u32::from_le_bytes(number))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    source::open(path)?.read_all()
}

fn other(path: &Path, expected: &str, found: String) -> Error {
    ErrorKind::Model { path: path.display().to_string(), expected: expected.to_owned(), found }.into()
}
