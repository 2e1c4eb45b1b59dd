//! Inline tags carried over links: what is bold in a segment is bold in its translation.
//!
//! A pair of tags around words of the source goes around a stretch of target words. Each stretch `[a, b)` has a score,
//!
//! ```text
//! Σ over words j of [a, b)  u(j)   +   start(a)   +   end(b)   +   whole(a, b)
//! ```
//!
//! * u(j): how probable a link of j into the pair is, q_j = 1 - Π (1 - p_ij), against one to other words; whether j is the most probable word
//!   of some word in it; and how often j is in tags elsewhere in the text, tags around the same source words left out;
//! * start(a), end(b): the same of the words at the borders; whether these are punctuation as in the source, begin and end sentences as in the
//!   source, and whether the border cuts words, hyphens or apostrophes;
//! * whole(a, b): brackets of which one is inside and one outside; square and corner brackets around it that the source has not, which Japanese puts around
//!   names of buttons, inside of the tag; and whether the same source words are around the same target words elsewhere.
//!
//! Constants are in `weights`, with how they were found. The text is gone over three times, at first without what is elsewhere.
//!
//! Pairs nest as in the source: what is in a pair looks for words in its stretch only, pairs side by side have no word in common, the one with the highest
//! score first; a pair around everything goes around everything, and two pairs around the same words around the same words.
//! Tags that stand alone go between words, where links of both their neighbors say; so do, one by one, pairs that
//! overlap others in the source (`bx`–`ex` of XLIFF), and pairs without words in them.
//!
//! ```
//! use alinea::alignment::{Link, WeightedLink};
//! use alinea::error::Position;
//! use alinea::format::markup::{Markup, Syntax, write};
//! use alinea::format::tokens::Tokenize;
//! use alinea::parallel::Parallelism;
//! use alinea::project::markup::{MarkedPair, MarkupConfig, project};
//!
//! let (markup, line) = (Markup::new(Syntax::Xml), Position::new("text.xml", 1, 0));
//! let source = markup.segment("Click <b>Save</b>.", &line)?;
//! let target = markup.translation("Auf Sichern klicken.", &source, &line)?;
//! let links = [(0, 2), (1, 1), (2, 3)]
//!     .map(|(source, target)| WeightedLink { link: Link { source, target }, weight: 0.9 });
//! let pair = MarkedPair { source: &source, target: &target, links: &links, words: Tokenize::Script };
//! let placed = project(&[pair], &MarkupConfig::default(), &Parallelism::new(1)?)?;
//! assert_eq!(write(&source, &target, &placed[0].places), "Auf <b>Sichern</b> klicken.");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod brackets;
mod config;
mod elsewhere;
mod emit;
mod evidence;
mod pair;
mod placed;
mod placing;
mod points;
mod sides;
mod structure;
mod weights;
mod window;

#[cfg(test)]
mod tests;

use alinea_text::error::{Error, ErrorKind, Result};
use alinea_text::parallel::{Parallelism, chunk_range};

pub use self::config::{MarkupConfig, Unplaced};
use self::elsewhere::{Elsewhere, Own};
use self::emit::emit;
pub use self::pair::MarkedPair;
pub use self::placed::{Fate, Loss, PlacedMarkup};
use self::placing::{Placing, Stretches};
use self::sides::{Forms, Sides};
use self::structure::Structure;

/// The pairs that a thread takes at a time.
const CHUNK: usize = 64;

/// How often the text is gone over.
const PASSES: usize = 3;

/// A pair with all that is asked of it.
struct Prepared<'a> {
    pair: &'a MarkedPair<'a>,
    structure: Structure,
    sides: Sides,
}

/// Finds places for the tags of a text. What is found depends on the whole text.
///
/// Time and memory are proportional to the length of the text and the number of links, but for what is sorted; elements that are nested in
/// more than 64 elements around fewer words each are lost.
///
/// # Errors
/// `Inconsistent` for links outside their sentences, naming the pair from 1.
pub fn project(
    pairs: &[MarkedPair<'_>],
    config: &MarkupConfig,
    parallelism: &Parallelism,
) -> Result<Vec<PlacedMarkup>> {
    let mut forms = Forms::default();
    let mut prepared = Vec::with_capacity(pairs.len());
    for (pair, number) in pairs.iter().zip(1..) {
        let (sides, source) = Sides::new(pair, &mut forms)
            .map_err(|message| Error::from(ErrorKind::Inconsistent(format!("pair {number}: {message}"))))?;
        let structure = Structure::new(pair.source, &source, &sides, &mut forms);
        prepared.push(Prepared { pair, structure, sides });
    }
    let mut found = each(&prepared, parallelism, |one| one.stretches(None))?;
    for _ in 1..PASSES {
        let own: Vec<Own> =
            each(&prepared, parallelism, |one| Own::new(&one.structure, &one.sides, &found[one.number]))?;
        let elsewhere = Elsewhere::new(prepared.iter().map(|one| &one.sides), &own);
        found = each(&prepared, parallelism, |one| one.stretches(Some((&elsewhere, &own[one.number]))))?;
    }
    each(&prepared, parallelism, |one| emit(one.pair, &one.structure, &one.sides, &found[one.number], config.unplaced))
}

/// A pair, and which it is.
struct Numbered<'p, 'a> {
    number: usize,
    prepared: &'p Prepared<'a>,
}

impl<'a> std::ops::Deref for Numbered<'_, 'a> {
    type Target = Prepared<'a>;

    fn deref(&self) -> &Prepared<'a> {
        self.prepared
    }
}

/// What is found of each pair, by all threads, in order.
fn each<T: Send>(
    all: &[Prepared<'_>],
    parallelism: &Parallelism,
    find: impl Fn(Numbered<'_, '_>) -> T + Sync,
) -> Result<Vec<T>> {
    let mut found = Vec::with_capacity(all.len());
    parallelism.map_ordered(
        all.len().div_ceil(CHUNK),
        || (),
        |(), chunk| {
            let range = chunk_range(all.len(), CHUNK, chunk);
            Ok(range.map(|number| find(Numbered { number, prepared: &all[number] })).collect::<Vec<_>>())
        },
        |some| {
            found.extend(some);
            Ok(())
        },
    )?;
    Ok(found)
}

impl Prepared<'_> {
    fn stretches(&self, elsewhere: Option<(&Elsewhere, &Own)>) -> Stretches {
        Placing::new(&self.structure, &self.sides, elsewhere).place()
    }
}
