//! BTG models: how they are configured, trained and stored, and the engine that applies them.
//!
//! A `Btg` is immutable: the columns and templates of its features, and a table with two weights for each feature, one
//! for straight and one for inverted nodes. `Learning` says how the weights are estimated: by maximum likelihood over
//! all derivations, or by the latent passive-aggressive updates of Nakagawa (2015), for which only sentences are used
//! whose order a bracketing tree reaches. Passive-aggressive training leaves a *closed* feature set: the features of a
//! split are all known or all unknown, so that the beam search can skip look-ups.
//!
//! A `BtgEngine` owns the buffers of one thread. `Search` says how it orders a sentence: by the best derivation of a
//! top-down beam search, by the best derivation of the chart, or by consensus, the order with the highest expected
//! score under the pairwise posteriors of the chart. `order` cuts long sentences into stretches; n-best lists, trees
//! and beliefs are those of the whole sentence.

use std::fmt;

use super::beam::Beam;
use super::chart::{Chart, best_derivation};
use super::derivation::{Action, order_of, tree_of};
use super::lessons::Lessons;
use super::likelihood::LikelihoodConfig;
use super::on_demand::{Found, OnDemand, Plan};
use super::posterior;
use super::scores::SplitScores;
use super::split_features::{Cells, SplitFeatures};
use super::template::{Template, Templates};
use crate::error::Result;
use crate::limits;
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::Observer;
use crate::reorder::beliefs::{Beliefs, Decision};
use crate::reorder::engine::{Engine, Layer, Sentence, by_stretches};
use crate::reorder::example::Example;
use crate::reorder::feature_weights::FeatureWeights;
use crate::reorder::features::{Column, Columns};
use crate::storage::{Container, ContainerWriter};

/// How a model is learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BtgConfig {
    /// What features look at.
    pub columns: Vec<Column>,
    /// The features.
    pub templates: Templates,
    /// How their weights are learned.
    pub learning: Learning,
}

alinea_text::configurable!(BtgConfig);

/// How weights are learned.
#[derive(Debug, Clone, PartialEq)]
pub enum Learning {
    /// By maximum likelihood, from all sentences.
    Likelihood(LikelihoodConfig),
    /// As Nakagawa's program does, from sentences whose order a tree reaches.
    PassiveAggressive(PassiveConfig),
}

/// How Nakagawa's program learns.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PassiveConfig {
    /// Passes over the sentences; fewer if one changes nothing.
    pub passes: usize,
    /// States in the beam.
    pub beam: usize,
}

alinea_text::configurable!(PassiveConfig);

impl Default for PassiveConfig {
    fn default() -> Self {
        Self { passes: 20, beam: 20 }
    }
}

/// How the order of a sentence is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Search {
    /// That of the best derivation of a beam search with this many states.
    Beam(usize),
    /// That of the best derivation.
    Best,
    /// That with the highest expected scores, over all derivations.
    Consensus(Decision),
}

impl Default for Search {
    fn default() -> Self {
        Self::Consensus(Decision::default())
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beam(states) => write!(f, "beam of {states} states"),
            Self::Best => f.write_str("best derivation"),
            Self::Consensus(decision) => write!(f, "consensus, bias {}", decision.bias),
        }
    }
}

/// A model of derivations.
#[derive(Debug)]
pub struct Btg {
    columns: Vec<Column>,
    templates: Templates,
    parsed: Vec<Template>,
    weights: FeatureWeights<2>,
    /// Whether no feature of a split is known without all others.
    closed: bool,
    plan: Plan,
}

impl BtgConfig {
    /// Nakagawa's features over these columns, learned as he does.
    pub fn published(columns: &[Column]) -> Self {
        let learning = Learning::PassiveAggressive(PassiveConfig::default());
        Self { templates: Templates::published(columns), columns: columns.to_vec(), learning }
    }
}

