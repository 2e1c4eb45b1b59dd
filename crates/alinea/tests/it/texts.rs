//! Texts to test with.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use alinea::bitext::{Bitext, RankedBitext, Text};
use alinea::model::{Aligner, AlignerConfig};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;

/// Sentence pairs as strings, words separated by blanks.
pub(crate) type Lines = Vec<(String, String)>;

/// A text as numbers.
pub(crate) fn bitext(lines: &[(impl AsRef<str>, impl AsRef<str>)]) -> RankedBitext {
    let (mut source, mut target) = (Text::default(), Text::default());
    for (s, t) in lines {
        source.push_sentence(words(s.as_ref()).map(str::as_bytes));
        target.push_sentence(words(t.as_ref()).map(str::as_bytes));
    }
    RankedBitext::new(Bitext::new(source, target).expect("as many source as target sentences"))
}

/// The words of a line.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').filter(|word| !word.is_empty())
}

/// Source and target changed.
pub(crate) fn swapped(lines: &Lines) -> Lines {
    lines.iter().map(|(source, target)| (target.clone(), source.clone())).collect()
}

/// Trained on one thread.
pub(crate) fn train(bitext: &RankedBitext, config: &AlignerConfig) -> Aligner {
    Aligner::train(bitext, config.clone(), &Parallelism::serial(), &Silent).expect("there are pairs to train on")
}

/// The named models, but `quality`, which trains four.
pub(crate) fn models() -> [AlignerConfig; 4] {
    [AlignerConfig::agreement(), AlignerConfig::agreement_loo(), AlignerConfig::hmm(), AlignerConfig::ibm1()]
}

/// The folder of the text that comes with the command.
pub(crate) fn sample_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../alinea-cli/sample")
}

/// One file of that text.
pub(crate) fn sample_file(name: &str) -> String {
    let path = sample_folder().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// English and French, in lower case.
pub(crate) fn sample() -> Lines {
    let (english, french) = (sample_file("en-fr.en").to_lowercase(), sample_file("en-fr.fr").to_lowercase());
    english.lines().map(str::to_owned).zip(french.lines().map(str::to_owned)).collect()
}

/// A number from 0 to `bound - 1`.
pub(crate) fn below(generator: &mut Generator, bound: usize) -> usize {
    let bound = NonZeroU64::new(bound as u64).expect("a bound above 0");
    generator.below(bound) as usize
}

/// Few words with much in common: equal, similar, with a common stem, with digits, of one character.
const SOURCES: [&str; 6] = ["nation", "national", "house", "1204", "経済", "the"];
const TARGETS: [&str; 6] = ["nation", "nationale", "maison", "1,3", "経営", "la"];

/// One to five pairs, each of up to four words a side, now and then of seven on one side and two on the other.
pub(crate) fn tiny(generator: &mut Generator) -> Lines {
    let (sources, targets) = (3 + below(generator, 4), 3 + below(generator, 4));
    let side = |generator: &mut Generator, words: &[&str], length: usize| {
        (0..length).map(|_| words[below(generator, words.len())]).collect::<Vec<_>>().join(" ")
    };
    (0..=below(generator, 4))
        .map(|_| {
            let (source, target) = match below(generator, 8) {
                0 => (7, 2),
                1 => (2, 7),
                _ => (1 + below(generator, 4), 1 + below(generator, 4)),
            };
            (side(generator, &SOURCES[..sources], source), side(generator, &TARGETS[..targets], target))
        })
        .collect()
}
