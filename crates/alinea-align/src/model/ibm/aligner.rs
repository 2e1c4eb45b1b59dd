//! Training a chain of IBM models, and the result.
//!
//! 1. If the chain has an HMM, the joint lattice trains Model 1 and the textbook HMM; its lexicon and best paths start
//!    what follows. Otherwise each direction trains Model 1, then Model 2 or the diagonal model if the chain has one.
//! 2. For Model 4, word classes are trained unless they are given.
//! 3. Each direction passes through Models 3 to 5 as far as the chain goes. A model starts from t and the alignments of
//!    the one before: fertilities, p1 and word order are first counted from one alignment for each pair, then EM
//!    begins.
//!
//! [`IbmConfig`] has the chain and how much estimates are smoothed; under [`IbmConfig::textbook`] those of Models 3 to 5
//! are not. [`IbmAligner`] keeps, for each direction, the tables of the last model and the best alignment of every
//! sentence pair. Posteriors under Models 3 to 5 are computed around these alignments. A chain that ends with the HMM
//! has no posteriors.

use super::absolute::Absolute;
use super::directed::{Directed, Generated};
use super::fertile_tables::{Fertile, Order};
use super::fertility::{FertilityTable, NullInsertion};
use super::paths::{Paths, gather};
use super::positions::{Kind, Positions};
use super::relative::{Classes, Displacements, Relative};
use super::schedule::{IbmModel, IbmSchedule};
use super::translation::TranslationTable;
use super::vacancies::Vacancies;
use super::word_by_word::WordByWord;
use crate::alignment::{Alignment, Link};
use crate::bitext::{Bitext, Cuts, RankedBitext, Text};
use crate::classes::{ClassesConfig, WordClasses};
use crate::error::{Error, ErrorKind, Result};
use crate::lexicon::PairIndex;
use crate::model::em::text::usable_pairs;
use crate::model::{Aligner, AlignerConfig, Schedule, Worker};
use crate::parallel::{Parallelism, Work};
use crate::progress::{Observer, Step};

/// A chain of models and how they are estimated.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct IbmConfig {
    /// The models and their passes.
    pub schedule: IbmSchedule,
    /// The diagonal model's tension before training, probability of the empty word, and pseudo-count of every pair of
    /// words that occurs, for variational Bayes: 4, 0.08 and 0.01 in Dyer, Chahuneau and Smith (2013).
    pub diagonal: [f64; 3],
    /// The probability p1 that a generated word brings one of the empty word along; estimated if not given.
    pub null_insertion: Option<f64>,
    /// How many pseudo-counts draw the fertilities of a word to the mean of all words.
    pub fertility_strength: f64,
    /// The share of the uniform distribution in Model 3's distortion.
    pub distortion_uniform: f64,
    /// How many pseudo-counts draw the displacements of a class, in Models 4 and 5, to the mean of all classes.
    pub order_strength: f64,
    /// Whether Models 3 to 5 sum over the alignments in which each possible link in turn is held fixed, too: pegging
    /// (Brown et al. 1993, section 4.4). It takes some I J times as long for a pair of I and J words.
    pub pegging: bool,
    /// How many classes the words of each side are put into for Models 4 and 5, if [`classes`](Self::classes) are not
    /// given.
    pub class_count: usize,
    /// The class of each source word and of each target word, by rank, from 0.
    pub classes: Option<[Vec<u32>; 2]>,
}

alinea_text::configurable!(IbmConfig);

impl IbmConfig {
    /// A chain with the settings that were measured to be good.
    pub fn new(schedule: IbmSchedule) -> Self {
        Self {
            schedule,
            diagonal: [4.0, 0.08, 0.01],
            null_insertion: Some(0.02),
            fertility_strength: 5.0,
            distortion_uniform: 0.1,
            order_strength: 10.0,
            pegging: false,
            class_count: 50,
            classes: None,
        }
    }

