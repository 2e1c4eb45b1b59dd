//! Recipes: which members a model has, and which features each of them uses, given what the examples have.
//!
//! Features use the layers that all examples have, and the prefixes, suffixes and shapes of `ModelConfig::parts`. Most
//! recipes have one member. `ensemble` has three BTG models, and `siblings` if all examples have trees, otherwise
//! `linear`. The BTG models differ in their columns: of the layers that say what kind of word a word is (tags, fine
//! tags, classes, coarse classes), if there are several, the first model lacks the last and the second the last but
//! one; the second also uses suffixes and the third prefixes of three characters. `rules` and `children` use tags, fine
//! tags and relations only.
//!
//! `ModelConfig::validate` refuses settings that a recipe has no use for, such as induced trees where no trees are
//! ordered. Training can start from the weights of a model of the same recipe, but not with `top-down`, `rules`,
//! `children` or induced trees.

use std::fmt;
use std::mem::discriminant;
use std::str::FromStr;

use super::member::MemberConfig;
use super::trees::TreeKind;
use crate::error::{Error, Result};
use crate::reorder::btg::BtgConfig;
use crate::reorder::children::ChildrenConfig;
use crate::reorder::engine::Layer;
use crate::reorder::example::Example;
use crate::reorder::features::Column;
use crate::reorder::induction::InductionConfig;
use crate::reorder::oracle::named;
use crate::reorder::pairwise::PairwiseConfig;
use crate::reorder::rules::RulesConfig;
use crate::reorder::siblings::SiblingsConfig;

/// What is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recipe {
    /// Several models of bracketing trees, each with features of its own, and beside them one of siblings where all sentences have
    /// trees, or else one of words two by two.
    #[default]
    Ensemble,
    /// One model of bracketing trees, by maximum likelihood over all of them, applied by consensus.
    Btg,
    /// Bracketing trees as Nakagawa (2015) learns and finds them.
    TopDown,
    /// Words two by two: which comes first ([`Linear`](crate::reorder::pairwise::Linear)).
    Linear,
    /// Words two by two: which comes next ([`Salesman`](crate::reorder::pairwise::Salesman)).
    Salesman,
    /// Over trees, the parts of a node two by two ([`Siblings`](crate::reorder::siblings::Siblings)).
    Siblings,
    /// Over trees, readable rules ([`RuleSet`](crate::reorder::rules::RuleSet)).
    Rules,
    /// Over trees, the most frequent order of the parts of a node ([`Children`](crate::reorder::children::Children)).
    Children,
}

impl Recipe {
    /// Whether it puts the parts of trees into an order, so that sentences must have trees.
    pub const fn orders_trees(self) -> bool {
        matches!(self, Self::Siblings | Self::Rules | Self::Children)
    }
}

named!(
    Recipe,
    "engine",
    [
        Ensemble = "ensemble",
        Btg = "btg",
        TopDown = "top-down",
        Linear = "linear",
        Salesman = "salesman",
        Siblings = "siblings",
        Rules = "rules",
        Children = "children"
    ],
    "ensemble, btg, top-down, linear, salesman, siblings, rules, children"
);

/// How a model is learned.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ModelConfig {
    /// What is learned.
    pub recipe: Recipe,
    /// What a pair counts of which one word has no link ([`LikelihoodConfig::unaligned`](crate::reorder::btg::LikelihoodConfig)).
    pub unaligned: f64,
    /// Whether the trees, where the recipe orders trees, are induced from the examples, instead of those that they have
    /// ([`induction`](crate::reorder::induction)).
    pub induced: bool,
    /// Whether nothing is tuned on held-out examples: every sentence is ordered as is most probable.
    pub untuned: bool,
    /// Further features of words: prefixes, suffixes and shapes. None where features are of names alone, as those of rules
    /// and `children` are.
    pub parts: Vec<Column>,
}

alinea_text::configurable!(ModelConfig);

impl ModelConfig {
    /// Refuses what the recipe cannot use.
    ///
    /// # Errors
    /// `Config`.
    pub fn validate(&self) -> Result<()> {
        let recipe = self.recipe;
        if self.induced && !recipe.orders_trees() {
            return Err(Error::config("engine", recipe, "one over trees: siblings, rules, children"));
        }
        let brackets = self.induced || matches!(recipe, Recipe::Ensemble | Recipe::Btg);
        if self.unaligned > 0.0 && !brackets {
            return Err(Error::config(
                "engine",
                recipe,
                "ensemble, btg, or one over induced trees, for words without links",
            ));
        }
        let names = matches!(recipe, Recipe::Rules | Recipe::Children) && !self.induced;
        if names && !self.parts.is_empty() {
            return Err(Error::config("engine", recipe, "one with features of words: not rules and children"));
        }
        match self.parts.iter().find(|column| matches!(column, Column::Layer(_))) {
            Some(layer) => Err(Error::config("features", layer, "prefix1 to prefix9, suffix1 to suffix9, or shape")),
            None => Ok(()),
        }
    }

