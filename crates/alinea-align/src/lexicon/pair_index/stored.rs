//! The pair index in a file: four arrays of a container, checked when they are read.
//!
//! | array | content |
//! |---|---|
//! | `index.source`, `index.target` | `[start, length, place, layout]` of the row of each word, as `u32` |
//! | `index.lists` | partners of `List` rows, ascending, as `u32` |
//! | `index.blocks` | blocks of the other rows, as `u64`: a bitmap above, the number of pairs before it below |
//!
//! The order of rows and their universes are not stored; they follow from the frequencies of the words. Loading checks
//! every row in O(file size): it lies within its array, its ids follow those of the row before, its partners ascend
//! within the universe, and the running counts are those of the bitmaps. So a damaged or forged index is an error here,
//! and a lookup cannot lead to an id that does not exist. Words that the index does not have get an empty row.

use super::{Layout, PairIndex, Row, Side, owners, universes};
use crate::error::Result;
use crate::storage::{Container, ContainerWriter};

/// The arrays of rows: start, length, place and layout of each word.
pub(super) const ROWS: [&str; 2] = ["index.source", "index.target"];
pub(super) const LISTS: &str = "index.lists";
pub(super) const BLOCKS: &str = "index.blocks";

impl PairIndex {
    /// Adds what it has to a file.
    pub(crate) fn store<'a>(&'a self, file: &mut ContainerWriter<'a>) {
        for (side, name) in [Side::Source, Side::Target].into_iter().zip(ROWS) {
            // What was read from a file has a row more.
            let words = self.owners.iter().filter(|owner| owner.side == side).count();
            let rows: Vec<[u32; 4]> = self.by_word[side as usize][..words].iter().map(|row| row.numbers()).collect();
            file.add_owned(name, rows);
        }
        file.add(LISTS, &self.lists);
        file.add(BLOCKS, &self.blocks);
    }

    /// The index in a file; words it does not know have no pairs. Given are the frequencies of the words it knows.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(crate) fn load(file: &Container, frequencies: [&[u64]; 2]) -> Result<Self> {
        let mut index = Self {
            by_word: Default::default(),
            owners: owners(frequencies),
            len: 0,
            ids: 0,
            lists: file.section(LISTS)?,
            blocks: file.section(BLOCKS)?,
        };
        let universes = universes(frequencies);
        for side in [0, 1] {
            let rows = file.section_of::<[u32; 4]>(ROWS[side], frequencies[side].len())?;
            for (word, (&numbers, &universe)) in rows.iter().zip(&universes[side]).enumerate() {
                let row = Row::of_numbers(numbers, universe).filter(|&row| index.has_room_for(row));
                let bad = || file.error(format!("a row of `{}`", ROWS[side]), format!("{numbers:?} for word {word}"));
                index.by_word[side].push(row.ok_or_else(bad)?);
            }
        }
        for owner in std::mem::take(&mut index.owners) {
            let row = index.row(owner);
            if row.start != index.ids {
                let expected =
                    format!("the row of word {} in `{}` at {}", owner.word, ROWS[owner.side as usize], index.ids);
                return Err(file.error(expected, format!("it at {}", row.start)));
            }
            if !index.is_sound(row) {
                let expected = format!("the partners of word {} in `{}`", owner.word, ROWS[owner.side as usize]);
                return Err(file.error(expected, "numbers that contradict each other".to_owned()));
            }
            index.append(&[(owner, Row { place: 0, ..row })], (row.place, row.place))?;
        }
        index.by_word[0].push(Row { universe: frequencies[1].len() as u32, ..Row::EMPTY });
        index.by_word[1].push(Row { universe: u32::MAX, ..Row::EMPTY });
        Ok(index)
    }

    /// Whether the partners of a row are as many as it says, in order, and in its universe, so that ids follow from them.
    fn is_sound(&self, row: Row) -> bool {
        if row.layout == Layout::List {
            let list = self.list_of(row);
            return list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|&last| last < row.universe);
        }
        let mut before = 0;
        let mut highest = 0;
        for (n, block) in (0..).zip(self.blocks_of(row)) {
            let (bits, counted) = ((block >> 32) as u32, *block as u32);
            if counted != before {
                return false;
            }
            before += bits.count_ones();
            if bits != 0 {
                highest = 32 * n + bits.ilog2() + 1;
            }
        }
        before == row.len && highest <= row.universe
    }

    fn has_room_for(&self, row: Row) -> bool {
        let (needed, there) = match row.layout {
            Layout::List => (row.len as usize, self.lists.len()),
            Layout::Bitmap | Layout::Dense => (row.blocks(), self.blocks.len()),
        };
        row.len <= row.universe && row.place as usize + needed <= there
    }
}

impl Row {
    fn numbers(self) -> [u32; 4] {
        [self.start, self.len, self.place, self.layout as u32]
    }

    pub(super) fn of_numbers([start, len, place, layout]: [u32; 4], universe: u32) -> Option<Self> {
        let layout = [Layout::List, Layout::Bitmap, Layout::Dense].into_iter().find(|known| *known as u32 == layout)?;
        Some(Self { start, len, universe, place, layout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::{Bitext, RankedBitext, Text};
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    /// A text of 200 words, which never meet but in pairs of a frequent and a rare one: rows of all layouts.
    fn text() -> RankedBitext {
        let (mut source, mut target) = (Text::default(), Text::default());
        for n in 0u8..200 {
            source.push_sentence([&[n][..], &[n / 2], &[n / 20]]);
            target.push_sentence([&[n][..], &[n / 2], &[n / 20]]);
        }
        RankedBitext::new(Bitext::new(source, target).unwrap())
    }

    /// An index whose arrays were changed, read from a file.
    fn load(text: &RankedBitext, change: impl Fn(&mut [u32], &mut [u64])) -> Result<PairIndex> {
        let mut index = PairIndex::build(text, &Parallelism::serial(), &Silent).unwrap();
        change(&mut index.lists, &mut index.blocks);
        let mut writer = ContainerWriter::new("an index".to_owned());
        index.store(&mut writer);
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        let file = Container::of_stream("file".to_owned(), &mut &bytes[..]).unwrap();
        PairIndex::load(&file, [text.source_frequencies(), text.target_frequencies()])
    }

    #[test]
    fn partners_that_lead_elsewhere_are_refused() {
        let text = text();
        assert!(load(&text, |_, _| ()).is_ok());
        let refused = |change: &dyn Fn(&mut [u32], &mut [u64])| {
            let error = load(&text, change).unwrap_err().to_string();
            assert!(error.ends_with("found numbers that contradict each other"), "{error}");
        };
        refused(&|lists, _| lists[0] = u32::MAX);
        refused(&|lists, _| lists[..2].swap(0, 1));
        refused(&|_, blocks| blocks[0] ^= 1 << 63);
        refused(&|_, blocks| blocks[1] |= u64::from(u32::MAX));
    }
}
