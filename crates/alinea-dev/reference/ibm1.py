"""Model 1: slow, plain, the reference for `alinea.nltk.ibm1`.

Brown et al. (1993), section 4.1: t(word | generator), equal for all words at first; then passes of expectation
maximization over the tokens of the text, so that a word that occurs twice in a sentence counts twice.  A generator is
a word of the other side or None, the empty word.
"""

from collections import defaultdict


def train(corpus, passes):
    """The table t[word][generator] after some passes over pairs (words, generators)."""
    vocabulary = sorted({word for words, _ in corpus for word in words})
    table = {word: defaultdict(lambda: 1 / len(vocabulary)) for word in vocabulary}
    for _ in range(passes):
        counts = {word: defaultdict(float) for word in vocabulary}
        totals = defaultdict(float)
        for words, others in corpus:
            for word in words:
                norm = sum(table[word][generator] for generator in [None, *others])
                for generator in [None, *others]:
                    share = table[word][generator] / norm
                    counts[word][generator] += share
                    totals[generator] += share
        table = {
            word: defaultdict(float, {generator: count / totals[generator] for generator, count in row.items()})
            for word, row in counts.items()
        }
    return table


def rows(table):
    """[word, generator, probability] where that is more than zero, by word and generator."""
    return [
        [word, generator, probability]
        for word in sorted(table)
        for generator, probability in sorted(table[word].items(), key=lambda item: str(item[0]))
        if probability > 0
    ]
