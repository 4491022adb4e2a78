#!/usr/bin/python3
"""Applies one mutant after the other to a copy of the project and checks that the named tests fail.

usage: tests/mutants/run.py FILE.toml [word…]    only mutants whose rule contains a word

The copy is a git worktree of HEAD in build/mutants, built with the dev preset. A mutant that does not apply, does not
compile or passes its tests is a failure. Ends with one line "N passed, M failed".
"""
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutants"


def run(*command, cwd=COPY):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def prepare():
    head = run("git", "rev-parse", "HEAD", cwd=ROOT).stdout.strip()
    if not (COPY / ".git").exists():
        run("git", "worktree", "prune", cwd=ROOT)
        made = run("git", "worktree", "add", "--detach", str(COPY), head, cwd=ROOT)
        if made.returncode != 0:
            sys.exit(made.stderr)
    run("git", "checkout", "--force", "--detach", head)
    if not (COPY / "build/dev/build.ninja").exists():
        configured = run("cmake", "--preset", "dev")
        if configured.returncode != 0:
            sys.exit(configured.stdout + configured.stderr)


def build(program):
    return run("ninja", "-C", "build/dev", program)


def tests_pass(mutant):
    try:
        result = subprocess.run([f"build/dev/tests/{mutant['program']}", f"--gtest_filter={mutant['tests']}"], cwd=COPY,
                                capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return False, ""
    return result.returncode == 0, result.stdout


def verdict(mutant):
    """None when its tests fail; otherwise the problem."""
    path = COPY / mutant["file"]
    original = path.read_text()
    if original.count(mutant["from"]) != 1:
        return f"pattern found {original.count(mutant['from'])} times in {mutant['file']}, expected once"
    path.write_text(original.replace(mutant["from"], mutant["to"]))
    try:
        built = build(mutant["program"])
        if built.returncode != 0:
            return "does not compile: " + next((line for line in built.stdout.splitlines() if " error: " in line), "?")
        good, _ = tests_pass(mutant)
        return "not detected by " + mutant["tests"] if good else None
    finally:
        path.write_text(original)


def check_unbroken(mutants):
    for mutant in mutants:
        if build(mutant["program"]).returncode != 0:
            sys.exit(f"{mutant['program']} does not compile without a mutant")
        good, output = tests_pass(mutant)
        if not good or "[  PASSED  ] 0 tests" in output:
            sys.exit(f"{mutant['tests']} does not pass or matches no test without a mutant")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        mutants = tomllib.load(file)["mutant"]
    words = sys.argv[2:]
    mutants = [m for m in mutants if not words or any(word in m["rule"] for word in words)]
    prepare()
    check_unbroken(mutants)
    failed = 0
    for mutant in mutants:
        wrong = verdict(mutant)
        failed += wrong is not None
        print(f"{'FAILED' if wrong else 'detected'}: {mutant['rule']}{': ' + wrong if wrong else ''}", flush=True)
    print(f"{len(mutants) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
