"""Reads Markdown into the elements that score.py compares, in document order."""

import re
import unicodedata
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

# Typographic signs that generators put in place of plain ones.
PLAIN = str.maketrans({
    "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " ", "\u200b": None, "¶": None,
})


@dataclass
class Element:
    kind: str
    text: str = ""
    place: str = ""  # level of a heading, lists around an item, language of code, target of a link
    extra: str = ""  # number of an item, caption of an image
    rows: list = field(default_factory=list)


def plain(text):
    text = unicodedata.normalize("NFC", text).translate(PLAIN)
    text = re.sub(r"-{2,3}", "-", text)
    return re.sub(r"\s+", " ", text).strip()


def code(text):
    """Code without empty lines around it; generators replace tabs and no-break spaces."""
    return text.expandtabs(4).replace("\u00a0", " ").rstrip().lstrip("\n")


def parser():
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return md.use(footnote_plugin, inline=False).use(deflist_plugin).use(dollarmath_plugin, allow_digits=False)


def inline_text(token):
    """The text of a line without marks; pictures have none."""
    parts = []
    for t in token.children or []:
        if t.type in ("text", "code_inline", "math_inline", "math_inline_double"):
            parts.append(t.content)
        elif t.type in ("softbreak", "hardbreak") or t.type == "html_inline" and t.content.startswith("<br"):
            parts.append(" ")
    return plain("".join(parts))


def target(url):
    """The fragment of a link, or the last step of its path without its ending: generators change the rest."""
    u = urlsplit(unquote(url)) if "]" not in url and "[" not in url else urlsplit("")
    steps = [s for s in u.path.split("/") if s not in ("", ".", "..", "index.html", "index.md", "README.md")]
    last = re.sub(r"\.(html?|mdx?|rst)$", "", steps[-1]) if steps else ""
    return ("#" + u.fragment if u.fragment else last).lower() or u.netloc.lower()


def tex(source):
    """A formula without the differences that do not change it."""
    source = re.sub(r"\\(,|;|:|!|quad\b|qquad\b|displaystyle\b|limits\b)", " ", source)
    source = re.sub(r"\\begin\{(split|aligned|gathered|equation\*?)\}|\\end\{(split|aligned|gathered|equation\*?)\}", "", source)
    source = source.replace(r"\lt", "<").replace(r"\gt", ">").replace(r"\lbrack", "[").replace(r"\vert", "|")
    source = re.sub(r"\{(\w)\}", r"\1", source)
    return re.sub(r"\s+", "", source).rstrip(".,")


LANGUAGES = {
    "py": "python", "python3": "python", "ipython": "python", "ipython3": "python", "pycon": "python",
    "pycon3": "python", "doctest": "python", "js": "javascript", "jsx": "javascript", "ts": "typescript",
    "sh": "shell", "bash": "shell", "console": "shell", "shell-session": "shell", "zsh": "shell", "yml": "yaml",
    "c++": "cpp", "html+jinja": "jinja", "default": "", "text": "", "none": "", "plaintext": "", "txt": "",
    "rst": "rest", "restructuredtext": "rest", "markdown": "md", "": "",
}


def language(info):
    word = re.split(r"[\s{,]", info.strip().lower().removeprefix("{").removeprefix("."))[0].rstrip("}")
    return LANGUAGES.get(word, word)


class Reader:
    def __init__(self, source):
        self.all, self.lists, self.quotes, self.notes = [], [], 0, 0
        self.env = {}
        self.tokens = parser().parse(source, self.env)

    def add(self, kind, text="", place="", extra="", rows=None):
        e = Element(kind, text, str(place), str(extra), rows or [])
        self.all.append(e)
        return e

    def read(self):
        self.fresh = None  # the item or definition that the next line names
        for i, t in enumerate(self.tokens):
            getattr(self, "on_" + t.type, lambda i, t: None)(i, t)
        return self.all

    def on_heading_open(self, i, t):
        self.add("heading", inline_text(self.tokens[i + 1]), t.tag[1])

    def on_bullet_list_open(self, i, t):
        self.lists.append(["ul", 0])

    def on_ordered_list_open(self, i, t):
        self.lists.append(["ol", int(t.attrs.get("start", 1)) - 1])

    def on_bullet_list_close(self, i, t):
        self.lists.pop()

    on_ordered_list_close = on_bullet_list_close

    def on_list_item_open(self, i, t):
        self.lists[-1][1] += 1
        if self.notes:
            return
        number = self.lists[-1][1] if self.lists[-1][0] == "ol" else ""
        self.fresh = self.add("item", "", ">".join(k for k, _ in self.lists), number)

    def on_blockquote_open(self, i, t):
        self.quotes += 1

    def on_blockquote_close(self, i, t):
        self.quotes -= 1

    def on_footnote_open(self, i, t):
        self.notes += 1
        self.fresh = self.add("footnote")

    def on_footnote_close(self, i, t):
        self.notes -= 1

    def on_dt_open(self, i, t):
        self.fresh = self.add("term")

    def on_dd_open(self, i, t):
        self.fresh = self.add("definition")

    def on_fence(self, i, t):
        self.add("code", code(t.content), language(t.info))
        self.fresh = None

    def on_code_block(self, i, t):
        self.add("code", code(t.content))
        self.fresh = None

    def on_math_block(self, i, t):
        self.add("formula", tex(t.content))

    on_math_block_label = on_math_block

    def on_inline(self, i, t):
        text = inline_text(t)
        before = self.tokens[i - 1].type
        if self.fresh is not None and before not in ("heading_open", "th_open", "td_open"):
            self.fresh.text, self.fresh = text, None
        elif before == "paragraph_open" and text:
            self.add("quote" if self.quotes else "paragraph", text)
        self.inside(t.children or [])

    def inside(self, children):
        link = None
        for t in children:
            if t.type == "code_inline":
                self.add("inline code", plain(t.content))
            elif t.type in ("math_inline", "math_inline_double"):
                self.add("formula", tex(t.content))
            elif t.type == "image":
                self.add("image", inline_text(t), target(t.attrs.get("src", "")))
            elif t.type == "footnote_ref":
                self.add("note mark", str(t.meta.get("id", "")))
            elif t.type == "link_open":
                link = self.add("link", "", target(t.attrs.get("href", "")))
            elif t.type == "link_close":
                link = None
            if link is not None and t.type in ("text", "code_inline"):
                link.text = plain(link.text + " " + t.content) if t.type == "code_inline" else link.text + t.content

    def on_table_open(self, i, t):
        rows = []
        for k in range(i + 1, len(self.tokens)):
            c = self.tokens[k]
            if c.type == "table_close":
                break
            if c.type == "tr_open":
                rows.append([])
            elif c.type in ("td_open", "th_open"):
                rows[-1].append(inline_text(self.tokens[k + 1]))
        while rows and not any(rows[0]):  # a table without a head has an empty one in Markdown
            rows.pop(0)
        self.add("table", " ".join(" ".join(r) for r in rows), rows=rows)


def read(source):
    return Reader(source).read()
