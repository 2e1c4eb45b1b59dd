//! IBM Models 1 to 5 and the diagonal model against their definitions, by enumeration of tiny sentence pairs.
//!
//! Probabilities of all alignments follow the formulas of Brown et al. (1993, sections 4.4, 4.6 and 4.7), written out
//! again here. Neighbors, climbs, counts of a pass and posteriors are compared with sums over explicit lists of
//! alignments, under random parameters in which no two alignments are equally probable.

use std::collections::BTreeMap;

use super::absolute::Absolute;
use super::aligner::{Tables, Trained};
use super::directed::Directed;
use super::directed::Generated;
use super::fertile_tables::{Fertile, Order};
use super::fertility::{FertilityTable, MOST, NullInsertion};
use super::relative::{Classes, Displacements, Relative};
use super::search::Search;
use super::side::Cells;
use super::translation::TranslationTable;
use super::vacancies::Vacancies;
use super::{IbmAligner, IbmConfig, MIN_PROBABILITY, Paths};
use crate::alignment::Link;
use crate::bitext::{Bitext, RankedBitext, Text};
use crate::lexicon::PairIndex;
use crate::numeric::Generator;
use crate::parallel::{Parallelism, Work};
use crate::progress::Silent;

/// Sentence pairs of words a, b, c and x, y, z, of up to three and four words.
fn random_text(seed: u64, pairs: usize) -> RankedBitext {
    let mut generator = Generator::new(seed, 0);
    let mut below = |n: u64| (generator.next_u64() >> 20) % n;
    let (mut source, mut target) = (Text::default(), Text::default());
    for _ in 0..pairs {
        let (sources, targets) = (1 + below(3), 1 + below(4));
        let words = |n: u64, letters: &'static [u8], below: &mut dyn FnMut(u64) -> u64| {
            (0..n)
                .map(|_| {
                    let at = below(3) as usize;
                    &letters[at..=at]
                })
                .collect::<Vec<_>>()
        };
        source.push_sentence(words(sources, b"abc", &mut below));
        target.push_sentence(words(targets, b"xyz", &mut below));
    }
    RankedBitext::new(Bitext::new(source, target).unwrap())
}

/// The same, but source sentences have no word twice: so alignments are not equally probable, and it does not matter which
/// of equal ones a climb takes.
fn random_text_without_ties(seed: u64, pairs: usize) -> RankedBitext {
    let mut generator = Generator::new(seed, 0);
    let mut below = |n: u64| ((generator.next_u64() >> 20) % n) as usize;
    let (mut source, mut target) = (Text::default(), Text::default());
    for _ in 0..pairs {
        let (sources, targets, first) = (1 + below(3), 1 + below(4), below(3));
        source.push_sentence((first..first + sources).map(|n| &b"abc"[n % 3..=n % 3]));
        target.push_sentence((0..targets).map(|_| below(3)).map(|n| &b"xyz"[n..=n]).collect::<Vec<_>>());
    }
    RankedBitext::new(Bitext::new(source, target).unwrap())
}

/// Parameters drawn at random, so that no two alignments are alike.
struct Drawn {
    bitext: RankedBitext,
    index: PairIndex,
    generator: Generator,
}

impl Drawn {
    fn new(seed: u64) -> Self {
        Self::of(random_text(seed, 4), seed)
    }

    fn without_ties(seed: u64) -> Self {
        Self::of(random_text_without_ties(seed, 4), seed)
    }

    fn of(bitext: RankedBitext, seed: u64) -> Self {
        let index = PairIndex::build(&bitext, &Parallelism::serial(), &Silent).unwrap();
        Self { bitext, index, generator: Generator::new(seed, 1) }
    }

