"""Reads the feeds of a tar archive with feedparser and prints them, one JSON object per line.

python peer.py feeds.tar.gz ROUNDS

Each line has the file's name, feedparser's version of the format and the fields that main.go compares. The last line
has the CPU seconds of each round over all files, without imports and output.
"""
import json
import re
import sys
import tarfile
import time
import warnings

import feedparser

warnings.simplefilter("ignore")
HEADER = re.compile(rb"^Header:\s*([A-Za-z-]+):\s*(.*?)\s*$", re.M)


def headers(name, body):
    found = {"content-location": "http://127.0.0.1:8097/" + name}
    for key, value in HEADER.findall(body[:2048]):
        found[key.decode().lower()] = value.decode("latin-1")
    return found


def own(d, key):
    """Returns the existing value, without feedparser's aliases."""
    return dict.get(d, key)


def text(d, key):
    value = own(d, key)
    if not value:
        return None
    detail = own(d, key + "_detail") or {}
    return {"value": value, "plain": detail.get("type") == "text/plain"}


def date(d, key):
    t = own(d, key + "_parsed")
    return "%04d-%02d-%02dT%02d:%02d:%02dZ" % tuple(t)[:6] if t else None


def authors(d):
    people = own(d, "authors") or []
    if not any(people) and own(d, "author"):
        people = [own(d, "author_detail") or {"name": own(d, "author")}]
    return sorted({" ".join(filter(None, (p.get("name"), p.get("email")))) for p in people if p})


def tags(d):
    return sorted({t.get("term") for t in own(d, "tags") or [] if t.get("term")})


def files(d):
    links = [l.get("href") for l in own(d, "links") or [] if l.get("rel") == "enclosure"]
    return sorted({u for u in links + [m.get("url") for m in own(d, "media_content") or []] if u})


def entry(e):
    content = [{"value": c.get("value"), "plain": c.get("type") == "text/plain"} for c in own(e, "content") or []]
    summary = text(e, "summary")
    if summary and content and summary["value"] == content[0]["value"]:
        summary = None  # copied from the content
    return {
        "title": text(e, "title"), "link": own(e, "link"), "id": own(e, "id"), "summary": summary,
        "content": content[0] if content else None, "published": date(e, "published"), "updated": date(e, "updated"),
        "authors": authors(e), "categories": tags(e), "enclosures": files(e),
    }


def fields(r):
    f = r.feed
    return {
        "title": text(f, "title"), "link": own(f, "link"), "id": own(f, "id"), "description": text(f, "subtitle"),
        "language": own(f, "language"), "rights": text(f, "rights"), "published": date(f, "published"),
        "updated": date(f, "updated"), "authors": authors(f), "categories": tags(f), "ttl": own(f, "ttl"),
        "image": own(own(f, "image") or {}, "href"),
    }


def parse(body, response_headers):
    try:
        return feedparser.parse(body, response_headers=response_headers)
    except Exception:  # it fails on some broken feeds
        return feedparser.FeedParserDict(feed={}, entries=[])


def main():
    feeds = []
    with tarfile.open(sys.argv[1]) as tar:
        for member in tar:
            if member.isfile():
                feeds.append((member.name, tar.extractfile(member).read()))
    feeds = [(name, body, headers(name, body)) for name, body in feeds]
    rounds, results = [], []
    for _ in range(int(sys.argv[2])):
        begin = time.process_time()
        results = [parse(body, dict(h)) for _, body, h in feeds]
        rounds.append(time.process_time() - begin)
    for (name, _, _), r in zip(feeds, results):
        print(json.dumps({"name": name, "version": r.get("version") or "", "feed": fields(r), "entries": [entry(e) for e in r.entries]}))
    print(json.dumps({"name": "", "seconds": rounds}))


main()
