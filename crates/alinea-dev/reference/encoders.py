"""Makes the encoders that the tests of `alinea-encoder` read, and what other programs compute with them.

    python3 -m pip install torch==2.15.0 transformers==5.24.0 tokenizers==0.23.3 sentencepiece==0.2.3 numpy==2.4.6
    python3 -m pip install protobuf==7.36.2
    python3 crates/alinea-dev/reference/encoders.py tiny crates/alinea-encoder/tests/data
    packages/encoder target/e5-small
    python3 crates/alinea-dev/reference/encoders.py real target/e5-small crates/alinea-encoder/tests/data/e5-small.json

`tiny` writes the folders `bert` and `xlm-roberta`: encoders of three layers with random weights, tokenizers of a few
hundred parts of words of the sentences below, and `expected.json`.  `real` writes what multilingual-e5-small computes
for the same sentences, with the weights of a folder as `packages/encoder` makes it.  Tokens are those of `tokenizers`,
hidden states those of `transformers`, in single precision on the CPU.  `ORIGIN.md`, beside the files, describes them.
"""
# ruff: noqa: RUF001

import json
import math
import random
import sys
import tempfile
import unicodedata
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import sentencepiece
import tokenizers
import torch
import transformers
from safetensors.torch import load_file, save_file
from sentencepiece import sentencepiece_model_pb2
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

# Words are separated by a blank; where a script has none, by `|` within what is tokenized at once.
SCRIPTS = {
    "latin": "The baker opens at six and sells warm bread until noon.",
    "latin-marks": "Reggel hatkor nyit a pék, és délig friss kenyeret árul őfelsége kertjében.",
    "cyrillic": "Пекарь открывает лавку в шесть и продаёт тёплый хлеб до обеда.",
    "greek": "Ο φούρναρης ανοίγει στις έξι και πουλάει ζεστό ψωμί ως το μεσημέρι.",
    "polytonic": "ὁ ἀρτοποιὸς ἕωθεν τὴν θύραν ἀνοίγει καὶ τὸν ἄρτον τοῖς πολίταις πωλεῖ.",
    "arabic": "يفتح الخباز في السادسة ويبيع الخبز الساخن حتى الظهر.",
    "hebrew": "האופה פותח בשש ומוכר לחם חם עד הצהריים.",
    "devanagari": "बेकरी सुबह छह बजे खुलती है और दोपहर तक गरम रोटी बिकती है।",
    "bengali": "বেকারি সকাল ছয়টায় খোলে আর দুপুর পর্যন্ত গরম রুটি বিক্রি হয়।",
    "thai": "ร้าน|ขนมปัง|เปิด|หก|โมง|เช้า|และ|ขาย|ขนมปัง|ร้อน|ถึง|เที่ยง",
    "georgian": "მცხობელი ექვს საათზე აღებს დუქანს და შუადღემდე ცხელ პურს ყიდის.",
    "armenian": "Հացթուխը բացում է խանութը ժամը վեցին և մինչև կեսօր տաք հաց է վաճառում։",
    "hangul": "빵집은 여섯 시에 문을 열고 점심까지 따뜻한 빵을 판다.",
    "han": "面包店|六点|开门 ， 热|面包|卖到|中午 。",
    "kana": "パン|屋|は|六時|に|開き 、 昼|まで|温かい|パン|を|売る 。",
    "ethiopic": "ዳቦ ቤቱ በስድስት ሰዓት ይከፈታል እና እስከ ቀትር ትኩስ ዳቦ ይሸጣል።",
}
HARD = {
    "decomposed": "cafe\u0301 a\u0300 co\u0302te\u0301, nai\u0308ve A\u030angstro\u0308m и\u0306 ε\u0301 か\u3099 "
    "\u1112\u1161\u11ab o\u0323\u0302 \uff21\u0301",
    "compatibility": "ﬁne oﬃce １２３ ＡＢＣ ｶﾀｶﾅ ｶﾞ ½ x² ™ Ⅷ ℃ \ufefb a…b",
    "emoji": "Bread 🍞 for 👨\u200d👩\u200d👧 and 🇭🇺 👍🏽 ❤\ufe0f warm🍞🍞bread",
    "unknown": "𐌰𐌱 ᚠᚢᚦ the𓀀𓀁baker 𓀀 ꙮ at",
    "invisible": "می\u200cخواهم so\u00adft c\u200bd \ufeffbaker g\u2060h a\u0001b 12\u00a0000 six\u3000noon "
    "x\ufffdy \u200dz",
    "punctuation": "„Wait…“ (3.14%) — isn't it? baker@six.org #42 ‘x’ ¿qué? $5 a_b ~^`| ... !!",
    "case": "ISTANBUL İstanbul STRAẞE straße ǅungla ΣΊΣΥΦΟΣ ОБЕД Éva",
    "symbols": "a▁b ▁ ▁▁the ##er [UNK]x ⁇",
    "long": "bread" * 20 + " " + "bread" * 20 + "s six " + "ő" * 101,
}
# Words for the tokenizers, besides those of the scripts.
MORE = (
    "She baked the breads and buns in the warm oven before the shop opened, then sold them until the baker closed.",
    "A kertben hideg van, ezért a gyerekek otthon maradnak és kenyeret sütnek.",
    "В шесть часов утра открылась лавка, и тёплого хлеба хватило до самого обеда.",
    "0 1 2 3 4 5 6 7 8 9 , . ; : ! ? ( ) - ' \" % # $ & * + / = @ A B C D E F G H I J K L M N O P Q R S T U V W X Y Z",
)
# The sentences of which `tiny` keeps hidden states, by folder.
KEPT = {
    "bert": ("latin", "han"),
    "xlm-roberta": ("latin", "han"),
}
LAYER = 7
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "attn_implementation": "eager",
}


