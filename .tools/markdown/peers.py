"""Writes the Markdown of other programs for the pages of LABELS: peers.py NAME LABELS.jsonl > PREDICTIONS.jsonl

NAME is trafilatura, or a converter without a choice of text: markdownify or html2text, which get the whole page, or
markdownify-content or html2text-content, which get the content element that check.py knows.
"""

import json
import sys

import check


def main():
    name, labels = sys.argv[1:]
    program, _, part = name.partition("-")
    convert = {"trafilatura": trafilatura, "markdownify": markdownify, "html2text": html2text}[program]
    with open(labels, encoding="utf-8") as f:
        for line in f:
            p = json.loads(line)
            html = p["html"]
            if part:
                html = str(check.content(html, ["article"] if p["generator"] == "hexo" else check.CONTENT))
            print(json.dumps({"id": p["id"], "text": convert(html, p["url"]) or ""}))


def trafilatura(html, url):
    from trafilatura import extract
    return extract(html, url=url, output_format="markdown", include_comments=False, include_tables=True,
                   include_links=True, include_images=True, include_formatting=True)


def markdownify(html, url):
    from markdownify import markdownify as convert
    return convert(html, heading_style="ATX", strip=["script", "style"],
                   code_language_callback=lambda e: next((c[9:] for c in (e.get("class") or []) if c.startswith("language-")), ""))


def html2text(html, url):
    import html2text
    h = html2text.HTML2Text(baseurl=url, bodywidth=0)
    h.mark_code = False
    return h.handle(html)


if __name__ == "__main__":
    main()
