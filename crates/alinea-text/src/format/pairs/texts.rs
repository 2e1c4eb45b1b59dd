//! Pairs in plain text: two texts in step, or lines that are cut in two.

use super::cut::Cut;
use super::file::{Lines, PairFile, PairReport};
use crate::error::{Error, Hint, Position, Result};
use crate::format::lines::LineReader;
use crate::format::source::Input;

/// Lines with both sides.
pub(super) struct CutLines {
    pub(super) lines: LineReader<Input>,
    pub(super) cut: Cut,
}

impl PairFile for CutLines {
    fn read(&mut self, pair: &mut Lines) -> Result<bool> {
        let Some(line) = self.lines.read()? else { return Ok(false) };
        match self.cut.cut(line) {
            Ok(sides) => {
                let (mut source, mut target) = sides;
                if let Cut::Joint = self.cut {
                    // The blanks around the separator are none of the text.
                    source = source.strip_suffix([' ', '\t']).unwrap_or(source);
                    target = target.strip_prefix([' ', '\t']).unwrap_or(target);
                }
                for (own, side) in pair.iter_mut().zip([source, target]) {
                    own.clear();
                    own.push_str(side);
                }
                Ok(true)
            }
            Err(miss) => {
                let found = line.as_bytes()[miss.column - 1..].to_vec();
                let error = Error::parse(self.lines.position(miss.column), miss.expected, &found);
                Err(if self.cut.is_of_sentences() { error.with_hint(Hint::SeparatorInText) } else { error })
            }
        }
    }

    fn position(&self) -> Position {
        self.lines.position(0)
    }

    fn report(&self) -> PairReport {
        PairReport { replaced_utf8: self.lines.replaced_lines(), ..PairReport::default() }
    }

    fn bytes(&self) -> u64 {
        self.lines.bytes()
    }
}

/// The n-th line of one text translates the n-th of the other.
pub(super) struct TwoTexts {
    pub(super) texts: [LineReader<Input>; 2],
    pub(super) languages: Option<[String; 2]>,
}

impl PairFile for TwoTexts {
    fn read(&mut self, pair: &mut Lines) -> Result<bool> {
        let [source, target] = &mut self.texts;
        let more = [source.read_into(&mut pair[0])?, target.read_into(&mut pair[1])?];
        if more[0] != more[1] {
            let lines = [source.count_all()?, target.count_all()?];
            return Err(Error::unequal_lengths(source.name(), lines[0], target.name(), lines[1]));
        }
        Ok(more[0])
    }

    fn position(&self) -> Position {
        self.texts[0].position(0)
    }

    fn report(&self) -> PairReport {
        let replaced_utf8 = self.texts.iter().map(LineReader::replaced_lines).sum();
        PairReport { replaced_utf8, languages: self.languages.clone(), ..PairReport::default() }
    }

    fn bytes(&self) -> u64 {
        self.texts.iter().map(LineReader::bytes).sum()
    }
}