    fn directed(&self, generated: Generated) -> Directed<'_> {
        Directed { bitext: &self.bitext, index: &self.index, generated }
    }

    fn uniform(&mut self) -> f64 {
        0.01 + self.generator.unit()
    }

    /// What a model makes of random alignments: tables as uneven as one could wish.
    fn model(&mut self, number: u32, generated: Generated) -> Fertile {
        let [conditions, words] = generated.words(&self.bitext);
        let pairs: Vec<f64> = (0..self.index.ids()).map(|_| self.uniform()).collect();
        let null: Vec<f64> = (0..words).map(|_| self.uniform()).collect();
        let class = |n: usize| (0..n as u32).map(|word| word % 2).collect();
        let classes = Classes { conditions: class(conditions), generated: class(words), numbers: [2, 2] };
        let relative = Relative::initial(&classes, 0.0);
        let order = match number {
            3 => Order::Absolute(Absolute::initial(&self.bitext, generated, 0.0)),
            4 => Order::Relative(classes, relative),
            _ => {
                let [heads, others] = [Displacements::initial(2, 0.0), Displacements::initial(2, 0.0)];
                Order::Vacancies(classes, relative, Vacancies { heads, others })
            }
        };
        let mut model = Fertile {
            translation: TranslationTable::of(pairs.into_iter(), null.into_iter()),
            fertility: FertilityTable::initial(conditions),
            null: NullInsertion { probability: 0.3, fixed: false },
            order,
            fertility_strength: 0.5,
            pegging: false,
        };
        let mut paths = Paths::default();
        for n in 0..self.bitext.len() {
            let (conditions, words) = generated.split(self.bitext.pair(n));
            let states = (conditions.len() + 1) as f64;
            let path: Vec<u32> = words.iter().map(|_| (self.generator.unit() * states) as u32).collect();
            paths.push(&path);
        }
        model.learn_from(self.directed(generated), &paths);
        model
    }

    /// Draws the order of words anew, so that every place is more or less probable.
    fn mix_order(&mut self, model: &mut Fertile) {
        let mut fill = |displacements: &mut Displacements, classes: usize| {
            let counts = displacements.counts();
            for class in 0..classes {
                (-5..=5).for_each(|displacement| counts.add(class, displacement, self.uniform()));
            }
            displacements.maximize(counts);
        };
        if let Order::Relative(_, relative) | Order::Vacancies(_, relative, _) = &mut model.order {
            fill(&mut relative.heads, 6);
            fill(&mut relative.others, 2);
        }
        match &mut model.order {
            Order::Absolute(absolute) => {
                let counts = absolute.counts();
                (0..counts.len()).for_each(|place| counts.add(place, self.uniform()));
                absolute.maximize(counts);
            }
            Order::Relative(..) => {}
            Order::Vacancies(_, _, Vacancies { heads, others }) => {
                fill(heads, 2);
                fill(others, 2);
            }
        }
    }
}