def sentences():
    """Name, text, words, and what is tokenized on its own, of each sentence."""
    result = []
    for name, text in {**SCRIPTS, **HARD}.items():
        blanks = name not in ("thai", "han", "kana")
        units = text.split(" ")
        words = units if blanks else [word for unit in units for word in unit.split("|")]
        line = text if blanks else text.replace("|", "").replace(" ", "")
        result.append(
            {
                "name": name,
                "text": line,
                "words": words,
                "units": units if blanks else [unit.replace("|", "") for unit in units],
            }
        )
    bare = "".join(c for c in unicodedata.normalize("NFD", SCRIPTS["polytonic"]) if not "\u0300" <= c <= "\u036f")
    bare = unicodedata.normalize("NFC", bare)
    result.append({"name": "bare", "text": bare, "words": bare.split(" "), "units": bare.split(" ")})
    return result


def corpus():
    """The lines that tokenizers are made of."""
    return [sentence["text"] for sentence in sentences() if sentence["name"] in SCRIPTS] + list(MORE)


def vocabulary(words, inside, size):
    """Pieces with how often they occur: all characters, then longer parts of words, the frequent first.

    `inside` is what stands before a piece within a word.
    """
    counts = Counter(
        (inside if start else "") + word[start:end]
        for word in words
        for start in range(len(word))
        for end in range(start + 1, min(start + 6, len(word)) + 1)
    )
    single = {(inside if i else "") + character for word in words for i, character in enumerate(word)}
    longer = sorted(counts.keys() - single)
    # Of those that are equally frequent any, of all scripts.
    random.Random(36).shuffle(longer)
    longer.sort(key=lambda piece: -counts[piece])
    return {piece: counts[piece] for piece in (sorted(single) + longer)[:size]}


