//! The features of all splits of a sentence.
//!
//! A template that looks at the pivot only has one feature for each pivot, whatever the span; so features are visited *cell by
//! cell*, a cell being what a template depends on, and added up to scores of splits afterwards. Of the 78 templates of
//! Nakagawa's program only five depend on begin, pivot and end at once. A search that looks features up split by split
//! reads them some ten times as often.

use super::scores::{CONTEXTS, Pair, SplitScores, add, label_of};
use super::spans::Spans;
use super::template::depends::{self, ALL, BEGIN_END, BEGIN_PIVOT, OF_SPAN, PIVOT_END};
use super::template::{Context, Item, Slot, Template};
use crate::reorder::features::Columns;
use crate::reorder::fingerprint::mix;
use crate::tree::DependencyTree;

/// A sentence whose features are asked for.
#[derive(Debug)]
pub(super) struct SplitFeatures<'m> {
    templates: &'m [Template],
    columns: Columns,
    spans: Option<Spans>,
}

/// Numbers for all cells.
#[derive(Debug, Default)]
pub(super) struct Cells {
    words: usize,
    values: Vec<Pair>,
}

/// A feature where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub(super) key: u64,
    weights: [f32; 2],
    cell: u32,
}

/// All features of a sentence, so that they are looked up once for scores and for slopes.
#[derive(Debug, Default)]
pub(super) struct Record {
    words: usize,
    /// How many of the features belong to cells; the others to splits.
    cells: usize,
    features: Vec<Feature>,
    starts: SplitScores,
}

impl Record {
    /// Adds the weights of all features up.
    pub(super) fn score(&self, cells: &mut Cells, scores: &mut SplitScores) {
        cells.reset(self.words);
        scores.reset(self.words);
        let weigh = |features: &'_ [Feature], to: &mut [Pair]| {
            for feature in features {
                add(&mut to[feature.cell as usize], feature.weights.map(f64::from));
            }
        };
        weigh(&self.features[..self.cells], &mut cells.values);
        gather(cells, scores);
        weigh(&self.features[self.cells..], scores.all_splits_mut());
    }

    /// Hands over, for each feature, how often it is expected where splits are expected so often.
    pub(super) fn distribute(
        &self,
        counts: &mut SplitScores,
        cells: &mut Cells,
        mut visit: impl FnMut(&Feature, Pair),
    ) {
        cells.reset(self.words);
        scatter(counts, cells);
        let (of_cells, of_splits) = self.features.split_at(self.cells);
        for feature in of_cells {
            visit(feature, cells.values[feature.cell as usize]);
        }
        let splits = counts.all_splits_mut();
        for feature in of_splits {
            visit(feature, splits[feature.cell as usize]);
        }
    }
}

/// What the keys of a template have in common at all pivots and ends of spans with one begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyPrefix<'m> {
    template: &'m Template,
    key: u64,
}

/// A table of cells, one for each value of what they depend on; `context` is 0 where the node above does not matter, otherwise
/// one more than the context. Cells that depend on begin, pivot and end at once are kept by the scores themselves.
#[derive(Debug, Clone, Copy)]
struct Table {
    start: usize,
    /// What each of begin, pivot and end is multiplied by.
    strides: [usize; 3],
}

impl Table {
    fn new(words: usize, depends: u8, context: usize) -> Self {
        let side = words + 1;
        // One number, three rows, three squares: in the order of the bits.
        let sizes = [1, side, side, side * side, side, side * side, side * side];
        let all: usize = sizes.iter().sum();
        let start = context * all + sizes[..usize::from(depends.min(ALL))].iter().sum::<usize>();
        let strides = match depends {
            depends::BEGIN => [1, 0, 0],
            depends::PIVOT => [0, 1, 0],
            depends::END => [0, 0, 1],
            BEGIN_PIVOT => [side, 1, 0],
            BEGIN_END => [side, 0, 1],
            PIVOT_END => [0, side, 1],
            _ => [0; 3],
        };
        Self { start, strides }
    }

    #[inline(always)]
    fn cell(self, at: [usize; 3]) -> usize {
        self.start + at[0] * self.strides[0] + at[1] * self.strides[1] + at[2] * self.strides[2]
    }
}

impl Cells {
    fn reset(&mut self, words: usize) {
        self.words = words;
        self.values.clear();
        self.values.resize(Table::new(words, 0, CONTEXTS + 1).start, [0.0; 2]);
    }
}

impl<'m> SplitFeatures<'m> {
    pub(super) fn new(templates: &'m [Template], columns: Columns, tree: Option<&DependencyTree>) -> Self {
        Self { templates, columns, spans: tree.map(Spans::new) }
    }

    pub(super) fn words(&self) -> usize {
        self.columns.words()
    }

