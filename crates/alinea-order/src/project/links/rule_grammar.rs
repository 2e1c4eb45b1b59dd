//! The lines of files of rules: what tokens make a rule, an edge, a pattern, a definition.
//!
//! An edge is written `HEAD -relation-> DEPENDENT`, or in one piece, `HEAD-relation-DEPENDENT`, as the literature has it
//! (`V-subj-N`, Ozdowska 2006). En and em dashes are dashes, and `→` is an arrow.

use std::collections::BTreeMap;

use super::rule::{Clue, Condition, Direction, Pattern, Rule, Side, Tally};
use crate::rule_line::{Parsed, Tokens};

/// What stands between relation and part of speech.
const DASHES: [char; 3] = ['-', '–', '—'];

/// What lines that are no rules of two sides begin with.
const KEYWORDS: [&str; 4] = ["let", "bias", "threshold", "clue"];

/// A rule as it was read.
pub(super) struct Written {
    pub(super) rule: Rule,
    /// The columns, from 1, where its two sides begin.
    pub(super) columns: [usize; 2],
}

/// The key under which the meaning of a relation stands among those of tags.
fn relation_key(name: &str) -> String {
    format!("-{name}-")
}

/// The relation within an arrow such as `-nsubj->`, `-nsubj-` or `–nsubj→`.
fn arrow(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(DASHES)?;
    let inner = inner.strip_suffix(['>', '→']).unwrap_or(inner);
    Some(inner.strip_suffix(DASHES).or_else(|| text.ends_with('→').then_some(inner))?.trim_end_matches(DASHES))
}

/// Head, relation and dependent of an edge in one piece, such as `V-subj-N` or `VERB-nsubj->NOUN`.
fn joined_edge(text: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = text.split_once(DASHES)?;
    let (relation, dependent) = rest.rsplit_once(DASHES).or_else(|| rest.rsplit_once('→'))?;
    let dependent = dependent.strip_prefix(['>', '→']).unwrap_or(dependent);
    Some((head, relation.trim_end_matches(DASHES), dependent))
}

/// Whether a list is none of parts of speech: a part of it is empty, or it would be taken for something else.
fn is_odd_list(list: &str) -> bool {
    list.split('|').any(str::is_empty) || list == "/" || list.starts_with(DASHES)
}

/// Whether a part of a list of relations is empty, or ends with a dash: that would belong to the arrow.
fn has_odd_relation(list: &str) -> bool {
    list.split('|').any(|relation| relation.is_empty() || relation.ends_with(DASHES))
}

/// A list of names as a pattern, each with its meaning where it has one under its key.
fn meaning(list: &str, names: &BTreeMap<String, Pattern>, key: impl Fn(&str) -> String) -> Pattern {
    let resolve = |name: &str| names.get(&key(name)).cloned().unwrap_or_else(|| Pattern::new(name));
    list.split('|').map(resolve).reduce(Pattern::or).unwrap_or(Pattern::ANY)
}

