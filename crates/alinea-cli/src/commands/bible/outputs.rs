//! What is written of links between the words of verses: books with milestones, records, or lines; and beside that texts and references.
//!
//! All files take their names together, at the end.

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::error::{Error, ErrorKind};
use alinea::format::burrito::{self, Layout, Numbering, Record, linked_groups};
use alinea::format::sink::{self, Output};
use alinea::format::source::is_dash;
use alinea::format::usfm::{Book, VerseLinks};
use anyhow::{Context as _, bail};

use super::sides::Sides;
use crate::input::paths::{Role, check_distinct};

/// Texts and references.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct TextOutputArgs {
    /// Output files with the words of the aligned verses, separated by blanks, one pair of verses a line
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2)]
    texts: Vec<PathBuf>,
    /// Output file with the references of the aligned verses, one a line
    #[arg(long, value_name = "FILE")]
    verses: Option<PathBuf>,
}

impl TextOutputArgs {
    /// The files, with the options that name them.
    pub(super) fn roles(&self) -> Vec<Role<'_>> {
        let texts = self.texts.iter().map(|path| Role::new("--texts", path));
        texts.chain(self.verses.iter().map(|path| Role::new("--verses", path))).collect()
    }

    /// Writes them, to be finished with what else is written.
    pub(super) fn write(&self, sides: &Sides) -> anyhow::Result<Vec<Output>> {
        let mut outputs = Vec::new();
        for (side, path) in self.texts.iter().enumerate() {
            let lines = sides.pairs.iter().map(|pair| sides.words(pair, side).join(" "));
            outputs.push(file(path, &in_lines(lines))?);
        }
        if let Some(path) = &self.verses {
            outputs.push(file(path, &in_lines(sides.pairs.iter().map(|pair| pair.reference.to_string())))?);
        }
        Ok(outputs)
    }
}

/// Lines of a file.
pub(super) fn in_lines(lines: impl Iterator<Item = String>) -> String {
    lines.fold(String::new(), |file, line| file + &line + "\n")
}

/// A file that takes its name when it is finished.
pub(super) fn file(path: &Path, text: &str) -> anyhow::Result<Output> {
    let mut output = sink::create(path)?;
    output.write_bytes(text.as_bytes())?;
    Ok(output)
}

/// The links as lines.
pub(super) fn lines(links: &[Alignment]) -> String {
    in_lines(links.iter().map(Alignment::to_string))
}

/// The links as records.
pub(super) fn records(sides: &Sides, links: &[Alignment], layout: Layout) -> anyhow::Result<String> {
    let [source, target] = numberings(sides)?;
    let mut records = Vec::new();
    for (pair, links) in sides.pairs.iter().zip(links) {
        let places = [0, 1].map(|side| sides.places(pair, side));
        let ids = |numbering: &Numbering, side: usize, words: &[u32]| {
            let place = |&word: &u32| places[side][word as usize];
            words.iter().map(place).map(|(verse, word)| numbering.id(verse, word)).collect::<Vec<_>>()
        };
        records.extend(linked_groups(links).iter().map(|[from, to]| Record {
            id: None,
            source: ids(&source, 0, from),
            target: ids(&target, 1, to),
        }));
    }
    let names = [0, 1].map(|side: usize| {
        let name = Path::new(&sides.both[side].name).file_stem();
        name.map_or_else(|| "-".to_owned(), |name| name.to_string_lossy().into_owned())
    });
    Ok(burrito::write(&records, [&names[0], &names[1]], layout))
}

/// The ids of the words of both sides.
pub(super) fn numberings(sides: &Sides) -> anyhow::Result<[Numbering; 2]> {
    let of = |side: usize| {
        let name = &sides.both[side].name;
        let verses = sides.both[side].verses.iter();
        Numbering::new(verses.map(|verse| (verse.reference, verse.words.len()))).map_err(|error| error.within(name))
    };
    Ok([of(0)?, of(1)?])
}

/// The books of the target with milestones.
pub(super) fn books(sides: &Sides, links: &[Alignment]) -> anyhow::Result<Vec<String>> {
    let target = &sides.both[1];
    let mut all: Vec<Vec<VerseLinks>> =
        target.books.iter().map(|book| vec![VerseLinks::default(); book.verses.len()]).collect();
    for (pair, links) in sides.pairs.iter().zip(links) {
        let sources = sides.source_words(pair);
        let places = sides.places(pair, 1);
        for link in links.iter() {
            let (verse, word) = places[link.target as usize];
            let Some((book, number)) = target.verses[verse].place else { continue };
            let verse = &mut all[book][number];
            if verse.sources.is_empty() {
                verse.sources.clone_from(&sources);
            }
            verse.links.insert(alinea::alignment::Link::new(link.source, word as u32));
        }
    }
    let texts = target.books.iter().zip(all).map(|(book, links)| book.aligned_text(&links));
    Ok(texts.collect::<Result<Vec<_>, Error>>()?)
}

/// Where books go: one to a file, several, or those of a folder, to a folder, under their names.
pub(super) fn places(books: &[Book], target: &Path, output: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !target.is_dir() && !output.is_dir() {
        return Ok(vec![output.to_owned()]);
    }
    if is_dash(output) {
        bail!("{}: books of a folder need a folder to be written to: -o FOLDER", target.display());
    }
    if output.exists() && !output.is_dir() {
        let reason = "books of a folder need a folder to be written to";
        return Err(Error::from(ErrorKind::UnusablePath { path: output.display().to_string(), reason }).into());
    }
    Ok(books.iter().filter_map(|book| Some(output.join(Path::new(&book.name).file_name()?))).collect())
}

/// Writes books, and what else there is, all or nothing.
pub(super) fn finish(books: &[(PathBuf, String)], folder: Option<&Path>, others: Vec<Output>) -> anyhow::Result<()> {
    let new = folder.filter(|folder| !folder.exists());
    if let Some(folder) = new {
        std::fs::create_dir(folder).with_context(|| folder.display().to_string())?;
    }
    let write = || -> anyhow::Result<()> {
        let mut outputs = others;
        for (path, text) in books {
            outputs.push(file(path, text)?);
        }
        Ok(sink::finish_all(outputs)?)
    };
    let written = write();
    if let (Err(_), Some(folder)) = (&written, new) {
        // It is empty; if not, it is needed.
        let _ = std::fs::remove_dir(folder);
    }
    written
}

/// Refuses outputs that are inputs, books among them.
pub(super) fn check_books(inputs: &[&[Book]; 2], places: &[PathBuf]) -> anyhow::Result<()> {
    let names: Vec<PathBuf> =
        inputs.iter().flat_map(|books| books.iter()).map(|book| PathBuf::from(&book.name)).collect();
    let inputs: Vec<Role<'_>> = names.iter().map(|path| Role::new("book", path)).collect();
    let outputs: Vec<Role<'_>> = places.iter().map(|path| Role::new("--output", path)).collect();
    check_distinct(&inputs, &outputs)
}
