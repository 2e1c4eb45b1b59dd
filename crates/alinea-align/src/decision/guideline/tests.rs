//! Guidelines of annotators who are known.

use proptest::prelude::*;

use super::*;
use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::decision::Cells;
use crate::parallel::Parallelism;

/// The confidences of a pair of three words each: the diagonal is likely, and the second word of each side half belongs to the first
/// of the other side.
const CONFIDENCES: [f32; 9] = [0.9, 0.2, 0.02, 0.2, 0.9, 0.02, 0.02, 0.02, 0.9];
const LEAST: f64 = -0.5;

fn word(word: &str) -> Word {
    Word::new(word.as_bytes(), 500)
}

/// Cells of pairs whose second words are the same two, so that annotators may have a rule for them; `gold` are the links of each.
fn cells(pairs: usize, gold: impl Fn(usize) -> GoldAlignment) -> GoldCells {
    let mut cells = GoldCells::new(false);
    for n in 0..pairs {
        let words = [
            [format!("s{n}"), "of".to_owned(), "end".to_owned()],
            [format!("t{n}"), "de".to_owned(), "fin".to_owned()],
        ];
        let words = words.map(|words| words.map(|text| word(&text)));
        let features = PairFeatures::new(Cells {
            words: [&words[0], &words[1]],
            posteriors: [&CONFIDENCES; 2],
            confidences: &CONFIDENCES,
        });
        cells.begin(&gold(n));
        let log_odds: Vec<f64> = CONFIDENCES.iter().map(|&p| (f64::from(p) / (1.0 - f64::from(p))).ln()).collect();
        cells.add([0, 0], &features, &log_odds);
    }
    cells
}

fn sure(links: &[(u32, u32)]) -> GoldAlignment {
    GoldAlignment::from_parts(links.iter().map(|&(i, j)| Link::new(i, j)).collect(), &Alignment::new())
}

#[test]
fn a_rule_for_one_word_is_learned() {
    // This annotator links `of` to the word before, too.
    let cells = cells(40, |_| sure(&[(0, 0), (1, 0), (1, 1), (2, 2)]));
    let Learned { guideline, validation } = cells.learn(LEAST, &Parallelism::serial()).unwrap();
    assert!(validation.without.iter().all(|links| !links.contains(Link::new(1, 0))));
    assert!(validation.with.iter().all(|links| links.to_string() == "0-0 1-0 1-1 2-2"), "{:?}", validation.with);
    let guideline = guideline.unwrap();
    assert_eq!((guideline.pairs(), guideline.words()), (40, [2, 2, 4]));
    // Probabilities are those of sure links, which all four are.
    let moved = cells.cells.iter().filter(|cell| cell.pair == 0);
    for cell in moved {
        let p = sigmoid(guideline.moved(cell.decided, &cell.features, cell.spellings));
        assert!(if cell.mark == gold_cells::Mark::Sure { p > 0.8 } else { p < 0.2 }, "{cell:?} {p}");
        assert_eq!(p >= f64::from(guideline.threshold()), cell.mark == gold_cells::Mark::Sure);
    }
    let words = [["of", "end"], ["de", "fin"]].map(|words| {
        let mut vocabulary = Vocabulary::default();
        for word in words {
            vocabulary.intern(word.as_bytes());
        }
        vocabulary
    });
    let changes = guideline.changes([&words[0], &words[1]]);
    assert!(changes.is_sorted_by(|a, b| a.weight.abs() >= b.weight.abs()));
    let of = changes.iter().find(|change| change.of == "source word of").unwrap();
    assert!(of.weight > 0.0, "{of:?}");
    assert_eq!(changes.len(), NAMES.len() + 2 + 2 + 4);
}

#[test]
fn nothing_is_learned_from_what_is_known() {
    let cells = cells(40, |_| sure(&[(0, 0), (1, 1), (2, 2)]));
    let Learned { guideline, validation } = cells.learn(LEAST, &Parallelism::serial()).unwrap();
    assert_eq!(guideline, None);
    assert_eq!(validation.with, validation.without);
}

#[test]
fn what_others_tell_changes_nothing() {
    let gold = |n: usize| {
        sure(if n.is_multiple_of(3) { &[(0, 0), (1, 1), (2, 2)] } else { &[(0, 0), (1, 0), (1, 1), (2, 2)] })
    };
    let cells = cells(40, gold);
    let of_all = cells.fit(LEAST, |_| true, None);
    let is_in = |pair: usize| pair % 5 != 1;
    let (alone, near) = (cells.fit(LEAST, is_in, None), cells.fit(LEAST, is_in, Some(&of_all)));
    let mut greatest: f64 = 0.0;
    for cell in &cells.cells {
        let [alone, near, of_all] = [&alone, &near, &of_all].map(|guideline| guideline.of_cell(cell));
        assert!((alone - near).abs() < 1e-4, "{alone} {near}");
        greatest = greatest.max((alone - of_all).abs());
    }
    assert!(greatest > 1e-3, "the others tell something else, by {greatest}");
}

#[test]
fn possible_links_are_less_than_sure_ones() {
    let possible: Alignment = [(1, 0), (0, 1)].into();
    let sure: Alignment = [(1, 1), (2, 2), (0, 0)].into();
    // Most pairs have them as possible links, the others as none.
    let gold = |n: usize| GoldAlignment::from_parts(sure.clone(), if n.is_multiple_of(4) { &sure } else { &possible });
    let cells = cells(80, gold);
    let guideline = cells.fit(LEAST, |_| true, None);
    let cell = cells.cells.iter().find(|cell| cell.link == Link::new(1, 0)).unwrap();
    let z = guideline.of_cell(cell);
    let log_odds: Vec<f64> = cells.cells.iter().map(|cell| guideline.of_cell(cell)).collect();
    let of_sure = cells.calibration(&log_odds, |mark| mark == gold_cells::Mark::Sure);
    let of_all = cells.calibration(&log_odds, |mark| mark != gold_cells::Mark::None);
    let [sure, all] = [of_sure, of_all].map(|map| sigmoid(map.factor * z + map.summand));
    assert!(sure < 0.1 && all > 0.5, "{sure} {all}");
}

