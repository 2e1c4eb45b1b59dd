"""How metrics fall when the word order of a sentence is damaged: a table, and a plot as SVG.

    python word_order_damage.py ALINEA OUT NAME=TREES.conllu ...

ALINEA is the command.  Each sentence is its own reference; the hypothesis has its words in another order, after 1, 2, 4 or
8 operations of one kind:

    adjacent   two neighboring words change places
    siblings   two neighboring dependents of a head change places, with everything below them
    subtrees   any two parts of the sentence that are a word with everything below it change places, none within the other
    words      any two words change places

Only sentences of 12 to 40 words are taken.  The alignment is known: each word with itself.  A parser would give the new
order a tree; its place is taken by two extremes, between which parsers are:

    moved      each word keeps its head and relation: the parser is not deceived
    fixed      each place keeps its head and relation: the parser goes by the places alone

BLEU, TER, RIBES and Kendall see the words alone, without tokenization.  OUT.tsv and OUT.svg are written.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

KINDS = ["adjacent", "siblings", "subtrees", "words"]
AMOUNTS = [0, 1, 2, 4, 8]
TEXT = ["bleu", "ter", "ribes", "kendall"]
TREE = ["dpath", "ted"]
COLUMNS = ["dpath moved", "ted moved", "dpath fixed", "ted fixed", "BLEU", "TER", "RIBES", "order-kendall"]


def sentences(path):
    """Lists of (form, head, relation), heads from 0, the root's head -1; words only."""
    words = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 10 and fields[0].isdigit():
                words.append((fields[1].replace(" ", "_"), int(fields[6]) - 1, fields[7]))
            elif not line.strip():
                if 12 <= len(words) <= 40:
                    yield words
                words = []


def below(words, top):
    """The places below a word, itself among them."""
    found = {top}
    while True:
        more = {i for i, word in enumerate(words) if word[1] in found} - found
        if not more:
            return sorted(found)
        found |= more


def parts(words, order, head=None):
    """Spans of the order that are a word with everything below it: of the dependents of a head, or of all words."""
    place = {word: at for at, word in enumerate(order)}
    spans = []
    for top, (_, of, _) in enumerate(words):
        if of < 0 or (head is not None and of != head):
            continue
        places = sorted(place[i] for i in below(words, top))
        if places[-1] - places[0] + 1 == len(places):
            spans.append((places[0], places[-1] + 1))
    return sorted(spans)


def exchange(order, one, other):
    (a, b), (c, d) = sorted([one, other])
    return order[:a] + order[c:d] + order[b:c] + order[a:b] + order[d:]


def damage(words, order, kind, rng):
    n = len(order)
    if kind == "adjacent":
        i = rng.randrange(n - 1)
        return exchange(order, (i, i + 1), (i + 1, i + 2))
    if kind == "words":
        i, j = sorted(rng.sample(range(n), 2))
        return exchange(order, (i, i + 1), (j, j + 1))
    if kind == "siblings":
        heads = [h for h in range(n) if len(parts(words, order, h)) > 1]
        if not heads:
            return order
        spans = parts(words, order, rng.choice(heads))
        i = rng.randrange(len(spans) - 1)
        return exchange(order, spans[i], spans[i + 1])
    spans = parts(words, order)
    for _ in range(50):
        one, other = rng.sample(spans, 2) if len(spans) > 1 else (None, None)
        if one and (one[1] <= other[0] or other[1] <= one[0]):
            return exchange(order, one, other)
    return order


def conllu(rows):
    lines = [
        "%d\t%s\t_\t_\t_\t_\t%d\t%s\t_\t_\n" % (i + 1, form, head + 1, label)
        for i, (form, head, label) in enumerate(rows)
    ]
    return "".join(lines) + "\n"


def moved(words, order):
    place = {word: at for at, word in enumerate(order)}
    return [(words[w][0], place[words[w][1]] if words[w][1] >= 0 else -1, words[w][2]) for w in order]


def fixed(words, order):
    return [(words[w][0],) + words[at][1:] for at, w in enumerate(order)]


def scores(alinea, metrics, reference, hypothesis, more):
    command = [alinea, "metric", reference, "-i", hypothesis, "--json", "-q", "--metric"] + metrics + more
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [score["score"] for score in report["systems"][0]["scores"]]


