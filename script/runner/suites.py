"""Which suites there are, and what each runs: tests that CMake has declared, or a script that checks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Suite:
    preset: str
    # The label of its tests, or the script that is the suite. A script ends with a line "N passed, M failed".
    label: str = ''
    script: tuple[str, ...] = ()
    # A script at low priority uses the time in which the tests of other suites wait.
    in_background: bool = False
    # Suites that have to end first.
    after: tuple[str, ...] = ()
    # A sanitizer makes them slower: so many times the allowed time.
    patience: float = 1
    # The lines that these tests run are counted for script/coverage.
    is_covered: bool = False


# In the order in which they start, after the tests that take long.
SUITES = {
    'lint': Suite('dev', script=('script/lint',), in_background=True),
    'race': Suite('dev', 'race'),
    'integration': Suite('dev', 'integration'),
    'contract': Suite('dev', 'contract', is_covered=True),
    'scenario': Suite('dev', 'scenario', is_covered=True),
    'unit': Suite('dev', 'unit', is_covered=True),
    'e2e': Suite('dev', 'e2e'),
    'sim': Suite('dev', script=('script/sim', '--preset', 'dev', '--seeds', '200')),
    'scripts': Suite('dev', 'scripts'),
    'coverage': Suite('dev', script=('script/coverage', '--collected'), after=('unit', 'contract', 'scenario')),
    'asan': Suite('asan', 'sanitize', patience=3),
    'fuzz': Suite('asan', 'fuzz', patience=3),
    'tsan': Suite('tsan', 'threads', patience=3),
    # For script/nightly.
    'asan-all': Suite('asan', 'sanitizable', patience=6),
    'tsan-all': Suite('tsan', 'sanitizable', patience=6),
    'crosscheck': Suite('dev', 'crosscheck', patience=3),
}

GROUPS = {
    'gate': ('lint', 'race', 'integration', 'contract', 'scenario', 'unit', 'e2e', 'sim', 'scripts', 'coverage'),
    'sanitizers': ('asan', 'fuzz', 'tsan'),
}


def expand(words: list[str]) -> list[str]:
    """The named suites and groups, or the gate, with what they come after, in the order of SUITES.

    Raises KeyError with an unknown name.
    """
    wanted: set[str] = set()
    for word in words or ['gate']:
        if word not in SUITES and word not in GROUPS:
            raise KeyError(word)
        for name in GROUPS.get(word, (word,)):
            wanted.update((name, *SUITES[name].after))
    return [name for name in SUITES if name in wanted]


def build_targets(preset: str, suites: list[str]) -> list[str]:
    """What to build. The dev preset is built completely, because unused code must compile, too."""
    if preset == 'dev':
        return []
    return ['suite_' + SUITES[name].label for name in suites if SUITES[name].preset == preset]
