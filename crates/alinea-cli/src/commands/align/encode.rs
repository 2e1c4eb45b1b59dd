//! Encoding: from what was found of a sentence pair to a line of each output of `alinea align`.
//!
//! An `Encoder` reads the links off the posteriors or the best paths, with their confidences, into one record that
//! serves for all pairs. For JSON the words are added as they were written and, if the line was cut at Unicode word
//! boundaries, the characters that each of them spans. If links are to count other tokens of the lines, all links are carried
//! over to these, and these are the words of the JSON.
//!
//! `Writers` appends to a buffer for each kind of output: links, as Pharaoh or JSON lines; the best paths of both
//! directions; confidences of at least 0.01; and scores. Every buffer that is wanted gets a line for every pair, so
//! that line n is always pair n. Confidences and scores have four decimals.

use std::io::Write as _;

use alinea::align::{Confidences, Found, FoundLink, LinkReader};
use alinea::error::Result;
use alinea::format::alignment::{
    AlignmentFormat, AlignmentWriter, LinkKind, LinkRecord, LinkWriteOptions, PairRecord, TokenList,
};
use alinea::format::tokens::{self, Tokenize};

use super::outputs::{FormatName, Kind, Lines};
use super::plan::Plan;
use crate::input::tokens::{PlacedLine, TokenReport, TokenTransfer};

/// The least confidence that `--posteriors` writes, and the decimals of confidences and scores.
const LEAST_POSTERIOR: f32 = 0.01;
const DIGITS: usize = 4;

/// Makes lines of one pair after another, in the same buffers.
pub(super) struct Encoder<'a> {
    plan: &'a Plan,
    reader: LinkReader,
    record: PairRecord,
    tokens: Option<TokenTransfer>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            reader: LinkReader::new(plan.decoding),
            record: PairRecord::default(),
            tokens: plan.tokens.is_given().then(|| plan.tokens.transfer()),
        }
    }

    /// Writes a pair, numbered from 1; its words too, if they are to be shown.
    pub(super) fn write(
        &mut self,
        lines: PairLines<'_>,
        number: u64,
        found: &Found<'_>,
        to: &mut Writers,
    ) -> Result<()> {
        let Self { plan, reader, record, tokens } = self;
        record.clear();
        record.number = number;
        let tokenize = plan.read.tokenize;
        if let Some(tokens) = tokens {
            lines.match_tokens(tokenize, tokens)?;
        }
        let confidences = reader.confidences(found);
        fill(record, reader.links(found, confidences.as_ref()));
        carry(tokens.as_mut(), record)?;
        if plan.shows_words() {
            let [source, target] = [0, 1].map(|side| lines.words(side, tokenize));
            (record.source, record.source_offsets) = source;
            (record.target, record.target_offsets) = target;
        }
        to.write(record, found, confidences.as_ref(), (plan, tokens.as_mut()))
    }

    /// What was left out because of tokens.
    pub(super) fn left_out(&self) -> TokenReport {
        self.tokens.as_ref().map(TokenTransfer::report).unwrap_or_default()
    }
}

/// The lines of a pair, as they were, and those of other tokens; none where they are not needed, or the pair was skipped
/// for its length.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PairLines<'a> {
    pub(super) text: [Option<PlacedLine<'a>>; 2],
    pub(super) tokens: [Option<PlacedLine<'a>>; 2],
}

impl PairLines<'_> {
    fn match_tokens(&self, tokenize: Tokenize, transfer: &mut TokenTransfer) -> Result<()> {
        transfer.begin();
        for side in [0, 1] {
            if let (Some(words), Some(tokens)) = (self.text[side], self.tokens[side]) {
                transfer.match_lines(side, words, tokenize, tokens)?;
            }
        }
        transfer.matched();
        Ok(())
    }

    /// What the links of a side count, as it was written; and where it stood, if the line was cut here.
    fn words(&self, side: usize, tokenize: Tokenize) -> ShownWords {
        let (line, tokenize) = match (self.text[side], self.tokens[side]) {
            (_, Some(tokens)) => (tokens.line, Tokenize::None),
            (text, None) => (text.map_or("", |text| text.line), tokenize),
        };
        let (mut words, mut places) = (TokenList::default(), Vec::new());
        tokens::for_each_span(line, tokenize, |word, span| {
            words.push(word);
            places.push([span.chars.start as u32, span.chars.end as u32]);
        });
        (Some(words), (tokenize != Tokenize::None).then_some(places))
    }
}