    /// All templates, also those that look at a tree that the sentence lacks.
    pub(super) fn templates(&self) -> &'m [Template] {
        self.templates
    }

    fn usable(&self) -> impl Iterator<Item = &'m Template> + use<'m> {
        let trees = self.spans.is_some();
        self.templates.iter().filter(move |template| trees || !template.needs_tree)
    }

    /// Whether the words are there that a template looks at.
    #[inline(always)]
    fn applies(&self, template: &Template, [begin, pivot, end]: [usize; 3]) -> bool {
        let [left, right] = template.needs_tops;
        if !left && !right {
            return true;
        }
        let there = |needed: bool, begin, end| {
            !needed || self.spans.as_ref().is_some_and(|spans| spans.top(begin, end).is_some())
        };
        there(left, begin, pivot) && there(right, pivot, end)
    }

    /// The key of the feature of a template, by its number, in a split; none if it does not apply.
    #[inline(always)]
    pub(super) fn key(&self, template: usize, context: usize, at: [usize; 3]) -> Option<u64> {
        let prefix = self.prefix(template, at[0])?;
        self.key_of(prefix, at).map(|key| with_context(prefix.template.context, context, key))
    }

    /// A template, by its number, at a begin; none if it looks at a tree that the sentence lacks.
    #[inline(always)]
    pub(super) fn prefix(&self, template: usize, begin: usize) -> Option<KeyPrefix<'m>> {
        let template = &self.templates[template];
        let [of_begin, ..] = template.stages();
        let usable = self.spans.is_some() || !template.needs_tree;
        usable.then(|| KeyPrefix { template, key: self.with_items(template.seed, of_begin, [begin, 0, 0]) })
    }

    /// Its key, but for the node above; none if it does not apply.
    #[inline(always)]
    pub(super) fn key_of(&self, KeyPrefix { template, key }: KeyPrefix<'_>, at: [usize; 3]) -> Option<u64> {
        let [_, of_pivot, of_end] = template.stages();
        self.applies(template, at).then(|| self.with_items(self.with_items(key, of_pivot, at), of_end, at))
    }

    #[inline(always)]
    fn with_items(&self, key: u64, items: &[Item], at: [usize; 3]) -> u64 {
        // Not a fold, which the compiler does not inline.
        let mut key = key;
        for item in items {
            key = mix(key, self.value(*item, at));
        }
        key
    }

    #[inline(always)]
    fn value(&self, item: Item, [begin, pivot, end]: [usize; 3]) -> u64 {
        match item {
            Item::Word(slot, column) => self.columns.shifted(column, self.place(slot, [begin, pivot, end])),
            Item::Balance => (pivot - begin).cmp(&(end - pivot)) as i8 as u64,
            Item::Length => (end - begin).min(99) as u64,
            Item::Sizes => 8 * (pivot - begin).min(5) as u64 + (end - pivot).min(5) as u64,
            Item::Attachment => self.spans.as_ref().map_or(0, |spans| spans.attachment(begin, pivot, end)),
            Item::Whole => self
                .spans
                .as_ref()
                .map_or(0, |spans| 2 * u64::from(spans.is_whole(begin, pivot)) + u64::from(spans.is_whole(pivot, end))),
        }
    }

    /// The place of a word, shifted by two; there is nothing at 0 but outside of the sentence.
    #[inline(always)]
    fn place(&self, slot: Slot, [begin, pivot, end]: [usize; 3]) -> usize {
        let top = |begin, end| self.spans.as_ref().and_then(|spans| spans.top(begin, end)).map_or(0, |top| top + 2);
        match slot {
            Slot::LeftOutside => begin + 1,
            Slot::LeftFirst => begin + 2,
            Slot::LeftLastButOne => pivot,
            Slot::LeftLast => pivot + 1,
            Slot::RightFirst => pivot + 2,
            Slot::RightSecond => pivot + 3,
            Slot::RightLast => end + 1,
            Slot::RightOutside => end + 2,
            Slot::LeftTop => top(begin, pivot),
            Slot::RightTop => top(pivot, end),
        }
    }

    /// The keys of the features of one split.
    pub(super) fn of_split(&self, context: usize, at: [usize; 3], visit: impl FnMut(u64)) {
        (0..self.templates.len()).filter_map(|template| self.key(template, context, at)).for_each(visit);
    }

    /// Adds the weights of all features up.
    pub(super) fn score(&self, weights: impl Fn(u64) -> Pair, cells: &mut Cells, scores: &mut SplitScores) {
        let words = self.words();
        cells.reset(words);
        scores.reset(words);
        let values = &mut cells.values;
        self.visit_cells(|cell, key| add(&mut values[cell], weights(key)));
        gather(cells, scores);
        self.visit_splits(|[begin, pivot, end], key| {
            add(&mut scores.splits_mut(begin, end)[pivot - begin - 1], weights(key));
        });
    }

    /// Puts all features down, with the weights that they have.
    pub(super) fn record(&self, weights: impl Fn(u64) -> [f32; 2], record: &mut Record) {
        let words = self.words();
        record.words = words;
        record.features.clear();
        let Record { features, starts, .. } = record;
        self.visit_cells(|cell, key| features.push(Feature { key, cell: cell as u32, weights: weights(key) }));
        record.cells = features.len();
        starts.reset(words);
        self.visit_splits(|[begin, pivot, end], key| {
            let cell = starts.split(begin, pivot, end) as u32;
            features.push(Feature { key, cell, weights: weights(key) });
        });
    }

    /// Visits what depends on two of begin, pivot and end at most.
    fn visit_cells(&self, mut visit: impl FnMut(usize, u64)) {
        for template in self.usable().filter(|template| template.depends != ALL) {
            let contexts = if template.context == Context::None { 0..1 } else { 1..CONTEXTS + 1 };
            for context in contexts {
                let table = Table::new(self.words(), template.depends, context);
                self.visit_places(template, |at, key| {
                    visit(table.cell(at), with_context(template.context, context.saturating_sub(1), key));
                });
            }
        }
    }

    /// Visits what depends on all three.
    fn visit_splits(&self, mut visit: impl FnMut([usize; 3], u64)) {
        for template in self.usable().filter(|template| template.depends == ALL) {
            self.visit_places(template, &mut visit);
        }
    }

    /// Visits a template wherever it applies, with its key but for the node above; what it does not depend on stands anywhere.
    /// What of the key is the same for all pivots or all ends is computed once.
    #[inline(always)]
    fn visit_places(&self, template: &Template, mut visit: impl FnMut([usize; 3], u64)) {
        let words = self.words();
        let depends = |on: u8| template.depends & on != 0;
        let [of_begin, of_pivot, of_end] = template.stages();
        for begin in 0..if depends(depends::BEGIN) { words } else { 1 } {
            let key = self.with_items(template.seed, of_begin, [begin, 0, 0]);
            let pivots = if depends(depends::PIVOT) { begin + 1..words } else { begin..begin + 1 };
            for pivot in pivots {
                let key = self.with_items(key, of_pivot, [begin, pivot, 0]);
                let ends = if depends(depends::END) { pivot + 1..words + 1 } else { pivot..pivot + 1 };
                for end in ends {
                    let at = [begin, pivot, end];
                    if self.applies(template, at) {
                        visit(at, self.with_items(key, of_end, at));
                    }
                }
            }
        }
    }
}

