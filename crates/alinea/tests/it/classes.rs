//! Classes of words against the definition of their likelihood, against all possible classes of tiny texts, and against
//! mkcls.

use std::collections::BTreeMap;

use alinea::bitext::Text;
use alinea::classes::{ClassId, ClassesConfig, StepKind, TrainedClasses, WordClasses};
use alinea::error::ErrorKind;
use alinea::format::classes::{self, ClassTable};
use alinea::format::lines::{LineReader, Utf8};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::{Observer, Silent};

use crate::texts::{below, sample_file, words};

/// What mkcls printed as the perplexity of the better one of its two runs, to so many digits.
const MKCLS: (f64, f64) = (198.098, 0.0005);

fn text<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Text {
    let mut text = Text::default();
    for line in lines {
        text.push_sentence(words(line.as_ref()).map(str::as_bytes));
    }
    text
}

fn english() -> Text {
    text(sample_file("en-fr.en").to_lowercase().lines())
}

fn train(text: &Text, classes: usize, cooling: u32) -> TrainedClasses {
    let config = ClassesConfig::default().with(|c| {
        c.classes = classes;
        c.cooling = cooling;
        c.passes = 100;
    });
    WordClasses::train(text, &config, &Parallelism::serial(), &Silent).expect("there are words")
}

/// The log-likelihood word by word: Σ ln p(class | class before) + ln p(word | class), relative frequencies for the
/// probabilities, with the border as a word before each sentence and behind it.
fn log_likelihood(text: &Text, class_of: &[usize]) -> f64 {
    let border = usize::MAX;
    let mut events = Vec::new();
    for n in (0..text.len()).filter(|&n| !text.sentence(n).is_empty()) {
        let mut before = border;
        for word in text.sentence(n).iter().map(|word| word.index()) {
            events.push((before, class_of[word], word));
            before = class_of[word];
        }
        events.push((before, border, border));
    }
    let (mut bigrams, mut befores, mut classes, mut word_counts) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for &(before, class, word) in &events {
        *bigrams.entry((before, class)).or_insert(0.0) += 1.0;
        *befores.entry(before).or_insert(0.0) += 1.0;
        *classes.entry(class).or_insert(0.0) += 1.0;
        *word_counts.entry(word).or_insert(0.0) += 1.0;
    }
    let probability = |(before, class, word): &(usize, usize, usize)| -> f64 {
        bigrams[&(*before, *class)] / befores[before] * word_counts[word] / classes[class]
    };
    events.iter().map(|event| probability(event).ln()).sum()
}

fn indices(classes: &WordClasses) -> Vec<usize> {
    classes.classes().iter().map(|class| class.index()).collect()
}

/// A few sentences of a few words, some empty.
fn random_text(generator: &mut Generator, distinct: usize, sentences: usize) -> Text {
    let lines = (0..sentences).map(|_| {
        let length = below(generator, 7);
        // Of two numbers the smaller: some words are more frequent than others.
        let word = |generator: &mut Generator| below(generator, distinct).min(below(generator, distinct));
        (0..length).map(|_| format!("w{}", word(generator))).collect::<Vec<_>>().join(" ")
    });
    let lines: Vec<String> = lines.collect();
    text(lines.iter().map(String::as_str).chain(["w0 w1"]))
}

#[test]
fn the_likelihood_is_that_of_the_definition() {
    let mut generator = Generator::new(1, 0);
    for n in 0..60 {
        let text = random_text(&mut generator, 12, 30);
        let trained = train(&text, 1 + n % 5, (n % 2) as u32 * 3);
        let expected = log_likelihood(&text, &indices(&trained.classes));
        assert!((trained.log_likelihood - expected).abs() < 1e-4, "{} for {expected}", trained.log_likelihood);
        let sentences = (0..text.len()).filter(|&n| !text.sentence(n).is_empty()).count();
        assert_eq!(trained.events, (text.token_count() + sentences) as u64);
        let perplexity = (-expected / trained.events as f64).exp();
        assert!((trained.perplexity() - perplexity).abs() < 1e-6 * perplexity);
    }
    let text = english();
    let trained = train(&text, 20, 3);
    let expected = log_likelihood(&text, &indices(&trained.classes));
    assert!((trained.log_likelihood - expected).abs() < 1e-3, "{} for {expected}", trained.log_likelihood);
}

