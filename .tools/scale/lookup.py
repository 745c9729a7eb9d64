# Looks up the URLs of a file in a ZipNum cluster with pywb, as lookup.go does: python lookup.py cluster.idx urls.txt
import sys
import time

from pywb.warcserver.index.cdxops import process_cdx
from pywb.warcserver.index.query import CDXQuery
from pywb.warcserver.index.zipnum import ZipNumIndexSource

source = ZipNumIndexSource(sys.argv[1], None)
n = found = 0
start, cpu = time.time(), time.process_time()
for url in open(sys.argv[2]):
    query = CDXQuery({'url': url.strip()})
    for _ in process_cdx(source.load_index(query.params), query):
        found += 1
    n += 1
cpu = time.process_time() - cpu
print('pywb: %d URLs, %d lines, %.2f s CPU, %.2f s, %.0f lookups a second of CPU'
      % (n, found, cpu, time.time() - start, n / cpu))
