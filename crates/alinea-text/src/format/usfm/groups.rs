//! Which verses of two translations belong together.

use std::collections::BTreeMap;

use super::reference::{BookCode, Reference, VerseRange};

/// Verses that belong together: on each side their numbers in the list that they were given in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerseGroup {
    /// All verses of them, of both sides.
    pub reference: Reference,
    /// Those of the source and those of the target; one of them may be empty.
    pub verses: [Vec<usize>; 2],
}

/// Groups the verses of two sides: a bridge of one side is joined with all verses of the other that it has, and parts of a verse with
/// each other. Groups are in the order of books, chapters and verses, their verses in the order given.
///
/// ```
/// use alinea::format::usfm::{Reference, groups};
///
/// let list = |text: &str| -> Vec<Reference> { text.split(',').map(|one| one.parse().unwrap()).collect() };
/// let (source, target) = (list("MAT 1:1,MAT 1:2,MAT 1:3"), list("MAT 1:3,MAT 1:1-2"));
/// let found = groups([&source, &target]);
/// assert_eq!(found.len(), 2);
/// assert_eq!((found[0].reference.to_string().as_str(), &found[0].verses), ("MAT 1:1-2", &[vec![0, 1], vec![1]]));
/// assert_eq!((found[1].reference.to_string().as_str(), &found[1].verses), ("MAT 1:3", &[vec![2], vec![0]]));
/// ```
pub fn groups(sides: [&[Reference]; 2]) -> Vec<VerseGroup> {
    // For each verse whether it is joined with the one behind it.
    let mut joined: BTreeMap<(BookCode, u16, u16), bool> = BTreeMap::new();
    for reference in sides.into_iter().flatten() {
        let [first, last] = reference.range.verses;
        for verse in first..=last {
            *joined.entry((reference.book, reference.chapter, verse)).or_default() |= verse < last;
        }
    }
    let mut found: Vec<VerseGroup> = Vec::new();
    let mut group_of = BTreeMap::new();
    let mut goes_on = false;
    for (place, joins) in joined {
        let (book, chapter, verse) = place;
        match found.last_mut() {
            Some(group) if goes_on => group.reference.range.verses[1] = verse,
            _ => {
                let range = VerseRange::new(verse, verse);
                let reference = Reference { book, chapter, range };
                found.push(VerseGroup { reference, verses: [Vec::new(), Vec::new()] });
            }
        }
        group_of.insert(place, found.len() - 1);
        goes_on = joins;
    }
    for (side, references) in sides.into_iter().enumerate() {
        for (number, reference) in references.iter().enumerate() {
            let group = group_of[&(reference.book, reference.chapter, reference.range.verses[0])];
            found[group].verses[side].push(number);
        }
    }
    found
}
