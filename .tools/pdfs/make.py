#!/usr/bin/env python3
"""Makes PDF files of which it is known whether they need OCR, for the test of transforms/ocr.

    python3 .tools/pdfs/make.py --books=FOLDER --out=FOLDER --half=dev

Programs: pdflatex, gs, pdftoppm, pdftocairo, tesseract (eng, deu, fra), chromium and soffice. Python: reportlab,
pillow, img2pdf and pikepdf. FOLDER of --books holds the unpacked Debian packages debian-reference-LANG and
debian-handbook. truth-PART.jsonl gets a line for each file: its kind, and the reason for OCR of each page, or "".

Rules of the labels, by the way that a page was made:
  text            glyphs with a known text, also with pictures: ""
  empty           nothing, or ornaments only: ""
  scan            a picture of the page, perhaps with a stamp in its margin: image
  layer           a picture with text by Tesseract: "" if it found at least 0.9 of the page's words, poor_text below
                  0.7; other files are not kept
  outlines        letters are drawn as paths: outlines
  strips, ccitt   a scan in strips, and in the coding of fax machines: image
  few words       slides of two or three words: ""
  type3           bitmaps of glyphs with invented names, without a map: broken_encoding
  garbled         a scan with an invisible layer, of which 60 % of common letters are others: poor_text
  no encoding     fonts lack their ToUnicode map, or have a wrong one: "" if pdftotext finds 0.9 of the words all the
                  same, broken_encoding below 0.5; other files are not kept
"""

import argparse
import io
import json
import pathlib
import random
import re
import shutil
import string

import img2pdf
import pikepdf
from PIL import Image, ImageDraw, ImageFilter
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from common import TESSERACT, TEX, Source, chromium, latex, office, paragraphs, run

