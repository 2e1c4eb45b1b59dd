"""What metrics take from a sentence in which one noun phrase has moved, and from one in which three words have.

    python phrase_moves.py ALINEA NAME=TREES.conllu[=PARSER.udpipe] ...

ALINEA is the command.  Each sentence is its own reference, and has two hypotheses that are equally far from it:

    phrase   a noun phrase (a noun with all below it, two words or more) changes places with a neighboring dependent of the
             same head, with all below that; if they have k and m words, k m pairs of neighbors have changed places
    words    three words have moved, each by itself, until as many pairs are in another order

Sentences have 12 to 40 words, and k m is at least 3.  The alignment is known: each word with itself.  The trees of the
hypotheses are those of parsers that are not deceived (moved: each word keeps its head and relation), that take what has
moved for something else (misread: the same, but the noun of the phrase has the relation of its neighbor, or each of the
three words that of another word in the sentence), or that go by places alone (fixed: each place keeps its head and
relation), and, if there is a model of UDPipe (ufal.udpipe of PyPI, version 1.4), what it makes of reference and hypothesis
alike (parsed).  A model that has seen the sentences would know them: --half takes every other sentence,
from the first, so that it may be trained on the others (--train writes such a model, and ends).

Losses are 1 less the score of a sentence, with BLEU, TER, RIBES and Kendall over the words alone; faults are path pairs that
cost something.  Intervals are of 95 %, by 1000 bootstrap samples of sentences.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

from word_order_damage import below, conllu, exchange, fixed, moved

TEXT = ["bleu", "ter", "ribes", "kendall"]
SAMPLES = 1000


def sentences(path):
    """Lists of (form, head, relation, part of speech), heads from 0, the root's head -1; words only."""
    words = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 10 and fields[0].isdigit():
                words.append((fields[1].replace(" ", "_"), int(fields[6]) - 1, fields[7], fields[3]))
            elif not line.strip():
                yield words
                words = []


def inversions(order):
    return sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))


