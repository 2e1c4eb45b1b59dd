//! Models of subwords, whose posteriors the independent last pass is interpolated with.
//!
//! A word can be cut into pieces in several ways ([`Pieces`]: byte-pair merges, Sennrich, Haddow and Birch 2016). A model
//! that is trained on pieces knows what inflected words, compounds and clitics have in common, and errs elsewhere than a
//! model of words does; subword sampling (Asgari et al. 2020) joins what several of them say. Here each of three ways of
//! cutting gives a model of the same kind. A posterior of two words is the mean of those of their pieces,
//!
//! ```text
//! A_f(e, f) = mean over pieces y of f of  sum over pieces x of e of  P_f(x | y) ,      A_r(f, e) likewise,
//! ```
//!
//! and the mean of these over the three models. The last HMM pass of the model of words then counts (1 - beta) P_f +
//! beta A_f and (1 - beta) P_r + beta A_r in place of its own posteriors, with beta = 0.8. So the interpolation is in the
//! lexicon, in the model's file, and in what the pairs of the text are decoded by (see
//! [`posteriors`](crate::model::pair::posteriors)).

use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::bitext::{Bitext, Pieces, RankedBitext, SentencePair, Text, WordId};
use crate::error::Result;
use crate::model::aligner::Aligner;
use crate::model::config::{AlignerConfig, Schedule};
use crate::model::em::text::TrainingText;
use crate::model::pair::posteriors::Posteriors;
use crate::model::refinement::soft_links::SoftLinks;
use crate::model::refinement::subword_posteriors::{SubwordPosterior, SubwordPosteriors};
use crate::model::refinement::supervision::Supervision;
use crate::model::worker::Worker;
use crate::parallel::{Work, chunk_range};
use crate::progress::{Step, Within, check};

/// The ways of cutting.
const CUTS: [Cut; 3] = [Cut::Tokens(2), Cut::Tokens(4), Cut::Types(3)];

/// What the pieces after the first of a word begin with, so that they are told from words.
const CONTINUES: &str = "\u{ac}";

/// The words of a pair stay whole if a side of it had more pieces.
const MOST_PIECES: usize = 512;

/// Links with posteriors below this in both directions are not kept.
const LEAST: f32 = 0.005;

/// Posteriors are added as multiples of 2^-24, whose sums do not depend on the order: exchanging the sides of a text
/// exchanges the directions, to the bit.
const UNIT: f32 = (1 << 24) as f32;

/// A chunk is so many sentence pairs.
const CHUNK: usize = 64;

/// The task in which a model of pieces gives its posteriors, and what it takes, in passes of Model 1 over the pieces: as
/// much as a pass of the HMM.
const ASKING: (&str, u64) = ("asking", 4);

/// How many times as much as a pass over words a pass over their pieces takes, about.
const COST: u64 = 2;

/// How often two neighbors must be found together to become one piece.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// In the text.
    Tokens(u64),
    /// In the list of its words.
    Types(u64),
}

impl Cut {
    fn learn(self, text: &Text, frequencies: &[u64]) -> Pieces {
        match self {
            Self::Tokens(least) => Pieces::learn(text.vocabulary(), frequencies, least),
            Self::Types(least) => Pieces::learn(text.vocabulary(), &vec![1; frequencies.len()], least),
        }
    }
}

