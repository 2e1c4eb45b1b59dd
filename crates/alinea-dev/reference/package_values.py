"""What SciPy, zss, MeCab and SentencePiece compute for their vectors."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import dependency_paths
import MeCab
import mecab_ko
import sentencepiece
import zss
from scipy import stats

VECTORS = Path(__file__).parents[2] / "alinea" / "tests" / "vectors"
NEVER = 10**6


def correlations(vector):
    """Coefficients, and p-values on the side of a greater one for Williams' t."""
    human, metric = vector["human"], vector["metric"]
    return {
        "pearson": float(stats.pearsonr(human, metric).statistic),
        "pearson_p": float(stats.pearsonr(human, metric).pvalue),
        "spearman": float(stats.spearmanr(human, metric).statistic),
        "kendall": float(stats.kendalltau(human, metric).statistic),
        "williams_p": float(stats.t.sf(vector["williams_t"], len(human) - 3)),
    }


def tree_edit_distance(given):
    """The distance of Zhang and Shasha: linked nodes are equal, roots are equal to each other alone."""
    links = {tuple(link) for link in given["links"]}
    splice = given["unaligned"] == "splice"
    trees = [
        node(dependency_paths.build(given[name], {link[end] for link in links} if splice else None, given["head_leaf"]))
        for end, name in enumerate(("tree", "tree2"))
    ]

    def update(one, other):
        (kind, word), (other_kind, other_word) = one.label, other.label
        if "root" in (kind, other_kind):
            return 0 if kind == other_kind else NEVER
        return 0 if kind == other_kind and (word, other_word) in links else 1

    return int(zss.distance(*trees, zss.Node.get_children, lambda _: 1, lambda _: 1, update))


def node(tree):
    """A tree of zss."""
    label, children = tree
    return zss.Node(label, [node(child) for child in children])


@cache
def tagger(language):
    """A tagger with one of the dictionaries of the tests."""
    folder = tempfile.mkdtemp()
    for path in (VECTORS / "mecab" / language).glob("*.zst"):
        subprocess.run(["zstd", "-qd", path, "-o", Path(folder, path.stem)], check=True)
    return {"ja": MeCab, "ko": mecab_ko}[language].Tagger(f"-r /dev/null -d {folder} -Owakati")


def morphemes(vector):
    """The morphemes of a line, without blanks."""
    return " ".join(tagger(vector["dictionary"]).parse(vector["input"]).split())


@cache
def model(name):
    """A model of the tests."""
    return sentencepiece.SentencePieceProcessor(model_file=str(VECTORS / "sentence-piece" / f"{name}.model"))


def pieces(vector):
    """The pieces of a line, without blanks."""
    return " ".join(" ".join(model(vector["model"]).encode(vector["input"], out_type=str)).split())