/// Words, and where they stood.
type ShownWords = (Option<TokenList>, Option<Vec<[u32; 2]>>);

/// Makes links count other tokens, if they are to.
fn carry(tokens: Option<&mut TokenTransfer>, record: &mut PairRecord) -> Result<()> {
    let place = record.number;
    tokens.map_or(Ok(()), |tokens| tokens.carry(record)).map_err(|error| error.at(format_args!("pair {place}")))
}

fn fill(record: &mut PairRecord, links: impl IntoIterator<Item = FoundLink>) {
    record.links.clear();
    let sure = |FoundLink { link, confidence }| LinkRecord { link, kind: LinkKind::Sure, weight: confidence };
    record.links.extend(links.into_iter().map(sure));
}

/// Writers to memory, one for each kind of output.
pub(super) struct Writers {
    links: AlignmentWriter<Vec<u8>>,
    forward: AlignmentWriter<Vec<u8>>,
    reverse: AlignmentWriter<Vec<u8>>,
    posteriors: AlignmentWriter<Vec<u8>>,
    scores: Vec<u8>,
}

impl Writers {
    pub(super) fn new(plan: &Plan) -> Result<Self> {
        let writer = |format: AlignmentFormat, digits: Option<usize>| {
            let options = LinkWriteOptions::default().with(|c| c.digits = digits);
            AlignmentWriter::new(Vec::new(), "<memory>", format, &options)
        };
        Ok(Self {
            links: match plan.format {
                FormatName::Pharaoh => writer(AlignmentFormat::Pharaoh, None)?,
                FormatName::Jsonl => writer(AlignmentFormat::JsonLines, Some(DIGITS))?,
            },
            forward: writer(AlignmentFormat::Pharaoh, None)?,
            reverse: writer(AlignmentFormat::Pharaoh, None)?,
            posteriors: writer(AlignmentFormat::Pharaoh, Some(DIGITS))?,
            scores: Vec::new(),
        })
    }

    /// Writes the record, and what else is wanted of the pair; the record's links are used up.
    fn write(
        &mut self,
        record: &mut PairRecord,
        found: &Found<'_>,
        confidences: Option<&Confidences<'_>>,
        (plan, mut tokens): (&Plan, Option<&mut TokenTransfer>),
    ) -> Result<()> {
        let [forward, reverse] = &found.paths;
        self.links.write(record)?;
        for (kind, writer, path) in
            [(Kind::Forward, &mut self.forward, forward), (Kind::Reverse, &mut self.reverse, reverse)]
        {
            if plan.wants(kind) {
                fill(record, path.iter().map(FoundLink::from));
                carry(tokens.as_deref_mut(), record)?;
                writer.write(record)?;
            }
        }
        if plan.wants(Kind::Posteriors) {
            fill(record, confidences.iter().flat_map(|confidences| confidences.links(LEAST_POSTERIOR)));
            carry(tokens, record)?;
            self.posteriors.write(record)?;
        }
        if plan.wants(Kind::Scores) {
            if let Some(scores) = found.scores() {
                let [forward, reverse] = scores.map(rounded);
                // Writing to memory cannot fail.
                let _ = write!(self.scores, "{forward:.DIGITS$}\t{reverse:.DIGITS$}");
            }
            self.scores.push(b'\n');
        }
        Ok(())
    }

    /// The lines, in the order of [`Kind`], and the number of links.
    pub(super) fn into_lines(self) -> (Lines, u64) {
        let links = self.links.report().links;
        let Self { links: writer, forward, reverse, posteriors, scores } = self;
        let lines = [writer.into_inner(), forward.into_inner(), reverse.into_inner(), posteriors.into_inner(), scores];
        (lines, links)
    }
}

/// So that nothing is written as `-0.0000`.
fn rounded(score: f64) -> f64 {
    let unit = 10f64.powi(DIGITS as i32);
    (score * unit).round() / unit + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(format!("{:.DIGITS$}", rounded(-0.000_01)), "0.0000");
        assert_eq!(format!("{:.DIGITS$}", rounded(-1.234_56)), "-1.2346");
    }
}
