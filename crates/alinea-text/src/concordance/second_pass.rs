//! The second time through the text: how often translations that a query found occur with any word, and examples.
//!
//! How often each translation of a headword occurs is known by now, so it is known to which of the stretches that examples are taken from
//! an occurrence belongs: the k-th of c, from 0, to stretch ⌊k n / c⌋ of n.

use std::ops::Range;
use std::sync::Arc;

use super::counter::Counted;
use super::example::{Example, Sentence};
use super::pair::{End, Ends, LinkedPair, confidence};
use super::selection::Selection;
use super::sequences;
use super::tally::UNTRANSLATED;
use crate::bitext::Vocabulary;
use crate::error::Result;

/// Goes through the text.
#[derive(Debug)]
pub(super) struct SecondPass<'c> {
    counted: &'c Counted,
    /// How often each translation occurs, where that is not known.
    marginals: Option<Vec<u64>>,
    chosen: Option<Chosen>,
    pairs: u64,
    own: Vec<Option<u32>>,
    known: Vec<u32>,
    other: Vec<Option<u32>>,
    ends: Ends,
    spans: Vec<Range<usize>>,
    bytes: Vec<u8>,
}

/// The examples that were chosen so far.
#[derive(Debug)]
struct Chosen {
    /// The numbers of headword and translation, as bytes, in the order of the slots.
    slots: Vocabulary,
    /// How often each occurs, and how often it was met.
    counts: Vec<[u64; 2]>,
    /// For each slot one example for each stretch.
    examples: Vec<Vec<Option<Example>>>,
    most: usize,
}

impl<'c> SecondPass<'c> {
    /// Looks for so many examples of each slot, and for what is not known of how often translations occur.
    pub(super) fn new(counted: &'c Counted, examples: Option<(&Selection, usize)>) -> Self {
        let marginals = (!counted.has_marginals()).then(|| vec![0; counted.numbers.translations.len()]);
        Self {
            counted,
            marginals,
            chosen: examples.map(|(selection, most)| Chosen::new(selection, most)),
            pairs: 0,
            own: Vec::new(),
            known: Vec::new(),
            other: Vec::new(),
            ends: Ends::default(),
            spans: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Looks at a pair. Words that were not there the first time are passed over.
    pub(super) fn add(&mut self, pair: &LinkedPair<'_>) -> Result<()> {
        self.pairs += 1;
        pair.check(self.pairs)?;
        let numbers = &self.counted.numbers;
        let side = numbers.side;
        self.own.clear();
        self.own.extend(pair.counted(side).iter().map(|word| numbers.heads.get(word)));
        self.spans.clear();
        match &numbers.phrases {
            None => self.spans.extend((0..self.own.len()).map(|place| Range { start: place, end: place + 1 })),
            Some((finder, _)) => {
                self.known.clear();
                self.known.extend(self.own.iter().map(|key| key.unwrap_or(u32::MAX)));
                finder.find(&self.known, &mut self.spans);
            }
        }
        if self.marginals.is_none() && self.spans.is_empty() {
            return Ok(());
        }
        self.other.clear();
        self.other.extend(pair.counted(1 - side).iter().map(|word| numbers.others.get(word)));
        self.ends.replace(pair, side, numbers.threshold);
        if let Some(marginals) = &mut self.marginals {
            for place in 0..self.own.len() {
                let found = number(self.ends.of_word(place), &self.other, &numbers.translations, &mut self.bytes);
                // What is untranslated has a number that is greater than all others.
                if let Some(marginal) = found.and_then(|found| marginals.get_mut(found as usize)) {
                    *marginal += 1;
                }
            }
        }
        let Some(chosen) = &mut self.chosen else { return Ok(()) };
        let mut sentence = None;
        for span in self.spans.drain(..) {
            let head = match &numbers.phrases {
                None => self.own[span.start],
                Some((_, phrases)) => {
                    self.bytes.clear();
                    for &key in self.own[span.clone()].iter().flatten() {
                        sequences::push_key(key, &mut self.bytes);
                    }
                    phrases.id(&self.bytes).map(|id| id.index() as u32)
                }
            };
            let ends = self.ends.of(span.clone());
            let found = number(ends, &self.other, &numbers.translations, &mut self.bytes);
            if let (Some(head), Some(found)) = (head, found) {
                chosen.meet([head, found], confidence(ends), |confidence| {
                    let sentence = sentence.get_or_insert_with(|| Arc::new(Sentence::of(pair, self.pairs)));
                    example(Arc::clone(sentence), side, &span, ends, confidence)
                });
            }
        }
        Ok(())
    }

    /// How often translations occur, if that was not known, and the examples of each slot.
    pub(super) fn finish(self) -> (Option<Vec<u64>>, Vec<Vec<Example>>) {
        let examples = self.chosen.map(|chosen| chosen.examples).unwrap_or_default().into_iter();
        (self.marginals, examples.map(|stretches| stretches.into_iter().flatten().collect()).collect())
    }
}

/// The number of the translation that links lead to, if it is known.
fn number(ends: &[End], keys: &[Option<u32>], translations: &Vocabulary, bytes: &mut Vec<u8>) -> Option<u32> {
    if ends.is_empty() {
        return Some(UNTRANSLATED);
    }
    if !sequences::of_ends(ends, keys, bytes) {
        return None;
    }
    translations.id(bytes).map(|id| id.index() as u32)
}

fn example(
    sentence: Arc<Sentence>,
    side: usize,
    span: &Range<usize>,
    ends: &[End],
    confidence: Option<f32>,
) -> Example {
    let mut places = [span.clone().map(|place| place as u32).collect(), ends.iter().map(|end| end.to).collect()];
    if side == 1 {
        places.reverse();
    }
    Example { sentence, places, confidence }
}

fn slot_bytes([head, translation]: [u32; 2]) -> [u8; 8] {
    (u64::from(head) << 32 | u64::from(translation)).to_le_bytes()
}

impl Chosen {
    fn new(selection: &Selection, most: usize) -> Self {
        let mut slots = Vocabulary::default();
        for slot in &selection.slots {
            slots.intern(&slot_bytes([slot.head, slot.translation]));
        }
        let counts: Vec<[u64; 2]> = selection.slots.iter().map(|slot| [slot.count, 0]).collect();
        let stretches = |&[count, _]: &[u64; 2]| vec![None; usize::try_from(count).unwrap_or(most).min(most)];
        Self { examples: counts.iter().map(stretches).collect(), slots, counts, most }
    }

    /// Takes an occurrence for an example if it is the best of its stretch so far, and its sentence is not there yet.
    fn meet(&mut self, key: [u32; 2], confidence: Option<f32>, example: impl FnOnce(Option<f32>) -> Example) {
        let Some(slot) = self.slots.id(&slot_bytes(key)).map(crate::bitext::WordId::index) else { return };
        let [count, met] = &mut self.counts[slot];
        if *met >= *count {
            return;
        }
        let examples = &mut self.examples[slot];
        let stretch = (u128::from(*met) * self.most.min(examples.len()) as u128 / u128::from(*count)) as usize;
        *met += 1;
        let is_better = match examples.get(stretch) {
            Some(Some(best)) => confidence > best.confidence,
            Some(None) => true,
            None => false,
        };
        if is_better {
            let example = example(confidence);
            let is_new = |other: &Option<Example>| other.as_ref().is_none_or(|other| !other.is_like(&example));
            if examples.iter().enumerate().all(|(n, other)| n == stretch || is_new(other)) {
                examples[stretch] = Some(example);
            }
        }
    }
}
