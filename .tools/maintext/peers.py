"""Measures Resiliparse 2.0.1 like main.go: python resiliparse.py [FOLDER [RUNS [EVERY]]]."""
import glob
import gzip
import sys
import time

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

folder = sys.argv[1] if len(sys.argv) > 1 else "../shared/corpora/maintext/wcxb-dev/html"
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
pages = [gzip.open(f).read() for f in sorted(glob.glob(folder + "/*.html.gz"))[::every]]
for _ in range(runs):
    before = time.process_time()
    for page in pages:
        extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)
    print("resiliparse: %d pages, %.1f MB, %.3f s" % (len(pages), sum(map(len, pages)) / 1e6, time.process_time() - before))
