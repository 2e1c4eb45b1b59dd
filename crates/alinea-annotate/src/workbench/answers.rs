//! What the page is told, as JSON.

use serde::Serialize;

use super::desk::Now;
use crate::annotate::{ADJUDICATOR, Annotator, Cell, Doing, Habit, Mark, Project, SentenceState};
use crate::decision::{Change, NAMES};
use crate::error::Result;
use crate::evaluate::{AgreementOptions, AnnotatorTypes, PairLengths};

/// Weaker cells are not told.
const LEAST: f32 = 0.05;

/// The project, and who asks.
#[derive(Debug, Serialize)]
pub(super) struct Session<'a> {
    title: &'a str,
    source_name: &'a str,
    target_name: &'a str,
    guideline: &'a str,
    you: You<'a>,
    annotators: Vec<Person>,
    sentences: usize,
    settings: Settings,
    can_close: bool,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct You<'a> {
    name: &'a str,
    adjudicates: bool,
}

/// How far a person is.
#[derive(Debug, Serialize)]
pub(super) struct Person {
    name: String,
    confirmed: usize,
    seconds: f64,
}

/// What can be switched on the page.
#[derive(Debug, Serialize)]
pub(super) struct Settings {
    learning: bool,
    follow: bool,
}

/// A line of the list.
#[derive(Debug, Serialize)]
struct Listed {
    s: String,
    t: String,
    status: &'static str,
    flag: bool,
    comment: bool,
    rank: Option<usize>,
    shared: bool,
    others: usize,
}

/// All lines of the list.
#[derive(Debug, Serialize)]
pub(super) struct List {
    sentences: Vec<Listed>,
}

/// A sentence pair with what a person said of it.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are fields of JSON")]
pub(super) struct Sentence<'a> {
    n: usize,
    source: &'a [String],
    target: &'a [String],
    steps: usize,
    #[serde(flatten)]
    said: Said<'a>,
    flag: bool,
    confirmed: bool,
    undo: bool,
    redo: bool,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<Suggested>,
}

/// What a person said of a sentence pair.
#[derive(Debug, Serialize)]
struct Said<'a> {
    marks: Vec<(u32, u32, Mark, bool)>,
    untranslated: Untranslated,
    comment: &'a str,
}

#[derive(Debug, Serialize)]
struct Untranslated {
    source: Vec<u32>,
    target: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct Suggested {
    version: u64,
    threshold: f32,
    cells: Vec<(u32, u32, f32)>,
}

/// A sentence pair with what all annotators said of it, and what was decided.
#[derive(Debug, Serialize)]
pub(super) struct Adjudicated<'a> {
    n: usize,
    source: &'a [String],
    target: &'a [String],
    annotators: Vec<Opinion<'a>>,
    decision: Sentence<'a>,
}

#[derive(Debug, Serialize)]
struct Opinion<'a> {
    name: &'a str,
    #[serde(flatten)]
    said: Said<'a>,
}

/// The sentences that several annotators have confirmed, those where they differ most first.
#[derive(Debug, Serialize)]
pub(super) struct ToAdjudicate<'a> {
    sentences: Vec<Differing<'a>>,
}

#[derive(Debug, Serialize)]
struct Differing<'a> {
    n: usize,
    annotators: Vec<&'a str>,
    differences: usize,
    decided: bool,
}

/// What is new.
#[derive(Debug, Serialize)]
pub(super) struct Changes {
    version: u64,
    suggestions: u64,
    learning: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoder_fault: Option<String>,
    annotators: Vec<Person>,
}

/// How far annotators agree, and what each did.
#[derive(Debug, Serialize)]
pub(super) struct AgreementTold {
    pairs: Vec<PairTold>,
    annotators: Vec<PersonTold>,
}

#[derive(Debug, Serialize)]
struct PairTold {
    first: String,
    second: String,
    sentences: usize,
    agreement: Option<f64>,
    kappa: Option<f64>,
}

#[derive(Debug, Serialize)]
struct PersonTold {
    #[serde(flatten)]
    person: Person,
    types: Types,
}

#[derive(Debug, Serialize, Default)]
struct Types {
    #[serde(rename = "1-1")]
    one_to_one: Option<f64>,
    chunk: Option<f64>,
    null: Option<f64>,
}

/// What the model has learned of the annotators.
#[derive(Debug, Serialize, Default)]
pub(super) struct Learned {
    used: bool,
    pairs: usize,
    aer_without: Option<f64>,
    aer_with: Option<f64>,
    habits: Vec<HabitTold>,
    changes: Vec<ChangeTold>,
}

