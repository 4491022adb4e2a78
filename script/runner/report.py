"""The results of a run: the table of suites, failures with their output, and the last line, "N passed, M failed"."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from execute import Result
from progress import clock

MOST_FLAKY = 3
LINES_SHOWN = 120


@dataclass
class Row:
    """One line of the table: a suite, or the build of a preset."""

    seconds: float = 0
    passed: int = 0
    failed: int = 0
    flaky: int = 0


@dataclass
class Flaky:
    """A test that failed beside others and passed alone."""

    failure: Result
    success: Result


@dataclass
class Report:
    rows: dict[str, Row] = field(default_factory=dict)
    failures: list[tuple[str, list[str]]] = field(default_factory=list)
    flaky: list[Flaky] = field(default_factory=list)

    def row(self, name: str) -> Row:
        return self.rows.setdefault(name, Row())

    def fail(self, suite: str, name: str, output: list[str]) -> None:
        self.row(suite).failed += 1
        self.failures.append((name, output))

    def add_flaky(self, failure: Result, success: Result) -> None:
        self.row(failure.suite).flaky += 1
        self.flaky.append(Flaky(failure, success))

    @property
    def passed(self) -> int:
        return sum(row.passed for row in self.rows.values()) + (0 if self.is_too_flaky else len(self.flaky))

    @property
    def failed(self) -> int:
        return sum(row.failed for row in self.rows.values()) + (len(self.flaky) if self.is_too_flaky else 0)

    @property
    def is_too_flaky(self) -> bool:
        return len(self.flaky) > MOST_FLAKY

    def keep_outputs(self, folder: Path) -> None:
        """Writes the output of failed tests and both outputs of flaky ones to failed/ and flaky/."""
        for kind in ('failed', 'flaky'):
            shutil.rmtree(folder / kind, ignore_errors=True)
        for name, output in self.failures:
            _write(folder / 'failed' / f'{_file_name(name)}.log', output)
        for flaky in self.flaky:
            place = folder / 'flaky' / _file_name(flaky.failure.name)
            _write(place / 'failed.log', flaky.failure.output)
            _write(place / 'passed.log', flaky.success.output)

    def print(self, say: Callable[[str], None], seconds: float, folder: Path) -> None:
        for name, output in self.failures:
            say(f'\nFAILED {name}')
            for line in output[-LINES_SHOWN:]:
                say('  ' + line)
            if len(output) > LINES_SHOWN:
                say(f'  (all {len(output)} lines: {folder}/failed/{_file_name(name)}.log)')
        say(f'\n{"suite":<14}{"time":>8}{"passed":>8}{"failed":>8}{"flaky":>8}')
        for name, row in self.rows.items():
            say(f'{name:<14}{clock(row.seconds):>8}{row.passed:>8}{row.failed:>8}{row.flaky:>8}')
        say(f'{"all":<14}{clock(seconds):>8}{self.passed:>8}{self.failed:>8}{len(self.flaky):>8}')
        for flaky in self.flaky:
            say(f'FLAKY {flaky.failure.suite}: {flaky.failure.name} failed beside other tests and passed alone'
                f' ({folder}/flaky)')
        if self.is_too_flaky:
            say(f'more than {MOST_FLAKY} flaky tests: they count as failed')
        say(f'{self.passed} passed, {self.failed} failed')


def _file_name(name: str) -> str:
    return re.sub(r'[^\w.-]+', '_', name)


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('\n'.join(lines) + '\n')
