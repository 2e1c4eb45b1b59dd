"""Fits the weights of decisions (crates/alinea-align/src/decision) to gold standards.

    python fit_decision.py FOLDER > crates/alinea-align/src/decision/weights.rs

FOLDER has a folder for each decision: agreement-loo, quality, encoder (the default model with one) and quality-encoder.  In it is what
`alinea-dev features` writes of each set of docs/gold-split.md: NAME, the cells, and NAME.json, its standard output; halves of a
set are NAME@odd and NAME@even.  Text that was added is part of the name (GOLD+TEXT), and a model that was trained on that alone
has an F_ before it.  Weights are fitted to the tuning sets; the more of them are of one gold standard, the less each counts: one
over the root of their number, and more for CzEnAli, the one tuning set with the sure links only of a gold standard that has possible
ones.  Needs numpy and scipy.

The weights make the mean expected AER of these sets least, with s = σ(2 z) in place of links, plus half of a penalty times the squared
distance of the weights of standardized features from a threshold on the confidence alone.  Then z is scaled and moved, so that
σ(a z + c) is the probability of a sure link, by maximum likelihood over the same sets, possible links left out, and the same is
done once more for links at all, over the sets that have possible ones.  Standard error has AER and expected calibration error of
tuning sets and of reporting sets, without and with the decision.
"""

import json
import pathlib
import re
import sys
from typing import NamedTuple

import numpy as np
from encoder_table import REPORTING, TUNING
from scipy.optimize import minimize

HIDDEN = 8
SHARPNESS = 2.0
STEPS = 400
MARGIN = 0.005
# What comes before the features of a cell.
BEFORE = ["pair", "right", "counts", "mean", "trust"]


class Settings(NamedTuple):
    """Of a decision: its name in the source, what it is for, λ of the least confidence of links without it, the penalty, and how
    much CzEnAli counts."""

    name: str
    doc: str
    least: float
    penalty: float
    czenali: float


DECISIONS = {
    "agreement-loo": Settings("AGREEMENT_LOO", "For the posteriors of `agreement-loo`.", -0.1987, 3e-4, 6),
    "quality": Settings("QUALITY", "For those of `quality`.", -0.6113, 3e-4, 6),
    "encoder": Settings("WITH_ENCODER", "For confidences that the default model and an encoder have in common.", -0.62, 6e-4, 3),
    "quality-encoder": Settings("QUALITY_WITH_ENCODER", "For those of `quality` and an encoder.", -0.62, 6e-4, 3),
}
# λ of the least posterior of links, where the encoder is not trusted.
MODEL = -0.1987
FEATURES = pathlib.Path(__file__).parents[2] / "alinea-align/src/decision/features.rs"


class Cells(NamedTuple):
    """The candidate cells of a set: for each its pair, whether it is a sure or a possible link, whether it counts, λ of its mean
    posterior, its features; for each pair the number of sure links; and how far the encoder is trusted, 1 without."""

    name: str
    pair: np.ndarray
    sure: np.ndarray
    possible: np.ndarray
    counts: np.ndarray
    posterior: np.ndarray
    features: np.ndarray
    links: np.ndarray
    trust: float


class Net(NamedTuple):
    """The weights of features, those of features in units, and those of units."""

    linear: np.ndarray
    hidden: np.ndarray
    units: np.ndarray

    @classmethod
    def of(cls, vector):
        """Of one vector of all."""
        n = len(names())
        return cls(vector[:n], vector[n : n * (1 + HIDDEN)].reshape(n, HIDDEN), vector[n * (1 + HIDDEN) :])

    def vector(self):
        """All in one."""
        return np.concatenate([self.linear, self.hidden.ravel(), self.units])

    def of_standardized(self, mean, deviation):
        """The same for features that are not standardized."""
        linear, hidden = self.linear / deviation, self.hidden / deviation[:, None]
        linear[0] -= mean @ linear
        hidden[0] -= mean @ hidden
        return Net(linear, hidden, self.units)


def names():
    """The names of the features."""
    text = FEATURES.read_text()
    return re.findall(r'"([^"]+)"', text[text.index("NAMES:") : text.index("];")])


def read(folder, name, has_encoder):
    """The cells of a set."""
    links = np.array(json.loads((folder / f"{name}.json").read_text()))
    rows = np.fromfile(folder / name, "<f4").reshape(-1, len(BEFORE) + len(names()))
    pair, right, counts, mean, trust = rows[:, : len(BEFORE)].T
    posterior = np.log((mean + MARGIN) / (1 + MARGIN - mean))
    trust = float(trust[0]) if has_encoder else 1.0
    return Cells(name, pair.astype(int), right == 1, right > 0, counts, posterior, rows[:, len(BEFORE) :], links, trust)