#[test]
fn no_exchange_is_left_that_helps() {
    let mut generator = Generator::new(2, 0);
    for n in 0..40 {
        let text = random_text(&mut generator, 10, 40);
        let trained = train(&text, 2 + n % 4, (n % 3) as u32);
        assert!(trained.is_converged);
        let mut classes = indices(&trained.classes);
        let before = log_likelihood(&text, &classes);
        for word in 0..classes.len() {
            let own = classes[word];
            for class in 0..trained.classes.count() {
                classes[word] = class;
                let after = log_likelihood(&text, &classes);
                assert!(after <= before + 1e-5, "text {n}: word {word} from {own} to {class}: {}", after - before);
            }
            classes[word] = own;
        }
    }
}

#[test]
fn exchanges_raise_the_likelihood() {
    let text = english();
    for (classes, cooling) in [(2, 0), (10, 0), (50, 0), (10, 10), (50, 40)] {
        let trained = train(&text, classes, cooling);
        assert!(trained.steps[..cooling as usize].iter().all(|step| step.kind == StepKind::Cooling));
        let exchanges = &trained.steps[cooling as usize..];
        assert!(exchanges.iter().all(|step| step.kind == StepKind::Exchange));
        let moved: Vec<usize> = exchanges.iter().map(|step| step.moved).collect();
        assert_eq!(moved.iter().position(|&moved| moved == 0), Some(moved.len() - 1), "{moved:?}");
        let values: Vec<f64> =
            trained.steps[cooling.saturating_sub(1) as usize..].iter().map(|step| step.log_likelihood).collect();
        let last = values.len() - 1;
        assert!(values[..last].is_sorted_by(|a, b| a < b), "each pass but the last one moves something: {values:?}");
        assert_eq!((values[last - 1], values[last]), (trained.log_likelihood, trained.log_likelihood));
    }
}

/// The likelihood of the best of all ways to put the words into classes.
fn best_of_all(text: &Text, count: usize) -> f64 {
    fn go_on(text: &Text, count: usize, classes: &mut Vec<usize>, best: &mut f64) {
        if classes.len() == text.vocabulary().len() {
            *best = best.max(log_likelihood(text, classes));
            return;
        }
        // Which number a class has does not matter: a word goes into a class that is begun, or begins the next one.
        let begun = classes.iter().max().map_or(0, |class| class + 1);
        for class in 0..count.min(begun + 1) {
            classes.push(class);
            go_on(text, count, classes, best);
            classes.pop();
        }
    }
    let mut best = f64::NEG_INFINITY;
    go_on(text, count, &mut Vec::new(), &mut best);
    best
}

#[test]
fn tiny_texts_get_nearly_the_best_classes_there_are() {
    let mut generator = Generator::new(3, 0);
    let (mut reached, mut gaps) = (0, Vec::new());
    for n in 0..100 {
        let text = random_text(&mut generator, 6, 12);
        let count = 2 + n % 2;
        let best = best_of_all(&text, count);
        let found = train(&text, count, 40).log_likelihood;
        assert!(found <= best + 1e-5, "{found} for {best}");
        reached += usize::from(found > best - 1e-5);
        gaps.push((best - found) / -best);
    }
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    assert!(reached >= 80, "{reached} of {}", gaps.len());
    assert!(mean < 0.005, "{mean}");
}

