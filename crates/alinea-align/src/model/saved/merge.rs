//! One model from several.
//!
//! A model keeps what its last pass counted. Counts of texts add up, so the maximization step over the sums of several
//! models' counts gives what their texts together would have given had they been counted under those models:
//!
//! ```text
//! c(e,f) = sum over models m of c_m(e,f)          the same for the empty word, jumps and fertilities
//! ```
//!
//! Words are those of all models, with the sums of their frequencies. How words are spelled is learned again, from the
//! sums. The model does not know again which sentence pairs the others were trained on.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::bitext::{Cuts, DistinctPairs, RankedBitext, Vocabulary, Weights};
use crate::error::{ErrorKind, Result};
use crate::lexicon::{PairIndex, PairTable};
use crate::model::aligner::{Aligner, Provenance};
use crate::model::em::expectation::{Expectations, PreviousPass};
use crate::model::em::maximization::{Maximization, Maximizer};
use crate::model::em::parameters::{Direction, Parameters, TRANSLATION_FLOOR};
use crate::model::em::pass::{Pass, Stage};
use crate::model::pair::jumps::JumpCounts;
use crate::model::refinement::fertility::{FertilityCounts, NUMBERS};
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::supervision::GivenLinks;
use crate::model::saved::open::Model;
use crate::parallel::Parallelism;

/// A model that was merged, and the words it is about, with which it can be saved ([`Aligner::save`]).
#[derive(Debug)]
pub struct Merged {
    /// The model.
    pub aligner: Aligner,
    /// Its words, without sentences.
    pub words: RankedBitext,
}

impl Merged {
    /// Adds the counts of models. O(pairs of words).
    ///
    /// # Errors
    /// `Empty` without models; `Inconsistent` if they were trained or read their text differently, or have no counts; `Model` if
    /// counts are those of no text.
    pub fn of(models: &[&Model], parallelism: &Parallelism) -> Result<Self> {
        let Some((first, others)) = models.split_first() else {
            return Err(ErrorKind::Empty("no models to merge".to_owned()).into());
        };
        for model in others {
            if model.config() != first.config() || model.form() != first.form() {
                let message = format!("{} and {} are models of different kinds", first.file.name(), model.file.name());
                return Err(ErrorKind::Inconsistent(message).into());
            }
        }
        let config = first.config().clone();
        let pairs = models.iter().map(|model| model.pairs()).fold(0, usize::saturating_add);
        let sides = [0, 1].map(|side| Words::of(models, side));
        let text = RankedBitext::of_words(
            sides.each_ref().map(|side| side.vocabulary.clone()),
            sides.each_ref().map(|side| side.frequencies.clone()),
        );
        let maps = |n: usize| sides.each_ref().map(|side| &side.numbers[n][..]);
        let index = Arc::new(index(models, &maps, &text)?);

        let mut translation = PairTable::new(index.ids(), TRANSLATION_FLOOR, parallelism);
        let mut agreed = config.agreement;
        let mut sums = nothing(&text, config.jumps.classes());
        for (n, model) in models.iter().enumerate() {
            add(&mut sums, &model.sums()?, maps(n));
            let [sources, targets] = maps(n);
            for (id, units) in model.counts_in(&index, |[s, t]| [sources[s as usize], targets[t as usize]])? {
                translation.add_counts(id, units);
                agreed &= units[0] == units[1];
            }
        }
        let longest = |direction: usize| {
            let longest = models.iter().map(|model| model.parameters.direction(direction).jumps.longest());
            longest.max().unwrap_or(1)
        };
        let texts = text.bitext();
        let mut parameters = Parameters {
            translation,
            forward: Direction::initial(&texts.target, text.target_frequencies(), config.jumps, longest(0)),
            reverse: Direction::initial(&texts.source, text.source_frequencies(), config.jumps, longest(1)),
            back_off: Vec::new(),
        };
        let mut maximizer = Maximizer::new(&text, pairs, &index, &config, parallelism);
        let characters = match &first.frozen.characters {
            Some(characters) if others.is_empty() => {
                maximizer.take_spelling(&text, characters, parallelism)?;
                Some(characters.clone())
            }
            _ if config.characters => maximizer.learn_spelling(&text, &parameters.translation, parallelism)?,
            _ => None,
        };
        let stage = if first.is_hmm() { Stage::Hmm } else { Stage::Ibm1 };
        let maximization = Maximization { pass: Pass { stage, agreed }, keeps_stems: true };
        maximizer.maximize(&sums, maximization, &config, &mut parameters, parallelism)?;
        let schedule = config.schedule_for(pairs);
        let aligner = Aligner {
            config,
            schedule,
            pairs,
            weights: Weights::default(),
            cuts: Cuts::default(),
            distinct: DistinctPairs::default(),
            index,
            levels: Arc::clone(maximizer.levels()),
            parameters,
            characters,
            previous: PreviousPass::Nothing,
            links: GivenLinks::default(),
            given: GivenPosteriors::default(),
            provenance: Provenance { models: models.len(), ..Provenance::default() },
            sums: Some(sums),
            log_likelihoods: Vec::new(),
        };
        Ok(Self { aligner, words: text })
    }
}