/// A key, taken apart by the node above.
#[inline(always)]
fn with_context(kind: Context, context: usize, key: u64) -> u64 {
    match kind {
        Context::None => key,
        Context::Label => mix(key, label_of(context) as u64),
        Context::Side => mix(key, context as u64),
    }
}

/// Pairs of different numbers from `first` to `last`, ascending.
fn pairs(first: usize, last: usize) -> impl Iterator<Item = (usize, usize)> {
    (first..last).flat_map(move |one| (one + 1..=last).map(move |other| (one, other)))
}

/// What is added up for each pivot of a span.
const OF_PIVOT: [u8; 3] = [depends::PIVOT, BEGIN_PIVOT, PIVOT_END];

/// Scores from cells.
fn gather(cells: &Cells, scores: &mut SplitScores) {
    let words = cells.words;
    let values = &cells.values;
    let of_pivot = OF_PIVOT.map(|depends| Table::new(words, depends, 0));
    for context in 0..=CONTEXTS {
        let of_span = OF_SPAN.map(|depends| Table::new(words, depends, context));
        for (begin, end) in pairs(0, words) {
            let mut whole = [0.0; 2];
            for table in &of_span {
                add(&mut whole, values[table.cell([begin, 0, end])]);
            }
            let Some(context) = context.checked_sub(1) else {
                for (pivot, split) in (begin + 1..end).zip(scores.splits_mut(begin, end)) {
                    *split = whole;
                    for table in &of_pivot {
                        add(split, values[table.cell([begin, pivot, end])]);
                    }
                }
                continue;
            };
            *scores.span_mut(context, begin, end) = whole;
        }
    }
    for context in 0..CONTEXTS {
        let table = Table::new(words, depends::PIVOT, context + 1);
        (1..words).for_each(|pivot| *scores.pivot_mut(context, pivot) = values[table.cell([0, pivot, 0])]);
    }
}

/// The way back: each cell gets the sum of all to which it was added.
fn scatter(counts: &SplitScores, cells: &mut Cells) {
    let words = cells.words;
    let values = &mut cells.values;
    let of_pivot = OF_PIVOT.map(|depends| Table::new(words, depends, 0));
    for context in 0..=CONTEXTS {
        let of_span = OF_SPAN.map(|depends| Table::new(words, depends, context));
        for (begin, end) in pairs(0, words) {
            let mut whole = [0.0; 2];
            match context.checked_sub(1) {
                None => {
                    for (pivot, &split) in (begin + 1..end).zip(counts.splits(begin, end)) {
                        add(&mut whole, split);
                        for table in &of_pivot {
                            add(&mut values[table.cell([begin, pivot, end])], split);
                        }
                    }
                }
                Some(context) => whole = counts.span(context, begin, end),
            }
            for table in &of_span {
                add(&mut values[table.cell([begin, 0, end])], whole);
            }
        }
    }
    for context in 0..CONTEXTS {
        let table = Table::new(words, depends::PIVOT, context + 1);
        let counts = counts.pivots(context, 0, words);
        (1..words).zip(counts).for_each(|(pivot, &count)| add(&mut values[table.cell([0, pivot, 0])], count));
    }
}
