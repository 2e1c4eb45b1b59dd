//! Templates of features: what of two words they look at.
//!
//! A template is a conjunction of [`Item`]s, written `L.tags&R.tags&distance`. `L` is the word that comes first in the sentence,
//! `R` the other, `-` and `+` the words before and behind them. `B` are the words between, one feature for each different one.
//! In a dependency tree `Lh` and `Rh` are the heads, `C` the lowest word that is above both or one of them, and `Ls` and `Rs`
//! those of its dependents below which they stand, or they themselves: the words whose order the tree says is asked for.

use crate::error::{Error, ErrorKind, Result};
use crate::reorder::engine::Layer;
use crate::reorder::features::Column;
use crate::reorder::fingerprint::fingerprint;

/// A word that a template looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// Before the left word.
    BeforeLeft,
    /// The left word.
    Left,
    /// Behind the left word.
    BehindLeft,
    /// Before the right word.
    BeforeRight,
    /// The right word.
    Right,
    /// Behind the right word.
    BehindRight,
    /// The head of the left word.
    LeftHead,
    /// The head of the right word.
    RightHead,
    /// Above the left word, or itself, directly below the common one; none if it is the common one.
    LeftSide,
    /// The same of the right word.
    RightSide,
    /// The lowest word that both are below, or are.
    Common,
}

impl Slot {
    /// All, with their names.
    pub(super) const ALL: [(Self, &str); 11] = [
        (Self::BeforeLeft, "L-"),
        (Self::Left, "L"),
        (Self::BehindLeft, "L+"),
        (Self::BeforeRight, "R-"),
        (Self::Right, "R"),
        (Self::BehindRight, "R+"),
        (Self::LeftHead, "Lh"),
        (Self::RightHead, "Rh"),
        (Self::LeftSide, "Ls"),
        (Self::RightSide, "Rs"),
        (Self::Common, "C"),
    ];

    fn needs_tree(self) -> bool {
        matches!(self, Self::LeftHead | Self::RightHead | Self::LeftSide | Self::RightSide | Self::Common)
    }
}

/// One thing that a template looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// What a column, by its number, says of a word.
    Word(Slot, usize),
    /// How far the words are from each other, roughly, and whether one is the start or the end.
    Distance,
    /// How many words without letters and digits stand between them, up to 3.
    Marks,
    /// The steps up and down from the left to the right word in the tree, each up to 3.
    Path,
}

/// A conjunction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) items: Vec<Item>,
    /// The column, by its number, of the words between.
    pub(super) between: Option<usize>,
    /// Whether it is left out where there is no tree.
    pub(super) needs_tree: bool,
    /// What its features begin with.
    pub(super) seed: u64,
}

impl Template {
    /// Reads one; columns are told by name.
    ///
    /// # Errors
    /// `Config` for what is not known, or looks at words between twice; `Inconsistent` for a column that does not exist.
    pub(super) fn parse(text: &str, columns: &[Column]) -> Result<Self> {
        let seed = fingerprint(text.as_bytes());
        let mut template = Self { items: Vec::new(), between: None, needs_tree: false, seed };
        for item in text.split('&').filter(|_| text != "bias") {
            match item.strip_prefix("B.") {
                None => template.items.push(parse_item(item, columns)?),
                Some(_) if template.between.is_some() => {
                    return Err(Error::config("template", text, "words between at most once"));
                }
                Some(column) => template.between = Some(number_of(column, item, columns)?),
            }
        }
        template.needs_tree = template.items.iter().any(|item| match item {
            Item::Word(slot, _) => slot.needs_tree(),
            Item::Path => true,
            Item::Distance | Item::Marks => false,
        });
        Ok(template)
    }
}

fn parse_item(text: &str, columns: &[Column]) -> Result<Item> {
    match text {
        "distance" => return Ok(Item::Distance),
        "marks" => return Ok(Item::Marks),
        "path" => return Ok(Item::Path),
        _ => {}
    }
    let expected = || Error::config("template", text, "SLOT.COLUMN, B.COLUMN, distance, marks or path");
    let (slot, column) = text.split_once('.').ok_or_else(expected)?;
    let slot = Slot::ALL.iter().find(|(_, name)| *name == slot).ok_or_else(expected)?.0;
    Ok(Item::Word(slot, number_of(column, text, columns)?))
}

fn number_of(column: &str, item: &str, columns: &[Column]) -> Result<usize> {
    let column = column.parse::<Column>()?;
    columns.iter().position(|&other| other == column).ok_or_else(|| {
        ErrorKind::Inconsistent(format!("the template `{item}` refers to a column that does not exist")).into()
    })
}

/// Of no column.
const OF_SHAPE: [&str; 4] = ["bias", "distance", "marks", "marks&distance"];