    /// Refuses a model of this recipe to start from where there are no weights that could.
    pub(super) fn check_start(&self, start: Option<Recipe>) -> Result<()> {
        let Self { recipe, induced, .. } = *self;
        let weighed = !matches!(recipe, Recipe::TopDown | Recipe::Rules | Recipe::Children) && !induced;
        match start {
            Some(_) if !weighed => Err(Error::config(
                "engine",
                recipe,
                "ensemble, btg, linear, salesman or siblings, to start from a model",
            )),
            Some(other) if other != recipe => Err(Error::config("start", other, "a model of the same engine")),
            _ => Ok(()),
        }
    }
}

impl From<Recipe> for ModelConfig {
    fn from(recipe: Recipe) -> Self {
        Self { recipe, ..Self::default() }
    }
}

/// What pairs with a word without links count beside others where such words are to travel with their neighbors
/// ([`ModelConfig::unaligned`]).
pub const ATTACHED: f64 = 0.02;

/// Models of bracketing trees in an ensemble.
const MEMBERS: usize = 3;

/// The layers that all examples have.
fn layers_of(examples: &[Example]) -> Vec<Layer> {
    let everywhere = |layer: &Layer| examples.iter().all(|example| example.sentence().layer(*layer).is_some());
    Layer::ALL.iter().copied().filter(everywhere).collect()
}

/// The parser for what all examples have.
pub(super) fn parser_config(examples: &[Example], config: &ModelConfig) -> InductionConfig {
    let layers = layers_of(examples);
    let columns = with_parts(columns_of_layers(&layers), &config.parts);
    let parser = BtgConfig::likelihood(&columns, false, config.unaligned);
    InductionConfig { parser, ..InductionConfig::new(&layers) }
}

/// The features for what all examples have, member by member.
pub(super) fn configs(
    examples: &[Example],
    &ModelConfig { recipe, unaligned, induced, ref parts, .. }: &ModelConfig,
    ordered: Option<TreeKind>,
) -> Vec<MemberConfig> {
    let layers = layers_of(examples);
    let trees = examples.iter().any(|example| example.sentence().tree().is_some());
    let named = |asked: &[Layer]| {
        let given = layers.iter().filter(|layer| asked.contains(layer));
        given.map(|&layer| Column::Layer(layer)).collect::<Vec<Column>>()
    };
    let names = named(&[Layer::Tags, Layer::FineTags, Layer::Relations]);
    let btg = |columns: &[Column]| MemberConfig::Btg(BtgConfig::likelihood(columns, trees, unaligned));
    let columns = with_parts(columns_of_layers(&layers), parts);
    match recipe {
        Recipe::Ensemble => {
            let beside = match ordered {
                Some(_) => MemberConfig::Siblings(SiblingsConfig::new(&columns)),
                None => MemberConfig::Linear(PairwiseConfig::new(&columns, trees)),
            };
            let members = (0..MEMBERS).map(|number| btg(&with_parts(columns_of_member(&layers, number), parts)));
            members.chain([beside]).collect()
        }
        Recipe::Btg => vec![btg(&columns)],
        Recipe::TopDown => vec![MemberConfig::Btg(BtgConfig::published(&columns))],
        Recipe::Linear => vec![MemberConfig::Linear(PairwiseConfig::new(&columns, trees))],
        Recipe::Salesman => vec![MemberConfig::Salesman(PairwiseConfig::new(&columns, trees))],
        Recipe::Siblings if induced => vec![MemberConfig::Siblings(SiblingsConfig::of_bracketings(&columns))],
        Recipe::Siblings => vec![MemberConfig::Siblings(SiblingsConfig::new(&columns))],
        Recipe::Rules => vec![MemberConfig::Rules(RulesConfig::default(), names)],
        Recipe::Children => vec![MemberConfig::Children(ChildrenConfig::default(), names)],
    }
}

/// The first of each kind.
pub(super) fn one_of_each_kind(configs: &[MemberConfig]) -> Vec<MemberConfig> {
    let mut firsts = configs.to_vec();
    // Those of a kind stand together.
    firsts.dedup_by_key(|config| discriminant(config));
    firsts
}

/// Columns, and parts of words besides, each once.
fn with_parts(mut columns: Vec<Column>, parts: &[Column]) -> Vec<Column> {
    for part in parts {
        if !columns.contains(part) {
            columns.push(*part);
        }
    }
    columns
}

fn columns_of_layers(layers: &[Layer]) -> Vec<Column> {
    layers.iter().map(|&layer| Column::Layer(layer)).collect()
}

/// Each member but the last lacks a layer of those that say what kind of word a word is, if there are several; each but the
/// first sees a part of the word besides.
fn columns_of_member(layers: &[Layer], number: usize) -> Vec<Column> {
    let is_kind =
        |layer: &Layer| matches!(layer, Layer::Tags | Layer::FineTags | Layer::Classes | Layer::CoarseClasses);
    let kinds: Vec<Layer> = layers.iter().copied().filter(is_kind).collect();
    let left_out = (kinds.len() > 1 && number + 1 < MEMBERS).then(|| kinds[kinds.len() - 1 - number]);
    let mut columns = columns_of_layers(layers);
    columns.retain(|&column| left_out.is_none_or(|layer| column != Column::Layer(layer)));
    columns.extend([None, Some(Column::Suffix(3)), Some(Column::Prefix(3))][number]);
    columns
}
