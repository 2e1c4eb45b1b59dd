//! Brackets in a sentence that belong together.

/// What closes what.
const PAIRS: [(&str, &str); 17] = [
    ("[", "]"),
    ("「", "」"),
    ("『", "』"),
    ("【", "】"),
    ("〈", "〉"),
    ("《", "》"),
    ("［", "］"),
    ("(", ")"),
    ("（", "）"),
    ("{", "}"),
    ("<", ">"),
    ("\"", "\""),
    ("«", "»"),
    ("„", "“"),
    ("“", "”"),
    ("‘", "’"),
    ("›", "‹"),
];

/// The first of these are square and corner brackets.
const SQUARE: usize = 7;

/// Brackets that are open are looked for so far back.
const DEPTH: usize = 16;

/// Two brackets that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brackets {
    pub(super) open: usize,
    pub(super) close: usize,
    /// Whether they are square or corner brackets.
    pub(super) is_square: bool,
}

/// Those of a sentence, in the order of their ends; and for each place between words, how many there are around it, quotation marks that open and close
/// alike not counted.
pub(super) fn find<'w>(words: impl ExactSizeIterator<Item = &'w str>) -> (Vec<Brackets>, Vec<u32>) {
    let (mut found, mut open) = (Vec::new(), Vec::<(usize, usize)>::new());
    let mut around = vec![0_i64; words.len() + 2];
    for (place, word) in words.enumerate() {
        let closed = open.iter().rev().take(DEPTH).position(|&(_, kind)| PAIRS[kind].1 == word);
        if let Some(above) = closed {
            let (start, kind) = open[open.len() - 1 - above];
            open.truncate(open.len() - 1 - above);
            found.push(Brackets { open: start, close: place, is_square: kind < SQUARE });
            if word != "\"" {
                around[start + 1] += 1;
                around[place + 1] -= 1;
            }
        } else if let Some(kind) = PAIRS.iter().position(|&(first, _)| first == word) {
            open.push((place, kind));
        }
    }
    let mut sum = 0;
    let count = |change: i64| {
        sum += change;
        sum as u32
    };
    (found, around.into_iter().map(count).collect())
}
