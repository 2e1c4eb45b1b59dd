//! Who meets whom: the partners of each word, found in its sentences.
//!
//! Each sentence is sorted once, so that a word finds its possible partners, those of lower ranks, at the front. A rare
//! word's sentences lie far apart in memory; they are announced ahead of their turn.

use super::{Layout, Owner, Row};
use crate::bitext::{Bitext, DistinctPair, Text};
use crate::error::Result;
use crate::lexicon::ascending::bitmap;
use crate::numeric::simd::prefetch;
use crate::parallel::{Parallelism, chunk_range};

/// Sentence pairs as who occurs where.
pub(super) struct Occurrences {
    sides: [Occurring; 2],
}

/// One text, from both points of view.
struct Occurring {
    /// The distinct words of each sentence.
    words: Lists,
    /// The sentences of each word.
    sentences: Lists,
}

impl Occurrences {
    pub(super) fn of(bitext: &Bitext, distinct: &[DistinctPair], parallelism: &Parallelism) -> Result<Self> {
        let source = distinct_words(&bitext.source, distinct, parallelism)?;
        let target = distinct_words(&bitext.target, distinct, parallelism)?;
        let (source_sentences, target_sentences) = parallelism.join(
            || source.transposed(bitext.source.vocabulary().len()),
            || target.transposed(bitext.target.vocabulary().len()),
        );
        Ok(Self {
            sides: [
                Occurring { words: source, sentences: source_sentences },
                Occurring { words: target, sentences: target_sentences },
            ],
        })
    }
}

/// Sentences that are sorted at a time.
const SENTENCES_PER_CHUNK: usize = 4096;

/// The distinct words of these sentences.
fn distinct_words(text: &Text, sentences: &[DistinctPair], parallelism: &Parallelism) -> Result<Lists> {
    let tokens = sentences.iter().map(|sentence| text.sentence(sentence.first as usize).len()).sum();
    let mut all = Lists { ends: Vec::with_capacity(sentences.len()), members: Vec::with_capacity(tokens) };
    let sort = |words: &mut Vec<u32>, chunk: usize| {
        let mut lists = Lists::default();
        for sentence in &sentences[chunk_range(sentences.len(), SENTENCES_PER_CHUNK, chunk)] {
            words.clear();
            words.extend(text.sentence(sentence.first as usize).iter().map(|word| word.index() as u32));
            words.sort_unstable();
            words.dedup();
            lists.push(words);
        }
        Ok(lists)
    };
    parallelism.map_ordered(sentences.len().div_ceil(SENTENCES_PER_CHUNK), Vec::new, sort, |lists| {
        all.append(&lists);
        Ok(())
    })?;
    Ok(all)
}

/// Ascending lists of numbers, one behind the other.
#[derive(Debug, Default)]
struct Lists {
    ends: Vec<u64>,
    members: Vec<u32>,
}

impl Lists {
    fn push(&mut self, list: &[u32]) {
        self.members.extend_from_slice(list);
        self.ends.push(self.members.len() as u64);
    }

    fn append(&mut self, others: &Self) {
        let before = self.members.len() as u64;
        self.ends.extend(others.ends.iter().map(|end| before + end));
        self.members.extend_from_slice(&others.members);
    }

    #[inline(always)]
    fn start(&self, n: u32) -> usize {
        if n == 0 { 0 } else { self.ends[n as usize - 1] as usize }
    }

    #[inline(always)]
    fn list(&self, n: u32) -> &[u32] {
        &self.members[self.start(n)..self.ends[n as usize] as usize]
    }

    /// For each number below `len` the lists it is in.
    fn transposed(&self, len: usize) -> Self {
        let mut ends = vec![0u64; len];
        for &member in &self.members {
            ends[member as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += std::mem::replace(end, total);
        }
        let mut members = vec![0u32; self.members.len()];
        for n in 0..self.ends.len() as u32 {
            for &member in self.list(n) {
                let place = &mut ends[member as usize];
                members[*place as usize] = n;
                *place += 1;
            }
        }
        Self { ends, members }
    }
}

/// Rows that follow each other. Their places count from the first of them, and they have no ids yet.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) rows: Vec<(Owner, Row)>,
    pub(super) lists: Vec<u32>,
    pub(super) blocks: Vec<u64>,
}

impl Piece {
    /// Adds the row of a word with these partners, ascending, which are below `universe`.
    pub(super) fn push(&mut self, owner: Owner, universe: u32, partners: &[u32]) {
        let layout = Layout::of(partners.len() as u32, universe);
        let place = if layout == Layout::List { self.lists.len() } else { self.blocks.len() } as u32;
        self.rows.push((owner, Row { start: 0, len: partners.len() as u32, universe, place, layout }));
        if layout == Layout::List {
            self.lists.extend_from_slice(partners);
        } else {
            self.blocks.extend(bitmap(partners.iter().copied(), universe));
        }
    }
}

/// Gathers the partners of one word after another.
pub(super) struct Gatherer<'a> {
    occurrences: &'a Occurrences,
    /// The partners met, one bit each.
    met: Vec<u32>,
    /// The same in the order in which they were met.
    found: Vec<u32>,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(occurrences: &'a Occurrences) -> Self {
        let words = occurrences.sides.iter().map(|side| side.sentences.ends.len()).max().unwrap_or(0);
        Self { occurrences, met: vec![0; words.div_ceil(32)], found: Vec::new() }
    }

    /// Adds the row of a word whose partners are below `universe`.
    pub(super) fn gather(&mut self, owner: Owner, universe: u32, piece: &mut Piece) {
        self.meet(owner, universe);
        let layout = Layout::of(self.found.len() as u32, universe);
        let place = if layout == Layout::List { piece.lists.len() } else { piece.blocks.len() } as u32;
        let row = Row { start: 0, len: self.found.len() as u32, universe, place, layout };
        piece.rows.push((owner, row));
        if layout == Layout::List {
            self.found.iter().for_each(|&word| self.met[(word / 32) as usize] = 0);
            self.found.sort_unstable();
            piece.lists.extend_from_slice(&self.found);
        } else {
            let mut before = 0;
            piece.blocks.extend(self.met[..row.blocks()].iter_mut().map(|bits| {
                let bits = std::mem::take(bits);
                let block = u64::from(bits) << 32 | before;
                before += u64::from(bits.count_ones());
                block
            }));
        }
        self.found.clear();
    }

    /// Walks through a word's sentences until all partners are met.
    fn meet(&mut self, owner: Owner, universe: u32) {
        let sides = &self.occurrences.sides;
        let sentences = sides[owner.side as usize].sentences.list(owner.word);
        let others = &sides[1 - owner.side as usize].words;
        for (n, &sentence) in sentences.iter().enumerate() {
            if self.found.len() == universe as usize {
                return;
            }
            if let Some(&later) = sentences.get(n + 2 * SENTENCES_AHEAD) {
                prefetch(&others.ends, later as usize);
            }
            if let Some(&later) = sentences.get(n + SENTENCES_AHEAD) {
                prefetch(&others.members, others.start(later));
            }
            for &word in others.list(sentence).iter().take_while(|&&word| word < universe) {
                let (bits, bit) = (&mut self.met[(word / 32) as usize], 1 << (word % 32));
                if *bits & bit == 0 {
                    *bits |= bit;
                    self.found.push(word);
                }
            }
        }
    }
}

/// A sentence is announced this many sentences before its turn, and where it is twice as many.
const SENTENCES_AHEAD: usize = 8;
