//! As many links as can be, with the fewest crossings.

use std::cmp::Ordering;

use crate::alignment::Link;

/// A word of the hypothesis, and those of the reference that it may be linked with, ascending; not none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidates {
    pub(super) place: u32,
    pub(super) partners: Vec<u32>,
}

/// Adds links to those there: between words of the hypothesis, in ascending order, and their partners, none of which has a
/// link yet. `lengths` are those of reference and hypothesis.
pub(super) fn fewest_crossings(candidates: &[Candidates], lengths: [usize; 2], beam: usize, links: &mut Vec<Link>) {
    let groups = Groups::new(candidates, lengths[0]);
    let (alone, open): (Vec<&Candidates>, Vec<&Candidates>) =
        candidates.iter().partition(|word| groups.of(word).is_some_and(|group| groups.sizes[group] == (1, 1)));
    links.extend(alone.iter().map(|word| Link::new(word.partners[0], word.place)));
    let mut kept = vec![Partial::new(&groups)];
    // Words that are still to come, by group.
    let mut to_come: Vec<u32> = groups.sizes.iter().map(|&(words, _)| words).collect();
    for word in open {
        let Some(group) = groups.of(word) else { continue };
        let before = to_come[group];
        to_come[group] -= 1;
        let mut longer = Vec::new();
        for partial in &kept {
            longer.push(partial.without(group, before));
            let is_free = |partner: &&u32| partial.links.iter().all(|link| link.source != **partner);
            for &partner in word.partners.iter().filter(is_free) {
                longer.push(partial.with(Link::new(partner, word.place), (group, before), links, lengths));
            }
        }
        longer.sort_unstable_by(Partial::compare);
        longer.truncate(beam);
        kept = longer;
    }
    links.extend(kept.swap_remove(0).links);
}

/// Words that are connected by being partners.
struct Groups {
    /// The group of each word of the reference.
    of_reference: Vec<Option<usize>>,
    /// How many words of the hypothesis and the reference there are in each.
    sizes: Vec<(u32, u32)>,
}

impl Groups {
    fn new(candidates: &[Candidates], references: usize) -> Self {
        let mut heads: Vec<usize> = (0..references).collect();
        let find = |heads: &[usize], mut word: usize| {
            while heads[word] != word {
                word = heads[word];
            }
            word
        };
        for Candidates { partners, .. } in candidates {
            for pair in partners.windows(2) {
                let [one, other] = [0, 1].map(|side| find(&heads, pair[side] as usize));
                heads[one.max(other)] = one.min(other);
            }
        }
        let mut groups = Self { of_reference: vec![None; references], sizes: Vec::new() };
        let mut partnered = vec![false; references];
        for &partner in candidates.iter().flat_map(|word| &word.partners) {
            partnered[partner as usize] = true;
        }
        // The head of a group is its lowest word, so it comes first.
        for word in (0..references).filter(|&word| partnered[word]) {
            let head = find(&heads, word);
            let group = groups.of_reference[head].unwrap_or(groups.sizes.len());
            if group == groups.sizes.len() {
                groups.sizes.push((0, 0));
            }
            groups.of_reference[word] = Some(group);
            groups.sizes[group].1 += 1;
        }
        for word in candidates {
            if let Some(group) = groups.of(word) {
                groups.sizes[group].0 += 1;
            }
        }
        groups
    }

    fn of(&self, word: &Candidates) -> Option<usize> {
        self.of_reference[*word.partners.first()? as usize]
    }
}

/// Links of the first words.
#[derive(Debug, Clone)]
struct Partial {
    links: Vec<Link>,
    /// Words of the reference that are free, by group.
    free: Vec<u32>,
    /// How many links there can be in the end, at most.
    most: u32,
    crossings: u32,
    /// How far the places are apart that links lead to, in relation to the lengths.
    spread: u64,
}

impl Partial {
    fn new(groups: &Groups) -> Self {
        let most = groups.sizes.iter().map(|&(words, partners)| words.min(partners)).sum();
        let free = groups.sizes.iter().map(|&(_, partners)| partners).collect();
        Self { links: Vec::new(), free, most, crossings: 0, spread: 0 }
    }

