"""Makes the set of labelled pages that manifest.json lists: make.py FOLDER writes FOLDER/labels.jsonl.

Run it with a Python that has requirements.txt, on Debian 12 with pandoc. FOLDER/npm and FOLDER/docusaurus need the
generators that README.md names, installed by npm. Packages come from the registries through apt-get, pip and npm; their
checksums must be those of the manifest. Building all sites takes about ten minutes on two idle cores.
"""

import base64
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile

import build
import check
import debian
import made
import sources

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = {"math", "footnotes", "definitions"}


def digest(path, algorithm="sha256"):
    with open(path, "rb") as f:
        return hashlib.new(algorithm, f.read())


def fetch(folder, manifest):
    """Downloads and unpacks the packages."""
    for kind in ("debian", "pypi", "npm"):
        os.makedirs(f"{folder}/{kind}", exist_ok=True)
        for p in manifest[kind]:
            target = f"{folder}/{kind}/" + (f"{p['name']}-{p['version']}" if kind == "pypi" else p.get("folder", p["name"]))
            if not os.path.exists(target):
                globals()["fetch_" + kind](f"{folder}/{kind}", p, target)


def require(path, p, algorithm, right):
    if not right:
        sys.exit(f"{path}: the {algorithm} is not that of the manifest for {p['name']} {p['version']}")


def fetch_debian(folder, p, target):
    subprocess.run(["apt-get", "download", f"{p['name']}={p['version']}"], cwd=folder, check=True)
    path = glob.glob(f"{folder}/{p['name']}_*.deb")[0]
    require(path, p, "sha256", digest(path).hexdigest() == p["sha256"])
    subprocess.run(["dpkg", "-x", path, target], check=True)


def fetch_pypi(folder, p, target):
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder,
                    f"{p['name']}=={p['version']}"], check=True)
    path = f"{target}.tar.gz"
    require(path, p, "sha256", digest(path).hexdigest() == p["sha256"])
    tarfile.open(path).extractall(target, filter="data")


def fetch_npm(folder, p, target):
    r = subprocess.run(["npm", "pack", "--silent", f"{p['name']}@{p['version']}"], cwd=folder, check=True,
                       capture_output=True, text=True)
    path = f"{folder}/{r.stdout.strip()}"
    algorithm, _, sum = p["integrity"].partition("-")
    require(path, p, algorithm, base64.b64encode(digest(path, algorithm).digest()).decode() == sum)
    tarfile.open(path).extractall(target, filter="data")


def builder(name, folder):
    """The function, its argument and the features of a site's generator."""
    kind, _, theme = name.partition("-")
    npm = f"{folder}/npm/node_modules"
    return {
        "mkdocs": (build.mkdocs, theme, ALL), "myst": (build.sphinx, theme, ALL), "pandoc": (build.pandoc, theme, ALL),
        "vitepress": (build.vitepress, npm, set()), "hexo": (build.hexo, theme, set()),
        "docusaurus": (build.docusaurus, f"{folder}/docusaurus/node_modules", {"math", "footnotes"}),
    }[kind]


def text_of(folder, key, source, pages):
    """The Markdown of a page, from its package or made."""
    if not source:
        part, number = re.match(r"made-(\w)/page-(\d+)", key).groups()
        return pages[part][int(number)]
    path = re.sub(r"^npm/((?:@[^/]+/)?[^/]+)/", r"npm/\1/package/", source)
    title, text = sources.from_markdown(debian.read(f"{folder}/{path}"))
    if title and not re.match(r"\s*# ", text):
        text = f"# {title}\n\n{text}"
    return re.sub(r"(!\[[^\]]*\]\()(?!https?:)[./]*([^)\s]+)", r"\1https://example.com/\2", text)


def site(folder, name, wanted):
    function, argument, features = builder(name, folder)
    made_pages = {part: made.pages(5, features, f"{name}-{part}") for part in "ab"}
    texts = {key: text_of(folder, key, source, made_pages) for key, source in wanted.items()}
    place = f"{folder}/site/{name}"
    os.makedirs(place, exist_ok=True)
    last = f"{folder}/npm/node_modules" if name.startswith("hexo") else sys.executable
    built = function(place, texts, argument, last)
    for key, text in texts.items():
        if not built.get(key) or not check.agree(built[key], text, ["article"] if name.startswith("hexo") else None)[0]:
            print("not as its source:", name, key, file=sys.stderr)
            continue
        project = key.split("/")[0]
        named = not name.startswith("mkdocs") or 'class="language-' in built[key]
        yield {
            "id": f"{name}/{key}", "project": f"{project}-{name}" if project.startswith("made-") else project,
            "generator": name.split("-")[0], "theme": name, "url": f"https://{name}.example.org/{key}.html",
            "html": built[key], "reference": text, "skip": [] if named else ["language"],
        }


def npm_docs(folder, names):
    root = f"{folder}/npm/npm/package/docs"
    for name in names:
        title, text = sources.from_markdown(debian.read(f"{root}/content/{name}.md"))
        yield {
            "id": f"npm-docs/{name}", "project": "npm-docs", "generator": "npm", "theme": "npm",
            "url": f"https://npm.example.org/{name}.html", "html": debian.read(f"{root}/output/{name}.html"),
            "reference": f"# {title}\n\n{text}" if title else text, "skip": [],
        }


def half(project):
    """Projects are divided by a hash; made pages by their name."""
    if project.startswith("made-"):
        return "development" if project.startswith("made-a") else "kept"
    return "development" if int(hashlib.sha256(project.encode()).hexdigest(), 16) % 2 else "kept"


def main():
    folder = os.path.abspath(sys.argv[1])
    with open(f"{HERE}/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    fetch(folder, manifest)
    pages = manifest["pages"]
    with open(f"{folder}/labels.jsonl", "w", encoding="utf-8") as out:
        def write(all):
            for p in all:
                out.write(json.dumps({**p, "half": half(p["project"])}) + "\n")
        for package, names in pages["debian"].items():
            write(debian.pages(f"{folder}/debian/{package}", package, len(names), set(names)))
        write(npm_docs(folder, pages["npm-docs"]))
        for name, wanted in pages["sites"].items():
            write(site(folder, name, wanted))


if __name__ == "__main__":
    main()
