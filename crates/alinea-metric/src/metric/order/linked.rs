//! LRscore as a [`Metric`]: hypotheses and references are lines with the links of their source in front.
//!
//! A line is `3\t0-0 2-1\tthe house`: the number of source words, the links from these to words of the line, from 0,
//! and the line itself. So LRscore needs only hypotheses and references, like any other metric, and significance
//! tests, several systems and several references work as usual. Links must lie within source and line, and all lines of
//! a segment must have the same number of source words.
//!
//! The row of a segment is its order score R by the best reference, then 1, then the numbers of BLEU, which knows all
//! references. The score of a text is `alpha R + (1 - alpha) BLEU`, with the mean of R and BLEU from 0 to 1. R has
//! the brevity penalty of the sentence, by the tokens that BLEU sees.

use std::sync::Arc;

use super::{LrScore, OrderScore};
use crate::alignment::{Alignment, Link};
use crate::error::{Error, ErrorKind, Result};
use crate::metric::bleu::Bleu;
use crate::metric::words::WordReader;
use crate::metric::{Measurer, Metric, Signature};

/// Numbers of a segment beside those of BLEU: R, and 1.
const OWN_WIDTH: usize = 2;

/// [`LrScore`] as a [`Metric`], with BLEU as given.
///
/// The strings of a segment are [`linked_line`]s: a line, and the links of the words of its source. Of several references
/// that counts in R which gives the most; BLEU knows all of them. The brevity penalty in R is that of the sentence, by the
/// numbers of tokens that BLEU sees. Links are between words of texts that are cut already; so lines should be tokenized, as
/// the aligner had them, and BLEU have the tokenizer `none`.
///
/// ```
/// use alinea::metric::bleu::{Bleu, BleuConfig};
/// use alinea::metric::order::{LinkedLrScore, LrScore, OrderScore, linked_line};
/// use alinea::metric::{Metric, Segments, measure};
/// use alinea::parallel::Parallelism;
///
/// let mut segments = Segments::new(1);
/// let hypothesis = linked_line(3, &[(0, 0), (1, 1), (2, 2)].into(), "a b c");
/// let reference = linked_line(3, &[(0, 0), (1, 2), (2, 1)].into(), "a c b");
/// segments.push(&[&hypothesis], &[&reference]);
/// let metric = LinkedLrScore::new(LrScore::new(OrderScore::Hamming, 1.0)?, Bleu::new(BleuConfig::default())?);
/// let sums = measure(&metric, &segments, &Parallelism::serial())?[0].sums();
/// assert!((metric.score(&sums) - 1.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct LinkedLrScore {
    lr_score: LrScore,
    bleu: Arc<Bleu>,
}

impl LinkedLrScore {
    /// The mixture of an order score with this BLEU.
    pub fn new(lr_score: LrScore, bleu: impl Into<Arc<Bleu>>) -> Self {
        Self { lr_score, bleu: bleu.into() }
    }

    /// R, the mean of the order scores; 0 without segments.
    fn order(sums: &[f64]) -> f64 {
        if sums[1] > 0.0 { sums[0] / sums[1] } else { 0.0 }
    }
}

/// A line as [`LinkedLrScore`] reads it: the number of words of its source, the links from these to its own words (both
/// from 0), and the line, with tabs between. Words are what blanks and tabs separate.
///
/// ```
/// use alinea::metric::order::linked_line;
///
/// assert_eq!(linked_line(3, &[(0, 0), (2, 1)].into(), "the house"), "3\t0-0 2-1\tthe house");
/// ```
pub fn linked_line(source_words: usize, links: &Alignment, line: &str) -> String {
    format!("{source_words}\t{links}\t{line}")
}

/// What such a line says.
struct LinkedLine<'l> {
    source_words: usize,
    links: Alignment,
    line: &'l str,
}

