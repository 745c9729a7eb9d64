"""Reads names of pages from standard input and writes what extruct finds in each, as JSON lines."""
import json
import logging
import re
import signal
import sys
import warnings
from urllib.parse import urljoin

import extruct

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


URL = "https://example.com/dir/page"


def stop(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, stop)
for line in sys.stdin:
    name = line.rstrip("\n")
    page = open(name, "rb").read()
    found = {"file": name}
    # extruct leaves it to callers to find the base of relative URLs.
    href = re.search(rb"<base[^>]+href=[\"']?([^\"'> ]+)", page)
    base = urljoin(URL, href.group(1).decode("utf-8", "replace")) if href else URL
    for syntax in ["json-ld", "microdata", "opengraph", "microformat", "rdfa"]:
        signal.alarm(60)
        try:
            found[syntax] = extruct.extract(page, base, "UTF-8", [syntax])[syntax]
        except BaseException as e:
            found[syntax + "!"] = repr(e)[:200]
        signal.alarm(0)
    print(json.dumps(found), flush=True)
