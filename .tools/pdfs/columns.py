#!/usr/bin/env python3
"""Makes PDF files in two and three columns of which the order of the text is known.

    python3 .tools/pdfs/columns.py --books=FOLDER --out=FOLDER --half=dev
    python3 .tools/pdfs/columns.py --found=FOLDER --out=FOLDER --half=kept

The first form makes files: LaTeX, Chromium, LibreOffice and Typst, with headers, footnotes, pictures and tables that stand in
a column or across the page. Others are drawn by reportlab in another order than that of reading. Each gets a file .txt
of its body: paragraphs in order. The second form takes pages of existing files by pdfTeX that have two columns: TeX
ships columns in reading order, so its own order is the truth. The halves are divided by the name of the package's
folder.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import zlib

import pikepdf
import typst
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen import canvas

from common import TEX, chromium, latex, namespaces, office, paragraphs, run
from make import Maker, esc


def figure(m, words):
    return "\\rule{\\linewidth}{%dmm}\\caption{%s}" % (m.random.randint(15, 45), words.translate(TEX))


def tex_table(m, code):
    rows = [m.source.some(code, 1)[0].translate(TEX).split()[:3] for _ in range(m.random.randint(3, 6))]
    return "\\begin{tabular}{lll}\\toprule %s \\bottomrule\\end{tabular}\\caption{%s}" % (
        " ".join(" & ".join(w[:12] for w in r) + r" \\" for r in rows), " ".join(rows[0]))


def by_latex(m, columns):
    code, body, truth = m.code(), [], []
    notes = m.random.random() < 0.6
    for i in range(m.random.randint(14, 22)):
        text = m.source.some(code, 1)[0]
        truth.append(text)
        if i % 4 == 1:
            title = m.source.some(code, 1)[0][:30]
            body.append("\\section{%s}" % title.translate(TEX))
        text = text.translate(TEX)
        if notes and i % 6 == 2:
            text += "\\footnote{%s}" % m.source.some(code, 1)[0][:120].translate(TEX)
        body.append(text)
        if i in (3, 9) and columns == 2:
            star = m.random.choice(["", "*"])
            inside = m.random.choice([figure(m, m.source.some(code, 1)[0][:60]), tex_table(m, code)])
            kind = "table" if "tabular" in inside else "figure"
            body.append("\\begin{%s%s}[t]\\centering %s\\end{%s%s}" % (kind, star, inside, kind, star))
    start = m.source.some(code, 1)[0][:40].translate(TEX)
    head = "\\pagestyle{headings}\\title{%s}\\author{A. Author \\and B. Writer}\\date{}" % start
    text = "\\maketitle " + "\n\n".join(body)
    options = m.random.choice(["a4paper,10pt", "letterpaper,11pt", "a4paper,9pt"])
    if columns == 2 and m.random.random() < 0.7:
        return latex(m.work, m.name(), text, head, options + ",twocolumn"), truth
    wrap = "\\maketitle\\begin{multicols}{%d}%s\\end{multicols}" % (columns, "\n\n".join(
        b for b in body if not b.startswith("\\begin{")))
    return latex(m.work, m.name(), wrap, head, options), truth


def by_chromium(m, columns):
    code, parts, truth = m.code(), [], []
    for i in range(m.random.randint(14, 22)):
        text = m.source.some(code, 1)[0]
        truth.append(text)
        if i % 5 == 1:
            parts.append("<h2>%s</h2>" % esc(m.source.some(code, 1)[0][:35]))
        parts.append(f"<p>{esc(text)}</p>")
        if i in (4, 10):
            cells = [m.source.some(code, 1)[0].split()[:3] for _ in range(4)]
            table = "<table>" + "".join("<tr>" + "".join(f"<td>{esc(c)}</td>" for c in r) + "</tr>" for r in cells)
            box = "<div style='background:#9ab;height:%dmm'></div><small>%s</small>" % (
                m.random.randint(15, 40), esc(m.source.some(code, 1)[0][:60]))
            # What stands across the columns is as wide as the page, or nobody could see that it does.
            span = m.random.choice(["", " class=wide"])
            parts.append(f"<figure{span}>" + m.random.choice([table + "</table>", box]) + "</figure>")
    style = ("<style>body{columns:%d;column-gap:%dpx;font:%dpx %s;text-align:%s}h1,header{column-span:all}"
             "table{border-collapse:collapse}td{border:%s;padding:2px}figure{margin:1em 0}"
             ".wide{column-span:all}.wide table{width:100%%}</style>" % (
                 columns, m.random.choice([16, 24, 32]), m.random.choice([11, 12, 13]),
                 m.random.choice(["serif", "sans-serif"]), m.random.choice(["left", "justify"]),
                 m.random.choice(["1px solid", "none"])))
    head = "<header>%s</header><h1>%s</h1>" % (esc(m.source.some(code, 1)[0][:60]), esc(m.source.some(code, 1)[0][:40]))
    return chromium(m.work, m.name(), style + head + "".join(parts)), truth


def by_office(m, columns):
    code, parts, truth = m.code(), [], []
    for i in range(m.random.randint(14, 22)):
        text = m.source.some(code, 1)[0]
        truth.append(text)
        if i % 5 == 1:
            parts.append("<text:h text:outline-level='2'>%s</text:h>" % esc(m.source.some(code, 1)[0][:35]))
        note = ""
        if i % 6 == 2:
            note = ("<text:note text:id='n%d' text:note-class='footnote'><text:note-citation>%d</text:note-citation>"
                    "<text:note-body><text:p>%s</text:p></text:note-body></text:note>" % (
                        i, i, esc(m.source.some(code, 1)[0][:100])))
        parts.append(f"<text:p text:style-name='B'>{esc(text)}{note}</text:p>")
        if i in (5, 11):
            rows = [m.source.some(code, 1)[0].split()[:3] for _ in range(4)]
            parts.append("<table:table><table:table-column table:number-columns-repeated='3'/>" + "".join(
                "<table:table-row>" + "".join(f"<table:table-cell><text:p>{esc(c)}</text:p></table:table-cell>"
                                              for c in r) + "</table:table-row>" for r in rows) + "</table:table>")
    columns = ("<style:columns fo:column-count='%d' fo:column-gap='%dmm'/>" % (columns, m.random.choice([4, 6, 9])))
    xml = (f'<?xml version="1.0"?><office:document{namespaces()} office:version="1.2" office:mimetype='
           '"application/vnd.oasis.opendocument.text"><office:automatic-styles><style:style style:name="B" '
           'style:family="paragraph"><style:paragraph-properties fo:margin-bottom="2mm" fo:text-align="%s"/>'
           '<style:text-properties fo:font-size="10pt"/></style:style><style:style style:name="S" style:family='
           '"section"><style:section-properties>%s</style:section-properties></style:style><style:page-layout '
           'style:name="L"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin='
           '"2cm"/><style:header-style/></style:page-layout></office:automatic-styles><office:master-styles>'
           '<style:master-page style:name="Standard" style:page-layout-name="L"><style:header><text:p>%s</text:p>'
           '</style:header></style:master-page></office:master-styles><office:body><office:text><text:h '
           'text:outline-level="1">%s</text:h><text:section text:name="s" text:style-name="S">%s</text:section>'
           "</office:text></office:body></office:document>" % (
               m.random.choice(["left", "justify"]), columns, esc(m.source.some(code, 1)[0][:50]),
               esc(m.source.some(code, 1)[0][:40]), "".join(parts)))
    return office(m.work, m.name(), xml, "fodt", None), truth


def by_drawing(m, columns):
    """Draws lines of columns in another order than that of reading: in rows, from below, or in none."""
    code, truth = m.code(), []
    name, size = m.work / (m.name() + ".pdf"), m.random.choice([9, 10, 11])
    c = canvas.Canvas(str(name), pagesize=A4, invariant=1)
    gap = m.random.choice([14, 18, 24])
    width, font = (A4[0] - 120 - gap * (columns - 1)) / columns, m.random.choice(["Helvetica", "Times-Roman"])
    lines = [(60, 790, m.source.some(code, 1)[0][:50])]
    for column in range(columns):
        y = 750
        while y > m.random.randint(60, 140):
            text = m.source.some(code, 1)[0]
            truth.append(text)
            for line in simpleSplit(text, font, size, width):
                if y > 50:
                    lines.append((60 + column * (width + gap), y, line))
                    y -= size * 1.25
            y -= size * m.random.choice([0, 0.5])
    order = m.random.choice(["rows", "backwards", "shuffled"])
    if order == "shuffled":
        m.random.shuffle(lines)
    lines.sort(key=lambda at: {"rows": -at[1], "backwards": (-at[0], at[1]), "shuffled": 0}[order])
    c.setFont(font, size)
    for x, y, line in lines:
        c.drawString(x, y, line)
    c.save()
    return name, truth


def by_typst(m, columns):
    """Typst, without its tags, so that the layout alone must show the order."""
    quote = lambda t: '#"' + t.replace("\\", "/").replace('"', "'") + '"'
    code, parts, truth = m.code(), [], []
    for i in range(m.random.randint(14, 22)):
        truth.append(m.source.some(code, 1)[0])
        if i % 5 == 1:
            parts.append("== " + quote(m.source.some(code, 1)[0][:35]))
        parts.append(quote(truth[-1]))
    head = "#set page(columns: %d, margin: 2cm)\n#set text(size: %dpt)\n#set par(justify: %s)\n" % (
        columns, m.random.choice([9, 10, 11]), m.random.choice(["true", "false"]))
    source, pdf = m.work / (m.name() + ".typ"), m.work / (m.name() + ".pdf")
    source.write_text(head + "\n\n".join(parts))
    typst.compile(str(source), output=str(pdf), timestamp=1700000000)
    with pikepdf.open(pdf, allow_overwriting_input=True) as f:
        del f.Root.StructTreeRoot
        f.save(pdf, deterministic_id=True)
    return pdf, truth


def make(o):
    texts = paragraphs(o.books, o.half)
    first, second = Maker(o.half, texts, o.out / o.half), Maker(o.half, texts, o.out / o.half, "more", 100)
    ways = {"latex": (by_latex, 12, first), "chromium": (by_chromium, 12, first), "libreoffice": (by_office, 6, first),
            "drawing": (by_drawing, 8, first), "typst": (by_typst, 8, second)}
    for name, (way, count, m) in ways.items():
        for i in range(count if name in (o.only or [name]) else 0):
            pdf, truth = way(m, 3 if i % 4 == 3 else 2)
            m.keep(f"{name}", pdf, len(pikepdf.open(pdf).pages))
            (m.out / m.truth[-1]["file"]).with_suffix(".txt").write_text("\n".join(truth))
    for m in (first, second):
        shutil.rmtree(m.work)


def columns_of(pdf, page):
    """Reports whether a page has two columns of prose: lines on both sides of the middle, and few across it."""
    rows = run("pdftotext", "-tsv", "-f", page, "-l", page, pdf, "-").decode(errors="replace").splitlines()[1:]
    width, sides = 0, [0, 0, 0]
    for row in rows:
        level, _, _, _, _, _, left, _, w, _, _, text = row.split("\t", 11)
        if level == "1":
            width = float(w)
        elif level == "4" and float(w) > width * 0.2:
            left, right = float(left), float(left) + float(w)
            sides[0 if right < width * 0.54 else 1 if left > width * 0.46 else 2] += 1
    return min(sides[0], sides[1]) >= 15 and sides[2] < 0.25 * (sides[0] + sides[1])


def take(o):
    out = o.out / f"found-{o.half}"
    out.mkdir(parents=True, exist_ok=True)
    taken = {}
    for pdf in sorted(o.found.rglob("*.pdf")):
        half = "dev" if zlib.crc32(pdf.parent.name.encode()) % 2 else "kept"
        if half != o.half or taken.get(pdf.parent.name, 0) >= 2 or pdf.stat().st_size > 8 << 20:
            continue
        try:
            info = run("pdfinfo", pdf).decode(errors="replace")
            if "pdfTeX" not in info:
                continue
            pages = int(re.search(r"Pages:\s+(\d+)", info).group(1))
            page = next((p for p in range(1, min(pages, 6) + 1) if columns_of(pdf, p)), 0)
        except (subprocess.SubprocessError, ValueError, AttributeError):
            continue
        if page:
            taken[pdf.parent.name] = taken.get(pdf.parent.name, 0) + 1
            name = f"{pdf.parent.name}-{pdf.stem}-{page}"
            with pikepdf.open(pdf) as f, pikepdf.new() as g:
                g.pages.append(f.pages[page - 1])
                g.save(out / (name + ".pdf"), deterministic_id=True)
            (out / (name + ".txt")).write_bytes(run("pdftotext", "-raw", out / (name + ".pdf"), "-"))
            print(name, flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--books")
    p.add_argument("--found", type=pathlib.Path)
    p.add_argument("--out", required=True, type=pathlib.Path)
    p.add_argument("--half", required=True, choices=["dev", "kept"])
    p.add_argument("--only", nargs="*", help="generators; the files of others are not made")
    o = p.parse_args()
    (take if o.found else make)(o)


if __name__ == "__main__":
    main()
