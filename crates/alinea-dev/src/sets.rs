//! Gold standards, with text to learn from besides.
//!
//! Data are laid out as `gold/NAME/{src.txt,tgt.txt,gold.align}` (Pharaoh, `ipj` for possible links) and
//! `bitext/NAME/{src,tgt}.txt.zst`. A set is written `GOLD`, `GOLD+BITEXT` or `GOLD+BITEXT:N` for the first N lines of
//! the bitext, `GOLD+~BITEXT` for the bitext with its sides exchanged; the gold lines come first. With `@odd` or `@even` behind
//! it only these gold lines, numbered from 1, are judged, and all are learned from. Gold standards whose name ends in `-pud`
//! link content words only and are scored on annotated words.

use std::io::{BufRead, Read};
use std::ops::Range;
use std::path::Path;

use alinea::align::TrainingData;
use alinea::alignment::GoldAlignment;
use alinea::bitext::{Bitext, Text};
use alinea::encoder::Encoder;
use alinea::format::alignment::{AlignmentFormat, LinkReadOptions, read_gold};
use alinea::format::bitext::{ReadOptions, read_files};
use alinea::format::source::{self, Input};
use alinea::parallel::{Parallelism, Work};
use alinea::word_vectors::WordVectors;
use anyhow::{Context, Result, bail};

/// One of them.
#[derive(Debug)]
pub(crate) struct GoldSet {
    /// The text; the gold sentences come first.
    pub(crate) bitext: Bitext,
    pub(crate) gold: Vec<GoldAlignment>,
    /// The lines of the gold standard that are judged, from 0.
    pub(crate) judged: Vec<usize>,
    /// Whether only content words were linked.
    pub(crate) content_words: bool,
}

impl GoldSet {
    /// Reads a set.
    pub(crate) fn read(data: &Path, set: &str, parallelism: &Parallelism) -> Result<Self> {
        let (set, (first, step)) = match set.rsplit_once('@') {
            None => (set, (0, 1)),
            Some((set, "odd")) => (set, (0, 2)),
            Some((set, "even")) => (set, (1, 2)),
            Some((_, other)) => bail!("@{other}: expected @odd or @even"),
        };
        let (gold_name, added) = set.split_once('+').map_or((set, None), |(gold, added)| (gold, Some(added)));
        let folder = data.join("gold").join(gold_name);
        let gold = read_gold(folder.join("gold.align"), AlignmentFormat::Pharaoh, &LinkReadOptions::default())?;
        let side = |name: &str| joined(data, &folder.join(name), added, name);
        let read = read_files(side("src.txt")?, side("tgt.txt")?, &ReadOptions::default(), parallelism)?;
        let judged = (first..gold.len()).step_by(step).collect();
        Ok(Self { bitext: read.bitext, gold, judged, content_words: gold_name.ends_with("-pud") })
    }

    /// The text of the gold standard.
    pub(crate) fn own(&self) -> Result<Bitext> {
        self.part(0..self.gold.len())
    }

    /// The text that is added to it.
    pub(crate) fn added(&self) -> Result<Bitext> {
        self.part(self.gold.len()..self.bitext.len())
    }

    /// Both to be trained on; pairs of the added text have this weight.
    pub(crate) fn training_data(&self, weight: f32) -> Result<TrainingData> {
        Ok(TrainingData::of(self.own()?)?.with_added(&self.added()?, weight).build()?)
    }

    fn part(&self, pairs: Range<usize>) -> Result<Bitext> {
        let [source, target] = [&self.bitext.source, &self.bitext.target].map(|text| {
            let mut part = Text::default();
            for n in pairs.clone() {
                part.push_sentence(text.sentence(n).iter().map(|&word| text.vocabulary().word(word)));
            }
            part
        });
        Ok(Bitext::new(source, target)?)
    }
}

/// The lines of a gold standard as they were written, for an encoder: the text that is aligned is in lower case.
#[derive(Debug)]
pub(crate) struct WrittenLines([Vec<String>; 2]);

impl WrittenLines {
    /// Those of a set.
    pub(crate) fn read(data: &Path, set: &str) -> Result<Self> {
        let folder = data.join("gold").join(set.split(['@', '+']).next().unwrap_or_default());
        let read = |name: &str| -> Result<Vec<String>> {
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        Ok(Self([read("src.txt")?, read("tgt.txt")?]))
    }

    /// The vectors of some pairs.
    pub(crate) fn encode(
        &self,
        encoder: &Encoder,
        numbers: &[usize],
        work: Work<'_>,
    ) -> alinea::error::Result<[WordVectors; 2]> {
        let [source, target] =
            self.0.each_ref().map(|lines| numbers.iter().map(|&n| lines[n].clone()).collect::<Vec<_>>());
        encoder.encode_sentences([&source, &target], None, work)
    }
}

/// The gold text of one side, then the added text of that side.
fn joined(data: &Path, gold: &Path, added: Option<&str>, name: &str) -> Result<Input> {
    let mut text = Vec::new();
    source::open(gold)?.read_to_end(&mut text)?;
    if let Some(added) = added {
        let (bitext, lines) = match added.split_once(':') {
            Some((bitext, lines)) => (bitext, lines.parse()?),
            None => (added, usize::MAX),
        };
        let (bitext, name) = match (bitext.strip_prefix('~'), name) {
            (Some(bitext), "src.txt") => (bitext, "tgt.txt"),
            (Some(bitext), _) => (bitext, "src.txt"),
            (None, _) => (bitext, name),
        };
        let path = data.join("bitext").join(bitext).join(format!("{name}.zst"));
        let mut input = source::open(path)?;
        for _ in 0..lines {
            if input.read_until(b'\n', &mut text)? == 0 {
                break;
            }
        }
    }
    Ok(Input::from_bytes(gold.display().to_string(), text))
}
