//! The stem pairs of a saved model, searchable by stems.
//!
//! In training, [`StemPairs`] finds the number of a stem pair from the id of a word pair. A saved model also needs it
//! for words that never occurred together. So it lists, for each source stem, the target stems in ascending order; the
//! number of a pair is the first number of the row plus the position of the target stem. A row is a sorted list (binary
//! search) or, where that takes no more memory, a bitmap whose blocks hold 32 bits and the number of stems before them
//! (one load and a population count), as in a [`PairIndex`].
//!
//! The arrays come from a file and are not checked as a whole: a lookup that would leave them finds nothing.

use super::{PairIndex, StemPairs, Stems};
use crate::error::Result;
use crate::numeric::simd::prefetch;
use crate::storage::{Container, ContainerWriter};

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
}

impl StemPairList {
    /// Adds the pairs of stems that pairs of words have to a file, under a name that others begin with.
    pub(crate) fn store(
        file: &mut ContainerWriter<'_>,
        name: &str,
        index: &PairIndex,
        pairs: &StemPairs,
        [source, target]: [&Stems; 2],
    ) {
        // By number.
        let mut stems = vec![[0u32; 2]; pairs.len()];
        index.for_each_pair(index.rows(), |id, s, t| {
            let [source, target] = [source.of_word()[s], target.of_word()[t]];
            stems[pairs.of_pair(id, s, target) as usize] = [source, target];
        });
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
        file.add_owned(format!("{name}.rows"), rows);
        file.add_owned(format!("{name}.lists"), lists);
        file.add_owned(format!("{name}.blocks"), blocks);
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

/// Ascending numbers below `end` as blocks: 32 bits in the upper half, how many come before them in the lower.
pub(super) fn bitmap(numbers: impl Iterator<Item = u32>, end: u32) -> Vec<u64> {
    let mut blocks = vec![0u64; end.div_ceil(32) as usize];
    for number in numbers {
        blocks[(number / 32) as usize] |= 1 << (32 + number % 32);
    }
    let mut before = 0;
    for block in &mut blocks {
        *block |= before;
        before += u64::from((*block >> 32).count_ones());
    }
    blocks
}
