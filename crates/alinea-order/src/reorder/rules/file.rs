//! Files of reordering rules, read and written: a rule or a definition a line.
//!
//! ```text
//! rule        [PATTERN >] PATTERN : [^] ITEM… [$] => NUMBER… [helped N harmed N]
//! definition  let NAME = NAMES
//! ITEM        head, .., PATTERN or PATTERN+
//! PATTERN     CHOICE, CHOICE/CHOICE or CHOICE/CHOICE/CHOICE, for tag/relation/lemma; a CHOICE is * or NAMES
//! NAMES       NAME|NAME|…, or !NAME|NAME|… for none of them
//! ```
//!
//! Blanks separate tokens. A rule has at most nine items; the numbers behind `=>` are their new order, a permutation
//! of 1 to n. A defined name is replaced by its names wherever it is an alternative; if these are negated it must stand
//! alone. A backslash escapes the next character, and `#` begins a comment. Written rules have neither definitions nor
//! comments.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::BufRead;

use super::pattern::{Choice, Item, Pattern};
use super::{Rule, RuleSet, Tally};
use crate::error::Result;
use crate::format::lines::{LineReader, Utf8};
use crate::rule_line::{Parsed, Tokens, tokens};

/// The text of the rules towards languages whose verbs come last.
const VERB_FINAL: &str = include_str!("verb_final.rules");

/// The most parts that a rule names.
const MOST_ITEMS: usize = 9;

impl RuleSet {
    /// Rules in a text, called `name` in messages.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        Self::read(LineReader::new(text.as_bytes(), name, Utf8::Strict))
    }

    /// Reads rules.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `Parse` for what is no rule.
    pub fn read<R: BufRead>(mut lines: LineReader<R>) -> Result<Self> {
        let mut set = Self::default();
        let mut names = BTreeMap::new();
        let mut line = String::new();
        while lines.read_into(&mut line)? {
            let tokens = tokens(code(&line));
            let mut rest = Tokens::new(&tokens, &names);
            let parsed = match tokens.first().map(|token| token.text) {
                None => continue,
                Some("let") => rest.definition().map(|(name, choice)| {
                    names.insert(name, choice);
                }),
                Some(_) => rest.rule().map(|rule| set.rules.push(rule)),
            };
            parsed.map_err(|fault| fault.into_error(&line, &lines))?;
        }
        Ok(set)
    }

    /// The file of the rules.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for rule in &self.rules {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{rule}");
        }
        text
    }

    /// The text of rules written by hand, for dependency trees of English in Universal Dependencies and languages whose verbs come
    /// last: an example to begin with.
    pub fn verb_final_text() -> &'static str {
        VERB_FINAL
    }
}

/// A line up to a comment.
fn code(line: &str) -> &str {
    let mut escaped = false;
    let comment = line.find(|character| {
        let begins = character == '#' && !escaped;
        escaped = character == '\\' && !escaped;
        begins
    });
    &line[..comment.unwrap_or(line.len())]
}

const ITEM: &str = "`head`, `..` or a pattern `tag/relation/lemma`, alternatives separated by `|`, `*` for anything";

const PATTERN: &str = "a pattern `tag/relation/lemma`, alternatives separated by `|`, `*` for anything";