/// All ways to give each of so many words one of so many positions.
fn all_paths(states: usize, words: usize) -> Vec<Vec<u32>> {
    (0..words).fold(vec![Vec::new()], |paths, _| {
        let longer =
            |path: &Vec<u32>| (0..states as u32).map(|at| [path.as_slice(), &[at]].concat()).collect::<Vec<_>>();
        paths.iter().flat_map(longer).collect()
    })
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

fn choose(n: usize, k: usize) -> f64 {
    factorial(n) / factorial(k) / factorial(n - k)
}

/// P(f, a | e) from the tables by the formulas of Brown et al. (1993), sections 4.4, 4.6 and 4.7; 0 for what
/// cannot be.
fn probability(model: &Fertile, search: &Search<'_>, path: &[u32], number: u32) -> f64 {
    let (cells, words) = (&search.cells, path.len());
    let of = |position: u32| (0..words).filter(move |&j| path[j] == position).collect::<Vec<_>>();
    let null = of(0).len();
    if 2 * null > words {
        return 0.0;
    }
    let p1 = model.null.probability;
    let mut product = choose(words - null, null) * p1.powi(null as i32) * (1.0 - p1).powi((words - 2 * null) as i32);
    for (j, &position) in path.iter().enumerate() {
        product *= model.translation.of_cell(position as usize, cells.id(j, position as usize));
    }
    for (i, &condition) in cells.conditions.iter().enumerate() {
        let fertility = of(i as u32 + 1).len();
        product *= if fertility > MOST { 0.0 } else { model.fertility.of(condition)[fertility] };
        if number == 3 {
            product *= factorial(fertility);
        }
    }
    match &model.order {
        Order::Absolute(absolute) => {
            let mut distortion = BTreeMap::new();
            absolute.for_each(|key, value| {
                distortion.insert(key, value);
            });
            for (j, &position) in path.iter().enumerate().filter(|&(_, &position)| position > 0) {
                product *= distortion[&[j + 1, position as usize, cells.conditions.len(), words]];
            }
        }
        Order::Relative(classes, relative) => product *= relative_probability(classes, relative, search, &of),
        Order::Vacancies(classes, relative, _) if number == 4 => {
            product *= relative_probability(classes, relative, search, &of);
        }
        Order::Vacancies(classes, _, vacancies) => product *= vacant_probability(classes, vacancies, search, &of),
    }
    product
}

fn mean_rounded_up(places: &[usize]) -> i64 {
    let sum: usize = places.iter().map(|place| place + 1).sum();
    (sum as f64 / places.len() as f64).ceil() as i64
}

fn relative_probability(
    classes: &Classes,
    relative: &Relative,
    search: &Search<'_>,
    of: &dyn Fn(u32) -> Vec<usize>,
) -> f64 {
    let class = |j: usize| classes.generated[search.cells.generated[j] as usize] as usize;
    let (mut product, mut before, mut center) = (1.0, 2, 0);
    for (i, &condition) in search.cells.conditions.iter().enumerate() {
        let cept = of(i as u32 + 1);
        let Some(&head) = cept.first() else { continue };
        product *= relative.heads.logarithm(before * 2 + class(head), head as i64 + 1 - center).exp();
        for two in cept.windows(2) {
            product *= relative.others.logarithm(class(two[1]), two[1] as i64 - two[0] as i64).exp();
        }
        (before, center) = (classes.conditions[condition as usize] as usize, mean_rounded_up(&cept));
    }
    product
}

fn vacant_probability(
    classes: &Classes,
    vacancies: &Vacancies,
    search: &Search<'_>,
    of: &dyn Fn(u32) -> Vec<usize>,
) -> f64 {
    let words = search.cells.generated.len();
    let class = |j: usize| classes.generated[search.cells.generated[j] as usize] as usize;
    let (mut product, mut center) = (1.0, 0);
    let mut taken = Vec::new();
    // v(j), with places from 1.
    let vacant = |taken: &[usize], j: i64| (0..j).filter(|place| !taken.contains(&(*place as usize))).count() as i64;
    for i in 0..search.cells.conditions.len() {
        let cept = of(i as u32 + 1);
        for (k, &j) in cept.iter().enumerate() {
            let all = vacant(&taken, words as i64);
            let (from, table, k) = match k {
                0 => (vacant(&taken, center), &vacancies.heads, 1),
                _ => (vacant(&taken, cept[k - 1] as i64 + 1), &vacancies.others, k as i64 + 1),
            };
            let weight = |displacement: i64| table.logarithm(class(j), displacement).exp();
            // Head: v(J) - φ + 1 of all vacancies; others: v(J) - v(previous) - φ + k of those that follow.
            let range = if k == 1 {
                1 - from..=all - cept.len() as i64 + 1 - from
            } else {
                1..=all - from - cept.len() as i64 + k
            };
            let at = vacant(&taken, j as i64 + 1) - from;
            assert!(range.contains(&at), "{range:?} {at}");
            product *= weight(at) / range.map(weight).sum::<f64>();
            taken.push(j);
        }
        if !cept.is_empty() {
            center = mean_rounded_up(&cept);
        }
    }
    product
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-12)
}