FONTS = {"DejaVu": "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf",
         "Sans": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"}


class Maker:
    def __init__(self, half, texts, out, part="", first=0):
        self.half, self.out, self.n, self.truth = half, out.resolve(), first, []
        self.work = self.out / ("work" + part)
        self.work.mkdir(parents=True, exist_ok=True)
        self.random = random.Random("make " + half + part)
        self.source = Source(texts, "text " + half + part)
        self.codes = sorted(texts)

    def keep(self, kind, name, pages):
        target = f"{self.n:03d}-{kind}.pdf"
        shutil.copy(name, self.out / target)
        self.truth.append({"file": target, "kind": kind, "pages": pages})
        self.n += 1
        print(target, pages, flush=True)

    def code(self, among=None):
        return self.random.choice(among or self.codes)

    def name(self):
        return f"w{self.n:03d}"

    # Documents with text.

    def latex(self, code=None, pages=None, options="a4paper,11pt"):
        pages, code = pages or self.random.randint(1, 4), code or self.code()
        body = []
        for p in range(pages):
            body.append("\\section{%s}" % self.source.some(code, 1)[0][:50].translate(TEX))
            body += [t.translate(TEX) for t in self.source.some(code, 6)]
            body.append("\\[ E = mc^2 + \\sum_{i=0}^{n} x_i \\] \\newpage")
        return latex(self.work, self.name(), "\n\n".join(body), options=options)

    def markup(self, code, pages=2, picture=False):
        parts = []
        for p in range(pages):
            parts.append("<h1>%s</h1>" % self.source.some(code, 1)[0][:60])
            parts += [f"<p>{t}</p>" for t in self.source.some(code, 6)]
            rows = "".join(f"<tr><td>{w}</td><td>{self.random.randint(1, 999)}</td></tr>"
                           for w in self.source.some(code, 1)[0].split()[:5])
            parts.append(f"<table border=1>{rows}</table><div style='page-break-after:always'></div>")
        return "".join(parts)

    def reportlab(self, code=None, pages=2, font=None, picture=None):
        code, font = code or self.code(), font or self.random.choice(["Helvetica", "Times-Roman", "DejaVu", "Sans"])
        if font in FONTS:
            pdfmetrics.registerFont(TTFont(font, FONTS[font]))
        name = self.work / (self.name() + ".pdf")
        c = canvas.Canvas(str(name), pagesize=A4, invariant=1)
        for p in range(pages):
            if picture:
                c.drawImage(self.photo(), 60, 500, 400, 250)
            c.setFont(font, 11)
            y = 470 if picture else 780
            for line in self.lines(code, 10 if picture else 30):
                c.drawString(60, y, line)
                y -= 15
            c.showPage()
        c.save()
        return name

    def lines(self, code, n):
        words = " ".join(self.source.some(code, n // 2 + 2)).split()
        lines = [""]
        for w in words:
            if len(lines[-1]) + len(w) > 75:
                lines.append("")
            lines[-1] += " " + w
        return [line.strip() for line in lines[:n]]

    def photo(self, size=(600, 400)):
        """A picture without letters: gradients and blobs."""
        r = self.random
        im = Image.linear_gradient("L").resize(size).convert("RGB")
        d = ImageDraw.Draw(im)
        for _ in range(40):
            x, y, s = r.randrange(size[0]), r.randrange(size[1]), r.randrange(20, 150)
            d.ellipse((x, y, x + s, y + s), fill=tuple(r.randrange(256) for _ in range(3)))
        name = self.work / f"photo-{self.name()}-{r.randrange(10**6)}.jpg"
        im.filter(ImageFilter.GaussianBlur(3)).save(name)
        return str(name)

    def slides(self, pages=4):
        code = self.code()
        name = self.work / (self.name() + ".pdf")
        size = landscape(A4)
        c = canvas.Canvas(str(name), pagesize=size, invariant=1)
        back = self.photo((1200, 800)) if self.random.random() < 0.6 else None
        for p in range(pages):
            if back:
                c.drawImage(back, 0, 0, *size)
            c.setFont("Helvetica-Bold", 30)
            words = self.source.some(code, 1)[0].split()
            c.drawString(80, size[1] - 160, " ".join(words[:4]))
            c.setFont("Helvetica", 18)
            for i in range(self.random.randint(2, 6)):
                c.drawString(100, size[1] - 230 - 40 * i, "- " + " ".join(words[4 + i:9 + i]))
            if not back:
                c.drawImage(self.photo(), 480, 40, 300, 200)
            c.showPage()
        c.save()
        return name

    def impress(self):
        code, pages = self.code(), self.random.randint(2, 4)
        slide = ('<draw:page draw:name="p%d"><draw:frame svg:width="22cm" svg:height="3cm" svg:x="2cm" svg:y="2cm">'
                 '<draw:text-box><text:p>%s</text:p></draw:text-box></draw:frame><draw:frame svg:width="22cm" '
                 'svg:height="9cm" svg:x="2cm" svg:y="6cm"><draw:text-box>%s</draw:text-box></draw:frame></draw:page>')
        body = "".join(slide % (
            p, esc(self.source.some(code, 1)[0][:40]),
            "".join(f"<text:p>{esc(t[:90])}</text:p>" for t in self.source.some(code, 4))) for p in range(pages))
        ns = "".join(f' xmlns:{k}="urn:oasis:names:tc:opendocument:xmlns:{v}:1.0"' for k, v in {
            "office": "office", "draw": "drawing", "svg": "svg-compatible", "text": "text"}.items())
        return pages, office(
            self.work, self.name(), f'<?xml version="1.0"?><office:document{ns} office:version="1.2" '
            'office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>'
            f"{body}</office:presentation></office:body></office:document>", "fodp", "impress_pdf_Export")

    # Scans.

    def pictures(self, pdf, dpi=150, mode="gray", worn=0.0):
        """Rasterises the pages of a file, as a scanner of the given quality would."""
        stem = self.work / (self.name() + "-page")
        run("pdftoppm", "-r", dpi, "-png", pdf, stem)
        names = []
        for i, name in enumerate(sorted(self.work.glob(stem.name + "-*.png"))):
            im = Image.open(name).convert("RGB" if mode == "color" else "L")
            im = im.rotate(self.random.uniform(-0.8, 0.8), fillcolor="white", resample=Image.BICUBIC)
            if worn:
                small = im.resize((int(im.width * (1 - worn)), int(im.height * (1 - worn))), Image.BILINEAR)
                im = small.filter(ImageFilter.GaussianBlur(2.2 * worn)).resize(im.size)
                noise = Image.effect_noise(im.size, 100 * worn).convert(im.mode)
                im = Image.blend(im, noise, 0.5 * worn)
            out = self.work / f"{self.name()}-scan{i}.{'png' if mode == 'fax' else 'jpg'}"
            if mode == "fax":
                im = im.point(lambda v: 255 if v > 140 else 0).convert("1")
            im.save(out, dpi=(dpi, dpi))
            names.append(out)
            name.unlink()
        return names

    def bind(self, pictures):
        name = self.work / (self.name() + "-scan.pdf")
        layout = img2pdf.get_fixed_dpi_layout_fun((150, 150))
        name.write_bytes(img2pdf.convert([str(p) for p in pictures], layout_fun=layout, nodate=True))
        return name

    def stamped(self, pdf):
        """Adds a line of text in the margin of each page, as archives and portals do."""
        kind, stamps = self.random.randrange(3), []
        with pikepdf.open(pdf) as f:
            for i, page in enumerate(f.pages):
                box = [float(v) for v in page.mediabox]
                buffer = io.BytesIO()
                c = canvas.Canvas(buffer, pagesize=(box[2], box[3]), invariant=1)
                c.setFont("Helvetica", 8)
                text = ["Downloaded from archive.example.org on 12 May 2019. All use subject to terms.",
                        f"- {i + 1} -", f"ABC-{self.random.randrange(10**6):06d}"][kind]
                c.drawString(box[2] * (0.2 if kind == 0 else 0.48), 14, text)
                c.save()
                stamps.append(pikepdf.open(io.BytesIO(buffer.getvalue())))  # open until the file is saved
                page.add_overlay(stamps[-1].pages[0])
            f.save(self.work / (self.name() + "-stamped.pdf"), deterministic_id=True)
        return self.work / (self.name() + "-stamped.pdf")

    def layered(self, pdf, code, worn, dpi):
        """Returns a scan with a layer of Tesseract, and the shares of words found on its pages."""
        with_layer = []
        for i, picture in enumerate(self.pictures(pdf, dpi, "gray", worn)):
            base = self.work / f"{self.name()}-layer{i}"
            run("tesseract", picture, base, "-l", TESSERACT[code], "--dpi", dpi, "pdf")
            with_layer.append(str(base) + ".pdf")
        out = self.work / (self.name() + "-layered.pdf")
        join(with_layer, out)
        return out, [found(pdf, out, i + 1) for i in range(len(with_layer))]

    # Text that programs cannot read.

    def outlined(self, pdf, way):
        out = self.work / (self.name() + "-outlines.pdf")
        if way == "gs":
            run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-dNoOutputFonts", f"-sOutputFile={out}", pdf)
            return out
        # Each page goes through SVG and back, with glyphs as paths.
        parts = []
        for i in range(1, len(pikepdf.open(pdf).pages) + 1):
            svg = self.work / f"{self.name()}-{i}.svg"
            run("pdftocairo", "-svg", "-f", i, "-l", i, pdf, svg)
            page = "<style>@page{size:A4;margin:0}body{margin:0}</style>" + svg.read_text()
            parts.append(chromium(self.work, f"{self.name()}-o{i}", page))
        join(parts, out)
        return out

    def muddled(self, pdf, way):
        """Takes the ToUnicode maps away, or makes them wrong."""
        out = self.work / (self.name() + "-muddled.pdf")
        letters = list(string.ascii_letters)
        self.random.shuffle(letters)
        wrong = dict(zip(string.ascii_letters, letters))
        with pikepdf.open(pdf) as f:
            for o in f.objects:
                if not isinstance(o, pikepdf.Dictionary) or o.get("/Type") != "/Font":
                    continue
                if way == "wrong" and "/ToUnicode" in o:
                    o.ToUnicode.write(permute(o.ToUnicode.read_bytes(), wrong))
                elif way == "none":
                    if "/ToUnicode" in o:
                        del o["/ToUnicode"]
                    for d in o.get("/DescendantFonts", []):
                        strip_program(d.get("/FontDescriptor", {}))
            f.save(out, deterministic_id=True)
        return out

    def mixed(self, scans):
        """A document of which some pages are scans."""
        pages = self.random.randint(4, 6)
        first = self.latex(self.code(), pages)
        pages = len(pikepdf.open(first).pages)
        scanned = set(self.random.sample(range(pages), min(scans, pages - 1)))
        pictures = self.pictures(first, 120, self.random.choice(["gray", "color", "fax"]))
        out = self.work / (self.name() + "-mixed.pdf")
        bound = pikepdf.open(self.bind(pictures))
        with pikepdf.open(first) as f, pikepdf.new() as g:
            for i in range(pages):
                g.pages.append(bound.pages[i] if i in scanned else f.pages[i])
            g.save(out, deterministic_id=True)
        return out, ["image" if i in scanned else "" for i in range(pages)]

    def with_empty(self):
        first = self.latex(self.code(), 2)
        out = self.work / (self.name() + "-empty.pdf")
        with pikepdf.open(first) as f:
            f.add_blank_page()
            f.pages.insert(1, f.pages[-1])
            f.save(out, deterministic_id=True)
            n = len(f.pages)
        return out, [""] * n


    # Other makes.

    def strips(self, pdf, mode):
        """A scan of which each page is a stack of pictures, as some scanners write them."""
        out = self.work / (self.name() + "-strips.pdf")
        c = canvas.Canvas(str(out), pagesize=A4, invariant=1)
        for i, name in enumerate(self.pictures(pdf, 100, mode)):
            im = Image.open(name)
            n = self.random.randint(8, 20)
            for k in range(n):
                top, bottom = im.height * k // n, im.height * (k + 1) // n
                part = self.work / f"{self.name()}-strip{i}-{k}.png"
                im.crop((0, top, im.width, bottom)).save(part)
                c.drawImage(str(part), 0, A4[1] * (1 - (k + 1) / n), A4[0], A4[1] / n)
            c.showPage()
        c.save()
        return out

    def few_words(self):
        """Slides of two or three words each."""
        name, size = self.work / (self.name() + ".pdf"), landscape(A4)
        c = canvas.Canvas(str(name), pagesize=size, invariant=1)
        for _ in range(4):
            c.setFont("Helvetica-Bold", 48)
            words = self.source.some(self.code(), 1)[0].split()
            c.drawString(120, size[1] / 2, " ".join(words[:self.random.randint(2, 3)]))
            c.showPage()
        c.save()
        return name

    def blank(self):
        name = self.work / (self.name() + ".pdf")
        c = canvas.Canvas(str(name), pagesize=A4, invariant=1)
        for _ in range(3):
            c.showPage()
        c.save()
        return name

    def type3(self):
        """Fonts of bitmaps whose glyphs have invented names, and no map."""
        text = self.latex(pages=2)
        out = self.work / (self.name() + "-type3.pdf")
        with pikepdf.open(text) as f:
            codes = list(range(33, 127))
            self.random.shuffle(codes)
            proc = f.make_stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
            names = [pikepdf.Name(f"/q{i}x") for i in range(94)]
            font = f.make_indirect(pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, FontBBox=[0, 0, 600, 700],
                FontMatrix=[0.001, 0, 0, 0.001, 0, 0], FirstChar=1, LastChar=94, Widths=[500] * 94,
                CharProcs=pikepdf.Dictionary({str(n): proc for n in names}),
                Encoding=pikepdf.Dictionary(Type=pikepdf.Name.Encoding, Differences=[1] + names)))
            code = self.code()
            for page in f.pages:
                shown = []
                for i, line in enumerate(self.lines(code, 30)):
                    data = bytes(codes.index(ord(c)) + 1 if ord(c) in codes else 32 for c in line)
                    shown.append(b"1 0 0 1 60 %d Tm <%s> Tj" % (780 - 15 * i, data.hex().encode()))
                page.Contents = f.make_stream(b"BT /G 10 Tf " + b"\n".join(shown) + b" ET")
                page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(G=font))
            f.save(out, deterministic_id=True)
        return out

    def garbled(self):
        """A scan with an invisible layer, in which many letters are taken for others that look alike."""
        alike = {"m": "rn", "e": "c", "o": "0", "l": "1", "i": "!", "a": "u", "n": "ri", "s": "5", "t": "f", "h": "li",
                 "r": "v", "d": "cl", "u": "ii", "c": "(", "b": "6", "g": "q"}
        out = self.work / (self.name() + "-garbled.pdf")
        c = canvas.Canvas(str(out), pagesize=A4, invariant=1)
        code = self.code(sorted(TESSERACT))
        for name in self.pictures(self.latex(code, 2), 100, "gray", 0.3):
            c.drawImage(str(name), 0, 0, *A4)
            t = c.beginText(60, 780)
            t.setFont("Helvetica", 10)
            t.setTextRenderMode(3)
            for line in self.lines(code, 40):
                t.textLine("".join(alike.get(x, x) if self.random.random() < 0.6 else x for x in line))
            c.drawText(t)
            c.showPage()
        c.save()
        return out


def esc(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def join(parts, out):
    with pikepdf.new() as f:
        for part in parts:
            f.pages.extend(pikepdf.open(part).pages)
        f.save(out, deterministic_id=True)


def words(pdf, page):
    text = run("pdftotext", "-f", page, "-l", page, pdf, "-").decode(errors="replace")
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"-\n", "", text).lower())


