//! The folder of an annotation project.
//!
//! ```text
//! project.json        what the project is called, and its settings
//! source.txt          the text, a line a sentence, words separated by blanks
//! target.txt
//! guideline.md        what is to be linked, for people
//! model.alinea        a saved model that is adapted to the text, if there is one
//! vectors.alinea      word vectors of the text, if there is an encoder
//! suggested.align     links that are suggested instead of those of the model, if some were given
//! journals/lisa.jsonl what an annotator did (see `Journal`)
//! adjudication.jsonl  what was decided where annotators differ
//! tokens.json         what tells annotators apart when they open the page; readable for the owner alone
//! port                the port that the page was last served at
//! ```
//!
//! It belongs to one process at a time. All files but journals are replaced as a whole; journals only grow.

mod sources;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::{Action, Entry, Mark};
use super::annotator::Annotator;
use super::lock::FolderLock;
use super::names::{self, composed};
use crate::alignment::{Alignment, GoldAlignment};
use crate::bitext::{Bitext, fnv_1a};
use crate::error::{Error, ErrorKind, Hint, Result};
use crate::evaluate::{Annotation, Annotations};
use crate::format::bitext::{ReadOptions, read_files};
use crate::format::{sink, source};
use crate::model::{Feature, ModelName};
use crate::numeric::Generator;
use crate::parallel::Parallelism;

const FORMAT: &str = "alinea annotation project";
const VERSION: u32 = 1;
const SETTINGS: &str = "project.json";
const TEXTS: [&str; 2] = ["source.txt", "target.txt"];
const GUIDELINE: &str = "guideline.md";
const JOURNALS: &str = "journals";
const ADJUDICATION: &str = "adjudication.jsonl";

/// The name of those who decide where annotators differ.
pub const ADJUDICATOR: &str = "adjudication";

/// What a project is called, and how it works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProjectSettings {
    /// What it is called.
    pub title: String,
    /// What the source and the target are called.
    pub names: [String; 2],
    /// The share of the sentences that all annotators link, from 0 to 1.
    pub shared: f64,
    /// The model that suggests links.
    #[serde(with = "model_name")]
    pub model: ModelName,
    /// Whether it learns from confirmed sentences.
    pub learning: bool,
    /// Whether suggestions follow what the annotators link.
    pub follow: bool,
    /// Whether words are compared in lower case.
    pub lowercase: bool,
    /// The encoder whose word vectors help the model: a folder, or a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoder: Option<String>,
}

impl Default for ProjectSettings {
    fn default() -> Self {
        Self {
            title: "Word alignment".to_owned(),
            names: ["source", "target"].map(str::to_owned),
            shared: 0.1,
            model: ModelName::default(),
            learning: true,
            follow: true,
            lowercase: true,
            encoder: None,
        }
    }
}

/// Models by name.
mod model_name {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::model::ModelName;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
    pub(super) fn serialize<S: Serializer>(model: &ModelName, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(model.name())
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<ModelName, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    format: String,
    version: u32,
    settings: ProjectSettings,
}

/// The words of a sentence pair.
pub type PairWords = [Vec<String>; 2];

/// A project that is open.
#[derive(Debug)]
pub struct Project {
    folder: PathBuf,
    settings: ProjectSettings,
    guideline: String,
    words: Arc<[PairWords]>,
    lengths: Arc<[[usize; 2]]>,
    text: Arc<Bitext>,
    fingerprint: u64,
    annotators: BTreeMap<String, Annotator>,
    adjudicator: Annotator,
    /// None if it is only read.
    lock: Option<FolderLock>,
}

impl Project {
    /// Whether a folder has a project.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(SETTINGS).exists()
    }

