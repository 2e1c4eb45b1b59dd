"""The tables "Small texts" of docs/benchmarks/encoders.md: gold standards aligned without and with an encoder.

    python encoder_table.py ALINEA DATA ENCODER [OPTION ...]

ALINEA is the command.  DATA is laid out as for `alinea-dev quality` (gold/NAME/{src.txt,tgt.txt,gold.align}); sets that are
not there are left out.  OPTIONs, such as `--model quality`, are given to both runs.  Each set is aligned by one thread, with
nothing but its own sentences; of sets that end in -pud only annotated words are scored.  Halves of a set are aligned
together.  The tables are Markdown, on standard output.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# The sets of docs/gold-split.md by the names of their folders; with @odd or @even only these lines, from 1, are judged.
REPORTING = {
    "en–fr PUD": "en-fr-pud",
    "en–ru PUD": "en-ru-pud",
    "en–bg XL-WA": "en-bg-xlwa-dev",
    "en–it XL-WA": "en-it-xlwa-dev",
    "en–pt XL-WA": "en-pt-xlwa-dev",
    "en–ru XL-WA": "en-ru-xlwa-dev",
    "en–sl XL-WA": "en-sl-xlwa-dev",
    "en–fr Graça": "en-fr-graca",
    "en–pt Graça": "en-pt-graca",
    "grc–en Ugarit": "grc-en-ugarit",
    "grc–pt Ugarit": "grc-pt-ugarit",
    "da–de CDT": "da-de-cdt-single",
    "da–es CDT, one annotator": "da-es-cdt-single",
    "da–es CDT, several annotators": "da-es-cdt-multi",
    "fr–en ALIBI": "fr-en-alibi",
    "en–fr Hansards, trial sentences": "en-fr-hansards-trial",
    "en–tr SilverAlign": "en-tr-silveralign-gold",
    "ja–en KFTT, even lines": "ja-en-kftt-dev@even",
}
TUNING = {
    "en–ar PUD": "en-ar-pud",
    "CzEnAli, first 1,500": "en-cs-czenali",
    "en–da XL-WA": "en-da-xlwa-dev",
    "en–es XL-WA": "en-es-xlwa-dev",
    "en–et XL-WA": "en-et-xlwa-dev",
    "en–hu XL-WA": "en-hu-xlwa-dev",
    "en–nl XL-WA": "en-nl-xlwa-dev",
    "da–en CDT": "da-en-cdt",
    "da–it CDT": "da-it-cdt-single",
    "grc–la Ugarit": "grc-la-ugarit",
    "ja–en KFTT, odd lines": "ja-en-kftt-dev@odd",
}
COLUMNS = ["without", "**with**", "P", "R", "s, MB without", "s, MB with", "less", "relative", "p"]


def run(command):
    """Runs a command: its standard output, CPU seconds, and peak memory in MB."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
        output.seek(0)
        text = output.read().decode()
    # Linux gives kilobytes, macOS bytes.
    peak = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return text, usage.ru_utime + usage.ru_stime, peak


def lines(path):
    """The lines of a file, with their ends."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.readlines()


def judged(path, half, to):
    """Writes those lines of a file that are judged."""
    part = {"": slice(None), "odd": slice(0, None, 2), "even": slice(1, None, 2)}[half]
    to.write_text("".join(lines(path)[part]), encoding="utf-8", newline="\n")
    return str(to)


def measure(alinea, data, gold, encoder, options, work):
    """The scores of both runs and of their difference, and what each run took."""
    name, _, half = gold.partition("@")
    folder = data / name
    command = [alinea, "align", str(folder / "src.txt"), str(folder / "tgt.txt"), "--quiet", "--threads", "1", *options]
    links, costs = [], []
    for part, more in [("without", []), ("with", ["--encoder", encoder])]:
        path = work / part
        costs.append(run([*command, "--output", str(path), *more])[1:])
        links.append(judged(path, half, work / f"{part}.judged"))
    command = [alinea, "evaluate", "--quiet", "--json"]
    command += ["--annotated-only"] if name.endswith("-pud") else []
    scores, _, _ = run([*command, "--gold", judged(folder / "gold.align", half, work / "gold"), *links])
    return json.loads(scores), costs


def percent(value, digits=2):
    """A share in percent."""
    return f"{100 * value:.{digits}f}"


def row(name, scores, costs):
    """A row of the table."""
    without, with_encoder = scores["baseline"]["corpus"], scores["system"]["corpus"]
    difference, relative = scores["differences"]["aer"], scores["gains"]["aer"]["relative"]
    interval = difference["interval"]
    less = f"{percent(-difference['difference'])} ({percent(-interval['high'])} to {percent(-interval['low'])})"
    better = with_encoder["aer"] < without["aer"]
    aers = [percent(without["aer"]), percent(with_encoder["aer"])]
    aers[int(better)] = f"**{aers[int(better)]}**"
    taken = [f"{seconds:.1f}, {memory:.0f}" for seconds, memory in costs]
    rest = [percent(with_encoder["precision"], 1), percent(with_encoder["recall"], 1), *taken, less]
    return [name, *aers, *rest, percent(-relative["value"], 0), f"{difference['p_value']:.3f}"]


def table(title, sets, alinea, data, encoder, options):
    """Prints a table, with the mean of its sets."""
    print(f"| {title} | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 1) + "|", flush=True)
    aers, pairs, seconds = [], 0, 0.0
    for name, gold in sets.items():
        folder = data / gold.partition("@")[0]
        if not folder.exists():
            continue
        with tempfile.TemporaryDirectory() as work:
            scores, costs = measure(alinea, data, gold, encoder, options, pathlib.Path(work))
        print("| " + " | ".join(row(name, scores, costs)) + " |", flush=True)
        aers.append([scores[run]["corpus"]["aer"] for run in ("baseline", "system")])
        pairs += len(lines(folder / "src.txt"))
        seconds += costs[1][0] - costs[0][0]
    if aers:
        means = [sum(column) / len(aers) for column in zip(*aers, strict=True)]
        cells = ["mean", percent(means[0]), f"**{percent(means[1])}**", "", "", "", "", percent(means[0] - means[1])]
        print("| " + " | ".join([*cells, percent((means[0] - means[1]) / means[0], 0), ""]) + " |")
        print(f"\nThe encoder takes {1000 * seconds / pairs:.1f} ms CPU a pair.\n", flush=True)


def main():
    """Prints both tables."""
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    alinea, data, encoder, *options = sys.argv[1:]
    for title, sets in [("reporting sets", REPORTING), ("tuning sets", TUNING)]:
        table(title, sets, alinea, pathlib.Path(data) / "gold", encoder, options)


if __name__ == "__main__":
    main()
