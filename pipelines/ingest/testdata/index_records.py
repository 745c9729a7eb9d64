"""Indexes each file below a folder with cdxj-indexer, and prints its output for each record as JSON lines.

A line has the file, relative to the folder, the record's type and offset, and its line of the index, if it has one.
After an error, the last line of a file has the error.
"""

import contextlib
import io
import json
import logging
import os
import sys

from cdxj_indexer.main import CDXJIndexer


class Indexer(CDXJIndexer):
    """A CDXJIndexer that prints all records of one file."""

    def records(self, path):
        self.curr_filename = self._resolve_rel_path(path)
        with open(path, "rb") as file:
            it = self._create_record_iter(file)
            for record in it:
                line = None
                if self.filter_record(record):
                    out = io.StringIO()
                    self.process_index_entry(it, record, path, out)
                    line = out.getvalue().rstrip("\n")
                yield {"type": record.rec_type, "offset": it.get_record_offset(), "line": line}


def main(root):
    logging.disable(logging.CRITICAL)
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            tell = {"file": os.path.relpath(path, root)}
            try:
                with contextlib.redirect_stderr(io.StringIO()):
                    for record in Indexer(None, [path], dir_root=root).records(path):
                        print(json.dumps(tell | record))
            except BaseException as error:  # damaged files may raise any error
                print(json.dumps(tell | {"error": repr(error)}))


main(sys.argv[1])