    /// Makes a project of a text, in a folder that is new or empty, and opens it.
    ///
    /// # Errors
    /// `Io`; `Inconsistent` if the folder has other files; `Config` for a setting that is not allowed; as [`open`](Self::open).
    pub fn create(folder: &Path, words: &[PairWords], settings: &ProjectSettings) -> Result<Self> {
        let io = |error: io::Error| Error::io(folder, error);
        check(settings)?;
        check_words(words)?;
        fs::create_dir_all(folder.join(JOURNALS)).map_err(io)?;
        // What begins with a dot is the system's, or ours.
        let is_ours = |name: &OsStr| name == JOURNALS || name.as_encoded_bytes().starts_with(b".");
        let ours = |entry: io::Result<fs::DirEntry>| Ok(is_ours(&entry?.file_name()));
        let found: io::Result<Vec<bool>> = fs::read_dir(folder).and_then(|entries| entries.map(ours).collect());
        if found.map_err(io)?.contains(&false) {
            let message = format!("{}: expected a new or empty folder, found other files", folder.display());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let mut outputs = Vec::new();
        for (side, name) in TEXTS.into_iter().enumerate() {
            let mut output = sink::create(folder.join(name))?;
            for pair in words {
                output.write_bytes(pair[side].join(" ").as_bytes())?;
                output.write_bytes(b"\n")?;
            }
            outputs.push(output);
        }
        outputs.push(settings_output(folder, settings)?);
        sink::finish_all(outputs)?;
        Self::open(folder)
    }

    /// Opens a project.
    ///
    /// # Errors
    /// `Io`; `Parse` for files that are damaged; `Inconsistent` if another process has the project open, for files of another
    /// version, and for journals of another text.
    pub fn open(folder: &Path) -> Result<Self> {
        // A folder without a project gets no lock.
        read_settings(folder)?;
        let lock = FolderLock::of(folder)?;
        Self::load(folder, Some(lock))
    }

    /// Opens the project of a text, or makes one with these settings if the folder has none.
    ///
    /// # Errors
    /// `Choice` if the folder has a project of another text; as [`open`](Self::open) and [`create`](Self::create).
    pub fn of_text(folder: &Path, words: &[PairWords], settings: &ProjectSettings) -> Result<Self> {
        if !Self::is_in(folder) {
            return Self::create(folder, words, settings);
        }
        let project = Self::open(folder)?;
        if *project.words != *words {
            let alike = project.words.iter().zip(words).take_while(|(ours, given)| ours == given).count();
            let other = "the project has another text, or the same one tokenized differently";
            let problem = format!("{other}: the first difference is in sentence {}", alike + 1);
            return Err(
                ErrorKind::Choice { path: folder.display().to_string(), problem, hint: Hint::OtherProject }.into()
            );
        }
        Ok(project)
    }

    /// Reads a project, which another process may have open; it cannot be changed.
    ///
    /// # Errors
    /// As [`open`](Self::open), but it need not be free.
    pub fn read(folder: &Path) -> Result<Self> {
        Self::load(folder, None)
    }

    fn load(folder: &Path, lock: Option<FolderLock>) -> Result<Self> {
        let settings = read_settings(folder)?;
        let words: Arc<[PairWords]> = read_words(folder)?.into();
        let options = ReadOptions::default().with(|options| {
            options.lowercase = settings.lowercase;
            options.max_length = usize::MAX;
        });
        let [source, target] = TEXTS.map(|name| source::open(folder.join(name)));
        let text = Arc::new(read_files(source?, target?, &options, &Parallelism::serial())?.bitext);
        let fingerprint = fingerprint(&words);
        let lengths: Arc<[_]> = words.iter().map(|[source, target]| [source.len(), target.len()]).collect();
        let adjudication = folder.join(ADJUDICATION);
        let open = if lock.is_some() { Annotator::open } else { Annotator::read };
        let adjudicator = open(&adjudication, ADJUDICATOR, fingerprint, Arc::clone(&lengths))?;
        let guideline = read_optional(&folder.join(GUIDELINE))?;
        let (folder, annotators) = (folder.to_owned(), BTreeMap::new());
        let mut project =
            Self { folder, settings, guideline, words, lengths, text, fingerprint, annotators, adjudicator, lock };
        for (name, path) in project.journals()? {
            if let Err(error) = project.add_journal(&name, &path) {
                // Errors of its content tell where.
                let is_name = matches!(error.kind(), ErrorKind::Config { .. });
                let named = || ErrorKind::Inconsistent(format!("{}: {error}", path.display())).into();
                return Err(if is_name { named() } else { error });
            }
        }
        Ok(project)
    }

    /// The project as it is now. It cannot be changed, and stays what it is when the project changes. O(annotators).
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let annotators = self.annotators.iter().map(|(name, annotator)| (name.clone(), annotator.snapshot()));
        Self {
            folder: self.folder.clone(),
            settings: self.settings.clone(),
            guideline: self.guideline.clone(),
            words: Arc::clone(&self.words),
            lengths: Arc::clone(&self.lengths),
            text: Arc::clone(&self.text),
            fingerprint: self.fingerprint,
            annotators: annotators.collect(),
            adjudicator: self.adjudicator.snapshot(),
            lock: None,
        }
    }

