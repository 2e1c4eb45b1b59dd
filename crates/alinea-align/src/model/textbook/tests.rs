//! Laws and brute force. What other programs have is compared in the Python package's tests.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use super::cepts::Cepts;
use super::search::Search;
use super::*;
use crate::numeric::Generator;
use crate::parallel::Parallelism;
use crate::progress::Silent;

fn below(generator: &mut Generator, bound: u32) -> u32 {
    generator.below(NonZeroU64::new(u64::from(bound)).expect("not 0")) as u32
}

/// Sentences of random words: a few generated ones, and a few conditioning ones from 1.
fn drawn(generator: &mut Generator, pairs: usize, longest: u32) -> PairedText {
    let (mut words, mut conditions) = (NumberedSide::default(), NumberedSide::default());
    for _ in 0..pairs {
        for (side, first) in [(&mut words, 0), (&mut conditions, 1)] {
            for _ in 0..below(generator, longest + 1) {
                side.push(below(generator, 5) + first);
            }
            side.end_sentence();
        }
    }
    PairedText::new(words, conditions, &Parallelism::serial())
}

fn probabilities(generator: &mut Generator, len: usize) -> Vec<f64> {
    (0..len).map(|_| 0.2 + 0.8 * generator.unit()).collect()
}

/// Model 3, 4 or 5 with random probabilities.
fn fertile(generator: &mut Generator, text: &PairedText, number: usize) -> Fertile {
    let translation = probabilities(generator, text.columns().len());
    let positions = probabilities(generator, text.grid_cells());
    let rows = FertilityRows::of(text);
    let fertilities = probabilities(generator, rows.places());
    let classes = WordClasses { conditions: vec![0, 1, 2, 1, 2, 1], words: vec![0, 1, 0, 1, 2] };
    let mut table = |layout: Layout| {
        let values = probabilities(generator, layout.values());
        Displacements::new(layout, classes.clone(), values)
    };
    let displacements = table(Layout::displacements(text, &classes));
    let vacancies = table(Layout::vacancies(text, &classes));
    let order = match number {
        3 => WordOrder::Absolute(probabilities(generator, text.grid_cells())),
        4 => WordOrder::Relative(displacements),
        _ => WordOrder::Vacancies(displacements, vacancies, 0.2),
    };
    Fertile::new(text, translation, positions, rows, fertilities, 0.3, order)
}

#[test]
fn a_pass_counts_every_word_once() {
    let mut generator = Generator::new(7, 1);
    for number in 3..6 {
        let text = drawn(&mut generator, 6, 4);
        let model = fertile(&mut generator, &text, number);
        let (counts, states) = model.pass(&text, &Parallelism::serial(), &Silent).unwrap();
        let words: usize = (0..text.len()).map(|n| text.words().range(n).len()).sum();
        let conditions: usize = (0..text.len()).map(|n| text.conditions().range(n).len() + 1).sum();
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
        close(counts.translation.iter().sum(), words as f64);
        close(counts.fertilities.iter().sum(), conditions as f64);
        let rows = FertilityRows::of(&text);
        let of_all = (0..rows.len() as u32).flat_map(|word| counts.fertilities[rows.row(word)].iter().enumerate());
        close(of_all.map(|(fertility, count)| fertility as f64 * count).sum(), words as f64);
        // Words of the empty word have no order in Models 4 and 5.
        let of_null = counts.fertilities[rows.row(0)].iter().enumerate();
        let of_null: f64 = of_null.map(|(fertility, count)| fertility as f64 * count).sum();
        close(counts.order.iter().sum(), if number == 3 { words as f64 } else { words as f64 - of_null });
        close(counts.null[1], of_null);
        assert_eq!(states.len(), words);
        let threads = Parallelism::new(3).unwrap();
        assert_eq!(model.pass(&text, &threads, &Silent).unwrap(), (counts, states));
    }
}

#[test]
fn scores_of_neighbors_are_those_of_alignments() {
    let mut generator = Generator::new(11, 1);
    for _ in 0..30 {
        let (states, words) = (1 + below(&mut generator, 4) as usize, 1 + below(&mut generator, 5) as usize);
        let text = {
            let (mut side, mut conditions) = (NumberedSide::default(), NumberedSide::default());
            (0..words).for_each(|_| side.push(below(&mut generator, 3)));
            (1..states).for_each(|_| conditions.push(1 + below(&mut generator, 3)));
            side.end_sentence();
            conditions.end_sentence();
            PairedText::new(side, conditions, &Parallelism::serial())
        };
        let classes = WordClasses { conditions: vec![0, 1, 2, 1], words: vec![0, 1, 0] };
        let layout = Layout::displacements(&text, &classes);
        let values = probabilities(&mut generator, layout.values());
        let table = Displacements::new(layout, classes, values);
        for with_order in [false, true] {
            let links = probabilities(&mut generator, states * words);
            let fertilities = probabilities(&mut generator, states * (words + 2));
            let cepts = with_order.then(|| Cepts::new(&table, text.conditions().sentence(0), text.words().sentence(0)));
            let mut search = Search::new(links, fertilities, cepts, states);
            let path: Vec<u32> = (0..words).map(|_| below(&mut generator, states as u32)).collect();
            let (around, score) = search.around(&path);
            let mut neighbors = std::collections::BTreeSet::new();
            for (neighbor, value) in around {
                let exact = search.score_of(&neighbor);
                assert!((value - exact).abs() < 1e-9, "{path:?} {neighbor:?}: {value}, not {exact}");
                assert!(neighbors.insert(neighbor), "twice");
            }
            // All alignments that one link or a swap makes of it, by enumeration.
            let mut expected = std::collections::BTreeSet::new();
            for number in 0..states.pow(words as u32) {
                let other: Vec<u32> =
                    (0..words).map(|word| (number / states.pow(word as u32) % states) as u32).collect();
                let changed: Vec<usize> = (0..words).filter(|&word| path[word] != other[word]).collect();
                let swapped = |[one, two]: [usize; 2]| path[one] == other[two] && path[two] == other[one];
                if changed.len() < 2 || (changed.len() == 2 && swapped([changed[0], changed[1]])) {
                    expected.insert(other);
                }
            }
            assert_eq!(neighbors, expected);
            assert!((search.score_of(&path) - score).abs() < 1e-12);
        }
    }
}

