//! Indices in files, read row by row: the numbers that some pairs of words have there, in memory for these and a row; and the union
//! of several, in memory for what it has.
//!
//! Both indices have their rows in the same order, and the partners in a row ascend; so the ids that are found ascend, too.

use super::gather::Piece;
use super::stored::{BLOCKS, LISTS, ROWS};
use super::{Layout, Owner, PairIndex, Row, owners, universes};
use crate::error::{Error, Result};
use crate::lexicon::ascending::{place_from, read_bitmap, read_list};
use crate::storage::{Container, Element, SectionStream};

/// Where the pairs of an index are in another.
#[derive(Debug)]
pub(crate) struct IdsInFile {
    /// By id, the id that a pair has in the file; [`NO_PAIR`](Self::NO_PAIR) for ids that belong to no pair, and pairs that are not
    /// there.
    pub(crate) ids: Vec<u32>,
    /// How many ids the index in the file has.
    pub(crate) of: usize,
}

impl IdsInFile {
    /// No pair has this id.
    pub(crate) const NO_PAIR: u32 = u32::MAX;

    /// Visits what an array in the file says of each pair, by its own id. O(length of the array).
    ///
    /// # Errors
    /// `Model` if there is no such array of a number for each id in the file, or it is damaged.
    pub(crate) fn select<T: Element>(
        &self,
        file: &Container,
        name: &str,
        mut visit: impl FnMut(usize, T),
    ) -> Result<()> {
        let mut all = SectionStream::of_len(file, name, self.of)?;
        for (own, &id) in self.ids.iter().enumerate() {
            if id != Self::NO_PAIR
                && let Some(found) = all.at(id as usize)?
            {
                visit(own, found);
            }
        }
        all.finish()
    }
}

impl PairIndex {
    /// Finds the ids of its pairs in the index in a file, of words of these frequencies. O(words + pairs in the file), in memory for the
    /// pairs of this one.
    ///
    /// # Errors
    /// `Model` if arrays are missing or contradict each other, or have not all of these pairs, unless some `may_lack`.
    pub(crate) fn ids_in(&self, file: &Container, frequencies: [&[u64]; 2], may_lack: bool) -> Result<IdsInFile> {
        let universes = universes(frequencies);
        let mut rows = RowsInFile::open(file, frequencies)?;
        let mut ids = IdsInFile { ids: vec![IdsInFile::NO_PAIR; self.ids()], of: 0 };
        let (mut theirs, mut decoded) = (Vec::new(), Vec::new());
        for &owner in &self.owners {
            let row = rows.next(owner, universes[owner.side as usize][owner.word as usize], &mut theirs)?;
            let own = self.row(owner);
            let all_there = ids.take(own, row, self.partners_of(own, &mut decoded), &theirs);
            if !(all_there || may_lack) {
                return Err(rows.bad(owner, "the pairs of the part", "fewer".to_owned()));
            }
        }
        ids.of = rows.finish()? as usize;
        Ok(ids)
    }

    /// The pairs that any of several indices has, which are about the same words, of these frequencies. Time O(pairs of all +
    /// words × indices), in memory for the pairs of the union and those that are held.
    ///
    /// # Errors
    /// `Model` if arrays in a file are missing or contradict each other; if there are 2^32 pairs or more.
    pub(crate) fn union(frequencies: [&[u64]; 2], indices: &[SomePairs]) -> Result<Self> {
        let universes = universes(frequencies);
        let rows = indices.iter().map(|index| match index {
            SomePairs::Held(index) => Ok(Rows::Held(index)),
            SomePairs::InFile(file) => Ok(Rows::InFile(Box::new(RowsInFile::open(file, frequencies)?))),
        });
        let mut rows = rows.collect::<Result<Vec<_>>>()?;
        let mut index = Self::without_rows(frequencies);
        let mut piece = Piece::default();
        let (mut partners, mut buffer) = (Vec::new(), Vec::new());
        for owner in owners(frequencies) {
            let universe = universes[owner.side as usize][owner.word as usize];
            partners.clear();
            for rows in &mut rows {
                partners.extend_from_slice(match rows {
                    Rows::Held(index) => index.partners_of(index.row(owner), &mut buffer),
                    Rows::InFile(rows) => {
                        rows.next(owner, universe, &mut buffer)?;
                        &buffer
                    }
                });
            }
            partners.sort_unstable();
            partners.dedup();
            piece.push(owner, universe, &partners);
        }
        for rows in rows {
            if let Rows::InFile(rows) = rows {
                rows.finish()?;
            }
        }
        index.append(&piece.rows, (0, 0))?;
        (index.lists, index.blocks) = (piece.lists, piece.blocks);
        Ok(index)
    }
}

/// An index, in memory or in a file.
#[derive(Debug)]
pub(crate) enum SomePairs {
    Held(PairIndex),
    InFile(Container),
}

