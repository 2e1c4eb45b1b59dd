//! The stem pairs of a saved model, searchable by stems.
//!
//! In training, [`StemPairs`] finds the number of a stem pair from the id of a word pair. A saved model also needs it
//! for words that never occurred together. So it lists, for each source stem, the target stems in ascending order; the
//! number of a pair is the first number of the row plus the position of the target stem. A row is a sorted list (binary
//! search) or, where that takes no more memory, a bitmap whose blocks hold 32 bits and the number of stems before them
//! (one load and a population count), as in a [`PairIndex`].
//!
//! The arrays come from a file and are not checked as a whole: a lookup that would leave them finds nothing.

use super::ascending::{bitmap, place_from, read_bitmap, read_list};
use super::{PairIndex, StemPairs, Stems};
use crate::error::Result;
use crate::numeric::simd::prefetch;
use crate::storage::{Container, ContainerWriter, SectionStream};

/// The pairs of stems of a model, in the order of their numbers: for each source stem its target stems, ascending.
///
/// As in a [`PairIndex`], the target stems are a list, or a bitmap in which those before are counted, whichever takes less.
#[derive(Debug, Clone)]
pub struct StemPairList {
    rows: Vec<[u32; 3]>,
    lists: Vec<u32>,
    blocks: Vec<u64>,
    target_stems: u32,
    len: usize,
}

/// The pairs of one source stem.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The number of the first.
    first: u32,
    len: u32,
    /// Where in the lists or blocks it begins.
    place: u32,
}

impl Row {
    /// Whether its target stems are a bitmap.
    #[inline(always)]
    fn is_bitmap(self, target_stems: u32) -> bool {
        self.len >= 2 * target_stems.div_ceil(32)
    }

    /// Reads its target stems, of so many, which stand behind those of the row before; says whether they are as many as it says, and
    /// in order.
    fn read(
        self,
        lists: &mut SectionStream<'_, u32>,
        blocks: &mut SectionStream<'_, u64>,
        target_stems: u32,
        to: &mut Vec<u32>,
    ) -> Result<bool> {
        if self.is_bitmap(target_stems) {
            return read_bitmap(blocks, self.place, target_stems, self.len, to);
        }
        read_list(lists, self.place, target_stems, self.len, to)
    }
}