/// What a dependency tree says of the two parts of a split.
const OF_TREE: [&str; 24] = [
    "attachment",
    "whole",
    "attachment&whole",
    "attachment&sizes",
    "attachment&balance",
    "whole&sizes",
    "attachment&Lt.relations",
    "attachment&Rt.relations",
    "attachment&Lt.relations&Rt.relations",
    "attachment&Lt.tags&Rt.tags",
    "attachment&Lt.tags&Rt.relations",
    "attachment&Lt.relations&Rt.tags",
    "attachment&Lt.finetags&Rt.finetags",
    "attachment&Lt.tags&Lt.relations&Rt.tags&Rt.relations",
    "attachment&whole&Lt.relations&Rt.relations",
    "attachment&whole&Lt.tags&Rt.tags",
    "attachment&whole&Lt.tags&Rt.relations",
    "attachment&Lt.lemmas",
    "attachment&Rt.lemmas",
    "attachment&Lt.lemmas&Rt.lemmas",
    "attachment&Lt.lemmas&Rt.relations",
    "attachment&Lt.relations&Rt.lemmas",
    "attachment&Lt.lemmas&Rt.tags",
    "attachment&Lt.tags&Rt.lemmas",
];

impl BtgConfig {
    /// Most features of [`published`](Self::published), with those of trees if sentences have them, learned by maximum
    /// likelihood; see [`LikelihoodConfig::unaligned`].
    pub fn likelihood(columns: &[Column], trees: bool, unaligned: f64) -> Self {
        let mut templates = Templates::without_quadruples(columns);
        if trees {
            // Those of layers that are not there are left out.
            templates =
                templates.and(OF_TREE.into_iter().filter(|template| Template::parse(template, columns).is_ok()));
        }
        let learning = Learning::Likelihood(LikelihoodConfig { unaligned, ..LikelihoodConfig::default() });
        Self { columns: columns.to_vec(), templates, learning }
    }
}

impl Btg {
    /// Learns a model, by maximum likelihood from the weights of `start` if there is one. The same examples give the same model,
    /// whatever the number of threads.
    ///
    /// # Errors
    /// `Config` for templates that are none, `Inconsistent` if an example lacks a layer, or none says anything of order,
    /// `Cancelled`.
    pub fn train(
        examples: &[Example],
        config: &BtgConfig,
        start: Option<&Self>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let parsed = config.templates.parse(&config.columns)?;
        let lessons = Lessons::new(examples, &config.columns, &parsed);
        let weights = match &config.learning {
            Learning::Likelihood(config) => {
                lessons.by_likelihood(config, start.map(|start| &start.weights), parallelism, observer)?
            }
            Learning::PassiveAggressive(config) => lessons.passively(config, observer)?,
        };
        let closed = matches!(config.learning, Learning::PassiveAggressive(_));
        Ok(Self::new(config.columns.clone(), config.templates.clone(), parsed, weights, closed))
    }

    fn new(
        columns: Vec<Column>,
        templates: Templates,
        parsed: Vec<Template>,
        weights: FeatureWeights<2>,
        closed: bool,
    ) -> Self {
        let plan = Plan::new(&parsed, closed);
        Self { columns, templates, parsed, weights, closed, plan }
    }

    /// What features look at.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.weights.len()
    }

    /// The buffers of a thread.
    pub fn engine(&self, search: Search) -> BtgEngine<'_> {
        BtgEngine {
            model: self,
            search,
            cells: Cells::default(),
            scores: SplitScores::default(),
            chart: Chart::default(),
            beam: Beam::default(),
            found: Found::default(),
        }
    }

    /// Puts the model into a file, under a number; what is only numbers.
    pub(in crate::reorder) fn add_to(&self, number: usize, writer: &mut ContainerWriter<'_>) {
        self.weights.add_to(&number.to_string(), writer);
    }

    /// The columns and templates, for the text of a file.
    pub(in crate::reorder) fn description(&self) -> (Vec<String>, Vec<String>) {
        (self.columns.iter().map(Column::to_string).collect(), self.templates.iter().map(str::to_owned).collect())
    }

    /// Whether it was learned passively, so that no feature of a split is known without all others.
    pub(in crate::reorder) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reads a model that was put into a file; `closed` as it was.
    pub(in crate::reorder) fn read(
        container: &Container,
        number: usize,
        columns: &[String],
        templates: &[String],
        closed: bool,
    ) -> Result<Self> {
        let columns = columns.iter().map(|column| column.parse()).collect::<Result<Vec<Column>>>()?;
        let templates = Templates::default().and(templates.iter().cloned());
        let parsed = templates.parse(&columns)?;
        let weights = FeatureWeights::read(&number.to_string(), container)?;
        Ok(Self::new(columns, templates, parsed, weights, closed))
    }
}

