from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Links: TypeAlias = NDArray[np.uint32]
_Scores: TypeAlias = list[float | None]
_Counts: TypeAlias = list[int]
_Column: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint32]]
_Found: TypeAlias = tuple[_Column, NDArray[np.float32]]
_Parts: TypeAlias = tuple[_Column, NDArray[np.bool_] | None, NDArray[np.float32] | None]
_Ends: TypeAlias = tuple[float, float] | None
_Different: TypeAlias = tuple[float | None, _Ends, float | None, float | None]
_Bytes: TypeAlias = bytes
_Evaluation: TypeAlias = tuple[_Scores, _Counts, str, int, list[tuple[_Ends, float | None]] | None]
_Scored: TypeAlias = tuple[tuple[float, float | None, float | None], _Counts]
_Many: TypeAlias = Sequence[_Links] | _Column
_Annotation: TypeAlias = tuple[str, Sequence[tuple[_Links, _Links] | None]]
_Pair: TypeAlias = tuple[tuple[str, str], int, _Counts, _Scores]
_Trees: TypeAlias = Sequence[str] | PathLike[str]
_Confidences: TypeAlias = Sequence[str] | Sequence[Sequence[tuple[int, int, float]]]
_Trial: TypeAlias = tuple[float, float, float, float]
_Rows: TypeAlias = NDArray[np.float64]
_Path: TypeAlias = tuple[tuple[int, int], tuple[str, str], str]
_Tested: TypeAlias = tuple[float, tuple[float, float] | None, float | None, float | None, bool]

_Orders: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32]]
_Classes: TypeAlias = Mapping[str, int] | PathLike[str]
_Options: TypeAlias = Mapping[str, object]
_Estimated: TypeAlias = tuple[float | None, tuple[float, float] | None, float | None]
_Judged: TypeAlias = tuple[int, _Scores, NDArray[np.float64], list[_Estimated]]
_Files: TypeAlias = Mapping[str, str | PathLike[str]]
_Entry: TypeAlias = tuple[str | None, str | None, int | None, _Scores, list[float | None]]
_File: TypeAlias = str | PathLike[str]
_Pass: TypeAlias = tuple[int, int, str, int, int]

__all__ = [
    "ADAPTATION_PASSES",
    "FEWEST_SENTENCES",
    "FEWEST_SYSTEMS",
    "Alignments",
    "AnnotationDesk",
    "Counted",
    "DrawnPairs",
    "Encoder",
    "FertileModel",
    "GoldStandard",
    "LaterAlignment",
    "Metric",
    "ModelStream",
    "NumberedText",
    "PairFile",
    "PairOutput",
    "ReorderModel",
    "ReorderRules",
    "ReorderSource",
    "TaskCorpus",
    "Tokenizer",
    "TrainedModel",
    "WordModel",
    "__version__",
    "agreement",
    "align",
    "align_lengths",
    "begin_training",
    "bleu",
    "bleu_counts",
    "bootstrap",
    "bootstrap_scores",
    "breakdown",
    "check_part_training",
    "check_submission",
    "chrf",
    "classes",
    "command",
    "compare",
    "concordance",
    "convert_links",
    "correlate",
    "correlation",
    "correspondence_types",
    "count_part",
    "dependency_path_metric",
    "directions",
    "evaluate",
    "evaluate_sentences",
    "explain_dependency_paths",
    "export_arrow",
    "export_orders",
    "find_encoder",
    "gains",
    "gleu",
    "gleu_metric",
    "gold_orders",
    "gold_ranks",
    "join_words",
    "kendall_tau",
    "label_spans",
    "label_tags",
    "learn_rules",
    "lepor",
    "lepor_alignment",
    "lepor_metric",
    "lexicon",
    "lr_metric",
    "markup_words",
    "maximize_counts",
    "merge_counts",
    "meteor",
    "meteor_metric",
    "meteor_stages",
    "nist",
    "nist_metric",
    "order_metric",
    "order_scores",
    "paired_bootstrap",
    "paired_randomization",
    "parse_pharaoh",
    "part_pairs",
    "part_words",
    "path_disparity",
    "path_encoding",
    "phrases",
    "project",
    "project_labels",
    "project_markup",
    "project_trees",
    "rank_alignment",
    "rank_submissions",
    "read_alignments",
    "read_arrow",
    "read_lines",
    "read_links",
    "read_pharaoh",
    "read_usfm",
    "reorder_engines",
    "ribes",
    "ribes_metric",
    "scores",
    "sentence_align",
    "sentence_bleu",
    "stem",
    "symmetrization_methods",
    "symmetrize",
    "syntex_names",
    "text_words",
    "to_pharaoh",
    "train",
    "tree_edit_metric",
    "tree_words",
    "universal_rules",
    "verb_final_rules",
    "word_offsets",
    "write_links",
    "write_picture",
    "write_submission",
    "write_usfm",
]

