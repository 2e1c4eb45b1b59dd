//! Models that predict orders: learned, kept in a file, and applied.
//!
//! A [`Recipe`] says what is learned; `btg`, the default, is the model of bracketing trees ([`btg`](super::btg)). How daring it
//! is in application is settled on a fifth of the examples, by a model of the others: the [`Decision::caution`] with the best sum of
//! fuzzy reordering score and Kendall's tau, among those under which no score falls below that of the sentences as they are. If
//! there is none the model leaves sentences alone.
//!
//! ```
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//! use alinea::reorder::engine::{Engine, Sentence};
//! use alinea::reorder::example::Example;
//! use alinea::reorder::model::{Model, Recipe};
//!
//! // Adjectives come behind their nouns.
//! let sentence = |text: &str| Sentence::new(text.split(' ').map(str::to_owned).collect());
//! let examples = ["red house", "red bird", "old house", "old bird"].map(|text| {
//!     Example::of_links(sentence(text), [(0, 1), (1, 0)].into())
//! });
//! let examples = examples.into_iter().cycle().take(20).collect::<Result<Vec<_>, _>>()?;
//! let model = Model::train(&examples, Recipe::Btg, &Parallelism::serial(), &Silent)?;
//! assert_eq!(model.engine().order(&sentence("red house"))?.places(), [1, 0]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::beliefs::Decision;
use super::btg::{Btg, BtgConfig, BtgEngine, Search};
use super::engine::{Engine, Layer, Sentence};
use super::example::Example;
use super::oracle::named;
use super::scores::{Judge, Score, SentenceCounts};
use crate::error::{Error, Result};
use crate::parallel::{Parallelism, chunk_range};
use crate::permutation::Permutation;
use crate::progress::Observer;
use crate::storage::{Container, ContainerWriter};

/// What files say they are.
const FORMAT: &str = "alinea reordering model";

/// The version of the format.
const VERSION: u32 = 1;

/// What is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recipe {
    /// Bracketing trees, by maximum likelihood over all of them, applied by consensus.
    #[default]
    Btg,
    /// Bracketing trees as Nakagawa (2015) learns and finds them.
    TopDown,
}

named!(Recipe, "engine", [Btg = "btg", TopDown = "top-down"], "btg, top-down");

/// A model.
#[derive(Debug)]
pub struct Model {
    recipe: Recipe,
    btg: Btg,
    search: Search,
}

/// What the text of a file says.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    program: String,
    #[serde(default)]
    engine: String,
    #[serde(default)]
    columns: Vec<String>,
    #[serde(default)]
    templates: Vec<String>,
    #[serde(default)]
    search: SearchHeader,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum SearchHeader {
    Beam(usize),
    #[default]
    Best,
    Consensus {
        caution: f64,
        neighbors: f64,
    },
}

impl Model {
    /// Learns a model of what examples have: the layers that are there in all of them.
    ///
    /// # Errors
    /// `Inconsistent` if nothing can be learned; `Cancelled`.
    pub fn train(
        examples: &[Example],
        recipe: Recipe,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let config = config(examples, recipe);
        let search = match recipe {
            Recipe::TopDown => Search::Beam(BEAM),
            Recipe::Btg => Search::Consensus(tuned(examples, &config, parallelism, observer)?),
        };
        let btg = Btg::train(examples, &config, parallelism, observer)?;
        Ok(Self { recipe, btg, search })
    }

    /// What was learned.
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// How orders are found.
    pub fn search(&self) -> Search {
        self.search
    }

    /// The same with another way to find orders.
    #[must_use]
    pub fn with_search(self, search: Search) -> Self {
        Self { search, ..self }
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.btg.features()
    }

    /// What features look at.
    pub fn columns(&self) -> Vec<String> {
        self.btg.description().0
    }

