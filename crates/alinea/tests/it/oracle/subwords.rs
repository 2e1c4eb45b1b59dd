//! The mean of the posteriors of models of words in pieces, as posteriors of the words.

use alinea::alignment::{Alignment, GoldAlignment, Link};
use alinea::bitext::{RankedBitext, WordId};
use alinea::model::{AlignerConfig, Schedule};

use super::leave_one_out::{LeaveOneOut, Matrix};
use super::pieces;
use super::training::Evidence;
use crate::texts;

/// How often neighbors must be found to become one piece, and whether in the text or in the list of words.
const CUTS: [(u64, bool); 3] = [(2, true), (4, true), (3, false)];

/// Less than this in both directions is nothing.
const LEAST: f64 = 0.005;

/// The posteriors of each pair, for each direction by j, then i.
pub(super) fn subword_posteriors(
    bitext: &RankedBitext,
    config: &AlignerConfig,
    schedule: Schedule,
    known: &Evidence,
) -> Vec<[Matrix; 2]> {
    let config = config.clone().with(|c| {
        c.subwords = None;
        c.independent_pass = Some(0.5);
    });
    let nothing = |targets: usize, sources: usize| vec![vec![0.0; sources]; targets];
    let lengths = |pair: alinea::bitext::SentencePair<'_>| (pair.source.len(), pair.target.len());
    let mut mean: Vec<[Matrix; 2]> =
        bitext.bitext().pairs().map(lengths).map(|(s, t)| [nothing(t, s), nothing(s, t)]).collect();
    for cut in CUTS {
        let sides = sides(bitext, cut);
        let joined = |words: &[Vec<String>]| words.concat().join(" ");
        let lines: Vec<_> = sides.iter().map(|[source, target]| (joined(source), joined(target))).collect();
        let text = texts::bitext(&lines).weighted(bitext.weights().clone()).expect("as many pairs");
        let links = known.links.iter().map(|(n, links)| (*n, of_pieces(links, &sides[*n]))).collect();
        let known = Evidence { dictionary: known.dictionary.clone(), links };
        let model = LeaveOneOut::train(&text, &config, schedule, &known);
        for (n, mean) in mean.iter_mut().enumerate() {
            add(mean, &model.posteriors(n), &sides[n]);
        }
    }
    mean
}

/// The words of each pair in pieces.
fn sides(bitext: &RankedBitext, (least, tokens): (u64, bool)) -> Vec<[Vec<Vec<String>>; 2]> {
    let cut = |frequencies: &[u64], words: Vec<&[u8]>| {
        let words: Vec<&str> = words.iter().map(|word| std::str::from_utf8(word).expect("UTF-8")).collect();
        let times: Vec<u64> = frequencies.iter().map(|&times| if tokens { times } else { 1 }).collect();
        let mut cut = pieces::pieces(&words, &times, least);
        let later = |word: &mut Vec<String>| word.iter_mut().skip(1).for_each(|piece| piece.insert(0, '¬'));
        cut.iter_mut().for_each(later);
        cut
    };
    let (sources, targets) = (bitext.source_frequencies(), bitext.target_frequencies());
    let source = cut(sources, (0..sources.len()).map(|rank| bitext.source_word(rank)).collect());
    let target = cut(targets, (0..targets.len()).map(|rank| bitext.target_word(rank)).collect());
    let of = |cut: &[Vec<String>], words: &[WordId]| words.iter().map(|word| cut[word.index()].clone()).collect();
    bitext.bitext().pairs().map(|pair| [of(&source, pair.source), of(&target, pair.target)]).collect()
}

/// The first piece of a word, and the first of the next.
fn range(words: &[Vec<String>], word: usize) -> std::ops::Range<usize> {
    let start = words[..word].iter().map(Vec::len).sum();
    start..start + words[word].len()
}

fn of_pieces(links: &GoldAlignment, [source, target]: &[Vec<Vec<String>>; 2]) -> GoldAlignment {
    let each = |link: Link| {
        let targets = range(target, link.target as usize);
        range(source, link.source as usize)
            .flat_map(move |s| targets.clone().map(move |t| Link::new(s as u32, t as u32)))
    };
    let all = |links: &Alignment| links.iter().flat_map(each).collect::<Alignment>();
    GoldAlignment::from_parts(all(links.sure()), &all(links.possible()))
}

/// Adds a third of the posteriors of words: the mean over the pieces of the generated one of the sum over those of the
/// other.
fn add([forward, reverse]: &mut [Matrix; 2], of_pieces: &[Matrix; 2], [source, target]: &[Vec<Vec<String>>; 2]) {
    let mean = |matrix: &Matrix, generated: std::ops::Range<usize>, other: std::ops::Range<usize>| {
        let sum: f64 = generated.clone().flat_map(|y| other.clone().map(move |x| matrix[y][x])).sum();
        (sum / generated.len() as f64).min(1.0)
    };
    for i in 0..source.len() {
        for j in 0..target.len() {
            let (e, f) = (range(source, i), range(target, j));
            let both = [mean(&of_pieces[0], f.clone(), e.clone()), mean(&of_pieces[1], e, f)];
            if both[0].max(both[1]) >= LEAST {
                forward[j][i] += both[0] / 3.0;
                reverse[i][j] += both[1] / 3.0;
            }
        }
    }
}
