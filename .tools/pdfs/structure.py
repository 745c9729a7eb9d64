#!/usr/bin/env python3
"""Makes PDF files with headings and tables from known Markdown, and labels for .tools/markdown/score.py.

    python3 .tools/pdfs/structure.py --books=FOLDER --out=FOLDER --half=dev

Each half has its own generators and templates: Chromium, LaTeX, reportlab, LibreOffice from ODT, Typst and books of
LaTeX for development; WeasyPrint, LibreOffice from HTML, fpdf2 and another class and tables of LaTeX for the kept half.
Names with "tagged" have a structure tree, as Chromium's and Typst's have; those with "marks" have bookmarks.
labels.jsonl gets a line for each file, with the Markdown that it was made from.

Rules of the labels: a heading is what the source marks as one, with its level. A table is what the source has as one,
with a cell for each of its cells; its first row is the head. Of lists only the text of their items counts. Documents
without a table and with a list of contents, an address or two columns are there to find false tables.
"""

import argparse
import json
import pathlib
import shutil
import sys

import typst
import weasyprint
from fpdf import FPDF
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from common import TEX, chromium, latex, namespaces, office, paragraphs
from make import Maker, esc

NAMES = ["Region", "Sales", "Change", "Note", "Item", "Year", "Total", "Share", "Unit", "Code", "Status", "Name"]


def document(m):
    """A document as a list of blocks: a heading with its level, a paragraph, a list, or a table with a look."""
    code, r = m.code(), m.random
    phrase = lambda n: " ".join(w.strip(".,;:!?()'/-") for w in m.source.some(code, 1)[0].split()[:n])
    blocks = [("heading", 1, phrase(r.randint(2, 5)))]
    with_tables = r.random() < 0.8
    numbered = r.random() < 0.4
    for section in range(r.randint(2, 4)):
        number = f"{section + 1} " if numbered else ""
        blocks.append(("heading", 2, number + phrase(r.randint(1, 6))))
        blocks += [("paragraph", t) for t in m.source.some(code, r.randint(1, 3))]
        for sub in range(r.randint(0, 2)):
            number = f"{section + 1}.{sub + 1} " if numbered else ""
            blocks.append(("heading", 3, number + phrase(r.randint(1, 6))))
            blocks += [("paragraph", t) for t in m.source.some(code, r.randint(1, 2))]
        if r.random() < 0.4:
            blocks.append(("list", [phrase(r.randint(3, 9)) for _ in range(r.randint(2, 5))]))
        if with_tables and r.random() < 0.7:
            blocks.append(("table", table(m, code, phrase), r.choice(["grid", "lines", "none"])))
            blocks += [("paragraph", t) for t in m.source.some(code, 1)]
    return blocks


def table(m, code, phrase):
    r = m.random
    width, kinds = r.randint(2, 5), []
    rows = [r.sample(NAMES, width)]
    for _ in range(width - 1):
        kinds.append(r.choice(["number", "number", "word", "words"]))
    for _ in range(r.randint(2, 8)):
        row = [phrase(r.randint(1, 2)) or "Nil"]
        for kind in kinds:
            value = {"number": f"{r.uniform(0, 9999):.{r.choice([0, 1, 2])}f}", "word": phrase(1),
                     "words": phrase(r.randint(2, 8))}[kind]
            row.append(value or "x")
        rows.append([cell[:60] for cell in row])
    return rows


def markdown(blocks):
    out = []
    for b in blocks:
        if b[0] == "heading":
            out.append("#" * b[1] + " " + b[2])
        elif b[0] == "paragraph":
            out.append(b[1])
        elif b[0] == "list":
            out.append("\n".join("- " + t for t in b[1]))
        else:
            rows = ["| " + " | ".join(c) + " |" for c in b[1]]
            out.append("\n".join(rows[:1] + ["|" + " --- |" * len(b[1][0])] + rows[1:]))
    return "\n\n".join(out)


def markup(blocks):
    out = []
    for b in blocks:
        if b[0] == "heading":
            out.append("<h%d>%s</h%d>" % (b[1], esc(b[2]), b[1]))
        elif b[0] == "paragraph":
            out.append(f"<p>{esc(b[1])}</p>")
        elif b[0] == "list":
            out.append("<ul>" + "".join(f"<li>{esc(t)}</li>" for t in b[1]) + "</ul>")
        else:
            row = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{esc(c)}</{tag}>" for c in cells) + "</tr>"
            rows = row(b[1][0], "th") + "".join(row(c, "td") for c in b[1][1:])
            out.append(f"<table class={b[2]}>{rows}</table>")
    return "".join(out)


