//! Sentences that nobody would write, and the lack of sentences.

use alinea::alignment::{Alignment, Link};
use alinea::bitext::{RankedBitext, SentencePair};
use alinea::error::ErrorKind;
use alinea::model::{Aligner, AlignerConfig, Posteriors, Schedule};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;

use crate::texts::{Lines, below, bitext, models, sample, train};

/// One pass of each model.
fn short(config: &AlignerConfig) -> AlignerConfig {
    let hmm = config.schedule_for(1).hmm.min(1);
    config.clone().with(|c| c.schedule = Some(Schedule { ibm1: 1, hmm }))
}

/// Links of both best paths lie in their sentences.
fn assert_paths(paths: [Alignment; 2], pair: SentencePair<'_>) {
    for path in paths {
        assert_eq!(path.first_outside(pair.source.len(), pair.target.len()), None);
    }
}

/// Posteriors are probabilities, and so are their sums for one word. Single precision adds up to 10^-6 a word.
fn assert_probabilities(posteriors: Option<Posteriors<'_>>, pair: SentencePair<'_>, name: &str) {
    let (sources, targets) = (pair.source.len() as u32, pair.target.len() as u32);
    let most = 1.0 + 1e-5 + 1e-6 * f64::from(sources.max(targets));
    let posteriors = posteriors.expect("no side is empty");
    for score in posteriors.scores().expect("the worker was asked") {
        assert!(score.is_finite() && score <= 0.0, "{name}: {score} for each word");
    }
    let check = |row: &mut dyn Iterator<Item = f32>| {
        let mut sum = 0.0;
        for posterior in row {
            assert!(posterior >= 0.0, "{name}: a posterior of {posterior}");
            sum += f64::from(posterior);
        }
        assert!(sum <= most, "{name}: a sum of {sum}");
    };
    for target in 0..targets {
        check(&mut (0..sources).map(|source| posteriors.forward(Link::new(source, target))));
    }
    for source in 0..sources {
        check(&mut (0..targets).map(|target| posteriors.reverse(Link::new(source, target))));
    }
}

/// Trains one pass of each model and looks at all pairs; at the best paths only of pairs with up to 200,000 cells.
fn assert_sound(lines: &Lines, config: &AlignerConfig) {
    let text = bitext(lines);
    let aligner = train(&text, &short(config));
    assert!(aligner.log_likelihoods().iter().flatten().all(|value| value.is_finite()), "{}", config.name);
    let mut worker = aligner.worker(&text).judging();
    for (n, pair) in text.bitext().pairs().enumerate() {
        assert_probabilities(worker.posteriors(n), pair, config.name.name());
        if pair.source.len() * pair.target.len() <= 200_000 {
            assert_paths(worker.viterbi(n), pair);
        }
    }
}

/// A long sentence and a translation of it, more or less word by word, each cut at some length.
fn long_pair(source: usize, target: usize) -> (String, String) {
    let mut generator = Generator::new(1, 1);
    let longest = source.max(target);
    let ranks: Vec<usize> = (0..longest).map(|_| below(&mut generator, 40) * below(&mut generator, 40)).collect();
    let line = |letter: char, length: usize| {
        ranks[..length].iter().map(|rank| format!("{letter}{rank}")).collect::<Vec<_>>().join(" ")
    };
    (line('s', source), line('t', target))
}

#[test]
fn a_thousand_words() {
    for config in models() {
        assert_sound(&vec![long_pair(1000, 1000), long_pair(200, 1000), long_pair(20, 20)], &config);
    }
}

#[test]
fn two_thousand_words() {
    for config in models() {
        assert_sound(&vec![long_pair(2000, 40), long_pair(40, 2000), long_pair(20, 20)], &config);
    }
    assert_sound(&vec![long_pair(2000, 2000)], &AlignerConfig::ibm1());
}

#[test]
fn one_word_over_and_over() {
    let long = vec!["word"; 1500].join(" ");
    let many = vec!["word"; 300].join(" ");
    for config in models() {
        assert_sound(&vec![(long.clone(), "mot".to_owned()), ("a word".to_owned(), "un mot".to_owned())], &config);
        assert_sound(&vec![("mot".to_owned(), long.clone())], &config);
        assert_sound(&vec![(many.clone(), many.replace("word", "mot"))], &config);
    }
}

