//! Labels of characters: carried as labels of the words that they are on.

use std::ops::Range;

use alinea::error::ErrorKind;
use alinea::format::offsets::{OffsetTable, Offsets};
use alinea::format::sink::Output;
use alinea::labels::{Cover, LabeledSpan};
use alinea::project::labels::{LabeledPair, ProjectedLabels, project};

use super::cut::{CutTexts, PartialWords};
use super::report::{Fate, Totals, WORDLESS};
use super::task::Task;

/// A label of a text.
pub(super) struct CharacterLabel<'t> {
    /// Its bytes in its text.
    pub(super) bytes: Range<usize>,
    pub(super) label: &'t str,
}

/// Both sides, and the labels of each source text.
pub(super) struct Characters<'t> {
    pub(super) names: [&'t str; 2],
    pub(super) source: CutTexts<'t>,
    pub(super) target: CutTexts<'t>,
    pub(super) labels: Vec<Vec<CharacterLabel<'t>>>,
    /// What a text is called in messages, as record 3.
    pub(super) what: &'static str,
}

/// A label in the target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Carried {
    /// Which of the labels of the text it is.
    pub(super) label: usize,
    pub(super) words: Range<usize>,
    pub(super) confidence: f32,
}

/// What was found.
pub(super) struct CarriedTexts {
    /// For each text.
    pub(super) carried: Vec<Vec<Carried>>,
    pub(super) totals: Totals,
}

/// The labels of a text on words.
#[derive(Default)]
struct OnWords {
    spans: Vec<LabeledSpan>,
    /// For each label its number among the spans; nothing if it has no word.
    numbers: Vec<Option<usize>>,
    widened: u64,
}

impl Characters<'_> {
    /// Carries the labels over, and reports; nothing if only words were to be written. `places` are what stands before each text
    /// of a side in its file, where places are counted through the file.
    pub(super) fn carry(
        &self,
        task: &Task<'_>,
        places: &[Places<'_>; 2],
        report: &mut Option<Output>,
    ) -> anyhow::Result<Option<CarriedTexts>> {
        let on_words = (0..self.labels.len()).map(|number| self.on_words(number, task.args.cut.partial_words));
        let on_words = on_words.collect::<anyhow::Result<Vec<OnWords>>>()?;
        let [source, target] = [&self.source, &self.target].map(CutTexts::sentences);
        let Some(links) = task.links(self.names, [&source, &target])? else { return Ok(None) };
        let pairs: Vec<LabeledPair<'_>> = (source.into_iter().zip(target).zip(&on_words).zip(&links))
            .map(|(((source, target), on_words), links)| LabeledPair { source, target, spans: &on_words.spans, links })
            .collect();
        let found = project(&pairs, &task.args.config(), &task.parallelism)?;
        // Labels that share no word do not in the target either, whatever the method.
        let apart = |(found, on_words): (ProjectedLabels, &OnWords)| {
            found.apart_unless(|one, other| on_words.spans[one].overlaps(&on_words.spans[other]))
        };
        let found: Vec<ProjectedLabels> = found.into_iter().zip(&on_words).map(apart).collect();
        let mut totals = Totals::of_characters(on_words.iter().map(|of| of.widened).sum());
        let mut carried = Vec::with_capacity(found.len());
        for (text, (on_words, found)) in on_words.iter().zip(&found).enumerate() {
            totals.pairs += 1;
            for fate in self.fates(text, on_words, found, places) {
                totals.add(&fate, report)?;
            }
            carried.push(on_words.carried(found));
        }
        Ok(Some(CarriedTexts { carried, totals }))
    }

    fn on_words(&self, text: usize, partial: PartialWords) -> anyhow::Result<OnWords> {
        let mut on_words = OnWords::default();
        for CharacterLabel { bytes, label } in &self.labels[text] {
            let cover = Cover::of(&self.source.words[text], bytes);
            let is_wider = cover.as_ref().is_some_and(|cover| cover.is_wider);
            if is_wider && partial == PartialWords::Refuse {
                let message = format!(
                    "{}: {} {}: {label} on `{}` begins or ends inside a word (--partial-words widen takes the whole word)",
                    self.names[0],
                    self.what,
                    text + 1,
                    &self.source.texts[text][bytes.clone()],
                );
                return Err(alinea::error::Error::from(ErrorKind::Inconsistent(message)).into());
            }
            on_words.widened += u64::from(is_wider);
            on_words.numbers.push(cover.as_ref().map(|_| on_words.spans.len()));
            on_words.spans.extend(cover.map(|cover| LabeledSpan::new(cover.words, *label)));
        }
        Ok(on_words)
    }

    fn fates<'f>(
        &'f self,
        text: usize,
        on_words: &OnWords,
        found: &ProjectedLabels,
        places: &[Places<'_>; 2],
    ) -> Vec<Fate<'f>> {
        let labels = &self.labels[text];
        if labels.is_empty() {
            return Vec::new();
        }
        let [source, target] = [places[0].of(text), places[1].of(text)];
        let fate = |(CharacterLabel { bytes, label }, number): (&'f CharacterLabel<'_>, &Option<usize>)| {
            let what = (text + 1, *label, source.place(bytes));
            let place = |words: &Range<usize>| target.place(&Cover::bytes(&self.target.words[text], words));
            match number {
                Some(number) => Fate::new(what, *number, found, place),
                None => Fate { lost: Some(WORDLESS), ..Fate::new(what, usize::MAX, found, place) },
            }
        };
        labels.iter().zip(&on_words.numbers).map(fate).collect()
    }
}

impl OnWords {
    /// What was found, by the numbers of labels.
    fn carried(&self, found: &ProjectedLabels) -> Vec<Carried> {
        let mut labels = vec![0; self.spans.len()];
        for (label, number) in self.numbers.iter().enumerate() {
            if let Some(number) = number {
                labels[*number] = label;
            }
        }
        let carried = found.spans.iter().map(|span| Carried {
            label: labels[span.source],
            words: span.words.clone(),
            confidence: span.confidence,
        });
        carried.collect()
    }
}

/// How places of a side are counted.
pub(super) enum Places<'t> {
    /// In each text from 0.
    Texts(Vec<&'t str>, Offsets),
    /// Through a file, of which each text begins at a byte.
    File(OffsetTable<'t>, Vec<usize>),
}

/// How places of a text are counted.
enum TextPlaces<'p, 't> {
    Text(OffsetTable<'t>),
    File(&'p OffsetTable<'t>, usize),
}

impl<'t> Places<'t> {
    fn of(&self, text: usize) -> TextPlaces<'_, 't> {
        match self {
            Self::Texts(texts, unit) => TextPlaces::Text(OffsetTable::new(texts[text], *unit)),
            Self::File(table, starts) => TextPlaces::File(table, starts[text]),
        }
    }
}

impl TextPlaces<'_, '_> {
    fn place(&self, bytes: &Range<usize>) -> [usize; 2] {
        match self {
            Self::Text(table) => table.of_bytes(bytes),
            Self::File(table, start) => table.of_bytes(&(start + bytes.start..start + bytes.end)),
        }
    }
}