/// Trains models of the text cut into subwords, and gives their mean posteriors. The configuration is that of the model
/// which is interpolated with them.
///
/// Time and memory are those of training on the text in subwords, one model after another.
///
/// # Errors
/// `Cancelled` if the observer says so.
pub(in crate::model) fn posteriors(
    text: &TrainingText<'_>,
    config: &AlignerConfig,
    supervision: &Supervision,
    Work { parallelism, observer }: Work<'_>,
) -> Result<SubwordPosteriors> {
    let bitext = text.bitext;
    let config =
        AlignerConfig { subwords: None, independent_pass: Some(AlignerConfig::INDEPENDENT_SHARE), ..config.clone() };
    let mut posteriors = SubwordPosteriors::default();
    for (number, cut) in CUTS.into_iter().enumerate() {
        let observer = Within::new(name(number), observer);
        let cut = CutText::new(bitext, cut)?;
        let linked = supervision.links.iter().filter(|(n, _)| !bitext.pair(*n).has_empty_side());
        let soft = supervision.soft_links.iter().filter(|(n, _)| !bitext.pair(*n).has_empty_side());
        let known = Supervision {
            dictionary: supervision.dictionary.clone(),
            links: linked.map(|(n, links)| (*n, cut.links(bitext.pair(*n), links))).collect(),
            soft_links: soft.map(|(n, links)| (*n, cut.soft_links(bitext.pair(*n), links))).collect(),
        };
        let aligner = Aligner::train_with(&cut.bitext, config.clone(), &known, parallelism, &observer)?;
        posteriors.add(cut.posteriors(&aligner, text, Work { parallelism, observer: &observer })?);
    }
    Ok(posteriors)
}

/// What [`posteriors`] will do for a model with this schedule.
pub(in crate::model) fn steps(schedule: Schedule) -> Vec<Step> {
    let passes = (0..).map_while(|done| schedule.pass_after(done)).map(|pass| (pass.to_string(), pass.cost()));
    let tasks: Vec<(String, u64)> = passes.chain([(ASKING.0.to_owned(), ASKING.1)]).collect();
    let of_cut =
        |number| tasks.iter().map(move |(task, cost)| Step::new(format!("{}, {task}", name(number)), COST * cost));
    (0..CUTS.len()).flat_map(of_cut).collect()
}

/// What the model of a way of cutting is called in reports.
fn name(number: usize) -> String {
    format!("subwords {}/{}", number + 1, CUTS.len())
}

/// A text whose words are in pieces.
struct CutText {
    bitext: RankedBitext,
    /// Those of source and target words.
    pieces: [Pieces; 2],
}

impl CutText {
    fn new(words: &RankedBitext, cut: Cut) -> Result<Self> {
        let Bitext { source, target } = words.bitext();
        let pieces = [cut.learn(source, words.source_frequencies()), cut.learn(target, words.target_frequencies())];
        let mut texts = [Text::default(), Text::default()];
        for pair in words.bitext().pairs() {
            let whole = is_whole(&pieces, pair);
            let sides = [(source, pair.source), (target, pair.target)];
            for ((text, pieces), (side, sentence)) in texts.iter_mut().zip(&pieces).zip(sides) {
                for &word in sentence {
                    push(text, side, word, (!whole).then_some(pieces));
                }
                text.end_sentence();
            }
        }
        let [source, target] = texts;
        let bitext = RankedBitext::uncut(Bitext::new(source, target)?).weighted(words.weights().clone())?;
        Ok(Self { bitext, pieces })
    }

    /// Where the pieces of each word end in a sentence of this pair, source and target.
    fn ends(&self, pair: SentencePair<'_>) -> [Vec<u32>; 2] {
        let whole = is_whole(&self.pieces, pair);
        [(pair.source, 0), (pair.target, 1)].map(|(sentence, side)| {
            let mut end = 0;
            let mut next = |&word: &WordId| {
                end += if whole { 1 } else { self.pieces[side].count(word) as u32 };
                end
            };
            sentence.iter().map(&mut next).collect()
        })
    }

    /// Links of words as links of all their pieces.
    fn links(&self, pair: SentencePair<'_>, links: &GoldAlignment) -> GoldAlignment {
        let [sources, targets] = self.ends(pair);
        let of_pieces = |links: &Alignment| -> Alignment {
            let of = |link: Link| {
                let targets = range(&targets, link.target as usize);
                range(&sources, link.source as usize).flat_map(move |s| targets.clone().map(move |t| Link::new(s, t)))
            };
            links.iter().flat_map(of).collect()
        };
        GoldAlignment::from_parts(of_pieces(links.sure()), &of_pieces(links.possible()))
    }