    /// The next word is left without a link; it was one of so many in its group that were to come.
    fn without(&self, group: usize, to_come: u32) -> Self {
        let free = self.free[group];
        Self { most: self.most - to_come.min(free) + (to_come - 1).min(free), ..self.clone() }
    }

    fn with(&self, link: Link, (group, to_come): (usize, u32), others: &[Link], lengths: [usize; 2]) -> Self {
        let mut longer = self.clone();
        let free = &mut longer.free[group];
        longer.most = self.most + 1 + (to_come - 1).min(*free - 1) - to_come.min(*free);
        *free -= 1;
        let crosses = |other: &&Link| (other.source < link.source) != (other.target < link.target);
        longer.crossings += others.iter().chain(&self.links).filter(crosses).count() as u32;
        // Places as shares of the lengths, on a common denominator.
        let [source, target] = [(link.source, lengths[1]), (link.target, lengths[0])];
        longer.spread += (u64::from(source.0) * source.1 as u64).abs_diff(u64::from(target.0) * target.1 as u64);
        longer.links.push(link);
        longer
    }

    /// The better one first.
    fn compare(&self, other: &Self) -> Ordering {
        let key = |partial: &Self| (partial.crossings, partial.spread);
        let by_rank = other.most.cmp(&self.most).then_with(|| key(self).cmp(&key(other)));
        by_rank.then_with(|| self.links.cmp(&other.links))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Number of links and of crossings of all ways to link, by brute force: the most links, then the fewest crossings.
    fn best(candidates: &[Candidates], fixed: &[Link]) -> (usize, usize) {
        let Some((word, others)) = candidates.split_first() else { return (fixed.len(), crossings(fixed)) };
        let mut found = vec![best(others, fixed)];
        for &partner in &word.partners {
            if fixed.iter().all(|link| link.source != partner) {
                found.push(best(others, &[fixed, &[Link::new(partner, word.place)]].concat()));
            }
        }
        found.into_iter().min_by_key(|&(links, crossings)| (usize::MAX - links, crossings)).unwrap()
    }

    fn crossings(links: &[Link]) -> usize {
        let pairs =
            links.iter().enumerate().flat_map(|(at, one)| links[at + 1..].iter().map(move |other| (one, other)));
        pairs.filter(|(one, other)| (one.source < other.source) != (one.target < other.target)).count()
    }

    proptest! {
        /// Words are letters; letters that are equal are partners, and the first two are linked beforehand.
        #[test]
        fn none_is_better(
            reference in proptest::collection::vec(0u8..3, 1..7),
            hypothesis in proptest::collection::vec(0u8..3, 1..7),
        ) {
            let partners = |letter: u8| {
                let equal = (1..).zip(&reference[1..]).filter(|(_, other)| **other == letter);
                equal.map(|(place, _)| place).collect::<Vec<u32>>()
            };
            let candidates: Vec<Candidates> = (1..)
                .zip(&hypothesis[1..])
                .map(|(place, &letter)| Candidates { place, partners: partners(letter) })
                .filter(|word| !word.partners.is_empty())
                .collect();
            let mut links = vec![Link::new(0, 0)];
            let expected = best(&candidates, &links);
            fewest_crossings(&candidates, [reference.len(), hypothesis.len()], 100_000, &mut links);
            prop_assert_eq!((links.len(), crossings(&links)), expected);
        }

        /// Whoever looks alike need not be alike: partners at random.
        #[test]
        fn links_are_one_to_one(
            partners in proptest::collection::vec(proptest::collection::btree_set(0u32..6, 1..4), 1..6),
        ) {
            let candidates: Vec<Candidates> = (0..)
                .zip(&partners)
                .map(|(place, partners)| Candidates { place, partners: partners.iter().copied().collect() })
                .collect();
            let mut links = Vec::new();
            fewest_crossings(&candidates, [6, 6], 100_000, &mut links);
            let (most, fewest) = best(&candidates, &[]);
            prop_assert!(links.len() == most, "{} {}", links.len(), most);
            // Links that were made first because there was no choice do not count here.
            prop_assert!(crossings(&links) >= fewest);
            for side in [|link: &Link| link.source, |link: &Link| link.target] {
                let mut places: Vec<u32> = links.iter().map(side).collect();
                places.sort_unstable();
                prop_assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}