/// Of any column.
const OF_COLUMN: [&str; 6] = ["L", "R", "L&R", "L&distance", "R&distance", "L&R&distance"];

/// Of columns with few values: neighbors on all sides, as in parsers that judge arcs (McDonald et al. 2005, table 1).
const OF_KIND: [&str; 10] =
    ["L-&L&R", "L&L+&R", "L&R-&R", "L&R&R+", "L-&L&R-&R", "L-&L&R&R+", "L&L+&R-&R", "L&L+&R&R+", "L+&R-", "L-&R+"];

/// With a tree; those of layers that are not there are left out.
const OF_TREE: [&str; 22] = [
    "path",
    "path&distance",
    "path&L.tags&R.tags",
    "path&L.relations&R.relations",
    "path&L.finetags&R.finetags",
    "path&L.tags&R.tags&L.relations&R.relations",
    "path&L.lemmas",
    "path&R.lemmas",
    "Ls.relations&Rs.relations",
    "Ls.tags&Rs.tags",
    "Ls.tags&Rs.relations",
    "Ls.relations&Rs.tags",
    "C.tags&Ls.relations&Rs.relations",
    "C.tags&Ls.tags&Rs.tags",
    "C.finetags&Ls.finetags&Rs.finetags",
    "C.tags&C.relations&Ls.tags&Ls.relations&Rs.tags&Rs.relations",
    "C.lemmas&Ls.relations&Rs.relations",
    "Ls.lemmas&Rs.relations",
    "Ls.relations&Rs.lemmas",
    "Ls.lemmas&Rs.lemmas",
    "Ls.lemmas&Rs.tags",
    "Ls.tags&Rs.lemmas",
];

/// Columns with few values.
const KINDS: [Layer; 5] = [Layer::Tags, Layer::FineTags, Layer::Classes, Layer::CoarseClasses, Layer::Relations];

/// The features for these columns.
pub(super) fn default_templates(columns: &[Column], trees: bool) -> Vec<String> {
    let mut templates: Vec<String> = OF_SHAPE.map(str::to_owned).to_vec();
    for &column in columns {
        templates.extend(OF_COLUMN.iter().map(|template| of_column(template, column)));
        if KINDS.iter().any(|&kind| column == Column::Layer(kind)) {
            templates.extend(OF_KIND.iter().map(|template| of_column(template, column)));
        }
    }
    let first_of =
        |layers: &[Layer]| layers.iter().map(|&layer| Column::Layer(layer)).find(|column| columns.contains(column));
    if let Some(column) = first_of(&[Layer::Tags, Layer::CoarseClasses, Layer::Classes]) {
        templates.push(of_column("L&B&R", column));
        if columns.contains(&Column::Layer(Layer::Words)) {
            templates.extend([format!("L.words&R.{column}"), format!("L.{column}&R.words")]);
        }
    }
    if trees {
        let there = OF_TREE.into_iter().filter(|template| Template::parse(template, columns).is_ok());
        templates.extend(there.map(str::to_owned));
    }
    templates
}

/// `L&R&distance` of the tags is `L.tags&R.tags&distance`.
fn of_column(template: &str, column: Column) -> String {
    let item = |item: &str| if item == "distance" { item.to_owned() } else { format!("{item}.{column}") };
    template.split('&').map(item).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_read() {
        let columns: Vec<Column> = ["words", "tags"].map(|name| name.parse().unwrap()).to_vec();
        let template = Template::parse("L.words&R+.tags&B.tags&distance", &columns).unwrap();
        assert_eq!(template.items, [Item::Word(Slot::Left, 0), Item::Word(Slot::BehindRight, 1), Item::Distance]);
        assert_eq!((template.between, template.needs_tree), (Some(1), false));
        assert!(Template::parse("Ls.tags", &columns).unwrap().needs_tree);
        assert!(Template::parse("bias", &columns).unwrap().items.is_empty());
        let message = |text| Template::parse(text, &columns).unwrap_err().to_string();
        assert!(message("L.shape").contains("a column that does not exist"));
        assert!(message("B.words&B.tags").contains("at most once"));
        assert!(message("Q.words").contains("SLOT.COLUMN"));
        assert!(message("").contains("SLOT.COLUMN"));
    }

    #[test]
    fn all_templates_can_be_read() {
        let columns: Vec<Column> = Layer::ALL.iter().map(|&layer| Column::Layer(layer)).collect();
        for columns in [&columns[..], &columns[..1], &[]] {
            for template in default_templates(columns, true) {
                assert!(Template::parse(&template, columns).is_ok(), "{template}");
            }
        }
        let count = |trees| default_templates(&columns, trees).len();
        assert_eq!(count(false), OF_SHAPE.len() + 7 * OF_COLUMN.len() + 5 * OF_KIND.len() + 3);
        assert_eq!(count(true) - count(false), OF_TREE.len());
    }
}
