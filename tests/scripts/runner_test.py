"""The judge of all tests must itself be able to say no: script/runner on programs that fail in every way there is."""

import contextlib
import io
import os
import re
import stat
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'script' / 'runner'))

from declared import Test, list_cases  # noqa: E402
from processes import Disturbance, Processes, descendants  # noqa: E402
from run import Run  # noqa: E402
from suites import GROUPS, SUITES, build_targets, expand  # noqa: E402

# Behaves like a GoogleTest program whose cases do what they are called: Suite.Pass, Suite.Fail, Suite.FailOnce …
GTEST = '''#!/usr/bin/env python3
import os, sys, time
cases = {cases!r}
notes = {notes!r}
if '--gtest_list_tests' in sys.argv:
    print('Running main() from somewhere')
    print('Suite.')
    for case in cases:
        print('  ' + case + '  # GetParam() = 4')
    sys.exit(0)
wanted = cases
for argument in sys.argv:
    if argument.startswith('--gtest_filter='):
        wanted = [name[6:] for name in argument[15:].split(':')]
failed = False
for case in wanted:
    print('[ RUN      ] Suite.' + case, flush=True)
    with open(notes, 'a') as runs:
        runs.write(case + chr(10))
    before = open(notes).read().split().count(case) - 1
    what = case.rstrip('0123456789')
    if what == 'Crash':
        os.abort()
    if what == 'Hang':
        time.sleep(60)
    if what == 'Slow':
        time.sleep(0.8)
    good = what in ('Pass', 'Slow', 'AtEnd') or (what == 'FailOnce' and before == 1) or (what == 'FailTwice' and before == 2)
    failed = failed or not good
    print('said by ' + case, end='')
    verdict = '  SKIPPED ' if what == 'Skip' else '       OK ' if good else '  FAILED  '
    print('[' + verdict + '] Suite.' + case + ' (3 ms)', flush=True)
sys.exit(1 if failed or 'AtEnd' in cases else 0)
'''