impl StemPairList {
    /// The pairs of stems that pairs of words have.
    pub(crate) fn of(index: &PairIndex, pairs: &StemPairs, [source, target]: [&Stems; 2]) -> Self {
        let stems = pairs.stems(index, [source, target]);
        let target_stems = target.len() as u32;
        let (mut rows, mut lists, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for stem in 0..source.len() as u32 {
            let len = stems[first..].iter().take_while(|stems| stems[0] == stem).count();
            let targets = &stems[first..first + len];
            let row = Row { first: first as u32, len: len as u32, place: 0 };
            if row.is_bitmap(target_stems) {
                rows.push([row.first, row.len, blocks.len() as u32]);
                blocks.extend(bitmap(targets.iter().map(|stems| stems[1]), target_stems));
            } else {
                rows.push([row.first, row.len, lists.len() as u32]);
                lists.extend(targets.iter().map(|stems| stems[1]));
            }
            first += len;
        }
        Self { rows, lists, blocks, target_stems, len: first }
    }

    /// Adds it to a file, under a name that others begin with.
    pub(crate) fn store(self, file: &mut ContainerWriter<'_>, name: &str) {
        file.add_owned(format!("{name}.rows"), self.rows);
        file.add_owned(format!("{name}.lists"), self.lists);
        file.add_owned(format!("{name}.blocks"), self.blocks);
    }

    /// What was stored under a name, for so many source and target stems.
    ///
    /// # Errors
    /// `Model` if arrays are missing.
    pub(crate) fn load(file: &Container, name: &str, [source_stems, target_stems]: [usize; 2]) -> Result<Self> {
        let rows: Vec<[u32; 3]> = file.section_of(&format!("{name}.rows"), source_stems)?;
        let len = rows.last().map_or(0, |&[first, len, _]| first as usize + len as usize);
        let (lists, blocks) = (file.section(&format!("{name}.lists"))?, file.section(&format!("{name}.blocks"))?);
        Ok(Self { rows, lists, blocks, target_stems: target_stems as u32, len })
    }

    /// The numbers that pairs of stems have in a file, and how many there are in it: given are some pairs by ascending number. One that
    /// is not there, if some `may_lack`, has none. What is in the file is read once, a row at a time.
    ///
    /// # Errors
    /// `Model` if arrays are missing or contradict each other, or a pair is missing.
    pub(crate) fn numbers_in(
        file: &Container,
        name: &str,
        [source_stems, target_stems]: [usize; 2],
        pairs: &[[u32; 2]],
        may_lack: bool,
    ) -> Result<(Vec<Option<u32>>, usize)> {
        let rows: Vec<[u32; 3]> = file.section_of(&format!("{name}.rows"), source_stems)?;
        let mut lists = SectionStream::open(file, &format!("{name}.lists"))?;
        let mut blocks = SectionStream::open(file, &format!("{name}.blocks"))?;
        let (mut numbers, mut len, mut left) = (Vec::with_capacity(pairs.len()), 0, pairs);
        let bad = |stem: usize| {
            file.error(
                format!("the stem pairs of source stem {stem} in `{name}`"),
                "numbers that contradict each other".to_owned(),
            )
        };
        let mut targets = Vec::new();
        for (stem, [first, of_row, place]) in rows.into_iter().enumerate() {
            let row = Row { first, len: of_row, place };
            let is_sound = row.first == len && row.read(&mut lists, &mut blocks, target_stems as u32, &mut targets)?;
            len = row.first.checked_add(row.len).filter(|_| is_sound).ok_or_else(|| bad(stem))?;
            let (own, others) = left.split_at(left.partition_point(|pair| pair[0] as usize <= stem));
            left = others;
            let mut place = 0;
            for &[_, target] in own {
                place = place_from(&targets, place, target);
                let is_there = targets.get(place) == Some(&target);
                if !(is_there || may_lack) {
                    return Err(file.error(format!("the stem pairs of the part in `{name}`"), "fewer".to_owned()));
                }
                numbers.push(is_there.then_some(row.first + place as u32));
            }
        }
        lists.finish()?;
        blocks.finish()?;
        Ok((numbers, len as usize))
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn row(&self, source: u32) -> Option<Row> {
        self.rows.get(source as usize).map(|&[first, len, place]| Row { first, len, place })
    }

    /// The number of a pair of stems, if it is known.
    #[inline]
    pub(crate) fn number(&self, source: u32, target: u32) -> Option<u32> {
        let row = self.row(source)?;
        let nth = if row.is_bitmap(self.target_stems) {
            let block = *self.blocks.get(row.place as usize + (target / 32) as usize)?;
            let (bits, before) = ((block >> 32) as u32, block as u32);
            let bit = 1 << (target % 32);
            if bits & bit == 0 {
                return None;
            }
            before.checked_add((bits & (bit - 1)).count_ones())?
        } else {
            let start = row.place as usize;
            self.lists.get(start..start + row.len as usize)?.binary_search(&target).ok()? as u32
        };
        row.first.checked_add(nth).filter(|&number| (number as usize) < self.len)
    }

    /// Has fetched what [`number`](Self::number) will read.
    #[inline]
    pub(crate) fn prefetch(&self, source: u32, target: u32) {
        let Some(row) = self.row(source) else { return };
        if row.is_bitmap(self.target_stems) {
            prefetch(&self.blocks, row.place as usize + (target / 32) as usize);
        } else {
            prefetch(&self.lists, row.place as usize + row.len as usize / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIZES: [usize; 2] = [4, 200];

    /// A list with these pairs, ascending: rows of few target stems and of many.
    fn list(pairs: &[[u32; 2]]) -> StemPairList {
        let mut list =
            StemPairList { rows: Vec::new(), lists: Vec::new(), blocks: Vec::new(), target_stems: 200, len: 0 };
        for stem in 0..SIZES[0] as u32 {
            let targets: Vec<u32> = pairs.iter().filter(|pair| pair[0] == stem).map(|pair| pair[1]).collect();
            let row = Row { first: list.len as u32, len: targets.len() as u32, place: 0 };
            list.len += targets.len();
            if row.is_bitmap(200) {
                list.rows.push([row.first, row.len, list.blocks.len() as u32]);
                list.blocks.extend(bitmap(targets.into_iter(), 200));
            } else {
                list.rows.push([row.first, row.len, list.lists.len() as u32]);
                list.lists.extend(targets);
            }
        }
        list
    }

    fn file(list: &StemPairList) -> Container {
        let (mut writer, mut bytes) = (ContainerWriter::new("stem pairs".to_owned()), Vec::new());
        list.clone().store(&mut writer, "level0");
        writer.write(&mut bytes).unwrap();
        Container::of_bytes("file".to_owned(), bytes).unwrap()
    }

    proptest! {
        #[test]
        fn numbers_of_some_pairs_are_those_of_a_search(
            all in prop::collection::btree_set((0u32..4, prop_oneof![1 => 0u32..200, 2 => 0u32..30]), 0..150),
            every in 1usize..6,
        ) {
            let all: Vec<[u32; 2]> = all.into_iter().map(|(source, target)| [source, target]).collect();
            let some: Vec<[u32; 2]> = all.iter().copied().step_by(every).collect();
            let list = list(&all);
            let (numbers, len) = StemPairList::numbers_in(&file(&list), "level0", SIZES, &some, false).unwrap();
            prop_assert_eq!(len, all.len());
            let (lacking, len) = StemPairList::numbers_in(&file(&self::list(&some)), "level0", SIZES, &all, true).unwrap();
            prop_assert_eq!(len, some.len());
            for (n, number) in lacking.into_iter().enumerate() {
                prop_assert_eq!(number, (n % every == 0).then_some((n / every) as u32));
            }
            let numbers: Vec<u32> = numbers.into_iter().map(Option::unwrap).collect();
            let searched: Vec<u32> = some.iter().map(|&[source, target]| list.number(source, target).unwrap()).collect();
            prop_assert_eq!(&numbers, &searched);
            let counted: Vec<u32> = (0..all.len() as u32).step_by(every).collect();
            prop_assert_eq!(numbers, counted);
        }
    }

    #[test]
    fn lists_that_contradict_themselves_or_lack_pairs_are_refused() {
        let pairs: Vec<[u32; 2]> = (0..40).map(|n| [1, 5 * n]).chain([[2, 3], [2, 9], [3, 100]]).collect();
        let list = list(&pairs);
        let read = |list: &StemPairList, pairs: &[[u32; 2]]| {
            StemPairList::numbers_in(&file(list), "level0", SIZES, pairs, false)
        };
        read(&list, &pairs).unwrap();
        for (changed, expected) in [
            (StemPairList { lists: vec![9, 3, 100], ..list.clone() }, "of source stem 2 in `level0`"),
            (StemPairList { lists: vec![3, 9, 200], ..list.clone() }, "of source stem 3 in `level0`"),
            (StemPairList { lists: vec![3], ..list.clone() }, "of source stem 2 in `level0`"),
            (StemPairList { blocks: vec![1], ..list.clone() }, "of source stem 1 in `level0`"),
            (StemPairList { rows: vec![[0, u32::MAX, 0]; 4], ..list.clone() }, "of source stem 0 in `level0`"),
        ] {
            let error = read(&changed, &pairs).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        for missing in [[0, 1], [1, 3], [2, 10], [3, 199]] {
            let error = read(&list, &[missing]).unwrap_err().to_string();
            assert!(error.contains("the stem pairs of the part"), "{error}");
        }
    }
}
