"""The workbench of `alinea annotate`: its page in a browser, and what survives when its process is killed."""

from __future__ import annotations

import contextlib
import functools
import html
import http.client
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsers import DESK, ROOT, picture
from playwright.sync_api import Page, expect

import alinea

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# An encoder with random weights: see ORIGIN.md there.
TINY = ROOT / "crates/alinea-encoder/tests/data/xlm-roberta"

PHONE = {"width": 390, "height": 800}

SOURCE = ["the house is big", "the flower is small", "a big flower", "the small house", "a house", "the flower"]
TARGET = ["la maison est grande", "la fleur est petite", "une grande fleur", "la petite maison", "une maison", "fleur"]


class Workbench:
    """A process of `alinea annotate`."""

    def __init__(self, command: Path, project: Path, *arguments: object) -> None:
        words = [command, "annotate", "--no-browser", *arguments, "--project", project]
        self.process = subprocess.Popen([*map(str, words)], stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.addresses: dict[str, str] = {}
        # The address of the adjudicator, if there is one, comes before or after others by its name.
        for line in self.process.stderr:
            if "http://" in line:
                name, address = line.split()
                self.addresses[name] = address
            if len(self.addresses) == self._expected(arguments):
                break

    @staticmethod
    def _expected(arguments: Sequence[object]) -> int:
        number = max(1, arguments.count("--annotator"))
        return number + (number > 1)

    def connect(self, name: str) -> tuple[http.client.HTTPConnection, dict[str, str]]:
        host, token = self.addresses[name].removeprefix("http://").split("/#token=")
        return http.client.HTTPConnection(host, timeout=60), {"Authorization": f"Bearer {token}"}

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def end(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=60)
        assert self.process.stderr is not None
        self.process.stderr.close()


Start = Callable[..., Workbench]


@pytest.fixture
def texts(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "text.en", tmp_path / "text.fr"]
    for path, lines in zip(paths, (SOURCE, TARGET), strict=True):
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return paths


@pytest.fixture
def start(command: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts workbenches of one project."""
    started: list[Workbench] = []

    def begin(*arguments: object) -> Workbench:
        started.append(Workbench(command, tmp_path / "project", *arguments))
        return started[-1]

    yield begin
    for workbench in started:
        workbench.process.kill()
        workbench.end()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens the page of an annotator; what fails in it fails the test."""
    contexts, failures = [], []

    def open_page(address: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": DESK, **options})
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(address)
        expect(page.locator("#page")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not failures


def exported(command: Path, project: Path, *arguments: str) -> str:
    words = [command, "annotate", "export", project, *arguments, "--quiet"]
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=True).stdout


def is_saved(page: Page) -> None:
    expect(page.locator("#save")).to_have_text("✓ saved")


def go(page: Page, number: int) -> None:
    """Goes to a sentence by its number, and waits for its suggestions."""
    page.keyboard.press("g")
    page.locator("#go-number").fill(str(number))
    page.keyboard.press("Enter")
    expect(page.locator("#annotate .desk-head h2")).to_contain_text(str(number))
    expect(page.locator("#learning")).to_have_text("suggestions up to date")


def test_sentences_are_linked_corrected_and_confirmed(
    start: Start, visit: Callable[..., Page], texts: list[Path], command: Path, tmp_path: Path
) -> None:
    workbench = start(*texts, "--annotator", "lisa", "--title", "Houses")
    page = visit(workbench.addresses["lisa"])
    expect(page.locator("#title")).to_have_text("Houses")
    go(page, 3)
    picture(page, "annotate-desk")
    # All suggestions away, word by word; then links by hand.
    for _ in range(3):
        page.keyboard.press("x")
    page.keyboard.press("Escape")
    for source, target in ((0, 0), (1, 1), (2, 2)):
        page.locator(f'.word[data-side="0"][data-n="{source}"]').first.click()
        page.locator(f'.word[data-side="1"][data-n="{target}"]').first.click()
    is_saved(page)
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_have_text("1 of 6 done")
    # The page goes to the next sentence when it has learned which that is.
    expect(page.locator("#annotate .desk-head h2")).not_to_contain_text("3")
    go(page, 3)
    expect(page.locator("#annotate .chip")).to_contain_text("confirmed, 3 links")
    page.keyboard.press("e")
    page.keyboard.press("u")
    page.keyboard.press("f")
    page.keyboard.press("c")
    page.keyboard.type("a comment")
    page.keyboard.press("Escape")
    is_saved(page)
    # The process dies; another one goes on with all of it.
    workbench.kill()
    again = start("--annotator", "lisa")
    page = visit(again.addresses["lisa"])
    go(page, 3)
    expect(page.locator("#annotate textarea")).to_have_value("a comment")
    expect(page.locator("#done")).to_have_text("1 of 6 done")
    again.kill()
    assert exported(command, tmp_path / "project") == "\n\n0-0 1-1 2-2\n\n\n\n"


def test_a_page_that_is_open_saves_when_the_program_is_back(
    start: Start, visit: Callable[..., Page], texts: list[Path], command: Path, tmp_path: Path
) -> None:
    workbench = start(*texts, "--annotator", "lisa")
    page = visit(workbench.addresses["lisa"])
    go(page, 3)
    workbench.kill()
    page.keyboard.press("Enter")
    expect(page.locator("#save")).to_contain_text("not saved")
    again = start()
    assert again.addresses["lisa"] == workbench.addresses["lisa"]
    # It tries again by itself, every half minute at least.
    expect(page.locator("#save")).to_have_text("✓ saved", timeout=60_000)
    expect(page.locator("#done")).to_have_text("1 of 6 done", timeout=60_000)
    again.kill()
    assert exported(command, tmp_path / "project") == "\n\n0-0 1-1 2-2\n\n\n\n"


def test_nothing_is_confirmed_before_there_are_suggestions(
    start: Start, visit: Callable[..., Page], texts: list[Path]
) -> None:
    workbench = start(*texts, "--annotator", "lisa")
    page = visit(workbench.addresses["lisa"])
    connection, headers = workbench.connect("lisa")
    with contextlib.closing(connection):
        connection.request("GET", "/api/sentences/1", headers=headers)
        sentence = json.load(connection.getresponse())
    sentence.pop("suggestions", None)
    page.route("**/api/sentences/1", lambda route: route.fulfill(json=sentence))
    # The sentence that is open may be this one, with suggestions.
    page.reload()
    expect(page.locator("#page")).to_be_visible()
    go(page, 2)
    page.keyboard.press("Enter")
    expect(page.get_by_text("The first suggestions are being made")).to_be_visible()
    expect(page.locator("#done")).to_have_text("0 of 6 done")
    # Who means it presses again.
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_have_text("1 of 6 done")
    page.unroute_all(behavior="ignoreErrors")


def test_two_annotators_differ_and_somebody_decides(
    start: Start, visit: Callable[..., Page], texts: list[Path], command: Path, tmp_path: Path
) -> None:
    for name, line in (("lisa", "0-0 1-1"), ("jonas", "0-0 0-1 1-1")):
        (tmp_path / name).write_text("\n" * 4 + line + "\n", "utf-8")
    imports = ["--import", f"lisa={tmp_path / 'lisa'}", "--import", f"jonas={tmp_path / 'jonas'}"]
    workbench = start(*texts, "--annotator", "lisa", "--annotator", "jonas", "--shared", "100%", *imports)
    page = visit(workbench.addresses["lisa"])
    page.locator("#show-agreement").click()
    expect(page.locator("#agreement-report")).to_contain_text("jonas – lisa")
    picture(page, "annotate-agreement")
    judge = visit(workbench.addresses["adjudication"])
    judge.locator("#show-adjudicate").click()
    expect(judge.locator("#adjudicate")).to_contain_text("lisa")
    picture(judge, "annotate-adjudicate")
    judge.locator("#adjudicate .primary").click()
    expect(judge.locator("#done")).to_contain_text("1 of 1")
    is_saved(judge)
    workbench.kill()
    project = tmp_path / "project"
    assert exported(command, project, "--by", "lisa") == "\n\n\n\n0-0 1-1\n\n"
    assert exported(command, project, "--by", "jonas") == "\n\n\n\n0-0 0-1 1-1\n\n"
    decided = exported(command, project).splitlines()[4].replace("p", "-").split()
    assert {"0-0", "1-1"} <= {*decided}
    status = subprocess.run(
        [command, "annotate", "status", project, "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(status.stdout)["adjudicated"] == 1


def test_two_windows_of_one_annotator(start: Start, visit: Callable[..., Page], texts: list[Path]) -> None:
    address = start(*texts, "--annotator", "lisa").addresses["lisa"]
    first, second = visit(address), visit(address)
    for page in (first, second):
        go(page, 5)
    first.keyboard.press("f")
    is_saved(first)
    # The other window hears of it.
    flag = second.locator('#annotate button[aria-label="Flag"]')
    expect(flag).to_have_attribute("aria-pressed", "true")
    second.keyboard.press("f")
    is_saved(second)
    expect(first.locator('#annotate button[aria-label="Flag"]')).to_have_attribute("aria-pressed", "false")


def test_a_phone_and_the_dark(start: Start, visit: Callable[..., Page], texts: list[Path]) -> None:
    address = start(*texts, "--annotator", "lisa").addresses["lisa"]
    page = visit(address, viewport=PHONE, has_touch=True, color_scheme="dark")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    picture(page, "annotate-phone")


def test_a_page_without_token_says_so(start: Start, browser: Browser, texts: list[Path]) -> None:
    address = start(*texts, "--annotator", "lisa").addresses["lisa"].split("#")[0]
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#start")).to_contain_text("no valid token")
    context.close()


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not killed so there")
def test_nothing_is_lost_when_the_process_is_killed(
    start: Start, texts: list[Path], command: Path, tmp_path: Path
) -> None:
    """Two hundred times, at any moment: what was told to be saved is there, and the journal can be read."""
    chance = random.Random(1)
    known = [0] * len(SOURCE)
    saved: list[str] = []
    workbench = start(*texts, "--annotator", "lisa", "--threads", 1)
    for kill in range(200):
        if kill:
            workbench = start("--annotator", "lisa", "--threads", 1)
        timer = threading.Timer(chance.random() * 0.05, workbench.process.send_signal, [signal.SIGKILL])
        connection, headers = workbench.connect("lisa")
        timer.start()
        number = 0
        with contextlib.suppress(OSError, http.client.HTTPException):
            while True:
                n = chance.randrange(len(SOURCE))
                mark = {"do": "mark", "links": [[0, 0], [1, 0]], "mark": chance.choice(["sure", "possible"])}
                name = f"{kill}.{number}"
                step = {"id": name, "steps": known[n], "seconds": 0.5, "action": mark}
                connection.request("POST", f"/api/sentences/{n}/steps", json.dumps(step), headers)
                answer = connection.getresponse()
                told = json.loads(answer.read())
                if answer.status == 409:
                    # A step that was taken, but nobody heard of it.
                    known[n] = told["sentence"]["steps"]
                else:
                    assert answer.status == 200, told
                    saved.append(name)
                    known[n] = told["steps"]
                number += 1
        timer.join()
        workbench.end()
        connection.close()
    lines = (tmp_path / "project" / "journals" / "lisa.jsonl").read_text("utf-8").splitlines()
    # The last line may not be whole.
    journal = [json.loads(line)["id"] for line in lines[1:] if line.endswith("}}")]
    assert {*saved} <= {*journal}
    assert len(journal) == len({*journal})
    assert len(saved) > 200
    assert '"annotator":"lisa"' in exported(command, tmp_path / "project", "--format", "who")


def post(address: str, *requests: tuple[str, object]) -> None:
    """Asks a workbench for one thing after another, in a thread of its own."""
    host, token = address.removeprefix("http://").split("/#token=")

    def ask() -> None:
        with contextlib.closing(http.client.HTTPConnection(host, timeout=60)) as connection:
            for path, body in requests:
                connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                assert answer.status < 300, answer.read()
                answer.read()

    threading.Thread(target=ask).start()


def file_of(page: str) -> Path:
    return Path(urllib.request.url2pathname(urllib.parse.urlsplit(page).path))


def address_in(page: str) -> str:
    """The address that a page leads to, which is readable for nobody else."""
    file = file_of(page)
    assert sys.platform == "win32" or file.stat().st_mode & 0o777 == 0o600
    found = re.search('url=([^"]+)"', file.read_text("utf-8"))
    assert found is not None
    return html.unescape(found[1])


def test_the_package_serves_a_project_until_its_page_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    actions = [
        {"do": "mark", "links": [[0, 0], [1, 1]], "mark": "sure"},
        {"do": "mark", "links": [[2, 2]], "mark": "possible"},
        {"do": "confirm", "accepted": []},
    ]
    steps = [{"id": str(n), "steps": n, "seconds": 1.0, "action": action} for n, action in enumerate(actions)]
    requests = [*(("/api/sentences/0/steps", step) for step in steps), ("/api/close", {})]
    monkeypatch.setattr("webbrowser.open", lambda page: post(address_in(page), *requests))
    gold = alinea.annotate(project, SOURCE, TARGET, annotators=["lisa"], title="Houses", threads=1)
    assert gold == [alinea.GoldAlignment([(0, 0), (1, 1)], [(2, 2)]), *[None] * 5]
    assert "lisa  http://127.0.0.1:" in capsys.readouterr().err

    # A saved model is copied into the project.
    pages = []

    def close(page: str) -> None:
        pages.append(file_of(page))
        post(address_in(page), ("/api/close", {}))

    monkeypatch.setattr("webbrowser.open", close)
    model = tmp_path / "model.alinea"
    alinea.train(SOURCE, TARGET).save(model)
    assert alinea.annotate(project, model=model, threads=1) == gold
    assert (project / "model.alinea").read_bytes() == model.read_bytes()
    assert not pages[0].exists(), "the token is not left behind"

    monkeypatch.setattr("webbrowser.open", lambda _: threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start())
    with pytest.raises(KeyboardInterrupt):
        alinea.annotate(project, threads=1)


def test_a_project_remembers_its_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Path) -> None:
    project, encoder = tmp_path / "project", tmp_path / "encoder"
    shutil.copytree(TINY, encoder)
    vectors = project / "vectors.alinea"

    def close(page: str, *, encoded: bool) -> None:
        """Once vectors were written."""
        address = address_in(page)

        def wait() -> None:
            deadline = time.monotonic() + 60
            while encoded and not (vectors.exists() and vectors.stat().st_size) and time.monotonic() < deadline:
                time.sleep(0.05)
            post(address, ("/api/close", {}))

        threading.Thread(target=wait).start()

    def settings() -> dict[str, object]:
        found: dict[str, object] = json.loads((project / "project.json").read_text("utf-8"))["settings"]
        return found

    monkeypatch.setattr("webbrowser.open", functools.partial(close, encoded=True))
    monkeypatch.chdir(tmp_path)
    alinea.annotate(project, SOURCE, TARGET, encoder="encoder", threads=1)
    assert settings()["encoder"] == str(encoder.resolve())
    assert vectors.stat().st_size > 0
    vectors.unlink()
    monkeypatch.chdir("/")
    alinea.annotate(project, threads=1)
    assert vectors.stat().st_size > 0

    shutil.rmtree(encoder)
    with pytest.raises(alinea.Error, match="no such folder"):
        alinea.annotate(project, threads=1)
    found = subprocess.run(
        [command, "annotate", "--project", project, "--no-browser"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert "--no-encoder does without" in found.stderr
    assert str(encoder) in found.stderr
    monkeypatch.setattr("webbrowser.open", functools.partial(close, encoded=False))
    assert alinea.annotate(project, encoder="", threads=1) == [None] * 6
    assert "encoder" not in settings()


def test_what_cannot_be_annotated_is_refused(tmp_path: Path) -> None:
    project = tmp_path / "project"
    with pytest.raises(ValueError, match="expected both"):
        alinea.annotate(project, SOURCE)
    with pytest.raises(FileNotFoundError):
        alinea.annotate(project)
    with pytest.raises(alinea.Error, match="unequal lengths"):
        alinea.annotate(project, SOURCE, TARGET[1:])
    with pytest.raises(ValueError, match="nothing"):
        alinea.annotate(project, SOURCE, TARGET, model="nothing")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        alinea.annotate(project, SOURCE, TARGET, model=tmp_path / "missing.alinea")
    with pytest.raises(alinea.Error, match="the project has another text"):
        alinea.annotate(project, SOURCE, SOURCE)
