//! Files of rules, which people read and edit.
//!
//! A line a rule; `#` begins a comment; empty lines mean nothing. `let N = NOUN|PROPN|PRON` gives a name to a pattern for
//! the lines below, `let -subj- = nsubj|csubj` a name to relations ([`RuleNames`]). The line of a rule has the source side,
//! `/`, and the target side; a side is an edge, `HEAD -relation-> DEPENDENT` or `HEAD-relation-DEPENDENT`, or one part of
//! speech for a word that keeps its link. Then may follow, in this order: `down` or `up` if the rule goes only that way;
//! `precision CORRECT/PROPOSED`; `weight W`. In files with weights, `bias W` is the weight of every candidate, `threshold P`
//! the least probability of a link, and `clue NAME` stands for a clue ([`Clue`](super::Clue)).
//!
//! Rules without weights carry links along edges of both trees: one that lacks an edge could never do anything, and is
//! refused.

use std::fmt::Write as _;
use std::io::BufRead;

use super::rule::{Condition, Rule, Side};
use super::rule_grammar::Written;
use super::rule_names::RuleNames;
use crate::error::{Error, Position, Result};
use crate::format::lines::{LineReader, Utf8};
use crate::rule_line::{Tokens, tokens};

/// The text of the rules for Universal Dependencies.
const UNIVERSAL: &str = include_str!("universal.rules");

/// Rules in the order of their file: those above are tried first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleSet {
    /// The rules.
    pub rules: Vec<Rule>,
    /// The weight of every candidate, where rules have weights.
    pub bias: Option<f64>,
    /// The least probability of a link, from 0 to 1, where rules have weights.
    pub threshold: Option<f64>,
}