    /// Relative frequencies, as Brown et al. (1993) have it; `diagonal` keeps its pseudo-count.
    pub fn textbook(schedule: IbmSchedule) -> Self {
        Self {
            null_insertion: None,
            fertility_strength: 0.0,
            distortion_uniform: 0.0,
            order_strength: 0.0,
            ..Self::new(schedule)
        }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// A `Config` error that names field, value and what is allowed.
    pub fn validate(&self) -> Result<()> {
        let within = |field: &'static str, value: f64, allowed: std::ops::RangeInclusive<f64>, text: &'static str| {
            if allowed.contains(&value) { Ok(()) } else { Err(Error::config(field, value, text)) }
        };
        let [tension, null, pseudo_count] = self.diagonal;
        if !(1..=ClassesConfig::MOST_CLASSES).contains(&self.class_count) {
            return Err(Error::config("classes", self.class_count, "1 to 2000"));
        }
        within("tension", tension, 0.1..=14.0, "0.1 to 14")?;
        within("null_probability", null, 1e-6..=0.999, "0.000001 to 0.999")?;
        within("pseudo_count", pseudo_count, 1e-7..=1e3, "0.0000001 to 1000")?;
        within("null_insertion", self.null_insertion.unwrap_or(0.5), 1e-6..=0.999, "0.000001 to 0.999")?;
        within("fertility_strength", self.fertility_strength, 0.0..=1e6, "0 to 1000000")?;
        within("distortion_uniform", self.distortion_uniform, 0.0..=1.0, "0 to 1")?;
        within("order_strength", self.order_strength, 0.0..=1e6, "0 to 1000000")
    }

    /// One line that names every choice that changes results.
    pub fn signature(&self) -> String {
        let Self { schedule, diagonal: [tension, null, pseudo_count], .. } = self;
        let Self { null_insertion, fertility_strength, distortion_uniform, order_strength, .. } = self;
        let has = |model: IbmModel| schedule.stages().iter().any(|&(other, _)| other == model);
        let mut fields = vec![format!("model:{}|it:{schedule}", schedule.last())];
        if has(IbmModel::Diagonal) {
            fields.push(format!("tension:{tension}|p0:{null}|vb:{pseudo_count}"));
        }
        if schedule.last().is_fertile() {
            let p1 = null_insertion.map_or("free".to_owned(), |p1| p1.to_string());
            fields.push(format!("p1:{p1}|fertility:{fertility_strength}|distortion:{distortion_uniform}"));
            fields.extend(self.pegging.then(|| "pegging".to_owned()));
        }
        if has(IbmModel::Ibm4) {
            let classes = self.classes.as_ref().map_or_else(|| self.class_count.to_string(), |_| "given".to_owned());
            fields.push(format!("order:{order_strength}|classes:{classes}"));
        }
        fields.push(concat!("v:", env!("CARGO_PKG_VERSION")).to_owned());
        fields.join("|")
    }
}

/// What a chain comes to: for each sentence pair the best alignment of each direction, and the tables.
#[derive(Debug)]
pub struct IbmAligner {
    pub(super) index: std::sync::Arc<PairIndex>,
    /// Where long pairs of the text are cut: paths are those of stretches.
    pub(super) cuts: Cuts,
    pub(super) directions: [Trained; 2],
    /// What the chain ended with.
    pub(super) model: IbmModel,
    signature: String,
    log_likelihoods: [Vec<f64>; 2],
}

/// One direction.
#[derive(Debug)]
pub(super) struct Trained {
    pub(super) tables: Tables,
    pub(super) paths: Paths,
}

#[derive(Debug)]
pub(super) enum Tables {
    WordByWord(WordByWord),
    Fertile(Box<Fertile>),
}

impl IbmAligner {
    /// Trains both directions on a text. Pairs with an empty side teach nothing.
    ///
    /// # Errors
    /// `Config` for a bad configuration, `Empty` if every pair has an empty side, `Cancelled` if the observer says so.
    pub fn train(
        bitext: &RankedBitext,
        config: &IbmConfig,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        config.validate()?;
        let work = Work { parallelism, observer };
        let cuts = bitext.cuts();
        let bitext = bitext.in_stretches();
        usable_pairs(bitext)?;
        observer.planned(&steps(&config.schedule));
        let start = (config.schedule.passes_of(IbmModel::Hmm) > 0)
            .then(|| {
                let schedule = Schedule {
                    ibm1: config.schedule.passes_of(IbmModel::Ibm1),
                    hmm: config.schedule.passes_of(IbmModel::Hmm),
                };
                let hmm = AlignerConfig { schedule: Some(schedule), ..AlignerConfig::hmm() };
                Aligner::train(bitext, hmm, parallelism, observer)
            })
            .transpose()?;
        let index = match &start {
            Some(aligner) => std::sync::Arc::clone(&aligner.index),
            None => std::sync::Arc::new(PairIndex::build(bitext, parallelism, observer)?),
        };
        let trained;
        let classes = match &config.classes {
            Some(given) => Some(given),
            None if config.schedule.passes_of(IbmModel::Ibm4) > 0 => {
                trained = train_classes(bitext, config.class_count, work)?;
                Some(&trained)
            }
            None => None,
        };
        let mut hmm_paths = start.as_ref().map(|aligner| paths_of(aligner, bitext, work)).transpose()?;
        let mut train = |generated: Generated| {
            let directed = Directed { bitext, index: &index, generated };
            let start =
                start.as_ref().zip(hmm_paths.as_mut().map(|paths| std::mem::take(&mut paths[generated as usize])));
            let log_likelihoods = Vec::new();
            Trainer { directed, config, classes, work, log_likelihoods }.train(start)
        };
        let (forward, forward_likelihoods) = train(Generated::Target)?;
        let (reverse, reverse_likelihoods) = train(Generated::Source)?;
        Ok(Self {
            index,
            cuts,
            directions: [forward, reverse],
            model: config.schedule.last(),
            signature: config.signature(),
            log_likelihoods: [forward_likelihoods, reverse_likelihoods],
        })
    }

