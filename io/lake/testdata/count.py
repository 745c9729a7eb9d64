"""Prints how many rows of an Iceberg table pyiceberg finds: count.py TABLE SNAPSHOT <filters, one a line."""

import sys

from pyiceberg.table import StaticTable

table, snapshot = sys.argv[1], int(sys.argv[2])
metadata = table + "/metadata/v" + open(table + "/metadata/version-hint.text").read().strip() + ".metadata.json"
opened = StaticTable.from_metadata(metadata)
for line in sys.stdin:
    filter = line.rstrip("\n") or "true"
    scan = opened.scan(row_filter=filter, snapshot_id=snapshot or None)
    print(scan.select("url", "surt", "entities", "custom").to_arrow().num_rows)
