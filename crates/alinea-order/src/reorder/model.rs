//! Models that predict orders: learned, kept in a file, and applied.
//!
//! A [`Recipe`] says what is learned. `ensemble`, the default, are three models of bracketing trees ([`btg`](super::btg)) that look
//! at different things, and one that counts as much as the three: of [`siblings`](super::siblings) if all sentences have trees, or
//! else of words two by two ([`Linear`](super::pairwise::Linear)). What they believe of the words two by two is averaged, and the
//! order taken that has the highest expected scores ([`beliefs`](super::beliefs)).
//!
//! The bias toward the order of the source is tuned on a fifth of the examples, by one model of each kind of the others: the [`Decision::bias`](crate::reorder::beliefs::Decision::bias)
//! with the best sum of fuzzy reordering score and Kendall's tau, among those under which these two and BLEU are each above those of
//! the sentences as they are, by a standard error. If there is none the model leaves sentences alone. Of less than 500 examples,
//! and for `siblings` and `children`, which are learned in no time, each fifth is held out in turn. Of learned rules those at the
//! beginning are kept, as many as are best by the same measure. Orders of `top-down` and `salesman`, which have no such bias, are
//! accepted if they change no more than is best by it ([`Model::acceptance`]); since a sentence is then ordered or left alone
//! as a whole, further fifths are held out until the gain is three standard errors. [`ModelConfig::untuned`] does without all of this.
//!
//! `siblings`, `rules` and `children` order the trees that sentences have, of one kind ([`TreeKind`]); or trees that are learned
//! with them ([`ModelConfig::induced`]).
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
//! let texts = ["red house", "red bird", "old house", "old bird"].into_iter().cycle().take(20);
//! let examples = texts.map(|text| Example::of_links(sentence(text), [(0, 1), (1, 0)].into()));
//! let examples = examples.collect::<Result<Vec<_>, _>>()?;
//! let model = Model::train(&examples, &Recipe::Btg.into(), None, &Parallelism::serial(), &Silent)?;
//! assert_eq!(model.engine().order(&sentence("red house"))?.places(), [1, 0]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod engine;
mod file;
mod gain;
mod member;
mod recipe;
mod trees;
mod tuning;

use std::borrow::Cow;

pub use self::engine::ModelEngine;
use self::engine::engines;
use self::member::{Member, MemberConfig};
pub use self::recipe::{ATTACHED, ModelConfig, Recipe};
use self::recipe::{configs, one_of_each_kind, parser_config};
pub use self::trees::TreeKind;
use self::trees::tree_kind;
use self::tuning::{tuned, tuned_acceptance, tuned_rules};
use super::btg::{Btg, Search};
use super::engine::{Engine, Layer, Sentence};
use super::example::Example;
use super::features::Column;
use super::induction::{self, Parser};
use super::rules::RuleSet;
use crate::error::{Error, Result};
use crate::parallel::{Parallelism, chunk_range};
use crate::permutation::Permutation;
use crate::progress::{Observer, Within};

/// A model.
#[derive(Debug)]
pub struct Model {
    recipe: Recipe,
    /// What finds trees, where sentences need none.
    parser: Option<Btg>,
    /// What trees sentences must have.
    trees: Option<TreeKind>,
    members: Vec<Member>,
    search: Search,
    acceptance: f64,
}

impl Model {
    /// Learns a model of what examples have: the layers that are there in all of them.
    ///
    /// With `start`, a model of the same recipe that was learned of other text, weights of features start from its weights, and are
    /// regularized towards those instead of 0: so they change only where these examples disagree. Features
    /// of layers that the other text did not have start from 0.
    ///
    /// # Errors
    /// `Inconsistent` if nothing can be learned, or an example has no tree and the recipe orders trees; as
    /// [`ModelConfig::validate`]; `Cancelled`.
    pub fn train(
        examples: &[Example],
        config: &ModelConfig,
        start: Option<&Self>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        config.validate()?;
        config.check_start(start.map(Self::recipe))?;
        let start = start.map_or(&[][..], |start| &start.members);
        let &ModelConfig { recipe, induced, untuned, .. } = config;
        let trees = match recipe {
            _ if recipe.orders_trees() && !induced => Some(tree_kind(examples, recipe)?),
            Recipe::Ensemble => tree_kind(examples, recipe).ok(),
            _ => None,
        };
        let (parser, examples) = if induced {
            let (parser, parsed) = induction::train(examples, &parser_config(examples, config), parallelism, observer)?;
            (Some(parser), Cow::Owned(parsed))
        } else {
            (None, Cow::Borrowed(examples))
        };
        let mut configs = configs(&examples, config, trees);
        let mut search = match recipe {
            Recipe::TopDown => Search::Beam(BEAM),
            Recipe::Salesman | Recipe::Rules => Search::Best,
            _ => Search::default(),
        };
        let mut acceptance = 1.0;
        match (search, &mut configs[..]) {
            _ if untuned => {}
            (Search::Consensus(_), configs) => {
                search = Search::Consensus(tuned(&examples, &one_of_each_kind(configs), start, parallelism, observer)?);
            }
            (_, [MemberConfig::Rules(rules, _)]) => {
                rules.rules = tuned_rules(&examples, rules, parallelism, observer)?;
            }
            (_, configs) => acceptance = tuned_acceptance(&examples, configs, search, start, parallelism, observer)?,
        }
        let members = train_all(&examples, &configs, start, parallelism, observer)?;
        Ok(Self { recipe, parser, trees, members, search, acceptance })
    }

