#!/usr/bin/env bash
# This downloads the packages whose pages are named in pages.tsv and kept.tsv, unchanged from the registries. They go to
# the given folder, and have 700 MB unpacked.
set -euo pipefail

mkdir -p "$1/fetched"
cd "$1"
root=$PWD

# Pages of modules stay in the module cache, which is this folder.
cd fetched
GOFLAGS='' GOMODCACHE=$root go mod download \
	github.com/markusmobius/go-trafilatura@v1.12.2 github.com/markusmobius/go-htmldate@v1.10.1 \
	github.com/advancedlogic/GoOse@v0.0.0-20191112112754-e742535969c1

# They are downloaded one at a time, since one has two versions.
for archive in mediacloud_metadata-2.1.0 mediacloud_metadata-1.0.0 newspaper4k-0.9.6 gne-0.4.3 formasaurus-0.10.0; do
	python3 -m pip download -q --no-deps --no-binary :all: -d . "${archive%-*}==${archive##*-}"
	tar -xzf "$archive.tar.gz" -C "$root"
done

for package in unfluff-3.2.0 article-1.1.2; do
	mkdir -p "$root/$package"
	tar -xzf "$(npm pack --silent "${package%-*}@${package##*-}")" -C "$root/$package" --strip-components 1
done
