#!/usr/bin/env bash
# Makes testdata/archives/wget.warc.gz anew: serves the first site on the loopback interface and lets GNU wget crawl
# it. Dates and record ids differ from run to run, so run this only when the site has changed.
#
#   testdata/gen/capture.sh [address]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
addr=${1:-127.0.0.1:8190}
target=$PWD/testdata/archives/wget.warc.gz

work=$(mktemp -d)
go build -o "$work/gen" ./testdata/gen
"$work/gen" -serve "$addr" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT

# wget writes its arguments and its log into the archive: it runs where all paths are relative.
mkdir "$work/crawl"
cd "$work/crawl"
status=0
wget --no-config --recursive --level=2 --page-requisites --retry-connrefused --waitretry=1 --tries=5 --timeout=10 \
	--no-verbose --warc-file=wget --warc-tempdir=. "http://$addr/" || status=$?
if [ "$status" -ne 0 ] && [ "$status" -ne 8 ]; then # 8: a page was not there, and one is not
	exit "$status"
fi
cp wget.warc.gz "$target"
