//! The native module of the Python package, `alinea._native`.
//!
//! Bindings and nothing else: every function takes Python objects apart, calls the library without holding Python's
//! lock, and makes Python objects of what comes back. Defaults, documentation and the conversion of loosely typed
//! arguments are those of the package's façade, `python/alinea/__init__.py`; the stub `_native.pyi` beside it has the
//! types.
//!
//! `text` reads sentences, `arrow` columns of data frames, `links` reads and makes arrays of links, `work` runs the library
//! so that Ctrl-C ends it and progress is shown, `training` reads what a model is trained on, `encoder` has pretrained encoders,
//! `error` turns the library's errors into exceptions; the functions are in `align`, `annotate`, `annotators`, `bible`, `concordance`, `judge`,
//! `metrics`, `model`, `pairs`, `parts`, `phrases`, `pictures`, `project`, `projected_trees`, `reorder`, `sentences`, `stream`, `tables`, `nltk` and
//! here.

mod align;
mod annotate;
mod annotators;
mod arguments;
mod arrow;
mod bible;
mod concordance;
mod encoder;
mod error;
mod evaluate;
mod formats;
mod judge;
mod labels;
mod links;
mod markup;
mod metrics;
mod model;
mod nltk;
mod pairs;
mod parts;
mod phrases;
mod pictures;
mod project;
mod projected_trees;
mod reorder;
mod sentences;
mod stream;
mod tables;
mod text;
mod tokens;
mod training;
mod work;

use pyo3::prelude::*;

/// What the command needs, which is part of the package.
#[global_allocator]
static ALLOCATOR: alinea_cli::Allocator = alinea_cli::Allocator;

/// What the package's façade calls.
#[pymodule(name = "_native", gil_used = false)]
mod native {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use alinea::error::Error;
    use alinea::format::alignment::{AlignmentFormat, Base, LinkReadOptions, PairRecord, parse_links, read_gold};
    use alinea::symmetrize::{Method, Symmetrizer};
    use pyo3::prelude::*;

    use super::arrow::{Item, Refused, with_column};
    use super::error;
    use super::links::{Column, LinkArray, ReadMany, alignments, column, flat_column, gold_arrays};
    use super::text::{file, without_line_end};
    use super::work::run;

    #[pymodule_export]
    use super::align::{align, directions, scores};
    #[pymodule_export]
    use super::annotate::AnnotationDesk;
    #[pymodule_export]
    use super::annotators::{agreement, correspondence_types};
    #[pymodule_export]
    use super::arrow::export_arrow;
    #[pymodule_export]
    use super::bible::{read_usfm, write_usfm};
    #[pymodule_export]
    use super::concordance::concordance;
    #[pymodule_export]
    use super::encoder::{Encoder, find_encoder};
    #[pymodule_export]
    use super::evaluate::{compare, evaluate};
    #[pymodule_export]
    use super::formats::{read_links, to_pharaoh, word_offsets, write_links};
    #[pymodule_export]
    use super::judge::{breakdown, gains};
    #[pymodule_export]
    use super::labels::{label_spans, label_tags, project_labels, text_words};
    #[pymodule_export]
    use super::markup::{markup_words, project_markup};
    #[pymodule_export]
    use super::metrics::{
        BoundMetric, NamedTokenizer, bootstrap, bootstrap_scores, correlate, correlation, dependency_path_metric,
        explain_dependency_paths, gleu_metric, lepor_metric, lr_metric, meteor_metric, nist_metric, order_metric,
        paired_bootstrap, paired_randomization, path_disparity, path_encoding, read_lines, ribes_metric,
        tree_edit_metric,
    };
    #[pymodule_export]
    use super::model::{TrainedModel, train};
    #[pymodule_export]
    use super::nltk::{
        Alignments, Counted, FertileModel, LaterAlignment, NumberedText, WordModel, align_lengths, bleu, bleu_counts,
        chrf, gleu, kendall_tau, lepor, lepor_alignment, meteor, meteor_stages, nist, rank_alignment, ribes,
        sentence_bleu, stem,
    };
    #[pymodule_export]
    use super::pairs::{PairFile, PairOutput};
    #[pymodule_export]
    use super::parts::{
        begin_training, check_part_training, count_part, join_words, maximize_counts, merge_counts, part_pairs,
        part_words,
    };
    #[pymodule_export]
    use super::phrases::phrases;
    #[pymodule_export]
    use super::pictures::{DrawnPairs, write_picture};
    #[pymodule_export]
    use super::project::{learn_rules, project, syntex_names, universal_rules};
    #[pymodule_export]
    use super::projected_trees::{project_trees, tree_words};
    #[pymodule_export]
    use super::reorder::{
        GoldStandard, ReorderModel, ReorderRules, ReorderSource, TaskCorpus, check_submission, export_orders,
        gold_orders, gold_ranks, order_scores, rank_submissions, reorder_engines, verb_final_rules, write_submission,
    };
    #[pymodule_export]
    use super::sentences::{evaluate_sentences, sentence_align};
    #[pymodule_export]
    use super::stream::ModelStream;
    #[pymodule_export]
    use super::tables::{classes, lexicon};
    #[pymodule_export]
    use super::tokens::convert_links;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// The fewest sentences whose intervals and tests are given without a warning.
    #[pymodule_export]
    const FEWEST_SENTENCES: usize = alinea::numeric::FEWEST_SENTENCES;

