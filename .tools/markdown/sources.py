"""Turns sources of documentation into reference Markdown, or None where the source does not say what the page shows."""

import re
import subprocess

# Directives that Sphinx shows as pandoc reads them, after the changes below.
KNOWN = set("""code-block code sourcecode note warning tip important caution danger hint attention seealso image figure
math table list-table csv-table index highlight module currentmodule py:currentmodule sectionauthor moduleauthor
versionadded versionchanged deprecated rubric _ meta tabularcolumns""".split())
CODE_ROLES = """func meth class mod attr exc data const obj file samp keyword option envvar makevar token type macro member
c:func c:type c:macro c:data c:member py:func py:meth py:class py:mod py:attr py:exc py:data py:const py:obj code
setting fullname""".split()
TEXT_ROLES = "term abbr dfn command program guilabel menuselection mimetype manpage title-reference emphasis any kbd".split()


def titles(sources):
    """The titles that labels and documents have in sources, a map of paths to texts."""
    found = {}
    for path, text in sources.items():
        lines = text.split("\n")
        first = True
        for i in range(1, len(lines)):
            under, title = lines[i].rstrip(), lines[i - 1].strip()
            if len(under) >= 3 and len(set(under)) == 1 and re.match(r"[=\-~^\"'#*+.`:]", under) and title \
                    and not re.match(r"[=\-~^\"'#*+.`]{3}", title):
                if first:
                    found["/" + path], first = title, False
                k = i - 2
                while k >= 0 and (not lines[k].strip() or set(lines[k].strip()) == set(under)
                                  or re.match(r"\.\. _[^:]+:\s*$", lines[k]) or lines[k].startswith(".. index")):
                    if m := re.match(r"\.\. _([^:]+):\s*$", lines[k]):
                        found[m[1].strip("`").lower()] = title
                    k -= 1
    return found


def role(m, known, path):
    name, body = m[1], m[2]
    shown = re.match(r"(.*?)\s*<([^>]*)>$", body, re.S)
    if name in ("ref", "doc", "numref"):
        if shown:
            return shown[1]
        at = body if body.startswith("/") else "/" + (path.rsplit("/", 1)[0] + "/" if "/" in path else "") + body
        title = known.get(at if name == "doc" else body.lower())
        return re.sub(r":[a-z:]+:`~?([^`<]*?)`", r"\1", title) if title else None
    text = shown[1] if shown else body
    if name in TEXT_ROLES:
        return re.sub(r"\s+", " ", text)
    text = text.lstrip("!")
    if text.startswith("~") and name not in ("file", "samp"):
        text = text[1:].rsplit(".", 1)[-1]
    if name.split(":")[-1] in ("func", "meth") and not shown and not text.endswith(")"):
        text += "()"
    if name in ("samp", "file"):
        text = text.replace("{", "").replace("}", "")
    return "``" + text.strip() + "``"


def plain_rst(text, known, path):
    """rST without Sphinx's own roles and directives, or None."""
    for m in re.finditer(r"^\s*\.\. ([\w:+-]+)::", text, re.M):
        if m[1] not in KNOWN:
            return None
    if re.search(r"^\.\. only|^\s*\|\w+\||^.. default-role|^\.\. role", text, re.M):
        return None
    bad = []

    def change(m):
        if m[1] == "math":
            return m[0]
        if m[1] in ("pep", "rfc"):
            return f"{m[1].upper()} {m[2]}" if "<" not in m[2] else re.sub(r"\s*<.*", "", m[2])
        if m[1] not in CODE_ROLES + TEXT_ROLES + ["ref", "doc", "numref"]:
            bad.append(m[1])
            return ""
        r = role(m, known, path)
        if r is None:
            bad.append(m[0])
        return r or ""

    text = re.sub(r"(?<![\w`:]):([a-zA-Z][\w:+-]*):`([^`]+)`", change, text)
    if bad:
        return None
    text = re.sub(r"^(\s*)\.\. (index|module|currentmodule|py:currentmodule|sectionauthor|moduleauthor|highlight|"
                  r"tabularcolumns|meta)::.*\n(\1\s+\S.*\n)*", r"\n", text, flags=re.M)
    text = re.sub(r"^(\s*)\.\. (versionadded|versionchanged|deprecated):: *(\S+) *", r"\1.. note:: \2 \3 ", text, flags=re.M)
    text = re.sub(r"^(\s*)\.\. seealso:: *", r"\1.. note:: ", text, flags=re.M)
    text = re.sub(r"^(\s*)\.\. sourcecode::", r"\1.. code-block::", text, flags=re.M)
    # Doctest blocks stand without a mark.
    return re.sub(r"(?:(?<=\n\n)|^)((?:>>> .*\n)(?:\S.*\n)*)",
                  lambda m: "::\n\n" + re.sub("(?m)^", "   ", m[1]) + "\n", text)