/// A text from a class bigram model: the classes come back.
#[test]
fn classes_that_made_a_text_are_found() {
    let mut generator = Generator::new(4, 0);
    let lines: Vec<String> = (0..2000)
        .map(|_| {
            // Four classes of ten words, each followed by the next one, or now and then by any.
            let mut class = 0;
            let mut line = Vec::new();
            for _ in 0..8 {
                class = if below(&mut generator, 10) == 0 { below(&mut generator, 4) } else { (class + 1) % 4 };
                line.push(format!("{class}.{}", below(&mut generator, 10)));
            }
            line.join(" ")
        })
        .collect();
    let text = text(&lines);
    let trained = train(&text, 4, 40);
    let mut made: BTreeMap<u8, ClassId> = BTreeMap::new();
    for (word, &class) in text.vocabulary().words().zip(trained.classes.classes()) {
        assert_eq!(*made.entry(word[0]).or_insert(class), class, "{}", String::from_utf8_lossy(word));
    }
    let mut found: Vec<ClassId> = made.into_values().collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 4);
}

fn of_mkcls() -> ClassTable {
    let file = include_str!("../vectors/mkcls.classes");
    classes::read(LineReader::new(file.as_bytes(), "mkcls.classes", Utf8::Strict)).expect("a file of classes")
}

#[test]
fn the_criterion_is_that_of_mkcls() {
    let text = english();
    let classes = WordClasses::of_table(&of_mkcls(), text.vocabulary()).expect("some classes");
    assert_eq!(classes.count(), 10);
    let judged = classes.improved(&text, 0, &Parallelism::serial(), &Silent).expect("there are words");
    let (expected, error) = MKCLS;
    assert!((judged.perplexity() - expected).abs() <= error, "{}", judged.perplexity());
    assert!(judged.steps.is_empty() && !judged.is_converged);
    // Words are together as they were, whatever the numbers.
    let pairs = |classes: &WordClasses| {
        let of = indices(classes);
        (0..of.len()).map(|word| of.iter().position(|&class| class == of[word])).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&judged.classes), pairs(&classes));

    let improved = classes.improved(&text, 100, &Parallelism::serial(), &Silent).expect("there are words");
    assert!(improved.perplexity() <= judged.perplexity());
    assert_eq!(improved.classes.count(), 10);
}

#[test]
fn the_classes_are_no_worse_than_those_of_mkcls() {
    let trained = train(&english(), 10, ClassesConfig::default().cooling);
    assert!(trained.perplexity() < MKCLS.0, "{}", trained.perplexity());
}

/// As mkcls writes it, but for the numbers.
#[test]
fn files_of_mkcls_are_written_again() {
    let (table, mut written) = (of_mkcls(), Vec::new());
    classes::write(table.entries(), &mut written);
    assert_eq!(String::from_utf8(written).expect("text"), include_str!("../vectors/mkcls.classes"));
}

#[test]
fn threads_do_not_matter() {
    let text = english();
    let config = ClassesConfig::default().with(|c| c.classes = 30);
    let serial = WordClasses::train(&text, &config, &Parallelism::serial(), &Silent).expect("there are words");
    for threads in [2, 3] {
        let parallelism = Parallelism::new(threads).expect("a few threads");
        let trained = WordClasses::train(&text, &config, &parallelism, &Silent).expect("there are words");
        assert_eq!(trained, serial);
        assert_eq!(trained.log_likelihood.to_bits(), serial.log_likelihood.to_bits());
    }
}

#[test]
fn classes_are_numbered_by_their_tokens() {
    let text = english();
    let trained = train(&text, 20, 0);
    let mut tokens = vec![0; 20];
    for (class, frequency) in trained.classes.classes().iter().zip(text.frequencies()) {
        tokens[class.index()] += frequency;
    }
    assert!(tokens.is_sorted_by(|a, b| a >= b), "{tokens:?}");
}

