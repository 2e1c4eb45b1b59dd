"""Trains the models of SentencePiece that the tests read, on the sample of the command.

    python3 -m pip install sentencepiece==0.2.3
    python3 crates/alinea-dev/reference/sentence_piece_models.py FOLDER

The text is that of `en-fr.en`, `en-fr.fr` and `en-de.de`, one after the other.  Names of files are part of a model: so
it works in a temporary folder, and copies the models.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import sentencepiece

SAMPLE = Path(__file__).parents[2] / "alinea-cli" / "sample"
# What is replaced by what, with one of a sequence, one of a character by several, and one by nothing.
RULES = {
    "\t": " ",
    "e\u0301": "é",
    "fi": "\ufb01",
    "\u00a0": " ",
    "Æ": "AE",
    "æ": "ae",
    "\u200b": "",
    "\u2019": "'",
    "\u2026": "...",
    "\u3000": " ",
}
SYMBOLS = ["<sep>", "alinea"]
MODELS = {
    "unigram": {"model_type": "unigram", "vocab_size": 320, "user_defined_symbols": SYMBOLS},
    "bpe": {"model_type": "bpe", "vocab_size": 320, "user_defined_symbols": SYMBOLS},
    "bytes": {
        "model_type": "unigram",
        "vocab_size": 500,
        "byte_fallback": True,
        "treat_whitespace_as_suffix": True,
        "remove_extra_whitespaces": False,
    },
    "bytesbpe": {"model_type": "bpe", "vocab_size": 500, "byte_fallback": True, "add_dummy_prefix": False},
}


def points(text):
    """The code points of a text, as a table of rules has them."""
    return " ".join(f"{ord(character):X}" for character in text)


def main(folder):
    """Trains all models."""
    folder = Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join((SAMPLE / name).read_text("utf-8") for name in ("en-fr.en", "en-fr.fr", "en-de.de"))
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        Path("spm").mkdir()
        Path("sample.txt").write_text(text, "utf-8")
        rules = "".join(f"{points(old)}\t{points(new)}\n" for old, new in RULES.items())
        Path("spm/rules.tsv").write_text(rules, "utf-8")
        for name, options in MODELS.items():
            sentencepiece.SentencePieceTrainer.train(
                input="sample.txt",
                model_prefix=f"spm/{name}",
                normalization_rule_tsv="spm/rules.tsv",
                character_coverage=0.999,
                num_threads=1,
                **options,
            )
            shutil.copy(f"spm/{name}.model", folder)
        os.chdir(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