    /// The buffers of a thread.
    pub fn engine(&self) -> BtgEngine<'_> {
        self.btg.engine(self.search)
    }

    /// The orders of sentences.
    ///
    /// # Errors
    /// `Inconsistent` if one lacks a layer; `Cancelled`.
    pub fn orders(
        &self,
        sentences: &[Sentence],
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Vec<Permutation>> {
        let mut orders = Vec::with_capacity(sentences.len());
        parallelism.map_ordered(
            sentences.len().div_ceil(CHUNK),
            || self.engine(),
            |engine, chunk| {
                crate::progress::check(observer)?;
                let range = chunk_range(sentences.len(), CHUNK, chunk);
                sentences[range].iter().map(|sentence| engine.order(sentence)).collect::<Result<Vec<_>>>()
            },
            |chunk| {
                observer.advance(chunk.len() as u64);
                orders.extend(chunk);
                Ok(())
            },
        )?;
        Ok(orders)
    }

    /// Writes the model. The same model gives the same bytes.
    ///
    /// # Errors
    /// What the writer says.
    pub fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let (columns, templates) = self.btg.description();
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.recipe.name().to_owned(),
            columns,
            templates,
            search: match self.search {
                Search::Beam(width) => SearchHeader::Beam(width),
                Search::Best => SearchHeader::Best,
                Search::Consensus(Decision { caution, neighbors }) => SearchHeader::Consensus { caution, neighbors },
            },
        };
        let mut writer = ContainerWriter::new(serde_json::to_string(&header)?);
        self.btg.add_to(&mut writer);
        writer.seal();
        writer.write(to)
    }

    /// Opens a model.
    ///
    /// # Errors
    /// `Io`, and `Model` for what is no model, one of another version, or damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let container = Container::open(path)?;
        let expected = || format!("a reordering model of version {VERSION}");
        let header: Header = serde_json::from_str(container.text())
            .map_err(|_| container.error(expected(), "another file".to_owned()))?;
        if header.format != FORMAT || header.version != VERSION {
            let Header { format, version, program, .. } = header;
            return Err(container.error(expected(), format!("{format}, version {version}, by alinea {program}")));
        }
        container.check_seal()?;
        let recipe = header.engine.parse()?;
        let btg = Btg::read(&container, &header.columns, &header.templates)?;
        let search = match header.search {
            SearchHeader::Beam(width) => Search::Beam(width.clamp(1, MOST_STATES)),
            SearchHeader::Best => Search::Best,
            SearchHeader::Consensus { caution, neighbors } => Search::Consensus(Decision { caution, neighbors }),
        };
        Ok(Self { recipe, btg, search })
    }
}

/// States in the beam, unless another number is asked for.
pub const BEAM: usize = 20;

/// The widest beam.
pub const MOST_STATES: usize = 100_000;

/// Sentences that a thread orders at a time.
const CHUNK: usize = 8;

/// The features for what all examples have.
fn config(examples: &[Example], recipe: Recipe) -> BtgConfig {
    let everywhere = |layer: Layer| examples.iter().all(|example| example.sentence().layer(layer).is_some());
    let layers: Vec<Layer> = Layer::ALL.iter().copied().filter(|&layer| everywhere(layer)).collect();
    match recipe {
        Recipe::TopDown => BtgConfig::published(&layers),
        Recipe::Btg => {
            BtgConfig::likelihood(&layers, examples.iter().any(|example| example.sentence().tree().is_some()))
        }
    }
}

/// Degrees of caution that are tried.
const CAUTIONS: [f64; 7] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.7];

/// One in so many examples is held out.
const HELD_OUT: usize = 5;

