"""Reading a bundle of Touchstone: its plan, rows, events and evidence.

It needs the standard library alone, and takes a folder or a packed bundle (a zip, which is read where it lies). It
checks that a file of evidence has the bytes that its name says, and nothing else: whether a bundle holds is what
``touchstone verify`` says, and a figure that counts is drawn by ``touchstone report``.

    from touchstone_bundle import open_bundle

    with open_bundle("docs/bundles/tool-servers.zip") as bundle:
        for row in bundle.rows():
            print(row.task, row.agent, row.surface, row.status)
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, cast

#: The format of rows that is read here.
SCHEMA_VERSION = 2

#: Most bytes of one file; a small one in a stranger's bundle could unpack to terabytes.
MOST_BYTES = 256 * 1024 * 1024

_SHA256 = re.compile(r"[0-9a-f]{64}")
_EPISODE = re.compile(r"[0-9a-f]{16,64}")


class BundleError(Exception):
    """A bundle that cannot be read, or does not match its hashes."""


@dataclass(frozen=True)
class FailedContract:
    """The clause that decided against a pass."""

    path: str
    kind: str
    expected: Any
    observed: Any


@dataclass(frozen=True)
class Row:
    """What came of one episode. What was not measured is None; ``raw`` has every field, ``null_reasons`` among them."""

    suite: str
    task: str
    instance: str
    agent: str
    surface: str
    iteration: int
    attempt: int
    episode_id: str
    mode: str
    status: str
    goal_verdict: str | None
    guard_verdict: str | None
    failed_contract: FailedContract | None
    failure_category: str | None
    detail: str | None
    model_id: str | None
    steps: int | None
    turns: int | None
    tool_errors: int | None
    wall_ms: float | None
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    artifacts: Mapping[str, str]
    raw: Mapping[str, Any]

    @property
    def passed(self) -> bool:
        """Whether the agent said done, the goal was reached, and nothing else was damaged."""
        return self.status == "passed"


class Bundle:
    """A bundle that is open for reading."""

    def __init__(self, path: str | Path) -> None:
        place = Path(path)
        self._folder: Path | None = place if place.is_dir() else None
        self._zip: zipfile.ZipFile | None = None
        if self._folder is None:
            try:
                self._zip = zipfile.ZipFile(place)
            except (OSError, zipfile.BadZipFile) as error:
                raise BundleError(f"{place} is no bundle: {error}; name its folder, or a zip of `touchstone pack`") from error
        self.name = str(path)
        if not self._has("campaign.json"):
            self.close()
            raise BundleError(f"{path} is no bundle: it has no campaign.json")

    def __enter__(self) -> Bundle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self._zip is not None:
            self._zip.close()

    def campaign(self) -> dict[str, Any]:
        """Return the plan and the pins, as they were written before the first episode."""
        return cast("dict[str, Any]", json.loads(self._read("campaign.json")))

    def report(self) -> dict[str, Any]:
        """Return ``report.json``: figures, intervals, and what may be claimed."""
        return cast("dict[str, Any]", json.loads(self._read("report.json")))

    def rows(self) -> Iterator[Row]:
        """Yield the counted rows in plan order. Raise BundleError at one of another format."""
        for number, line in enumerate(_lines(self._read("rows.jsonl")), start=1):
            yield _row(json.loads(line), f"{self.name}: rows.jsonl:{number}")

    def events(self, row: Row) -> Iterator[dict[str, Any]]:
        """Yield all that happened in the attempt of a row, in order."""
        if _EPISODE.fullmatch(row.episode_id) is None:
            raise BundleError(f"{self.name}: {row.episode_id!r} is no id of an episode")
        name = f"episodes/{row.episode_id}/{int(row.attempt)}/events.jsonl"
        for line in _lines(self._read(name)):
            yield json.loads(line)

    def blob(self, sha256: str) -> bytes:
        """Return the evidence of this hash: a value of ``row.artifacts``, for example.

        Pictures are stored as they are. The rest is packed with Brotli, which the standard library cannot unpack: for
        that, ``pip install brotli``.
        """
        if _SHA256.fullmatch(sha256) is None:
            raise BundleError(f"{sha256!r} is no SHA-256")
        if self._has(f"blobs/{sha256}"):
            found = self._read(f"blobs/{sha256}")
        else:
            found = _unpacked(self._read(f"blobs/{sha256}.br"), sha256)
        if hashlib.sha256(found).hexdigest() != sha256:
            raise BundleError(f"{self.name}: blob {sha256} does not match the hash in its name")
        return found

    def _has(self, name: str) -> bool:
        if self._folder is not None:
            return (self._folder / name).is_file()
        return self._zip is not None and name in self._zip.NameToInfo

    def _read(self, name: str) -> bytes:
        if not self._has(name):
            raise BundleError(f"{self.name} has no {name}")
        if self._folder is not None:
            file = self._folder / name
            if file.is_symlink() or not file.resolve().is_relative_to(self._folder.resolve()):
                raise BundleError(f"{self.name}: {name} leads out of the bundle")
            with file.open("rb") as stream:
                found = stream.read(MOST_BYTES + 1)
        else:
            assert self._zip is not None
            with self._zip.open(name) as packed:
                found = packed.read(MOST_BYTES + 1)
        if len(found) > MOST_BYTES:
            raise BundleError(f"{self.name}: {name} has more than {MOST_BYTES} bytes")
        return found


def open_bundle(path: str | Path) -> Bundle:
    """Open the bundle in a folder, or a packed one. Raise BundleError where there is none."""
    return Bundle(path)


def _lines(text: bytes) -> Iterator[str]:
    return (line for line in text.decode("utf-8").split("\n") if line != "")


def _row(told: Mapping[str, Any], place: str) -> Row:
    version = told.get("schema_version")
    if version != SCHEMA_VERSION:
        raise BundleError(f"{place} is of format {version!r}, and this reads {SCHEMA_VERSION}; take the client of that version")
    failed = told["failed_contract"]
    names = [name for name in Row.__dataclass_fields__ if name not in ("raw", "failed_contract")]
    return Row(
        **{name: told[name] for name in names},
        failed_contract=None if failed is None else FailedContract(**failed),
        raw=told,
    )


def _unpacked(packed: bytes, sha256: str) -> bytes:
    try:
        # An extra that nobody has to have.
        unpacker: Any = import_module("brotli").Decompressor()
    except ImportError as error:
        raise BundleError(f"blob {sha256} is packed with Brotli: pip install brotli") from error
    found = bytearray()
    # Piece by piece, so that what unpacks to terabytes is noticed before it has.
    for start in range(0, len(packed), 1024):
        found += unpacker.process(packed[start : start + 1024])
        if len(found) > MOST_BYTES:
            raise BundleError(f"blob {sha256} has more than {MOST_BYTES} bytes")
    return bytes(found)