    /// The fewest systems of which that holds.
    #[pymodule_export]
    const FEWEST_SYSTEMS: usize = alinea::numeric::FEWEST_SYSTEMS;

    /// The passes that adapt a model best.
    #[pymodule_export]
    const ADAPTATION_PASSES: u32 = alinea::model::ADAPTATION_PASSES;

    /// Does what the words of a command line say, the first of which is the name of the program, and returns the exit code.
    #[pyfunction]
    fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| alinea_cli::run(words))
    }

    /// Joins two directions of each sentence pair.
    #[pyfunction]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn symmetrize<'py>(
        py: Python<'py>,
        forward: ReadMany<'py>,
        reverse: ReadMany<'py>,
        method: &str,
    ) -> PyResult<Column<'py>> {
        let method: Method = method.parse().map_err(error::to_python)?;
        let (forward, reverse) = (alignments(&forward), alignments(&reverse));
        if forward.len() != reverse.len() {
            let lengths = [forward.len() as u64, reverse.len() as u64];
            let error = Error::unequal_lengths("forward", lengths[0], "reverse", lengths[1]);
            return Err(error::to_python(error));
        }
        let joined = run(py, move |observer| {
            let mut symmetrizer = Symmetrizer::new(method);
            let join = |(forward, reverse)| {
                alinea::progress::check(observer)?;
                Ok(symmetrizer.symmetrize(forward, reverse))
            };
            forward.iter().zip(&reverse).map(join).collect::<alinea::error::Result<Vec<_>>>()
        })?;
        column(py, &joined)
    }

    /// The names of the ways to join two directions, and then the other names that are understood.
    #[pyfunction]
    fn symmetrization_methods() -> Vec<&'static str> {
        let names = Method::ALL.into_iter().map(Method::name);
        names.chain(Method::ALL.into_iter().flat_map(Method::aliases).copied()).collect()
    }

    /// The sure and the possible links of one line, called line `number` of `path` if it is refused.
    #[pyfunction]
    fn parse_pharaoh<'py>(
        py: Python<'py>,
        line: &str,
        path: &str,
        number: u64,
    ) -> PyResult<(LinkArray<'py>, LinkArray<'py>)> {
        let links = parse_links(without_line_end(line), Base::Zero);
        let links = links.map_err(|error| error::to_python(error.in_line(path, number)))?;
        gold_arrays(py, &PairRecord { links, ..PairRecord::default() }.gold())
    }

    /// The sure and the possible links of every line of a file.
    #[pyfunction]
    fn read_pharaoh(py: Python<'_>, path: PathBuf) -> PyResult<Vec<(LinkArray<'_>, LinkArray<'_>)>> {
        gold_of_file(py, &file(path), Some(AlignmentFormat::Pharaoh))
    }

    /// The sure and the possible links of every pair of a file, in the format that its name suggests, or its first line.
    #[pyfunction]
    fn read_alignments(py: Python<'_>, path: PathBuf) -> PyResult<Vec<(LinkArray<'_>, LinkArray<'_>)>> {
        gold_of_file(py, &file(path), None)
    }

    fn gold_of_file<'py>(
        py: Python<'py>,
        path: &Path,
        format: Option<AlignmentFormat>,
    ) -> PyResult<Vec<(LinkArray<'py>, LinkArray<'py>)>> {
        let gold = run(py, move |_| read_gold(path, format, &LinkReadOptions::default()))?;
        gold.iter().map(|gold| gold_arrays(py, gold)).collect()
    }

    /// Lines in Pharaoh format, or arrays.
    type LinesOrLinks<'py> = (Option<Vec<String>>, Option<Column<'py>>);

    /// Links in a column of a data frame: strings, if it has such, or arrays. Nothing if the object is no column.
    #[pyfunction]
    fn read_arrow<'py>(column: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<LinesOrLinks<'py>>> {
        let read = with_column(column, name, |column, observer| {
            if !column.is_of_strings() {
                return Ok((None, Some(column.links()?)));
            }
            let mut lines = Vec::new();
            column.for_each_text(observer, |number, line| match line {
                Some(Item::Line(line)) => {
                    lines.push(line.to_owned());
                    Ok(())
                }
                _ => Err(Refused::Type(format!("[{number}]: links are a line in Pharaoh format, not null"))),
            })?;
            Ok((Some(lines), None))
        })?;
        let arrays = |(offsets, flat)| flat_column(column.py(), offsets, flat, 2);
        read.map(|(lines, links)| Ok((lines, links.map(arrays).transpose()?))).transpose()
    }
}
