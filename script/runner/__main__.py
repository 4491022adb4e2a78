"""usage: python3 script/runner [--shake SECONDS] [--busy] [suite…]; see script/test and script/shake."""

import argparse
import signal
import sys

from processes import Disturbance, Processes
from run import Run
from suites import expand


def main() -> int:
    parser = argparse.ArgumentParser(prog='script/runner')
    parser.add_argument('--shake', type=float, default=0, metavar='SECONDS')
    parser.add_argument('--busy', action='store_true')
    parser.add_argument('suites', nargs='*')
    options = parser.parse_args()
    try:
        suites = expand(options.suites)
    except KeyError as unknown:
        print(f'there is no suite {unknown}', file=sys.stderr)
        return 2

    # Ended from outside, it ends its children, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    processes = Processes()
    disturbance = Disturbance(processes, options.shake, options.busy)
    try:
        with Run(suites, processes=processes) as run:
            return 0 if run.run() else 1
    finally:
        disturbance.end()


if __name__ == '__main__':
    sys.exit(main())