    /// Of rules written by hand, or learned and edited.
    pub fn of_rules(rules: RuleSet) -> Self {
        let members = vec![Member::Rules(rules, Vec::new())];
        Self { recipe: Recipe::Rules, parser: None, trees: None, members, search: Search::Best, acceptance: 1.0 }
    }

    /// What was learned.
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// How orders are found.
    pub fn search(&self) -> Search {
        self.search
    }

    /// The share of the pairs of words that an order may put the other way round. A sentence of which the search wants more to
    /// change stays as it is; 1 for all models that have a bias or rules instead.
    pub fn acceptance(&self) -> f64 {
        self.acceptance
    }

    /// How orders are found, in words.
    pub fn way(&self) -> String {
        let all_stay = match (self.search, self.rules()) {
            (Search::Consensus(decision), _) => decision.bias >= 1.0,
            (_, Some(rules)) => rules.rules.is_empty(),
            _ => self.acceptance <= 0.0,
        };
        match (self.search, self.rules()) {
            _ if all_stay => "leaves sentences as they are".to_owned(),
            (Search::Best, Some(_)) => "rule after rule".to_owned(),
            (search, _) if self.acceptance < 1.0 => {
                format!("{search}, at most {} % of the pairs of words changed", (100.0 * self.acceptance).round())
            }
            (search, _) => search.to_string(),
        }
    }

    /// The same with another way to find orders.
    ///
    /// # Errors
    /// `Config` for a beam if the model has no [derivations](Self::has_derivations).
    pub fn with_search(self, search: Search) -> Result<Self> {
        self.check_search(search)?;
        Ok(Self { search, ..self })
    }

    /// Whether it can find orders in this way.
    ///
    /// # Errors
    /// `Config` for a beam if the model has no [derivations](Self::has_derivations).
    pub fn check_search(&self, search: Search) -> Result<()> {
        if matches!(search, Search::Beam(_)) && !self.has_derivations() {
            return Err(Error::config("beam", self.recipe, "a model of bracketing trees: ensemble, btg, top-down"));
        }
        Ok(())
    }

    /// Whether it has trees of its own over sentences, and with them beams and several orders of a sentence.
    pub fn has_derivations(&self) -> bool {
        matches!(self.members[..], [Member::Btg(_), ..])
    }

    /// What trees sentences must have: for a recipe that orders trees, those of the examples, or none if it finds them itself.
    pub fn trees(&self) -> Option<TreeKind> {
        self.trees
    }

    /// A layer that the model was trained with and the sentence lacks.
    pub fn missing_layer(&self, sentence: &Sentence) -> Option<Layer> {
        let columns = self.columns().chain(self.parser.iter().map(Btg::columns)).flatten();
        columns.map(|column| column.layer()).find(|&layer| sentence.layer(layer).is_none())
    }

    /// What finds the trees that are ordered, if they were learned.
    pub fn parser(&self) -> Option<&Btg> {
        self.parser.as_ref()
    }

    /// Its rules, if it is one of rules.
    pub fn rules(&self) -> Option<&RuleSet> {
        match &self.members[..] {
            [Member::Rules(rules, _)] => Some(rules),
            _ => None,
        }
    }

    /// The number of features of all members.
    pub fn features(&self) -> usize {
        self.members.iter().map(Member::features).sum()
    }

    /// What features look at, member by member.
    pub fn columns(&self) -> impl Iterator<Item = &[Column]> {
        self.members.iter().map(Member::columns)
    }

    /// The buffers of a thread.
    pub fn engine(&self) -> ModelEngine<'_> {
        self.engine_with(self.search)
    }

    /// The same with another way to find orders.
    pub fn engine_with(&self, search: Search) -> ModelEngine<'_> {
        ModelEngine {
            parser: self.parser.as_ref().map(Parser::new),
            trees: self.trees,
            members: engines(&self.members, search),
            search,
            acceptance: self.acceptance,
        }
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
}

/// States in the beam, unless another number is asked for.
pub const BEAM: usize = 20;

/// The widest beam.
pub const MOST_STATES: usize = 100_000;

/// Sentences that a thread orders at a time.
const CHUNK: usize = 8;

/// Learns members, each from that of `start` that has the same place among those of its kind.
fn train_all(
    examples: &[Example],
    configs: &[MemberConfig],
    start: &[Member],
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Member>> {
    let train = |(number, config): (usize, &MemberConfig)| {
        let kind = config.kind();
        let place = configs[..number].iter().filter(|other| other.kind() == kind).count();
        let start = start.iter().filter(|member| member.kind() == kind).nth(place);
        let named = Within::new(format!("model {} of {}, {kind}", number + 1, configs.len()), observer);
        config.train(examples, start, parallelism, if configs.len() > 1 { &named } else { observer })
    };
    configs.iter().enumerate().map(train).collect()
}

#[cfg(test)]
mod tests;
