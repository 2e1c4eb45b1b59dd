//! The annotation workbench: a project that is opened, or made of a text, and served to browsers until its page is closed.

use std::path::PathBuf;
use std::sync::Mutex;

use alinea::annotate::{PairWords, Project, ProjectSettings};
use alinea::bitext::Text;
use alinea::error::{Error, Result};
use alinea::parallel::Parallelism;
use alinea::workbench::{Place, Workbench};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments;
use crate::encoder::Encoder;
use crate::error::to_python;
use crate::links::{LinkArray, ReadMany, alignments, gold_arrays};
use crate::text::{Reading, TextOptions, file, read_both};
use crate::work::run;

/// Who takes part if nobody is named.
const NAMELESS: &str = "annotator";

/// Sure and possible links.
type Gold<'py> = (LinkArray<'py>, LinkArray<'py>);

/// What a project is made of, and how it is changed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Given<'py> {
    text: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    reading: Reading,
    annotators: Vec<String>,
    title: Option<String>,
    guideline: Option<String>,
    shared: Option<f64>,
    model: Option<String>,
    model_file: Option<PathBuf>,
    suggest: Option<ReadMany<'py>>,
    /// Empty for none.
    encoder: Option<String>,
}

/// A workbench with the addresses of its annotators.
#[pyclass(frozen)]
pub(crate) struct AnnotationDesk {
    folder: PathBuf,
    encoder: Option<String>,
    addresses: Vec<(String, String)>,
    workbench: Mutex<Option<(Workbench, Parallelism)>>,
}

#[pymethods]
impl AnnotationDesk {
    /// Opens a project, or makes one, and takes a port for it.
    #[new]
    fn new(py: Python<'_>, folder: PathBuf, given: Given<'_>, port: u16, threads: i64) -> PyResult<Self> {
        let folder = file(folder);
        let parallelism = arguments::threads(threads).and_then(Parallelism::new).map_err(to_python)?;
        let options = given.reading.options().map_err(to_python)?;
        let Given { text, annotators, title, guideline, shared, model, model_file, suggest, encoder, .. } = given;
        let words = match &text {
            Some((source, target)) => {
                Some(words(py, &read_both([source, target], TextOptions { lowercase: false, ..options })?)?)
            }
            None => None,
        };
        let suggested = suggest.as_ref().map(alignments);
        let opened = run(py, |_| {
            let mut settings = ProjectSettings { lowercase: options.lowercase, ..ProjectSettings::default() };
            if let Some(model) = &model {
                settings.model = model.parse()?;
            }
            let mut project = match &words {
                Some(words) => Project::of_text(&folder, words, &settings)?,
                None => Project::open(&folder)?,
            };
            change(&mut project, title, shared)?;
            if let Some(text) = &guideline {
                project.set_guideline(text)?;
            }
            if let Some(path) = &model_file {
                project.set_model_file(path)?;
            }
            if let Some(links) = &suggested {
                project.set_suggested(links)?;
            }
            if let Some(name) = encoder {
                project.set_encoder((!name.is_empty()).then_some(name.as_str()))?;
            }
            for name in &annotators {
                project.add_annotator(name)?;
            }
            if project.annotators().next().is_none() {
                project.add_annotator(NAMELESS)?;
            }
            let encoder = project.settings().encoder.clone();
            let workbench = Workbench::new(project, &Place { port, ..Place::default() })?;
            Ok((encoder, workbench.addresses(), workbench))
        });
        let (encoder, addresses, workbench) = opened?;
        Ok(Self { folder, encoder, addresses, workbench: Mutex::new(Some((workbench, parallelism))) })
    }

    /// The address of each annotator and, if there are several, of the adjudicator, by name.
    #[getter]
    fn addresses(&self) -> Vec<(String, String)> {
        self.addresses.clone()
    }

    /// The encoder that the project remembers.
    #[getter]
    fn encoder(&self) -> Option<String> {
        self.encoder.clone()
    }

    /// Answers the page until it is closed, and returns sure and possible links of each pair that somebody confirmed.
    fn serve<'py>(&self, py: Python<'py>, encoder: Option<&Encoder>) -> PyResult<Vec<Option<Gold<'py>>>> {
        let taken = self.workbench.lock().ok().and_then(|mut workbench| workbench.take());
        let Some((mut workbench, parallelism)) = taken else {
            return Err(PyValueError::new_err("the workbench was closed"));
        };
        if let Some(encoder) = encoder.map(Encoder::shared) {
            workbench = workbench.with_encoder(move |texts, cache, work| encoder.encode_sentences(texts, cache, work));
        }
        run(py, move |observer| workbench.serve(parallelism, observer))?;
        let folder = &self.folder;
        let gold = run(py, move |_| {
            let project = Project::read(folder)?;
            Ok((0..project.len()).map(|n| project.gold(n)).collect::<Vec<_>>())
        })?;
        gold.iter().map(|gold| gold.as_ref().map(|gold| gold_arrays(py, gold)).transpose()).collect()
    }
}

/// Takes over what is said of a project.
fn change(project: &mut Project, title: Option<String>, shared: Option<f64>) -> Result<()> {
    let mut settings = project.settings().clone();
    settings.title = title.unwrap_or(settings.title);
    settings.shared = shared.unwrap_or(settings.shared);
    if settings == *project.settings() { Ok(()) } else { project.set_settings(settings) }
}

/// The words of each pair.
fn words(py: Python<'_>, [source, target]: &[Text; 2]) -> PyResult<Vec<PairWords>> {
    py.detach(|| {
        if source.len() != target.len() {
            let lengths = [source.len() as u64, target.len() as u64];
            return Err(Error::unequal_lengths("source", lengths[0], "target", lengths[1]));
        }
        let words = |text: &Text, n: usize| {
            let word = |&word| String::from_utf8_lossy(text.vocabulary().word(word)).into_owned();
            text.sentence(n).iter().map(word).collect()
        };
        Ok((0..source.len()).map(|n| [words(source, n), words(target, n)]).collect())
    })
    .map_err(to_python)
}