#[derive(Debug, Serialize)]
struct HabitTold {
    side: usize,
    word: String,
    doing: Doing,
    times: u32,
    before: u32,
    of: u32,
}

#[derive(Debug, Serialize)]
struct ChangeTold {
    of: String,
    weight: f64,
}

pub(super) fn session<'a>(project: &'a Project, name: &'a str) -> Session<'a> {
    let [source_name, target_name] = &project.settings().names;
    Session {
        title: &project.settings().title,
        source_name,
        target_name,
        guideline: project.guideline(),
        you: You { name, adjudicates: name == ADJUDICATOR },
        annotators: people(project),
        sentences: project.len(),
        settings: settings(project),
        can_close: leads(project, name),
        version: env!("CARGO_PKG_VERSION"),
    }
}

/// Whether somebody may decide about the work of all: who works alone, or adjudicates.
pub(super) fn leads(project: &Project, name: &str) -> bool {
    name == ADJUDICATOR || project.annotators().count() == 1
}

pub(super) fn settings(project: &Project) -> Settings {
    Settings { learning: project.settings().learning, follow: project.settings().follow }
}

fn people(project: &Project) -> Vec<Person> {
    project.annotators().map(person).collect()
}

fn person(annotator: &Annotator) -> Person {
    Person {
        name: annotator.name().to_owned(),
        confirmed: annotator.confirmed_pairs(),
        seconds: annotator.seconds_of_confirmed(),
    }
}

/// The list of an annotator.
pub(super) fn list(project: &Project, annotator: &Annotator, now: &Now) -> List {
    let mut ranks = vec![None; project.len()];
    for (rank, &n) in now.queue.iter().enumerate() {
        ranks[n] = Some(rank);
    }
    let is_shared_work = project.annotators().count() > 1;
    let listed = |(n, rank): (usize, Option<usize>)| {
        let ([source, target], state) = (project.words(n), annotator.state(n));
        let others = project.annotators().filter(|other| other.name() != annotator.name());
        Listed {
            s: source.join(" "),
            t: target.join(" "),
            status: match (state.is_confirmed(), state.is_untouched()) {
                (true, _) => "confirmed",
                (false, true) => "new",
                (false, false) => "open",
            },
            flag: state.is_flagged(),
            comment: !state.comment().is_empty(),
            rank,
            shared: is_shared_work && project.is_shared(n),
            others: others.filter(|other| other.state(n).is_confirmed()).count(),
        }
    };
    List { sentences: ranks.into_iter().enumerate().map(listed).collect() }
}

/// A pair with what an annotator said of it; with suggestions, if there are some.
pub(super) fn sentence<'a>(
    project: &'a Project,
    annotator: &'a Annotator,
    n: usize,
    now: Option<&Now>,
) -> Sentence<'a> {
    let ([source, target], state) = (project.words(n), annotator.state(n));
    let [undo, redo] = annotator.can(n);
    let made = state.made_by_hand();
    let suggestions = now.and_then(|now| {
        let suggestions = now.suggestions.as_ref()?;
        let cells = suggestions.cells_beside(n, &made).filter(|found| found.weight >= LEAST);
        let cells = cells.map(|found| (found.link.source, found.link.target, found.weight)).collect();
        Some(Suggested { version: now.number, threshold: suggestions.threshold(), cells })
    });
    Sentence {
        n,
        source,
        target,
        steps: annotator.steps(n),
        said: said(state),
        flag: state.is_flagged(),
        confirmed: state.is_confirmed(),
        undo,
        redo,
        seconds: annotator.seconds(n),
        suggestions,
    }
}

fn said(state: &SentenceState) -> Said<'_> {
    let [source, target] = state.untranslated();
    let mark =
        |([source, target], marked): (Cell, crate::annotate::Marked)| (source, target, marked.mark, marked.is_accepted);
    Said {
        marks: state.marks().map(mark).collect(),
        untranslated: Untranslated {
            source: source.iter().copied().collect(),
            target: target.iter().copied().collect(),
        },
        comment: state.comment(),
    }
}

/// A pair that several annotators have confirmed.
pub(super) fn adjudicated(project: &Project, n: usize) -> Adjudicated<'_> {
    let [source, target] = project.words(n);
    let confirmed = project.annotators().filter(|annotator| annotator.state(n).is_confirmed());
    let opinions = confirmed.map(|annotator| Opinion { name: annotator.name(), said: said(annotator.state(n)) });
    Adjudicated {
        n,
        source,
        target,
        annotators: opinions.collect(),
        decision: sentence(project, project.adjudicator(), n, None),
    }
}

