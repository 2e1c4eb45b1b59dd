//! Translation memories: TMX 1.4b (LISA 2005), and the versions before it.
//!
//! ```text
//! <tmx version="1.4"><header srclang="en" .../><body>
//!   <tu><tuv xml:lang="en"><seg>the house</seg></tuv><tuv xml:lang="fr"><seg>la maison</seg></tuv></tu>
//! </body></tmx>
//! ```
//!
//! Each unit (`tu`) has variants (`tuv`) in some languages, each with a segment. One unit is in memory at a time. Which two languages
//! are read is in [`languages`](super::languages), what becomes of tags in [`segment`]. Versions before 1.4 have `lang` for `xml:lang`.
//! Units in which one side is missing or blank are skipped and counted. Properties and notes are passed over.

use super::file::{Lines, PairFile, PairReport};
use super::languages::{Chosen, Languages};
use super::markup::{Markup, Step};
use super::options::{PairOptions, Tags};
use super::segment;
use crate::error::{Error, Position, Result};
use crate::format::source::Input;
use crate::limits;

/// A variant of a unit.
#[derive(Debug, Default)]
struct Variant {
    language: String,
    segment: String,
}

/// Reads a translation memory.
pub(super) struct Tmx {
    markup: Markup,
    tags: Tags,
    languages: Languages,
    /// Those of the unit, of which the first `number` count.
    variants: Vec<Variant>,
    number: usize,
    position: Position,
    report: PairReport,
}

impl Tmx {
    /// Opens it, and checks its first tag.
    pub(super) fn new(input: Input, options: &PairOptions) -> Result<Self> {
        let mut markup = Markup::new(input)?;
        if markup.step()? != Step::Open || markup.local() != "tmx" {
            return Err(Error::parse(markup.position(), "`<tmx>`", format!("<{}>", markup.tag()).as_bytes()));
        }
        let languages = Languages::new(markup.name(), options.languages.as_ref());
        let position = markup.position();
        Ok(Self {
            markup,
            tags: options.tags,
            languages,
            variants: Vec::new(),
            number: 0,
            position,
            report: PairReport::default(),
        })
    }

    /// Reads the variants of the unit that was opened.
    fn read_unit(&mut self) -> Result<()> {
        let outside = self.markup.depth() - 1;
        self.number = 0;
        let mut bytes = 0;
        loop {
            match self.markup.step()? {
                Step::Open if self.markup.local() == "tuv" => {
                    let lang = self.markup.attribute("xml:lang")?;
                    let Some(language) = lang.map_or_else(|| self.markup.attribute("lang"), |lang| Ok(Some(lang)))?
                    else {
                        let found = format!("<{}>", self.markup.tag());
                        let expected = "a language, `xml:lang=\"en\"`";
                        return Err(Error::parse(self.markup.position(), expected, found.as_bytes()));
                    };
                    if self.number == self.variants.len() {
                        self.variants.push(Variant::default());
                    }
                    let variant = &mut self.variants[self.number];
                    variant.language = language;
                    variant.segment.clear();
                    self.number += 1;
                }
                Step::Open if self.markup.local() == "seg" && self.markup.parent() == "tuv" && self.number > 0 => {
                    let variant = &mut self.variants[self.number - 1];
                    segment::read(&mut self.markup, self.tags, &mut variant.segment)?;
                    bytes += variant.segment.len();
                }
                Step::Close if self.markup.depth() == outside => return Ok(()),
                _ => {}
            }
            bytes += 1;
            limits::SENTENCE.check(bytes).map_err(|error| error.at(self.markup.position()))?;
        }
    }
}

impl PairFile for Tmx {
    fn read(&mut self, pair: &mut Lines) -> Result<bool> {
        loop {
            match self.markup.step()? {
                Step::Open if self.markup.local() == "header" => {
                    if let Some(code) = self.markup.attribute("srclang")? {
                        self.languages.set_source(code);
                    }
                    continue;
                }
                Step::Open if self.markup.local() == "tu" => {}
                Step::End => {
                    self.languages.check()?;
                    return Ok(false);
                }
                _ => continue,
            }
            self.position = self.markup.position();
            self.read_unit()?;
            let codes: Vec<&str> = self.variants[..self.number].iter().map(|variant| &*variant.language).collect();
            match self.languages.choose(&codes)? {
                Chosen::None => self.report.other_languages += 1,
                Chosen::One => self.report.untranslated += 1,
                Chosen::Both(places) if places.iter().any(|&place| is_blank(&self.variants[place].segment)) => {
                    self.report.untranslated += 1;
                }
                Chosen::Both(places) => {
                    for (line, place) in pair.iter_mut().zip(places) {
                        std::mem::swap(line, &mut self.variants[place].segment);
                    }
                    return Ok(true);
                }
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

/// Whether a segment has no text.
pub(super) fn is_blank(segment: &str) -> bool {
    segment.trim_matches([' ', '\t', '\r']).is_empty()
}
