"""Makes the dictionaries of MeCab that the tests read: a few words, with random costs of neighbors.

    python3 -m pip install mecab-python3==1.0.12 mecab-ko==1.0.3
    python3 crates/alinea-dev/reference/mecab_dictionaries.py FOLDER
    zstd -19 --rm FOLDER/*/{char.bin,dicrc,matrix.bin,sys.dic,unk.dic}

The libraries of these packages are MeCab 0.996 and MeCab-ko 0.9.2.  What the program `mecab-dict-index` does is a
function there; its options are `-d SOURCES -o FOLDER -f utf-8 -t utf-8`.  A word has the number of its class as its
left and right context.
"""

import ctypes
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from random import Random

CLASSES = {"noun": 1, "particle": 2, "verb": 3, "symbol": 4}
CONTEXTS = range(len(CLASSES) + 1)
SETTINGS = "cost-factor = 800\nbos-feature = BOS/EOS,*\nconfig-charset = UTF-8\ndictionary-charset = UTF-8\n"

JAPANESE_WORDS = """
猫 noun 3000, 犬 noun 3000, が particle 500, は particle 400, を particle 500,
に particle 600, で particle 600, 好き noun 2500, です verb 1000, 水 noun 2900,
飲む verb 2500, 飲ん verb 2400, だ verb 900, 公園 noun 2600, 東 noun 3500,
京 noun 3500, 東京 noun 2500, 京都 noun 2500, 東京都 noun 2450, 都 noun 3000,
に noun 5000, 。 symbol 100, 、 symbol 100, \u3000 symbol 100, ab noun 2000,
すもも noun 2700, もも noun 2700, も particle 600, の particle 500, うち noun 2800
"""
JAPANESE_UNKNOWN = """
DEFAULT noun 4700, SPACE symbol 900, KANJI noun 6000, SYMBOL symbol 4000, NUMERIC noun 3700, ALPHA noun 5000,
HIRAGANA particle 7000, KATAKANA noun 4600, KANJINUMERIC noun 4000, KANJI verb 6200
"""
JAPANESE_CHARACTERS = """
DEFAULT 0 1 0
SPACE 0 1 0
KANJI 0 0 2
SYMBOL 1 1 0
NUMERIC 1 1 0
ALPHA 1 1 0
HIRAGANA 0 1 2
KATAKANA 1 1 2
KANJINUMERIC 1 1 0
0x0020 SPACE
0x0009..0x000B SPACE
0x0021..0x002F SYMBOL
0x0030..0x0039 NUMERIC
0x003A..0x0040 SYMBOL
0x0041..0x005A ALPHA
0x0061..0x007A ALPHA
0x3041..0x309F HIRAGANA
0x30A1..0x30FE KATAKANA
0x30FC KATAKANA HIRAGANA
0x4E00..0x9FFF KANJI
0x4E00 KANJINUMERIC KANJI
0x4E8C KANJINUMERIC KANJI
0x4E09 KANJINUMERIC KANJI
0xFF10..0xFF19 NUMERIC
"""
KOREAN_WORDS = """
고양이 noun 2500, 고양 noun 3500, 이 particle 800, 가 particle 500, 물 noun 2600, 을 particle 500, 마시 verb 2400,
\u11ab다 particle 900, 마신다 verb 3300, 는 particle 500, 공원 noun 2600, 에서 particle 700, 에 particle 600,
서 noun 3100, 서울 noun 2500, 울 noun 3300, 은 particle 550, 은 noun 3000, 크 verb 2500, 다 particle 500, . symbol 100
"""
KOREAN_UNKNOWN = """
DEFAULT noun 4700, SPACE symbol 900, HANGUL noun 6000, SYMBOL symbol 4000, NUMBER noun 3700, ALPHA noun 5000
"""
KOREAN_CHARACTERS = """
DEFAULT 0 1 0
SPACE 0 1 0
HANGUL 0 1 2
SYMBOL 1 1 0
NUMBER 1 1 0
ALPHA 1 1 0
0x0020 SPACE
0x0021..0x002F SYMBOL
0x0030..0x0039 NUMBER
0x0041..0x005A ALPHA
0x0061..0x007A ALPHA
0xAC00..0xD7A3 HANGUL
"""


def entries(words, feature=None):
    """Lines of a dictionary: word, contexts, cost, class."""
    lines = []
    for entry in words.strip("\n").replace(",\n", ", ").split(", "):
        word, name, cost = entry.split(" ")
        lines.append(f"{word},{CLASSES[name]},{CLASSES[name]},{cost},{feature or name},*\n")
    return "".join(lines)


def matrix():
    """Costs of each class before each, random; 0 is the edge of the sentence."""
    random = Random(4)
    costs = [f"{left} {right} {random.randint(-2000, 2000)}\n" for left in CONTEXTS for right in CONTEXTS]
    return f"{len(CONTEXTS)} {len(CONTEXTS)}\n{''.join(costs)}"


def compile_dictionary(package, distribution, files, folder):
    """Compiles files by the library of a package into a folder, and puts the settings beside that."""
    module = import_module(package)
    [library] = Path(module.__file__).parents[1].glob(f"{distribution}.libs/*")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as sources:
        for name, text in files.items():
            Path(sources, name).write_text(text, "utf-8")
        arguments = ["mecab-dict-index", "-d", sources, "-o", str(folder), "-f", "utf-8", "-t", "utf-8"]
        encoded = [argument.encode() for argument in arguments]
        status = ctypes.CDLL(str(library)).mecab_dict_index(len(encoded), (ctypes.c_char_p * len(encoded))(*encoded))
    if status:
        raise SystemExit(f"{package}: mecab-dict-index has failed with status {status}")
    (folder / "dicrc").write_text(files["dicrc"], "utf-8")


def main(folder):
    """Makes both dictionaries."""
    classes = "".join(f"{name},* {number}\n" for name, number in {**CLASSES, "unknown": 5}.items())
    penalties = "left-space-penalty-factor = 2,3000,5,6000\n"
    for package, distribution, language, words, unknown, characters, settings in (
        ("MeCab", "mecab_python3", "ja", JAPANESE_WORDS, JAPANESE_UNKNOWN, JAPANESE_CHARACTERS, SETTINGS),
        ("mecab_ko", "mecab_ko", "ko", KOREAN_WORDS, KOREAN_UNKNOWN, KOREAN_CHARACTERS, SETTINGS + penalties),
    ):
        files = {
            "words.csv": entries(words),
            "unk.def": entries(unknown, "unknown"),
            "char.def": characters,
            "matrix.def": matrix(),
            "pos-id.def": classes,
            "dicrc": settings,
        }
        compile_dictionary(package, distribution, files, Path(folder, language))


if __name__ == "__main__":
    main(*sys.argv[1:])
