//! Beam search for one-to-one links between candidates: as many as possible, and with the fewest crossings.
//!
//! Candidates are hypothesis words that have no link yet, each with its possible partners in the reference. Links of
//! earlier stages are fixed, but crossings with them count. Two words without another partner are linked beforehand.
//! The other words are taken from left to right: each partial alignment goes on with every free partner of the word,
//! and without a link for it, and the `beam` best are kept.
//!
//! Partial alignments are ranked by the number of links that they can have in the end, then by fewest crossings, then
//! by how near their links are to the diagonal, then by lowest positions. The first is an upper bound: the links so far
//! and, for each group of words connected as partners, the lesser of the words to come and the partners still free. It
//! is reached if all words of a group are partners of each other, as equal words are. Extensions are ranked before they
//! are made. One linear pass counts the crossings of a new link for all positions of the reference at once.

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
        let mut steps = Vec::new();
        for (number, partial) in kept.iter().enumerate() {
            steps.push(Step { of: number, ..partial.step(group, before) });
            let crossings = crossings(links.iter().chain(&partial.links), word.place, lengths[0]);
            let mut free = vec![true; lengths[0]];
            partial.links.iter().for_each(|link| free[link.source as usize] = false);
            for &partner in word.partners.iter().filter(|&&partner| free[partner as usize]) {
                let link = Link::new(partner, word.place);
                let step = partial.step_with(link, (group, before), crossings[partner as usize], lengths);
                steps.push(Step { of: number, ..step });
            }
        }
        let order = |one: &Step, other: &Step| one.compare(other, &kept);
        if steps.len() > beam {
            steps.select_nth_unstable_by(beam, order);
            steps.truncate(beam);
        }
        steps.sort_unstable_by(order);
        kept = steps.iter().map(|step| kept[step.of].longer(step, group)).collect();
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

/// How many of the links cross one from each word of the reference to the word of the hypothesis at `place`. Linear.
fn crossings<'l>(links: impl Iterator<Item = &'l Link>, place: u32, references: usize) -> Vec<u32> {
    // By words of the reference, their links to the left of the place and to the right, that at the place included.
    let mut sides = vec![[0; 2]; references];
    let mut left = 0;
    for link in links {
        let side = usize::from(link.target >= place);
        sides[link.source as usize][side] += 1;
        left += u32::from(side == 0);
    }
    // Links from here or behind to the left cross, and those from before to the right.
    let mut crossing = left;
    let count = |&[to_left, to_right]: &[u32; 2]| {
        let here = crossing;
        crossing = crossing + to_right - to_left;
        here
    };
    sides.iter().map(count).collect()
}

/// Links of the first words.
#[derive(Debug, Clone)]
struct Partial {
    links: Vec<Link>,
    /// Words of the reference that are free, by group.
    free: Vec<u32>,
    rank: Rank,
}

/// By what partial alignments are chosen.
#[derive(Debug, Clone, Copy)]
struct Rank {
    /// How many links there can be in the end, at most.
    most: u32,
    crossings: u32,
    /// How far the places are apart that links lead to, in relation to the lengths.
    spread: u64,
}

/// A partial alignment with one word more, which is not made before it is chosen.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Which partial alignment it is of.
    of: usize,
    /// The link of the word, if it gets one.
    link: Option<Link>,
    rank: Rank,
}

impl Partial {
    fn new(groups: &Groups) -> Self {
        let most = groups.sizes.iter().map(|&(words, partners)| words.min(partners)).sum();
        let free = groups.sizes.iter().map(|&(_, partners)| partners).collect();
        Self { links: Vec::new(), free, rank: Rank { most, crossings: 0, spread: 0 } }
    }

    /// The next word is left without a link; it was one of so many in its group that were to come.
    fn step(&self, group: usize, to_come: u32) -> Step {
        let free = self.free[group];
        let most = self.rank.most - to_come.min(free) + (to_come - 1).min(free);
        Step { of: 0, link: None, rank: Rank { most, ..self.rank } }
    }

    /// It gets this link, which crosses so many.
    fn step_with(&self, link: Link, (group, to_come): (usize, u32), crossings: u32, lengths: [usize; 2]) -> Step {
        let Self { free, rank, .. } = self;
        let most = rank.most + 1 + (to_come - 1).min(free[group] - 1) - to_come.min(free[group]);
        // Places as shares of the lengths, on a common denominator.
        let [source, target] = [(link.source, lengths[1]), (link.target, lengths[0])];
        let apart = (u64::from(source.0) * source.1 as u64).abs_diff(u64::from(target.0) * target.1 as u64);
        let rank = Rank { most, crossings: rank.crossings + crossings, spread: rank.spread + apart };
        Step { of: 0, link: Some(link), rank }
    }

    /// With the step made.
    fn longer(&self, step: &Step, group: usize) -> Self {
        let mut longer = Self { rank: step.rank, ..self.clone() };
        if let Some(link) = step.link {
            longer.links.push(link);
            longer.free[group] -= 1;
        }
        longer
    }
}

impl Step {
    /// The better one first.
    fn compare(&self, other: &Self, kept: &[Partial]) -> Ordering {
        let key = |step: &Self| (step.rank.crossings, step.rank.spread);
        let links = |step: &Self| kept[step.of].links.iter().copied().chain(step.link);
        let by_rank = other.rank.most.cmp(&self.rank.most).then_with(|| key(self).cmp(&key(other)));
        by_rank.then_with(|| links(self).cmp(links(other)))
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
