"""The metrics of sacreBLEU."""

from alinea.sacrebleu.metrics.bleu import BLEU, BLEUScore
from alinea.sacrebleu.metrics.chrf import CHRF, CHRFScore
from alinea.sacrebleu.metrics.ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
"""The metrics by name."""
