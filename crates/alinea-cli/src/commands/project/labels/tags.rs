//! Tags of words: parts of speech and features of CoNLL-U.

use alinea::error::{Error, Position};
use alinea::format::conllu_field::Field;
use alinea::format::sink;
use alinea::project::tags::{TaggedPair, project};
use alinea::tree::ParsedSentence;
use serde_json::json;

use super::formats::Found;
use super::task::Task;
use super::words::{ConlluTarget, forms, read_conllu};

/// What stands in an empty column.
const NOTHING: &str = "_";

pub(super) fn run(task: &Task<'_>, found: &Found, field: &Field) -> anyhow::Result<()> {
    let config = task.args.config();
    // Whether the method is one for tags is known before words are aligned.
    project(&[], &config)?;
    let sentences = read_conllu(&found.file)?;
    let name = found.file.name.as_str();
    let is_there = |sentence: &ParsedSentence| sentence.words().any(|word| field.of(word).is_some());
    if !sentences.iter().any(is_there) && !sentences.is_empty() {
        let expected = format!("words with {field}");
        return Err(Error::parse(Position::new(name, 1, 0), expected, b"").into());
    }
    // That a word has no features is what is known of it; a word without another tag is one whose tag is not known.
    let without = (*field == Field::Feats).then_some(NOTHING);
    let tags: Vec<Vec<Option<&str>>> =
        sentences.iter().map(|sentence| sentence.words().map(|word| field.of(word).or(without)).collect()).collect();
    let target = ConlluTarget::open(&task.args.target)?;
    let (output, mut report) = task.outputs()?;
    let (source, words): (Vec<Vec<&str>>, _) = (sentences.iter().map(forms).collect(), target.sentences());
    let links = task.links([name, target.name()], [&source, &words])?;
    let (Some(links), Some(mut output)) = (links, output) else { return Ok(()) };
    let pairs: Vec<TaggedPair<'_>> =
        (0..words.len()).map(|n| TaggedPair { tags: &tags[n], target: words[n].clone(), links: &links[n] }).collect();
    let mut found = project(&pairs, &config)?;
    for tag in found.iter_mut().flatten() {
        *tag = tag.filter(|tag| tag.tag != NOTHING);
    }

    let (mut file, mut tagged) = (String::new(), 0);
    for (number, (words, found)) in words.iter().zip(&found).enumerate() {
        let values: Vec<Option<&str>> = found.iter().map(|tag| tag.map(|tag| tag.tag)).collect();
        target.write(number, words, (field, &values), &mut file)?;
        output.write_bytes(file.as_bytes())?;
        file.clear();
        tagged += values.iter().flatten().count();
        let Some(report) = &mut report else { continue };
        for (word, tag) in found.iter().enumerate() {
            let line = json!({
                "pair": number + 1,
                "word": word,
                "tag": tag.map(|tag| tag.tag),
                "confidence": tag.map(|tag| tag.confidence),
            });
            report.write_bytes(format!("{line}\n").as_bytes())?;
        }
    }
    sink::finish_all([Some(output), report].into_iter().flatten())?;
    let all: usize = words.iter().map(Vec::len).sum();
    let (pairs, without) = (words.len(), all - tagged);
    let text = format!("pairs      {pairs}\nwords      {all}\ntagged     {tagged}\nwithout    {without}");
    task.context.summary(&text, &json!({"pairs": pairs, "words": all, "tagged": tagged, "without": without}));
    Ok(())
}
