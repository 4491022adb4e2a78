"""The tests that CMake has declared (cmake/Module.cmake, tests/*/CMakeLists.txt), read from ctest."""

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Test:
    """One test of ctest's: a command that passes or fails, or a GoogleTest program of many cases."""

    name: str
    command: list[str]
    labels: set[str]
    seconds_allowed: float = 600  # for each case of a GoogleTest program
    cost: float = 0  # about how many seconds it takes, where that is long
    folder: str = '.'
    environment: dict[str, str] = field(default_factory=dict)
    sets_up: set[str] = field(default_factory=set)
    requires: set[str] = field(default_factory=set)
    cases: list[str] = field(default_factory=list)

    @property
    def is_gtest(self) -> bool:
        return 'gtest' in self.labels

    @property
    def is_law(self) -> bool:
        """A single failure counts: it is never run again."""
        return 'laws' in self.labels

    @property
    def waits(self) -> bool:
        return 'waits' in self.labels

    @property
    def size(self) -> int:
        return len(self.cases) if self.is_gtest else 1

    def full_environment(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


def load(build: Path) -> list[Test]:
    listing = subprocess.run(['ctest', '--test-dir', str(build), '--show-only=json-v1'],
                             check=True, capture_output=True, text=True).stdout
    tests = [_from_json(entry) for entry in json.loads(listing)['tests'] if entry.get('command')]
    for test in tests:
        if test.is_gtest:
            test.cases = list_cases(test)
    return tests


def _from_json(entry: dict) -> Test:
    properties = {p['name']: p['value'] for p in entry.get('properties', [])}
    return Test(name=entry['name'], command=entry['command'], labels=set(properties.get('LABELS', [])),
                seconds_allowed=float(properties.get('TIMEOUT', 600)),
                cost=float(properties.get('COST', 0)),
                folder=properties.get('WORKING_DIRECTORY', '.'),
                environment=dict(pair.split('=', 1) for pair in properties.get('ENVIRONMENT', [])),
                sets_up=set(properties.get('FIXTURES_SETUP', [])),
                requires=set(properties.get('FIXTURES_REQUIRED', [])))


def list_cases(test: Test) -> list[str]:
    """Suite.Case of each case that is not disabled."""
    if not os.access(test.command[0], os.X_OK):  # not built: this preset builds only some suites
        return []
    listing = subprocess.run([*test.command, '--gtest_list_tests'], check=True, capture_output=True, text=True,
                             cwd=test.folder, env=test.full_environment(), timeout=60).stdout
    cases, suite = [], ''
    for line in listing.splitlines():
        name = re.sub(r'\s*#.*', '', line)
        if line.startswith('  '):
            cases.append(suite + name.strip())
        elif re.fullmatch(r'\S+\.', name):
            suite = name
    return [case for case in cases if 'DISABLED_' not in case]
