"""Gold alignments by hand, in the browser.

:func:`annotate` serves a project until its page is closed. The workbench is native (crate ``alinea-annotate``); this
module checks arguments, tells the addresses and opens the browser. ``docs/guides/annotate.md`` shows the page and has
all its keys.
"""

from __future__ import annotations

import contextlib
import html
import os
import sys
import tempfile
import unicodedata
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path

from alinea import _native
from alinea._encoder import Encoder
from alinea._links import Alignments, GoldAlignment, Sentences, arrays
from alinea._training import Model, Tokenize, reading_of


def annotate(
    project: str | os.PathLike[str],
    source: Sentences | None = None,
    target: Sentences | None = None,
    *,
    annotators: Sequence[str] = (),
    title: str | None = None,
    guideline: str | None = None,
    shared: float | None = None,
    model: Model | os.PathLike[str] | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    suggest: Alignments | None = None,
    tokenize: Tokenize = "none",
    max_length: int = 2000,
    lowercase: bool = True,
    browser: bool = True,
    port: int = 0,
    threads: int = 0,
) -> list[GoldAlignment | None]:
    """Opens a page on which people link the words of a text, with an aligner that learns from every sentence.

    Returns when the page is closed by its button, and on Ctrl-C raises ``KeyboardInterrupt``. All that people did is in
    the folder of the project by then, and the next call goes on from there. The addresses of the page, one for each
    annotator, are written to standard error.

    >>> import alinea
    >>> gold = alinea.annotate("verses.annotation", source, target)  # doctest: +SKIP
    >>> alinea.write_links("gold.align", [links or () for links in gold])  # doctest: +SKIP

    Args:
        project: Folder of the project. If there is none, one is made of the text.
        source: The source text, one sentence per item; not needed for a project that exists.
        target: The target text, with as many sentences.
        annotators: Names of those who take part, besides those who already do. Without any, ``"annotator"`` does.
        title: Title of the page.
        guideline: What is to be linked, for people; the page shows it.
        shared: The share of the sentences that all annotators link, from 0 to 1; at first 0.1.
        model: Model that suggests links: the name of one that is trained on the text, see :func:`align`; or the
            ``pathlib.Path`` of one that :meth:`TrainedModel.save` wrote, which is adapted to the text; the project
            keeps a copy.
        encoder: :class:`Encoder` whose word vectors help the model, or its folder or name. The project remembers it;
            with ``""`` it forgets it.
        suggest: Links that are suggested in place of those of the model, as of another aligner, for each pair; where
            there are none the model suggests some. The project keeps a copy.
        tokenize: How sentences that are a ``str`` are cut into words: ``"none"``, at blanks and tabs; ``"unicode"``,
            at the word boundaries of Unicode.
        max_length: The maximum number of words in a sentence.
        lowercase: Whether words are compared in lower case.
        browser: Whether a browser is opened for the first annotator.
        port: Port of the page; 0 for that of the last time, or one that is free.
        threads: The number of threads that learn, 0 for one on each core.

    Returns:
        For each pair the links that were adjudicated or, where nobody did, those that the annotators agree on as sure
        and those of any as possible; ``None`` for pairs that nobody has confirmed.

    Raises:
        alinea.Error: If the folder has a project of another text, is in use by another process, or is damaged.
        ValueError: If only one side of the text is given.
        OSError: If a file cannot be read or written, or the port is taken.
    """
    if (source is None) != (target is None):
        raise ValueError("source and target: expected both, or neither for a project that exists")
    annotators = list(annotators)
    given = {
        "text": None if source is None else (source, target),
        "reading": reading_of(tokenize, lowercase, max_length),
        "annotators": annotators,
        "title": title,
        "guideline": guideline,
        "shared": shared,
        "model": model if isinstance(model, str) else None,
        "model_file": None if isinstance(model, str) else model,
        "suggest": None if suggest is None else arrays(suggest, "suggest"),
        "encoder": encoder._given if isinstance(encoder, Encoder) else None if encoder is None else os.fspath(encoder),
    }
    desk = _native.AnnotationDesk(os.fspath(project), given, port, threads)
    if desk.encoder is not None and not isinstance(encoder, Encoder):
        encoder = Encoder(desk.encoder)
    opened = encoder._native if isinstance(encoder, Encoder) else None
    for name, address in desk.addresses:
        print(f"{name}  {address}", file=sys.stderr, flush=True)
    with contextlib.ExitStack() as until_closed:
        if browser:
            # The adjudicator is the last.
            first = unicodedata.normalize("NFC", annotators[0] if annotators else desk.addresses[0][0])
            page = until_closed.enter_context(_page_to(dict(desk.addresses)[first]))
            webbrowser.open(page.as_uri())
        gold = desk.serve(opened)
    return [None if links is None else GoldAlignment._of_arrays(*links) for links in gold]


@contextlib.contextmanager
def _page_to(address: str) -> Iterator[Path]:
    """A file that leads to an address, and that its owner alone can read.

    What a browser is started with all users can read, and the token of the address lets anybody in.
    """
    # Browsers in Snap packages see nothing outside of the home folder.
    is_home = sys.platform == "linux" and os.access(Path.home(), os.W_OK)
    handle, name = tempfile.mkstemp(".html", "alinea-annotate-", Path.home() if is_home else None)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            link = html.escape(address)
            file.write(
                '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>alinea annotate</title>\n'
                f'<meta http-equiv="refresh" content="0; url={link}">\n'
                f'<p><a href="{link}">Go to the page</a></p>\n</html>\n'
            )
        yield Path(name)
    finally:
        os.unlink(name)
