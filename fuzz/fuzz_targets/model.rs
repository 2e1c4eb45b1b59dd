//! Models of word alignment are opened or refused, whatever their arrays have; what was opened aligns text, translates, and is
//! pruned and merged, or says why not.

use alinea::bitext::Bitext;
use alinea::model::{Merged, Model, Side, TextForm};
use alinea::parallel::Parallelism;
use alinea_fuzz::{container, file, sample};

pub(crate) fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    container::mutate(data, size, most, seed)
}

pub(crate) fn fuzz(data: &[u8]) {
    let path = file("model", data);
    let Ok(model) = Model::open(&path) else { return };
    align(&model, &sample::bitext());
    let _ = (model.translations(Side::Source, b"house"), model.translations(Side::Target, b"maison"));
    model.for_each_translation(Side::Source, 0.0, |_| {});
    let mut pruned = Vec::new();
    if model.prune(None, &mut pruned).is_ok() {
        let pruned = Model::open(&file("pruned", &pruned)).expect("what was written is opened");
        align(&pruned, &sample::bitext());
    }
    let again = Model::open(&path).expect("it was opened before");
    if let Ok(Merged { aligner, words }) = Merged::of(&[&model, &again], &Parallelism::serial()) {
        let mut merged = Vec::new();
        aligner.save(&words, TextForm::default(), &mut merged).expect("memory takes all");
        align(&Model::open(&file("merged", &merged)).expect("what was written is opened"), &sample::bitext());
    }
}

fn align(model: &Model, text: &Bitext) {
    let (new, mut worker) = (model.read(text), model.worker().judging());
    for n in 0..new.len() {
        if let Some((posteriors, _)) = worker.posteriors_and_viterbi(&new, n) {
            let _ = (posteriors.links(0.5), posteriors.scores(), posteriors.log_weights());
        }
    }
}
