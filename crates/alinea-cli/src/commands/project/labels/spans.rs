//! Labels of stretches of words, written as tags: in columns, or in MISC of CoNLL-U.

use alinea::error::{Error, Position};
use alinea::format::columns::{self, Choice};
use alinea::format::conllu_field::Field;
use alinea::format::sink;
use alinea::labels::{LabeledSpan, Scheme, Tag, spans_of};
use alinea::project::labels::{LabeledPair, ProjectedLabels, project};
use alinea::tree::ParsedSentence;

use super::formats::Found;
use super::report::{Fate, Totals};
use super::task::Task;
use super::words::{ColumnTarget, ConlluTarget, forms, read_conllu};

/// A source: the name of its file, its words, and their labels.
struct Source<'s> {
    name: &'s str,
    words: Vec<Vec<&'s str>>,
    spans: Vec<Vec<LabeledSpan>>,
    scheme: Scheme,
}

pub(super) fn of_columns(task: &Task<'_>, found: &Found) -> anyhow::Result<()> {
    let column = |number: Option<u32>| number.map(|number| number as usize - 1);
    let choice = Choice { words: column(task.args.words), tags: column(task.args.tags) };
    let text = columns::read(found.file.reader(), choice)?;
    let (spans, scheme) = (text.spans()?, text.scheme()?);
    let words = (0..spans.len()).map(|number| text.words(number).collect()).collect();
    let scheme = task.args.scheme.or(scheme).unwrap_or(Scheme::Iob2);
    let target = ColumnTarget::open(&task.args.target)?;
    let source = Source { name: &text.name, words, spans, scheme };
    carry(task, &source, target.name(), &target.sentences(), |number, words, tags, file| {
        target.write(number, words, tags, file)
    })
}

pub(super) fn of_conllu(task: &Task<'_>, found: &Found, field: &Field) -> anyhow::Result<()> {
    let sentences = read_conllu(&found.file)?;
    let name = found.file.name.as_str();
    let tags = sentences.iter().map(|sentence| field.tags(sentence, name)).collect::<Result<Vec<_>, _>>()?;
    let values = || sentences.iter().flat_map(ParsedSentence::words).filter_map(|word| field.of(word));
    if values().next().is_none() && !sentences.is_empty() {
        let expected = format!("words with {field} (--field says what is carried: upos, xpos, feats or misc:NAME)");
        return Err(Error::parse(Position::new(name, 1, 0), expected, b"").into());
    }
    let scheme = scheme(&tags);
    // `O` is written where the source has it.
    let has_outside = values().any(|value| value == "O");
    let target = ConlluTarget::open(&task.args.target)?;
    let source = Source {
        name,
        words: sentences.iter().map(forms).collect(),
        spans: tags.iter().map(|tags| spans_of(tags)).collect(),
        scheme: task.args.scheme.or(scheme).unwrap_or(Scheme::Iob2),
    };
    carry(task, &source, target.name(), &target.sentences(), |number, words, tags, file| {
        let value = |tag| Some(tag).filter(|&tag| has_outside || tag != "O");
        let values: Vec<Option<&str>> = tags.iter().map(|tag| value(tag.as_str())).collect();
        target.write(number, words, (field, &values), file)
    })
}

/// The scheme of a text.
fn scheme(sentences: &[Vec<Tag<'_>>]) -> Option<Scheme> {
    let mut seen = sentences.iter().filter_map(|tags| Scheme::of(tags));
    let first = seen.next()?;
    Some(std::iter::once(first).chain(seen).find(|scheme| *scheme != Scheme::Iob2).unwrap_or(first))
}

/// Carries labels over, and writes sentences by `write`: number, words, tags, file.
fn carry(
    task: &Task<'_>,
    source: &Source<'_>,
    target_name: &str,
    target: &[Vec<&str>],
    write: impl Fn(usize, &[&str], &[String], &mut String) -> Result<(), Error>,
) -> anyhow::Result<()> {
    let (output, mut report) = task.outputs()?;
    let links = task.links([source.name, target_name], [&source.words, target])?;
    let (Some(links), Some(mut output)) = (links, output) else { return Ok(()) };
    let pairs: Vec<LabeledPair<'_>> = (0..target.len())
        .map(|n| LabeledPair {
            source: source.words[n].clone(),
            target: target[n].clone(),
            spans: &source.spans[n],
            links: &links[n],
        })
        .collect();
    let found = project(&pairs, &task.args.config(), &task.parallelism)?;

    let (mut file, mut totals) = (String::new(), Totals::default());
    for (number, (pair, found)) in pairs.iter().zip(found).enumerate() {
        let found: ProjectedLabels = found.apart();
        let of = |label: usize| pair.spans[label].label.as_str();
        let labels: Vec<LabeledSpan> =
            found.spans.iter().map(|span| LabeledSpan::new(span.words.clone(), of(span.source))).collect();
        write(number, &pair.target, &source.scheme.tags(pair.target.len(), &labels)?, &mut file)?;
        output.write_bytes(file.as_bytes())?;
        file.clear();
        totals.pairs += 1;
        for (label, span) in pair.spans.iter().enumerate() {
            let what = (number + 1, span.label.as_str(), [span.words.start, span.words.end]);
            totals.add(&Fate::new(what, label, &found, |words| [words.start, words.end]), &mut report)?;
        }
    }
    sink::finish_all([Some(output), report].into_iter().flatten())?;
    totals.tell(task.context);
    Ok(())
}