def found(pdf, layered, page):
    """The share of a page's words that the layer has."""
    want, got = words(pdf, page), words(layered, page)
    hits = 0
    for w in want:
        if w in got:
            got.remove(w)
            hits += 1
    return hits / max(1, len(want))


def permute(cmap, wrong):
    def change(m):
        c = chr(int(m.group(2), 16)) if len(m.group(2)) <= 4 else ""
        return m.group(1) + b"%04X" % ord(wrong.get(c, c) or " ") + m.group(3)
    return re.sub(rb"(<[0-9A-Fa-f]+>\s*<)([0-9A-Fa-f]{4})(>\s*\n)", change, cmap)


def strip_program(descriptor):
    """Removes the table cmap of a TrueType program, and the names of its glyphs."""
    if "/FontFile2" not in descriptor:
        return
    b = bytearray(descriptor["/FontFile2"].read_bytes())
    for i in range(int.from_bytes(b[4:6], "big")):
        at = 12 + 16 * i
        if bytes(b[at:at + 4]) in (b"cmap", b"post"):
            b[at:at + 4] = b"zzzz"
    descriptor["/FontFile2"].write(bytes(b))


def same(pdf, reason=""):
    return [reason] * len(pikepdf.open(pdf).pages)


def texts(m):
    for _ in range(12):
        pdf = m.latex()
        m.keep("latex", pdf, same(pdf))
    for _ in range(8):
        pdf = m.work / (m.name() + "-gs.pdf")
        run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={pdf}", m.latex())
        m.keep("gs", pdf, same(pdf))
    for _ in range(8):
        pdf = m.work / (m.name() + "-cairo.pdf")
        run("pdftocairo", "-pdf", m.latex(), pdf)
        m.keep("cairo", pdf, same(pdf))
    for _ in range(12):
        pdf = chromium(m.work, m.name(), m.markup(m.code()))
        m.keep("chromium", pdf, same(pdf))
    for _ in range(8):
        pdf = office(m.work, m.name(), "<meta charset=utf-8>" + m.markup(m.code()))
        m.keep("libreoffice", pdf, same(pdf))
    for i in range(10):
        pdf = m.reportlab(picture=i % 2)
        m.keep("reportlab", pdf, same(pdf))
    for _ in range(8):
        pdf = m.slides()
        m.keep("slides", pdf, same(pdf))
    for _ in range(4):
        _, pdf = m.impress()
        m.keep("impress", pdf, same(pdf))
    for _ in range(5):
        pdf, pages = m.with_empty()
        m.keep("empty", pdf, pages)


