//! Weights of features by 64-bit keys, in memory and in files: what the learners of word order produce.
//!
//! A feature has a row of `LABELS` weights in single precision: two for the actions of bracketing trees, one for binary
//! decisions. Unknown features have weight 0, and the table answers for them as fast as for others (`feature_table`).
//!
//! In a file they are two arrays, `PREFIX.keys`, ascending, and `PREFIX.weights`. Sorting makes the bytes independent
//! of the order in the table. A reader refuses keys that do not ascend and weights that are not finite.

use super::feature_table::FeatureTable;
use crate::error::Result;
use crate::storage::{Container, ContainerWriter};

/// Weights by the keys of features.
#[derive(Debug)]
pub(super) struct FeatureWeights<const LABELS: usize>(FeatureTable<Row<LABELS>>);

/// The weights of a feature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<const LABELS: usize>([f32; LABELS]);

impl<const LABELS: usize> From<Row<LABELS>> for [f64; LABELS] {
    #[inline(always)]
    fn from(Row(weights): Row<LABELS>) -> Self {
        weights.map(f64::from)
    }
}

impl<const LABELS: usize> Default for Row<LABELS> {
    fn default() -> Self {
        Self([0.0; LABELS])
    }
}

impl<const LABELS: usize> FromIterator<(u64, [f32; LABELS])> for FeatureWeights<LABELS> {
    fn from_iter<I: IntoIterator<Item = (u64, [f32; LABELS])>>(features: I) -> Self {
        let mut table = FeatureTable::default();
        features.into_iter().for_each(|(key, weights)| *table.get_mut(key) = Row(weights));
        Self(table)
    }
}

impl<const LABELS: usize> FeatureWeights<LABELS> {
    /// The weights of a feature; zeros if it is unknown.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> [f64; LABELS] {
        self.0.get(key).into()
    }

    /// The same as they are kept.
    #[inline(always)]
    pub(super) fn row(&self, key: u64) -> [f32; LABELS] {
        self.0.get(key).0
    }

    /// All features, in no order that means anything, and their weights.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u64, [f32; LABELS])> {
        self.0.iter().map(|(key, Row(weights))| (key, weights))
    }

    /// The weights of all features.
    pub(super) fn table(&self) -> &FeatureTable<Row<LABELS>> {
        &self.0
    }

    /// The number of features.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Puts the weights into a file, under names that begin with `prefix`.
    pub(super) fn add_to(&self, prefix: &str, writer: &mut ContainerWriter<'_>) {
        let mut features: Vec<(u64, [f32; LABELS])> = self.rows().collect();
        features.sort_unstable_by_key(|&(key, _)| key);
        let (keys, weights): (Vec<u64>, Vec<[f32; LABELS]>) = features.into_iter().unzip();
        writer.add_owned(format!("{prefix}.keys"), keys);
        writer.add_owned(format!("{prefix}.weights"), weights);
    }

    /// Reads weights that were put into a file.
    pub(super) fn read(prefix: &str, container: &Container) -> Result<Self> {
        let keys = container.section::<u64>(&format!("{prefix}.keys"))?;
        let weights = container.section_of::<[f32; LABELS]>(&format!("{prefix}.weights"), keys.len())?;
        let ascending = keys.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || !weights.iter().flatten().all(|weight| weight.is_finite()) {
            return Err(container.error("features, each once, with numbers".to_owned(), "others".to_owned()));
        }
        let mut table = FeatureTable::with_capacity(keys.len());
        keys.iter().zip(weights.iter()).for_each(|(&key, &weights)| *table.get_mut(key) = Row(weights));
        Ok(Self(table))
    }
}
