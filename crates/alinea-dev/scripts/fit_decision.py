"""Fits the weights of a decision (crates/alinea-align/src/decision) to gold standards.

    python fit_decision.py FOLDER [NAME=WEIGHT ...]

FOLDER has what `alinea-dev features` writes of each set of docs/gold-split.md: NAME, the cells, and NAME.json, its standard
output; halves of a set are NAME@odd and NAME@even.  Weights are fitted to the tuning sets, of which each counts once or as
given.  Needs numpy and scipy.

The weights make the mean expected AER of these sets least, with s = σ(2 w · x) in place of links, plus PENALTY / 2 times the
squared distance from a threshold on the confidence alone.  Then they are scaled, and the bias is moved, so that σ(a w · x + c)
is the probability of a sure link: by maximum likelihood, possible links left out.  Standard error has AER and expected
calibration error, of tuning sets and of reporting sets that are there, without and with the decision; standard output has
crates/alinea-align/src/decision/weights.rs.
"""

import json
import pathlib
import re
import sys
from typing import NamedTuple

import numpy as np
from encoder_table import REPORTING, TUNING
from scipy.optimize import minimize

SHARPNESS = 2.0
PENALTY = 1e-4
# What comes before the features of a cell.
BEFORE = ["pair", "right", "counts", "mean", "trust"]
MARGIN = 0.005
# The thresholds without a decision: of joint confidences, and of posteriors where the encoder is not trusted.
JOINT, MODEL = 0.62, 0.20
WEIGHTS = pathlib.Path(__file__).parents[2] / "alinea-align/src/decision/weights.rs"


class Cells(NamedTuple):
    """The candidate cells of a set: for each its pair, whether it is a sure or a possible link, whether it counts, λ of its mean
    posterior, its features; for each pair the number of sure links; and how far the encoder is trusted."""

    pair: np.ndarray
    sure: np.ndarray
    possible: np.ndarray
    counts: np.ndarray
    posterior: np.ndarray
    features: np.ndarray
    links: np.ndarray
    trust: float


def read(folder, name):
    """The cells of a set, or None if it is not there."""
    if not (folder / name).exists():
        return None
    links = np.array(json.loads((folder / f"{name}.json").read_text()))
    rows = np.fromfile(folder / name, "<f4").reshape(-1, len(BEFORE) + len(names()))
    pair, right, counts, mean, trust = rows[:, : len(BEFORE)].T.astype(float)
    posterior = np.log((mean + MARGIN) / (1 + MARGIN - mean))
    features = rows[:, len(BEFORE) :].astype(float)
    return Cells(pair.astype(int), right == 1, right > 0, counts, posterior, features, links, trust[0])


def names():
    """The names of the features."""
    return re.findall(r'^ *\("(.*)",', WEIGHTS.read_text(), re.MULTILINE)


def scores(cells, weights, scale):
    """Above 0 for links. Where the encoder is not wholly trusted, the model has its say."""
    return cells.trust * (cells.features @ weights) + (1 - cells.trust) * (cells.posterior + MODEL) / scale


def expected_aer(cells, weights, scale):
    """The AER with a share of a link in place of each cell, and its gradient."""
    share = 1 / (1 + np.exp(-np.clip(SHARPNESS * scores(cells, weights, scale), -50, 50)))
    right = (cells.sure * 1.0 + cells.possible) * cells.counts
    found, all_links = share @ right, share @ cells.counts + cells.links.sum()
    slope = SHARPNESS * cells.trust * share * (1 - share)
    gradient = -(right / all_links - found / all_links**2 * cells.counts) * slope
    return 1 - found / all_links, cells.features.T @ gradient


def fit(sets, counts, start, scale):
    """The weights of the least mean."""

    def loss(weights):
        total, gradient = PENALTY / 2 * ((weights - start) ** 2).sum(), PENALTY * (weights - start)
        for cells, count in zip(sets, counts, strict=True):
            aer, of_set = expected_aer(cells, weights, scale)
            total, gradient = total + count * aer, gradient + count * of_set
        return total, gradient

    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x


def calibrate(sets, counts, weights, scale):
    """The scale a and the shift c of the probability σ(a s + c)."""
    parts = [
        (scores(cells, weights, scale), cells.sure, count * (cells.counts * (cells.sure == cells.possible)))
        for cells, count in zip(sets, counts, strict=True)
    ]
    s, right, weight = (
        np.concatenate(column) for column in zip(*[(s, r, w / w.sum()) for s, r, w in parts], strict=True)
    )

    def loss(parameters):
        z = parameters[0] * s + parameters[1]
        miss = weight * (1 / (1 + np.exp(-z)) - right)
        return weight @ (np.logaddexp(0, z) - right * z), np.array([miss @ s, miss.sum()])

    return minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B").x


def aer(cells, is_link):
    """The AER of links in percent."""
    linked = is_link * cells.counts
    return 100 * (1 - (linked @ cells.sure + linked @ cells.possible) / (linked.sum() + cells.links.sum()))


def calibration_error(cells, probability):
    """The expected calibration error over ten bins, of cells from 0.01 on, possible links left out."""
    kept = (probability >= 0.01) & (cells.sure == cells.possible) & (cells.counts > 0)
    p, right = probability[kept], cells.sure[kept]
    bins = np.minimum((10 * p).astype(int), 9)
    return sum(abs((p - right)[bins == n].sum()) for n in range(10)) / len(p)


def report(title, folder, sets, weights, scale, shift):
    """A line for each set on standard error."""
    rows = []
    for name in sets:
        cells = read(folder, name)
        if cells is None:
            continue
        confidence = cells.features[:, names().index("confidence")]
        before = confidence >= -(cells.trust * JOINT + (1 - cells.trust) * MODEL)
        s = scores(cells, weights, scale)
        probability = 1 / (1 + np.exp(-(scale * s + cells.trust * shift)))
        alone = 1 / (1 + np.exp(-confidence))
        row = [aer(cells, before), aer(cells, s >= 0), *(calibration_error(cells, p) for p in (alone, probability))]
        print(f"{name:30} {row[0]:6.2f} {row[1]:6.2f}   {row[2]:.3f} {row[3]:.3f}", file=sys.stderr)
        rows.append(row)
    print(f"{title:30} " + " ".join(f"{mean:.3f}" for mean in np.mean(rows, 0)), file=sys.stderr)


def main():
    """Fits, reports, and prints weights.rs."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    given = dict(pair.split("=") for pair in sys.argv[2:])
    sets = [read(folder, name) for name in TUNING.values()]
    counts = np.array([float(given.get(name, 1)) for name in TUNING.values()])
    counts /= counts.sum()
    start = np.zeros(len(names()))
    start[names().index("confidence")], start[names().index("bias")] = 1, JOINT
    scale, shift, weights = 1.5, 0.0, start
    for _ in range(2):
        weights = fit(sets, counts, start, scale)
        scale, shift = calibrate(sets, counts, weights, scale)
    report("tuning sets", folder, TUNING.values(), weights, scale, shift)
    report("reporting sets", folder, REPORTING.values(), weights, scale, shift)
    weights = scale * weights
    weights[names().index("bias")] += shift
    text = re.sub(r"(LEAST_WITH_ENCODER: f64 =) .*;", rf"\1 {shift:.4f};", WEIGHTS.read_text())
    values = iter(weights)
    print(re.sub(r'\("(.*)", .*\)', lambda found: f'("{found[1]}", {next(values):.4f})', text), end="")


if __name__ == "__main__":
    main()