impl<'l> LinkedLine<'l> {
    fn parse(text: &'l str) -> Result<Self> {
        let link = |text: &str| {
            let (source, target) = text.split_once('-')?;
            Some(Link::new(source.parse().ok()?, target.parse().ok()?))
        };
        let parse = || {
            let mut fields = text.splitn(3, '\t');
            let (source_words, links, line) = (fields.next()?.parse().ok()?, fields.next()?, fields.next()?);
            let links: Option<Alignment> = links.split_ascii_whitespace().map(link).collect();
            Some(Self { source_words, links: links?, line })
        };
        let parsed = parse().ok_or_else(|| {
            let expected = "the number of source words, links such as 0-0 1-2, and the line, separated by tabs";
            ErrorKind::Inconsistent(format!("expected {expected}, found `{text}`"))
        })?;
        // What is beyond the source would be an order of other words.
        let words = crate::format::tokens::split(parsed.line.as_bytes()).count();
        match parsed.links.first_outside(parsed.source_words, words) {
            None => Ok(parsed),
            Some(link) => Err(Error::link_outside_sentences(link, [parsed.source_words, words])),
        }
    }
}

impl Metric for LinkedLrScore {
    fn name(&self) -> String {
        "LR".to_owned()
    }

    /// That of BLEU, the order score, and its share.
    fn signature(&self) -> Signature {
        let mut signature = self.bleu.signature();
        signature.push("reordering", "ro", self.lr_score.score().name());
        signature.push("alpha", "al", self.lr_score.alpha().to_string());
        signature
    }

    /// R and 1, then the numbers of BLEU.
    fn width(&self) -> usize {
        OWN_WIDTH + self.bleu.width()
    }

    /// That of BLEU, whose numbers are at the end.
    fn of_last(&self) -> usize {
        self.bleu.of_last()
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let config = self.bleu.config();
        Box::new(LinkedMeasurer {
            lr_score: self.lr_score,
            bleu: self.bleu.measurer(),
            reader: WordReader::new(&*config.tokenizer, config.lowercase),
            references: Vec::new(),
        })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        self.lr_score.mix(Self::order(sums), self.bleu.score(&sums[OWN_WIDTH..]) / 100.0)
    }

    fn details(&self, sums: &[f64]) -> String {
        let bleu = &sums[OWN_WIDTH..];
        let score: OrderScore = self.lr_score.score();
        format!("{score} = {:.3} BLEU = {:.1} {}", Self::order(sums), self.bleu.score(bleu), self.bleu.details(bleu))
    }
}

struct LinkedMeasurer<'m> {
    lr_score: LrScore,
    bleu: Box<dyn Measurer + 'm>,
    /// For the lengths of lines.
    reader: WordReader<'m>,
    /// The number of source words, and links, of each reference.
    references: Vec<(usize, Alignment)>,
}

impl Measurer for LinkedMeasurer<'_> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        let parsed = references.iter().map(|text| LinkedLine::parse(text)).collect::<Result<Vec<_>>>()?;
        let lines: Vec<&str> = parsed.iter().map(|parsed| parsed.line).collect();
        self.bleu.read_references(&lines)?;
        self.reader.read_references(&lines)?;
        self.references = parsed.into_iter().map(|parsed| (parsed.source_words, parsed.links)).collect();
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        let LinkedLine { source_words, links, line } = LinkedLine::parse(hypothesis)?;
        let (own, of_bleu) = statistics.split_at_mut(OWN_WIDTH);
        self.bleu.measure(line, of_bleu)?;
        self.reader.read_hypothesis(line)?;
        let length = self.reader.hypothesis().len();
        let mut best = f64::NEG_INFINITY;
        for ((source, reference), words) in self.references.iter().zip(self.reader.references()) {
            if *source != source_words {
                let message =
                    format!("a source of {source_words} words beside one of {source}: one segment has one source");
                return Err(ErrorKind::Inconsistent(message).into());
            }
            best = best.max(self.lr_score.distance(source_words, [&links, reference], [length, words.len()]));
        }
        own.copy_from_slice(&[best, 1.0]);
        Ok(())
    }
}
