//! The expected counts of the last pass, read from the file of a model.
//!
//! Opening a model leaves them in the file; merging and pruning read them here, in terms of another pair index. The
//! words of each pair are renumbered and looked up there, pairs that the other index does not have are left out, and
//! the result is sorted by id.
//!
//! The file is not trusted. Counts must be of pairs of the model's index. In each direction their sum must not exceed
//! twice the number of words in the text: a word is generated at most once, and rounding to units of 2^-16 at most
//! doubles that.

use crate::error::Result;
use crate::lexicon::{PairIndex, SparseValues, UNIT};
use crate::model::saved::counts::{PairCounts, load_pairs};
use crate::model::saved::open::Model;

impl Model {
    /// Refuses counts of more links than the words of its text have. In each direction a word has one at most; rounding to units
    /// doubles that at most.
    fn check(&self, counts: &PairCounts) -> Result<()> {
        let words: u128 = self.frequencies.iter().flatten().map(|&frequency| u128::from(frequency)).sum();
        let links = |direction: usize| {
            let units: u128 = counts.iter().map(|(_, units)| u128::from(units[direction])).sum();
            units / UNIT as u128
        };
        match [links(0), links(1)].into_iter().find(|&links| links > 2 * words) {
            Some(links) => Err(self
                .file
                .error(format!("counts of no more links than {words} words have"), format!("{links} links"))),
            None => Ok(()),
        }
    }

    /// The counts of its pairs of words that another index has too, by the ids of that; given is what numbers their words
    /// have there.
    pub(in crate::model) fn counts_in(
        &self,
        index: &PairIndex,
        numbers: impl Fn([u32; 2]) -> [u32; 2],
    ) -> Result<PairCounts> {
        let counts = load_pairs(&self.file, "counts")?;
        self.check(&counts)?;
        let mut values = SparseValues::starting_at(&counts, 0);
        let mut is_there = vec![false; index.ids()];
        index.for_each_pair(index.rows(), |id, _, _| is_there[id] = true);
        let (mut found, mut id, mut own) = (PairCounts::new(), [0], 0);
        self.index().for_each_pair(self.index().rows(), |old, source, target| {
            if let Some(counts) = values.of(old) {
                own += 1;
                let [source, target] = numbers([source as u32, target as u32]);
                index.resolve(&[source], &[target], &mut id);
                if is_there.get(id[0] as usize) == Some(&true) {
                    found.push((id[0], counts));
                }
            }
        });
        if own != counts.len() {
            let found = format!("{} counts for other pairs", counts.len() - own);
            return Err(self.file.error("counts of its pairs of words".to_owned(), found));
        }
        found.sort_unstable_by_key(|&(id, _)| id);
        Ok(found)
    }
}
