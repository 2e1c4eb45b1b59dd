//! Rules that carry links along trees, and names in them, are read or refused; the text of a set of rules is the same rules.

use alinea::format::lines::Utf8;
use alinea::project::links::{RuleNames, RuleSet};
use alinea_fuzz::parts::texts;
use alinea_fuzz::{NAME, lines, read_again};

pub(crate) fn fuzz(data: &[u8]) {
    let [names, rules] = texts(data);
    let Ok(names) = RuleNames::read(lines(names, Utf8::Strict)) else { return };
    let Ok(rules) = RuleSet::read(lines(rules, Utf8::Strict), names) else { return };
    let text = rules.text();
    let Some(again) = read_again(RuleSet::parse(&text, NAME)) else { return };
    assert_eq!(again.text(), text);
}