__version__: str
ADAPTATION_PASSES: int
FEWEST_SENTENCES: int
FEWEST_SYSTEMS: int

def align(
    source: object,
    target: object,
    *,
    data: _Options,
    recipe: _Options,
    decoding: _Options,
    reading: _Options,
    threads: int,
    progress: object,
) -> _Found: ...
def directions(
    source: object,
    target: object,
    *,
    data: _Options,
    recipe: _Options,
    reading: _Options,
    threads: int,
    progress: object,
) -> tuple[_Column, _Column]: ...
def scores(
    source: object,
    target: object,
    *,
    data: _Options,
    recipe: _Options,
    reading: _Options,
    threads: int,
    progress: object,
) -> NDArray[np.float64]: ...
def train(
    source: object,
    target: object,
    *,
    path: str | PathLike[str] | None,
    data: _Options,
    recipe: _Options,
    reading: _Options,
    threads: int,
    progress: object,
) -> TrainedModel: ...

@final
class AnnotationDesk:
    @property
    def addresses(self) -> list[tuple[str, str]]: ...
    def __new__(cls, folder: _File, given: _Options, port: int, threads: int) -> AnnotationDesk: ...
    @property
    def encoder(self) -> str | None: ...
    def serve(self, encoder: Encoder | None) -> list[tuple[_Links, _Links] | None]: ...

def part_words(source: object, target: object, output: _File, *, weight: float, reading: _Options) -> None: ...
def join_words(words: Sequence[_File], output: _File) -> None: ...
def part_pairs(
    source: object,
    target: object,
    output: _File,
    *,
    part: int,
    words: _File,
    max_length: int,
    threads: int,
    progress: object,
) -> None: ...
def begin_training(
    pairs: Sequence[_File],
    output: _File,
    *,
    words: _File,
    model: str,
    iterations: object,
    dictionary: Sequence[tuple[str, str, float]],
    threads: int,
    progress: object,
) -> int: ...
def check_part_training(*, model: str, iterations: object, reading: _Options, threads: int) -> None: ...
def count_part(
    source: object,
    target: object,
    output: _File,
    *,
    part: int,
    state: _File,
    keep: _File,
    own: _File | None,
    links: object,
    max_length: int,
    memory: int | None,
    threads: int,
    progress: object,
) -> _Pass: ...
def merge_counts(counts: Sequence[_File], output: _File) -> _Pass: ...
def maximize_counts(
    counts: Sequence[_File],
    *,
    state: _File,
    output: _File | None,
    model: _File | None,
    own: Sequence[_File],
    prune: float | None,
    threads: int,
    progress: object,
) -> tuple[int, int]: ...
def find_encoder(name_or_path: str, fetch: Callable[[str], str | None]) -> Path: ...