def measure(alinea, text, kind, amount, folder):
    rng = random.Random("%s %d" % (kind, amount))
    orders = []
    for words in text:
        order = list(range(len(words)))
        for _ in range(amount):
            order = damage(words, order, kind, rng)
        orders.append(order)
    path = lambda name: os.path.join(folder, name)
    write = lambda name, lines: open(path(name), "w", encoding="utf-8").write("".join(lines))
    write("reference", (conllu(words) for words in text))
    write("links", (" ".join("%d-%d" % (w, at) for at, w in enumerate(order)) + "\n" for order in orders))
    row = []
    for place in (moved, fixed):
        write("hypothesis", (conllu(place(words, order)) for words, order in zip(text, orders)))
        row += scores(alinea, TREE, path("reference"), path("hypothesis"), ["--links", path("links")])
    write("reference", (" ".join(word[0] for word in words) + "\n" for words in text))
    write("hypothesis", (" ".join(words[w][0] for w in order) + "\n" for words, order in zip(text, orders)))
    of_text = scores(alinea, TEXT, path("reference"), path("hypothesis"), ["-t", "none"])
    return row + [of_text[0] / 100, 1 - of_text[1] / 100] + of_text[2:]


COLORS = ["#1b6ca8", "#7fb3d5", "#b03a2e", "#e6a79f", "#444444", "#999999", "#2e8b57", "#b8860b"]


def svg(table, names):
    """A row of panels for each language, a panel for each kind of damage, a line for each metric."""
    width, height, gap = 200, 130, 34
    shapes = []
    for row, name in enumerate(names):
        for column, kind in enumerate(KINDS):
            x0, y0 = 50 + column * (width + gap), 40 + row * (height + gap)
            shapes.append(
                '<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#ccc"/>' % (x0, y0, width, height)
            )
            shapes.append('<text x="%d" y="%d">%s, %s</text>' % (x0, y0 - 6, name, kind))
            for value in (0, 0.5, 1):
                shapes.append(
                    '<text x="%d" y="%d" text-anchor="end">%s</text>' % (x0 - 4, y0 + height * (1 - value) + 4, value)
                )
            for metric in range(len(COLUMNS)):
                points = []
                for at, amount in enumerate(AMOUNTS):
                    value = table[name, kind, amount][metric]
                    points.append(
                        "%.1f,%.1f" % (x0 + width * at / (len(AMOUNTS) - 1), y0 + height * (1 - max(0, value)))
                    )
                shapes.append(
                    '<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>'
                    % (" ".join(points), COLORS[metric])
                )
            for at, amount in enumerate(AMOUNTS):
                shapes.append(
                    '<text x="%d" y="%d" text-anchor="middle">%d</text>'
                    % (x0 + width * at / (len(AMOUNTS) - 1), y0 + height + 13, amount)
                )
    for metric, name in enumerate(COLUMNS):
        x = 50 + metric * 112
        shapes.append(
            '<rect x="%d" y="8" width="12" height="4" fill="%s"/><text x="%d" y="14">%s</text>'
            % (x, COLORS[metric], x + 16, "1 - TER" if name == "TER" else name)
        )
    size = (60 + len(KINDS) * (width + gap), 40 + len(names) * (height + gap))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="10">\n'
        % size
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def main():
    alinea, out = sys.argv[1:3]
    table, names = {}, []
    with tempfile.TemporaryDirectory() as folder, open(out + ".tsv", "w", encoding="utf-8") as tsv:
        tsv.write(
            "\t".join(["text", "damage", "amount"] + ["1 - TER" if name == "TER" else name for name in COLUMNS]) + "\n"
        )
        for argument in sys.argv[3:]:
            name, path = argument.split("=", 1)
            names.append(name)
            text = list(sentences(path))
            for kind in KINDS:
                for amount in AMOUNTS:
                    row = measure(alinea, text, kind, amount, folder)
                    table[name, kind, amount] = row
                    tsv.write("\t".join([name, kind, str(amount)] + ["%.4f" % value for value in row]) + "\n")
            print(name, len(text), "sentences")
    with open(out + ".svg", "w", encoding="utf-8") as picture:
        picture.write(svg(table, names))


if __name__ == "__main__":
    main()