class RunnerTest(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.notes = self.folder / 'notes'
        self.notes.touch()

    def program(self, text: str, name: str = 'program') -> str:
        path = self.folder / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def gtest(self, *cases: str, labels: tuple[str, ...] = (), **more: object) -> Test:
        command = [self.program(GTEST.format(cases=list(cases), notes=str(self.notes)))]
        test = Test('fake_unit', command, {'gtest', *labels}, **more)
        test.cases = list_cases(test)
        return test

    def run_tests(self, *tests: Test) -> str:
        """What is printed; its last line is the verdict."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), Run([], folder=self.folder) as run:
            run.run_jobs([run.test_job('unit', test, list(tests)) for test in tests])
            self.is_good = run.finish()
        return printed.getvalue()

    def verdict(self, *tests: Test) -> str:
        return self.run_tests(*tests).splitlines()[-1]

    def runs_of(self, case: str) -> int:
        return self.notes.read_text().split().count(case)

    def test_counts_each_case(self) -> None:
        self.assertEqual(self.verdict(self.gtest('Pass1', 'Pass2', 'Pass3')), '3 passed, 0 failed')
        self.assertTrue(self.is_good)

    def test_a_failure_that_repeats_fails_and_is_shown(self) -> None:
        printed = self.run_tests(self.gtest('Pass', 'Fail'))
        self.assertEqual(printed.splitlines()[-1], '1 passed, 1 failed')
        self.assertIn('FAILED fake_unit Suite.Fail (failed 3 times of 3)', printed)
        kept = self.folder / 'failed' / 'fake_unit_Suite.Fail_failed_3_times_of_3_.log'
        self.assertIn('said by Fail', kept.read_text())
        self.assertEqual(self.runs_of('Fail'), 3)
        self.assertEqual(self.runs_of('Pass'), 1)
        self.assertFalse(self.is_good)

    def test_a_failure_that_does_not_repeat_is_flaky_and_both_outputs_are_kept(self) -> None:
        printed = self.run_tests(self.gtest('Pass', 'FailOnce'))
        self.assertEqual(printed.splitlines()[-1], '2 passed, 0 failed')
        self.assertIn('FLAKY unit: fake_unit Suite.FailOnce', printed)
        kept = self.folder / 'flaky' / 'fake_unit_Suite.FailOnce'
        self.assertEqual(sorted(path.name for path in kept.iterdir()), ['failed.log', 'passed.log'])
        self.assertTrue(self.is_good)

    def test_a_second_failure_fails_although_the_third_run_passes(self) -> None:
        printed = self.run_tests(self.gtest('FailTwice'))
        self.assertEqual(printed.splitlines()[-1], '0 passed, 1 failed')
        self.assertIn('(failed 2 times of 3)', printed)

    def test_a_law_is_never_run_again(self) -> None:
        self.assertEqual(self.verdict(self.gtest('FailOnce', labels=('laws',))), '0 passed, 1 failed')
        self.assertEqual(self.runs_of('FailOnce'), 1)

    def test_more_than_three_flaky_tests_fail(self) -> None:
        self.assertEqual(self.verdict(self.gtest(*(f'FailOnce{i}' for i in range(3)))), '3 passed, 0 failed')
        self.notes.write_text('')
        self.assertEqual(self.verdict(self.gtest(*(f'FailOnce{i}' for i in range(4)))), '0 passed, 4 failed')
        self.assertFalse(self.is_good)

    def test_many_failures_are_not_run_again(self) -> None:
        self.assertEqual(self.verdict(self.gtest(*(f'FailOnce{i}' for i in range(11)))), '0 passed, 11 failed')
        self.assertEqual(self.runs_of('FailOnce0'), 1)

    def test_a_crash_fails_its_case_and_the_others_still_run(self) -> None:
        printed = self.run_tests(self.gtest('Pass1', 'Crash', 'Pass2', labels=('laws',)))
        self.assertEqual(printed.splitlines()[-1], '2 passed, 1 failed')
        self.assertIn('killed by signal 6', printed)
        self.assertEqual(self.runs_of('Pass1'), 1)

    def test_a_case_that_hangs_is_ended_and_fails(self) -> None:
        started = time.monotonic()
        printed = self.run_tests(self.gtest('Hang', 'Pass', labels=('laws',), seconds_allowed=1))
        self.assertEqual(printed.splitlines()[-1], '1 passed, 1 failed')
        self.assertIn('longer than 1 s', printed)
        self.assertLess(time.monotonic() - started, 50)

    def test_each_case_has_the_time_that_is_allowed(self) -> None:
        test = self.gtest(*(f'Slow{i}' for i in range(4)), labels=('laws',), seconds_allowed=2)
        self.assertEqual(self.verdict(test), '4 passed, 0 failed')

    def test_a_skipped_case_fails(self) -> None:
        self.assertEqual(self.verdict(self.gtest('Skip', 'Pass', labels=('laws',))), '1 passed, 1 failed')

    def test_a_program_that_fails_after_its_cases_fails(self) -> None:
        self.assertEqual(self.verdict(self.gtest('AtEnd', labels=('laws',))), '1 passed, 1 failed')

    def test_a_program_that_was_not_built_fails(self) -> None:
        test = self.gtest('Pass')
        test.cases = []
        self.assertEqual(self.verdict(test), '0 passed, 1 failed')

    def test_a_program_that_cannot_be_started_fails(self) -> None:
        test = Test('missing', [str(self.folder / 'missing')], set())
        self.assertEqual(self.verdict(test), '0 passed, 1 failed')

    def test_a_command_passes_by_its_exit_code(self) -> None:
        good = Test('good', ['true'], set())
        bad = Test('bad', ['sh', '-c', 'echo wrong; exit 3'], {'laws'})
        printed = self.run_tests(good, bad)
        self.assertEqual(printed.splitlines()[-1], '1 passed, 1 failed')
        self.assertIn('exit code 3', printed)

    def test_a_server_that_a_test_leaves_behind_does_not_hold_up_the_run(self) -> None:
        left = Test('left', ['sh', '-c', 'setsid sleep 40 & echo last words'], set())
        started = time.monotonic()
        self.assertEqual(self.verdict(left), '1 passed, 0 failed')
        self.assertLess(time.monotonic() - started, 30)

    def test_a_test_waits_for_what_sets_it_up(self) -> None:
        made = self.folder / 'made'
        user = Test('user', ['test', '-f', str(made)], {'laws'}, requires={'made'})
        maker = Test('maker', ['sh', '-c', f'sleep 0.3; touch {made}'], set(), sets_up={'made'})
        self.assertEqual(self.verdict(user, maker), '2 passed, 0 failed')

    def test_a_script_counts_by_its_last_line_and_fails_without_one(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as printed, Run([], folder=self.folder) as run:
            run.run_jobs([run.script_job('lint', ['sh', '-c', 'echo 7 passed, 2 failed'], True, set()),
                          run.script_job('sim', ['echo', 'good'], False, {'lint'})])
            run.finish()
        self.assertEqual(printed.getvalue().splitlines()[-1], '7 passed, 3 failed')

    def test_the_table_has_a_row_for_each_suite(self) -> None:
        printed = self.run_tests(self.gtest('Pass', 'FailOnce'))
        self.assertTrue(re.search(r'^unit +0:0\d +1 +0 +1$', printed, re.MULTILINE), printed)

    def test_suites_are_those_that_the_scripts_name(self) -> None:
        named = re.search(r'readonly suites=\((.*?)\)', (TOP / 'script' / 'lib.sh').read_text(), re.DOTALL)
        self.assertEqual(sorted([*named[1].split(), 'asan-all', 'crosscheck', 'tsan-all']), sorted([*SUITES, *GROUPS]))
        self.assertEqual(expand([]), expand(['gate']))
        self.assertIn('contract', expand(['coverage']))
        self.assertRaises(KeyError, expand, ['x'])
        self.assertEqual(build_targets('tsan', expand(['sanitizers'])), ['suite_threads'])

    def test_shaking_stops_and_continues_processes_of_tests_only(self) -> None:
        processes = Processes()
        states: set[str] = set()
        runner = threading.Thread(target=processes.run, args=(['sleep', '2'],), kwargs={'on_line': print})
        runner.start()
        disturbance = Disturbance(processes, 0.2, is_busy=False)
        while runner.is_alive():
            states |= {state for _, name, state in descendants(processes.roots()) if name == 'sleep'}
            time.sleep(0.01)
        disturbance.end()
        self.assertIn('T', states)
        self.assertNotIn(os.getpid(), [pid for pid, _, _ in descendants(processes.roots())])


if __name__ == '__main__':
    unittest.main()
