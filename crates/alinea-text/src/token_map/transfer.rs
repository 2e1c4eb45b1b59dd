//! Links between the tokens of one tokenization, made links between those of another.

use std::ops::Range;

use super::TokenMap;
use crate::alignment::Link;
use crate::error::{Error, Result};
use crate::format::alignment::{LinkRecord, PairRecord};
use crate::limits;

/// Carries links over, in buffers that are used again.
#[derive(Debug, Default)]
pub struct LinkTransfer {
    links: Vec<LinkRecord>,
}

impl LinkTransfer {
    /// Replaces each link of a pair by links between all tokens that share characters with its two tokens; a side without map keeps its
    /// tokens. Links keep their kind and weight; of several that become one the sure one stays, and then the heaviest. They are
    /// sorted. Returns the number of links that are left out because one of their tokens shares characters with none.
    ///
    /// Words and offsets of a side with a map are forgotten, for they are those of the former tokens. Time: the links that are made.
    ///
    /// # Errors
    /// `Inconsistent` for a link outside of the tokens, `OverLimit` for more than [`limits::LINKS`] links; then the pair is as it was.
    pub fn transfer(
        &mut self,
        pair: &mut PairRecord,
        source: Option<&TokenMap>,
        target: Option<&TokenMap>,
    ) -> Result<u64> {
        self.links.clear();
        let mut left_out = 0;
        // Links of one source token together: so most come out in order, and sorting them is quick.
        for group in pair.links.chunk_by(|one, next| one.link.source == next.link.source) {
            let mut made = self.links.len() as u64;
            let sources = others(group[0].link.source, source);
            for old in group {
                if is_outside(old.link.source, source) || is_outside(old.link.target, target) {
                    let lengths = [source, target].map(|map| map.map(TokenMap::len));
                    return Err(Error::link_outside_known(old.link, lengths));
                }
                let targets = others(old.link.target, target);
                made += sources.len() as u64 * targets.len() as u64;
                limits::LINKS.check(made)?;
                let is_carried = any_shares(&sources, source) && any_shares(&targets, target);
                left_out += u64::from(!is_carried);
            }
            for source_token in sources.filter(|&token| shares(source, token)) {
                for old in group {
                    let targets = others(old.link.target, target).filter(|&token| shares(target, token));
                    let link = |target| LinkRecord { link: Link { source: source_token, target }, ..*old };
                    self.links.extend(targets.map(link));
                }
            }
        }
        std::mem::swap(&mut pair.links, &mut self.links);
        pair.normalize();
        if source.is_some() {
            (pair.source, pair.source_offsets) = (None, None);
        }
        if target.is_some() {
            (pair.target, pair.target_offsets) = (None, None);
        }
        Ok(left_out)
    }
}

/// The tokens that share characters with this, or are between those; without a map itself.
fn others(token: u32, map: Option<&TokenMap>) -> Range<u32> {
    map.map_or(token..token + 1, |map| map.of(token))
}

/// Whether any of these tokens shares characters with any.
fn any_shares(tokens: &Range<u32>, map: Option<&TokenMap>) -> bool {
    tokens.clone().any(|token| shares(map, token))
}

fn is_outside(token: u32, map: Option<&TokenMap>) -> bool {
    map.is_some_and(|map| token as usize >= map.len())
}

/// Whether a token of the new ones shares characters with any: a blank between two others does not.
fn shares(map: Option<&TokenMap>, token: u32) -> bool {
    map.is_none_or(|map| !map.back(token).is_empty())
}