enum Rows<'i> {
    Held(&'i PairIndex),
    InFile(Box<RowsInFile<'i>>),
}

impl IdsInFile {
    /// Takes the ids of the pairs of a row, whose partners are among others; says whether they all are.
    fn take(&mut self, own: Row, row: Row, partners: &[u32], among: &[u32]) -> bool {
        let (mut place, mut all_there) = (0, true);
        for (n, &partner) in (0..).zip(partners) {
            place = place_from(among, place, partner);
            if among.get(place) != Some(&partner) {
                all_there = false;
                continue;
            }
            let id = row.start + if row.layout == Layout::Dense { partner } else { place as u32 };
            self.ids[(own.start + if own.layout == Layout::Dense { partner } else { n }) as usize] = id;
        }
        all_there
    }
}

/// The rows of an index in a file, one after another.
struct RowsInFile<'f> {
    file: &'f Container,
    rows: [SectionStream<'f, [u32; 4]>; 2],
    lists: SectionStream<'f, u32>,
    blocks: SectionStream<'f, u64>,
    /// How many ids the rows have that were read.
    ids: u32,
}

impl<'f> RowsInFile<'f> {
    fn open(file: &'f Container, frequencies: [&[u64]; 2]) -> Result<Self> {
        let rows = |side: usize| SectionStream::of_len(file, ROWS[side], frequencies[side].len());
        let (rows, lists, blocks) =
            ([rows(0)?, rows(1)?], SectionStream::open(file, LISTS)?, SectionStream::open(file, BLOCKS)?);
        Ok(Self { file, rows, lists, blocks, ids: 0 })
    }

    /// The next row, that of a word whose partners are below `universe`, and these.
    fn next(&mut self, owner: Owner, universe: u32, partners: &mut Vec<u32>) -> Result<Row> {
        let numbers = self.rows[owner.side as usize].at(owner.word as usize)?.unwrap_or_default();
        let row = Row::of_numbers(numbers, universe).filter(|row| row.start == self.ids);
        let row = row.ok_or_else(|| self.bad(owner, &format!("the row at {}", self.ids), format!("{numbers:?}")))?;
        let sound = match row.layout {
            Layout::List => read_list(&mut self.lists, row.place, universe, row.len, partners),
            Layout::Bitmap | Layout::Dense => read_bitmap(&mut self.blocks, row.place, universe, row.len, partners),
        };
        if !sound? {
            return Err(self.bad(owner, "the partners", "numbers that contradict each other".to_owned()));
        }
        let ids = self.ids.checked_add(row.ids()).filter(|&ids| ids < u32::MAX);
        self.ids = ids.ok_or_else(|| self.bad(owner, "fewer pairs than 2^32", "more".to_owned()))?;
        Ok(row)
    }

    fn bad(&self, owner: Owner, expected: &str, found: String) -> Error {
        let (word, rows) = (owner.word, ROWS[owner.side as usize]);
        self.file.error(format!("{expected} of word {word} in `{rows}`"), found)
    }

    /// How many ids there are, once all rows were read and are as they were written.
    fn finish(self) -> Result<u32> {
        let Self { rows: [source, target], lists, blocks, ids, .. } = self;
        source.finish()?;
        target.finish()?;
        lists.finish()?;
        blocks.finish()?;
        Ok(ids)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

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
            let found = part.ids_in(&file, frequencies, false).unwrap();
            prop_assert_eq!((found.ids.len(), found.of), (part.ids(), whole.ids()));
            let mut squares = vec![u64::MAX; part.ids()];
            found.select(&file, "squares", |id, square| squares[id] = square).unwrap();
            let mut known = 0;
            for (pair, own) in pairs(&part) {
                prop_assert_eq!(found.ids[own] as usize, ids[&pair]);
                prop_assert_eq!(squares[own], (ids[&pair] * ids[&pair]) as u64);
                known += 1;
            }
            let others: Vec<[u32; 2]> = ids.keys().copied().skip(1).step_by(every).collect();
            let index = |pairs: &[[u32; 2]]| PairIndex::of_pairs(frequencies, pairs).unwrap();
            let in_file = |pairs: &[[u32; 2]]| SomePairs::InFile(self::file(&index(pairs), |_| ()));
            let indices = [in_file(&some), SomePairs::Held(index(&others)), in_file(&[]), in_file(&others[others.len() / 2..])];
            let union = PairIndex::union(frequencies, &indices).unwrap();
            let both: BTreeSet<[u32; 2]> = self::pairs(&part).into_keys().chain(others).collect();
            prop_assert_eq!(self::pairs(&union), self::pairs(&index(&both.into_iter().collect::<Vec<_>>())));
            let (filtered, before) = whole.filtered(frequencies, |id| id % every == 0).unwrap();
            let mut left = ids.clone();
            left.retain(|_, id| *id % every == 0);
            prop_assert_eq!(self::pairs(&filtered), self::pairs(&index(&left.keys().copied().collect::<Vec<_>>())));
            for (pair, own) in self::pairs(&filtered) {
                prop_assert_eq!(before[own] as usize, left[&pair]);
            }
            let lacking = whole.ids_in(&self::file(&filtered, |_| ()), frequencies, true).unwrap();
            for (pair, id) in &ids {
                let there = self::pairs(&filtered).get(pair).copied();
                prop_assert_eq!(lacking.ids[*id], there.map_or(IdsInFile::NO_PAIR, |id| id as u32));
            }
            let nothing = found.ids.iter().filter(|&&id| id == IdsInFile::NO_PAIR).count();
            prop_assert_eq!((known, nothing), (part.len(), part.ids() - part.len()));
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
            let error = whole.ids_in(&file(&whole, change), frequencies, false).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        whole.ids_in(&file(&whole, |_| ()), frequencies, false).unwrap();
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
        let found = whole.ids_in(&file, frequencies, false).unwrap();
        assert!(IdsInFile { of: found.of + 1, ..found }.select(&file, "squares", |_, _: u64| ()).is_err());
    }
}