def scans(m):
    for i in range(18):
        pictures = m.pictures(m.latex(), m.random.choice([72, 100, 150]), ["gray", "color", "fax"][i % 3],
                              m.random.choice([0, 0, 0.3]))
        pdf = m.bind(pictures)
        if i % 3 == 2:
            pdf = m.stamped(pdf)
        m.keep("scan", pdf, same(pdf, "image"))
    for i in range(12):
        pdf, pages = m.mixed(1 + i % 3)
        m.keep("mixed", pdf, pages)
    for kind, count, worn, dpi in (("layer", 12, (0, 0.25), (150, 200)), ("poor", 12, (0.4, 0.85), (72, 110))):
        kept = tries = 0
        while kept < count and tries < 5 * count:
            tries += 1
            code = m.code(sorted(TESSERACT))
            pdf, shares = m.layered(m.latex(code, 1), code, m.random.uniform(*worn), m.random.randint(*dpi))
            good = all(s >= 0.9 for s in shares)
            if kind == "layer" and not good or kind == "poor" and not all(0.05 <= s < 0.7 for s in shares):
                continue
            m.keep(kind, pdf, same(pdf, "" if good else "poor_text"))
            kept += 1


def broken(m):
    for i in range(8):
        pdf = m.outlined(m.latex(), ["gs", "cairo"][i % 2])
        m.keep("outlines", pdf, same(pdf, "outlines"))
    for i in range(13):
        way = ["none", "wrong"][i % 2]
        first = m.reportlab(font="DejaVu") if i % 3 == 0 else chromium(m.work, m.name(), m.markup(m.code()))
        pdf = m.muddled(first, way)
        shares = [found(first, pdf, n + 1) for n in range(len(same(pdf)))]
        if all(s >= 0.9 for s in shares) or all(s < 0.5 for s in shares):
            m.keep("broken-" + way, pdf, same(pdf, "" if shares[0] >= 0.9 else "broken_encoding"))


