# Answers queries from an index as pywb does: python zipnum_pywb.py INDEX < queries > answers. A query is a line of
# JSON with pywb's parameters; an answer is a line of JSON with the lines found.
import json
import sys

from pywb.warcserver.index.cdxops import process_cdx
from pywb.warcserver.index.indexsource import FileIndexSource
from pywb.warcserver.index.query import CDXQuery
from pywb.warcserver.index.zipnum import ZipNumIndexSource

name = sys.argv[1]
source = ZipNumIndexSource(name, None) if name.endswith('.idx') else FileIndexSource(name)
for query in sys.stdin:
    params = json.loads(query)
    if params.get('closest'):
        params['sort'] = 'closest'
    asked = CDXQuery(params)  # adds the keys
    found = process_cdx(source.load_index(asked.params), asked)
    print(json.dumps([str(cdx).strip() for cdx in found]))
