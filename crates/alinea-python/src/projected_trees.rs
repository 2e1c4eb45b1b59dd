//! Dependency trees carried over links.
//!
//! `project_trees` returns for each pair the words with their heads, as tuples: form, part of speech, head (from 0, none for the root),
//! relation, origin, confidence, and the source word whose head was carried over. `tree_words` are the forms of the words of trees.

use alinea::error::{Error, ErrorKind, Result};
use alinea::parallel::Parallelism;
use alinea::project::trees::{ProjectedTree, ProjectedWord, TargetWord, TreeConfig, TreePair, project};
use alinea::tree::Roots;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arguments;
use crate::error::to_python;
use crate::links::{ReadMany, alignments, check_lengths, weighted};
use crate::project::ReadTrees;
use crate::text::{TextOptions, read};
use crate::work::run;

/// A word: form, part of speech, head, relation, origin, confidence, source word.
type Word = (String, String, Option<u32>, String, &'static str, f32, Option<u32>);

/// The forms of the words of each sentence.
#[pyfunction]
pub(crate) fn tree_words(py: Python<'_>, trees: ReadTrees) -> PyResult<Vec<Vec<String>>> {
    run(py, move |_| {
        let sentences = trees.read("source", Roots::One)?;
        Ok(sentences.iter().map(|sentence| sentence.words().map(|word| word.form().to_owned()).collect()).collect())
    })
}

/// Projects the trees of a text.
#[pyfunction]
#[pyo3(signature = (source, target, upos, links, confidences, *, method, threshold, threads))]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn project_trees(
    py: Python<'_>,
    source: ReadTrees,
    target: &Bound<'_, PyAny>,
    upos: Option<Vec<Vec<Option<String>>>>,
    links: ReadMany<'_>,
    confidences: Option<PyReadonlyArray1<'_, f32>>,
    method: &str,
    threshold: f32,
    threads: i64,
) -> PyResult<Vec<Vec<Word>>> {
    let threads = arguments::threads(threads).map_err(to_python)?;
    let method = method.parse().map_err(to_python)?;
    let config = TreeConfig::default().with(|config| {
        config.method = method;
        config.threshold = threshold;
    });
    let target = read(target, "target", TextOptions::AS_IS)?;
    let links = alignments(&links);
    let confidences = confidences.map(|given| given.as_array().to_vec());
    run(py, move |_| {
        config.validate()?;
        let source = source.read("source", Roots::One)?;
        let of_upos = upos.as_ref().map_or(source.len(), Vec::len);
        check_lengths(source.len(), &[("target", target.len()), ("upos", of_upos), ("links", links.len())])?;
        let links = weighted(&links, confidences)?;
        let words = (0..source.len())
            .map(|n| {
                let forms: Vec<&str> =
                    target.sentence(n).iter().map(|&word| text_of(target.vocabulary().word(word))).collect();
                words(n, &forms, upos.as_ref().map(|upos| upos[n].as_slice()))
            })
            .collect::<Result<Vec<_>>>()?;
        let pairs: Vec<TreePair<'_>> = (source.iter().zip(words).zip(&links))
            .map(|((source, target), links)| TreePair { source, target, links })
            .collect();
        let trees = project(&pairs, &config, &Parallelism::new(threads)?)?;
        Ok(pairs.iter().zip(trees).map(|(pair, tree)| found(&pair.target, tree)).collect())
    })
}

/// Words that came from Python as strings.
fn text_of(word: &[u8]) -> &str {
    std::str::from_utf8(word).unwrap_or_default()
}

/// The words of a sentence with their parts of speech.
fn words<'a>(number: usize, forms: &[&'a str], upos: Option<&'a [Option<String>]>) -> Result<Vec<TargetWord<'a>>> {
    let Some(upos) = upos else { return Ok(forms.iter().map(|form| TargetWord::new(form)).collect()) };
    if upos.len() != forms.len() {
        let message = format!("upos[{number}]: {} parts of speech for {} words", upos.len(), forms.len());
        return Err(inconsistent(message));
    }
    let known = |upos: &'a Option<String>| upos.as_deref().filter(|upos| *upos != "_");
    Ok(forms.iter().zip(upos).map(|(form, upos)| TargetWord { form, upos: known(upos) }).collect())
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}

fn found(target: &[TargetWord<'_>], tree: ProjectedTree) -> Vec<Word> {
    let word = |(target, word): (&TargetWord<'_>, ProjectedWord)| {
        let ProjectedWord { head, relation, upos, source, origin, confidence } = word;
        (target.form.to_owned(), upos, head, relation, origin.name(), confidence, source)
    };
    target.iter().zip(tree.words).map(word).collect()
}
