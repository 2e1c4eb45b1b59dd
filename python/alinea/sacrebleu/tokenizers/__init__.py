"""The tokenizers of sacreBLEU: called with a line, they return its tokens with blanks between.

>>> from alinea.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
>>> Tokenizer13a()('He said: "1,000.50", no?')
'He said : " 1,000.50 " , no ?'
"""

from alinea.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
