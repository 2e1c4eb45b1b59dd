//! Templates of features: what of a split they look at.
//!
//! A template is a conjunction of [`Item`]s, written `Lr.words&Rl.tags`, and may be taken apart by the node above (`@label`, or
//! `@side`, with the side on which the span stands). The empty template is written `bias`. With the span from `b` to `e` and
//! the pivot `p`:
//!
//! ```text
//!   Ll-   Ll  …  Lr-  Lr  |  Rl   Rl+  …  Rr   Rr+
//!   b-1   b      p-2  p-1 |  p    p+1     e-1  e
//! ```

use std::fmt;
use std::str::FromStr;

use super::super::features::Column;
use super::super::fingerprint::fingerprint;
use crate::error::{Error, ErrorKind, Result};

/// A word beside a border of the span or beside the pivot, or the word that governs a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// Before the span.
    LeftOutside,
    /// The first word of the left part.
    LeftFirst,
    /// The word before the last of the left part.
    LeftLastButOne,
    /// The last word of the left part.
    LeftLast,
    /// The first word of the right part.
    RightFirst,
    /// The word after the first of the right part.
    RightSecond,
    /// The last word of the right part.
    RightLast,
    /// Behind the span.
    RightOutside,
    /// The only word of the left part whose head is not in it.
    LeftTop,
    /// The same of the right part.
    RightTop,
}

/// Which of begin, end and pivot something depends on, as bits.
pub(super) mod depends {
    pub(in super::super) const BEGIN: u8 = 1;
    pub(in super::super) const PIVOT: u8 = 2;
    pub(in super::super) const END: u8 = 4;
    pub(in super::super) const BEGIN_PIVOT: u8 = BEGIN | PIVOT;
    pub(in super::super) const PIVOT_END: u8 = PIVOT | END;
    pub(in super::super) const BEGIN_END: u8 = BEGIN | END;
    pub(in super::super) const ALL: u8 = BEGIN | PIVOT | END;

    /// What is the same for all pivots of a span.
    pub(in super::super) const OF_SPAN: [u8; 4] = [0, BEGIN, END, BEGIN_END];
}

impl Slot {
    const ALL: [(Self, &str); 10] = [
        (Self::LeftOutside, "Ll-"),
        (Self::LeftFirst, "Ll"),
        (Self::LeftLastButOne, "Lr-"),
        (Self::LeftLast, "Lr"),
        (Self::RightFirst, "Rl"),
        (Self::RightSecond, "Rl+"),
        (Self::RightLast, "Rr"),
        (Self::RightOutside, "Rr+"),
        (Self::LeftTop, "Lt"),
        (Self::RightTop, "Rt"),
    ];

    fn depends(self) -> u8 {
        match self {
            Self::LeftOutside | Self::LeftFirst => depends::BEGIN,
            Self::LeftLastButOne | Self::LeftLast | Self::RightFirst | Self::RightSecond => depends::PIVOT,
            Self::RightLast | Self::RightOutside => depends::END,
            Self::LeftTop => depends::BEGIN | depends::PIVOT,
            Self::RightTop => depends::PIVOT | depends::END,
        }
    }
}

/// One thing that a template looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// What a column, by its number, says of a word.
    Word(Slot, usize),
    /// Which part is longer.
    Balance,
    /// The length of the span, up to 99.
    Length,
    /// The lengths of both parts, each up to 5.
    Sizes,
    /// How the parts hang together in the dependency tree.
    Attachment,
    /// Which of the parts are whole subtrees.
    Whole,
}

impl Item {
    const UNNAMED: [(Self, &str); 5] = [
        (Self::Balance, "balance"),
        (Self::Length, "length"),
        (Self::Sizes, "sizes"),
        (Self::Attachment, "attachment"),
        (Self::Whole, "whole"),
    ];