impl<'l> Tokens<'l, '_, Pattern> {
    /// `let NAME = PATTERN`, or `let -NAME- = RELATIONS`: the key of the name, and its meaning.
    pub(super) fn definition(mut self) -> Parsed<'l, (String, Pattern)> {
        self.word("let")?;
        let expected = "a name such as `N`, or `-subj-` for one of a relation";
        let Some(name) = self.peek().filter(|name| *name != "=") else { return self.fault(expected) };
        let relation = arrow(name);
        if relation.unwrap_or(name).is_empty() || relation.is_none() && name.starts_with(DASHES) {
            return self.fault(expected);
        }
        self.next(expected)?;
        self.word("=")?;
        let Some(relation) = relation else {
            let pattern = self.pattern()?;
            return self.end((name.to_owned(), pattern));
        };
        let Some(list) = self.peek().filter(|list| !has_odd_relation(list)) else {
            return self.fault("a relation, several such as `obl|nmod`, or `*`");
        };
        let pattern = meaning(list, self.names, relation_key);
        self.next("a relation")?;
        self.end((relation_key(relation), pattern))
    }

    pub(super) fn only_number(mut self) -> Parsed<'l, f64> {
        let number = self.number()?;
        self.end(number)
    }

    pub(super) fn only_share(self) -> Parsed<'l, f64> {
        let fault = self.fault("a number from 0 to 1");
        let share = self.only_number()?;
        if (0.0..=1.0).contains(&share) { Ok(share) } else { fault }
    }

    pub(super) fn rule(mut self) -> Parsed<'l, Written> {
        let (condition, columns) = self.condition()?;
        let mut rule = Rule::new(condition);
        if let Some(direction) =
            [Direction::Down, Direction::Up].into_iter().find(|way| self.peek() == Some(way.name()))
        {
            if !rule.condition.carries() {
                return self.fault("`precision`, `weight` or the end of the line, as no link is carried here");
            }
            rule.direction = Some(direction);
            self.next("a direction")?;
        }
        if self.skip("precision") {
            rule.tally = Some(self.tally()?);
        }
        if self.skip("weight") {
            rule.weight = Some(self.number()?);
        }
        let expected = "`down`, `up`, `precision CORRECT/PROPOSED`, `weight NUMBER` or the end of the line";
        if self.is_empty() { Ok(Written { rule, columns }) } else { self.fault(expected) }
    }

    /// What a rule is about, and the columns of its sides.
    fn condition(&mut self) -> Parsed<'l, (Condition, [usize; 2])> {
        let first = self.column();
        if self.skip("clue") {
            let clue = Clue::all().find(|clue| self.peek() == Some(&clue.to_string()));
            let Some(clue) = clue else { return self.fault("the name of a clue") };
            self.next("a clue")?;
            return Ok((Condition::Clue(clue), [first; 2]));
        }
        let keyword = self.fault("a part of speech that does not begin lines of other kinds, as `let` does");
        let source = self.side()?;
        let (Side::Word(begins) | Side::Edge { head: begins, .. }) = &source;
        if KEYWORDS.contains(&begins.to_string().as_str()) {
            return keyword;
        }
        self.word("/")?;
        let second = self.column();
        Ok((Condition::Sides(source, self.side()?), [first, second]))
    }

    fn side(&mut self) -> Parsed<'l, Side> {
        const EXPECTED: &str = "an edge such as `V-subj-N`";
        let edge_follows = self.peek_second().is_some_and(|text| text.starts_with(DASHES));
        if let Some((head, relation, dependent)) = self.peek().filter(|_| !edge_follows).and_then(joined_edge)
            && !head.is_empty()
        {
            if has_odd_relation(relation) || is_odd_list(head) || is_odd_list(dependent) {
                return self.fault(EXPECTED);
            }
            self.next(EXPECTED)?;
            let [head, dependent] = [head, dependent].map(|list| meaning(list, self.names, str::to_owned));
            return Ok(Side::Edge { head, relation: meaning(relation, self.names, relation_key), dependent });
        }
        let head = self.pattern()?;
        if !edge_follows {
            return Ok(Side::Word(head));
        }
        let Some(relation) = self.peek().and_then(arrow).filter(|relation| !has_odd_relation(relation)) else {
            return self.fault("an arrow such as `-nsubj->`");
        };
        let relation = meaning(relation, self.names, relation_key);
        self.next("an arrow")?;
        Ok(Side::Edge { head, relation, dependent: self.pattern()? })
    }

    fn pattern(&mut self) -> Parsed<'l, Pattern> {
        const EXPECTED: &str = "a part of speech, several such as `NOUN|PROPN`, or `*`";
        if self.peek().is_none_or(is_odd_list) {
            return self.fault(EXPECTED);
        }
        Ok(meaning(self.next(EXPECTED)?, self.names, str::to_owned))
    }

    fn tally(&mut self) -> Parsed<'l, Tally> {
        let parse = |text: &str| {
            let (correct, proposed) = text.split_once('/')?;
            let tally = Tally { proposed: proposed.parse().ok()?, correct: correct.parse().ok()? };
            (tally.correct <= tally.proposed).then_some(tally)
        };
        let Some(tally) = self.peek().and_then(parse) else { return self.fault("correct/proposed, such as 93/104") };
        self.next("a share")?;
        Ok(tally)
    }

    fn number(&mut self) -> Parsed<'l, f64> {
        let number = self.peek().and_then(|text| text.parse().ok()).filter(|number: &f64| number.is_finite());
        let Some(number) = number else { return self.fault("a number") };
        self.next("a number")?;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_edges_in_one_piece() {
        for text in ["-subj->", "-subj-", "–subj→", "–subj–", "—subj—", "-subj→"] {
            assert_eq!(arrow(text), Some("subj"), "{text}");
        }
        for text in ["subj", "-subj", "-subj>", "subj->"] {
            assert_eq!(arrow(text), None, "{text}");
        }
        for text in ["V-subj-N", "V–subj–N", "V-subj->N", "V–subj→N", "V-subj→N", "V—subj—N"] {
            assert_eq!(joined_edge(text), Some(("V", "subj", "N")), "{text}");
        }
        for text in ["V", "V-N", "*"] {
            assert_eq!(joined_edge(text), None, "{text}");
        }
    }
}