def others(m):
    """Makes that the other parts lack."""
    for i in range(2):
        pdf = m.strips(m.latex(pages=2), "gray" if i else "color")
        m.keep("strips", pdf, same(pdf, "image"))
    for _ in range(2):
        pdf = m.bind(m.pictures(m.latex(pages=2), 200, "fax"))
        m.keep("ccitt", pdf, same(pdf, "image"))
    for _ in range(2):
        pdf = m.few_words()
        m.keep("few-words", pdf, same(pdf))
    pdf = m.blank()
    m.keep("blank", pdf, same(pdf))
    for _ in range(2):
        pdf = m.type3()
        m.keep("type3", pdf, same(pdf, "broken_encoding"))
    for _ in range(2):
        pdf = m.garbled()
        m.keep("garbled", pdf, same(pdf, "poor_text"))


PARTS = {"texts": (texts, 0), "broken": (broken, 100), "scans": (scans, 200), "others": (others, 300)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--books", required=True)
    p.add_argument("--out", required=True, type=pathlib.Path)
    p.add_argument("--half", required=True, choices=["dev", "kept"])
    p.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    o = p.parse_args()
    for part in o.parts:
        fill, first = PARTS[part]
        m = Maker(o.half, paragraphs(o.books, o.half), o.out / o.half, part, first)
        fill(m)
        (m.out / f"truth-{part}.jsonl").write_text("".join(json.dumps(t) + "\n" for t in m.truth))
        shutil.rmtree(m.work)


if __name__ == "__main__":
    main()
