//! Rules of word order are read or refused; the text of a set of rules is the same rules. They order what they are asked to.

use alinea::format::lines::Utf8;
use alinea::reorder::model::Model;
use alinea::reorder::rules::RuleSet;
use alinea::reorder::{Engine as _, Sentence};
use alinea_fuzz::{NAME, lines, read_again, sample};

pub(crate) fn fuzz(data: &[u8]) {
    let Ok(rules) = RuleSet::read(lines(data, Utf8::Strict)) else { return };
    let text = rules.text();
    let Some(again) = read_again(RuleSet::parse(&text, NAME)) else { return };
    assert_eq!(again.text(), text);
    let model = Model::of_rules(rules);
    let mut engine = model.engine();
    for parsed in sample::parses() {
        let sentence = Sentence::of_parse(&parsed).expect("it has a tree");
        if let Ok(order) = engine.order(&sentence) {
            assert_eq!(order.len(), sentence.len());
        }
    }
}
