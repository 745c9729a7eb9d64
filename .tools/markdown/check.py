"""Compares the counts of a page's content with those of its reference, so that wrong labels do not enter the set."""

import re

from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

CONTENT = ["[itemprop=articleBody]", "article.bd-article", "article#furo-main-content", "div[role=main]", "div.body",
           ".theme-doc-markdown", "article.md-content__inner", "div.vp-doc", "#content .post-content", ".markdown-body",
           "article", "main", "[role=main]", "#content", "body"]
APART = "nav, #table_of_contents, .contents, .toctree-wrapper, .footnotes, div.footnote, section.footnotes, .headerlink, .linenos, .gutter, .sphinxsidebar, .toc, script, style, .related"


def content(html, selectors):
    soup = BeautifulSoup(html, "lxml")
    for selector in selectors:
        if found := soup.select_one(selector):
            return found
    return soup


def counts(element):
    for e in element.select(APART):
        e.decompose()
    count = {
        "headings": len(element.select("h1, h2, h3, h4, h5, h6")),
        "tables": len([t for t in element.select("table") if not t.select("pre") or len(t.select("tr")) > 1]),
        "code": len(element.select("pre")), "items": len(element.select("li")),
        "quotes": len(element.select("blockquote")) > 0,
    }
    return count


def reference(markdown):
    from elements import parser
    html = parser().render(markdown)
    soup = BeautifulSoup(html, "lxml")
    return counts(soup)


def agree(html, markdown, selectors=None):
    """Whether page and reference have the same numbers of headings, tables, code blocks and items."""
    page, ref = counts(content(html, selectors or CONTENT)), reference(markdown)
    return all(page[k] == ref[k] for k in ("headings", "tables", "code", "items")), page, ref