def has_default_role(text):
    """Whether a text has interpreted text without a role: only the project's settings say what it is."""
    return bool(re.search(r"(?<![`:\w\\])`[^`<\n]+`(?![`_\w])", text))


WRITER = ("markdown_strict+pipe_tables+backtick_code_blocks+fenced_code_attributes+footnotes+definition_lists"
          "+tex_math_dollars-raw_html")


def from_rst(text, known, path):
    text = plain_rst(text.replace("\r\n", "\n").expandtabs(8), known, path)
    if text is None:
        return None
    r = subprocess.run(["pandoc", "-f", "rst", "-t", WRITER, "--wrap=none", "--columns=2000", "--markdown-headings=atx"],
                       input=text, capture_output=True, text=True, timeout=60)
    out = re.sub(r"^(`{3,}) ?\{\.(\S+?)( [^}]*)?\}", r"\1\2", r.stdout, flags=re.M)
    out = re.sub(r"^(`{3,})\s*\{[^}]*\}", r"\1", out, flags=re.M)
    if r.returncode or "WARNING" in r.stderr or "[TABLE]" in out or re.search(r"^ *:::", out, re.M) or not out.strip():
        return None
    return out


# Elements that a reference may have as HTML: they are no structure.
INLINE_HTML = re.compile(r"</?(br|sup|sub|b|i|em|strong|small|u|ins|del|mark|wbr|abbr|span)\b[^>]*>|<!--.*?-->", re.S | re.I)


def without_code(text):
    text = re.sub(r"^( *)(`{3,}|~{3,})[^\n]*\n.*?^ *\2[`~]* *$", "", text, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text, flags=re.S)


def from_markdown(text, math=False):
    """Markdown without front matter; None if it has HTML with structure, or marks of one generator alone."""
    text = text.replace("\r\n", "\n").lstrip("\ufeff")
    title = None
    if m := re.match(r"---\n(.*?)\n---\n", text, re.S):
        text = text[m.end():]
        if t := re.search(r"^title: *[\"']?(.*?)[\"']?\s*$", m[1], re.M):
            title = t[1]
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    bare = without_code(text)
    if re.search(r"^ *`{3,} *\{", text, re.M):  # a directive of MyST
        return None
    if re.search(r"</?[a-zA-Z][^>\s]*[^>]*>", INLINE_HTML.sub("", re.sub(r"<(https?:|mailto:)[^>]*>|<[^@>\s]+@[^>\s]+>", "", bare))):
        return None
    if re.search(r"\{\{|\{%|^:::|^!!!|^\?\?\?|^===|^/// |^import |^export |^\[TOC\]|\[\[|^ *\{: |\{ *[#.:]\w|^> *\[!|^--8<--|^@|:[a-z]+:`|^\|\|", bare, re.M | re.I):
        return None
    if not math:
        text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|^( *)(`{3,}|~{3,}).*?^ *\3|(?<!\\)\$",
                      lambda m: "\\$" if m[0] == "$" else m[0], text, flags=re.S | re.M)
    return title, text
