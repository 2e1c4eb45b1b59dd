//! Members of a model: one type for all kinds of trained engines.
//!
//! A `MemberConfig` trains a `Member`, from which each thread gets a `MemberEngine`; all three dispatch to the module
//! of their kind. The names of kinds in model files are `btg`, `top-down` (a BTG model trained with passive-aggressive
//! updates), `linear`, `salesman`, `siblings`, `rules` and `children`.
//!
//! The members of an ensemble are combined by their beliefs about pairs of words. `knows` says which of the two kinds a
//! member has: `linear` knows nothing about adjacency, `salesman` nothing about precedence. Rules have no beliefs. Only
//! BTG models have trees and n-best lists.
//!
//! In a file the arrays of BTG, `linear` and `salesman` models are named by the number of the member. Those of
//! `siblings` and `children` have fixed names, so that a model can have one of each. Rules are text in the header.

use crate::error::{Error, ErrorKind, Result};
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::Observer;
use crate::reorder::beliefs::Beliefs;
use crate::reorder::btg::{Btg, BtgConfig, BtgEngine, Learning, Search};
use crate::reorder::children::{Children, ChildrenConfig, ChildrenEngine};
use crate::reorder::engine::{Engine, Sentence};
use crate::reorder::example::Example;
use crate::reorder::features::{Column, Columns};
use crate::reorder::pairwise::{Linear, LinearEngine, PairwiseConfig, Salesman, SalesmanEngine, Scorer};
use crate::reorder::rules::{RuleSet, RulesConfig, RulesEngine};
use crate::reorder::siblings::{Siblings, SiblingsConfig, SiblingsEngine, SiblingsSearch};
use crate::storage::{Container, ContainerWriter};

/// How a member is learned.
#[derive(Debug, Clone)]
pub(super) enum MemberConfig {
    Btg(BtgConfig),
    Linear(PairwiseConfig),
    Salesman(PairwiseConfig),
    Siblings(SiblingsConfig),
    /// With the layers that names come from.
    Rules(RulesConfig, Vec<Column>),
    /// The same.
    Children(ChildrenConfig, Vec<Column>),
}

/// A member.
#[derive(Debug)]
pub(super) enum Member {
    Btg(Btg),
    Linear(Linear),
    Salesman(Salesman),
    Siblings(Siblings),
    /// With the layers that sentences must have.
    Rules(RuleSet, Vec<Column>),
    /// The same.
    Children(Children, Vec<Column>),
}

