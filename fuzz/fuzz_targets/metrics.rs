//! Each metric gives a number, or an error, for a reference and a hypothesis, whatever the lines are; each tokenizer cuts them.

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::gleu::{Gleu, GleuConfig};
use alinea::metric::lepor::{Lepor, LeporConfig};
use alinea::metric::meteor::{Meteor, MeteorConfig};
use alinea::metric::nist::{Nist, NistConfig};
use alinea::metric::ribes::{Ribes, RibesConfig};
use alinea::metric::ter::Ter;
use alinea::metric::tokenize::{TOKENIZERS, Tercom, TokenizerOptions, tokenizer_by_name};
use alinea::metric::{Metric, Segments, measure};
use alinea::parallel::Parallelism;
use alinea_fuzz::choice;
use alinea_fuzz::parts::texts;

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let [hypothesis, reference, other] = texts(data).map(String::from_utf8_lossy);
    let mut segments = Segments::new(1);
    segments.push(&[&*hypothesis], &[&*reference, &*other]);
    segments.push(&[&*other], &[&*hypothesis]);
    let tercom = Tercom {
        normalized: choice & 1 == 1,
        no_punctuation: choice & 2 == 2,
        asian_support: choice & 4 == 4,
        case_sensitive: choice & 8 == 8,
    };
    match choice >> 4 {
        0..4 => {
            let name = TOKENIZERS[choice % TOKENIZERS.len()];
            let Ok(tokenizer) = tokenizer_by_name(name, &TokenizerOptions::default()) else { return };
            check(
                &Bleu::new(BleuConfig::default().with(|c| c.tokenizer = tokenizer)).expect("its defaults"),
                &segments,
            );
        }
        4..6 => {
            check(&Chrf::new(ChrfConfig::default().with(|c| c.word_order = choice % 4)).expect("allowed"), &segments)
        }
        6..10 => check(&Ter::new(tercom), &segments),
        10 => check(&Gleu::new(GleuConfig::default()).expect("its defaults"), &segments),
        11 => check(&Nist::new(NistConfig::default(), &segments).expect("its defaults"), &segments),
        12 => check(&Ribes::new(RibesConfig::default()).expect("its defaults"), &segments),
        13 => check(&Meteor::new(MeteorConfig::default()).expect("its defaults"), &segments),
        _ => check(&Lepor::new(LeporConfig::default()).expect("its defaults"), &segments),
    }
}

fn check(metric: &dyn Metric, segments: &Segments) {
    if let Ok(statistics) = measure(metric, segments, &Parallelism::serial()) {
        let score = metric.score(&statistics[0].sums());
        assert!(!score.is_nan(), "{}: {score}", metric.name());
    }
}