#[test]
fn words_nothing_is_known_of_go_where_most_words_are() {
    let mut text = text(["a b c", "a d c", "a e c"]);
    text.push_word(b"gone");
    text.clear_open_sentence();
    let trained = train(&text, 3, 0);
    let class = |word: &str| trained.classes.of(text.vocabulary().id(word.as_bytes()).expect("a word"));
    assert!(["b", "d", "e", "gone"].iter().all(|word| class(word) == class("b")), "{:?}", trained.classes);
    assert!(class("a") != class("b") && class("c") != class("b") && class("a") != class("c"));

    let file = &b"a\t7\nb\t3\nd\t3\nz\t7\ny\t7\n"[..];
    let table = classes::read(LineReader::new(file, "c", Utf8::Strict)).expect("a file of classes");
    let classes = WordClasses::of_table(&table, text.vocabulary()).expect("some classes");
    // The numbers 3 and 7 become 0 and 1; a b c d e gone.
    assert_eq!(indices(&classes), [1, 0, 1, 0, 1, 1]);
}

#[test]
fn more_classes_than_words_leave_some_empty() {
    let text = text(["a b a", "c"]);
    let trained = train(&text, 7, 2);
    let mut classes = indices(&trained.classes);
    // What is unlike is apart, for that is never less likely; empty classes have the last numbers.
    assert!((trained.log_likelihood - log_likelihood(&text, &[0, 1, 2])).abs() < 1e-5);
    classes.sort_unstable();
    assert!(classes.last() < Some(&3), "{classes:?}");
    assert_eq!(trained.classes.count(), 7);
}

/// Asks to stop when it is told for the n-th time that work begins.
struct Stop(std::sync::atomic::AtomicUsize);

impl Observer for Stop {
    fn started(&self, _: &str, _: u64) {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) == 0
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let serial = Parallelism::serial();
    let train = |text: &Text, classes, observer: &dyn Observer| {
        let config = ClassesConfig::default().with(|c| c.classes = classes);
        WordClasses::train(text, &config, &serial, observer).map(|_| ()).expect_err("refused")
    };
    let error = train(&text(["a"]), 0, &Silent);
    assert_eq!(error.to_string(), "classes = 0: must be 1 to 2000");
    assert_eq!(train(&text(["a"]), 2001, &Silent).to_string(), "classes = 2001: must be 1 to 2000");
    assert!(matches!(train(&text(["", ""]), 2, &Silent).kind(), ErrorKind::Empty(_)));
    for steps in [1, 3] {
        let error = train(&english(), 10, &Stop(steps.into()));
        assert!(matches!(error.kind(), ErrorKind::Cancelled), "{error}");
    }
    let of_two = WordClasses::of_table(&of_mkcls(), text(["a b"]).vocabulary()).expect("some classes");
    let error = of_two.improved(&text(["a"]), 1, &serial, &Silent).expect_err("refused");
    assert_eq!(error.to_string(), "classes are given for 2 words, the text has 1");
    let error = WordClasses::of_table(&ClassTable::default(), text(["a"]).vocabulary()).expect_err("refused");
    assert_eq!(error.to_string(), "0 classes of words: must be 1 to 2000");
}

#[test]
fn unknown_words_are_a_class_of_their_own() {
    let file = &b"a\t7\nb\t2\nc\t7\n"[..];
    let table = classes::read(LineReader::new(file, "c", Utf8::Strict)).expect("a file of classes");
    let of = |line: &str| {
        let text = text([line]);
        let classes = WordClasses::of_table_with_unknown(&table, text.vocabulary()).expect("some classes");
        (
            words(line)
                .map(|word| classes.of(text.vocabulary().id(word.as_bytes()).expect("a word")).index())
                .collect(),
            classes.count(),
        )
    };
    assert_eq!(of("a b c"), (vec![1, 0, 1], 2));
    assert_eq!(of("d a b e"), (vec![2, 1, 0, 2], 3));
    let none = WordClasses::of_table_with_unknown(&ClassTable::default(), text(["a"]).vocabulary());
    assert!(matches!(none.expect_err("refused").kind(), ErrorKind::Inconsistent(_)));
}
