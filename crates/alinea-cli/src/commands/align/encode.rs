//! From what the model says of a pair to lines of output.

use std::io::Write as _;

use alinea::alignment::{Alignment, Link, WeightedLink};
use alinea::error::Result;
use alinea::format::alignment::{
    AlignmentFormat, AlignmentWriter, LinkKind, LinkRecord, LinkWriteOptions, PairRecord, TokenList,
};
use alinea::format::bitext::KeptText;
use alinea::format::tokens::{self, TokenSpan, Tokenize};
use alinea::model::{Calibrated, Posteriors};
use alinea::symmetrize::Symmetrizer;

use super::outputs::{FormatName, Kind, Lines};
use super::plan::{LinkChoice, Plan};

/// The least confidence that `--posteriors` writes, and the decimals of confidences and scores.
const LEAST_POSTERIOR: f32 = 0.01;
const DIGITS: usize = 4;

/// What the model says of a pair: posteriors, if it has them, and the best paths of both directions if they were asked
/// for; nothing of a pair with an empty side.
pub(super) type Found<'w> = (Option<Posteriors<'w>>, [Alignment; 2]);

/// How two directions become links: by a threshold, of which there may be another for new pairs, or by best paths.
enum Joining {
    Threshold(f32, Option<f32>),
    Paths(Symmetrizer),
}

/// Makes lines of one pair after another, in the same buffers.
pub(super) struct Encoder<'a> {
    plan: &'a Plan,
    joining: Joining,
    record: PairRecord,
    spans: Vec<TokenSpan>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let joining = match plan.links {
            LinkChoice::Paths(method) => Joining::Paths(Symmetrizer::new(method)),
            LinkChoice::Threshold(threshold, new) => Joining::Threshold(threshold, new),
        };
        Self { plan, joining, record: PairRecord::default(), spans: Vec::new() }
    }

    /// Writes a pair, numbered from 1; its words too, if the lines are given. Returns its links if they are to be kept.
    pub(super) fn write(
        &mut self,
        (number, lines): (u64, Option<[&str; 2]>),
        (posteriors, paths): Found<'_>,
        keep: bool,
        to: &mut Writers,
    ) -> Result<Option<Alignment>> {
        let Self { plan, joining, record, spans } = self;
        record.clear();
        record.number = number;
        let shown = Shown::new(plan, posteriors);
        match (joining, posteriors) {
            (Joining::Threshold(threshold, new), Some(posteriors)) => {
                let threshold = new.filter(|_| posteriors.is_new()).unwrap_or(*threshold);
                fill(record, &shown, posteriors.weighted_links(threshold));
            }
            (Joining::Threshold(..), None) => {}
            (Joining::Paths(symmetrizer), Some(posteriors)) => {
                let weighted = |link| WeightedLink { link, weight: posteriors.mean(link) };
                fill(record, &shown, symmetrizer.symmetrize(&paths[0], &paths[1]).iter().map(weighted));
            }
            (Joining::Paths(symmetrizer), None) => {
                fill_unweighted(record, symmetrizer.symmetrize(&paths[0], &paths[1]).iter());
            }
        }
        let kept = keep.then(|| record.alignment());
        if let Some(lines) = lines {
            show_words(record, lines, plan.read.tokenize, spans);
        }
        to.write(record, (posteriors, &shown), &paths, plan)?;
        Ok(kept)
    }
}

/// The lines of the `n`-th pair; empty ones if it is among those that were skipped for their length.
pub(super) fn lines_of<'t>(kept: &'t KeptText, skipped: &[usize], n: usize) -> [&'t str; 2] {
    if skipped.binary_search(&n).is_ok() { [""; 2] } else { [kept.source.line(n), kept.target.line(n)] }
}

/// How confidences of a pair are written.
struct Shown(Option<Calibrated>);

impl Shown {
    fn new(plan: &Plan, posteriors: Option<Posteriors<'_>>) -> Self {
        Self(plan.calibration.zip(posteriors).map(|(calibration, posteriors)| calibration.of_pair(&posteriors)))
    }

    fn link(&self, found: WeightedLink) -> WeightedLink {
        let Self(Some(calibrated)) = self else { return found };
        WeightedLink { weight: calibrated.probability(found), ..found }
    }
}

fn fill(record: &mut PairRecord, shown: &Shown, links: impl IntoIterator<Item = WeightedLink>) {
    let links = links.into_iter().map(|found| shown.link(found));
    record.links.clear();
    record.links.extend(links.map(|WeightedLink { link, weight }| LinkRecord {
        link,
        kind: LinkKind::Sure,
        weight: Some(weight),
    }));
}

fn fill_unweighted(record: &mut PairRecord, links: impl Iterator<Item = Link>) {
    record.links.clear();
    record.links.extend(links.map(|link| LinkRecord { link, kind: LinkKind::Sure, weight: None }));
}

/// The words of two lines as they were written, and where they stood.
fn show_words(record: &mut PairRecord, lines: [&str; 2], tokenize: Tokenize, spans: &mut Vec<TokenSpan>) {
    let [source, target] = lines;
    (record.source, record.source_offsets) = words(source, tokenize, spans);
    (record.target, record.target_offsets) = words(target, tokenize, spans);
}

/// The words of a line as they were written; and where they stood, if the line was cut here.
fn words(line: &str, tokenize: Tokenize, spans: &mut Vec<TokenSpan>) -> (Option<TokenList>, Option<Vec<[u32; 2]>>) {
    tokens::spans(line, tokenize, spans);
    let words = spans.iter().map(|span| &line[span.bytes.clone()]).collect();
    let places = spans.iter().map(|span| [span.chars.start as u32, span.chars.end as u32]);
    (Some(words), (tokenize == Tokenize::Unicode).then(|| places.collect()))
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
            let options = LinkWriteOptions { digits, ..LinkWriteOptions::default() };
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
        (posteriors, shown): (Option<Posteriors<'_>>, &Shown),
        [forward, reverse]: &[Alignment; 2],
        plan: &Plan,
    ) -> Result<()> {
        self.links.write(record)?;
        for (kind, writer, path) in
            [(Kind::Forward, &mut self.forward, forward), (Kind::Reverse, &mut self.reverse, reverse)]
        {
            if plan.wants(kind) {
                fill_unweighted(record, path.iter());
                writer.write(record)?;
            }
        }
        if plan.wants(Kind::Posteriors) {
            let links = posteriors.iter().flat_map(|posteriors| posteriors.weighted_links(LEAST_POSTERIOR));
            fill(record, shown, links);
            self.posteriors.write(record)?;
        }
        if plan.wants(Kind::Scores) {
            if let Some(scores) = posteriors.and_then(|posteriors| posteriors.scores()) {
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
