//! Tokenizers by name, which metrics share.
//!
//! A tokenizer is opened once, with its dictionary or model if it has one, and does not change: each metric that uses it
//! has another reference to the same one.

use std::path::PathBuf;
use std::sync::Arc;

use alinea::error::Result;
use alinea::metric::tokenize::{Tercom, Tokenizer, TokenizerOptions, Tokens, tokenizer_by_name};
use alinea::progress::{Observer, Silent, check};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::error::to_python;
use crate::work::{BATCH, run};

/// Text of up to this many bytes is worked on by the thread that asks: another would take longer to start.
const SMALL: usize = 4096;

/// A tokenizer.
#[pyclass(frozen, name = "Tokenizer", module = "alinea._native")]
pub(crate) struct NamedTokenizer(Arc<dyn Tokenizer>);

impl NamedTokenizer {
    /// The tokenizer, shared with a metric.
    pub(super) fn shared(&self) -> Box<dyn Tokenizer> {
        Box::new(Shared(Arc::clone(&self.0)))
    }
}

#[pymethods]
impl NamedTokenizer {
    #[new]
    #[pyo3(signature = (name, *, dictionary, model))]
    fn open(py: Python<'_>, name: &str, dictionary: Option<PathBuf>, model: Option<PathBuf>) -> PyResult<Self> {
        let options = TokenizerOptions::default().with(|c| {
            c.dictionary = dictionary;
            c.model = model;
        });
        run(py, move |_| Ok(Self(tokenizer_by_name(name, &options)?.into())))
    }

    /// What makes the tokens of TER.
    #[staticmethod]
    #[expect(clippy::fn_params_excessive_bools, reason = "they are the arguments of the Python function")]
    fn tercom(normalized: bool, no_punctuation: bool, asian_support: bool, case_sensitive: bool) -> Self {
        Self(Arc::new(Tercom { normalized, no_punctuation, asian_support, case_sensitive }))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The tokens of each line.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn tokenize(&self, py: Python<'_>, lines: Vec<PyBackedStr>) -> PyResult<Vec<Vec<String>>> {
        let tokenize = |observer: &dyn Observer| {
            let mut tokens = Tokens::default();
            let mut all = Vec::with_capacity(lines.len());
            for (number, line) in lines.iter().enumerate() {
                if number % BATCH == 0 {
                    check(observer)?;
                }
                self.0.tokenize(line, &mut tokens)?;
                all.push(tokens.iter().map(str::to_owned).collect());
            }
            Ok(all)
        };
        if is_small([&lines]) { tokenize(&Silent).map_err(to_python) } else { run(py, tokenize) }
    }
}

/// A tokenizer that several metrics share.
#[derive(Debug)]
struct Shared(Arc<dyn Tokenizer>);

impl Tokenizer for Shared {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        self.0.tokenize(line, tokens)
    }
}

/// Whether all these lines together are so few that no other thread is worth starting.
pub(super) fn is_small<'l>(texts: impl IntoIterator<Item = &'l Vec<PyBackedStr>>) -> bool {
    let bytes = |lines: &Vec<PyBackedStr>| lines.iter().map(|line| line.len()).sum::<usize>() + lines.len();
    texts.into_iter().map(bytes).sum::<usize>() <= SMALL
}
