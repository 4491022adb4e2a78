"""Child processes, each in its own session, so that a whole group can be ended or paused."""

import math
import os
import random
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path


SECONDS_FOR_LAST_OUTPUT = 5


class Deadline:
    """The time limit of a process: in total, or since its last restart."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.was_missed = False
        self.restart()

    def restart(self) -> None:
        self._end = time.monotonic() + self._seconds

    def is_over(self) -> bool:
        return time.monotonic() > self._end


class Processes:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen] = set()

    def run(self, command: list[str], *, on_line: Callable[[str], None], deadline: Deadline | None = None,
            folder: str = '.', environment: dict[str, str] | None = None, is_nice: bool = False) -> int | None:
        """Passes each line of output to on_line; returns the exit code, or None if it was ended at its deadline."""
        child = subprocess.Popen(['nice', *command] if is_nice else command, cwd=folder, env=environment,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        with self._lock:
            self._running.add(child)
        try:
            for line in _lines(child, deadline or Deadline(math.inf)):
                on_line(line)
            code = child.wait()
        finally:
            child.stdout.close()
            with self._lock:
                self._running.discard(child)
        return None if deadline and deadline.was_missed else code

    def end_all(self) -> None:
        with self._lock:
            running = list(self._running)
        for child in running:
            end_group(child)

    def roots(self) -> list[int]:
        with self._lock:
            return [child.pid for child in self._running]


def _lines(child: subprocess.Popen, deadline: Deadline) -> Iterator[str]:
    """Reads until it has ended and briefly after, even if a server that it left behind holds the pipe open."""
    pending, ended_at = b'', None
    while True:
        ready, _, _ = select.select([child.stdout], [], [], 0.5)
        if ready:
            some = os.read(child.stdout.fileno(), 65536)
            if not some:
                break
            *lines, pending = (pending + some).split(b'\n')
            for line in lines:
                yield line.decode('utf-8', 'replace')
        elif child.poll() is not None:
            ended_at = ended_at or time.monotonic()
            if time.monotonic() - ended_at > SECONDS_FOR_LAST_OUTPUT:
                break
        if deadline.is_over() and child.poll() is None:
            deadline.was_missed = True
            end_group(child)
    if pending:
        yield pending.decode('utf-8', 'replace')


def end_group(child: subprocess.Popen) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, sign)
        except ProcessLookupError:
            return
        if sign == signal.SIGTERM:
            time.sleep(2)


class Disturbance:
    """Simulates a loaded machine: pauses processes at random, or keeps the cores busy."""

    # PostgreSQL is frozen by tests themselves; script(1) takes the stop of its child for its own.
    SPARED = {'postgres', 'script'}

    def __init__(self, processes: Processes, longest_pause: float, is_busy: bool) -> None:
        self._processes = processes
        self._longest = longest_pause
        self._over = threading.Event()
        self._spinning = [subprocess.Popen(['sh', '-c', 'while :; do :; done']) for _ in range(os.cpu_count() or 1)
                          ] if is_busy else []
        self._thread = threading.Thread(target=self._shake, daemon=True) if longest_pause > 0 else None
        if self._thread:
            self._thread.start()

    def end(self) -> None:
        self._over.set()
        for spinning in self._spinning:
            spinning.kill()
            spinning.wait()
        if self._thread:
            self._thread.join()

    def _shake(self) -> None:
        while not self._over.is_set():
            candidates = [pid for pid, name, state in descendants(self._processes.roots())
                          if name not in self.SPARED and state not in 'TZ']
            if candidates:
                pid = random.choice(candidates)
                if _signal(pid, signal.SIGSTOP):
                    self._over.wait(random.uniform(0, self._longest))
                    _signal(pid, signal.SIGCONT)
            self._over.wait(random.uniform(0, self._longest))


def _signal(pid: int, sign: int) -> bool:
    try:
        os.kill(pid, sign)
        return True
    except ProcessLookupError:
        return False


def descendants(roots: list[int]) -> list[tuple[int, str, str]]:
    """(process id, name, state) of the roots and their descendants. Some may end meanwhile."""
    seen = {}
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            text = (folder / 'stat').read_text()
        except OSError:
            continue
        name = text[text.index('(') + 1:text.rindex(')')]
        state, parent = text[text.rindex(')') + 2:].split()[:2]
        seen[int(folder.name)] = (name, state, int(parent))

    def is_below(pid: int) -> bool:
        while pid > 1 and pid in seen:
            if pid in roots:
                return True
            pid = seen[pid][2]
        return False

    return [(pid, name, state) for pid, (name, state, _) in seen.items() if is_below(pid)]
