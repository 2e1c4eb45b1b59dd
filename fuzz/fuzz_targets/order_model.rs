//! Models of word order are opened or refused, whatever their arrays have; what was opened orders sentences, or says why not,
//! and is the same when it is written and opened again.

use std::sync::LazyLock;

use alinea::reorder::engine::Layer;
use alinea::reorder::model::Model;
use alinea::reorder::{Engine as _, Sentence};
use alinea_fuzz::{container, file, sample};

static SENTENCES: LazyLock<Vec<Sentence>> = LazyLock::new(|| {
    let sentence = |parsed| {
        let sentence = Sentence::of_parse(parsed).expect("it has a tree");
        let classes = (0..sentence.len()).map(|word| (word % 3).to_string()).collect();
        sentence.with_layer(Layer::Classes, classes).expect("as many as words")
    };
    sample::parses().iter().map(sentence).collect()
});

pub(crate) fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    container::mutate(data, size, most, seed)
}

pub(crate) fn fuzz(data: &[u8]) {
    let Ok(model) = Model::open(&file("model", data)) else { return };
    order(&model);
    let mut written = Vec::new();
    model.save(&mut written).expect("memory takes all");
    let again = Model::open(&file("again", &written)).expect("what was written is opened");
    let mut twice = Vec::new();
    again.save(&mut twice).expect("memory takes all");
    assert_eq!(written, twice);
}

fn order(model: &Model) {
    let _ = (model.way(), model.features(), model.columns().count());
    let mut engine = model.engine();
    for sentence in SENTENCES.iter() {
        if let Ok(order) = engine.order(sentence) {
            assert_eq!(order.len(), sentence.len());
        }
        let _ = (engine.beliefs(sentence), engine.best_orders(sentence, 3), engine.tree(sentence));
    }
}
