//! Templates of features: what of two siblings they look at.
//!
//! A template is a conjunction of items, written `side&a.relations&b.relations`. `a` and `b` are the siblings, `a` the one that
//! comes first, and `h` is the word of the node above them, `g` that of the node above this one. Columns are asked of
//! words:
//!
//! ```text
//!   before.  a<.  a.  a>.   between.   b<.  b.  b>.  after.       h.  g.
//! ```
//!
//! where `a<` and `a>` are the first and the last word of `a`, `before` and `after` the word of the part before `a` and behind
//! `b`, `between` those of the parts between them, together. `a.label`, `b.label`, `h.label` are labels of brackets.

use std::str::FromStr;

use super::super::features::Column;
use super::super::fingerprint::fingerprint;
use crate::error::{Error, Result};

/// Words that columns are asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    First,
    FirstBegin,
    FirstEnd,
    Second,
    SecondBegin,
    SecondEnd,
    Head,
    Above,
    Before,
    After,
    Between,
}

impl Slot {
    const ALL: [(Self, &str); 11] = [
        (Self::First, "a"),
        (Self::FirstBegin, "a<"),
        (Self::FirstEnd, "a>"),
        (Self::Second, "b"),
        (Self::SecondBegin, "b<"),
        (Self::SecondEnd, "b>"),
        (Self::Head, "h"),
        (Self::Above, "g"),
        (Self::Before, "before"),
        (Self::After, "after"),
        (Self::Between, "between"),
    ];
}

/// One thing that a template looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// What a column, by its number, says of a word.
    Word(Slot, usize),
    /// The label of a bracket.
    Label(Slot),
    /// Where the head is: one of the two, between, before or behind them, or unknown.
    Side,
    /// How many parts are between them, up to 3.
    Distance,
    /// Whether a part between them is punctuation, or one is at the inner borders of the two.
    Punctuation,
    /// The number of parts, up to 8.
    Parts,
    /// The lengths of both, each up to 5.
    Lengths,
    /// Which is longer.
    Longer,
}

impl Item {
    const UNNAMED: [(Self, &str); 6] = [
        (Self::Side, "side"),
        (Self::Distance, "distance"),
        (Self::Punctuation, "punctuation"),
        (Self::Parts, "parts"),
        (Self::Lengths, "lengths"),
        (Self::Longer, "longer"),
    ];

    /// None if it asks for a column that there is not.
    fn parse(text: &str, columns: &[Column]) -> Result<Option<Self>> {
        if let Some((item, _)) = Self::UNNAMED.iter().find(|(_, name)| *name == text) {
            return Ok(Some(*item));
        }
        let wrong = || Error::config("template", text, ALLOWED);
        let (slot, column) = text.split_once('.').ok_or_else(wrong)?;
        let (slot, _) = *Slot::ALL.iter().find(|(_, name)| *name == slot).ok_or_else(wrong)?;
        if column == "label" {
            let labeled = matches!(slot, Slot::First | Slot::Second | Slot::Head);
            return if labeled { Ok(Some(Self::Label(slot))) } else { Err(wrong()) };
        }
        let column = Column::from_str(column)?;
        Ok(columns.iter().position(|&other| other == column).map(|column| Self::Word(slot, column)))
    }
}

const ALLOWED: &str = "items joined by `&`: side, distance, punctuation, parts, lengths, longer, a.label, b.label, h.label, \
                       or before, a<, a, a>, between, b<, b, b>, after, h, g with a column, as in a.tags";

/// The templates of a model, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Templates {
    /// All items, each once.
    pub(super) items: Vec<Item>,
    /// What features begin with, and the numbers of items.
    pub(super) templates: Vec<(u64, Vec<usize>)>,
}

impl Templates {
    /// Templates over columns.
    ///
    /// # Errors
    /// `Config` for what is no template, or asks for a column that there is not.
    pub(super) fn parse(texts: &[String], columns: &[Column]) -> Result<Self> {
        let mut made = Self { items: Vec::new(), templates: Vec::new() };
        for text in texts {
            let mut numbers = Vec::new();
            for item in text.split('&') {
                let Some(item) = Item::parse(item, columns)? else {
                    return Err(Error::config("template", text, "templates over the columns of the model"));
                };
                let known = made.items.iter().position(|&other| other == item);
                numbers.push(known.unwrap_or_else(|| {
                    made.items.push(item);
                    made.items.len() - 1
                }));
            }
            made.templates.push((fingerprint(text.as_bytes()), numbers));
        }
        Ok(made)
    }
}

/// Those templates for parsed sentences that can be had from these columns.
pub(super) fn standard(columns: &[Column]) -> Vec<String> {
    possible(STANDARD, columns)
}

/// The same for trees without heads, of two parts a node.
pub(super) fn bracketing(columns: &[Column]) -> Vec<String> {
    possible(BRACKETING, columns)
}

/// Those of what is made of words: beginnings, ends, shapes.
const OF_PART: [&str; 4] = ["a", "b", "side&a", "side&b"];

fn possible(templates: &str, columns: &[Column]) -> Vec<String> {
    let parts = columns.iter().filter(|column| !matches!(column, Column::Layer(_)));
    let of_part = |column| OF_PART.iter().map(move |template| format!("{template}.{column}"));
    let of_parts = parts.flat_map(|column| of_part(column).chain([format!("side&a.{column}&b.{column}")]));
    let possible = |text: &&str| text.split('&').all(|item| matches!(Item::parse(item, columns), Ok(Some(_))));
    templates.split_whitespace().filter(possible).map(str::to_owned).chain(of_parts).collect()
}

/// Relations, tags and words of the siblings and of the head, distance, what lies between, in conjunctions.
const STANDARD: &str = include_str!("standard.templates");

/// Labels, and what stands at the borders of both parts.
const BRACKETING: &str = include_str!("bracketing.templates");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_template_is_refused() {
        let columns = [Column::from_str("tags").unwrap()];
        let message = |text: &str| Templates::parse(&[text.to_owned()], &columns).unwrap_err().to_string();
        assert!(message("a").contains("items joined by `&`"), "{}", message("a"));
        assert!(message("c.tags").contains("before, a<"));
        assert!(message("g.label").contains("a.label, b.label, h.label"));
        assert!(message("side&a.lemmas").contains("over the columns of the model"));
        assert!(message("a.hue").starts_with("column = hue"));
    }

    #[test]
    fn what_columns_do_not_give_is_left_out() {
        let all: Vec<Column> =
            ["relations", "tags", "finetags", "lemmas", "words", "classes"].map(|name| name.parse().unwrap()).to_vec();
        let whole = standard(&all);
        assert_eq!(whole.len(), STANDARD.split_whitespace().count());
        assert!(Templates::parse(&whole, &all).is_ok());
        let all: Vec<Column> = all.into_iter().chain(["coarseclasses".parse().unwrap()]).collect();
        assert_eq!(bracketing(&all).len(), BRACKETING.split_whitespace().count());
        assert!(Templates::parse(&bracketing(&all), &all).is_ok());
        let parts: Vec<Column> = ["tags", "suffix3", "shape"].map(|name| name.parse().unwrap()).to_vec();
        assert_eq!(standard(&parts).len(), standard(&parts[..1]).len() + 2 * (OF_PART.len() + 1));
        assert!(Templates::parse(&standard(&parts), &parts).is_ok());
        let tags = standard(&all[1..2]);
        assert!(tags.len() > 5 && tags.iter().all(|text| !text.contains("relations")));
    }
}