/// The best decision for a fifth of the examples, by a model of the others.
fn tuned(
    examples: &[Example],
    config: &BtgConfig,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Decision> {
    let part = |held: bool| {
        let numbered = examples.iter().enumerate().filter(move |(number, _)| (number % HELD_OUT == 0) == held);
        numbered.map(|(_, example)| example.clone()).collect::<Vec<_>>()
    };
    let (held_out, others) = (part(true), part(false));
    let says = |examples: &[Example]| examples.iter().any(|example| !example.precedence().is_empty());
    if !says(&held_out) || !says(&others) {
        return Ok(Decision::default());
    }
    let btg = Btg::train(&others, config, parallelism, observer)?;
    let mut decisions = vec![Decision { caution: 1.0, ..Decision::default() }];
    decisions.extend(CAUTIONS.map(|caution| Decision { caution, ..Decision::default() }));
    let mut counts = vec![SentenceCounts::default(); decisions.len()];
    let judge = Judge::new()?;
    parallelism.map_ordered(
        held_out.len(),
        || (btg.engine(Search::default()), judge.counter()),
        |(engine, counter), number| {
            let example = &held_out[number];
            let orders = engine.decisions(example.sentence(), &decisions)?;
            orders.iter().map(|order| example.judged(order, counter)).collect::<Result<Vec<_>>>()
        },
        |sentence| {
            counts.iter_mut().zip(&sentence).for_each(|(sum, counts)| *sum += counts);
            Ok(())
        },
    )?;
    let score = |counts: &SentenceCounts, score| counts.score(score).unwrap_or_default();
    let guarded = [Score::BorderedFuzzy, Score::Tau, Score::Bleu];
    let sum = |counts: &SentenceCounts| score(counts, Score::BorderedFuzzy) + score(counts, Score::Tau);
    let mut best = 0;
    for (number, found) in counts.iter().enumerate().skip(1) {
        let none_falls = guarded.iter().all(|&which| score(found, which) >= score(&counts[0], which));
        if none_falls && sum(found) > sum(&counts[best]) {
            best = number;
        }
    }
    Ok(decisions[best])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    fn sentence(text: &str) -> Sentence {
        Sentence::new(text.split(' ').map(str::to_owned).collect())
    }

    fn examples() -> Vec<Example> {
        let nouns = ["house", "bird", "tree", "book", "road"];
        let example = |number: usize| {
            let text = format!("the {} {} sleeps", ["red", "old", "big"][number % 3], nouns[number % 5]);
            Example::of_links(sentence(&text), [(0, 0), (1, 2), (2, 1), (3, 3)].into()).unwrap()
        };
        (0..30).map(example).collect()
    }

    #[test]
    fn models_learn_and_are_read_as_written() {
        for &recipe in Recipe::ALL {
            let model = Model::train(&examples(), recipe, &Parallelism::serial(), &Silent).unwrap();
            let two = Model::train(&examples(), recipe, &Parallelism::new(2).unwrap(), &Silent).unwrap();
            let bytes = |model: &Model| {
                let mut bytes = Vec::new();
                model.save(&mut bytes).unwrap();
                bytes
            };
            assert_eq!(bytes(&model), bytes(&two), "threads make no difference");
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("model");
            std::fs::write(&path, bytes(&model)).unwrap();
            let opened = Model::open(&path).unwrap();
            assert_eq!(bytes(&opened), bytes(&model));
            let unseen = sentence("the old road sleeps");
            for model in [&model, &opened] {
                assert_eq!(model.engine().order(&unseen).unwrap().places(), [0, 2, 1, 3], "{recipe}");
            }
            // Every damaged byte is noticed.
            let damaged = |at: usize| {
                let mut bytes = bytes(&model);
                bytes[at] ^= 1;
                std::fs::write(&path, bytes).unwrap();
                Model::open(&path).is_err()
            };
            let length = bytes(&model).len();
            assert!((0..length).step_by(length / 50).all(damaged));
        }
    }

    #[test]
    fn what_never_moves_is_left_alone() {
        let example = |number: usize| {
            let text = format!("the {} bird sleeps", ["red", "old", "big"][number % 3]);
            Example::of_links(sentence(&text), (0..4).map(|word| crate::alignment::Link::new(word, word)).collect()).unwrap()
        };
        let examples: Vec<Example> = (0..20).map(example).collect();
        let model = Model::train(&examples, Recipe::Btg, &Parallelism::serial(), &Silent).unwrap();
        assert_eq!(model.search(), Search::Consensus(Decision { caution: 1.0, ..Decision::default() }));
        let nothing = Model::train(&[], Recipe::Btg, &Parallelism::serial(), &Silent).unwrap_err();
        assert_eq!(nothing.to_string(), "nothing to learn from: of no sentence two words have an order");
    }
}
