//! Parallel text by a fixed generator: words by Zipf's law, and a translation that a model can learn.

use std::num::NonZeroU64;

use alinea::bitext::{Bitext, RankedBitext, Text};
use alinea::numeric::Generator;

/// Distinct words of each language.
const FORMS: u64 = 30_000;

/// `pairs` sentence pairs of 10 to 30 source words. Each word has one translation, of about the same rank; one in eight
/// has none, one in eight is followed by a word of its own, one in four changes places with the next.
pub(crate) fn bitext(pairs: usize) -> RankedBitext {
    let mut generator = Generator::new(12345, 0);
    let (mut source, mut target) = (Text::default(), Text::default());
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..pairs {
        let length = 10 + below(&mut generator, 21);
        sources.clear();
        targets.clear();
        for _ in 0..length {
            let rank = zipf(&mut generator);
            sources.push(format!("s{rank}"));
            match below(&mut generator, 8) {
                0 => {}
                1 => targets.extend([format!("t{}", rank ^ 1), format!("t{}", zipf(&mut generator))]),
                _ => targets.push(format!("t{}", rank ^ 1)),
            }
        }
        for n in 1..targets.len() {
            if below(&mut generator, 4) == 0 {
                targets.swap(n - 1, n);
            }
        }
        source.push_sentence(sources.iter().map(String::as_bytes));
        target.push_sentence(targets.iter().map(String::as_bytes));
    }
    RankedBitext::new(Bitext::new(source, target).expect("as many sentences on both sides"))
}

/// The words of both sides.
#[allow(dead_code, reason = "not every bench counts tokens")]
pub(crate) fn tokens(bitext: &RankedBitext) -> u64 {
    (bitext.bitext().source.token_count() + bitext.bitext().target.token_count()) as u64
}

/// The inverse of the harmonic sum: rank r with a probability near 1/r.
fn zipf(generator: &mut Generator) -> u64 {
    (FORMS as f64).powf(generator.unit()) as u64
}

fn below(generator: &mut Generator, bound: u64) -> u64 {
    NonZeroU64::new(bound).map_or(0, |bound| generator.below(bound))
}