/// The words of one side of all models.
struct Words {
    vocabulary: Vocabulary,
    frequencies: Vec<u64>,
    /// For each model the new numbers of its words.
    numbers: Vec<Vec<u32>>,
}

impl Words {
    /// By falling frequency; of words that are as frequent, those of the first model come first.
    fn of(models: &[&Model], side: usize) -> Self {
        let mut all = Vocabulary::default();
        let mut sums: Vec<u64> = Vec::new();
        let mut numbers: Vec<Vec<u32>> = Vec::new();
        for model in models {
            let words = model.words()[side].words().zip(&model.frequencies[side]);
            let number = |(word, frequency): (&[u8], &u64)| {
                let number = all.intern(word).index();
                sums.resize(sums.len().max(number + 1), 0);
                sums[number] += frequency;
                number as u32
            };
            numbers.push(words.map(number).collect());
        }
        let mut order: Vec<u32> = (0..sums.len() as u32).collect();
        order.sort_by_key(|&number| Reverse(sums[number as usize]));
        let mut ranks = vec![0; order.len()];
        for (rank, &number) in (0..).zip(&order) {
            ranks[number as usize] = rank;
        }
        let vocabulary = all.reordered(&order);
        for number in numbers.iter_mut().flatten() {
            *number = ranks[*number as usize];
        }
        Self { vocabulary, frequencies: order.into_iter().map(|number| sums[number as usize]).collect(), numbers }
    }
}

/// The pairs of words that any model knows.
fn index<'w>(models: &[&Model], maps: &impl Fn(usize) -> [&'w [u32]; 2], text: &RankedBitext) -> Result<PairIndex> {
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for (n, model) in models.iter().enumerate() {
        let [sources, targets] = maps(n);
        model.index().for_each_pair(model.index().rows(), |_, s, t| pairs.push([sources[s], targets[t]]));
        pairs.sort_unstable();
        pairs.dedup();
    }
    PairIndex::of_pairs([text.source_frequencies(), text.target_frequencies()], &pairs)
}

fn nothing(text: &RankedBitext, classes: usize) -> Expectations {
    let words = [text.source_frequencies().len(), text.target_frequencies().len()];
    Expectations {
        forward_null: vec![0; words[1]],
        reverse_null: vec![0; words[0]],
        forward_jumps: JumpCounts::new(classes),
        reverse_jumps: JumpCounts::new(classes),
        fertilities: words.map(FertilityCounts::new),
        chunks: Vec::new(),
    }
}

/// Adds the sums of a model, whose words have these numbers.
fn add(sums: &mut Expectations, model: &Expectations, [sources, targets]: [&[u32]; 2]) {
    let by_word = |sums: &mut [u64], counts: &[u64], numbers: &[u32]| {
        for (count, &number) in counts.iter().zip(numbers) {
            let sum = &mut sums[number as usize];
            *sum = sum.saturating_add(*count);
        }
    };
    by_word(&mut sums.forward_null, &model.forward_null, targets);
    by_word(&mut sums.reverse_null, &model.reverse_null, sources);
    sums.forward_jumps.merge(&model.forward_jumps);
    sums.reverse_jumps.merge(&model.reverse_jumps);
    for ((sums, counts), numbers) in sums.fertilities.iter_mut().zip(&model.fertilities).zip([sources, targets]) {
        let words = sums.rows().len();
        let mut rows = vec![[0; NUMBERS]; words];
        counts.rows().iter().zip(numbers).for_each(|(row, &number)| rows[number as usize] = *row);
        sums.merge(&FertilityCounts::of_rows(rows));
    }
}

impl Model {
    /// What the last pass counted besides pairs of words.
    fn sums(&self) -> Result<Expectations> {
        let name = self.file.name();
        if !self.file.has("counts.ids") {
            let message = format!("{name} has no counts: it was adapted, and keeps only those of the new text");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let sums = Expectations::load(&self.file, "counts.")?;
        let words = self.words().map(Vocabulary::len);
        let fits = [sums.reverse_null.len(), sums.forward_null.len()] == words
            && sums.fertilities.iter().zip(words).all(|(counts, words)| [0, words].contains(&counts.rows().len()));
        if !fits {
            return Err(self.file.error("counts of its words".to_owned(), "others".to_owned()));
        }
        Ok(sums)
    }
}
