//! The numbers that pairs of words have in an index in a file, which is read row by row: so they are found in memory for the pairs
//! that are asked for, and a row.
//!
//! Both indices have their rows in the same order, and the partners in a row ascend; so the ids that are found ascend, too.

use super::stored::{BLOCKS, LISTS, ROWS};
use super::{Layout, PairIndex, Row, universes};
use crate::error::Result;
use crate::lexicon::ascending::{place_from, read_bitmap, read_list};
use crate::storage::{Container, Element, SectionStream};

/// Where the pairs of an index are in another.
#[derive(Debug)]
pub(crate) struct IdsInFile {
    /// By id, the id that a pair has in the file; [`NO_PAIR`](Self::NO_PAIR) for ids that belong to no pair.
    pub(crate) ids: Vec<u32>,
    /// How many ids the index in the file has.
    pub(crate) of: usize,
}

impl IdsInFile {
    /// No pair has this id.
    pub(crate) const NO_PAIR: u32 = u32::MAX;

    /// What an array in the file says of each pair, by its own id, and this for ids that belong to no pair. O(length of the array).
    ///
    /// # Errors
    /// `Model` if there is no such array of a number for each id in the file, or it is damaged.
    pub(crate) fn select<T: Element>(&self, file: &Container, name: &str, nothing: T) -> Result<Vec<T>> {
        let mut all = SectionStream::of_len(file, name, self.of)?;
        let mut selected = vec![nothing; self.ids.len()];
        for (to, &id) in selected.iter_mut().zip(&self.ids) {
            if id != Self::NO_PAIR
                && let Some(found) = all.at(id as usize)?
            {
                *to = found;
            }
        }
        all.finish()?;
        Ok(selected)
    }
}

impl PairIndex {
    /// Finds the ids of its pairs in the index in a file, of words of these frequencies. O(words + pairs in the file), in memory for the
    /// pairs of this one and the rows of the words.
    ///
    /// # Errors
    /// `Model` if arrays are missing or contradict each other, or have not all of these pairs.
    pub(crate) fn ids_in(&self, file: &Container, frequencies: [&[u64]; 2]) -> Result<IdsInFile> {
        let universes = universes(frequencies);
        let rows = [0, 1].map(|side| file.section_of::<[u32; 4]>(ROWS[side], frequencies[side].len()));
        let [source, target] = rows;
        let rows = [source?, target?];
        let mut partners =
            Partners { lists: SectionStream::open(file, LISTS)?, blocks: SectionStream::open(file, BLOCKS)? };
        let mut found = IdsInFile { ids: vec![IdsInFile::NO_PAIR; self.ids()], of: 0 };
        let (mut theirs, mut decoded) = (Vec::new(), Vec::new());
        for &owner in &self.owners {
            let (side, word) = (owner.side as usize, owner.word as usize);
            let bad = |expected: &str, found: String| {
                file.error(format!("{expected} of word {word} in `{}`", ROWS[side]), found)
            };
            let numbers = rows[side][word];
            let row = Row::of_numbers(numbers, universes[side][word]).filter(|row| row.start as usize == found.of);
            let row = row.ok_or_else(|| bad(&format!("the row at {}", found.of), format!("{numbers:?}")))?;
            if !partners.read(row, &mut theirs)? {
                return Err(bad("the partners", "numbers that contradict each other".to_owned()));
            }
            found.of += row.ids() as usize;
            if found.of >= u32::MAX as usize {
                return Err(bad("fewer pairs than 2^32", "more".to_owned()));
            }
            let own = self.row(owner);
            let own_partners = self.partners_of(own, &mut decoded);
            if !found.take(own, row, own_partners, &theirs) {
                return Err(bad("the pairs of the part", "fewer".to_owned()));
            }
        }
        partners.lists.finish()?;
        partners.blocks.finish()?;
        Ok(found)
    }
}

impl IdsInFile {
    /// Takes the ids of the pairs of a row, whose partners are among others; says whether they all are.
    fn take(&mut self, own: Row, row: Row, partners: &[u32], among: &[u32]) -> bool {
        let mut place = 0;
        for (n, &partner) in (0..).zip(partners) {
            place = place_from(among, place, partner);
            if among.get(place) != Some(&partner) {
                return false;
            }
            let id = row.start + if row.layout == Layout::Dense { partner } else { place as u32 };
            self.ids[(own.start + if own.layout == Layout::Dense { partner } else { n }) as usize] = id;
        }
        true
    }
}

/// The partners of all rows in a file, one row after another.
struct Partners<'f> {
    lists: SectionStream<'f, u32>,
    blocks: SectionStream<'f, u64>,
}

