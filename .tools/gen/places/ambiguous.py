"""Writes ambiguous.txt: the names of places that are also usual words, with their languages, or names of people.

    go run . -words words.txt
    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python ambiguous.py < words.txt

It takes four minutes. Words are the forms and lemmas of simplemma's word lists, in lower case if the language has case.
A name that is such a word needs more evidence in a text. Names of people come from the US census of 1990: first names
of at least one person in 50,000, and surnames of at least one in 10,000.
"""

import collections
import importlib.resources
import sys

import simplemma.strategies.dictionaries as dictionaries
from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

LEFT_OUT = {"enm", "grc", "gd", "gv", "se"}  # old or small languages: their words are not in texts, but exclude names
RENAMED = {"hbs": "hr"}
FIRST_NAME = 0.002  # per cent of people
SURNAME = 0.01


def people(file, least):
    for line in (importlib.resources.files("names") / file).read_text().splitlines():
        name, share = line.split()[:2]
        if float(share) >= least:
            yield name.lower()


def main():
    names = sys.stdin.read().split()
    found = collections.defaultdict(set)
    factory = dictionaries.DefaultDictionaryFactory(cache_max_size=1)
    for language in sorted(SUPPORTED_LANGUAGES - LEFT_OUT):
        words = factory.get_dictionary(language)
        lemmas = set(words.values())
        for name in names:
            if name in words or name in lemmas:
                found[name].add(RENAMED.get(language, language))
    for file, least, kind in (
        ("dist.female.first", FIRST_NAME, "first-name"),
        ("dist.male.first", FIRST_NAME, "first-name"),
        ("dist.all.last", SURNAME, "surname"),
    ):
        for name in people(file, least):
            found[name].add(kind)
    with open("ambiguous.txt", "w", encoding="utf-8") as out:
        for name, languages in sorted(found.items()):
            print(name, *sorted(languages), file=out)


if __name__ == "__main__":
    main()