    /// The names of those who have journals, in order, and their files.
    fn journals(&self) -> Result<Vec<(String, PathBuf)>> {
        let folder = self.folder.join(JOURNALS);
        let io = |error: io::Error| Error::io(&folder, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            let name = entry.file_name();
            if let Some(name) =
                name.to_str().filter(|name| !name.starts_with('.')).and_then(|name| name.strip_suffix(".jsonl"))
            {
                names.push((composed(name), entry.path()));
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Has a person take part, by a name of letters, digits, `-`, `_` and `.`, or opens the journal of the person. An accented letter
    /// is the same as one character or as two.
    ///
    /// # Errors
    /// `Config` for a name that is not allowed, or that differs from another only in case; `Io`, `Parse` and
    /// `Inconsistent` for a journal that cannot be read.
    pub fn add_annotator(&mut self, name: &str) -> Result<()> {
        let name = composed(name);
        if self.annotators.contains_key(&name) {
            return Ok(());
        }
        let path = self.folder.join(JOURNALS).join(format!("{name}.jsonl"));
        self.add_journal(&name, &path)
    }

    /// Has the person take part whose journal is there, or is to be.
    fn add_journal(&mut self, name: &str, path: &Path) -> Result<()> {
        names::check(name, self.annotators.keys().map(String::as_str).chain([ADJUDICATOR]))?;
        let open = if self.lock.is_some() { Annotator::open } else { Annotator::read };
        let annotator = open(path, name, self.fingerprint, Arc::clone(&self.lengths))?;
        self.annotators.insert(name.to_owned(), annotator);
        Ok(())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What it is called, and how it works.
    pub fn settings(&self) -> &ProjectSettings {
        &self.settings
    }

    /// Changes how it works.
    ///
    /// # Errors
    /// `Config` for a setting that is not allowed; `Io`, and then nothing changes.
    pub fn set_settings(&mut self, settings: ProjectSettings) -> Result<()> {
        self.check_open()?;
        check(&settings)?;
        sink::finish_all(vec![settings_output(&self.folder, &settings)?])?;
        self.settings = settings;
        Ok(())
    }

    /// Refuses to change a project that was only read.
    fn check_open(&self) -> Result<()> {
        if self.lock.is_none() {
            let message = format!("{}: the project was only read", self.folder.display());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(())
    }

    /// What is to be linked, for people; empty if nobody wrote it.
    pub fn guideline(&self) -> &str {
        &self.guideline
    }

    /// Writes the guideline anew.
    ///
    /// # Errors
    /// `Io`, and then the old one stays.
    pub fn set_guideline(&mut self, text: &str) -> Result<()> {
        self.check_open()?;
        let mut output = sink::create(self.folder.join(GUIDELINE))?;
        output.write_bytes(text.as_bytes())?;
        output.finish()?;
        text.clone_into(&mut self.guideline);
        Ok(())
    }

    /// Enters links that an annotator made before, for the first pairs, as confirmed. Pairs without links, and those of which the
    /// annotator has said something, stay as they are.
    ///
    /// # Errors
    /// `UnequalLengths` for more links than pairs; `Inconsistent` for links outside of their sentences, and if there is no such
    /// annotator; as [`Annotator::perform`]. Then nothing is entered.
    pub fn import(&mut self, name: &str, links: &[GoldAlignment]) -> Result<()> {
        self.check_links(links.iter().map(GoldAlignment::possible))?;
        let Some(annotator) = self.annotators.get_mut(&composed(name)) else {
            return Err(ErrorKind::Inconsistent(format!("nobody is called {name}")).into());
        };
        let mut entries = Vec::new();
        for (n, gold) in links.iter().enumerate() {
            if gold.is_empty() || !annotator.state(n).is_untouched() {
                continue;
            }
            let mark = |link| if gold.sure().contains(link) { Mark::Sure } else { Mark::Possible };
            let accepted = gold.possible().iter().map(|link| ([link.source, link.target], mark(link)));
            let action = Action::Confirm { accepted: accepted.collect() };
            let id = format!("import-{n}-{}", annotator.steps(n));
            entries.push(Entry { id, at: 0, sentence: n, seconds: 0.0, action });
        }
        annotator.enter(entries)
    }

    /// Refuses links of the first pairs that the text does not have.
    fn check_links<'l>(&self, links: impl ExactSizeIterator<Item = &'l Alignment>) -> Result<()> {
        if links.len() > self.len() {
            return Err(Error::unequal_lengths("the text", self.len() as u64, "the links", links.len() as u64));
        }
        for (n, (links, [source, target])) in links.zip(&*self.words).enumerate() {
            if let Some(link) = links.first_outside(source.len(), target.len()) {
                let error = Error::link_outside_sentences(link, [source.len(), target.len()]);
                return Err(ErrorKind::Inconsistent(format!("line {}: {error}", n + 1)).into());
            }
        }
        Ok(())
    }

    /// The number of sentence pairs.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of a pair, as they are written.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn words(&self, n: usize) -> &PairWords {
        &self.words[n]
    }

    /// The text, as the model sees it.
    pub fn text(&self) -> &Bitext {
        &self.text
    }

    /// Those who take part, by name.
    pub fn annotators(&self) -> impl Iterator<Item = &Annotator> {
        self.annotators.values()
    }

    /// A person who takes part; the adjudicator by its name.
    pub fn annotator(&self, name: &str) -> Option<&Annotator> {
        if name == ADJUDICATOR { Some(&self.adjudicator) } else { self.annotators.get(&composed(name)) }
    }

    /// The same, who is to do something.
    pub fn annotator_mut(&mut self, name: &str) -> Option<&mut Annotator> {
        if name == ADJUDICATOR { Some(&mut self.adjudicator) } else { self.annotators.get_mut(&composed(name)) }
    }

    /// What was decided where annotators differ.
    pub fn adjudicator(&self) -> &Annotator {
        &self.adjudicator
    }

    /// Whether a pair is one of those that all annotators link. Which are depends on the text and on nothing else, and a greater
    /// share has those of a smaller one.
    pub fn is_shared(&self, n: usize) -> bool {
        Generator::named(self.fingerprint, &[n as u64]).unit() < self.settings.shared
    }

    /// The links of a pair: what was adjudicated, or else what the annotators who confirmed it agree
    /// on, and as possible what any of them linked.
    pub fn gold(&self, n: usize) -> Option<GoldAlignment> {
        if let Some(gold) = self.adjudicator.gold(n) {
            return Some(gold);
        }
        let mut confirmed = self.annotators.values().filter_map(|annotator| annotator.gold(n));
        let first = confirmed.next()?;
        let join = |joined: GoldAlignment, gold: GoldAlignment| {
            let (sure, possible) = (joined.sure().intersection(gold.sure()), joined.possible().union(gold.possible()));
            GoldAlignment::from_parts(sure, &possible)
        };
        Some(confirmed.fold(first, join))
    }

    /// The links of a pair that are learned from. Those of a pair that all annotators link are not, before all have confirmed it or
    /// it was adjudicated: what one has linked must not be suggested to another.
    pub fn known_of(&self, n: usize) -> Option<GoldAlignment> {
        let is_settled = !self.is_shared(n)
            || self.adjudicator.state(n).is_confirmed()
            || self.annotators.values().all(|annotator| annotator.state(n).is_confirmed());
        if is_settled { self.gold(n) } else { None }
    }

    /// The links of all pairs that are learned from, ascending.
    pub fn known(&self) -> Vec<(usize, GoldAlignment)> {
        (0..self.len()).filter_map(|n| Some((n, self.known_of(n)?))).collect()
    }

    /// The links of all pairs that have some, ascending.
    pub fn all_gold(&self) -> Vec<(usize, GoldAlignment)> {
        (0..self.len()).filter_map(|n| Some((n, self.gold(n)?))).collect()
    }

    /// What each annotator has confirmed, for agreement.
    ///
    /// # Errors
    /// As [`Annotations::new`]: nobody takes part, or nobody has confirmed anything.
    pub fn annotations(&self) -> Result<Annotations> {
        let of = |annotator: &Annotator| {
            Annotation::new(annotator.name(), (0..self.len()).map(|n| annotator.gold(n)).collect())
        };
        Annotations::new(self.annotators.values().map(of).collect())
    }
}

/// What tells a text from others: FNV-1a of its words.
fn fingerprint(words: &[PairWords]) -> u64 {
    let sides = words.iter().flatten();
    fnv_1a(sides.flat_map(|side| side.iter().flat_map(|word| word.bytes().chain([b' '])).chain([b'\n'])))
}

/// Refuses words that a line of words could not have.
fn check_words(words: &[PairWords]) -> Result<()> {
    for (n, pair) in words.iter().enumerate() {
        let is_none = |word: &&String| word.is_empty() || word.contains([' ', '\t', '\n', '\r']);
        if let Some(word) = pair.iter().flatten().find(is_none) {
            let message = format!("pair {}: {word:?} is no word: it is empty, or has white space", n + 1);
            return Err(ErrorKind::Inconsistent(message).into());
        }
    }
    Ok(())
}

fn check(settings: &ProjectSettings) -> Result<()> {
    if !(0.0..=1.0).contains(&settings.shared) {
        return Err(Error::config("shared", settings.shared, "0 to 1"));
    }
    if settings.encoder.is_some() {
        settings.model.require(Feature::Encoder)?;
    }
    Ok(())
}

fn settings_output(folder: &Path, settings: &ProjectSettings) -> Result<sink::Output> {
    let path = folder.join(SETTINGS);
    let mut output = sink::create(&path)?;
    let file = SettingsFile { format: FORMAT.to_owned(), version: VERSION, settings: settings.clone() };
    let mut text = serde_json::to_vec_pretty(&file).map_err(|error| Error::io(&path, error.into()))?;
    text.push(b'\n');
    output.write_bytes(&text)?;
    Ok(output)
}

fn read_settings(folder: &Path) -> Result<ProjectSettings> {
    let path = folder.join(SETTINGS);
    let text = fs::read(&path).map_err(|error| Error::io(&path, error))?;
    let file: SettingsFile = serde_json::from_slice(&text).map_err(|error| {
        let position =
            crate::error::Position::new(path.display().to_string(), error.line() as u64, error.column() as u64);
        let line = text.split(|&byte| byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        Error::parse(position, "the settings of an annotation project", line)
    })?;
    if file.format != FORMAT || file.version != VERSION {
        let message =
            format!("{}: {} {}, this program knows {FORMAT} {VERSION}", path.display(), file.format, file.version);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    check(&file.settings)?;
    Ok(file.settings)
}

fn read_words(folder: &Path) -> Result<Vec<PairWords>> {
    let mut sides = Vec::new();
    for name in TEXTS {
        let mut text = String::new();
        let path = folder.join(name);
        source::open(&path)?.read_to_string(&mut text).map_err(|error| Error::io(&path, error))?;
        let words = |line: &str| line.split([' ', '\t']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n');
        sides.push(if text.is_empty() { Vec::new() } else { lines.map(words).collect::<Vec<Vec<String>>>() });
    }
    let [source, target] = [0, 1].map(|side| std::mem::take(&mut sides[side]));
    if source.len() != target.len() {
        return Err(Error::unequal_lengths(TEXTS[0], source.len() as u64, TEXTS[1], target.len() as u64));
    }
    Ok(source.into_iter().zip(target).map(|(source, target)| [source, target]).collect())
}

fn read_optional(path: &Path) -> Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Error::io(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::annotator::Performed;

    pub(crate) fn words(lines: &[(&str, &str)]) -> Vec<PairWords> {
        let cut = |line: &str| line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        lines.iter().map(|(source, target)| [cut(source), cut(target)]).collect()
    }

    const TEXT: [(&str, &str); 3] = [("The house", "La maison"), ("", "vide"), ("A flower !", "Une fleur !")];

    fn project(folder: &Path) -> Project {
        let mut project = Project::create(folder, &words(&TEXT), &ProjectSettings::default()).unwrap();
        for name in ["lisa", "jonas"] {
            project.add_annotator(name).unwrap();
        }
        project
    }

    fn confirm(project: &mut Project, name: &str, n: usize, links: &[([u32; 2], Mark)]) {
        let action = Action::Confirm { accepted: links.to_vec() };
        let entry = Entry { id: format!("{name}{n}"), at: 0, sentence: n, seconds: 2.0, action };
        let annotator = project.annotator_mut(name).unwrap();
        let steps = annotator.steps(n);
        assert_eq!(annotator.perform(entry, steps).unwrap(), Performed::Done);
    }

    fn one_link() -> GoldAlignment {
        GoldAlignment::from_parts([(0, 0)].into(), &[].into())
    }

    #[test]
    fn a_project_is_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = project(folder.path());
        confirm(&mut first, "lisa", 0, &[([0, 0], Mark::Sure)]);
        first.set_settings(ProjectSettings { title: "Houses".to_owned(), ..first.settings().clone() }).unwrap();
        std::fs::write(folder.path().join(GUIDELINE), "Link articles.\n").unwrap();
        let message = Project::open(folder.path()).unwrap_err().to_string();
        assert!(message.ends_with("another process has this project open"), "{message}");
        drop(first);
        let again = Project::open(folder.path()).unwrap();
        let mut read = Project::read(folder.path()).unwrap();
        assert_eq!(read.all_gold(), again.all_gold());
        let message =
            read.import("lisa", &[GoldAlignment::default(), GoldAlignment::default(), one_link()]).unwrap_err();
        assert_eq!(message.to_string(), "the journal of lisa was only read");
        assert!(read.set_guideline("").unwrap_err().to_string().ends_with("the project was only read"));
        assert_eq!((again.settings().title.as_str(), again.guideline()), ("Houses", "Link articles.\n"));
        assert_eq!(again.words(0), &words(&TEXT)[0]);
        assert_eq!((again.len(), again.words(1)[0].len()), (3, 0));
        let names: Vec<&str> = again.annotators().map(Annotator::name).collect();
        assert_eq!(names, ["jonas", "lisa"]);
        assert!(again.annotator("lisa").unwrap().state(0).is_confirmed());
    }

    #[test]
    fn a_snapshot_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let mut project = project(folder.path());
        confirm(&mut project, "lisa", 0, &[([0, 0], Mark::Sure)]);
        let mut before = project.snapshot();
        confirm(&mut project, "lisa", 2, &[]);
        confirm(&mut project, "jonas", 0, &[([0, 0], Mark::Possible)]);
        project.set_settings(ProjectSettings { title: "Houses".to_owned(), ..project.settings().clone() }).unwrap();
        assert_eq!(before.all_gold(), [(0, one_link())]);
        assert_eq!(before.annotator("lisa").unwrap().confirmed_pairs(), 1);
        assert_eq!(before.settings().title, "Word alignment");
        assert_eq!(project.annotator("lisa").unwrap().confirmed_pairs(), 2);
        assert!(project.annotator("jonas").unwrap().state(0).is_confirmed());
        assert!(before.set_guideline("").unwrap_err().to_string().ends_with("the project was only read"));
        let entry = Entry { id: "a".to_owned(), at: 0, sentence: 1, seconds: 0.0, action: Action::Reopen };
        let message = before.annotator_mut("lisa").unwrap().perform(entry, 0).unwrap_err().to_string();
        assert_eq!(message, "the journal of lisa was only read");
    }

    #[test]
    fn gold_is_what_was_decided_or_what_annotators_agree_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut project = project(folder.path());
        confirm(&mut project, "lisa", 0, &[([0, 0], Mark::Sure), ([1, 1], Mark::Sure)]);
        let both: crate::alignment::Alignment = [(0, 0), (1, 1)].into();
        assert_eq!(project.gold(0).unwrap().sure(), &both);
        confirm(&mut project, "jonas", 0, &[([0, 0], Mark::Sure), ([1, 0], Mark::Possible)]);
        let joined = project.gold(0).unwrap();
        assert_eq!(joined, GoldAlignment::from_parts([(0, 0)].into(), &[(1, 1), (1, 0)].into()));
        let annotations = project.annotations().unwrap();
        assert_eq!(annotations.union_of(0), Some(joined));
        confirm(&mut project, ADJUDICATOR, 0, &[([1, 1], Mark::Sure)]);
        assert_eq!(project.gold(0).unwrap().sure(), &[(1, 1)].into());
        assert_eq!((project.all_gold().len(), project.known().len()), (1, 1));
        assert_eq!(project.annotator("lisa").unwrap().gold(0).unwrap().sure(), &both, "nobody's links change");
    }

    #[test]
    fn what_one_has_linked_is_not_suggested_to_another() {
        let folder = tempfile::tempdir().unwrap();
        let mut project = project(folder.path());
        project.set_settings(ProjectSettings { shared: 1.0, ..project.settings().clone() }).unwrap();
        confirm(&mut project, "lisa", 0, &[([0, 0], Mark::Sure)]);
        assert_eq!((project.all_gold().len(), project.known()), (1, vec![]));
        confirm(&mut project, "jonas", 0, &[([0, 0], Mark::Sure)]);
        assert_eq!(project.known().len(), 1);
        confirm(&mut project, "lisa", 2, &[([0, 0], Mark::Sure)]);
        confirm(&mut project, ADJUDICATOR, 2, &[([1, 1], Mark::Sure)]);
        assert_eq!(project.known().len(), 2);
        project.set_settings(ProjectSettings { shared: 0.0, ..project.settings().clone() }).unwrap();
        assert_eq!(project.known().len(), 2);
    }

    #[test]
    fn links_made_elsewhere_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut project = project(folder.path());
        assert_eq!(project.suggested().unwrap(), []);
        project.set_suggested(&[[(0, 0), (1, 1)].into(), Alignment::new()]).unwrap();
        let given = vec![(0, [(0, 0), (1, 1)].into())];
        assert_eq!(project.suggested().unwrap(), given);
        let message = project.set_suggested(&[Alignment::new(), [(9, 0)].into()]).unwrap_err().to_string();
        assert!(message.starts_with("line 2: ") && message.contains("9-0"), "{message}");
        let message = project.set_suggested(&vec![Alignment::new(); 4]).unwrap_err().to_string();
        assert!(message.starts_with("unequal lengths"), "{message}");
        drop(project);
        assert_eq!(Project::read(folder.path()).unwrap().suggested().unwrap(), given, "nothing was half written");
        std::fs::write(folder.path().join("suggested.align"), "9-0\n").unwrap();
        assert!(Project::read(folder.path()).unwrap().suggested().is_err());
    }

    #[test]
    fn shared_sentences_are_a_share_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<String> = (0..1000).map(|n| format!("word{n}")).collect();
        let text: Vec<(&str, &str)> = lines.iter().map(|line| (line.as_str(), "mot")).collect();
        let mut project = Project::create(folder.path(), &words(&text), &ProjectSettings::default()).unwrap();
        let shared = |project: &Project| (0..1000).filter(|&n| project.is_shared(n)).collect::<Vec<_>>();
        let tenth = shared(&project);
        assert!((70..130).contains(&tenth.len()), "{}", tenth.len());
        let mut set = |shared| project.set_settings(ProjectSettings { shared, ..project.settings().clone() });
        assert!(set(1.5).unwrap_err().to_string().starts_with("shared = 1.5: must be"));
        set(0.3).unwrap();
        let more = shared(&project);
        assert!(tenth.iter().all(|n| more.contains(n)));
        project.set_settings(ProjectSettings { shared: 1.0, ..project.settings().clone() }).unwrap();
        assert_eq!(shared(&project).len(), 1000);
    }

    #[test]
    fn names_are_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut project = project(folder.path());
        for name in ["", ".x", "a/b", "..", "a b", "Lisa", "Adjudication", "Nul", "com1.b", &"x".repeat(41)] {
            let error = project.add_annotator(name).unwrap_err().to_string();
            assert!(error.starts_with("annotator = "), "{error}");
        }
        project.add_annotator("Žofia-2.b").unwrap();
        assert!(folder.path().join("journals/Žofia-2.b.jsonl").exists());
    }

