//! Learning rules.
//!
//! A round looks at all windows of two to [`RulesConfig::window`] parts, as the rules so far have arranged them. Where another
//! order of a window has fewer pairs of words in the wrong order, the best one is proposed, for patterns of several kinds that fit the window.
//! Then all windows that fit a proposed pattern are counted for and against it, and the best proposal becomes a rule, if it
//! keeps its promise when it is applied (windows overlap, so that it may not).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashTable;

use super::super::constituents::Constituents;
use super::super::example::Example;
use super::super::example::{nothing_to_learn, shuffled};
use super::super::fingerprint::mix;
use super::super::precedence::Precedence;
use super::pattern::{Choice, Item, Matcher, Pattern, WordAttributes};
use super::{Rule, RuleSet, RulesConfig, Tally};
use crate::error::{Error, Result};
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};

/// What patterns ask: tag and relation of each part, of the node, tag of the node above.
const KINDS: [[bool; 5]; 12] = [
    [false, true, false, false, false],
    [false, true, true, false, false],
    [false, true, true, true, false],
    [false, true, true, false, true],
    [true, false, false, false, false],
    [true, false, true, false, false],
    [true, false, true, true, false],
    [true, false, true, false, true],
    [true, true, false, false, false],
    [true, true, true, false, false],
    [true, true, true, true, false],
    [true, true, true, false, true],
];

/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-6;

/// A sentence under the rules so far.
struct State<'e> {
    example: &'e Example,
    tree: Constituents,
    gold: Precedence,
    /// Tag and relation of each part, node by node; and of the node itself and the tag of the one above it.
    parts: Vec<Vec<[u32; 2]>>,
    nodes: Vec<[u32; 3]>,
    arranged: Vec<Vec<usize>>,
}

impl State<'_> {
    /// What it costs that a part comes before another.
    fn cost(&self, node: usize, first: usize, second: usize) -> f64 {
        let part = |part: usize| self.tree.nodes()[node].parts[part].range();
        if first < second {
            self.gold.between(part(first), part(second))[0]
        } else {
            self.gold.between(part(second), part(first))[1]
        }
    }

    /// What the arrangement of a node costs.
    fn cost_of(&self, node: usize, arranged: &[usize]) -> f64 {
        let pairs = (0..arranged.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
        pairs.map(|(first, second)| self.cost(node, arranged[first], arranged[second])).sum()
    }
}

/// A window of a node.
#[derive(Clone, Copy)]
struct Window {
    node: usize,
    start: usize,
    length: usize,
}

/// Another order for a kind of window.
struct Proposal {
    permutation: usize,
    length: usize,
    /// Where it was met first.
    sentence: usize,
    window: Window,
    kind: usize,
    gain: f64,
    tally: Tally,
    /// The sentence that is being counted, and its gain so far.
    open: (usize, f64),
}

impl Proposal {
    fn count(&mut self, sentence: usize, gain: f64) {
        if self.open.0 != sentence {
            self.settle();
            self.open = (sentence, 0.0);
        }
        self.open.1 += gain;
    }

    fn settle(&mut self) {
        let gain = std::mem::take(&mut self.open.1);
        self.gain += gain;
        self.tally.helped += u64::from(gain > LEAST_GAIN);
        self.tally.harmed += u64::from(gain < -LEAST_GAIN);
    }
}

pub(super) struct Learner<'e> {
    states: Vec<State<'e>>,
    config: &'e RulesConfig,
    /// Names of tags and relations by their numbers from 1.
    names: Vec<String>,
    /// By length, all orders but that of the source, in ascending order.
    permutations: Vec<Vec<Vec<usize>>>,
}

