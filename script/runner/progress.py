"""Shows how far a run is: one line that is updated on a terminal, one line every 30 seconds in a log."""

import os
import sys
import threading
import time
from collections.abc import Callable

SECONDS_BETWEEN_LOG_LINES = 30


def clock(seconds: float) -> str:
    return f'{int(seconds) // 60}:{int(seconds) % 60:02}'


class Progress:
    def __init__(self, describe: Callable[[], str]) -> None:
        self._describe = describe
        self._is_terminal = sys.stdout.isatty() and os.environ.get('TERM', 'dumb') != 'dumb'
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def say(self, text: str) -> None:
        """A line that stays."""
        with self._lock:
            self._clear()
            print(text, flush=True)

    def end(self) -> None:
        self._over.set()
        self._thread.join()
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        if self._is_terminal:
            print('\r\033[K', end='')

    def _tell(self) -> None:
        while not self._over.wait(0.5 if self._is_terminal else SECONDS_BETWEEN_LOG_LINES):
            line = f'{clock(self.seconds):>6}  {self._describe()}'
            with self._lock:
                if self._is_terminal:
                    width = os.get_terminal_size(sys.stdout.fileno()).columns
                    print('\r\033[K' + line[:width - 1], end='', flush=True)
                else:
                    print(line, flush=True)
