//! A large text, whose lexicon is pruned: nearly the same links, and the same bits under any number of threads.

use alinea::alignment::Alignment;
use alinea::bitext::RankedBitext;
use alinea::model::{Aligner, AlignerConfig, Schedule};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;

use crate::texts::{Lines, below, bitext};

/// So many sentence pairs that pairs of words are dropped, and a few more.
const PAIRS: usize = Schedule::SHORT_FROM + 10;

/// Sentence pairs that are compared.
const COMPARED: usize = 5000;

/// Words of each language.
const WORDS: usize = 2000;

/// Three to six words, frequent and rare ones, word by word in the other language: but for one in ten neighbors change
/// places, and one word in twenty has a counterpart of any kind.
fn text() -> RankedBitext {
    let mut generator = Generator::new(5, 0);
    let word = |generator: &mut Generator| {
        let most = 1 + below(generator, WORDS);
        let bound = 1 + below(generator, most);
        below(generator, bound)
    };
    let line = |_| {
        let source: Vec<usize> = (0..3 + below(&mut generator, 4)).map(|_| word(&mut generator)).collect();
        let mut target: Vec<usize> =
            source.iter().map(|&own| if below(&mut generator, 20) == 0 { word(&mut generator) } else { own }).collect();
        for place in 1..target.len() {
            if below(&mut generator, 10) == 0 {
                target.swap(place - 1, place);
            }
        }
        let written = |words: Vec<usize>, sign: char| {
            words.into_iter().map(|word| format!("{}{sign}", spelled(word))).collect::<Vec<_>>().join(" ")
        };
        (written(source, 'x'), written(target, 'y'))
    };
    let lines: Lines = (0..PAIRS).map(line).collect();
    bitext(&lines)
}

/// A number in letters, so that stems are shared.
fn spelled(number: usize) -> String {
    let letter = |place: u32| char::from(b'a' + (number / 13usize.pow(place) % 13) as u8);
    [2, 1, 0].map(letter).iter().collect()
}

fn configs() -> [AlignerConfig; 2] {
    [AlignerConfig::agreement(), AlignerConfig::agreement_loo()].map(|config| {
        let schedule = Some(Schedule { ibm1: 2, hmm: 2 });
        AlignerConfig { schedule, ..config }
    })
}

fn trained(text: &RankedBitext, config: &AlignerConfig, threads: usize) -> Aligner {
    let parallelism = Parallelism::new(threads).expect("a few threads");
    Aligner::train(text, config.clone(), &parallelism, &Silent).expect("there are pairs to train on")
}

/// The links of the first sentence pairs, and all bits of what the model says about them.
fn aligned(aligner: &Aligner, text: &RankedBitext) -> (Vec<Alignment>, Vec<u64>) {
    let mut worker = aligner.worker();
    let pairs = text.bitext().pairs().take(COMPARED).enumerate();
    let (mut links, mut bits) = (Vec::new(), Vec::new());
    for (n, pair) in pairs {
        let posteriors = worker.trained(n).posteriors(pair).expect("no side is empty");
        links.push(posteriors.links(aligner.config().threshold));
        bits.extend(posteriors.log_likelihoods().map(f64::to_bits));
        bits.extend(posteriors.means().map(|mean| u64::from(mean.to_bits())));
    }
    (links, bits)
}

/// Links are the same but for one in a hundred. What is dropped has less than a fiftieth of a link in the whole text:
/// its posteriors are small, and so is what others gain by its loss.
#[test]
fn links_hardly_change_and_threads_change_nothing() {
    let text = text();
    for config in configs() {
        let pruned = trained(&text, &config, 1);
        let (links, bits) = aligned(&pruned, &text);
        assert_eq!(aligned(&trained(&text, &config, 3), &text), (links.clone(), bits), "{}: threads", config.name);
        let whole = trained(&text, &AlignerConfig { prune: None, ..config.clone() }, 1);
        let (kept, all) = (pruned.index().len(), whole.index().len());
        assert!(4 * kept < all, "{}: {kept} of {all} pairs stay", config.name);
        let (expected, bits) = aligned(&whole, &text);
        let count = |links: &[Alignment]| links.iter().map(Alignment::len).sum::<usize>();
        let common = links.iter().zip(&expected).map(|(a, b)| a.intersection_len(b)).sum::<usize>();
        let (ours, theirs) = (count(&links), count(&expected));
        assert!(theirs > 3 * COMPARED, "{}: {theirs} links", config.name);
        assert!(200 * common > 99 * (ours + theirs), "{}: {common} of {ours} and {theirs} links", config.name);
        // Nothing has less than its pseudo-count.
        let tiny = trained(&text, &AlignerConfig { prune: Some(1e-9), ..config.clone() }, 1);
        assert_eq!(tiny.index().len(), all);
        assert_eq!(aligned(&tiny, &text), (expected, bits), "{}: nothing to drop", config.name);
    }
}