def style(m, font):
    return ("<style>body{font:%dpx %s}table{border-collapse:collapse;margin:1em 0}td,th{padding:3px 10px;text-align:%s;"
            "vertical-align:top}.grid td,.grid th{border:1px solid}.lines tr{border-bottom:1px solid}</style>" % (
                m.random.choice([12, 13, 14]), font, m.random.choice(["left", "center", "right"])))


def by_chromium(m, blocks):
    return chromium(m.work, m.name(), style(m, m.random.choice(["serif", "sans-serif"])) + markup(blocks))


def by_weasyprint(m, blocks, variant=None):
    out = m.work / (m.name() + ".pdf")
    page = style(m, m.random.choice(["serif", "sans-serif"])) + markup(blocks)
    head = "<!doctype html><html lang=en><title>Report</title><meta charset=utf-8>"
    weasyprint.HTML(string=head + page).write_pdf(str(out), pdf_variant=variant)
    return out


def by_tagged_weasyprint(m, blocks):
    return by_weasyprint(m, blocks, "pdf/ua-1")


def by_office(m, blocks, kind="writer_web_pdf_Export"):
    page = markup(blocks).replace("<table class=grid>", "<table border=1 cellspacing=0>")
    return office(m.work, m.name(), "<meta charset=utf-8>" + page, kind=kind)


TAGGED = ':{"UseTaggedPDF":{"type":"boolean","value":"true"}}'


def by_tagged_office(m, blocks):
    return by_office(m, blocks, "writer_web_pdf_Export" + TAGGED)


def by_odt(m, blocks, kind="writer_pdf_Export"):
    """LibreOffice with its own styles of headings, cells with borders, below their rows only, or without."""
    edge = {"grid": "fo:border='0.5pt solid #000000'", "lines": "fo:border-bottom='1pt solid #808080'", "none": ""}
    sizes, bold = m.random.choice([(24, 18, 14), (18, 16, 14), (16, 13, 12)]), m.random.choice(["bold", "normal"])
    styles = "".join(
        f"<style:style style:name='{k}' style:family='table-cell'><style:table-cell-properties fo:padding='"
        f"{m.random.choice(['0.5mm', '1mm'])}' {v}/></style:style>" for k, v in edge.items())
    styles += "".join(
        f"<style:style style:name='H{i + 1}' style:family='paragraph'><style:paragraph-properties fo:margin-top='4mm' "
        f"fo:margin-bottom='2mm'/><style:text-properties fo:font-size='{s}pt' fo:font-weight='{bold}'/></style:style>"
        for i, s in enumerate(sizes))
    styles += ("<style:style style:name='B' style:family='paragraph'><style:paragraph-properties fo:margin-bottom='2mm'"
               "/><style:text-properties fo:font-size='11pt'/></style:style>")
    parts = []
    for b in blocks:
        if b[0] == "heading":
            parts.append("<text:h text:style-name='H%d' text:outline-level='%d'>%s</text:h>" % (b[1], b[1], esc(b[2])))
        elif b[0] == "paragraph":
            parts.append(f"<text:p text:style-name='B'>{esc(b[1])}</text:p>")
        elif b[0] == "list":
            parts.append("<text:list>" + "".join(
                f"<text:list-item><text:p text:style-name='B'>{esc(t)}</text:p></text:list-item>" for t in b[1]) +
                "</text:list>")
        else:
            cell = (f"<table:table-cell table:style-name='{b[2]}' office:value-type='string'><text:p>%s</text:p>"
                    "</table:table-cell>")
            row = lambda cells: "<table:table-row>" + "".join(cell % esc(c) for c in cells) + "</table:table-row>"
            parts.append("<table:table><table:table-column table:number-columns-repeated='%d'/>"
                         "<table:table-header-rows>%s</table:table-header-rows>%s</table:table><text:p/>" % (
                             len(b[1][0]), row(b[1][0]), "".join(row(r) for r in b[1][1:])))
    return office(m.work, m.name(), fodt("<office:automatic-styles>" + styles + "</office:automatic-styles>",
                                         "".join(parts)), "fodt", kind)


def by_tagged_odt(m, blocks):
    return by_odt(m, blocks, "writer_pdf_Export" + TAGGED)


def fodt(styles, body):
    return (f'<?xml version="1.0"?><office:document{namespaces()} office:version="1.2" office:mimetype='
            f'"application/vnd.oasis.opendocument.text">{styles}<office:body><office:text>{body}</office:text>'
            "</office:body></office:document>")


