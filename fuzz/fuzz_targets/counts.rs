//! Files of counts, which are checkpoints too, are read or refused, and written again to the byte; training goes on from them,
//! or refuses them.

use std::sync::LazyLock;

use alinea::bitext::RankedBitext;
use alinea::model::{AlignerConfig, Counts, Supervision, Training};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use alinea_fuzz::{container, file, sample};

static TEXT: LazyLock<RankedBitext> = LazyLock::new(|| RankedBitext::new(sample::bitext()));

pub(crate) fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    container::mutate(data, size, most, seed)
}

pub(crate) fn fuzz(data: &[u8]) {
    let path = file("counts", data);
    let Ok(counts) = Counts::read(&path) else { return };
    let mut written = Vec::new();
    counts.write(&mut written).expect("memory takes all");
    let again = Counts::read(&file("again", &written)).expect("what was written is read");
    let mut twice = Vec::new();
    again.write(&mut twice).expect("memory takes all");
    assert_eq!(written, twice);
    for config in [AlignerConfig::agreement_loo(), AlignerConfig::hmm()] {
        go_on(config, counts.clone());
    }
    let _ = again.merged(counts);
}

/// Goes on from counts, to the end.
fn go_on(config: AlignerConfig, counts: Counts) {
    let parallelism = Parallelism::serial();
    let training = Training::new(&TEXT, config, &Supervision::default(), &parallelism, &Silent);
    let mut training = training.expect("a text and a configuration");
    if training.take(counts, &parallelism).is_ok() && training.maximize(&parallelism).is_ok() {
        let _ = training.run(&parallelism, &Silent);
    }
}