    /// One line that names every choice that changed results.
    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// The best alignments of the `n`-th pair: forward gives each target word at most one source word, reverse each source
    /// word at most one target word.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn paths(&self, n: usize) -> [Alignment; 2] {
        let starts = std::iter::once([0, 0]).chain(self.cuts.of_pair(n).iter().copied());
        let stretches = (self.cuts.first_of(n)..).zip(starts);
        Generated::BOTH.map(|generated| {
            let links = stretches.clone().flat_map(|(stretch, [s, t])| {
                let path = self.directions[generated as usize].paths.of(stretch);
                let linked = path.iter().enumerate().filter(|&(_, &position)| position > 0);
                linked.map(move |(j, &position)| match generated {
                    Generated::Target => Link { source: s + position - 1, target: t + j as u32 },
                    Generated::Source => Link { source: s + j as u32, target: t + position - 1 },
                })
            });
            Alignment::from_links(links.collect())
        })
    }

    /// Checks whether there are posteriors, which the HMM's are not kept for.
    ///
    /// # Errors
    /// `Config` if the chain ends with the HMM.
    pub fn check_posteriors(&self) -> Result<()> {
        match self.model {
            IbmModel::Hmm => {
                let allowed = "a chain that does not end with hmm, or the model hmm alone, for posteriors";
                Err(Error::config("iterations", self.model, allowed))
            }
            _ => Ok(()),
        }
    }

    /// The log-likelihood of the text before each pass, forward and reverse, passes of the HMM left out; under models with
    /// fertilities as far as the alignments that were counted go.
    pub fn log_likelihoods(&self) -> [&[f64]; 2] {
        [&self.log_likelihoods[0], &self.log_likelihoods[1]]
    }

    /// Visits t of all pairs of words, in one direction (0 forward, 1 reverse): conditioning word and generated word by
    /// rank, t(generated | condition). O(pairs).
    pub fn for_each_translation(&self, direction: usize, visit: impl FnMut([usize; 2], f64)) {
        self.translation(direction).for_each(&self.index, Generated::BOTH[direction], visit);
    }

    /// t(generated word | empty word) by rank, in one direction (0 forward, 1 reverse).
    pub fn null_translation(&self, direction: usize) -> &[f64] {
        self.translation(direction).null()
    }

    /// Visits a(i | j, I, J) of Model 2 and the diagonal model: i (0 for the empty word), j from 1, I, J.
    pub fn for_each_position(&self, direction: usize, visit: impl FnMut([usize; 4], f64)) {
        if let Tables::WordByWord(word_by_word) = &self.directions[direction].tables {
            word_by_word.positions.for_each(visit);
        }
    }

    /// The tension of the diagonal model, if the chain ends with it.
    pub fn tension(&self, direction: usize) -> Option<f64> {
        match &self.directions[direction].tables {
            Tables::WordByWord(WordByWord { positions, .. }) => match positions.kind() {
                Kind::Diagonal { tension, .. } => Some(tension),
                Kind::Uniform | Kind::Free => None,
            },
            Tables::Fertile(_) => None,
        }
    }

    fn translation(&self, direction: usize) -> &TranslationTable {
        match &self.directions[direction].tables {
            Tables::WordByWord(word_by_word) => &word_by_word.translation,
            Tables::Fertile(fertile) => &fertile.translation,
        }
    }
}