#[test]
fn single_words() {
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(s, t)| ((*s).to_owned(), (*t).to_owned())).collect();
    for config in models() {
        assert_sound(&pairs(&[("a", "b")]), &config);
        assert_sound(&pairs(&[("a", "b"), ("a", "c"), ("d", "d")]), &config);
    }
}

#[test]
fn a_corpus_of_one_pair() {
    for config in models() {
        assert_sound(&sample()[..1].to_vec(), &config);
    }
}

/// A sentence may be longer than all that the model was trained on.
#[test]
fn a_longer_sentence_than_in_training() {
    let text = bitext(&sample()[..20]);
    let words: Vec<_> = text.bitext().source.tokens().iter().copied().take(150).collect();
    let translations: Vec<_> = text.bitext().target.tokens().iter().copied().take(150).collect();
    let pair = SentencePair { source: &words, target: &translations, cuts: &[] };
    for config in models() {
        let aligner = train(&text, &config);
        let mut worker = aligner.worker_for_new_pairs().judging();
        assert_probabilities(worker.posteriors(pair), pair, config.name.name());
        assert_paths(worker.viterbi(pair), pair);
    }
}

fn links(text: &RankedBitext, aligner: &Aligner) -> Vec<[Alignment; 3]> {
    let mut worker = aligner.worker(text);
    let of = |n| {
        let [forward, reverse] = worker.viterbi(n);
        [forward, reverse, worker.align(n)]
    };
    (0..text.len()).map(of).collect()
}

/// The pairs `kept` have the links expected, the others none.
fn assert_links_of_kept(all: &[[Alignment; 3]], kept: &[usize], expected: &[[Alignment; 3]], name: &str) {
    for (n, links) in all.iter().enumerate() {
        match kept.iter().position(|&kept| kept == n) {
            Some(n) => assert_eq!(*links, expected[n], "{name}, pair {n}"),
            None => assert!(links.iter().all(Alignment::is_empty)),
        }
    }
}

/// Empty pairs change nothing.
#[test]
fn empty_pairs_are_as_good_as_absent() {
    let lines = sample()[..100].to_vec();
    let mut padded = Lines::new();
    let mut kept = Vec::new();
    for (n, pair) in lines.iter().enumerate() {
        for _ in 0..n % 3 {
            padded.push((String::new(), String::new()));
        }
        kept.push(padded.len());
        padded.push(pair.clone());
    }
    let (text, padded) = (bitext(&lines), bitext(&padded));
    for config in models() {
        let (with, without) = (train(&padded, &config), train(&text, &config));
        let bits = |aligner: &Aligner| aligner.log_likelihoods().iter().map(|both| both.map(f64::to_bits)).collect();
        let (expected, likelihoods): (Vec<_>, Vec<_>) = (bits(&without), bits(&with));
        assert_eq!(likelihoods, expected, "{}", config.name);
        assert_links_of_kept(&links(&padded, &with), &kept, &links(&text, &without), config.name.name());
    }
}

/// Pairs with an empty side change nothing, not even by the words of the other side.
#[test]
fn empty_sides_are_as_good_as_absent() {
    let lines = sample()[..100].to_vec();
    let mut padded = Lines::new();
    let mut kept = Vec::new();
    for (n, pair) in lines.iter().enumerate() {
        match n % 5 {
            0 => padded.push((String::new(), String::new())),
            1 => padded.push((pair.0.clone(), String::new())),
            2 => padded.push((String::new(), "unheard-of mots que personne ne dit la la la".to_owned())),
            _ => {}
        }
        kept.push(padded.len());
        padded.push(pair.clone());
    }
    let (text, padded) = (bitext(&lines), bitext(&padded));
    for config in models() {
        let (with, without) = (train(&padded, &config), train(&text, &config));
        let likelihoods = without.log_likelihoods().iter().flatten().zip(with.log_likelihoods().iter().flatten());
        for (without, with) in likelihoods {
            assert!((without - with).abs() <= 1e-6 * without.abs(), "{}: {with} for {without}", config.name);
        }
        assert_links_of_kept(&links(&padded, &with), &kept, &links(&text, &without), config.name.name());
    }
}

#[test]
fn nothing_to_align_is_an_error() {
    let text = bitext(&[("", ""), ("a", ""), ("", "b")]);
    let error = Aligner::train(&text, AlignerConfig::default(), &Parallelism::serial(), &Silent).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::EmptySides { pairs: 3 }), "{error}");
}