/// A member in use.
#[derive(Debug)]
pub(super) enum MemberEngine<'m> {
    Btg(Box<BtgEngine<'m>>),
    Linear(LinearEngine<'m>),
    Salesman(SalesmanEngine<'m>),
    Siblings(SiblingsEngine<'m>),
    Rules(RulesEngine<'m>, &'m [Column]),
    Children(ChildrenEngine<'m>, &'m [Column]),
}

impl MemberConfig {
    /// What it is called, as [`Member::kind`].
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Btg(BtgConfig { learning: Learning::PassiveAggressive(_), .. }) => "top-down",
            Self::Btg(_) => "btg",
            Self::Linear(_) => "linear",
            Self::Salesman(_) => "salesman",
            Self::Siblings(_) => "siblings",
            Self::Rules(..) => "rules",
            Self::Children(..) => "children",
        }
    }

    /// Whether it is learned in less time than sentences are read in.
    pub(super) fn is_quick(&self) -> bool {
        matches!(self, Self::Siblings(_) | Self::Children(..))
    }

    /// Learns it; from the weights of `start`, if that is of the same kind.
    pub(super) fn train(
        &self,
        examples: &[Example],
        start: Option<&Member>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Member> {
        macro_rules! start {
            ($kind:ident) => {
                match start {
                    Some(Member::$kind(start)) => Some(start),
                    _ => None,
                }
            };
        }
        Ok(match self {
            Self::Btg(config) => Member::Btg(Btg::train(examples, config, start!(Btg), parallelism, observer)?),
            Self::Linear(config) => {
                Member::Linear(Linear::train(examples, config, start!(Linear), parallelism, observer)?)
            }
            Self::Salesman(config) => {
                Member::Salesman(Salesman::train(examples, config, start!(Salesman), parallelism, observer)?)
            }
            Self::Siblings(config) => {
                Member::Siblings(Siblings::train(examples, config, start!(Siblings), parallelism, observer)?)
            }
            Self::Rules(config, names) => {
                Member::Rules(RuleSet::train(examples, config, parallelism, observer)?, names.clone())
            }
            Self::Children(config, names) => {
                Member::Children(Children::train(examples, config, parallelism, observer)?, names.clone())
            }
        })
    }
}

impl Member {
    /// What files call it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Btg(btg) if btg.is_closed() => "top-down",
            Self::Btg(_) => "btg",
            Self::Linear(_) => "linear",
            Self::Salesman(_) => "salesman",
            Self::Siblings(_) => "siblings",
            Self::Rules(..) => "rules",
            Self::Children(..) => "children",
        }
    }

    pub(super) fn columns(&self) -> &[Column] {
        match self {
            Self::Btg(btg) => btg.columns(),
            Self::Linear(linear) => linear.scorer().columns(),
            Self::Salesman(salesman) => salesman.scorer().columns(),
            Self::Siblings(siblings) => siblings.columns(),
            Self::Rules(_, columns) | Self::Children(_, columns) => columns,
        }
    }

    /// The number of features, rules, or orders of sequences and pairs.
    pub(super) fn features(&self) -> usize {
        match self {
            Self::Btg(btg) => btg.features(),
            Self::Linear(linear) => linear.scorer().features(),
            Self::Salesman(salesman) => salesman.scorer().features(),
            Self::Siblings(siblings) => siblings.features(),
            Self::Rules(rules, _) => rules.rules.len(),
            Self::Children(children, _) => children.features(),
        }
    }

    /// Columns and templates, or rules, as text.
    pub(super) fn description(&self) -> (Vec<String>, Vec<String>) {
        let named = |columns: &[Column]| columns.iter().map(Column::to_string).collect();
        match self {
            Self::Btg(btg) => btg.description(),
            Self::Linear(linear) => linear.scorer().description(),
            Self::Salesman(salesman) => salesman.scorer().description(),
            Self::Siblings(siblings) => siblings.description(),
            Self::Rules(rules, columns) => (named(columns), rules.description()),
            Self::Children(_, columns) => (named(columns), Vec::new()),
        }
    }

    pub(super) fn add_to(&self, number: usize, writer: &mut ContainerWriter<'_>) {
        match self {
            Self::Btg(btg) => btg.add_to(number, writer),
            Self::Linear(linear) => linear.scorer().add_to(number, writer),
            Self::Salesman(salesman) => salesman.scorer().add_to(number, writer),
            Self::Siblings(siblings) => siblings.add_to(writer),
            Self::Rules(..) => {}
            Self::Children(children, _) => children.add_to(writer),
        }
    }

    pub(super) fn read(
        container: &Container,
        number: usize,
        kind: &str,
        columns: &[String],
        templates: &[String],
    ) -> Result<Self> {
        let named = || columns.iter().map(|column| column.parse()).collect::<Result<Vec<Column>>>();
        Ok(match kind {
            "btg" | "top-down" => Self::Btg(Btg::read(container, number, columns, templates, kind == "top-down")?),
            "linear" => Self::Linear(Linear::new(Scorer::read(container, number, columns, templates)?)),
            "salesman" => Self::Salesman(Salesman::new(Scorer::read(container, number, columns, templates)?)),
            "siblings" => Self::Siblings(Siblings::read(container, columns, templates)?),
            "rules" => Self::Rules(RuleSet::parse(&templates.join("\n"), container.name())?, named()?),
            "children" => Self::Children(Children::read(container)?, named()?),
            _ => {
                let expected = "a member btg, top-down, linear, salesman, siblings, rules or children".to_owned();
                return Err(container.error(expected, kind.to_owned()));
            }
        })
    }

    pub(super) fn engine(&self, search: Search) -> MemberEngine<'_> {
        match self {
            Self::Btg(btg) => MemberEngine::Btg(Box::new(btg.engine(search))),
            Self::Linear(linear) => MemberEngine::Linear(linear.engine()),
            Self::Salesman(salesman) => MemberEngine::Salesman(salesman.engine()),
            Self::Siblings(siblings) => MemberEngine::Siblings(siblings.engine(SiblingsSearch::Best)),
            Self::Rules(rules, columns) => MemberEngine::Rules(rules.engine(), columns),
            Self::Children(children, columns) => MemberEngine::Children(children.engine(), columns),
        }
    }
}

impl MemberEngine<'_> {
    /// Whether its beliefs are of what comes before what, and of what comes next.
    pub(super) fn knows(&self) -> [bool; 2] {
        [!matches!(self, Self::Salesman(_)), !matches!(self, Self::Linear(_))]
    }

    pub(super) fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        match self {
            Self::Btg(engine) => engine.beliefs(sentence),
            Self::Linear(engine) => engine.beliefs(sentence),
            Self::Salesman(engine) => engine.beliefs(sentence),
            Self::Siblings(engine) => engine.beliefs(sentence),
            Self::Rules(..) => {
                Err(ErrorKind::Inconsistent("rules assign no probabilities to orders".to_owned()).into())
            }
            Self::Children(engine, columns) => {
                Columns::check(columns, sentence)?;
                engine.beliefs(sentence)
            }
        }
    }

    pub(super) fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        match self {
            Self::Btg(engine) => engine.order(sentence),
            Self::Linear(engine) => engine.order(sentence),
            Self::Salesman(engine) => engine.order(sentence),
            Self::Siblings(engine) => engine.order(sentence),
            Self::Rules(engine, columns) => {
                Columns::check(columns, sentence)?;
                engine.order(sentence)
            }
            Self::Children(engine, columns) => {
                Columns::check(columns, sentence)?;
                engine.order(sentence)
            }
        }
    }

    /// Different orders, the best first.
    pub(super) fn best_orders(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<Permutation>> {
        match self {
            Self::Btg(engine) => engine.best_orders(sentence, count),
            _ => Ok(vec![self.order(sentence)?]),
        }
    }

    /// The trees of different orders, the best first.
    pub(super) fn best_trees(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<String>> {
        match self {
            Self::Btg(engine) => engine.best_trees(sentence, count),
            _ => Err(no_trees()),
        }
    }

    /// The tree in brackets.
    pub(super) fn tree(&mut self, sentence: &Sentence) -> Result<String> {
        match self {
            Self::Btg(engine) => engine.tree(sentence),
            _ => Err(no_trees()),
        }
    }
}

fn no_trees() -> Error {
    ErrorKind::Inconsistent("the model builds no trees over sentences".to_owned()).into()
}