/// The training of one direction.
struct Trainer<'t> {
    directed: Directed<'t>,
    config: &'t IbmConfig,
    classes: Option<&'t [Vec<u32>; 2]>,
    work: Work<'t>,
    log_likelihoods: Vec<f64>,
}

impl Trainer<'_> {
    /// All stages; from an HMM and its paths if the chain has one.
    fn train(mut self, start: Option<(&Aligner, Paths)>) -> Result<(Trained, Vec<f64>)> {
        let (tables, paths) = match start {
            Some((aligner, paths)) => {
                let translation = translation_of(aligner, self.directed.generated);
                (WordByWord { translation, positions: Positions::uniform() }, paths)
            }
            None => self.train_word_by_word()?,
        };
        let trained = if self.config.schedule.last().is_fertile() {
            self.train_fertile(tables.translation, paths)?
        } else {
            Trained { tables: Tables::WordByWord(tables), paths }
        };
        Ok((trained, self.log_likelihoods))
    }

    /// The stages of Model 1, Model 2 and the diagonal model.
    fn train_word_by_word(&mut self) -> Result<(WordByWord, Paths)> {
        let (directed, config, work) = (self.directed, self.config, self.work);
        let words = directed.generated.words(directed.bitext);
        let translation = TranslationTable::uniform(directed.index, words);
        let mut tables = WordByWord { translation, positions: Positions::uniform() };
        let [tension, null, pseudo_count] = config.diagonal;
        for &(model, passes) in config.schedule.stages().iter().filter(|(model, _)| !model.is_fertile()) {
            let (kind, pseudo_count) = match model {
                IbmModel::Diagonal => (Some(Kind::Diagonal { tension, null }), Some(pseudo_count)),
                IbmModel::Ibm2 => (Some(Kind::Free), None),
                _ => (None, None),
            };
            if let Some(kind) = kind {
                tables.positions = Positions::initial(kind, directed.bitext, directed.generated);
            }
            self.stage(model, passes, &mut || tables.pass(directed, pseudo_count, work))?;
        }
        let paths = tables.paths(directed, work)?;
        Ok((tables, paths))
    }

    /// The stages of Models 3 to 5.
    fn train_fertile(&mut self, translation: TranslationTable, mut paths: Paths) -> Result<Trained> {
        let (directed, config, work) = (self.directed, self.config, self.work);
        let [conditions, _] = directed.generated.words(directed.bitext);
        let (probability, fixed) = (config.null_insertion.unwrap_or(0.5), config.null_insertion.is_some());
        let mut fertile = Fertile {
            translation,
            fertility: FertilityTable::initial(conditions),
            null: NullInsertion { probability, fixed },
            order: Order::Absolute(Absolute::initial(directed.bitext, directed.generated, config.distortion_uniform)),
            fertility_strength: config.fertility_strength,
            pegging: config.pegging,
        };
        for &(model, passes) in config.schedule.stages().iter().filter(|(model, _)| model.is_fertile()) {
            fertile.order = order_of(model, fertile.order, directed, config, self.classes)?;
            fertile.learn_from(directed, &paths);
            self.stage(model, passes, &mut || fertile.pass(directed, &mut paths, work))?;
        }
        let paths = fertile.best_paths(directed, &paths, work)?;
        Ok(Trained { tables: Tables::Fertile(Box::new(fertile)), paths })
    }

    /// The passes of one model.
    fn stage(&mut self, model: IbmModel, passes: u32, pass: &mut dyn FnMut() -> Result<f64>) -> Result<()> {
        for number in 1..=passes {
            let task = task(model, [number, passes], self.directed.generated);
            self.work.observer.started(&task, self.directed.bitext.len() as u64);
            let log_likelihood = pass()?;
            self.work.observer.finished(&format!("log-likelihood {log_likelihood:.0}"));
            self.log_likelihoods.push(log_likelihood);
        }
        Ok(())
    }
}

/// What a pass is called in reports.
fn task(model: IbmModel, [number, passes]: [u32; 2], generated: Generated) -> String {
    let direction = if generated == Generated::Target { "forward" } else { "reverse" };
    format!("{model} {number}/{passes} {direction}")
}

