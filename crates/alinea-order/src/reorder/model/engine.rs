//! A trained model at work: one engine for each member, and the decision from all of them.
//!
//! With consensus search every member gives posteriors for pairs of words (which comes first, which follows directly).
//! Their weighted mean goes to `decide`, which searches for the order with the highest expected score. Weights are
//! equal for all kinds of models, and within a kind for all members; they are set separately for the two posteriors,
//! since `linear` has none of what follows directly, and `salesman` only these. With the other searches the first
//! member orders alone, and an order that changes more pairs of words than `acceptance` allows is replaced by the
//! source order.
//!
//! A model with induced trees parses the sentence first; other models over trees take the kind they were trained with.
//! Consensus orders sentences longer than `MOST_WORDS` a stretch at a time. How members are trained is in the parent
//! module.

use std::borrow::Cow;
use std::mem::discriminant;

use super::member::{Member, MemberEngine};
use super::trees::TreeKind;
use crate::error::Result;
use crate::permutation::{Permutation, rising_pairs};
use crate::reorder::beliefs::{Beliefs, Decision};
use crate::reorder::btg::Search;
use crate::reorder::engine::{Engine, Sentence, by_stretches};
use crate::reorder::induction::Parser;

/// A model in use.
#[derive(Debug)]
pub struct ModelEngine<'m> {
    pub(super) parser: Option<Parser<'m>>,
    pub(super) trees: Option<TreeKind>,
    pub(super) members: Vec<MemberEngine<'m>>,
    pub(super) search: Search,
    pub(super) acceptance: f64,
}

impl ModelEngine<'_> {
    /// The sentence as members see it.
    fn prepared<'s>(&mut self, sentence: &'s Sentence) -> Result<Cow<'s, Sentence>> {
        match (&mut self.parser, self.trees) {
            (Some(parser), _) => Ok(Cow::Owned(parser.parsed(sentence)?)),
            (None, Some(kind)) => kind.alone(sentence),
            (None, None) => Ok(Cow::Borrowed(sentence)),
        }
    }

    /// The pairwise order marginals, averaged over the members.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer or a tree, and if rules have no marginals.
    pub fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        let sentence = self.prepared(sentence)?;
        mean(&mut self.members, &sentence)
    }

    /// Different orders, the best first, at most `count`: with a beam those that it holds, of the first member, accepted or not;
    /// otherwise one.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn best_orders(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<Permutation>> {
        match self.search {
            Search::Beam(_) => self.members[0].best_orders(sentence, count),
            _ => Ok(vec![self.order(sentence)?]),
        }
    }

    /// The trees of the same orders, of the first member.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer, or the model has no trees of its own.
    pub fn best_trees(&mut self, sentence: &Sentence, count: usize) -> Result<Vec<String>> {
        self.members[0].best_trees(sentence, count)
    }

    /// The tree of the best derivation of the first member, in brackets ([`BtgEngine::tree`](crate::reorder::btg::BtgEngine::tree)).
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer, or the model has no trees of its own.
    pub fn tree(&mut self, sentence: &Sentence) -> Result<String> {
        self.members[0].tree(sentence)
    }
}

impl Engine for ModelEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        let sentence = self.prepared(sentence)?;
        match (self.search, &mut self.members[..]) {
            (Search::Consensus(decision), members) => {
                let [order] = decide(members, &sentence, [decision])?;
                Ok(order)
            }
            (_, members) => Ok(accepted(members[0].order(&sentence)?, self.acceptance)),
        }
    }
}

/// The order, or that of the sentence as it is if more than a share of the pairs of words changes. O(n log n).
pub(super) fn accepted(order: Permutation, acceptance: f64) -> Permutation {
    if acceptance >= 1.0 {
        return order;
    }
    let words = order.len();
    let pairs = (words * words.saturating_sub(1) / 2) as f64;
    let unchanged = rising_pairs(&mut order.places().to_vec(), &mut Vec::new()) as f64;
    if pairs - unchanged <= acceptance * pairs { order } else { Permutation::identity(words) }
}

fn mean(members: &mut [MemberEngine<'_>], sentence: &Sentence) -> Result<Beliefs> {
    let mut beliefs = Beliefs::new(sentence.len());
    let shares = shares(members);
    for (member, [before, next]) in members.iter_mut().zip(shares) {
        beliefs.add(&member.beliefs(sentence)?, before, next);
    }
    Ok(beliefs)
}

/// How much the beliefs of members count, in what comes before what and in what comes next: kinds of models that know of it
/// the same, and those of a kind.
fn shares(members: &[MemberEngine<'_>]) -> Vec<[f64; 2]> {
    let own = |member: &MemberEngine<'_>| {
        let alike = members.iter().filter(|other| discriminant(*other) == discriminant(member)).count();
        member.knows().map(|knows| f64::from(u8::from(knows)) / alike as f64)
    };
    let own: Vec<[f64; 2]> = members.iter().map(own).collect();
    let kinds = [0, 1].map(|which| own.iter().map(|share| share[which]).sum::<f64>().max(f64::MIN_POSITIVE));
    own.iter().map(|share| [share[0] / kinds[0], share[1] / kinds[1]]).collect()
}

/// The orders of several decisions, for the price of little more than one.
pub(super) fn decide<const N: usize>(
    members: &mut [MemberEngine<'_>],
    sentence: &Sentence,
    decisions: [Decision; N],
) -> Result<[Permutation; N]> {
    by_stretches(sentence, |piece| {
        let beliefs = mean(members, piece)?;
        let start: Vec<u32> = (0..piece.len() as u32).collect();
        let mut orders = [const { Vec::new() }; N];
        for (order, &decision) in orders.iter_mut().zip(&decisions) {
            *order = beliefs.decide(start.clone(), decision)?;
        }
        Ok(orders)
    })
}

/// The members in use.
pub(super) fn engines(members: &[Member], search: Search) -> Vec<MemberEngine<'_>> {
    members.iter().map(|member| member.engine(search)).collect()
}
