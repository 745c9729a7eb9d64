#!/bin/bash
# Usage: build.sh PYTHON VERSION PROGRAM PLATFORM OUT [gleaner-cluster]
#
# Makes the wheel of a program, as go build made it for a platform such as linux/amd64: gleaner with the module, or
# gleaner-cluster with the program alone. PYTHON has the packages of requirements.txt. The same commit gives the same
# bytes.
set -euo pipefail
python=$1 version=$2 program=$(realpath "$3") out=$(realpath "$5")

# A program without C runs with any C library of Linux. The versions of macOS are the oldest that Go supports.
case $4 in
linux/amd64) tag=manylinux_2_17_x86_64.musllinux_1_1_x86_64 ;;
linux/arm64) tag=manylinux_2_17_aarch64.musllinux_1_1_aarch64 ;;
darwin/amd64) tag=macosx_12_0_x86_64 ;;
darwin/arm64) tag=macosx_12_0_arm64 ;;
windows/amd64) tag=win_amd64 ;;
*) echo "no wheel for $4" >&2; exit 2 ;;
esac

root=$(cd "$(dirname "$0")/../.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp "$root/python/wheel.py" "$root/LICENSE" "$stage"
if [ "${6:-gleaner}" = gleaner-cluster ]; then
	cp "$root"/python/cluster/* "$stage"
	about=$stage/_version.py
else
	cp -r "$root"/python/{pyproject.toml,README.md,gleaner} "$stage"
	rm -rf "$stage/gleaner/__pycache__"
	about=$stage/gleaner/_version.py
fi
sed -i.old "s/==VERSION\"/==$version\"/" "$stage/pyproject.toml" && rm "$stage/pyproject.toml.old"
printf '"""Made by `make wheels`."""\n\nVERSION = "%s"\n' "$version" >"$about"
chmod 755 "$program"
made=$(mktemp -d -p "$stage")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)} GLEANER_PROGRAM=$program GLEANER_TAG=$tag \
	"$python" -m build --wheel --no-isolation --outdir "$made" "$stage" >/dev/null
"$python" "$root/.tools/wheels/squeeze.py" "$made"/*.whl
mv "$made"/*.whl "$out"