#[test]
fn too_little_is_refused() {
    let message = |cells: &GoldCells| cells.learn(LEAST, &Parallelism::serial()).unwrap_err().to_string();
    let one = cells(1, |_| sure(&[(0, 0)]));
    assert_eq!(
        message(&one),
        "gold = links of 1 sentence pair: must be links of 2 pairs or more that have words on both sides"
    );
    let none = cells(9, |_| GoldAlignment::default());
    assert_eq!(message(&none), "gold = no sure link: must be some sure links");
    let two = cells(2, |_| sure(&[(0, 0)]));
    assert!(two.learn(LEAST, &Parallelism::serial()).is_ok());
}

#[test]
fn words_that_were_left_out_say_nothing() {
    let count = |annotated_only| {
        let mut cells = GoldCells::new(annotated_only);
        let words = [["a", "b"].map(word), ["x", "y"].map(word)];
        let confidences = [0.5; 4];
        let posteriors = [&confidences[..]; 2];
        let cells_of = Cells { words: [&words[0], &words[1]], posteriors, confidences: &confidences };
        cells.begin(&sure(&[(0, 1)]));
        cells.add([0, 0], &PairFeatures::new(cells_of), &[0.0; 4]);
        cells.cells.len()
    };
    assert_eq!([count(false), count(true)], [4, 1]);
}

/// A guideline with some weight for everything.
fn any_guideline() -> impl Strategy<Value = Guideline> {
    let weight = -2.0f64..2.0;
    let features = proptest::collection::vec(weight.clone(), FEATURES);
    let word = proptest::array::uniform3(-2.0f32..2.0);
    (features, word.clone(), word, -2.0f32..2.0, weight.clone(), weight).prop_map(
        |(features, source, target, pair, least, summand)| {
            let mut of_features = [0.0; FEATURES];
            of_features.copy_from_slice(&features);
            let [s, t] = ["of", "de"].map(word_spelling);
            let words = [vec![(s, source)], vec![(t, target)]];
            let possible = Calibration { factor: 1.5, summand };
            Guideline { pairs: 7, of_score: 1.2, of_features, words, word_pairs: vec![([s, t], pair)], least, possible }
        },
    )
}

fn word_spelling(text: &str) -> u64 {
    word(text).spelling
}

proptest! {
    /// The head of the module.
    #[test]
    fn log_odds_are_those_of_the_definition(guideline in any_guideline(), decided in -3.0f64..3.0) {
        let words = [["s", "of", "end"].map(word), ["t", "de", "fin"].map(word)];
        let cells = Cells { words: [&words[0], &words[1]], posteriors: [&CONFIDENCES; 2], confidences: &CONFIDENCES };
        let features = PairFeatures::new(cells);
        for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let q = |i: usize, j: usize| if i < 3 && j < 3 { f64::from(CONFIDENCES[3 * i + j]) } else { 0.0 };
            let x = features.of(row, column).map(f64::from);
            let mut z = guideline.of_score * decided;
            z += (0..FEATURES).map(|n| guideline.of_features[n] * x[n]).sum::<f64>();
            if row == 1 {
                let [b, c, d] = guideline.words[0][0].1.map(f64::from);
                z += b + c * q(row + 1, column) + d * q(row - 1, column);
            }
            if column == 1 {
                let [b, c, d] = guideline.words[1][0].1.map(f64::from);
                z += b + c * q(row, column + 1) + d * q(row, column - 1);
            }
            if row == 1 && column == 1 {
                z += f64::from(guideline.word_pairs[0].1);
            }
            prop_assert!((guideline.log_odds(&features, row, column, decided) - z).abs() < 1e-4);
        }
    }

    #[test]
    fn files_keep_everything(guideline in any_guideline()) {
        let mut file = ContainerWriter::new("a model".to_owned());
        guideline.store("gold", &mut file);
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        let file = Container::of_bytes("model".to_owned(), bytes).unwrap();
        prop_assert_eq!(Guideline::load("gold", &file).unwrap(), Some(guideline));
        prop_assert_eq!(Guideline::load("gold.encoder", &file).unwrap(), None);
    }
}

#[test]
fn bad_files_are_refused() {
    let load = |change: &dyn Fn(&mut Guideline)| {
        let possible = Calibration { factor: 1.0, summand: 0.0 };
        let words = [vec![(1, [0.0; 3]), (2, [0.0; 3])], Vec::new()];
        let of_features = [0.0; FEATURES];
        let mut guideline =
            Guideline { pairs: 2, of_score: 1.0, of_features, words, word_pairs: Vec::new(), least: 0.0, possible };
        change(&mut guideline);
        let mut file = ContainerWriter::new("a model".to_owned());
        guideline.store("gold", &mut file);
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        Guideline::load("gold", &Container::of_bytes("model".to_owned(), bytes).unwrap())
    };
    assert!(load(&|_| ()).is_ok());
    assert!(load(&|guideline| guideline.words[0].reverse()).is_err());
    assert!(load(&|guideline| guideline.least = f64::NAN).is_err());
    assert!(load(&|guideline| guideline.words[0][1].1[2] = f32::INFINITY).is_err());
}
