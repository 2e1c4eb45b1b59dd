"""Recomputes what test vectors expect by the programs that they are from.

    python3 -m venv other && other/bin/python -m pip install nltk==3.10.4 sacrebleu==2.6.0 regex==2026.11.15 \
        scipy==1.17.1 numpy==2.4.6 zss==1.2.0 mecab-python3==1.0.12 mecab-ko==1.0.3 sentencepiece==0.2.3
    other/bin/python crates/alinea-dev/reference/other_programs.py [--write] [FILE...]

Files and options are as for `vectors.py`.  Of lines that no function here computes the README.md beside the vectors
names the call.
"""

import argparse
import json
import sys
import warnings
from functools import cache

import nltk_metrics
from nltk_values import NLTK, smoothed
from package_values import VECTORS, correlations, morphemes, pieces, tree_edit_distance
from sacrebleu_values import SACREBLEU
from vectors import all_files, arguments_of, check_all


@cache
def of_words(operation):
    """What the vectors of metrics of words have of an operation: sets of synonyms, or inputs."""
    lines = map(json.loads, (VECTORS / "metrics-nltk.jsonl").read_text("utf-8").splitlines())
    return [line.get("input", line["expect"]) for line in lines if line["op"] == operation]


def of_nltk(vector):
    """What NLTK computes of lines that have more or less than an input; None of others."""
    if "pairs" in vector and "weights" in vector:
        return {**vector["expect"], "nltk-3.10.4": smoothed(vector["pairs"], vector["weights"])}
    if vector.get("op") == "segment":
        return nltk_metrics.segment(vector["input"], *of_words("synonyms"))
    return nltk_metrics.corpus(of_words("segment")) if vector.get("op") == "corpus" else None


def of_tables(vector):
    """The function that computes what is expected of an input, or None."""
    tables = {"nltk-3.10.4": NLTK, "sacrebleu-2.6.0": SACREBLEU}
    return tables.get(vector.get("source"), {}).get(vector.get("op", "significance"))


def recompute(vector):
    """The line as its program computes it, or None where that is not here."""
    if "williams_t" in vector:
        return {**vector, **correlations(vector)}
    if vector.get("op") in ("mecab", "sentence_piece"):
        return {**vector, "expect": (morphemes if vector["op"] == "mecab" else pieces)(vector)}
    if "zss" in vector.get("source", ""):
        return {**vector, "expect": {**vector["expect"], "distance": tree_edit_distance(vector["input"])}}
    if compute := of_tables(vector):
        return {**vector, "expect": json.loads(json.dumps(compute(vector["input"])))}
    found = of_nltk(vector)
    return found and {**vector, "expect": found}


def main():
    """Reads the arguments; the exit status."""
    warnings.simplefilter("ignore")  # NLTK's about precisions of zero
    arguments = arguments_of(argparse.ArgumentParser(description=__doc__.splitlines()[0]))
    return check_all(arguments.files or all_files(), arguments.write, recompute)


if __name__ == "__main__":
    sys.exit(main())
