"""Pages of Debian's documentation packages, whose sources Sphinx keeps beside them."""

import glob
import os

import check
import sources


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def pages(folder, package, most, only=None):
    """Up to most pages of an unpacked package, or those of a set of names."""
    roots = sorted({f.split("/_sources/")[0] for f in glob.glob(folder + "/**/_sources/**", recursive=True)
                    if "/_sources/" in f})
    found = []
    for root in roots[:1]:
        texts = {}
        for f in sorted(glob.glob(root + "/_sources/**/*.txt", recursive=True)):
            name = f[len(root) + len("/_sources/"):].removesuffix(".txt").removesuffix(".rst")
            if not name.endswith((".md", ".ipynb")):
                texts[name] = read(f)
        known = sources.titles(texts)
        for name in sorted(texts, key=lambda n: (len(texts[n]) < 1500, hash_of(n))):
            html = f"{root}/{name}.html"
            if only is not None and name not in only or len(found) >= most or not os.path.exists(html) or not 400 < len(texts[name]) < 50_000:
                continue
            reference = sources.from_rst(texts[name], known, name)
            if not reference:
                continue
            page = read(html)
            if check.agree(page, reference)[0]:
                found.append({
                    "id": f"{package}/{name}", "project": package, "generator": "sphinx", "theme": theme_of(page),
                    "url": f"https://{package}.example.org/{name}.html", "html": page, "reference": reference,
                    "skip": ["link"] + ["inline code"] * sources.has_default_role(texts[name])
                    + ["image"] * ("![image]" in reference),  # pandoc's word for no alternative text
                })
    return found


def hash_of(name):
    import hashlib
    return hashlib.sha256(name.encode()).hexdigest()


def theme_of(page):
    for mark, name in (("furo", "furo"), ("bd-article", "pydata"), ("wy-nav", "rtd"), ("alabaster.css", "alabaster"),
                       ("classic.css", "classic"), ("pydoctheme", "pydoctheme"), ("nature.css", "nature"),
                       ("sphinxdoc.css", "sphinxdoc"), ("bizstyle.css", "bizstyle"), ("agogo.css", "agogo"),
                       ("flask.css", "flask"), ("haiku.css", "haiku"), ("pyramid.css", "pyramid")):
        if mark in page:
            return name
    return "other"