    #[test]
    fn accents_make_no_other_person() {
        let (one, two) = ("Zoe\u{301}", "Zo\u{e9}");
        let folder = tempfile::tempdir().unwrap();
        let mut project = project(folder.path());
        for name in [one, two] {
            project.add_annotator(name).unwrap();
            assert_eq!(project.annotator(name).unwrap().name(), two);
        }
        assert_eq!(project.annotators().count(), 3);
        project.import(one, &[one_link()]).unwrap();
        drop(project);
        // As a file system or a program may have it that takes accents apart.
        let journals = folder.path().join(JOURNALS);
        let [composed, apart] = [two, one].map(|name| journals.join(format!("{name}.jsonl")));
        let text = std::fs::read_to_string(&composed).unwrap();
        std::fs::remove_file(&composed).unwrap();
        std::fs::write(&apart, text.replace(two, one)).unwrap();
        let mut project = Project::open(folder.path()).unwrap();
        assert_eq!(project.annotator(two).unwrap().gold(0), Some(one_link()));
        confirm(&mut project, two, 2, &[]);
        drop(project);
        let project = Project::open(folder.path()).unwrap();
        assert_eq!(project.annotator(one).unwrap().confirmed().collect::<Vec<_>>(), [0, 2]);
        drop(project);
        // Where both are, nobody can tell which is meant.
        if !composed.exists() {
            std::fs::write(&composed, text).unwrap();
            let message = Project::open(folder.path()).unwrap_err().to_string();
            assert!(message.contains(".jsonl: annotator = Zo\u{e9}: must be"), "{message}");
        }
    }