/// The passes of both directions, but those of a chain with an HMM up to it: the joint lattice plans them.
fn steps(schedule: &IbmSchedule) -> Vec<Step> {
    let of_lattice = |model: IbmModel| schedule.passes_of(IbmModel::Hmm) > 0 && !model.is_fertile();
    let stages = schedule.stages().iter().filter(|&&(model, _)| !of_lattice(model));
    let mut steps = Vec::new();
    for generated in Generated::BOTH {
        for &(model, passes) in stages.clone() {
            let cost = match model {
                IbmModel::Ibm1 | IbmModel::Ibm2 => 1,
                IbmModel::Diagonal => 2,
                IbmModel::Hmm | IbmModel::Ibm3 | IbmModel::Ibm4 | IbmModel::Ibm5 => 3,
            };
            steps.extend((1..=passes).map(|number| Step::new(task(model, [number, passes], generated), cost)));
        }
    }
    steps
}

/// What a model knows of the order of words before it has learned anything but what the model before it has.
fn order_of(
    model: IbmModel,
    before: Order,
    directed: Directed<'_>,
    config: &IbmConfig,
    classes: Option<&[Vec<u32>; 2]>,
) -> Result<Order> {
    Ok(match (model, before) {
        (IbmModel::Ibm4, _) => {
            let classes = classes_of(classes, directed)?;
            let relative = Relative::initial(&classes, config.order_strength);
            Order::Relative(classes, relative)
        }
        (IbmModel::Ibm5, Order::Relative(classes, relative)) => {
            let [_, numbers] = classes.numbers;
            let displacements = || Displacements::initial(numbers, config.order_strength);
            let vacancies = Vacancies { heads: displacements(), others: displacements() };
            Order::Vacancies(classes, relative, vacancies)
        }
        (_, before) => before,
    })
}

/// Classes of the words of both sides, as many as there are words at most.
fn train_classes(
    bitext: &RankedBitext,
    count: usize,
    Work { parallelism, observer }: Work<'_>,
) -> Result<[Vec<u32>; 2]> {
    let train = |text: &Text| {
        let classes = count.min(text.vocabulary().len());
        let config = ClassesConfig { classes, ..ClassesConfig::default() };
        let trained = WordClasses::train(text, &config, parallelism, observer)?;
        Ok::<_, Error>(trained.classes.numbers())
    };
    let Bitext { source, target } = bitext.bitext();
    Ok([train(source)?, train(target)?])
}

fn classes_of(classes: Option<&[Vec<u32>; 2]>, directed: Directed<'_>) -> Result<Classes> {
    let words = directed.generated.words(directed.bitext);
    let Some([source, target]) = classes else {
        return Ok(Classes { conditions: vec![0; words[0]], generated: vec![0; words[1]], numbers: [1, 1] });
    };
    let [conditions, generated] = match directed.generated {
        Generated::Target => [source, target],
        Generated::Source => [target, source],
    };
    if [conditions.len(), generated.len()] != words {
        let [conditions, generated] = [conditions.len(), generated.len()];
        let message =
            format!("{conditions} and {generated} words have classes, the text has {} and {}", words[0], words[1]);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    let number = |classes: &[u32]| classes.iter().max().map_or(1, |&last| last as usize + 1);
    let numbers = [number(conditions), number(generated)];
    Ok(Classes { conditions: conditions.clone(), generated: generated.clone(), numbers })
}

/// What an HMM has learned, in one direction.
fn translation_of(aligner: &Aligner, generated: Generated) -> TranslationTable {
    let parameters = &aligner.parameters;
    let (direction, side) = match generated {
        Generated::Target => (0, &parameters.forward),
        Generated::Source => (1, &parameters.reverse),
    };
    let pairs = parameters.translation.cells().iter().map(|cell| f64::from(cell.probability[direction]));
    TranslationTable::of(pairs, side.null.iter().map(|&probability| f64::from(probability)))
}

/// The best paths of an HMM, forward and reverse.
fn paths_of(aligner: &Aligner, bitext: &RankedBitext, work: Work<'_>) -> Result<[Paths; 2]> {
    let visit = |worker: &mut Worker<'_>, n: usize, [forward_paths, reverse_paths]: &mut [Paths; 2]| {
        let pair = bitext.pair(n);
        let [forward, reverse] = worker.viterbi(n);
        let (mut of_targets, mut of_sources) = (vec![0; pair.target.len()], vec![0; pair.source.len()]);
        forward.iter().for_each(|link| of_targets[link.target as usize] = link.source + 1);
        reverse.iter().for_each(|link| of_sources[link.source as usize] = link.target + 1);
        forward_paths.push(&of_targets);
        reverse_paths.push(&of_sources);
        0.0
    };
    Ok(gather(bitext.len(), work, || aligner.worker(bitext), visit)?.0)
}