    /// The same of soft links: pieces share what their words count.
    fn soft_links(&self, pair: SentencePair<'_>, links: &SoftLinks) -> SoftLinks {
        let [sources, targets] = self.ends(pair);
        links.in_pieces(|word| range(&sources, word), |word| range(&targets, word))
    }

    /// What a model of the pieces says of the words, its share among the models; by place.
    fn posteriors(
        &self,
        aligner: &Aligner,
        text: &TrainingText<'_>,
        Work { parallelism, observer }: Work<'_>,
    ) -> Result<Vec<Vec<SubwordPosterior>>> {
        let pairs = text.distinct.pairs();
        let mut by_place = Vec::with_capacity(pairs.len());
        observer.started(ASKING.0, pairs.len() as u64);
        parallelism.map_ordered(
            pairs.len().div_ceil(CHUNK),
            || aligner.worker(&self.bitext),
            |worker, chunk| {
                check(observer)?;
                let some = &pairs[chunk_range(pairs.len(), CHUNK, chunk)];
                Ok(some.iter().map(|pair| self.of_pair(worker, text.bitext, pair.first as usize)).collect::<Vec<_>>())
            },
            |some| {
                observer.advance(some.len() as u64);
                by_place.extend(some);
                Ok(())
            },
        )?;
        observer.finished("");
        Ok(by_place)
    }

    /// The same of the `n`-th pair of the text.
    fn of_pair(&self, worker: &mut Worker<'_>, words: &RankedBitext, n: usize) -> Vec<SubwordPosterior> {
        let posteriors = worker.posteriors(n);
        posteriors.map_or_else(Vec::new, |posteriors| of_words(&posteriors, &self.ends(words.pair(n))))
    }
}

/// Posteriors of pieces as a share of the posteriors of their words.
fn of_words(posteriors: &Posteriors<'_>, [sources, targets]: &[Vec<u32>; 2]) -> Vec<SubwordPosterior> {
    let mut found = Vec::new();
    for source in 0..sources.len() {
        for target in 0..targets.len() {
            let (of_source, of_target) = (range(sources, source), range(targets, target));
            let [mut forward, mut reverse] = [0; 2];
            for link in of_source.clone().flat_map(|s| of_target.clone().map(move |t| Link::new(s, t))) {
                forward += to_units(posteriors.forward(link));
                reverse += to_units(posteriors.reverse(link));
            }
            let mean = |sum: u64, pieces: usize| (sum as f32 / UNIT / pieces as f32).min(1.0);
            let (forward, reverse) = (mean(forward, of_target.len()), mean(reverse, of_source.len()));
            if forward.max(reverse) >= LEAST {
                let [forward, reverse] = [forward, reverse].map(|p| p / CUTS.len() as f32);
                found.push(SubwordPosterior { source: source as u32, target: target as u32, forward, reverse });
            }
        }
    }
    found
}

fn to_units(posterior: f32) -> u64 {
    (posterior * UNIT) as u64
}

/// The pieces of a word by where those of each word end.
fn range(ends: &[u32], word: usize) -> std::ops::Range<u32> {
    word.checked_sub(1).map_or(0, |before| ends[before])..ends[word]
}

/// Whether the words of a pair stay whole.
fn is_whole([source, target]: &[Pieces; 2], pair: SentencePair<'_>) -> bool {
    let count = |pieces: &Pieces, sentence: &[WordId]| sentence.iter().map(|&word| pieces.count(word)).sum::<usize>();
    count(source, pair.source).max(count(target, pair.target)) > MOST_PIECES
}

/// Adds a word to a text, in pieces if they are given.
fn push(text: &mut Text, side: &Text, word: WordId, pieces: Option<&Pieces>) {
    let Some(pieces) = pieces else {
        return text.push_word(side.vocabulary().word(word));
    };
    for (n, piece) in pieces.of(side.vocabulary(), word).enumerate() {
        if n == 0 {
            text.push_word(piece);
        } else {
            text.push_word(&[CONTINUES.as_bytes(), piece].concat());
        }
    }
}