pub(super) fn to_adjudicate(project: &Project) -> ToAdjudicate<'_> {
    let differing = |n: usize| {
        let confirmed: Vec<&Annotator> =
            project.annotators().filter(|annotator| annotator.state(n).is_confirmed()).collect();
        let (first, others) = confirmed.split_first()?;
        if others.is_empty() {
            return None;
        }
        let gold = first.state(n).gold();
        let (mut all, mut any) =
            ([gold.sure().clone(), gold.possible().clone()], [gold.sure().clone(), gold.possible().clone()]);
        for other in others {
            let gold = other.state(n).gold();
            for (kind, links) in [gold.sure(), gold.possible()].into_iter().enumerate() {
                all[kind] = all[kind].intersection(links);
                any[kind] = any[kind].union(links);
            }
        }
        // Cells that are not the same to all: their kind differs, or whether they are links at all.
        let differing = any[0].difference(&all[0]).union(&any[1].difference(&all[1]));
        let annotators = confirmed.iter().map(|annotator| annotator.name()).collect();
        let decided = project.adjudicator().state(n).is_confirmed();
        Some(Differing { n, annotators, differences: differing.len(), decided })
    };
    let mut sentences: Vec<Differing<'_>> = (0..project.len()).filter_map(differing).collect();
    sentences.sort_by_key(|differing| (differing.decided, std::cmp::Reverse(differing.differences), differing.n));
    ToAdjudicate { sentences }
}

pub(super) fn changes(project: &Project, now: &Now, version: u64) -> Changes {
    Changes {
        version,
        suggestions: now.number,
        learning: now.is_learning,
        fault: now.fault.clone(),
        encoding: now.encoding,
        encoder_fault: now.encoder_fault.clone(),
        annotators: people(project),
    }
}

/// How far annotators agree on what they have confirmed.
pub(super) fn agreement(project: &Project) -> Result<AgreementTold> {
    let mut told = AgreementTold { pairs: Vec::new(), annotators: Vec::new() };
    let lengths: Vec<PairLengths> = (0..project.len())
        .map(|n| {
            let [source, target] = project.words(n);
            PairLengths::new(source.len(), target.len())
        })
        .collect();
    let has_any = project.annotators().any(|annotator| annotator.confirmed_pairs() > 0);
    let mut types: Vec<AnnotatorTypes> = Vec::new();
    if has_any {
        let annotations = project.annotations()?;
        let options = AgreementOptions::default().with(|options| options.bootstrap = None);
        for pair in annotations.agreement(Some(&lengths), &options)?.pairs {
            let (agreement, kappa) = (pair.agreement.value, pair.kappa.value);
            let (first, second, sentences) = (pair.first, pair.second, pair.sentences);
            told.pairs.push(PairTold { first, second, sentences, agreement, kappa });
        }
        types = annotations.correspondences(&lengths, options.kinds)?;
    }
    for annotator in project.annotators() {
        let shares = types.iter().find(|types| types.annotator == annotator.name()).map(|types| types.null_words);
        let types = shares.map_or_else(Types::default, |shares| Types {
            one_to_one: shares.one_to_one,
            chunk: shares.chunk,
            null: shares.null,
        });
        told.annotators.push(PersonTold { person: person(annotator), types });
    }
    Ok(told)
}

/// What was learned of the annotators, as far as it is about words, most first.
pub(super) fn learned(project: &Project, now: &Now) -> Learned {
    /// As many as people read, and how much is worth it.
    const MOST: usize = 40;
    const LEAST_CHANGE: f64 = 0.05;
    let Some(suggestions) = &now.suggestions else { return Learned::default() };
    let text = project.text();
    let vocabularies = [text.source.vocabulary(), text.target.vocabulary()];
    let changes = suggestions.guideline().map(|guideline| guideline.changes(vocabularies)).unwrap_or_default();
    let validation = suggestions.validation();
    let about_words = |change: &Change| !NAMES.contains(&change.of.as_str()) && change.weight.abs() >= LEAST_CHANGE;
    let told = changes.into_iter().filter(about_words).take(MOST);
    Learned {
        used: suggestions.guideline().is_some(),
        pairs: validation.map_or(0, |validation| validation.pairs),
        aer_without: validation.and_then(|validation| validation.without),
        aer_with: validation.and_then(|validation| validation.with),
        habits: suggestions.habits().iter().take(MOST).map(habit).collect(),
        changes: told.map(|Change { of, weight }| ChangeTold { of, weight }).collect(),
    }
}

fn habit(habit: &Habit) -> HabitTold {
    let Habit { side, word, doing, times, times_before, occurrences } = habit.clone();
    HabitTold { side, word, doing, times, before: times_before, of: occurrences }
}