def by_typst(m, blocks):
    """Typst tags its files; its headings have one family and sizes that differ little."""
    quote = lambda t: '#"' + t.replace("\\", "/").replace('"', "'") + '"'
    out = ["#set text(size: %dpt)" % m.random.choice([10, 11, 12])]
    if m.random.random() < 0.5:
        out.append("#set page(columns: 1, numbering: \"1\")")
    for b in blocks:
        if b[0] == "heading":
            out.append("=" * b[1] + " " + quote(b[2]))
        elif b[0] == "paragraph":
            out.append(quote(b[1]))
        elif b[0] == "list":
            out.append("\n".join("- " + quote(t) for t in b[1]))
        else:
            stroke = {"grid": "0.5pt", "lines": "(x: none, y: 0.5pt)", "none": "none"}[b[2]]
            cell = lambda c: "[" + quote(c) + "]"
            rows = ["table.header(%s)" % ", ".join(cell(c) for c in b[1][0])]
            rows += [", ".join(cell(c) for c in row) for row in b[1][1:]]
            out.append("#table(columns: %d, stroke: %s, %s)" % (len(b[1][0]), stroke, ",\n".join(rows)))
    source, pdf = m.work / (m.name() + ".typ"), m.work / (m.name() + ".pdf")
    source.write_text("\n\n".join(out))
    typst.compile(str(source), output=str(pdf), timestamp=1700000000)
    return pdf


def by_latex(m, blocks, kind="article", preamble="", heading=None):
    out = []
    first = {"article": 0, "report": -1}.get(kind, 0)
    for b in blocks:
        if b[0] == "heading" and heading:
            out.append(heading(b[1], b[2].translate(TEX)))
        elif b[0] == "heading":
            names = ["chapter", "section", "subsection", "subsubsection"]
            out.append("{\\Huge\\bfseries %s\\par}" % b[2].translate(TEX) if b[1] == 1 else "\\%s*{%s}" % (
                names[b[1] + first - 1], b[2].translate(TEX)))
        elif b[0] == "paragraph":
            out.append(b[1].translate(TEX))
        elif b[0] == "list":
            out.append("\\begin{itemize}" + "".join("\\item " + t.translate(TEX) for t in b[1]) + "\\end{itemize}")
        else:
            rows = [" & ".join(c.translate(TEX) for c in row) + r" \\" for row in b[1]]
            bar, line = ("|", r"\hline ") if b[2] == "grid" else ("", "")
            wide = lambda i: max(len(row[i]) for row in b[1]) > 25
            columns = bar + bar.join("p{3cm}" if wide(i) else m.random.choice("lcr") for i in range(len(b[1][0]))) + bar
            if b[2] == "lines":
                body = "\\toprule " + rows[0] + "\\midrule " + " ".join(rows[1:]) + "\\bottomrule"
            else:
                body = line + line.join(rows) + line
            out.append("\\begin{center}\\begin{tabular}{%s}%s\\end{tabular}\\end{center}" % (columns, body))
    return latex(m.work, m.name(), "\n\n".join(out), preamble, "a4paper,%dpt" % m.random.choice([10, 11, 12]), kind)


def by_report(m, blocks):
    return by_latex(m, blocks, "report")


def by_book(m, blocks):
    """Classes with chapters, with a title page or a title as large as a chapter's."""
    kind, page = m.random.choice(["scrreprt", "book", "scrbook"]), m.random.random() < 0.5
    names = ["chapter*", "section*", "subsection*"]

    def heading(level, text):
        if level > 1:
            return "\\%s{%s}" % (names[level - 2], text)
        return "\\title{%s}\\author{}\\date{}\\maketitle" % text if page else "\\chapter*{%s}\\clearpage" % text
    return by_latex(m, blocks, kind, "", heading)


def by_marks(m, blocks):
    """An article with bookmarks, and headings that are hardly larger than the text."""
    names, look = ["section", "subsection", "subsubsection"], m.random.choice(["\\large", "\\normalsize\\itshape"])
    preamble = "\\usepackage{hyperref,sectsty}\\allsectionsfont{\\normalfont%s}\\setcounter{secnumdepth}{0}" % look
    return by_latex(m, blocks, "article", preamble, lambda level, text: "\\%s{%s}" % (names[level - 1], text))