impl<'e> Learner<'e> {
    pub(super) fn new(
        examples: &'e [Cow<'e, Example>],
        config: &'e RulesConfig,
        parallelism: &Parallelism,
    ) -> Result<Self> {
        if !(2..=4).contains(&config.window) {
            return Err(Error::config("window", config.window, "2 to 4"));
        }
        let mut states = Vec::with_capacity(examples.len());
        let state = |(): &mut (), number: usize| {
            let example = &*examples[number];
            let tree = Constituents::of_sentence(example.sentence())?.into_owned();
            let arranged = tree.nodes().iter().map(|node| (0..node.parts.len()).collect()).collect();
            let (parts, nodes) = (Vec::new(), Vec::new());
            Ok(State { example, gold: example.precedence(0.0), tree, parts, nodes, arranged })
        };
        parallelism.map_ordered(
            examples.len(),
            || (),
            state,
            |state| {
                states.push(state);
                Ok(())
            },
        )?;
        if !states.iter().any(|state| !state.gold.is_empty()) {
            return Err(nothing_to_learn());
        }
        let mut learner = Self { states, config, names: Vec::new(), permutations: Vec::new() };
        learner.permutations = (0..=config.window).map(permutations).collect();
        learner.number_names();
        Ok(learner)
    }

    /// Numbers for tags and relations; 0 for what is not known, or cannot be written in a rule.
    fn number_names(&mut self) {
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let names = &mut self.names;
        let mut number = |name: Option<&str>| {
            let Some(name) = name.filter(|name| !name.is_empty() && !name.contains(char::is_whitespace)) else {
                return 0;
            };
            *numbers.entry(name.to_owned()).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() as u32
            })
        };
        for state in &mut self.states {
            let known = WordAttributes::new(state.example.sentence());
            for node in state.tree.nodes() {
                let parts = node.parts.iter().map(|part| known.names(part).map(&mut number)).collect();
                let above = node.above.and_then(|above| known.names(&state.tree.nodes()[above].this)[0]);
                let [tag, relation] = known.names(&node.this).map(&mut number);
                state.parts.push(parts);
                state.nodes.push([tag, relation, number(above)]);
            }
        }
    }

    pub(super) fn learn(mut self, observer: &dyn Observer) -> Result<RuleSet> {
        let mut set = RuleSet::default();
        // Those that did not keep their promise.
        let mut refused: BTreeSet<Rule> = BTreeSet::new();
        observer.started("rules", self.config.rules as u64);
        let mut round = 0;
        while set.rules.len() < self.config.rules && round < 2 * self.config.rules {
            check(observer)?;
            round += 1;
            let sample = self.sample(round as u64);
            let Some(mut rule) = self.propose(&sample, &refused) else { break };
            let (gain, tally) = self.apply(&rule, &sample, false);
            if gain > LEAST_GAIN && self.is_good(tally) {
                self.apply(&rule, &(0..self.states.len()).collect::<Vec<_>>(), true);
                rule.tally = Some(tally);
                set.rules.push(rule);
                refused.clear();
                observer.advance(1);
            } else {
                refused.insert(rule);
            }
        }
        observer.finished(&format!("{} rules", set.rules.len()));
        Ok(set)
    }

    fn is_good(&self, tally: Tally) -> bool {
        tally.helped >= self.config.least_helped && tally.helped as f64 >= self.config.factor * tally.harmed as f64
    }

    /// The sentences that a round looks at, in ascending order.
    fn sample(&self, round: u64) -> Vec<usize> {
        let all = self.states.len();
        if all <= self.config.sample {
            return (0..all).collect();
        }
        let mut sample = shuffled(all, self.config.seed.wrapping_add(round));
        sample.truncate(self.config.sample);
        sample.sort_unstable();
        sample
    }

    /// All windows of a sentence.
    fn windows<'s>(&'s self, state: &'s State<'_>) -> impl Iterator<Item = Window> + 's {
        (0..state.arranged.len()).flat_map(move |node| {
            let parts = state.arranged[node].len();
            (2..=self.config.window.min(parts))
                .flat_map(move |length| (0..=parts - length).map(move |start| Window { node, start, length }))
        })
    }

    /// The key of a window under a kind of pattern; none if what that asks is not known.
    fn key(state: &State<'_>, window: Window, kind: usize) -> Option<u64> {
        let [part_tag, part_relation, tag, relation, above] = KINDS[kind];
        let mut key = mix(kind as u64, window.length as u64);
        let mut add = |asked: bool, name: u32| {
            if asked {
                key = mix(key, u64::from(name));
            }
            !asked || name > 0
        };
        let node = state.nodes[window.node];
        let mut known = add(tag, node[0]) & add(relation, node[1]) & add(above, node[2]);
        for &part in &state.arranged[window.node][window.start..window.start + window.length] {
            if state.tree.nodes()[window.node].parts[part].is_head {
                known &= add(true, u32::MAX);
            } else {
                let [own_tag, own_relation] = state.parts[window.node][part];
                known &= add(part_tag, own_tag) & add(part_relation, own_relation);
            }
        }
        known.then_some(key)
    }

    /// For each order of a window but the present one, by how much it is better.
    fn gains(&self, state: &State<'_>, window: Window, gains: &mut Vec<f64>) {
        let Window { node, start, length } = window;
        let parts = &state.arranged[node][start..start + length];
        let mut cost = [[0.0; 4]; 4];
        for first in 0..length {
            for second in (0..length).filter(|&second| second != first) {
                cost[first][second] = state.cost(node, parts[first], parts[second]);
            }
        }
        let pairs = || (0..length).flat_map(|second| (0..second).map(move |first| (first, second)));
        let kept: f64 = pairs().map(|(first, second)| cost[first][second]).sum();
        gains.clear();
        gains.extend(
            self.permutations[length]
                .iter()
                .map(|order| kept - pairs().map(|(first, second)| cost[order[first]][order[second]]).sum::<f64>()),
        );
    }

    /// The proposal with the greatest gain, of those that are good enough.
    fn propose(&self, sample: &[usize], refused: &BTreeSet<Rule>) -> Option<Rule> {
        let (mut proposals, index) = self.proposals(sample);
        let mut gains = Vec::new();
        for &sentence in sample {
            let state = &self.states[sentence];
            for window in self.windows(state) {
                self.gains(state, window, &mut gains);
                if gains.iter().all(|gain| gain.abs() < LEAST_GAIN) {
                    continue;
                }
                for key in (0..KINDS.len()).filter_map(|kind| Self::key(state, window, kind)) {
                    let Some((_, orders)) = index.find(key, |entry| entry.0 == key) else { continue };
                    for &number in orders {
                        let proposal = &mut proposals[number];
                        proposal.count(sentence, gains[proposal.permutation]);
                    }
                }
            }
        }
        proposals.iter_mut().for_each(Proposal::settle);
        proposals.retain(|proposal| proposal.gain > LEAST_GAIN && self.is_good(proposal.tally));
        // Of equally good ones the most general, met first.
        proposals.sort_by(|one, other| other.gain.total_cmp(&one.gain).then(one.length.cmp(&other.length)));
        proposals.iter().map(|proposal| self.rule(proposal)).find(|rule| !refused.contains(rule))
    }

    /// What is proposed, in the order in which it was met, and the numbers of proposals by key.
    fn proposals(&self, sample: &[usize]) -> (Vec<Proposal>, HashTable<(u64, Vec<usize>)>) {
        let mut proposals: Vec<Proposal> = Vec::new();
        let mut index: HashTable<(u64, Vec<usize>)> = HashTable::new();
        let mut gains = Vec::new();
        for &sentence in sample {
            let state = &self.states[sentence];
            for window in self.windows(state) {
                self.gains(state, window, &mut gains);
                let better = |best: usize, permutation: usize| {
                    if gains[permutation] > gains[best] + LEAST_GAIN { permutation } else { best }
                };
                let permutation = (0..gains.len()).fold(0, better);
                if gains[permutation] < LEAST_GAIN {
                    continue;
                }
                for kind in 0..KINDS.len() {
                    let Some(key) = Self::key(state, window, kind) else { continue };
                    let entry = index.entry(key, |entry| entry.0 == key, |entry| entry.0);
                    let orders = &mut entry.or_insert_with(|| (key, Vec::new())).into_mut().1;
                    if orders.iter().all(|&number| proposals[number].permutation != permutation) {
                        orders.push(proposals.len());
                        let tally = Tally { helped: 0, harmed: 0 };
                        let (length, gain, open) = (window.length, 0.0, (sentence, 0.0));
                        proposals.push(Proposal { permutation, length, sentence, window, kind, gain, tally, open });
                    }
                }
            }
        }
        (proposals, index)
    }

    fn rule(&self, proposal: &Proposal) -> Rule {
        let Proposal { sentence, window, kind, permutation, .. } = *proposal;
        let [part_tag, part_relation, tag, relation, above] = KINDS[kind];
        let choice = |asked: bool, name: u32| asked.then(|| Choice::of(&self.names[name as usize - 1]));
        let state = &self.states[sentence];
        let node = state.nodes[window.node];
        let item = |&part: &usize| {
            if state.tree.nodes()[window.node].parts[part].is_head {
                return Item::Head;
            }
            let [own_tag, own_relation] = state.parts[window.node][part];
            let (tag, relation) = (choice(part_tag, own_tag), choice(part_relation, own_relation));
            Item::One(Pattern { tag, relation, lemma: None })
        };
        let parts = &state.arranged[window.node][window.start..window.start + window.length];
        Rule {
            above: above.then(|| Pattern { tag: choice(true, node[2]), ..Pattern::default() }),
            node: Pattern { tag: choice(tag, node[0]), relation: choice(relation, node[1]), lemma: None },
            from_start: false,
            items: parts.iter().map(item).collect(),
            to_end: false,
            order: self.permutations[window.length][permutation].clone(),
            tally: None,
        }
    }

    /// Applies a rule to sentences, for good or only to see what it brings.
    fn apply(&mut self, rule: &Rule, sample: &[usize], keep: bool) -> (f64, Tally) {
        let mut matcher = Matcher::default();
        let (mut total, mut tally) = (0.0, Tally { helped: 0, harmed: 0 });
        for &sentence in sample {
            let state = &mut self.states[sentence];
            let known = WordAttributes::new(state.example.sentence());
            let mut gain = 0.0;
            for node in 0..state.arranged.len() {
                let mut arranged = state.arranged[node].clone();
                let tree = &state.tree;
                if rule.apply(&known, tree, &tree.nodes()[node], &mut arranged, &mut matcher) {
                    gain += state.cost_of(node, &state.arranged[node]) - state.cost_of(node, &arranged);
                    if keep {
                        state.arranged[node] = arranged;
                    }
                }
            }
            total += gain;
            tally.helped += u64::from(gain > LEAST_GAIN);
            tally.harmed += u64::from(gain < -LEAST_GAIN);
        }
        (total, tally)
    }
}

/// All orders of so many but the first, in ascending order.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..count).filter(|part| !order.contains(part)).map(|part| [&order[..], &[part]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.remove(0);
    all
}
