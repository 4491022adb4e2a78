"""Runs one test and reports each finished case."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from declared import Test
from processes import Deadline, Processes

_BEGUN = re.compile(r'\[ RUN      \] (\S+)')
# Behind whatever the case itself has printed without a newline.
_ENDED = re.compile(r'\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+)(?:, where .*)? \(\d+ ms\)$')
MOST_LINES_KEPT = 400


@dataclass
class Result:
    suite: str
    test: Test
    case: str  # of a GoogleTest program, or the name of the test
    passed: bool
    seconds: float
    output: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f'{self.test.name} {self.case}' if self.test.is_gtest else self.case


OnResult = Callable[[Result], None]


def run_test(processes: Processes, suite: str, test: Test, on_result: OnResult, cases: list[str] | None = None) -> None:
    """Runs all of a test, or some cases of it."""
    if test.is_gtest:
        _GtestRun(processes, suite, test, on_result).run(cases if cases is not None else test.cases)
    else:
        _run_command(processes, suite, test, on_result)


def _run_command(processes: Processes, suite: str, test: Test, on_result: OnResult) -> None:
    started, output = time.monotonic(), []
    code = processes.run(test.command, on_line=output.append, deadline=Deadline(test.seconds_allowed),
                         folder=test.folder, environment=test.full_environment())
    output.append(_how_it_ended(code, test))
    on_result(Result(suite, test, test.name, code == 0, time.monotonic() - started, output))


def _how_it_ended(code: int | None, test: Test) -> str:
    if code is None:
        return f'ended by the runner: it took longer than {test.seconds_allowed:.0f} s'
    return f'killed by signal {-code}' if code < 0 else f'exit code {code}'


class _GtestRun:
    """A program that dies during a case fails that case; the remaining cases run in another process."""

    def __init__(self, processes: Processes, suite: str, test: Test, on_result: OnResult) -> None:
        self._processes = processes
        self._suite = suite
        self._test = test
        self._on_result = on_result
        self._remaining: list[str] = []
        self._current = ''
        self._output: list[str] = []
        self._since = 0.0

    def run(self, cases: list[str]) -> None:
        if not cases:
            self._report(self._test.name, False, ['it has no cases, or it was not built'])
            return
        self._remaining = list(cases)
        is_whole = cases == self._test.cases
        while self._remaining:
            before = len(self._remaining)
            code = self._run_process([] if is_whole else ['--gtest_filter=' + ':'.join(self._remaining)])
            how = _how_it_ended(code, self._test)
            if self._current:  # it never said how that case ended
                self._end_case(self._current, False, how)
            elif not self._remaining and code != 0 and not self._has_failed:
                self._report(f'{self._test.name} (at its end)', False, [*self._output, how])
            elif len(self._remaining) == before:  # it did nothing: asked again, it would do no more
                for case in list(self._remaining):
                    self._end_case(case, False, f'did not run; {how}')
            is_whole = False

    def _run_process(self, arguments: list[str]) -> int | None:
        self._current, self._output, self._has_failed = '', [], False
        self._since = time.monotonic()
        self._deadline = Deadline(self._test.seconds_allowed)
        return self._processes.run([*self._test.command, '--gtest_color=no', *arguments], on_line=self._read,
                                   deadline=self._deadline, folder=self._test.folder,
                                   environment=self._test.full_environment())

    def _read(self, line: str) -> None:
        if begun := _BEGUN.match(line):
            self._current, self._output, self._since = begun[1], [], time.monotonic()
            self._deadline.restart()
            return
        ended = _ENDED.search(line)
        if not ended or ended[2] != self._current:
            self._output.append(line)
            del self._output[:-MOST_LINES_KEPT]
            return
        if said := line[:ended.start()]:
            self._output.append(said)
        self._end_case(ended[2], ended[1] == 'OK', 'skipped' if ended[1] == 'SKIPPED' else '')

    def _end_case(self, case: str, passed: bool, why: str) -> None:
        self._has_failed = self._has_failed or not passed
        if case in self._remaining:
            self._remaining.remove(case)
        self._report(case, passed, [*self._output, why] if why else self._output)
        self._current, self._output = '', []

    def _report(self, case: str, passed: bool, output: list[str]) -> None:
        now = time.monotonic()
        self._on_result(Result(self._suite, self._test, case, passed, now - self._since, output))
        self._since = now