def gold(name):
    """The gold standard of a set."""
    return name.removeprefix("F_").split("+")[0].split("@")[0]


def sets_of(folder, wanted):
    """The sets of these gold standards that a folder has, alone, with text, and by models of the text."""
    halves = {name.partition("@")[0]: name.partition("@")[2] for name in wanted}

    def is_wanted(name):
        return gold(name) in halves and halves[gold(name)] == name.partition("@")[2]

    found = sorted(path.stem for path in folder.glob("*.json") if is_wanted(path.name.removesuffix(".json")))
    return [path for path in found if (folder / path).exists()]


def counts_of(sets, czenali):
    """How much each set counts."""
    golds = [gold(cells.name) for cells in sets]
    counts = [(czenali if "czenali" in name else 1) / np.sqrt(golds.count(name)) for name in golds]
    return np.array(counts) / sum(counts)


def scores(cells, features, net, scale):
    """Above 0 for links, and what the units say. Where the encoder is not wholly trusted, the model has its say."""
    z = features @ net.hidden.astype(np.float32)
    units = z / np.sqrt(1 + z * z)
    score = features @ net.linear.astype(np.float32) + units @ net.units.astype(np.float32)
    return cells.trust * score + (1 - cells.trust) * (cells.posterior - MODEL) / scale, units


def fit(sets, counts, least, penalty):
    """The net of the least mean, for standardized features."""
    confidence = names().index("confidence")
    mean = np.mean([cells.features.mean(0) for cells in sets], 0)
    deviation = np.sqrt(np.mean([cells.features.var(0) for cells in sets], 0)) + 0.05
    mean[0], deviation[0] = 0, 1
    standardized = [((cells.features - mean) / deviation).astype(np.float32) for cells in sets]
    scale = 1.5
    start = Net(np.zeros(len(names())), np.zeros((len(names()), HIDDEN)), np.zeros(HIDDEN))
    start.linear[confidence], start.linear[0] = deviation[confidence] / scale, (mean[confidence] - least) / scale
    random = np.random.default_rng(0)
    begin = Net(start.linear, random.normal(0, 0.15, start.hidden.shape), random.normal(0, 0.1, HIDDEN)).vector()
    start = start.vector()

    def loss(vector):
        net = Net.of(vector)
        total, gradient = penalty / 2 * ((vector - start) ** 2).sum(), penalty * (vector - start)
        to = Net.of(gradient)
        for cells, features, count in zip(sets, standardized, counts, strict=True):
            score, units = scores(cells, features, net, scale)
            share = 1 / (1 + np.exp(-np.clip(SHARPNESS * score, -50, 50)))
            right = (cells.sure * np.float32(1) + cells.possible) * cells.counts
            found, both = float(share @ right), float(share @ cells.counts) + cells.links.sum()
            total += count * (1 - found / both)
            slope = SHARPNESS * cells.trust * share * (1 - share)
            of_score = (count * -(right / both - found / both**2 * cells.counts) * slope).astype(np.float32)
            of_units = of_score[:, None] * net.units.astype(np.float32) * (1 - units * units) ** 1.5
            to.linear[:] += features.T @ of_score
            to.hidden[:] += features.T @ of_units
            to.units[:] += units.T @ of_score
        return total, gradient

    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    return Net.of(found).of_standardized(mean, deviation)


def logistic(parts):
    """The factor and the summand that make scores probabilities; parts have scores, what is right, and weights."""
    s, right, weight = (
        np.concatenate(column) for column in zip(*[(s, r, w / w.sum()) for s, r, w in parts], strict=True)
    )

    def loss(parameters):
        z = parameters[0] * s + parameters[1]
        miss = weight * (1 / (1 + np.exp(-z)) - right)
        return weight @ (np.logaddexp(0, z) - right * z), np.array([miss @ s, miss.sum()])

    return minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B").x


def calibrate(sets, counts, net):
    """Factor and summand that make scores log-odds of sure links, and those that make the latter log-odds of links at all."""
    own = [scores(cells, cells.features, net, 1.5)[0].astype(float) for cells in sets]
    parts = [
        (s, cells.sure, count * cells.counts * (cells.sure == cells.possible))
        for cells, s, count in zip(sets, own, counts, strict=True)
    ]
    factor, summand = logistic(parts)
    parts = [
        (factor * s + summand, cells.possible, count * cells.counts)
        for cells, s, count in zip(sets, own, counts, strict=True)
        if (cells.sure != cells.possible).any()
    ]
    return (factor, summand), logistic(parts)


