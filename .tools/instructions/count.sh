#!/usr/bin/env bash
# Counts the instructions of a Go program by function, also for another processor:
#
#	count.sh qemu-aarch64 ./ingest-arm64 --fresh --workers=1 --output=out warcs
#
# It needs qemu-user 7.2 or later, a C compiler, and a program with symbols.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
qemu=$1 program=$2
shift 2
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
"${CC:-cc}" -shared -fPIC -O2 -o "$dir/count.so" "$here/count.c"
COUNTS=$dir/counts GOMAXPROCS=1 "$qemu" -cpu max -plugin "$dir/count.so" "$program" "$@" >"$dir/out"
go tool nm -n "$program" | python3 -c '
import bisect, collections, sys
starts, names = [], []
for line in sys.stdin:
    cells = line.split(None, 2)
    if len(cells) == 3 and cells[1] in "tT":
        starts.append(int(cells[0], 16))
        names.append(cells[2].strip())
of = collections.Counter()
for line in open(sys.argv[1]):
    address, count = map(int, line.split())
    of[names[max(0, bisect.bisect(starts, address) - 1)]] += count
total = of.total()
print(f"{total / 1e6:10.1f} million")
for name, count in of.most_common(25):
    print(f"{count / 1e6:10.1f} {100 * count / total:5.1f} %  {name}")
' "$dir/counts"