@final
class Encoder:
    def __new__(cls, folder: str | PathLike[str], layer: int | None) -> Encoder: ...
    @property
    def name(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def layer(self) -> int: ...
    def encode(
        self,
        sentences: object,
        tokenize: str,
        cache: str | PathLike[str] | None,
        threads: int,
        progress: object,
    ) -> list[NDArray[np.float32]]: ...

@final
class ModelStream:
    def align(self, source: object, target: object) -> _Found: ...
    def end(self) -> None: ...

@final
class PairFile:
    def __new__(
        cls,
        path: str | PathLike[str],
        kind: str | None,
        *,
        languages: tuple[str, str] | None,
        fields: tuple[str, str] | None,
        keep_tags: bool,
        lossy: bool,
    ) -> PairFile: ...
    def read(self, most: int) -> list[tuple[str, str]]: ...

@final
class PairOutput:
    def __new__(
        cls,
        path: str | PathLike[str],
        kind: str | None,
        *,
        languages: tuple[str, str] | None,
        fields: tuple[str, str] | None,
        replace: str | None,
    ) -> PairOutput: ...
    def write(self, pairs: Sequence[tuple[str, str]]) -> None: ...
    def finish(self) -> tuple[int, int]: ...

@final
class TrainedModel:
    def __new__(cls, path: str | PathLike[str]) -> TrainedModel: ...
    @staticmethod
    def from_bytes(content: _Bytes) -> TrainedModel: ...
    def to_bytes(self) -> _Bytes: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @property
    def identity(self) -> int: ...
    @property
    def signature(self) -> str: ...
    @property
    def tokenize(self) -> Literal["none", "unicode"]: ...
    @property
    def lowercase(self) -> bool: ...
    @property
    def pairs(self) -> int: ...
    @property
    def word_pairs(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def align(
        self,
        source: object,
        target: object,
        adapt: int | None,
        data: _Options,
        decoding: _Options,
        max_length: int,
        threads: int,
        progress: object,
    ) -> _Found: ...
    def directions(
        self, source: object, target: object, max_length: int, threads: int, progress: object
    ) -> tuple[_Column, _Column]: ...
    def scores(
        self, source: object, target: object, max_length: int, threads: int, progress: object
    ) -> NDArray[np.float64]: ...
    def translations(self, word: str, of_target: bool) -> list[tuple[str, float]] | None: ...
    def adapt(
        self,
        source: object,
        target: object,
        passes: int,
        data: _Options,
        max_length: int,
        threads: int,
        progress: object,
    ) -> TrainedModel: ...
    def stream(self, decoding: _Options, max_length: int, threads: int) -> ModelStream: ...
    def prune(self, size: int | None) -> TrainedModel: ...
    def merge(self, others: Sequence[TrainedModel]) -> TrainedModel: ...

def command(words: Sequence[str]) -> int: ...
def symmetrization_methods() -> list[str]: ...
def symmetrize(forward: _Many, reverse: _Many, method: str) -> _Column: ...
def phrases(
    source: object,
    target: object,
    links: _Many,
    *,
    max_length: int | None,
    threads: int,
) -> _Column: ...
def evaluate(annotators: Sequence[_Annotation], hypotheses: _Many, judging: _Options) -> _Evaluation: ...
def compare(
    annotators: Sequence[_Annotation], baseline: _Many, system: _Many, judging: _Options
) -> tuple[_Evaluation, _Evaluation, list[_Different], bool]: ...
def read_links(
    paths: Sequence[str | PathLike[str]],
    kind: str | None,
    *,
    base: int | None,
    threshold: float | None,
    sentences: int | Sequence[str] | None,
    target_source: bool,
    latin_1: bool,
    fill_gaps: bool,
) -> tuple[
    _Column,
    NDArray[np.bool_],
    NDArray[np.float32] | None,
    list[list[str]] | None,
    list[list[str]] | None,
    NDArray[np.float64] | None,
]: ...
def write_links(
    path: str | PathLike[str],
    kind: str | None,
    links: _Parts,
    words: tuple[object, object] | None,
    base: int | None,
    digits: int | None,
    sentences: int | Sequence[str] | None,
    target_source: bool,
) -> None: ...
def convert_links(
    links: _Parts,
    source: tuple[object, object] | None,
    target: tuple[object, object] | None,
    skip: bool,
    ignore_case: bool,
) -> tuple[tuple[_Column, NDArray[np.bool_], NDArray[np.float32] | None], NDArray[np.int64], int]: ...
def to_pharaoh(links: _Parts, digits: int | None) -> list[str]: ...
def word_offsets(sentences: object, tokenize: str) -> _Column: ...
def agreement(
    annotators: Sequence[_Annotation],
    lengths: Sequence[tuple[int, int]] | None,
    sure_only: bool,
) -> tuple[list[_Pair], _Scores]: ...
def correspondence_types(links: _Many, lengths: Sequence[tuple[int, int]]) -> _Counts: ...
def breakdown(
    annotators: Sequence[_Annotation],
    hypotheses: _Many,
    attribute: Sequence[tuple[int, int]] | Sequence[Sequence[int]] | Sequence[Sequence[str]] | None,
    of_target: bool,
    references: str,
    annotated_only: bool,
    alpha: float,
) -> list[tuple[str, _Scores, _Counts]]: ...
def gains(
    annotators: Sequence[_Annotation],
    baseline: _Many,
    system: _Many,
    references: str,
    annotated_only: bool,
    alpha: float,
    bootstrap: _Options,
) -> tuple[int, list[list[tuple[float | None, tuple[float, float] | None]]]]: ...

@final
class DrawnPairs:
    def __new__(
        cls,
        source: object,
        target: object,
        layers: Sequence[_Options],
        source_trees: _Trees | None,
        target_trees: _Trees | None,
    ) -> DrawnPairs: ...
    def __len__(self) -> int: ...
    def page(self, title: str, first: int, end: int) -> str: ...
    def write_page(self, path: str | PathLike[str], title: str) -> None: ...
    def draw(self, number: int, kind: str) -> str: ...

def write_picture(path: str | PathLike[str], text: str, kind: str) -> None: ...
def read_usfm(
    path: str | PathLike[str],
) -> list[
    tuple[
        str,
        str,
        list[str],
        list[list[tuple[str, str]]],
        list[tuple[str, int, int, list[tuple[str, str]]]],
        list[tuple[int, int]],
    ]
]: ...
def write_usfm(
    path: str | PathLike[str],
    book: str | PathLike[str],
    source: Sequence[Sequence[tuple[str, list[tuple[str, str]]]]],
    links: _Many,
) -> None: ...
def label_spans(tags: list[str]) -> list[tuple[int, int, str]]: ...
def label_tags(spans: list[tuple[int, int, str]], words: int, scheme: str) -> list[str]: ...
def project_labels(
    source: object,
    target: object,
    labels: Sequence[Sequence[tuple[int, int, str]]],
    links: _Many,
    confidences: NDArray[np.float32] | None,
    *,
    method: str,
    threshold: float,
    min_confidence: float,
    threads: int,
) -> list[
    tuple[list[tuple[int, int, int, float]], list[tuple[int, Literal["unlinked", "weak", "taken", "unconfident"]]]]
]: ...
def tree_words(trees: _Trees) -> list[list[str]]: ...
def project_trees(
    source: _Trees,
    target: object,
    upos: Sequence[Sequence[str | None]] | None,
    links: _Many,
    confidences: NDArray[np.float32] | None,
    *,
    method: str,
    threshold: float,
    threads: int,
) -> list[list[tuple[str, str, int | None, str, Literal["carried", "mended", "guessed"], float, int | None]]]: ...
def text_words(text: str) -> list[tuple[int, int]]: ...
def markup_words(segment: str, syntax: str, placeholders: Sequence[str], tokenize: str) -> list[str]: ...
def project_markup(
    source: Sequence[str],
    target: Sequence[str],
    links: _Many,
    confidences: NDArray[np.float32] | None,
    *,
    syntax: str,
    placeholders: Sequence[str],
    escaped: bool,
    tokenize: str,
    unplaced: str,
    threads: int,
) -> list[
    tuple[
        str,
        list[
            tuple[
                str,
                str | None,
                tuple[int, int],
                tuple[int, int] | None,
                float,
                Literal["unlinked", "weak", "taken", "inside", "deep", "crossing"] | None,
            ]
        ],
    ]
]: ...
def universal_rules() -> str: ...
def syntex_names() -> str: ...
def project(
    source: _Trees,
    target: _Trees,
    links: _Many,
    *,
    rules: str | PathLike[str] | None,
    names: str | PathLike[str] | None,
    confidences: _Confidences | None,
    threshold: float | None,
    least_precision: float | None,
    content_words: bool,
    max_rounds: int | None,
    several_roots: bool,
    threads: int,
) -> tuple[_Column, list[str]]: ...
def learn_rules(
    source: _Trees,
    target: _Trees,
    links: _Many,
    gold: _Many,
    *,
    confidences: _Confidences | None,
    annotated_only: bool,
    half_annotated: float | None,
    threshold: float | None,
    penalty: float,
    least_proposed: int,
    content_words: bool,
    several_roots: bool,
    threads: int,
) -> tuple[str, _Trial | None, list[_Trial]]: ...
def parse_pharaoh(line: str, path: str, number: int) -> tuple[_Links, _Links]: ...
def read_pharaoh(path: str | PathLike[str]) -> list[tuple[_Links, _Links]]: ...
def read_alignments(path: str | PathLike[str]) -> list[tuple[_Links, _Links]]: ...
def read_arrow(column: object, name: str) -> tuple[list[str] | None, _Column | None] | None: ...
def export_arrow(
    offsets: NDArray[np.int64], rows: NDArray[np.uint32], fields: Sequence[str], name: str | None
) -> tuple[object, object]: ...
def lexicon(
    source: object,
    target: object,
    links: _Many,
    *,
    reverse: bool,
    best: int | None,
    least: float,
    empty_word: bool,
    lowercase: bool,
) -> list[tuple[str | None, str | None, float, int]]: ...

_Occurrence: TypeAlias = tuple[int, str | None, list[str], list[str], list[int], list[int], float | None]
_Translation: TypeAlias = tuple[str, int, float, float | None, float, float, list[_Occurrence]]
_Headword: TypeAlias = tuple[str, int, list[_Translation], list[int], int, list[_Occurrence]]

def concordance(
    source: object,
    target: object,
    links: _Many,
    confidences: NDArray[np.float32] | None,
    lemmas: tuple[object | None, object | None],
    names: list[str] | None,
    wanted: _Options,
) -> tuple[int, int, list[str], list[_Headword]]: ...
def classes(
    text: object,
    *,
    classes: int,
    cooling: int,
    passes: int,
    start: _Classes | None,
    lowercase: bool,
    max_length: int,
    threads: int,
    progress: object,
) -> tuple[list[tuple[str, int]], list[float], bool, str, int]: ...
def sentence_align(
    source: Sequence[Sequence[str]] | PathLike[str],
    target: Sequence[Sequence[str]] | PathLike[str],
    *,
    model: TrainedModel | None,
    dictionary: Sequence[tuple[str, str, float]],
    encoder: tuple[Encoder, str | PathLike[str] | None, str | None] | None,
    lengths: _Options,
    mark: str | None,
    paragraphs: bool,
    threads: int,
    progress: object,
) -> list[tuple[list[int], list[int], float, float]]: ...
def evaluate_sentences(
    gold: Sequence[tuple[list[int], list[int]]] | PathLike[str],
    groups: Sequence[tuple[list[int], list[int]]] | PathLike[str],
) -> tuple[_Scored, _Scored]: ...

@final
class NumberedText:
    def __new__(cls, pairs: list[Any]) -> NumberedText: ...
    def words(self) -> list[Any]: ...
    def mots(self) -> list[Any]: ...
    def lengths(self) -> list[tuple[int, int]]: ...

@final
class WordModel:
    @property
    def text(self) -> NumberedText: ...
    @staticmethod
    def uniform(text: NumberedText, probability: float) -> WordModel: ...
    @staticmethod
    def uniform_positions(text: NumberedText) -> WordModel: ...
    @staticmethod
    def trained(text: NumberedText, translation: Any, positions: Any, passes: int, progress: object) -> WordModel: ...
    def align(self, alignment: WordModel | None = None) -> Alignments: ...
    def translations(self, word: object) -> dict[Any, float] | None: ...
    def positions(self, state: int) -> list[tuple[int, int, int, float]]: ...

@final
class Alignments:
    def later(self, make: Callable[[list[int | None]], object]) -> list[LaterAlignment]: ...

@final
class LaterAlignment:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@final
class FertileModel:
    def __new__(
        cls,
        text: NumberedText,
        translation: Any,
        alignment: Any,
        fertility: Any,
        p1: float,
        *,
        distortion: Any,
        relative: _Options | None,
        vacancies: _Options | None,
    ) -> FertileModel: ...
    def sample(self, pair: int) -> tuple[list[tuple[tuple[int, ...], float]], tuple[int, ...]]: ...
    def count(self) -> tuple[Counted, Alignments]: ...

@final
class Counted:
    def null(self) -> tuple[float, float]: ...
    def translations(self) -> list[tuple[Any, dict[Any, float]]]: ...
    def fertilities(self) -> list[dict[Any, float]]: ...
    def distortions(self) -> list[tuple[int, int, int, int, float]]: ...
    def heads(self) -> list[tuple[int, Any, Any, float]]: ...
    def others(self) -> list[tuple[int, Any, float]]: ...
    def vacancies(self) -> list[tuple[bool, int, int, Any, float]]: ...

def align_lengths(
    source: Sequence[int], target: Sequence[int], ratio: float, variance: float, priors: list[float]
) -> list[tuple[int, int, int, int]]: ...

@final
class Tokenizer:
    def __new__(
        cls, name: str, *, dictionary: str | PathLike[str] | None, model: str | PathLike[str] | None
    ) -> Tokenizer: ...
    @staticmethod
    def tercom(normalized: bool, no_punctuation: bool, asian_support: bool, case_sensitive: bool) -> Tokenizer: ...
    @property
    def name(self) -> str: ...
    def tokenize(self, lines: Sequence[str]) -> list[list[str]]: ...

@final
class Metric:
    @staticmethod
    def bleu(
        *,
        tokenizer: Tokenizer,
        smoothing: str,
        smoothing_value: float | None,
        weights: Sequence[float],
        effective_order: bool,
        lowercase: bool,
    ) -> Metric: ...
    @staticmethod
    def chrf(
        *,
        character_order: int,
        word_order: int,
        beta: float,
        whitespace: bool,
        epsilon_smoothing: bool,
        lowercase: bool,
    ) -> Metric: ...
    @staticmethod
    def ter(*, normalized: bool, no_punctuation: bool, asian_support: bool, case_sensitive: bool) -> Metric: ...
    @property
    def name(self) -> str: ...
    @property
    def adds_up(self) -> bool: ...
    @property
    def higher_is_better(self) -> bool: ...
    def signature(
        self, references: int | None, *, bootstrap: int | None, trials: int | None, seed: int, generator: str
    ) -> tuple[str, str]: ...
    def measure(
        self, systems: Sequence[Sequence[str]], references: Sequence[Sequence[str]], threads: int
    ) -> tuple[list[_Rows], tuple[list[tuple[bool, int | None]], str | None, tuple[int, int] | None]]: ...
    def total(self, rows: _Rows) -> tuple[list[float], float]: ...
    def scores(self, rows: _Rows) -> list[float]: ...
    def sample_scores(self, sums: NDArray[np.float32]) -> list[float]: ...
    def details(self, rows: _Rows) -> str: ...
    def parts(self, rows: _Rows) -> tuple[list[float], float]: ...

def bootstrap_scores(
    metric: Metric, systems: Sequence[_Rows], samples: int, seed: int, generator: str, threads: int
) -> list[list[float]]: ...
def bootstrap(
    metric: Metric, systems: Sequence[_Rows], samples: int, seed: int, generator: str, threads: int
) -> list[tuple[float, float]]: ...
def paired_bootstrap(
    metric: Metric, systems: Sequence[_Rows], samples: int, seed: int, generator: str, threads: int
) -> list[_Tested]: ...
def paired_randomization(
    metric: Metric,
    systems: Sequence[_Rows],
    trials: int,
    seed: int,
    generator: str,
    confidence: int | None,
    threads: int,
) -> list[_Tested]: ...
def gleu_metric(*, tokenizer: Tokenizer, shortest: int, longest: int, lowercase: bool) -> Metric: ...
def nist_metric(
    references: Sequence[Sequence[str]], *, tokenizer: Tokenizer, order: int, several: str, lowercase: bool
) -> Metric: ...
def ribes_metric(*, tokenizer: Tokenizer, alpha: float, beta: float, correlation: str, lowercase: bool) -> Metric: ...
def meteor_metric(
    *,
    tokenizer: Tokenizer,
    parameters: _Options,
    stemmer: str | None,
    synonyms: Sequence[Sequence[str]] | None,
    synonyms_file: str | PathLike[str] | None,
    lookup: str,
    lowercase: bool,
) -> Metric: ...
def lepor_metric(*, tokenizer: Tokenizer, alpha: float, beta: float, kind: str, lowercase: bool) -> Metric: ...
def order_metric(*, tokenizer: Tokenizer, kind: str, alpha: float, beta: float, lowercase: bool) -> Metric: ...
def lr_metric(bleu: Metric, *, kind: str, alpha: float) -> Metric: ...
def dependency_path_metric(settings: _Options, matching: _Options) -> Metric: ...
def explain_dependency_paths(
    settings: _Options, matching: _Options, hypothesis: str, references: Sequence[str], graph: bool
) -> tuple[
    int,
    tuple[float, float, float],
    tuple[int, int],
    list[tuple[int, int]],
    list[tuple[int, int, bool, _Path | None, _Path | None]],
]: ...
def path_encoding(sentence: str, first: int, last: int) -> tuple[list[str], bool, list[str]]: ...
def path_disparity(
    one: tuple[Sequence[str], bool, Sequence[str]], other: tuple[Sequence[str], bool, Sequence[str]]
) -> tuple[int, int]: ...
def correlation(human: Sequence[float], metric: Sequence[float], pairs: _Options, coefficient: str) -> float | None: ...
def correlate(
    human: Sequence[float],
    metrics: Sequence[Sequence[float]],
    pairs: _Options,
    coefficient: str,
    samples: int,
    seed: int,
    threads: int,
) -> tuple[
    list[float | None],
    list[tuple[float, float] | None],
    list[
        tuple[
            tuple[int, int],
            float | None,
            tuple[float, float] | None,
            float | None,
            tuple[float, float] | None,
        ]
    ],
]: ...
def tree_edit_metric(
    *,
    splice: bool,
    head_leaf: bool,
    relations: bool,
    subtypes: bool,
    pooled: bool,
    matching: _Options,
) -> Metric: ...
def read_lines(path: str | PathLike[str]) -> list[str]: ...
def bleu_counts(list_of_references: Any, hypotheses: Any, order: int) -> tuple[list[int], list[int], int, int]: ...
def bleu(
    list_of_references: Any, hypotheses: Any, weights: Any, rule: int, parameter: float
) -> tuple[list[float], list[int]] | None: ...
def sentence_bleu(
    references: Any, hypothesis: Any, rule: int, parameter: float
) -> float | tuple[float, list[int]] | None: ...
def gleu(list_of_references: Any, hypotheses: Any, shortest: int, longest: int) -> tuple[float, float]: ...
def meteor(references: Any, hypothesis: Any, alpha: float, beta: float, gamma: float) -> float | None: ...
def meteor_stages(
    hypothesis: Any, reference: Any
) -> tuple[list[tuple[int, int]], list[tuple[int, str]], list[tuple[int, str]]] | None: ...
def nist(list_of_references: Any, hypotheses: Any, order: int) -> float: ...
def ribes(list_of_references: Any, hypotheses: Any, alpha: float, beta: float) -> list[float]: ...
def rank_alignment(reference: Any, hypothesis: Any) -> list[int]: ...
def kendall_tau(places: Sequence[int]) -> float: ...
def lepor(references: Any, hypothesis: Any, alpha: float, beta: float) -> list[float]: ...
def lepor_alignment(reference: Any, hypothesis: Any) -> list[int]: ...
def chrf(
    references: Sequence[str], hypotheses: Sequence[str], shortest: int, longest: int, beta: float
) -> list[list[float]]: ...
def stem(word: str, kind: str) -> str: ...

@final
class ReorderSource:
    @staticmethod
    def of_words(words: object, known: _Options) -> ReorderSource: ...
    @staticmethod
    def of_trees(trees: _Trees, known: _Options) -> ReorderSource: ...
    @staticmethod
    def of_annotation(path: str | PathLike[str], known: _Options) -> ReorderSource: ...
    def __len__(self) -> int: ...
    def select(self, numbers: Sequence[int]) -> ReorderSource: ...
    def lengths(self) -> list[int]: ...
    def layers(self) -> list[str]: ...
    def layer(self, name: str) -> list[list[str]] | None: ...
    def export(self, stem: str, links: _Many | None, target: object, columns: Sequence[str]) -> list[str]: ...
    def heads(self) -> list[list[int] | None]: ...

def gold_orders(lengths: Sequence[int], links: _Many, key: str, unaligned: str, attach: str | None) -> _Orders: ...
def gold_ranks(
    lengths: Sequence[int], links: _Many, incomparable: str
) -> tuple[_Orders, list[bool], list[tuple[int, int] | None], list[bool]]: ...
def export_orders(offsets: NDArray[np.int64], rows: NDArray[np.int32], name: str | None) -> tuple[object, object]: ...
def order_scores() -> list[tuple[str, bool]]: ...

@final
class GoldStandard:
    @staticmethod
    def of_links(source: ReorderSource, links: _Many, key: str, incomparable: str) -> GoldStandard: ...
    @staticmethod
    def of_corpus(corpus: TaskCorpus) -> GoldStandard: ...
    def __len__(self) -> int: ...
    @property
    def numbers(self) -> NDArray[np.int64]: ...
    @property
    def incomparable(self) -> int: ...
    def evaluate(
        self, run: _Orders | PathLike[str], incomplete: bool, bootstrap: _Options | None, threads: int
    ) -> tuple[_Judged, _Judged, list[tuple[_Estimated, float | None]]]: ...

@final
class TaskCorpus:
    @staticmethod
    def read(path: str | PathLike[str]) -> TaskCorpus: ...
    @staticmethod
    def pack(source: ReorderSource, links: _Many, parses: Sequence[str] | None, key: str) -> TaskCorpus: ...
    def __len__(self) -> int: ...
    def select(self, numbers: Sequence[int]) -> TaskCorpus: ...
    def source(self, known: _Options) -> ReorderSource: ...
    def orders(self) -> _Orders: ...
    def kept(self) -> _Orders: ...
    def known(self) -> list[bool]: ...
    @property
    def guessed(self) -> int: ...
    def parses(self) -> list[str | None]: ...
    def reordered(self, given: _Orders) -> TaskCorpus: ...
    def hidden(self) -> tuple[TaskCorpus, TaskCorpus, list[int]]: ...
    def write(self, stem: str | PathLike[str], info: bool) -> None: ...
    def write_rows(self, path: str | PathLike[str]) -> None: ...

def reorder_engines() -> list[str]: ...

@final
class ReorderModel:
    def __new__(cls, path: str | PathLike[str]) -> ReorderModel: ...
    @staticmethod
    def train(
        source: ReorderSource,
        gold: Mapping[str, object],
        config: Mapping[str, object],
        start: ReorderModel | None,
        threads: int,
        progress: object,
    ) -> ReorderModel: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @property
    def engine(self) -> str: ...
    @property
    def features(self) -> int: ...
    @property
    def columns(self) -> list[list[str]]: ...
    @property
    def search(self) -> str: ...
    def orders(self, source: ReorderSource, beam: int | None, threads: int, progress: object) -> _Orders: ...
    def best_orders(
        self, source: ReorderSource, count: int, beam: int, threads: int, progress: object
    ) -> tuple[list[int], _Orders]: ...
    def trees(self, source: ReorderSource, beam: int | None, threads: int, progress: object) -> list[str]: ...
    def best_trees(
        self, source: ReorderSource, count: int, beam: int, threads: int, progress: object
    ) -> list[list[str]]: ...

def verb_final_rules() -> str: ...

@final
class ReorderRules:
    def __new__(cls, text: str) -> ReorderRules: ...
    @staticmethod
    def read(path: str | PathLike[str]) -> ReorderRules: ...
    @staticmethod
    def learn(
        source: ReorderSource,
        gold: Mapping[str, object],
        numbers: Sequence[int],
        factor: float,
        seed: int,
        threads: int,
        progress: object,
    ) -> ReorderRules: ...
    def __len__(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def tallies(self) -> list[tuple[int, int] | None]: ...
    def write(self, path: str | PathLike[str]) -> None: ...
    def orders(self, source: ReorderSource, threads: int, progress: object) -> _Orders: ...

def write_submission(
    path: str | PathLike[str], team: str, data: _Files, given: Sequence[tuple[bool, str, str | PathLike[str]]]
) -> list[tuple[str, int]]: ...
def check_submission(path: str | PathLike[str], data: _Files) -> list[tuple[str, int]]: ...
def rank_submissions(
    submissions: Sequence[str | PathLike[str]],
    gold: _Files,
    by: str,
    all_runs: bool,
    bootstrap: _Options | None,
    threads: int,
) -> list[tuple[str, int, list[_Entry]]]: ...