impl Partners<'_> {
    /// Reads those of the next row; says whether they are as many as it says, in order, and in its universe.
    fn read(&mut self, row: Row, to: &mut Vec<u32>) -> Result<bool> {
        match row.layout {
            Layout::List => read_list(&mut self.lists, row.place, row.universe, row.len, to),
            Layout::Bitmap | Layout::Dense => read_bitmap(&mut self.blocks, row.place, row.universe, row.len, to),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::tests::ranked;
    use super::*;
    use crate::parallel::Parallelism;
    use crate::progress::Silent;
    use crate::storage::ContainerWriter;

    /// A file with an index, changed, and the square of each id.
    fn file(index: &PairIndex, change: impl Fn(&mut PairIndex)) -> Container {
        let mut index = index.clone();
        change(&mut index);
        let mut writer = ContainerWriter::new("an index".to_owned());
        index.store(&mut writer);
        writer.add_owned("squares", (0..index.ids() as u64).map(|id| id * id).collect());
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        Container::of_bytes("file".to_owned(), bytes).unwrap()
    }

    fn pairs(index: &PairIndex) -> BTreeMap<[u32; 2], usize> {
        let mut pairs = BTreeMap::new();
        index.for_each_pair(index.rows(), |id, s, t| _ = pairs.insert([s as u32, t as u32], id));
        pairs
    }

    proptest! {
        #[test]
        fn ids_are_those_of_the_whole_index(
            lines in prop::collection::vec(
                (prop::collection::vec(prop_oneof![3 => 0u8..4, 1 => 0u8..30, 1 => any::<u8>()], 0..10),
                 prop::collection::vec(prop_oneof![3 => 0u8..4, 1 => 0u8..30, 1 => any::<u8>()], 0..10)), 0..50),
            every in 1usize..5,
        ) {
            let text = ranked(&lines);
            let frequencies = [text.source_frequencies(), text.target_frequencies()];
            let whole = PairIndex::build(&text, &Parallelism::serial(), &Silent).unwrap();
            let ids = pairs(&whole);
            let some: Vec<[u32; 2]> = ids.keys().copied().step_by(every).collect();
            let part = PairIndex::of_pairs(frequencies, &some).unwrap();
            let file = file(&whole, |_| ());
            let found = part.ids_in(&file, frequencies).unwrap();
            prop_assert_eq!((found.ids.len(), found.of), (part.ids(), whole.ids()));
            let squares = found.select(&file, "squares", u64::MAX).unwrap();
            let mut known = 0;
            for (pair, own) in pairs(&part) {
                prop_assert_eq!(found.ids[own] as usize, ids[&pair]);
                prop_assert_eq!(squares[own], (ids[&pair] * ids[&pair]) as u64);
                known += 1;
            }
            let nothing = found.ids.iter().filter(|&&id| id == IdsInFile::NO_PAIR).count();
            prop_assert_eq!((known, nothing), (some.len(), part.ids() - some.len()));
            prop_assert_eq!(squares.iter().filter(|&&square| square == u64::MAX).count(), nothing);
        }
    }

    #[test]
    fn an_index_that_contradicts_itself_or_lacks_pairs_is_refused() {
        let lines: Vec<(Vec<u8>, Vec<u8>)> =
            (0..200u8).map(|n| (vec![n, n / 2, n / 20], vec![n, n / 2, n / 20])).collect();
        let text = ranked(&lines);
        let frequencies = [text.source_frequencies(), text.target_frequencies()];
        let whole = PairIndex::build(&text, &Parallelism::serial(), &Silent).unwrap();
        let refused = |change: &dyn Fn(&mut PairIndex), expected: &str| {
            let error = whole.ids_in(&file(&whole, change), frequencies).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        whole.ids_in(&file(&whole, |_| ()), frequencies).unwrap();
        let contradiction = "found numbers that contradict each other";
        refused(&|index| index.lists[0] = u32::MAX, contradiction);
        refused(&|index| index.lists[..2].swap(0, 1), contradiction);
        refused(&|index| index.blocks[0] ^= 1 << 63, contradiction);
        refused(&|index| index.blocks[1] |= u64::from(u32::MAX), contradiction);
        refused(&|index| index.lists.truncate(3), contradiction);
        refused(&|index| index.blocks.clear(), contradiction);
        let last = whole.owners[whole.owners.len() - 1];
        let row = |index: &mut PairIndex| index.by_word[last.side as usize][last.word as usize];
        let change = |index: &mut PairIndex, changed: Row| {
            index.by_word[last.side as usize][last.word as usize] = changed;
        };
        refused(
            &|index| {
                let row = row(index);
                change(index, Row { start: row.start + 1, ..row });
            },
            "the row at",
        );
        refused(
            &|index| {
                let row = row(index);
                change(index, Row { place: row.place - 1, ..row });
            },
            contradiction,
        );
        refused(
            &|index| {
                let row = row(index);
                change(index, Row { len: u32::MAX, ..row });
            },
            contradiction,
        );
        refused(
            &|index| {
                let row = row(index);
                change(index, Row { len: row.len - 1, ..row });
            },
            "the pairs of the part",
        );
        let file = file(&whole, |_| ());
        let found = whole.ids_in(&file, frequencies).unwrap();
        assert!(IdsInFile { of: found.of + 1, ..found }.select(&file, "squares", 0u64).is_err());
    }
}
