//! Smaller models.
//!
//! Most pairs of words that a model has met were never linked: what it says of them follows from prior, stems and spelling
//! alone, and can be computed when it is asked for ([`unmet`](super::unmet)). Such pairs need not be in the file. If that is
//! not enough, pairs with the fewest counts follow. What a pair is worth is
//!
//! ```text
//! d = max( t(f|e) mass(e) - n(f|e),  t(e|f) mass(f) - n(e|f) )
//! ```
//!
//! with n the numerator that it would have if it had not been met: its expected counts, and what a dictionary gave it. Stems,
//! words, jumps and fertilities stay as they are, and so does what the model knows of its own text.

use std::io::{self, Write};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::lexicon::{PairIndex, Probabilities};
use crate::model::em::parameters::TRANSLATION_FLOOR;
use crate::model::saved::counts::{PairCounts, store_counts};
use crate::model::saved::header::PROBABILITIES;
use crate::model::saved::open::Model;
use crate::model::saved::unmet::UnmetPairs;
use crate::storage::ContainerWriter;

/// What pairs without counts may seem to be worth: rounding errors, this times one and their numerator. The least count is
/// 2^-16.
const ROUNDING: f32 = 1.2e-5;

/// The counts of pairs of words.
const COUNTS: &str = "counts.counts";

/// What is left of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pruned {
    /// How many pairs of words the model had.
    pub pairs: usize,
    /// How many it has.
    pub kept: usize,
    /// The share of all counts that went with the others.
    pub lost: f64,
    /// About how many bytes the file has.
    pub bytes: usize,
}

/// A pair of words of a model.
struct Worth {
    counts: f32,
    words: [u32; 2],
    probabilities: [f32; 2],
}

impl Model {
    /// Writes the model without pairs of words that have no counts and, where a size is given, without as many more as it
    /// takes to come below so many bytes. O(pairs of words).
    ///
    /// # Errors
    /// `Config` if the model is larger than that without any pair; what the writer says.
    pub fn prune(&self, most: Option<usize>, to: &mut dyn Write) -> Result<Pruned> {
        let mut pairs = self.worths();
        let all: f64 = pairs.iter().map(|pair| f64::from(pair.counts)).sum();
        pairs.sort_by(|a, b| b.counts.total_cmp(&a.counts).then(a.words.cmp(&b.words)));
        let met = pairs.partition_point(|pair| pair.counts > 0.0);
        let mut kept = met;
        if let Some(most) = most {
            let fits = |kept: usize| -> Result<bool> { Ok(Smaller::new(self, &pairs[..kept])?.bytes()? <= most) };
            if !fits(0)? {
                return Err(Error::config(
                    "size",
                    most,
                    "more: words, stems and the model's own text take more than that",
                ));
            }
            // The most pairs that fit, to a thousandth of them.
            let (mut fitting, mut too_many) = if fits(met)? { (met, met + 1) } else { (0, met) };
            while too_many - fitting > 1 + fitting / 1000 {
                let middle = fitting.midpoint(too_many);
                *(if fits(middle)? { &mut fitting } else { &mut too_many }) = middle;
            }
            kept = fitting;
        }
        let smaller = Smaller::new(self, &pairs[..kept])?;
        let bytes = smaller.bytes()?;
        smaller.file()?.write(to).map_err(failed)?;
        let left: f64 = pairs[..kept].iter().map(|pair| f64::from(pair.counts)).sum();
        let lost = if all > 0.0 { (all - left) / all } else { 0.0 };
        Ok(Pruned { pairs: self.index().len(), kept, lost: lost.max(0.0), bytes })
    }

    /// What each pair of words is worth; 0 if nothing.
    fn worths(&self) -> Vec<Worth> {
        let mut unmet = UnmetPairs::new(&self.frozen, self.tables());
        let words = self.words().map(|words| (0..words.len() as u32).collect::<Vec<_>>());
        unmet.take_words([&words[0], &words[1]], &Arc::default());
        let mut worths = Vec::with_capacity(self.index().len());
        self.index().for_each_pair(self.index().rows(), |id, source, target| {
            let probabilities = self.frozen.probabilities.probability(id as u32);
            let without = unmet.numerators_of([source, target], [source, target], [TRANSLATION_FLOOR; 2]);
            let worth = [0, 1].map(|side| {
                let numerator = probabilities[side] * unmet.mass(side, [source, target][side]);
                let worth = numerator - without[side];
                if worth > ROUNDING * (1.0 + numerator) { worth } else { 0.0 }
            });
            worths.push(Worth { counts: worth[0].max(worth[1]), words: [source as u32, target as u32], probabilities });
        });
        worths
    }
}

/// A model with fewer pairs.
struct Smaller<'m> {
    model: &'m Model,
    index: PairIndex,
    probabilities: Vec<[f32; 2]>,
    /// The counts of pairs of words, if the model has them.
    counts: Option<PairCounts>,
}

impl<'m> Smaller<'m> {
    fn new(model: &'m Model, pairs: &[Worth]) -> Result<Self> {
        let words: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.words).collect();
        let index = PairIndex::of_pairs(model.frequencies.each_ref().map(|words| &words[..]), &words)?;
        let mut probabilities = vec![[TRANSLATION_FLOOR; 2]; index.ids()];
        let mut id = [0];
        for pair in pairs {
            index.resolve(&[pair.words[0]], &[pair.words[1]], &mut id);
            probabilities[id[0] as usize] = pair.probabilities;
        }
        let counts = if model.file.has(COUNTS) { Some(model.counts_in(&index, |words| words)?) } else { None };
        Ok(Self { model, index, probabilities, counts })
    }

    fn file(&self) -> Result<ContainerWriter<'_>> {
        let file = &self.model.file;
        let mut writer = ContainerWriter::new(file.text().to_owned());
        self.index.store(&mut writer);
        writer.add(PROBABILITIES, &self.probabilities);
        if let Some(counts) = &self.counts {
            store_counts(&mut writer, "counts", || counts.iter().copied());
        }
        let replaced = |name: &str| name.starts_with("index.") || [PROBABILITIES, "counts.ids", COUNTS].contains(&name);
        for name in file.names().iter().filter(|name| !replaced(name)) {
            writer.copy(file, name)?;
        }
        Ok(writer)
    }

    fn bytes(&self) -> Result<usize> {
        self.file()?.bytes().map_err(failed)
    }
}

fn failed(error: io::Error) -> Error {
    Error::io("the smaller model", error)
}