impl RuleSet {
    /// The rules for Universal Dependencies that the library has: 35 pairs of edges, without weights.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn universal() -> Self {
        Self::parse(UNIVERSAL, "universal.rules").expect("the rules of the library are well formed")
    }

    /// The text of the rules for Universal Dependencies, with its comments: a file to begin with.
    pub fn universal_text() -> &'static str {
        UNIVERSAL
    }

    /// Rules in a text, called `name` in messages.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        Self::read(LineReader::new(text.as_bytes(), name, Utf8::Strict), RuleNames::default())
    }

    /// Reads rules, in which these names mean something from the start.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `Parse` for what is no rule, for a rule without weight where others have one, and for one that
    /// could never carry a link: without weights, whatever lacks an edge on a side.
    pub fn read<R: BufRead>(mut lines: LineReader<R>, names: RuleNames) -> Result<Self> {
        let mut set = Self::default();
        let mut names = names.0;
        let mut places: Vec<[Position; 2]> = Vec::new();
        let mut line = String::new();
        while lines.read_into(&mut line)? {
            let tokens = tokens(line.split('#').next().unwrap_or_default());
            let parsed = match tokens.first().map(|token| token.text) {
                None => continue,
                Some("let") => Tokens::new(&tokens, &names).definition().map(|(name, pattern)| {
                    names.insert(name, pattern);
                }),
                Some("bias") => Tokens::new(&tokens[1..], &names).only_number().map(|bias| set.bias = Some(bias)),
                Some("threshold") => {
                    Tokens::new(&tokens[1..], &names).only_share().map(|share| set.threshold = Some(share))
                }
                Some(_) => Tokens::new(&tokens, &names).rule().map(|Written { rule, columns }| {
                    set.rules.push(rule);
                    places.push(columns.map(|column| lines.position(column)));
                }),
            };
            parsed.map_err(|fault| fault.into_error(&line, &lines))?;
        }
        set.check(&places)?;
        Ok(set)
    }

    /// Whether rules have weights, so that links are judged by their sum.
    pub fn is_weighted(&self) -> bool {
        self.bias.is_some() || self.rules.iter().any(|rule| rule.weight.is_some())
    }

    /// The file of the rules.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(bias) = self.bias {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "bias {bias:+.3}");
        }
        if let Some(threshold) = self.threshold {
            let _ = writeln!(text, "threshold {threshold}");
        }
        for rule in &self.rules {
            let _ = writeln!(text, "{rule}");
        }
        text
    }

    /// Refuses what could never do anything. The places are those where the two sides of each rule begin.
    fn check(&self, places: &[[Position; 2]]) -> Result<()> {
        let weighted = self.is_weighted();
        for (rule, [first, second]) in self.rules.iter().zip(places) {
            let error = |place: &Position, expected, found: String| {
                Err(Error::parse(place.clone(), expected, found.as_bytes()))
            };
            match &rule.condition {
                _ if weighted && rule.weight.is_some() => {}
                condition if weighted => {
                    return error(first, "a rule with a weight, as others have one", condition.to_string());
                }
                Condition::Clue(clue) => {
                    return error(first, "an edge, as clues need rules with weights", format!("clue {clue}"));
                }
                Condition::Sides(source, target) => {
                    for (place, side) in [(first, source), (second, target)] {
                        if matches!(side, Side::Word(_)) {
                            let expected = "an edge such as `VERB -nsubj-> NOUN` or `V-subj-N`, as rules without weights \
                                            carry links along edges of both trees";
                            return error(place, expected, side.to_string());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        RuleSet::parse(text, "r").unwrap_err().to_string()
    }

    #[test]
    fn the_rules_of_the_library_are_those_of_the_specification() {
        let set = RuleSet::universal();
        assert_eq!(set.rules.len(), 35);
        assert!(!set.is_weighted());
        assert_eq!(set.rules[0].to_string(), "VERB -nsubj-> NOUN|PROPN|PRON / VERB -nsubj-> NOUN|PROPN|PRON");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "\
let N = NOUN|PROPN # names
bias -2.5
threshold 0.35

N -nmod-> N / N -amod-> ADJ  down  precision 3/4  weight +0.250
* / NOUN -flat|compound-> *  weight -1.000\t# stays
NOUN / VERB  precision 0/0  weight +1.500
clue confidence-0.3  weight +2.000
";
        let set = RuleSet::parse(text, "r").unwrap();
        assert_eq!(set.bias, Some(-2.5));
        assert_eq!(set.rules[0].tally.unwrap().precision(), Some(0.75));
        assert_eq!(set.rules[2].tally.unwrap().precision(), None);
        let written = set.text();
        assert_eq!(RuleSet::parse(&written, "r").unwrap(), set);
        assert!(written.starts_with("bias -2.500\nthreshold 0.35\nNOUN|PROPN -nmod-> NOUN|PROPN / NOUN|PROPN -amod-> ADJ  down  precision 3/4  weight +0.250\n"));
    }

    #[test]
    fn errors_name_the_place() {
        for (text, expected) in [
            ("VERB -obj-> N", "r:1:14: expected `/`, found nothing"),
            ("VERB -obj-> / N", "r:1:13: expected a part of speech, several such as `NOUN|PROPN`, or `*`, found `/`"),
            ("VERB --> N / N", "r:1:6: expected an arrow such as `-nsubj->`, found `-->`"),
            (
                "\nA / B  sideways",
                "r:2:8: expected `down`, `up`, `precision CORRECT/PROPOSED`, `weight NUMBER` or the end of the line, found `sideways`",
            ),
            (
                "A / B down",
                "r:1:7: expected `precision`, `weight` or the end of the line, as no link is carried here, found `down`",
            ),
            ("A / B precision 3", "r:1:17: expected correct/proposed, such as 93/104, found `3`"),
            ("A / B precision 4/3", "r:1:17: expected correct/proposed, such as 93/104, found `4/3`"),
            ("A / B weight inf", "r:1:14: expected a number, found `inf`"),
            ("bias 1 2", "r:1:8: expected the end of the line, found `2`"),
            ("threshold 2", "r:1:11: expected a number from 0 to 1, found `2`"),
            ("let N NOUN", "r:1:7: expected `=`, found `NOUN`"),
            ("clue hunch", "r:1:6: expected the name of a clue, found `hunch`"),
            ("A| / B", "r:1:1: expected a part of speech, several such as `NOUN|PROPN`, or `*`, found `A|`"),
            ("bias 1\nA / B", "r:2:1: expected a rule with a weight, as others have one, found `A / B`"),
            ("let -x = obj", "r:1:5: expected a name such as `N`, or `-subj-` for one of a relation, found `-x`"),
            ("let -x- = |", "r:1:11: expected a relation, several such as `obl|nmod`, or `*`, found `|`"),
            ("let -x- = k-|l", "r:1:11: expected a relation, several such as `obl|nmod`, or `*`, found `k-|l`"),
            ("V -k-|l-> N / V", "r:1:3: expected an arrow such as `-nsubj->`, found `-k-|l->`"),
            ("V--- / V-subj-N", "r:1:1: expected an edge such as `V-subj-N`, found `V---`"),
            ("V-subj--/ / V-subj-N", "r:1:1: expected an edge such as `V-subj-N`, found `V-subj--/`"),
            (
                "let-subj-N / V-subj-N",
                "r:1:1: expected a part of speech that does not begin lines of other kinds, as `let` does, found `let-subj-N`",
            ),
            (
                "let N = bias\nN -subj-> V / V-subj-N",
                "r:2:1: expected a part of speech that does not begin lines of other kinds, as `let` does, found `N`",
            ),
            ("V--N / V-subj-N", "r:1:1: expected an edge such as `V-subj-N`, found `V--N`"),
        ] {
            assert_eq!(message(text), expected, "{text}");
        }
    }

    /// Ozdowska (2006) writes `V-subj-N / V-subj-N`.
    #[test]
    fn edges_may_stand_in_one_piece() {
        let expected = RuleSet::parse("V -subj-> N / V -subj-> N down", "r").unwrap();
        for text in [
            "V-subj-N / V-subj-N down",
            "V–subj–N / V–subj→N down",
            "V -subj- N / V –subj– N down",
            "V-subj--N / V -subj--> N down",
        ] {
            assert_eq!(RuleSet::parse(text, "r").unwrap(), expected, "{text}");
        }
        // A name counts wherever it stands in a list.
        let set =
            RuleSet::parse("let N = NOUN|PROPN\nlet -subj- = nsubj|csubj\nV-subj|obj-N|PRON / V-subj-N", "r").unwrap();
        assert_eq!(set.text(), "V -nsubj|csubj|obj-> NOUN|PROPN|PRON / V -nsubj|csubj-> NOUN|PROPN\n");
    }

    #[test]
    fn the_names_of_syntex_are_those_of_universal_dependencies() {
        let lines = LineReader::new(&b"V-subj-N / V-SUJ-N"[..], "r", Utf8::Strict);
        let set = RuleSet::read(lines, RuleNames::syntex()).unwrap();
        assert_eq!(set.text(), "VERB|AUX -nsubj|csubj-> NOUN|PROPN / VERB|AUX -nsubj|csubj-> NOUN|PROPN\n");
    }

    #[test]
    fn rules_that_could_never_carry_a_link_are_refused() {
        let edge = "expected an edge such as `VERB -nsubj-> NOUN` or `V-subj-N`, as rules without weights carry links \
                    along edges of both trees";
        for (text, expected) in [
            ("A-x-B / A-x-B\n NOUN / NOUN", format!("r:2:2: {edge}, found `NOUN`")),
            ("VERB -obj-> NOUN / NOUN", format!("r:1:20: {edge}, found `NOUN`")),
            ("* / * -fixed-> *  up", format!("r:1:1: {edge}, found `*`")),
            (
                "clue cognate",
                "r:1:1: expected an edge, as clues need rules with weights, found `clue cognate`".to_owned(),
            ),
        ] {
            assert_eq!(message(text), expected, "{text}");
        }
    }
}
