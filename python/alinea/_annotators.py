"""Several annotators: their agreement, and the types of correspondences in their links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from alinea import _html, _native
from alinea._links import Alignments, Annotators, annotators_of, arrays

References: TypeAlias = Literal["instances", "best", "union"]
"""The name of a way to compare with several annotators; see :func:`alinea.evaluate`."""


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of two annotators; see :func:`agreement`.

    >>> import alinea
    >>> [pair] = alinea.agreement({"anna": ["0-0 1-1 2-1"], "ben": ["0-0"]}).pairs
    >>> pair.first, pair.second_covered, pair.agreement
    ('anna', 1.0, 0.5)

    Attributes:
        first: The name of the first, X.
        second: The name of the second, Y.
        sentences: The number of sentences that both annotated.
        common: The number of links of both in these.
        first_links: The number of links of X in these.
        second_links: The number of links of Y in these.
        second_covered: The share of the links of Y that X made too; ``None`` if Y made none.
        first_covered: The share of the links of X that Y made too; ``None`` if X made none.
        agreement: The harmonic mean of both shares; ``None`` if there is no sentence that both annotated.
        kappa: Cohen's kappa over the cells of the grids; ``None`` without lengths, too.
    """

    first: str
    second: str
    sentences: int
    common: int
    first_links: int
    second_links: int
    second_covered: float | None
    first_covered: float | None
    agreement: float | None
    kappa: float | None


@dataclass(frozen=True)
class Agreement:
    """Agreement of annotators; see :func:`agreement`.

    >>> import alinea
    >>> found = alinea.agreement({"anna": ["0-0"], "ben": ["0-0"], "carl": ["1-1"]})
    >>> [pair.agreement for pair in found.pairs], found.mean_agreement
    ([1.0, 0.0, 0.0], 0.3333333333333333)

    Attributes:
        pairs: Every pair of them, in their order.
        mean_agreement: The unweighted mean of the agreement of those pairs that have one.
        mean_kappa: The unweighted mean of their kappa.
    """

    pairs: tuple[PairAgreement, ...]
    mean_agreement: float | None
    mean_kappa: float | None

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each pair of annotators, for data frames; keys are the names of the attributes.

        >>> import alinea
        >>> [row] = alinea.agreement({"anna": ["0-0 1-1 2-1"], "ben": ["0-0"]}).rows()
        >>> row["first"], row["second"], row["common"], row["agreement"]
        ('anna', 'ben', 1, 0.5)
        """
        return [asdict(pair) for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of ``alinea agreement --json``.

        >>> import alinea
        >>> found = alinea.agreement({"anna": ["0-0 1-1 2-1"], "ben": ["0-0"]}).to_dict()
        >>> found["pairs"][0]["agreement"], found["pairs"][0]["counts"]
        ({'value': 0.5}, {'common': 1, 'first': 3, 'second': 1})
        """
        pairs = [
            {
                "first": pair.first,
                "second": pair.second,
                "sentences": pair.sentences,
                "counts": {"common": pair.common, "first": pair.first_links, "second": pair.second_links},
                "second_covered": pair.second_covered,
                "first_covered": pair.first_covered,
                "agreement": {"value": pair.agreement},
                "kappa": {"value": pair.kappa},
            }
            for pair in self.pairs
        ]
        return {"pairs": pairs, "mean_agreement": self.mean_agreement, "mean_kappa": self.mean_kappa}

    def _repr_html_(self) -> str:
        head = ["", "sentences", "links", "links", "common", "agreement %", "kappa"]
        rows = [
            [
                f"{pair.first} – {pair.second}",
                *(f"{number:,}" for number in (pair.sentences, pair.first_links, pair.second_links, pair.common)),
                _html.percent(pair.agreement),
                _html.number(pair.kappa),
            ]
            for pair in self.pairs[:_SHOWN]
        ]
        more = len(self.pairs) - len(rows)
        if len(self.pairs) > 1:
            rows.append(["mean", "", "", "", "", _html.percent(self.mean_agreement), _html.number(self.mean_kappa)])
        return _html.table("", head, rows, more=more)


_SHOWN = 30


@dataclass(frozen=True)
class CorrespondenceTypes:
    """Numbers of correspondences by type; see :func:`correspondence_types`.

    >>> import alinea
    >>> alinea.correspondence_types(["0-0"], [(3, 1)]).null_words
    2

    Attributes:
        one_to_one: Groups of one word on each side.
        chunks: Groups of two or more words on some side.
        null_words: Words without a link, on both sides.
        null_runs: Runs of adjacent words without a link, on both sides.
    """

    one_to_one: int
    chunks: int
    null_words: int
    null_runs: int


def agreement(
    annotators: Annotators,
    *,
    lengths: Iterable[tuple[int, int]] | None = None,
    sure_only: bool = False,
) -> Agreement:
    """Computes the agreement of annotators of the same text (Ozdowska 2008), over the sentences that both annotated.

    >>> import alinea
    >>> people = {"anna": ["0-0 1-1", "0-0"], "ben": ["0-0 1-0", None]}
    >>> [pair] = alinea.agreement(people, lengths=[(2, 2), (1, 1)]).pairs
    >>> pair.sentences, pair.agreement, pair.kappa
    (1, 0.5, 0.0)

    Args:
        annotators: The links of each annotator, by name; ``None`` for a sentence that one did not annotate.
        lengths: The numbers of source and of target words of each sentence pair, for kappa (Cohen 1960): every cell of
            a grid is an item that two annotators label linked or not linked.
        sure_only: Whether links that are only possible are left out.

    Raises:
        Error: Two annotators have different numbers of sentences, or there are none, or a link is not between the
            words.
        ParseError: A line is not in Pharaoh format.
    """
    cells = None if lengths is None else list(lengths)
    pairs, (mean_agreement, mean_kappa) = _native.agreement(annotators_of(annotators), cells, sure_only)
    found = tuple(PairAgreement(*names, sentences, *counts[:3], *shares) for names, sentences, counts, shares in pairs)
    return Agreement(found, mean_agreement, mean_kappa)


def correspondence_types(links: Alignments, lengths: Iterable[tuple[int, int]]) -> CorrespondenceTypes:
    """Counts the types of correspondences in the links of a text (Ozdowska 2008).

    >>> import alinea
    >>> alinea.correspondence_types(["0-0 1-1 1-2"], [(2, 5)])
    CorrespondenceTypes(one_to_one=1, chunks=1, null_words=2, null_runs=1)

    Args:
        links: The links. Words that links connect are a group.
        lengths: The numbers of source and of target words of each sentence pair.

    Raises:
        Error: There are lengths of more or fewer sentence pairs, or a link is not between the words.
        ParseError: A line is not in Pharaoh format.
    """
    return CorrespondenceTypes(*_native.correspondence_types(arrays(links, "links"), list(lengths)))


for _public in (Agreement, CorrespondenceTypes, PairAgreement, agreement, correspondence_types):
    _public.__module__ = "alinea"