def by_reportlab(m, blocks):
    out, styles, story = m.work / (m.name() + ".pdf"), getSampleStyleSheet(), []
    look = {"grid": [("GRID", (0, 0), (-1, -1), 0.5, colors.black)],
            "lines": [("LINEBELOW", (0, y), (-1, y), 1, colors.black) for y in (0, -1)],
            "none": []}
    for b in blocks:
        if b[0] == "heading":
            story.append(Paragraph(esc(b[2]), styles["Heading%d" % b[1]]))
        elif b[0] == "paragraph":
            story += [Paragraph(esc(b[1]), styles["BodyText"]), Spacer(1, 6)]
        elif b[0] == "list":
            story += [Paragraph(esc(t), styles["BodyText"], bulletText="•") for t in b[1]]
        else:
            cells = [[Paragraph(esc(c), styles["BodyText"]) if len(c) > 25 else c for c in row] for row in b[1]]
            story += [Table(cells, style=TableStyle(look[b[2]] + [("VALIGN", (0, 0), (-1, -1), "TOP")])), Spacer(1, 12)]
    SimpleDocTemplate(str(out), pagesize=A4, invariant=1).build(story)
    return out


def by_fpdf(m, blocks):
    out, pdf = m.work / (m.name() + ".pdf"), FPDF()
    pdf.add_font("Sans", "", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    pdf.add_font("Sans", "B", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")
    pdf.add_page()
    for b in blocks:
        pdf.set_font("Sans", size=10)
        if b[0] == "heading":
            pdf.set_font("Sans", "B", {1: 20, 2: 15, 3: 12}[b[1]])
            pdf.multi_cell(0, 10, b[2], new_x="LMARGIN", new_y="NEXT")
        elif b[0] == "paragraph":
            pdf.multi_cell(0, 5, b[1], new_x="LMARGIN", new_y="NEXT")
            pdf.ln(3)
        elif b[0] == "list":
            for t in b[1]:
                pdf.multi_cell(0, 5, "• " + t, new_x="LMARGIN", new_y="NEXT")
            pdf.ln(3)
        else:
            look = {"grid": "ALL", "lines": "HORIZONTAL_LINES", "none": "NONE"}[b[2]]
            with pdf.table(b[1], borders_layout=look, line_height=6):
                pass
            pdf.ln(4)
    pdf.output(str(out))
    return out


def by_marked_report(m, blocks):
    """The class report with the bookmarks of hyperref, and numbers that its text may have twice."""
    names = ["part*", "chapter", "section"]
    heading = lambda level, text: "\\%s{%s}" % (names[level - 1], text)
    return by_latex(m, blocks, "report", "\\usepackage{hyperref}\\setcounter{secnumdepth}{-2}", heading)


# Files of the second set have a seed and numbers of their own, so that those of the first stay the same.
WAYS = {
    "dev": {"chromium": by_chromium, "latex": by_latex, "reportlab": by_reportlab},
    "kept": {"weasyprint": by_weasyprint, "libreoffice": by_office, "fpdf2": by_fpdf, "report": by_report},
}
MORE = {
    "dev": {"odt": by_odt, "odt-tagged": by_tagged_odt, "typst": by_typst, "book": by_book, "latex-marks": by_marks},
    "kept": {"weasyprint-tagged": by_tagged_weasyprint, "libreoffice-tagged": by_tagged_office,
             "report-marks": by_marked_report},
}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--books", required=True)
    p.add_argument("--out", required=True, type=pathlib.Path)
    p.add_argument("--half", required=True, choices=["dev", "kept"])
    p.add_argument("--each", type=int, default=12, help="files of each generator")
    p.add_argument("--only", nargs="*", help="generators; the files of others are not made")
    o = p.parse_args()
    texts, labels = paragraphs(o.books, o.half), []
    first = Maker(o.half, texts, o.out / o.half)
    second = Maker(o.half, texts, o.out / o.half, "more", 100)
    for name, way in list(WAYS[o.half].items()) + list(MORE[o.half].items()):
        if name not in (o.only or [name]):
            continue
        m = first if name in WAYS[o.half] else second
        for _ in range(o.each):
            for _ in range(10):
                blocks = document(m)
                pdf = way(m, blocks)
                if pdf.exists():
                    break
                print(f"{name} refuses a document", file=sys.stderr)
            else:
                sys.exit(f"{name} refuses all documents")
            m.keep(name, pdf, 0)
            file = m.truth[-1]["file"]
            labels.append({"id": file, "half": "development" if o.half == "dev" else "kept", "project": file,
                           "generator": name, "theme": name, "reference": markdown(blocks)})
    (first.out / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
    for m in (first, second):
        shutil.rmtree(m.work)


if __name__ == "__main__":
    main()