#[test]
fn what_the_search_needs_must_be_there() {
    let (mut words, mut conditions) = (NumberedSide::default(), NumberedSide::default());
    words.push(0);
    conditions.push(1);
    words.end_sentence();
    conditions.end_sentence();
    let text = PairedText::new(words, conditions, &Parallelism::serial());
    let rows = FertilityRows::of(&text);
    assert_eq!((rows.len(), rows.row(1), rows.is_empty()), (2, 2..4, false));
    let model = |fertility: f64| {
        let fertilities = vec![1.0, 1.0, fertility, 0.5];
        let order = WordOrder::Absolute(vec![1.0; 2]);
        Fertile::new(&text, vec![0.5; 2], vec![0.5; 2], rows.clone(), fertilities, 0.5, order)
    };
    let error = model(f64::NAN).sample(&text, 0).unwrap_err();
    assert_eq!(error.to_string(), "the tables lack a probability that the search needs");
    let sample = model(0.25).sample(&text, 0).unwrap();
    let mut found: Vec<_> = sample.alignments().map(|(states, score)| (states.to_vec(), score)).collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    // One word of the empty word needs another word: as good as impossible.
    assert!(found[0].1 < -9e4);
    assert!((found[1].1 - (0.5f64 * 0.5 * 0.5).ln()).abs() < 1e-12);
    assert_eq!(sample.best(), [1]);
}

/// Passes of Model 1 as the definition has them, over tables by words.
fn trained_word_by_word(text: &PairedText, passes: usize) -> BTreeMap<(u32, u32), f64> {
    let mut table = BTreeMap::new();
    for _ in 0..passes {
        let (mut counts, mut totals) = (BTreeMap::new(), BTreeMap::new());
        for pair in 0..text.len() {
            let conditions: Vec<u32> = [0].iter().chain(text.conditions().sentence(pair)).copied().collect();
            for &word in text.words().sentence(pair) {
                let of = |condition| table.get(&(word, condition)).copied().unwrap_or(1.0);
                let sum: f64 = conditions.iter().map(|&condition| of(condition)).sum();
                for &condition in &conditions {
                    *counts.entry((word, condition)).or_insert(0.0) += of(condition) / sum;
                    *totals.entry(condition).or_insert(0.0) += of(condition) / sum;
                }
            }
        }
        table =
            counts.iter().map(|(&(word, condition), count)| ((word, condition), count / totals[&condition])).collect();
    }
    table
}

#[test]
fn a_text_of_several_blocks_is_the_same_under_any_number_of_threads() {
    let mut generator = Generator::new(5, 1);
    let (mut words, mut conditions) = (NumberedSide::default(), NumberedSide::default());
    for _ in 0..700 {
        // The empty word may be among the conditioning words of a sentence, too.
        for side in [&mut words, &mut conditions] {
            (0..20 + below(&mut generator, 20)).for_each(|_| side.push(below(&mut generator, 60)));
            side.end_sentence();
        }
    }
    let found = [1, 2, 3].map(|threads| {
        let threads = Parallelism::new(threads).unwrap();
        let text = PairedText::new(words.clone(), conditions.clone(), &threads);
        assert!(text.blocks.len() > 4, "{} blocks", text.blocks.len());
        let mut model = WordByWord::uniform(&text, 1.0);
        model.train(&text, 3, &threads, &Silent).unwrap();
        let states = best_states(&text, &model.translation, None, &threads);
        (text, model.translation, states)
    });
    for (text, translation, states) in &found[1..] {
        assert_eq!((text.columns(), translation, states), (found[0].0.columns(), &found[0].1, &found[0].2));
    }
    let (text, translation, states) = &found[0];
    let expected = trained_word_by_word(text, 3);
    assert_eq!(text.columns().len(), expected.len());
    for (&(word, condition), &expected) in &expected {
        let cell = text.row(word).find(|&cell| text.columns()[cell] == condition).expect("a pair of words");
        assert!((translation[cell] / expected - 1.0).abs() < 1e-12, "{} not {expected}", translation[cell]);
    }
    for pair in 0..text.len() {
        let of = |word, condition: u32| expected[&(word, condition)];
        for (&word, &state) in text.words().sentence(pair).iter().zip(&states[text.words().range(pair)]) {
            let conditions: Vec<u32> = [0].iter().chain(text.conditions().sentence(pair)).copied().collect();
            let best = conditions.iter().map(|&condition| of(word, condition)).fold(0.0, f64::max);
            assert!(of(word, conditions[state as usize]) > best * (1.0 - 1e-12));
        }
    }
}