    fn depends(self) -> u8 {
        match self {
            Self::Word(slot, _) => slot.depends(),
            Self::Length => depends::BEGIN | depends::END,
            Self::Balance | Self::Sizes | Self::Attachment | Self::Whole => {
                depends::BEGIN | depends::PIVOT | depends::END
            }
        }
    }

    fn needs_tree(self) -> bool {
        matches!(self, Self::Attachment | Self::Whole | Self::Word(Slot::LeftTop | Slot::RightTop, _))
    }
}

/// What of the node above takes a template apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Context {
    /// Nothing.
    #[default]
    None,
    /// Whether it is straight or inverted, or there is none.
    Label,
    /// That, and whether the span is its right part.
    Side,
}

/// A conjunction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) items: Vec<Item>,
    pub(super) context: Context,
    /// What it depends on.
    pub(super) depends: u8,
    /// Whether it is left out where there is no tree.
    pub(super) needs_tree: bool,
    /// Of which parts it is left out if no single word governs them: left, right.
    pub(super) needs_tops: [bool; 2],
    /// What its features begin with.
    pub(super) seed: u64,
    /// How many items depend on the begin at most, and how many on begin and pivot at most.
    stages: [usize; 2],
}

impl Template {
    /// Reads one; columns are told by name.
    ///
    /// # Errors
    /// `Config`: what is not known, or depends on too much of the split to be taken apart by the node above.
    pub(super) fn parse(text: &str, columns: &[Column]) -> Result<Self> {
        let (conjunction, context) = match text.split_once('@') {
            None => (text, Context::None),
            Some((rest, "label")) => (rest, Context::Label),
            Some((rest, "side")) => (rest, Context::Side),
            Some(_) => return Err(Error::config("template", text, "`@label` or `@side` at its end")),
        };
        let items = match conjunction {
            "bias" => Vec::new(),
            _ => conjunction.split('&').map(|item| parse_item(item, columns)).collect::<Result<Vec<_>>>()?,
        };
        let depends = items.iter().fold(0, |depends, item| depends | item.depends());
        let pivot_and_more = depends & depends::PIVOT != 0 && depends != depends::PIVOT;
        if context != Context::None && pivot_and_more {
            let expected = "no `@` in a template of the pivot and something else";
            return Err(Error::config("template", text, expected));
        }
        let needs_tree = items.iter().any(|item| item.needs_tree());
        let looks_at = |top| items.iter().any(|item| matches!(item, Item::Word(slot, _) if *slot == top));
        let needs_tops = [looks_at(Slot::LeftTop), looks_at(Slot::RightTop)];
        let stages = [depends::BEGIN, depends::BEGIN_PIVOT]
            .map(|allowed| items.iter().take_while(|item| item.depends() & !allowed == 0).count());
        Ok(Self { items, context, depends, needs_tree, needs_tops, seed: fingerprint(text.as_bytes()), stages })
    }

    /// The items that depend on the begin at most, those behind that depend on begin and pivot at most, and the others.
    #[inline(always)]
    pub(super) fn stages(&self) -> [&[Item]; 3] {
        let [of_begin, of_pivot] = self.stages;
        [&self.items[..of_begin], &self.items[of_begin..of_pivot], &self.items[of_pivot..]]
    }
}

fn parse_item(text: &str, columns: &[Column]) -> Result<Item> {
    if let Some((item, _)) = Item::UNNAMED.iter().find(|(_, name)| *name == text) {
        return Ok(*item);
    }
    let expected = || Error::config("template", text, "SLOT.COLUMN, balance, length, sizes, attachment or whole");
    let (slot, column) = text.split_once('.').ok_or_else(expected)?;
    let slot = Slot::ALL.iter().find(|(_, name)| *name == slot).ok_or_else(expected)?.0;
    let column = column.parse::<Column>()?;
    let Some(number) = columns.iter().position(|&other| other == column) else {
        return Err(
            ErrorKind::Inconsistent(format!("the template `{text}` refers to a column that does not exist")).into()
        );
    };
    Ok(Item::Word(slot, number))
}

