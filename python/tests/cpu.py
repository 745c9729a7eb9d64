"""CPU time of reading archives from Python, against the command that the package calls.

usage: cpu.py ARCHIVES [ROUNDS]; GLEANER_PROGRAM names the program. Each round runs all three in turn.
"""

import os
import statistics
import subprocess
import sys

archives, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
READ = "import gleaner, sys; print(sum(%s for b in gleaner.read(sys.argv[1])%s))"
COMMANDS = {
    "the command": [os.environ["GLEANER_PROGRAM"], "ingest", "--input=" + archives, "--output=-", "--format=jsonl"],
    "dicts": [sys.executable, "-c", READ % ("1", ""), archives],
    "Arrow batches": [sys.executable, "-c", READ % ("b.num_rows", ".batches()"), archives],
}


def seconds(command):
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


took = {name: [] for name in COMMANDS}
for _ in range(rounds):
    for name, command in COMMANDS.items():
        took[name].append(seconds(command))
for name, list_ in took.items():
    ratio = statistics.median(a / b for a, b in zip(list_, took["the command"]))
    print(f"{name:14} {statistics.median(list_):6.2f} s ({min(list_):.2f} to {max(list_):.2f}), ratio {ratio:.2f}")