#[test]
fn alignments_and_their_neighbors_are_as_probable_as_defined() {
    for seed in 0..12 {
        for number in [3, 4] {
            for generated in Generated::BOTH {
                let mut drawn = Drawn::new(seed);
                let model = drawn.model(number, generated);
                let mut search = Search::new(&model, drawn.directed(generated));
                for n in 0..drawn.bitext.len() {
                    let pair = drawn.bitext.pair(n);
                    let (conditions, words) = generated.split(pair);
                    for path in all_paths(conditions.len() + 1, words.len()) {
                        search.fill(pair, &path);
                        let expected = probability(&model, &search, &path, number);
                        let found = search.logarithm().exp();
                        assert!(
                            close(found, expected) || expected == 0.0 && found < 1e-20,
                            "{found} {expected} {path:?}"
                        );
                        if expected == 0.0 {
                            continue;
                        }
                        search.weigh();
                        for step in search.neighbors(f64::NEG_INFINITY) {
                            let gain = search.gain(step);
                            let back = search.take(step);
                            let neighbor = search.path.clone();
                            search.take(back);
                            let ratio = probability(&model, &search, &neighbor, number) / expected;
                            assert!(
                                close(gain.exp(), ratio) || ratio == 0.0 && gain < -40.0,
                                "{step:?} {gain} {ratio}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn model_5_is_as_defined_and_gives_nothing_to_what_cannot_be() {
    for seed in 0..12 {
        let mut drawn = Drawn::new(seed);
        let model = drawn.model(5, Generated::Target);
        let Order::Vacancies(classes, _, vacancies) = &model.order else { unreachable!() };
        let mut search = Search::new(&model, drawn.directed(Generated::Target));
        for n in 0..drawn.bitext.len() {
            let pair = drawn.bitext.pair(n);
            // The orders of all alignments with the same fertilities, null words aside, have probabilities that sum up to
            // the number of ways to leave places to the empty word: one, since these are what remains.
            let mut sums: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
            for path in all_paths(pair.source.len() + 1, pair.target.len()) {
                search.fill(pair, &path);
                let order = vacancies.logarithm(search.words(), &vec![0; path.len()]).exp();
                let fertilities = search.words()[1..].iter().map(Vec::len).collect();
                *sums.entry(fertilities).or_default() += order;
                let classes_of_words = classes.of_generated(&search.cells);
                let found =
                    (search.logarithm_without_order() + vacancies.logarithm(search.words(), &classes_of_words)).exp();
                let expected = probability(&model, &search, &path, 5);
                assert!(close(found, expected) || expected == 0.0 && found < 1e-20, "{found} {expected} {path:?}");
            }
            for (fertilities, sum) in sums {
                assert!(close(sum, 1.0), "{fertilities:?} {sum}");
            }
        }
    }
}

#[test]
fn a_climb_ends_where_no_neighbor_is_better() {
    for seed in 0..12 {
        for number in [3, 4] {
            let mut drawn = Drawn::new(seed);
            let model = drawn.model(number, Generated::Source);
            let mut search = Search::new(&model, drawn.directed(Generated::Source));
            for n in 0..drawn.bitext.len() {
                let pair = drawn.bitext.pair(n);
                search.fill(pair, &vec![0; pair.source.len()]);
                search.climb();
                let summit = search.path.clone();
                let best = probability(&model, &search, &summit, number);
                assert!(best > 0.0 || pair.source.is_empty());
                for step in search.neighbors(f64::NEG_INFINITY) {
                    let back = search.take(step);
                    assert!(probability(&model, &search, &search.path.clone(), number) <= best * (1.0 + 1e-8));
                    search.take(back);
                }
            }
        }
    }
}

/// All alignments that a move or a swap makes of one.
fn neighbors_of(path: &[u32], states: usize) -> Vec<Vec<u32>> {
    let is_swap = |differing: &[usize], other: &[u32]| match *differing {
        [one, two] => other[one] == path[two] && other[two] == path[one],
        _ => differing.len() == 1,
    };
    let differing = |other: &[u32]| (0..path.len()).filter(|&j| path[j] != other[j]).collect::<Vec<_>>();
    all_paths(states, path.len()).into_iter().filter(|other| is_swap(&differing(other), other)).collect()
}

/// Climbs from an alignment to a better neighbor again and again; a word keeps its position if it is pegged.
fn climb_by_definition(
    mut path: Vec<u32>,
    states: usize,
    pegged: Option<usize>,
    probability: &dyn Fn(&[u32]) -> f64,
) -> Vec<u32> {
    loop {
        let stays = |other: &Vec<u32>| pegged.is_none_or(|word| other[word] == path[word]);
        let neighbors = neighbors_of(&path, states).into_iter().filter(stays);
        let best = neighbors.max_by(|a, b| probability(a).total_cmp(&probability(b)));
        match best.filter(|best| probability(best) > probability(&path) * (1.0 + 1e-8)) {
            Some(best) => path = best,
            None => return path,
        }
    }
}

/// The alignments of which a pass counts expectations, each with its probability: neighborhoods of the summit and, with
/// pegging, of the best alignments that have each link, without the least probable; in Model 5 those that Model 4 finds
/// near.
fn counted(model: &Fertile, search: &Search<'_>, start: &[u32], number: u32) -> Vec<(Vec<u32>, f64)> {
    let states = search.cells.states();
    let guide = |path: &[u32]| probability(model, search, path, number.min(4));
    let summit = climb_by_definition(start.to_vec(), states, None, &guide);
    let mut summits = vec![summit.clone()];
    for (j, i) in (0..summit.len()).flat_map(|j| (0..states as u32).map(move |i| (j, i))).filter(|_| model.pegging) {
        let mut linked = summit.clone();
        linked[j] = i;
        summits.push(climb_by_definition(linked, states, Some(j), &guide));
    }
    let neighborhood = |summit: &Vec<u32>| [vec![summit.clone()], neighbors_of(summit, states)].concat();
    let mut all: Vec<Vec<u32>> = summits.iter().flat_map(neighborhood).collect();
    all.sort_unstable();
    all.dedup();
    let least = match number {
        5 => 0.2,
        _ if model.pegging => 1e-8,
        _ => 0.0,
    };
    let best = all.iter().map(|path| guide(path)).fold(0.0, f64::max);
    all.retain(|path| guide(path) >= least * best);
    all.into_iter().map(|path| (path.clone(), probability(model, search, &path, number))).collect()
}

/// A pass of Models 3 to 5 by the list of all alignments that it counts, each with its probability.
#[test]
fn a_pass_counts_neighborhoods_of_summits() {
    let mut more = 0;
    for seed in 0..8 {
        for (number, pegging) in [(3, false), (4, false), (5, false), (3, true), (4, true), (5, true)] {
            let generated = Generated::Target;
            let mut drawn = Drawn::without_ties(seed);
            let mut model = drawn.model(number, generated);
            model.pegging = pegging;
            drawn.mix_order(&mut model);
            let mut paths = Paths::default();
            drawn.bitext.bitext().pairs().for_each(|pair| paths.push(&vec![1; pair.target.len()]));
            let (mut links, mut fertilities, mut likelihood) = (BTreeMap::new(), BTreeMap::new(), 0.0);
            let mut search = Search::new(&model, drawn.directed(generated));
            for n in 0..drawn.bitext.len() {
                let pair = drawn.bitext.pair(n);
                search.fill(pair, paths.of(n));
                let all = counted(&model, &search, paths.of(n), number);
                let whole: f64 = all.iter().map(|(_, weight)| weight).sum();
                likelihood += whole.ln();
                let (states, words) = (search.cells.states(), pair.target.len());
                more += usize::from(pegging && number < 5 && all.len() > 1 + (states - 1) * words + words * words / 2);
                for (path, weight) in &all {
                    for (j, &at) in path.iter().enumerate() {
                        let condition = at.checked_sub(1).map(|i| search.cells.conditions[i as usize]);
                        *links.entry((condition, search.cells.generated[j])).or_insert(0.0) += weight / whole;
                    }
                    for (i, &condition) in search.cells.conditions.iter().enumerate() {
                        let fertility = path.iter().filter(|&&at| at as usize == i + 1).count();
                        *fertilities.entry((condition, fertility)).or_insert(0.0) += weight / whole;
                    }
                }
            }
            drop(search);
            let (bitext, index) = (drawn.bitext.clone(), drawn.index.clone());
            let directed = Directed { bitext: &bitext, index: &index, generated };
            model.fertility_strength = 0.0;
            let found = model
                .pass(directed, &mut paths, Work { parallelism: &Parallelism::serial(), observer: &Silent })
                .unwrap();
            assert!(close(found, likelihood), "{found} {likelihood} Model {number}");
            let total =
                |condition| links.iter().filter(|&(&(of, _), _)| of == condition).map(|(_, count)| count).sum::<f64>();
            // Counts are multiples of 2^-36: what is little overall is known less exactly.
            let near = |found: f64, expected: f64, total: f64| {
                total < 1e-6 || (found - expected.max(MIN_PROBABILITY)).abs() < 1e-9 / total.min(1.0)
            };
            model.translation.for_each(&index, generated, |[condition, word], t| {
                let condition = Some(condition as u32);
                let expected = links.get(&(condition, word as u32)).map_or(0.0, |count| count / total(condition));
                assert!(near(t, expected, total(condition)), "{t} {expected}");
            });
            for (word, &t) in model.translation.null().iter().enumerate() {
                let expected = links.get(&(None, word as u32)).map_or(0.0, |count| count / total(None));
                assert!(near(t, expected, total(None)), "{t} {expected}");
            }
            model.fertility.for_each(|word, row| {
                let count = |fertility| fertilities.get(&(word as u32, fertility)).copied().unwrap_or(0.0);
                let total: f64 = (0..=MOST).map(count).sum();
                for (fertility, &n) in row.iter().enumerate() {
                    assert!(near(n, count(fertility) / total, total), "{n} {fertility}");
                }
            });
        }
    }
    // Pegging finds alignments that are not neighbors of the summit.
    assert!(more > 20, "{more}");
}

#[test]
fn threads_do_not_change_results_and_empty_pairs_do_no_harm() {
    let mut source = Text::default();
    let mut target = Text::default();
    for n in 0..700 {
        let words = |seed: usize, len: usize| (0..len).map(|k| [b"abcdef"[(seed * 7 + k * k) % 6]]).collect::<Vec<_>>();
        let (s, t) = (words(n, n % 5), words(n + n / 3, n % 7));
        source.push_sentence(s.iter().map(|word| &word[..]));
        target.push_sentence(t.iter().map(|word| &word[..]));
    }
    let bitext = RankedBitext::new(Bitext::new(source, target).unwrap());
    for chain in ["ibm1:2,ibm2:2,ibm3:2,ibm4:2,ibm5:2", "ibm1:2,hmm:2,ibm3:1,ibm4:1", "diagonal:4"] {
        let config = IbmConfig { pegging: chain.len() < 30, ..IbmConfig::new(chain.parse().unwrap()) };
        let train =
            |threads| IbmAligner::train(&bitext, &config, &Parallelism::new(threads).unwrap(), &Silent).unwrap();
        let (one, three) = (train(1), train(3));
        assert!((0..bitext.len()).all(|n| one.paths(n) == three.paths(n)), "{chain}");
        assert_eq!(one.log_likelihoods(), three.log_likelihoods(), "{chain}");
        assert!(one.paths(0).iter().all(crate::alignment::Alignment::is_empty));
    }
}

/// Posteriors of Models 1, 2 and the diagonal one by a sum over all alignments, those of the others by the alignments that a
/// pass counts; both directions, and their means.
#[test]
fn posteriors_are_shares_of_alignments() {
    let mut checked = 0;
    for seed in 0..6 {
        let bitext = random_text_without_ties(seed, 6);
        for chain in ["ibm1:2", "ibm1:1,ibm2:2", "diagonal:2", "ibm1:2,ibm3:1", "ibm1:2,ibm3:1,ibm4:1,ibm5:1"] {
            for pegging in [false, true] {
                let config = IbmConfig { pegging, class_count: 2, ..IbmConfig::new(chain.parse().unwrap()) };
                let aligner = IbmAligner::train(&bitext, &config, &Parallelism::serial(), &Silent).unwrap();
                let mut worker = aligner.worker(&bitext);
                for n in 0..bitext.len() {
                    let found = worker.posteriors(n).unwrap();
                    for (generated, log_likelihood) in Generated::BOTH.into_iter().zip(found.log_weights()) {
                        let all = all_counted(&aligner, &bitext, generated, n);
                        checked += 1;
                        let whole: f64 = all.iter().map(|(_, weight)| weight).sum();
                        assert!(close(log_likelihood, whole.ln()), "{chain} {log_likelihood} {}", whole.ln());
                        let (conditions, words) = generated.split(bitext.pair(n));
                        for (i, j) in (0..conditions.len()).flat_map(|i| (0..words.len()).map(move |j| (i, j))) {
                            let with = all.iter().filter(|(path, _)| path[j] as usize == i + 1);
                            let expected = with.map(|(_, weight)| weight).sum::<f64>() / whole;
                            let share = match generated {
                                Generated::Target => found.forward(Link::new(i as u32, j as u32)),
                                Generated::Source => found.reverse(Link::new(j as u32, i as u32)),
                            };
                            assert!((f64::from(share) - expected).abs() < 1e-6, "{chain} {share} {expected}");
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 600, "{checked}");
}

/// The alignments that posteriors are of, with their probabilities.
fn all_counted(aligner: &IbmAligner, bitext: &RankedBitext, generated: Generated, n: usize) -> Vec<(Vec<u32>, f64)> {
    let directed = Directed { bitext, index: &aligner.index, generated };
    let Trained { tables, paths } = &aligner.directions[generated as usize];
    let (conditions, words) = generated.split(bitext.pair(n));
    let states = conditions.len() + 1;
    match tables {
        Tables::WordByWord(tables) => {
            let mut cells = Cells::default();
            cells.fill(bitext.pair(n), generated, &aligner.index, &tables.translation);
            let mut positions = Vec::new();
            tables.positions.fill([conditions.len(), words.len()], &mut positions);
            let weight = |path: &[u32]| {
                let places = path.iter().enumerate().map(|(j, &at)| j * states + at as usize);
                places.map(|place| cells.translation[place] * positions[place]).product::<f64>()
            };
            all_paths(states, words.len()).into_iter().map(|path| (path.clone(), weight(&path))).collect()
        }
        Tables::Fertile(model) => {
            let mut search = Search::new(model, directed);
            search.fill(bitext.pair(n), paths.of(n));
            let number = if matches!(model.order, Order::Absolute(_)) { 3 } else { 5 };
            counted(model, &search, paths.of(n), number)
        }
    }
}
