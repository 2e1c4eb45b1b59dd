"""Dependency trees carried over links to the translation.

Edges come from those of the source, weighed with what is usual in the text; the native module does the work (crate
``alinea-order``, module ``project::trees``), and ``docs/guides/carry-trees.md`` says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from alinea import _native
from alinea._align import posteriors
from alinea._links import Alignments, Posteriors, Sentences, arrays
from alinea._trees import Trees, trees_of

TreeMethod: TypeAlias = Literal["consistent", "mended", "direct"]
"""How a word finds its head."""

Origin: TypeAlias = Literal["carried", "mended", "guessed"]
"""Where the head of a word comes from."""


class ProjectedWord(NamedTuple):
    """A word of the target in its tree.

    >>> from alinea import project
    >>> project.ProjectedWord("livres", "NOUN", 1, "obj", "carried", 0.97, 2).head
    1

    Attributes:
        form: How it is written.
        upos: Its universal part of speech: the given one, or that carried over.
        head: Its head, from 0; ``None`` for the root.
        relation: Its relation to the head: ``root`` for the root, and for no other word.
        origin: Where the head comes from: an edge of the source (``"carried"``), the source where an edge has no
            counterpart (``"mended"``), or what is usual in the text (``"guessed"``).
        confidence: How sure the head is, from 0 to 1: its probability among all words with ``"consistent"``, otherwise
            the product of the probabilities of the links.
        source: The source word whose head was carried over, from 0; ``None`` if none was.
    """

    form: str
    upos: str
    head: int | None
    relation: str
    origin: Origin
    confidence: float
    source: int | None


class ProjectedTree(NamedTuple):
    r"""A tree over a target sentence: one root, no cycles.

    >>> from alinea import project
    >>> source = "1\tAnna\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tcomes\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    >>> tree = project.trees([source], ["Anna kommt"], ["0-0 1-1"])[0]
    >>> [word.head for word in tree.words]
    [1, None]

    Attributes:
        words: Its words, in order.
    """

    words: list[ProjectedWord]

    def conllu(self) -> str:
        r"""The lines of the sentence in CoNLL-U, without the empty line at the end.

        >>> from alinea import project
        >>> word = project.ProjectedWord("Kommt", "VERB", None, "root", "carried", 0.9, 0)
        >>> project.ProjectedTree([word]).conllu()
        '1\tKommt\t_\tVERB\t_\t_\t0\troot\t_\t_\n'
        """
        rows = (
            f"{number}\t{word.form}\t_\t{word.upos}\t_\t_\t{0 if word.head is None else word.head + 1}"
            f"\t{word.relation}\t_\t_\n"
            for number, word in enumerate(self.words, 1)
        )
        return "".join(rows)


def trees(
    source: Trees,
    target: Sentences,
    links: Posteriors | Alignments | None = None,
    *,
    upos: Iterable[Sequence[str | None]] | None = None,
    method: TreeMethod = "consistent",
    threshold: float = 0.36,
    threads: int = 0,
) -> list[ProjectedTree]:
    r"""Projects dependency trees to the target.

    With ``"consistent"`` what is found depends on the whole text: give as much of it at once as there is.

    >>> import alinea
    >>> rows = ["1\twe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_", "2\tread\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    >>> english = "\n".join([*rows, "3\tbooks\t_\tNOUN\t_\t_\t2\tobj\t_\t_"])
    >>> tree = alinea.project.trees([english], ["leemos libros"], ["1-0 2-1"])[0]
    >>> [(word.form, word.upos, word.head, word.relation) for word in tree.words]
    [('leemos', 'VERB', None, 'root'), ('libros', 'NOUN', 0, 'obj')]

    Args:
        source: The trees of the source sentences, with one root each.
        target: Their translations, one for each.
        links: The links of each pair, best with confidences: what :func:`alinea.posteriors` or
            :meth:`alinea.TrainedModel.posteriors` return for the words of the trees. Links without count 0.9. If there
            are none, the text is aligned by :func:`alinea.posteriors`.
        upos: The universal parts of speech of the target words, as far as they are known (``None`` or ``"_"`` where
            they are not).
        method: How a word finds its head: by the probabilities of links and what is attached to what elsewhere in the
            text (``"consistent"``); by links, with mends where they leave a word without head (``"mended"``, after
            Tiedemann and Agić 2016); or by links alone, the root where there is none (``"direct"``, Hwa et al. 2005).
        threshold: The minimum confidence of a link for the last two, from 0 to 1.
        threads: The number of threads, 0 for one on each core. Results do not depend on it.

    Returns:
        The tree of each target sentence.

    Raises:
        Error: There are more or fewer sentences on one side, parts of speech or links; one of them is not in its
            sentence; or a source sentence has no tree.
        ConfigError: An option has a value that is not allowed.
        ParseError: What should be trees is none.
        OSError: A file cannot be read.
    """
    parsed = trees_of(source, "source")
    if isinstance(target, Iterator):
        # It is read twice.
        target = list(target)
    if links is None:
        links = posteriors(_native.tree_words(parsed), target, threads=threads)
    confidences = links.confidences if isinstance(links, Posteriors) else None
    rows = arrays(links.links if isinstance(links, Posteriors) else links, "links")
    found = _native.project_trees(
        parsed,
        target,
        None if upos is None else [list(tags) for tags in upos],
        rows,
        confidences,
        method=method,
        threshold=threshold,
        threads=threads,
    )
    return [ProjectedTree([ProjectedWord(*word) for word in words]) for words in found]


for _public in (ProjectedTree, ProjectedWord, trees):
    _public.__module__ = "alinea.project"
