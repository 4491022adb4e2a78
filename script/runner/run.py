"""A run: builds what is needed, runs suites side by side, runs again alone what failed, and reports."""

import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import declared
from declared import Test
from execute import Result, run_test
from processes import Processes
from progress import Progress
from report import Report
from suites import SUITES, build_targets

# Where so many fail that it is no accident, running them again would only take time.
MOST_RUN_AGAIN = 10


@dataclass
class Job:
    """A unit of work: a test, or the script of a suite."""

    suite: str
    name: str
    size: int
    action: Callable[[], None]
    slot: str  # 'cpu', 'wait' or 'background'
    cost: float = 0
    after_suites: set[str] = field(default_factory=set)
    after_jobs: set[str] = field(default_factory=set)


class Run:
    def __init__(self, suites: list[str], *, folder: Path = Path('build'),
                 processes: Processes | None = None) -> None:
        self._suites = suites
        self._folder = folder
        self._processes = processes or Processes()
        self._report = Report()
        self._failed: list[Result] = []
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._stage = ''
        self._running: dict[str, Job] = {}
        self._done = 0
        self._total = 0
        self.progress = Progress(self._describe)

    def __enter__(self) -> 'Run':
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.end_all()
        self.progress.end()

    def run(self) -> bool:
        """True where nothing failed."""
        of_preset: dict[str, list[str]] = {}
        for name in self._suites:
            of_preset.setdefault(SUITES[name].preset, []).append(name)
        # While the tests of one preset run, the next is built.
        with ThreadPoolExecutor(max_workers=1) as builder:
            builds = {preset: builder.submit(self._build, preset, suites) for preset, suites in of_preset.items()}
            for preset, suites in of_preset.items():
                if builds[preset].result():
                    self.run_jobs(self._jobs(preset, suites))
        return self.finish()

    def finish(self) -> bool:
        self._run_failed_again()
        self._report.keep_outputs(self._folder)
        self._report.print(self.progress.say, self.progress.seconds, self._folder)
        return self._report.failed == 0

    # Building.

    def _build(self, preset: str, suites: list[str]) -> bool:
        """At low priority, because concurrent tests are more urgent."""
        started, output = time.monotonic(), []

        def read(line: str) -> None:
            if step := re.match(r'\[(\d+/\d+)\]', line):
                self._stage = f'building {preset}: {step[1]}'
            output.append(line)

        self._stage = f'building {preset}'
        command = ['bash', '-c', 'source script/lib.sh; build_targets "$@"', 'script/build', preset,
                   *build_targets(preset, suites)]
        code = self._processes.run(command, on_line=read, is_nice=True)
        row = self._report.row(f'build {preset}')
        row.seconds = time.monotonic() - started
        self._stage = ''
        if code == 0:
            row.passed = 1
            return True
        self._report.fail(f'build {preset}', f'build {preset}', _without_progress(output))
        return False

    # Running.

    def _jobs(self, preset: str, suites: list[str]) -> list[Job]:
        tests = declared.load(Path('build') / preset)
        jobs = [job for name in suites for job in self._jobs_of(name, tests)]
        return sorted(jobs, key=lambda job: -job.cost)

    def _jobs_of(self, name: str, tests: list[Test]) -> list[Job]:
        suite = SUITES[name]
        if suite.script:
            return [self.script_job(name, list(suite.script), suite.in_background, set(suite.after))]
        chosen = [test for test in tests if suite.label in test.labels]
        if not chosen:
            self._report.fail(name, name, ['there are no tests with this label'])
        for test in chosen:
            test.seconds_allowed *= suite.patience
            if suite.is_covered:
                test.environment['LLVM_PROFILE_FILE'] = str(Path('build/dev/profiles/%m.profraw').absolute())
        return [self.test_job(name, test, chosen) for test in chosen]

    def test_job(self, suite: str, test: Test, beside: list[Test]) -> Job:
        set_up_by = {other.name for other in beside if other.sets_up & test.requires}
        return Job(suite, test.name, test.size,
                   lambda: run_test(self._processes, suite, test, self._take),
                   'wait' if test.waits else 'cpu', test.cost, after_jobs=set_up_by)

    def script_job(self, suite: str, command: list[str], in_background: bool, after: set[str]) -> Job:
        return Job(suite, suite, 0, lambda: self._run_script(suite, command, in_background),
                   'background' if in_background else 'cpu', after_suites=after)

    def _run_script(self, suite: str, command: list[str], is_nice: bool) -> None:
        output: list[str] = []
        self._processes.run(command, on_line=output.append, is_nice=is_nice)
        counts = re.fullmatch(r'(\d+) passed, (\d+) failed', output[-1] if output else '')
        with self._lock:
            if not counts:
                self._report.fail(suite, suite, [*output, 'it ended without a line "N passed, M failed"'])
                return
            row = self._report.row(suite)
            row.passed += int(counts[1])
            if int(counts[2]) > 0:
                row.failed += int(counts[2])
                self._report.failures.append((suite, output))

    def _take(self, result: Result) -> None:
        with self._lock:
            self._done += 1
            row = self._report.row(result.suite)
            if result.passed:
                row.passed += 1
            else:
                self._failed.append(result)
        if not result.passed:
            self.progress.say(f'failed: {result.suite}: {result.name}')

    def run_jobs(self, jobs: list[Job]) -> None:
        """Concurrently: per core one job that computes and two that wait, plus background jobs."""
        cores = os.cpu_count() or 1
        free = {'cpu': cores, 'wait': 2 * cores, 'background': len(jobs)}
        waiting = list(jobs)
        with self._lock:
            self._total += sum(job.size for job in jobs)
            for job in jobs:
                self._report.row(job.suite)
        with ThreadPoolExecutor(max_workers=max(1, len(jobs))) as threads:
            with self._changed:
                while waiting:
                    unfinished = [*waiting, *self._running.values()]
                    ready = next((job for job in waiting
                                  if free[job.slot] > 0
                                  and not any(other.suite in job.after_suites for other in unfinished)
                                  and not any(other.name in job.after_jobs for other in unfinished)), None)
                    if ready is None:
                        self._changed.wait()
                        continue
                    waiting.remove(ready)
                    free[ready.slot] -= 1
                    self._running[ready.name] = ready
                    threads.submit(self._run_job, ready, free)

    def _run_job(self, job: Job, free: dict[str, int]) -> None:
        started = time.monotonic()
        error = None
        try:
            job.action()
        except Exception as e:  # a test that cannot be started is a failure, not the end of the run
            error = e
        with self._changed:
            if error:
                self._report.fail(job.suite, job.name, [f'could not be run: {error!r}'])
            self._report.row(job.suite).seconds += time.monotonic() - started
            del self._running[job.name]
            free[job.slot] += 1
            self._changed.notify_all()

    # Running again.

    def _run_failed_again(self) -> None:
        again = [result for result in self._failed if not result.test.is_law]
        if len(again) > MOST_RUN_AGAIN:
            self.progress.say(f'{len(again)} tests failed: too many to be an accident, so none is run again')
            again = []
        for failure in self._failed:
            if failure not in again:
                self._report.fail(failure.suite, failure.name, failure.output)
        for failure in again:
            self._run_again(failure)

    def _run_again(self, failure: Result) -> None:
        self._stage = f'running again, alone: {failure.name}'
        first = self._alone(failure)
        if first.passed:
            self._report.add_flaky(failure, first)
            return
        second = self._alone(failure)
        times = 2 if second.passed else 3
        self._report.fail(failure.suite, f'{failure.name} (failed {times} times of 3)', first.output)

    def _alone(self, failure: Result) -> Result:
        results: list[Result] = []
        is_case = failure.case in failure.test.cases
        run_test(self._processes, failure.suite, failure.test, results.append, [failure.case] if is_case else None)
        return next((result for result in results if not result.passed), results[0])

    def _describe(self) -> str:
        with self._lock:
            if not self._running:
                return self._stage
            suites = list(dict.fromkeys(job.suite for job in self._running.values()))
            names = [name for name, job in self._running.items() if job.name != job.suite]
        failed = f', {len(self._failed)} failed' if self._failed else ''
        running = f'{", ".join(suites)}: {", ".join(names)}'.rstrip(': ')
        return '; '.join(filter(None, [f'{self._done} of {self._total} tests{failed}', self._stage, running]))


def _without_progress(output: list[str]) -> list[str]:
    return [line for line in output if not re.match(r'\[\d+/\d+\] (Building|Linking|Generating)', line)]