/// Templates as text, one after another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Templates(Vec<String>);

/// Of one column: its values at borders and pivot, by one, two, three and all four (Nakagawa 2015, table of features).
const OF_COLUMN: [&str; 24] = [
    "Ll-",
    "Ll",
    "Lr",
    "Rl",
    "Rr",
    "Rr+",
    "Ll-&Ll",
    "Ll&Lr",
    "Ll&Rl",
    "Ll&Rr",
    "Lr&Rl",
    "Lr&Rr",
    "Rl&Rr",
    "Rr&Rr+",
    "Lr-&Lr&Rl",
    "Ll&Lr&Rl",
    "Lr&Rl&Rr",
    "Lr&Rl&Rl+",
    "Ll&Lr&Rl&Rr",
    "Ll@side",
    "Lr@side",
    "Rl@side",
    "Rr@side",
    "Ll&Rr@side",
];

/// The one of them that depends on all of a split.
const QUADRUPLE: &str = "Ll&Lr&Rl&Rr";

/// Of no column.
const OF_SHAPE: [&str; 6] = ["bias", "balance", "length", "sizes", "bias@label", "bias@side"];

impl Templates {
    /// Those of Nakagawa's program, for any columns.
    pub fn published(columns: &[Column]) -> Self {
        let mut templates = Self(OF_SHAPE.map(str::to_owned).to_vec());
        for column in columns {
            templates.0.extend(OF_COLUMN.iter().map(|template| of_column(template, *column)));
        }
        templates
    }

    /// The same without those of all four words at borders and pivot. Those alone must be looked up split by split, and models
    /// that are learned by likelihood are no worse without them.
    pub fn without_quadruples(columns: &[Column]) -> Self {
        let mut templates = Self::published(columns);
        let quadruples: Vec<String> = columns.iter().map(|&column| of_column(QUADRUPLE, column)).collect();
        templates.0.retain(|template| !quadruples.contains(template));
        templates
    }

    /// Adds templates.
    #[must_use]
    pub fn and<T: Into<String>>(mut self, templates: impl IntoIterator<Item = T>) -> Self {
        self.0.extend(templates.into_iter().map(Into::into));
        self
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(super) fn parse(&self, columns: &[Column]) -> Result<Vec<Template>> {
        self.iter().map(|text| Template::parse(text, columns)).collect()
    }
}

/// `Ll&Rr@side` of the tags is `Ll.tags&Rr.tags@side`.
pub(super) fn of_column(template: &str, column: Column) -> String {
    let (slots, context) = template.split_once('@').map_or((template, String::new()), |(s, c)| (s, format!("@{c}")));
    let slots = slots.split('&').map(|slot| format!("{slot}.{column}")).collect::<Vec<_>>();
    slots.join("&") + &context
}

impl fmt::Display for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

impl FromStr for Templates {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.split_ascii_whitespace().map(str::to_owned).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_read() {
        let columns: Vec<Column> = ["words", "tags"].map(|name| name.parse().unwrap()).to_vec();
        let template = Template::parse("Lr.words&Rl+.tags", &columns).unwrap();
        assert_eq!(template.items, [Item::Word(Slot::LeftLast, 0), Item::Word(Slot::RightSecond, 1)]);
        assert_eq!(template.depends, depends::PIVOT);
        assert_eq!(Templates::published(&columns).iter().count(), 54);
        assert!(Templates::published(&columns).parse(&columns).is_ok());
        let message = |text| Template::parse(text, &columns).unwrap_err().to_string();
        assert!(message("Lr.shape").contains("a column that does not exist"));
        assert!(message("Lr.words@up").contains("`@label` or `@side`"));
        assert!(message("Ll.words&Lr.words@side").contains("the pivot and something else"));
        assert!(message("Lq.words").contains("SLOT.COLUMN"));
    }
}