    #[test]
    fn other_folders_and_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("notes.txt"), "x").unwrap();
        let create = |path: &Path| Project::create(path, &words(&TEXT), &ProjectSettings::default());
        let message = create(folder.path()).unwrap_err().to_string();
        assert!(message.ends_with("expected a new or empty folder, found other files"), "{message}");
        assert!(!Project::is_in(folder.path()));
        let path = folder.path().join("project");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join(".DS_Store"), "x").unwrap();
        drop(create(&path).unwrap());
        assert!(create(&path).unwrap_err().to_string().contains("expected a new or empty folder"));
        let blank = [[vec!["New York".to_owned()], vec!["ville".to_owned()]]];
        let other = folder.path().join("other");
        let message = Project::create(&other, &blank, &ProjectSettings::default()).unwrap_err().to_string();
        assert_eq!(message, "pair 1: \"New York\" is no word: it is empty, or has white space");
        assert!(!other.exists());
        let settings = std::fs::read_to_string(path.join(SETTINGS)).unwrap();
        let reopened = |text: &str| {
            std::fs::write(path.join(SETTINGS), text).unwrap();
            Project::open(&path).unwrap_err().to_string()
        };
        assert!(reopened(&settings.replace("0.1", "7")).starts_with("shared = 7: must be"));
        assert!(reopened(&settings.replace("agreement-loo", "ibm9")).contains("project.json:"));
        assert!(reopened("{").contains("project.json:1:1: expected the settings of an annotation project"));
        assert!(reopened(&settings.replace("\"version\": 1", "\"version\": 9")).contains("this program knows"));
        std::fs::write(path.join(SETTINGS), &settings).unwrap();
        std::fs::write(path.join(TEXTS[0]), "x\n").unwrap();
        let message = Project::open(&path).unwrap_err().to_string();
        assert_eq!(message, "unequal lengths: source.txt has 1 line, target.txt has 3");
    }
}
