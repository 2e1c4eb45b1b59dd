//! XLIFF 1.2 (OASIS 2008) and 2.0 to 2.2 (OASIS 2014 to 2024).
//!
//! ```text
//! <xliff version="1.2"><file source-language="en" target-language="fr" ...><body>
//!   <trans-unit id="1"><source>the house</source><target>la maison</target></trans-unit>
//!
//! <xliff version="2.0" srcLang="en" trgLang="fr"><file id="f"><unit id="1">
//!   <segment><source>the house</source><target>la maison</target></segment>
//! ```
//!
//! A unit of version 1.2 that is divided into segments (`seg-source`, and `<mrk mtype="seg" mid="1">` in it and in the target, as Trados and
//! others write) is as many pairs, by their names; segments with a name that the other side does not have are skipped, as are units without
//! translation. Only `source`, `seg-source` and `target` directly within a `trans-unit`, or within a `segment`, are read; not those of proposed translations
//! (`alt-trans`, `match`) and of what is not to be translated (`ignorable`). What becomes of tags is in [`segment`]. Units in which one
//! side is missing or blank, as in files that are not translated yet, are skipped and counted, and so are files of other languages
//! than those wanted. Wanted the other way around, the target is read as the source.

use std::collections::{BTreeMap, VecDeque};

use super::file::{Lines, PairFile, PairReport};
use super::languages::{Chosen, Languages};
use super::markup::{Markup, Step};
use super::options::{PairOptions, Tags};
use super::segment::{self, Part};
use super::tmx::is_blank;
use crate::error::{Error, Position, Result};
use crate::format::source::Input;

/// Reads an XLIFF file.
pub(super) struct Xliff {
    markup: Markup,
    tags: Tags,
    languages: Languages,
    /// Whether languages were asked for; if not, the source is what the file calls so.
    chosen: bool,
    /// The languages that the document says, and those of the file within it.
    document: [Option<String>; 2],
    codes: [Option<String>; 2],
    /// The segment so far: source and target, and their parts that are segments.
    sides: [Option<String>; 2],
    parts: [Vec<Part>; 2],
    /// Pairs of the unit that was read last.
    pairs: VecDeque<[String; 2]>,
    position: Position,
    report: PairReport,
}

impl Xliff {
    /// Opens it, and checks its first tag.
    pub(super) fn new(input: Input, options: &PairOptions) -> Result<Self> {
        let mut markup = Markup::new(input)?;
        if markup.step()? != Step::Open || markup.local() != "xliff" {
            return Err(Error::parse(markup.position(), "`<xliff>`", format!("<{}>", markup.tag()).as_bytes()));
        }
        let document = [markup.attribute("srcLang")?, markup.attribute("trgLang")?];
        let languages = Languages::new(markup.name(), options.languages.as_ref());
        let position = markup.position();
        Ok(Self {
            markup,
            tags: options.tags,
            languages,
            chosen: options.languages.is_some(),
            codes: document.clone(),
            document,
            sides: [None, None],
            parts: [Vec::new(), Vec::new()],
            pairs: VecDeque::new(),
            position,
            report: PairReport::default(),
        })
    }

    /// What a tag that was opened means.
    fn opened(&mut self) -> Result<()> {
        let Self { markup, codes, document, sides, parts, .. } = self;
        match (markup.local(), markup.parent()) {
            ("file", _) => {
                let said = [markup.attribute("source-language")?, markup.attribute("target-language")?];
                *codes = said;
                for (code, of_document) in codes.iter_mut().zip(document) {
                    *code = code.take().or_else(|| of_document.clone());
                }
            }
            ("trans-unit" | "segment", _) => {
                *sides = [None, None];
                *parts = [Vec::new(), Vec::new()];
                self.position = markup.position();
            }
            (name @ ("source" | "target"), "trans-unit" | "segment") => {
                let side = usize::from(name == "target");
                let mut text = String::new();
                let found = segment::read_parts(markup, self.tags, &mut text)?;
                if side == 1 {
                    parts[1] = found;
                }
                sides[side] = Some(text);
            }
            ("seg-source", "trans-unit") => {
                parts[0] = segment::read_parts(markup, self.tags, &mut String::new())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// What the unit that ends here has: its pairs, source first; of those that are skipped it has none, but counts them.
    fn end_unit(&mut self) {
        let [sources, targets] = std::mem::take(&mut self.parts);
        let whole = std::mem::take(&mut self.sides);
        let pairs: Vec<[Option<String>; 2]> = if sources.is_empty() || targets.is_empty() {
            vec![whole]
        } else {
            let mut by_name: BTreeMap<String, String> =
                targets.into_iter().map(|Part { mid, text }| (mid, text)).collect();
            let pair = |Part { mid, text }: Part| [Some(text), by_name.remove(&mid)];
            sources.into_iter().map(pair).collect()
        };
        for pair in pairs {
            match pair {
                [Some(source), Some(target)] if !is_blank(&source) && !is_blank(&target) => {
                    self.pairs.push_back([source, target]);
                }
                _ => self.report.untranslated += 1,
            }
        }
    }

    /// Which side is which in the pair, if the languages are those wanted.
    fn order(&mut self) -> Result<Option<[usize; 2]>> {
        let known = matches!(&self.codes, [Some(source), Some(target)] if source != target);
        if !self.chosen && !known {
            return Ok(Some([0, 1]));
        }
        let codes = self.codes.each_ref().map(|code| code.as_deref().unwrap_or("und"));
        if !self.chosen {
            self.languages.set_source(codes[0].to_owned());
        }
        Ok(match self.languages.choose(&codes)? {
            Chosen::Both(places) => Some(places),
            Chosen::One | Chosen::None => None,
        })
    }
}

impl PairFile for Xliff {
    fn read(&mut self, pair: &mut Lines) -> Result<bool> {
        loop {
            if let Some(next) = self.pairs.pop_front() {
                *pair = next;
                return Ok(true);
            }
            match self.markup.step()? {
                Step::Open => self.opened()?,
                Step::Close if matches!(self.markup.local(), "trans-unit" | "segment") => {
                    let Some(order) = self.order()? else {
                        self.report.other_languages += 1;
                        continue;
                    };
                    self.end_unit();
                    if order != [0, 1] {
                        self.pairs.iter_mut().for_each(|pair| pair.reverse());
                    }
                }
                Step::End => {
                    if self.chosen {
                        self.languages.check()?;
                    }
                    return Ok(false);
                }
                _ => {}
            }
        }
    }

    fn position(&self) -> Position {
        self.position.clone()
    }

    fn report(&self) -> PairReport {
        PairReport { languages: self.languages.first().cloned(), ..self.report.clone() }
    }

    fn bytes(&self) -> u64 {
        self.markup.bytes()
    }
}
