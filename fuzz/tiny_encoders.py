"""tiny_encoders.py DATA FOLDER: seeds of the target `encoder`, encoders of two numbers and one layer.

DATA has the tokenizers, of which most pieces are left out.
"""

import json
import pathlib
import struct
import sys
from typing import Any

PIECES = 60
SIZES = {"hidden_size": 2, "num_attention_heads": 1, "num_hidden_layers": 1, "intermediate_size": 3}


def tensors(rows: int, types: int) -> dict[str, list[int]]:
    """The shape of each tensor by its name."""
    width, inner = SIZES["hidden_size"], SIZES["intermediate_size"]
    layer = "encoder.layer.0."
    shapes = {
        "embeddings.word_embeddings.weight": [PIECES, width],
        "embeddings.position_embeddings.weight": [rows, width],
        "embeddings.token_type_embeddings.weight": [types, width],
    }
    linear = {f"{layer}attention.self.{part}": (width, width) for part in ("query", "key", "value")}
    linear[f"{layer}attention.output.dense"] = (width, width)
    linear[f"{layer}intermediate.dense"] = (inner, width)
    linear[f"{layer}output.dense"] = (width, inner)
    for name, (outputs, inputs) in linear.items():
        shapes |= {f"{name}.weight": [outputs, inputs], f"{name}.bias": [outputs]}
    for name in ("embeddings", f"{layer}attention.output", f"{layer}output"):
        shapes |= {f"{name}.LayerNorm.weight": [width], f"{name}.LayerNorm.bias": [width]}
    return shapes


def weights(shapes: dict[str, list[int]], prefix: str, dtype: str) -> bytes:
    """A file of weights: numbers that are small and all different."""
    code, size = {"F32": ("f", 4), "F16": ("e", 2)}[dtype]
    header: dict[str, Any] = {}
    data = b""
    for name, shape in shapes.items():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        values = [((len(data) // size + n) * 7 % 19 - 9) / 8 for n in range(count)]
        start = len(data)
        data += struct.pack(f"<{count}{code}", *values)
        header[prefix + name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + data


def tokenizer(path: pathlib.Path) -> dict[str, Any]:
    """A tokenizer with the first pieces only."""
    parts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    model = parts["model"]
    if isinstance(model["vocab"], list):
        model["vocab"] = model["vocab"][:PIECES]
    else:
        model["vocab"] = {piece: number for piece, number in model["vocab"].items() if number < PIECES}
    return parts


def seed(path: pathlib.Path, choice: int, parts: list[bytes]) -> None:
    """Writes a seed: a choice, and parts with a byte between them that no text has."""
    path.write_bytes(bytes([choice]) + b"\xff".join(parts))


def main() -> None:
    """Writes all seeds."""
    data, folder = map(pathlib.Path, sys.argv[1:])
    text = "A house , 12 .\nΆ東京 ｶé".encode()
    for kind, name, choice in [
        ("bert", "tokenizer", 0x04),
        ("bert", "tokenizer-uncased", 0x13),
        ("xlm-roberta", "tokenizer", 0x06),
        ("xlm-roberta", "tokenizer-older", 0x01),
    ]:
        rows, types = (6, 2) if kind == "bert" else (8, 1)
        sizes = {"vocab_size": PIECES, "max_position_embeddings": rows, "type_vocab_size": types}
        config = json.dumps({"model_type": kind} | SIZES | sizes).encode()
        pieces = json.dumps(tokenizer(data / kind / f"{name}.json"), ensure_ascii=False).encode()
        shapes = tensors(rows, types)
        whole = weights(shapes, "roberta." if kind == "xlm-roberta" else "", "F32")
        seed(folder / f"{kind}-{name}", choice, [config, pieces, b"", text, whole])
        index = json.dumps({"weight_map": dict.fromkeys(shapes, "1.safetensors")}).encode()
        seed(folder / f"{kind}-{name}-index", choice, [config, pieces, index, text, weights(shapes, "", "F16")])


if __name__ == "__main__":
    main()
