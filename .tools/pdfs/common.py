"""Texts, page makers and commands that make.py and columns.py share."""

import html
import os
import pathlib
import random
import re
import subprocess

ENV = dict(os.environ, OMP_THREAD_LIMIT="1", SOURCE_DATE_EPOCH="1700000000", FORCE_SOURCE_DATE="1")
# Paragraphs of these parts never meet: the development half has another book than the kept half.
BOOKS = {
    "dev": ("debian-reference", {
        "en": "*.en.html", "de": "*.de.html", "fr": "*.fr.html", "es": "*.es.html", "it": "*.it.html",
        "pt": "*.pt.html"}),
    "kept": ("doc/debian-handbook/html", {
        "en": "en-US/*.html", "de": "de-DE/*.html", "fr": "fr-FR/*.html", "es": "es-ES/*.html",
        "it": "it-IT/*.html", "nl": "nl-NL/*.html", "pl": "pl-PL/*.html"}),
}
TESSERACT = {"en": "eng", "de": "deu", "fr": "fra"}


def run(*command, cwd=None, timeout=300):
    """Runs a program, and returns what it printed."""
    return subprocess.run(
        [str(c) for c in command], cwd=cwd, env=ENV, check=True, timeout=timeout, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout


def paragraphs(root, half):
    """Returns the distinct paragraphs of each language: 80 to 700 characters of prose."""
    folder, languages = BOOKS[half]
    out = {}
    for code, pattern in languages.items():
        seen = {}
        for name in sorted(pathlib.Path(root, "usr/share", folder).glob(pattern)):
            page = name.read_text(errors="replace")
            for p in re.findall(r"<(?:p|div class=\"para\")>(.*?)</(?:p|div)>", page, re.S):
                text = " ".join(html.unescape(re.sub(r"<[^>]*>", "", p)).split())
                words = text.split()
                prose = [w for w in words if re.fullmatch(r"[^\W\d_]+[.,;:!?]?", w)]
                plain = re.sub(r"[^\w\s.,;:!?()'/-]", "", text)
                if 80 <= len(plain) <= 700 and len(prose) >= 0.8 * len(words):
                    seen[plain] = True
        out[code] = list(seen)
    return out


class Source:
    """Deals paragraphs of a language, none twice within a document."""

    def __init__(self, texts, seed):
        self.texts, self.random = texts, random.Random(seed)

    def some(self, code, n):
        return self.random.sample(self.texts[code], n)


TEX = str.maketrans({
    "\\": "/", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": "-",
    "^": "", "<": "", ">": "", "\u2019": "'", "\u2026": "..."})


def latex(work, name, body, preamble="", options="", kind="article"):
    """Typesets a LaTeX body, and returns the PDF file."""
    source = work / f"{name}.tex"
    source.write_text(
        "\\documentclass[%s]{%s}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\\usepackage{graphicx,"
        "multicol,booktabs,lmodern}\n%s\n\\begin{document}\n%s\n\\end{document}\n" % (options, kind, preamble, body))
    for _ in range(2):
        try:
            run("pdflatex", "-interaction=nonstopmode", source.name, cwd=work)
        except subprocess.CalledProcessError:
            pass  # a character that the font lacks is left out
    return work / f"{name}.pdf"


def chromium(work, name, markup):
    """Prints a page with Chromium."""
    source, out = work / f"{name}.html", work / f"{name}.pdf"
    source.write_text("<!doctype html><meta charset=utf-8>" + markup)
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
        f"--user-data-dir={work}/profile", f"--print-to-pdf={out}", f"file://{source}")
    return out


def office(work, name, markup, suffix="html", kind="writer_web_pdf_Export"):
    """Converts a document with LibreOffice."""
    source = work / f"{name}.{suffix}"
    source.write_text(markup)
    target = "pdf" if kind is None else f"pdf:{kind}"
    run("soffice", f"-env:UserInstallation=file://{work}/office", "--headless", "--convert-to", target,
        "--outdir", work, source)
    return work / f"{name}.pdf"


NAMES = {"office": "office", "style": "style", "text": "text", "table": "table", "fo": "xsl-fo-compatible",
         "draw": "drawing", "svg": "svg-compatible"}


def namespaces():
    """Returns the declarations of an OpenDocument file."""
    return "".join(f' xmlns:{k}="urn:oasis:names:tc:opendocument:xmlns:{v}:1.0"' for k, v in NAMES.items())