impl<'l> Tokens<'l, '_, Choice> {
    fn definition(&mut self) -> Parsed<'l, (String, Choice)> {
        self.next("let")?;
        let plain = |name: &&str| name.chars().all(|character| character.is_alphanumeric() || character == '_');
        let Some(name) = self.peek().filter(plain) else { return self.fault("a name of letters and digits") };
        self.next("a name")?;
        if !self.skip("=") {
            return self.fault("`=`");
        }
        let Some(choice) = self.peek().and_then(|text| self.choice(text)?) else {
            return self.fault("names separated by `|`");
        };
        self.next("names")?;
        self.end((name.to_owned(), choice))
    }

    fn rule(&mut self) -> Parsed<'l, Rule> {
        let mut node = self.pattern()?;
        let above = if self.skip(">") { Some(std::mem::replace(&mut node, self.pattern()?)) } else { None };
        if !self.skip(":") {
            return self.fault(if above.is_some() { "`:`" } else { "`>` or `:`" });
        }
        let from_start = self.skip("^");
        let mut items = Vec::new();
        while !matches!(self.peek(), None | Some("=>" | "$")) {
            if items.len() == MOST_ITEMS {
                return self.fault(format!("`=>`, as a rule has at most {MOST_ITEMS} parts"));
            }
            items.push(self.item()?);
        }
        if items.is_empty() {
            return self.fault(ITEM);
        }
        let to_end = self.skip("$");
        if !self.skip("=>") {
            return self.fault("`=>`");
        }
        let order = self.order(items.len())?;
        let tally = if self.peek() == Some("helped") { Some(self.tally()?) } else { None };
        if !self.is_empty() {
            return self.fault(if tally.is_some() { "the end of the line" } else { "`helped` or the end of the line" });
        }
        Ok(Rule { above, node, from_start, items, to_end, order, tally })
    }

    fn item(&mut self) -> Parsed<'l, Item> {
        if self.skip("head") {
            return Ok(Item::Head);
        }
        if self.skip("..") {
            return Ok(Item::Any);
        }
        let text = self.peek().unwrap_or_default();
        let (text, many) = match text.strip_suffix('+').filter(|before| !ends_escaped(before)) {
            Some(before) => (before, true),
            None => (text, false),
        };
        let Some(pattern) = self.pattern_of(text) else { return self.fault(ITEM) };
        self.next(ITEM)?;
        Ok(if many { Item::Many(pattern) } else { Item::One(pattern) })
    }

    fn order(&mut self, items: usize) -> Parsed<'l, Vec<usize>> {
        let expected = format!("the number of a part, from 1 to {items}");
        let mut order = Vec::new();
        while order.len() < items {
            let number = self.peek().and_then(|text| text.parse::<usize>().ok());
            let Some(number) = number.filter(|number| (1..=items).contains(number)) else {
                return self.fault(expected);
            };
            if order.contains(&(number - 1)) {
                return self.fault("each number once");
            }
            self.next(&expected)?;
            order.push(number - 1);
        }
        Ok(order)
    }

    fn tally(&mut self) -> Parsed<'l, Tally> {
        let mut count = |name: &str| {
            if !self.skip(name) {
                return self.fault(format!("`{name}`"));
            }
            let Some(count) = self.peek().and_then(|text| text.parse().ok()) else {
                return self.fault("a number of sentences");
            };
            self.next("a number").map(|_| count)
        };
        Ok(Tally { helped: count("helped")?, harmed: count("harmed")? })
    }

    fn pattern(&mut self) -> Parsed<'l, Pattern> {
        match self.peek().and_then(|text| self.pattern_of(text)) {
            Some(pattern) => self.next(PATTERN).map(|_| pattern),
            None => self.fault(PATTERN),
        }
    }

    fn pattern_of(&self, text: &str) -> Option<Pattern> {
        let mut slots = split(text, '/').into_iter().map(|text| self.choice(text));
        let mut slot = || slots.next().unwrap_or(Some(None));
        let pattern = Pattern { tag: slot()?, relation: slot()?, lemma: slot()? };
        slots.next().is_none().then_some(pattern)
    }

    /// Alternatives: none if they are none, `Some(None)` if nothing is asked.
    #[expect(clippy::option_option, reason = "nothing asked is not the same as no choice")]
    fn choice(&self, text: &str) -> Option<Option<Choice>> {
        if text == "*" {
            return Some(None);
        }
        let (negated, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let mut choice = Choice { negated, names: Vec::new() };
        for name in split(text, '|') {
            match self.names.get(name) {
                // What is forbidden there cannot be one of several alternatives here.
                Some(known) if known.negated && text != name => return None,
                Some(known) => {
                    choice.negated ^= known.negated;
                    choice.names.extend_from_slice(&known.names);
                }
                None => choice.names.push(unescaped(name)?),
            }
        }
        Some(Some(choice))
    }
}

/// The pieces between marks that are not escaped.
fn split(text: &str, mark: char) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, character) in text.char_indices() {
        if character == mark && !escaped {
            pieces.push(&text[start..at]);
            start = at + mark.len_utf8();
        }
        escaped = character == '\\' && !escaped;
    }
    pieces.push(&text[start..]);
    pieces
}

fn ends_escaped(text: &str) -> bool {
    text.chars().rev().take_while(|&character| character == '\\').count() % 2 == 1
}

/// The name without escapes; none if it is empty or has a mark that is not escaped.
fn unescaped(name: &str) -> Option<String> {
    let mut plain = String::with_capacity(name.len());
    let mut characters = name.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.push(characters.next()?),
            _ if super::pattern::MARKS.contains(character) => return None,
            _ => plain.push(character),
        }
    }
    (!plain.is_empty()).then_some(plain)
}