/// A model in use.
#[derive(Debug)]
pub struct BtgEngine<'m> {
    model: &'m Btg,
    search: Search,
    cells: Cells,
    scores: SplitScores,
    chart: Chart,
    beam: Beam,
    found: Found,
}

impl<'m> BtgEngine<'m> {
    fn features(&self, sentence: &Sentence) -> Result<SplitFeatures<'m>> {
        limits::BRACKETED_WORDS.check(sentence.len())?;
        let Btg { columns, parsed, .. } = self.model;
        Ok(SplitFeatures::new(parsed, Columns::new(columns, sentence)?, sentence.tree()))
    }

    fn score(&mut self, sentence: &Sentence) -> Result<()> {
        let weights = &self.model.weights;
        self.features(sentence)?.score(|key| weights.get(key), &mut self.cells, &mut self.scores);
        Ok(())
    }

    /// The best derivations, at most `count`; with a beam as many as it is wide, otherwise one.
    fn derivations(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<Vec<Action>>> {
        if let Search::Beam(width) = self.search {
            let (features, Btg { plan, weights, .. }) = (self.features(sentence)?, self.model);
            let mut scores = OnDemand::new(plan, &features, weights.table(), &mut self.found);
            let mut best = self.beam.search(&mut scores, width.max(1), None).best;
            best.truncate(count);
            return Ok(best);
        }
        self.score(sentence)?;
        Ok(vec![best_derivation(&self.scores)])
    }

    /// Different orders of the beam, the best first, at most `count`.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn best_orders(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<Permutation>> {
        Ok(self.best(sentence, count)?.into_iter().map(|(order, _)| order).collect())
    }

    /// The trees of the same orders, of each the best one, as [`tree`](Self::tree) writes them.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn best_trees(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<String>> {
        let words = sentence.layer(Layer::Words).unwrap_or_default();
        Ok(self.best(sentence, count)?.into_iter().map(|(_, actions)| tree_of(words, &actions)).collect())
    }

    /// The best derivations of different orders, at most `count`.
    fn best(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<(Permutation, Vec<Action>)>> {
        let mut best: Vec<(Permutation, Vec<Action>)> = Vec::new();
        for actions in self.derivations(sentence, usize::MAX)? {
            let order = Permutation::from_order(&order_of(sentence.len(), &actions))?;
            if best.len() < count && best.iter().all(|(other, _)| *other != order) {
                best.push((order, actions));
            }
        }
        Ok(best)
    }

    /// The tree of the best derivation in brackets, `[ ]` straight and `< >` inverted, over the words as they are.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn tree(&mut self, sentence: &Sentence) -> Result<String> {
        let best = self.derivations(sentence, 1)?.pop().unwrap_or_default();
        Ok(tree_of(sentence.layer(Layer::Words).unwrap_or_default(), &best))
    }

    /// The pairwise order marginals of the words.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        self.score(sentence)?;
        self.chart.fill(&self.scores, |_| [0.0; 2]);
        Ok(posterior::beliefs(sentence.len(), &mut self.chart))
    }

    fn order_of_stretch(&mut self, sentence: &Sentence) -> Result<Vec<u32>> {
        let words = sentence.len();
        if words < 2 {
            return Ok((0..words as u32).collect());
        }
        if let Search::Consensus(decision) = self.search {
            return self.beliefs(sentence)?.decide((0..words as u32).collect(), decision);
        }
        let best = self.derivations(sentence, 1)?.pop().unwrap_or_default();
        Ok(order_of(words, &best))
    }
}

impl Engine for BtgEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        let [order] = by_stretches(sentence, |piece| Ok([self.order_of_stretch(piece)?]))?;
        Ok(order)
    }
}