def phrase_moved(words, rng):
    """An order in which a noun phrase has changed places with its neighbor, and its misread relation; or none."""
    spans = {}
    for top, (_, head, _, tag) in enumerate(words):
        places = below(words, top)
        if head >= 0 and tag != "PUNCT" and places[-1] - places[0] + 1 == len(places):
            spans[places[0], places[-1] + 1] = top
    pairs = [
        (one, other)
        for one, top in spans.items()
        for other, neighbor in spans.items()
        if one[1] == other[0] and words[top][1] == words[neighbor][1]
        if (one[1] - one[0]) * (other[1] - other[0]) >= 3
        if any(words[spans[s]][3] in ("NOUN", "PROPN") and s[1] - s[0] > 1 for s in (one, other))
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    nominal = lambda span: words[spans[span]][3] in ("NOUN", "PROPN") and span[1] - span[0] > 1
    phrase, neighbor = (one, other) if nominal(one) else (other, one)
    return exchange(list(range(len(words))), one, other), {spans[phrase]: words[spans[neighbor]][2]}


def words_moved(words, wanted, rng):
    """An order in which three words have moved and so many pairs changed, and their misread relations; or none."""
    n = len(words)
    for _ in range(2000):
        cuts = sorted(rng.sample(range(1, wanted), 2))
        order = list(range(n))
        chosen = rng.sample([w for w in range(n) if words[w][1] >= 0], 3)
        for word, distance in zip(chosen, (cuts[0], cuts[1] - cuts[0], wanted - cuts[1])):
            at = order.index(word)
            goal = at + rng.choice((-1, 1)) * distance
            if 0 <= goal < n:
                order.insert(goal, order.pop(at))
        if inversions(order) == wanted:
            relations = sorted({word[2] for word in words if word[1] >= 0})
            misread = lambda word: rng.choice([name for name in relations if name != words[word][2]] or relations)
            return order, {word: misread(word) for word in chosen}
    return None


def segments(alinea, metrics, reference, hypothesis, more):
    """For each metric the scores of all sentences."""
    command = [alinea, "metric", reference, "-i", hypothesis, "--json", "--segments", "-q", "--metric"] + metrics + more
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return list(zip(*(json.loads(line)["scores"][0] for line in lines)))


def explained(alinea, reference, hypothesis, more, count):
    """For each sentence the number of path pairs that cost something."""
    command = [alinea, "metric", reference, "-i", hypothesis, "--metric", "dpath", "--explain"] + more
    faults = [0] * count
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[1:]:
        fields = line.split("\t")
        faults[int(fields[0]) - 1] += int(fields[3]) > 0
    return faults


class Parser:
    def __init__(self, path):
        from ufal import udpipe

        self.model = udpipe.Model.load(path)
        self.pipeline = udpipe.Pipeline(self.model, "horizontal", udpipe.Pipeline.DEFAULT, udpipe.Pipeline.DEFAULT, "conllu")
        self.error = udpipe.ProcessingError

    def parse(self, sentences):
        error = self.error()
        parsed = self.pipeline.process("".join(" ".join(words) + "\n" for words in sentences), error)
        if error.occurred():
            raise ValueError(error.message)
        return parsed


def train(text, path):
    from ufal import udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    with open(text, encoding="utf-8") as lines:
        reader.setText(lines.read())
    error, chosen, number, sentence = udpipe.ProcessingError(), udpipe.Sentences(), 0, udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        if number % 2:
            chosen.push_back(sentence)
        sentence, number = udpipe.Sentence(), number + 1
    none, tagger = udpipe.Trainer.NONE, "iterations=6;models=1"
    parser = "iterations=8;embedding_upostag=20;embedding_feats=20;embedding_form=50;embedding_lemma=0;"
    parser += "embedding_deprel=20;hidden_layer=150;transition_system=swap;transition_oracle=static_lazy;structured_interval=10"
    model = udpipe.Trainer.train("morphodita_parsito", chosen, udpipe.Sentences(), none, tagger, parser, error)
    if error.occurred():
        raise ValueError(error.message)
    with open(path, "wb") as out:
        out.write(bytes(model))


def measure(alinea, chosen, which, parser, folder):
    """Losses of all sentences by metric, for the hypotheses of one kind."""
    path = lambda name: os.path.join(folder, name)
    write = lambda name, text: open(path(name), "w", encoding="utf-8").write(text)
    orders = [pair[which][0] for _, pair in chosen]
    bare = [[word[:3] for word in words] for words, _ in chosen]
    write("links", "".join(" ".join("%d-%d" % (w, at) for at, w in enumerate(order)) + "\n" for order in orders))
    trees = {"moved": moved, "fixed": fixed}
    losses = {}
    more = ["--links", path("links")]
    for name in ["parsed"] * (parser is not None) + ["misread", "fixed", "moved"]:
        if name == "parsed":
            write("reference", parser.parse([word[0] for word in words] for words in bare))
            write("hypothesis", parser.parse([words[w][0] for w in order] for words, order in zip(bare, orders)))
        elif name == "misread":
            read = lambda words, other: [word[:2] + (other.get(w, word[2]),) for w, word in enumerate(words)]
            write("reference", "".join(conllu(words) for words in bare))
            misread = (moved(read(words, pair[which][1]), pair[which][0]) for words, (_, pair) in zip(bare, chosen))
            write("hypothesis", "".join(map(conllu, misread)))
        else:
            write("reference", "".join(conllu(words) for words in bare))
            write("hypothesis", "".join(conllu(trees[name](words, order)) for words, order in zip(bare, orders)))
        found = segments(alinea, ["dpath", "ted"], path("reference"), path("hypothesis"), more + ["--roots", "many"])
        losses["dpath " + name], losses["ted " + name] = [[1 - s for s in column] for column in found]
        faults = explained(alinea, path("reference"), path("hypothesis"), more + ["--roots", "many"], len(chosen))
        losses["faults " + name] = faults
    write("reference", "".join(" ".join(word[0] for word in words) + "\n" for words in bare))
    write("hypothesis", "".join(" ".join(words[w][0] for w in order) + "\n" for words, order in zip(bare, orders)))
    text = segments(alinea, TEXT, path("reference"), path("hypothesis"), ["-t", "none"])
    bleu, ter, ribes, kendall = text
    losses.update({"BLEU": [1 - s / 100 for s in bleu], "TER": [s / 100 for s in ter]})
    losses.update({"RIBES": [1 - s for s in ribes], "Kendall": [1 - s for s in kendall]})
    return losses


def ratio(phrase, words, draws):
    """Means of both, the quotient of the means, and its interval."""
    mean = sum(phrase) / len(phrase), sum(words) / len(words)
    if not mean[1]:
        return *mean, float("nan"), (float("nan"), float("nan"))
    of_draws = ((sum(phrase[i] for i in draw), sum(words[i] for i in draw)) for draw in draws)
    quotients = sorted(one / other if other else float("inf") for one, other in of_draws)
    ends = quotients[round(0.025 * (SAMPLES - 1))], quotients[round(0.975 * (SAMPLES - 1))]
    return *mean, mean[0] / mean[1], ends


def main():
    if sys.argv[1] == "--train":
        return train(sys.argv[2], sys.argv[3])
    half = "--half" in sys.argv
    alinea, *texts = [argument for argument in sys.argv[1:] if argument != "--half"]
    print("text\tsentences\tmetric\tphrase\twords\tratio\tlow\thigh")
    for argument in texts:
        name, path, *model = argument.split("=")
        rng = random.Random(name)
        chosen = []
        for number, words in enumerate(sentences(path)):
            if not 12 <= len(words) <= 40 or half and number % 2:
                continue
            phrase = phrase_moved(words, rng)
            other = phrase and words_moved(words, inversions(phrase[0]), rng)
            if other:
                chosen.append((words, (phrase, other)))
        with tempfile.TemporaryDirectory() as folder:
            parser = Parser(model[0]) if model else None
            phrase, words = (measure(alinea, chosen, which, parser, folder) for which in (0, 1))
        draws = [rng.choices(range(len(chosen)), k=len(chosen)) for _ in range(SAMPLES)]
        for metric in phrase:
            one, other, quotient, (low, high) = ratio(phrase[metric], words[metric], draws)
            print("%s\t%d\t%s\t%.4f\t%.4f\t%.3f\t%.3f\t%.3f" % (name, len(chosen), metric, one, other, quotient, low, high))


if __name__ == "__main__":
    main()