def aer(cells, is_link):
    """The AER of links in percent."""
    linked = is_link * cells.counts
    return 100 * (1 - (linked @ cells.sure + linked @ cells.possible) / (linked.sum() + cells.links.sum()))


def calibration_error(cells, probability, right, kept):
    """The expected calibration error over ten bins, of cells from 0.05 on."""
    kept = (probability >= 0.05) & kept & (cells.counts > 0)
    p, right = probability[kept], right[kept]
    bins = np.minimum((10 * p).astype(int), 9)
    return sum(abs((p - right)[bins == n].sum()) for n in range(10)) / len(p)


def report(title, folder, wanted, net, sure, possible, least):
    """A line for each set on standard error: AER without and with the decision, and the calibration errors."""
    rows = []
    for name in sets_of(folder, wanted):
        cells = read(folder, name, folder.name.endswith("encoder"))
        confidence = cells.features[:, names().index("confidence")]
        before = confidence >= cells.trust * least + (1 - cells.trust) * MODEL - 1e-6
        score = scores(cells, cells.features, net, 1.5)[0].astype(float)
        odds = sure[0] * score + sure[1]
        is_either = cells.sure == cells.possible
        errors = [calibration_error(cells, 1 / (1 + np.exp(-odds)), cells.sure, is_either)]
        errors.append(calibration_error(cells, 1 / (1 + np.exp(-odds)), cells.sure, True))
        odds = possible[0] * odds + possible[1]
        errors.append(calibration_error(cells, 1 / (1 + np.exp(-odds)), cells.possible, True))
        rows.append([aer(cells, before), aer(cells, score >= 0), *errors])
        print(f"{name:55} " + " ".join(f"{value:7.3f}" for value in rows[-1]), file=sys.stderr)
    for kind in ("", "+", "F_"):
        of_kind = [
            row
            for row, name in zip(rows, sets_of(folder, wanted), strict=True)
            if ("F_" if name.startswith("F_") else "+" if "+" in name else "") == kind
        ]
        if of_kind:
            print(f"{title + ' ' + kind:55} " + " ".join(f"{m:7.3f}" for m in np.mean(of_kind, 0)), file=sys.stderr)


def numbers(values):
    """As they are written."""
    return ", ".join(f"{value:.4f}" for value in values)


def source(folder):
    """The source of a decision."""
    name, doc, least, penalty, czenali = DECISIONS[folder.name]
    sets = [read(folder, found, folder.name.endswith("encoder")) for found in sets_of(folder, TUNING.values())]
    counts = counts_of(sets, czenali)
    net = fit(sets, counts, least, penalty)
    (factor, summand), possible = calibrate(sets, counts, net)
    for title, wanted in (("tuning", TUNING.values()), ("reporting", REPORTING.values())):
        report(f"{folder.name} {title}", folder, wanted, net, (factor, summand), possible, least)
    linear = factor * net.linear
    linear[0] += summand
    rows = [
        f"        ({weight:.4f}, [{numbers(of_units)}]), // {feature}"
        for feature, weight, of_units in zip(names(), linear, net.hidden, strict=True)
    ]
    lines = [
        f"/// {doc}",
        "#[rustfmt::skip]",
        f"pub(super) static {name}: Weights = Weights {{",
        f"    least: {summand:.4f},",
        f"    possible: Calibration {{ factor: {possible[0]:.4f}, summand: {possible[1]:.4f} }},",
        f"    of_units: [{numbers(factor * net.units)}],",
        "    of_features: [",
        *rows,
        "    ],",
        "};",
    ]
    return "\n".join(lines) + "\n"


def main():
    """Fits, reports, and prints weights.rs."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    head = "//! The weights of decisions, as `scripts/fit_decision.py` of the development crate writes them.\n\n"
    head += "use super::calibration::Calibration;\nuse super::{Weights, alone};\n\n"
    head += "/// For posteriors of a model for which there is no decision: its threshold is .45.\n"
    head += f"pub(super) static OF_POSTERIORS: Weights = alone({MODEL});\n\n"
    sys.stdout.write(head + "\n".join(source(folder / name) for name in DECISIONS))


if __name__ == "__main__":
    main()