def pieces(tokenizer, text):
    """The pieces of a text: number, and the bytes of the text that they stand for."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    place = [0]
    for character in text:
        place.append(place[-1] + len(character.encode()))
    return [[i, place[start], place[end]] for i, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)]


def tokens(tokenizer):
    """Of all sentences: numbers of the pieces of the line, pieces of units and, if they are others, of words."""
    result = []
    for sentence in sentences():
        line = tokenizer.encode(sentence["text"], add_special_tokens=False).ids
        result.append({"name": sentence["name"], "line": line})
        for key in ("units", "words") if sentence["words"] != sentence["units"] else ("units",):
            result[-1][key] = [pieces(tokenizer, text) for text in sentence[key]]
    return result


def inputs(tokenizer, sentence):
    """The numbers of the pieces of a sentence as an encoder is given them."""
    begin, end = tokenizer.encode("").ids
    return [begin, *(i for unit in sentence["units"] for i, _, _ in pieces(tokenizer, unit)), end]


def hidden(model, ids):
    """The hidden states of all pieces: of the embeddings, then of each layer."""
    with torch.inference_mode():
        output = model(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.long), output_hidden_states=True)
    return [layer[0] for layer in output.hidden_states]


def rounded(values, digits=9):
    """Numbers with so many significant digits, as lists."""
    if isinstance(values, torch.Tensor):
        values = values.tolist()
    return [rounded(value, digits) for value in values] if isinstance(values, list) else float(f"{values:.{digits}g}")


def write(path, value):
    """Writes an object, with the elements of its lists on lines of their own."""

    def dump(value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    parts = []
    for key, part in value.items():
        text = "[\n" + ",\n".join(map(dump, part)) + "\n]" if isinstance(part, list) else dump(part)
        parts.append(f"{dump(key)}: {text}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def made_with():
    """The versions of what computes."""
    return {name: version(name) for name in ("torch", "transformers", "tokenizers", "sentencepiece", "safetensors")}


def randomize(model):
    """Draws weights with which every part of a network matters, unlike those that training begins with."""
    torch.manual_seed(36)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if "LayerNorm.weight" in name:
                weights.copy_(1 + 0.2 * torch.randn_like(weights))
            elif name.endswith("bias"):
                weights.copy_(0.2 * torch.randn_like(weights))
            else:
                weights.copy_(0.4 * torch.randn_like(weights))
    return model.eval()


def word_pieces(lowercase):
    """A tokenizer as those of BERT are."""
    normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    split = pre_tokenizers.BertPreTokenizer()
    words = [word for line in corpus() for word, _ in split.pre_tokenize_str(normalizer.normalize_str(line))]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    names = special + list(vocabulary(words, "##", 560))
    model = models.WordPiece({name: i for i, name in enumerate(names)}, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = split
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def rules():
    """Some of what the normalization of XLM-RoBERTa does: NFKC of some characters, and what becomes of blanks."""
    result = dict.fromkeys("\t\u00a0\u200b\u3000\ufeff", " ")
    result.update(dict.fromkeys(map(chr, range(1, 9)), ""))
    ranges = ((0xA8, 0xC0), (0x2100, 0x2170), (0xFB00, 0xFB07), (0xFEF5, 0xFEFD), (0xFF01, 0xFFA0))
    for character in [chr(point) for start, end in ranges for point in range(start, end)] + ["…"]:
        normal = unicodedata.normalize("NFKC", character)
        if normal != character:
            result[character] = normal
    for start, end in ((0xC0, 0x17F), (0x386, 0x3CF), (0x400, 0x460), (0x304B, 0x3100), (0x1EA0, 0x1EFA)):
        for point in range(start, end):
            parts = unicodedata.normalize("NFD", chr(point))
            if len(parts) > 1:
                result[parts] = chr(point)
    return result


def charsmap():
    """These rules as sentencepiece compiles them."""

    def points(text):
        return " ".join(f"{ord(character):X}" for character in text)

    with tempfile.TemporaryDirectory() as work:
        table = "".join(f"{points(old)}\t{points(new)}\n" for old, new in sorted(rules().items()))
        Path(work, "rules").write_text(table, "utf-8")
        Path(work, "text").write_text("bread\n", "utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=f"{work}/text",
            model_prefix=f"{work}/model",
            model_type="char",
            vocab_size=9,
            normalization_rule_tsv=f"{work}/rules",
            minloglevel=2,
        )
        model = sentencepiece_model_pb2.ModelProto.FromString(Path(work, "model.model").read_bytes())
    return normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap)


def unigram():
    """A tokenizer as that of XLM-RoBERTa is."""
    normalizer = charsmap()
    words = ["▁" + word for line in corpus() for word in normalizer.normalize_str(line).split(" ")]
    counts = vocabulary(words, "", 590)
    total = sum(counts.values())
    # Never two ways with the same score: which one is taken is no property of the model.
    jitter = random.Random(36)
    scores = [(piece, round(math.log(n / total) - jitter.random(), 6)) for piece, n in counts.items()]
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = [(name, 0.0) for name in special[:4]] + scores + [(special[4], 0.0)]
    tokenizer = tokenizers.Tokenizer(models.Unigram(pieces, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizer, normalizers.Replace(tokenizers.Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.add_special_tokens([tokenizers.AddedToken(name, normalized=False) for name in special[:4]])
    tokenizer.add_special_tokens([tokenizers.AddedToken("<mask>", lstrip=True, normalized=False)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def save_tokenizers(folder, of_name):
    """Saves tokenizers under their names, on short lines, and returns what they make of all sentences."""
    for name, tokenizer in of_name.items():
        value = tokenizer if isinstance(tokenizer, dict) else json.loads(tokenizer.to_str())
        (folder / name).write_text(json.dumps(value, ensure_ascii=False, indent=0) + "\n", "utf-8")
    read = {name: tokenizers.Tokenizer.from_file(str(folder / name)) for name in of_name}
    return read, {f"tokens of {name}": tokens(tokenizer) for name, tokenizer in read.items()}


def states(folder, kind, tokenizer, kept, layers=None):
    """Hidden states by an encoder that is read from its files."""
    model = kind.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", add_pooling_layer=False, local_files_only=True
    ).eval()
    lines = []
    for sentence in sentences():
        if sentence["name"] in kept:
            ids = inputs(tokenizer, sentence)
            outputs = rounded(hidden(model, ids))
            lines.append(
                {"name": sentence["name"], "ids": ids, "layers": outputs if layers is None else outputs[-layers:]}
            )
    return lines


def in_shards(model, folder):
    """Saves an encoder in two files."""
    total = sum(weights.nbytes for weights in model.parameters())
    model.save_pretrained(folder, max_shard_size=total * 8 // 10)
    (folder / "generation_config.json").unlink(missing_ok=True)
    shards = len(list(folder.glob("model-*.safetensors")))
    if shards != 2:  # noqa: PLR2004
        raise RuntimeError(f"{folder} has {shards} shards")


def old_names(folder):
    """Gives weights the names of older files: gamma and beta of norms; and the positions that were saved then."""
    index = json.loads((folder / "model.safetensors.index.json").read_text("utf-8"))

    def old(name):
        return name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")

    for path in sorted(folder.glob("model-*.safetensors")):
        tensors = {old(name): tensor for name, tensor in load_file(path).items()}
        if "bert.embeddings.LayerNorm.gamma" in tensors:
            tensors["bert.embeddings.position_ids"] = torch.arange(64)[None]
            index["weight_map"]["bert.embeddings.position_ids"] = path.name
        save_file(tensors, path, {"format": "pt"})
    index["weight_map"] = {old(name): shard for name, shard in sorted(index["weight_map"].items())}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n", "utf-8")


def tiny_bert(folder):
    """BERT: single precision, and half precision of both kinds in shards, with a prefix."""
    read, expected = save_tokenizers(
        folder, {"tokenizer.json": word_pieces(False), "tokenizer-uncased.json": word_pieces(True)}
    )
    cased = read["tokenizer.json"]
    size = max(tokenizer.get_vocab_size() for tokenizer in read.values())
    config = transformers.BertConfig(vocab_size=size, max_position_embeddings=64, **SIZES)
    randomize(transformers.BertModel(config)).save_pretrained(folder)
    expected["hidden"] = states(folder, transformers.BertModel, cased, KEPT["bert"])
    smaller = {**SIZES, "num_hidden_layers": 1, "hidden_size": 16, "num_attention_heads": 2}
    masked = transformers.BertForMaskedLM(
        transformers.BertConfig(vocab_size=size, max_position_embeddings=64, **smaller)
    )
    for name, precision, activation in (("f16", torch.float16, "gelu_new"), ("bf16", torch.bfloat16, "relu")):
        masked.config.hidden_act = activation
        in_shards(randomize(masked.float()).to(precision), folder / name)
        if name == "bf16":
            old_names(folder / name)
        expected[f"hidden of {name}"] = states(folder / name, transformers.BertModel, cased, ("han",), 1)
    return expected


def tiny_xlm_roberta(folder):
    """XLM-RoBERTa, with a prefix and weights of the output; a tokenizer in a newer and an older form."""
    tokenizer = unigram()
    older = json.loads(tokenizer.to_str())
    older["normalizer"] = older["normalizer"]["normalizers"][0]
    metaspace = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}
    older["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]}
    older["decoder"] = metaspace
    read, expected = save_tokenizers(folder, {"tokenizer.json": tokenizer, "tokenizer-older.json": older})
    config = transformers.XLMRobertaConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=66, type_vocab_size=1, pad_token_id=1, **SIZES
    )
    randomize(transformers.XLMRobertaForMaskedLM(config)).save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    expected["hidden"] = states(folder, transformers.XLMRobertaModel, read["tokenizer.json"], KEPT["xlm-roberta"])
    return expected


def tiny(data):
    """Makes both tiny encoders."""
    for name, make in {"bert": tiny_bert, "xlm-roberta": tiny_xlm_roberta}.items():
        folder = Path(data).absolute() / name
        folder.mkdir(parents=True, exist_ok=True)
        expected = make(folder)
        write(folder / "expected.json", {"made with": made_with(), "sentences": sentences(), **expected})


def real(encoder, path):
    """Writes what multilingual-e5-small computes."""
    tokenizer = tokenizers.Tokenizer.from_file(str(Path(encoder) / "tokenizer.json"))
    model = transformers.BertModel.from_pretrained(
        encoder, dtype=torch.float32, attn_implementation="eager", add_pooling_layer=False, local_files_only=True
    ).eval()
    lines = []
    for sentence in sentences():
        ids = inputs(tokenizer, sentence)
        states = hidden(model, ids)[LAYER]
        whole = len(ids) // 2
        lines.append(
            {
                "name": sentence["name"],
                "ids": ids,
                "norms": rounded(states.double().norm(dim=1), 7),
                "first": rounded(states[:, :8], 7),
                "whole": whole,
                "values": rounded(states[whole], 7) if sentence["name"] in SCRIPTS else None,
            }
        )
    value = {"made with": made_with(), "layer": LAYER, "sentences": sentences()}
    write(Path(path), {**value, "tokens": tokens(tokenizer), "hidden": lines})


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(1)
    {"tiny": tiny, "real": real}[sys.argv[1]](*sys.argv[2:])
