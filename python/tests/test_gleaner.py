"""Tests of the package with the program that GLEANER_PROGRAM names. They run in the project's root."""

import datetime
import gzip
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from types import SimpleNamespace
from unittest import mock

import gleaner
from gleaner._program import Process

ARCHIVES = "testdata/archives"


class Program(unittest.TestCase):
    def test_of_the_same_version(self):
        """The larger program is taken if it has the version of the module, and is in the same folder or a later one."""
        with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as later:
            suffix = ".exe" if sys.platform == "win32" else ""
            for folder, name in (here, "gleaner"), (later, "gleaner"), (later, "gleaner-cluster"):
                open(os.path.join(folder, name + suffix), "w").close()
            for folders, cluster, want in (
                ([later, later], gleaner.__version__, os.path.join(later, "gleaner-cluster")),
                ([later, later], "0.0.1", os.path.join(later, "gleaner")),
                ([later, later], None, os.path.join(later, "gleaner")),
                ([here, later], gleaner.__version__, os.path.join(here, "gleaner")),
            ):
                found = iter(folders + [later] * 9)
                with mock.patch.dict(os.environ), mock.patch("gleaner._program.cluster", lambda: cluster), \
                        mock.patch("sysconfig.get_path", lambda *_: next(found)):
                    os.environ.pop("GLEANER_PROGRAM", None)
                    self.assertEqual(gleaner.program(), want + suffix, (folders, cluster))


def _failing(rows):
    """Yields before rows fail, and as they are closed."""
    try:
        yield
    finally:
        try:
            next(rows)
        except gleaner.GleanerError:
            pass


class Payload(unittest.TestCase):
    def test_body(self):
        """Bodies are those that a browser showed, however the crawler stored them."""
        page, packed = b"<html>The harbour</html>", gzip.compress(b"<html>The harbour</html>")
        chunks = b"6\r\n<html>\r\n12; x=y\r\nThe harbour</html>\r\n0\r\n\r\n"
        zipped = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
        blocks = []
        for name, fields, payload, want in (
            ("plain", {}, page, page),
            ("chunks", {"Transfer-Encoding": "Chunked"}, chunks, page),
            ("chunks with bare line ends", {"Transfer-Encoding": "chunked"}, chunks.replace(b"\r", b""), page),
            ("chunks without the last", {"Transfer-Encoding": "chunked"}, chunks[:-5], page),
            ("joined by the crawler", {"Transfer-Encoding": "chunked"}, page, page),
            ("a chunk cut short", {"Transfer-Encoding": "chunked"}, b"5\r\ntoo", b"too"),
            ("nothing in chunks", {"Transfer-Encoding": "chunked"}, b"0\r\n\r\n", b""),
            ("gzip", {"Content-Encoding": "gzip"}, packed, page),
            ("gzip in chunks", {"Content-Encoding": "x-gzip", "Transfer-Encoding": "chunked"}, zipped, page),
            ("two members", {"Content-Encoding": "gzip"}, packed + packed, page + page),
            ("gzip and noise", {"Content-Encoding": "gzip"}, packed + b"noise", page),
            ("cut gzip", {"Content-Encoding": "gzip"}, packed[:-9], page[:len(page)]),
            ("decoded by the crawler", {"Content-Encoding": "gzip"}, page, page),
            ("a wrong checksum", {"Content-Encoding": "gzip"}, packed[:-8] + b"wrong" + packed[-3:], page),
            ("the second member is damaged", {"Content-Encoding": "gzip"}, packed + packed[:-8] + b"wrong" + packed[-3:],
             page + page),
            ("damaged", {"Content-Encoding": "gzip"}, b"\x1f\x8b nothing", b"\x1f\x8b nothing"),
            ("a file that is gzip", {}, packed, packed),
            ("nothing", {"Content-Encoding": "gzip"}, b"", b""),
        ):
            block = b"HTTP/1.1 200 OK\r\n%s\r\n%s" % (b"".join(b"%s: %s\r\n" % (k.encode(), v.encode())
                                                             for k, v in fields.items()), payload)
            blocks.append((name, block, payload, want))
        for head in (
            b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n", b"HTTP/1.0 200 OK\r\nContent-Type: text/html\n\n",
            b"HTTP/1.0 200\nContent-Type:\n text/html\n\n", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        ):
            text = b"<p>\r\n\r\nname: value\n\n"
            blocks.append((repr(head), head + text, text, text))
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "a.warc.gz")
            with open(archive, "wb") as out:
                for i, (name, block, _, _) in enumerate(blocks):
                    out.write(gzip.compress(
                        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nX-Byte: \xe9\r\n"
                        b"WARC-Target-URI: http://e.example/%d*\r\nWARC-Date: 2021-01-01T00:00:00Z\r\n"
                        b"WARC-Record-ID: <urn:x:%d>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (i, i, len(block), block)))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # some are damaged
                collection = gleaner.ingest(archive, os.path.join(folder, "out"), extract=["mime"])
            for i, (name, block, payload, want) in enumerate(blocks):
                with self.subTest(name):
                    record = collection.record(f"http://e.example/{i}*")
                    self.assertEqual((record.status, record.payload, record.header("X-Byte")), (200, payload, "\udce9"))
                    self.assertEqual(len(collection.versions(f"http://e.example/{i}*")), 1)
                    if name == "cut gzip":
                        self.assertTrue(record.body and want.startswith(record.body), record.body)
                    else:
                        self.assertEqual(record.body, want)


class Read(unittest.TestCase):
    def test_documents(self):
        reader = gleaner.read(ARCHIVES, extract=["mime", "language"])
        documents = reader.to_list()
        self.assertEqual(len(documents), 121)
        self.assertEqual(reader.summary["totals"]["captures"], 121)
        self.assertEqual(reader.rejects, [])
        self.assertIn("mime_detected", documents[0])

    def test_arrow(self):
        table = gleaner.read(ARCHIVES, extract=["mime"]).to_arrow()
        self.assertEqual(table.num_rows, 121)
        self.assertEqual(str(table.schema.field("timestamp").type), "timestamp[us, tz=UTC]")
        batches = list(gleaner.read(ARCHIVES, extract=["mime"], unit_size="64KiB").batches())
        self.assertEqual(sum(b.num_rows for b in batches), 121)
        self.assertGreater(len(batches), 1)

    def test_filter(self):
        documents = gleaner.read(ARCHIVES, where="language = fr").to_list()
        self.assertEqual({d["language"] for d in documents}, {"fr"})

    def test_stops_early(self):
        """A program of which nobody reads the rest is ended at once."""
        with tempfile.TemporaryDirectory() as folder:
            collection = gleaner.ingest(ARCHIVES, folder)
            extractor = gleaner.Extractor(extract=["mime"])
            long = {"html": "<p>" + "harbour " * 20000}
            for name, rows in (
                ("documents", gleaner.read(ARCHIVES)),
                ("an answer", collection.query()),
                ("records", collection.query(all_versions=True, fields=["url", "text"])),
                ("one page of many", extractor.pages({"html": f"<p>{i}"} for i in range(1000))),
                ("long pages", extractor.pages(long for _ in range(1000))),
                ("a failing request", _failing(extractor.pages([{"html": 5}, long]))),
            ):
                rows = iter(rows)
                next(rows)
                begun = time.monotonic()
                rows.close()
                self.assertLess(time.monotonic() - begun, 5, name)

    def test_errors(self):
        with self.assertRaisesRegex(gleaner.UsageError, "nowhere.warc: no such file"):
            gleaner.read("nowhere.warc").to_list()
        with self.assertRaisesRegex(gleaner.UsageError, "nowhere.warc: no such file"):
            gleaner.read("nowhere.warc").to_arrow()
        with self.assertRaisesRegex(gleaner.UsageError, "unknown_flag"):
            gleaner.read(ARCHIVES, unknown_flag=1).to_list()

    def test_no_archives(self):
        for none in ([], (), iter([])):
            with self.assertRaisesRegex(gleaner.UsageError, "no archives"):
                gleaner.read(none)
            with self.assertRaisesRegex(gleaner.UsageError, "no archives"):
                gleaner.ingest(none, "out")

    def test_damage(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "bad.warc.gz")
            with open(os.path.join(ARCHIVES, "site.warc.gz"), "rb") as source, open(name, "wb") as bad:
                size = bad.write(source.read())
                bad.write(b"garbage " * 500)
            reader = gleaner.read(name, extract=[])
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                self.assertGreater(len(reader.to_list()), 20)
            self.assertEqual(len(reader.rejects), 1)
            self.assertEqual((reader.rejects[0].filename, reader.rejects[0].offset), (name, size))
            self.assertIn("4000 bytes", str(said[0].message))


class Query(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.collection = gleaner.ingest(ARCHIVES, os.path.join(cls.folder.name, "out"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_query(self):
        answer = self.collection.query("language = 'fr'", fields=["url", "language"])
        self.assertEqual(len(answer), len(answer.to_list()))
        self.assertEqual({tuple(d) for d in answer}, {("url", "language")})
        self.assertEqual(answer.to_arrow().column_names, ["url", "language"])
        self.assertEqual(answer.to_arrow().num_rows, len(answer))
        self.assertFalse(self.collection.query("language = 'xx'"))
        self.assertEqual(self.collection.query("language = 'xx'").to_arrow().num_rows, 0)
        self.assertEqual(self.collection.query(text="bridge", limit=2).to_arrow().num_rows, 2)

    def test_all_columns(self):
        table = self.collection.query().to_arrow()
        rows = self.collection.query().to_list()
        self.assertEqual(table.column("url").to_pylist(), [r["url"] for r in rows])
        self.assertEqual(table.column("text").to_pylist(), [r.get("text") for r in rows])

    def test_notes(self):
        """What the program says about an answer is a warning where the question was asked."""
        c = self.collection
        archive = os.path.join(ARCHIVES, "wget.warc.gz")
        for ask, want in {
            (lambda: c.query("entities.sentiment > 0").to_list(), "no capture has the field entities.sentiment, which"),
            (lambda: c.query("entities.sentiment > 0").to_arrow(), "ingest --extract=sentiment fills"),
            (lambda: list(c.query("entities.sentiment > 0").batches()), "entities.sentiment"),
            (lambda: len(c.query("entities.sentiment > 0")), "entities.sentiment"),
            (lambda: c.query("language = FR").to_list(), "another spelling (filter=language = FR, instead=language = fr"),
            (lambda: c.query(source="feed-1").to_list(), "source_id is looked for in the documents"),
            (lambda: c.facets("entity", where="language = FR"), "another spelling"),
            (lambda: c.query(about="bridge qxzzq", limit=1).to_list(), "does not know: qxzzq"),
            (lambda: c.sql("select name from custom"), "custom, which ingest --select"),
            (lambda: c.query("language = fr").to_list(), ""),
            (lambda: gleaner.read(archive, extract=["text"], damage="warn").to_list(), ""),
        }:
            with self.subTest(want), warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                ask()
                self.assertEqual([w.filename for w in said], [__file__] * len(said))
                texts = "\n".join(str(w.message) for w in said)
                self.assertTrue(want in texts and bool(want) == bool(texts), texts)
                self.assertNotIn("about this answer", texts)

    def test_environment(self):
        """Variables of the environment that are flags of the program change no answer."""
        c, output = self.collection, os.path.join(self.folder.name, "answer")

        def answers():
            rows = c.query("language = fr", fields=["url"]).to_list()
            return (rows, len(c.query("language = fr")), c.facets("lang"), c.sql("select count(*) n from documents"),
                    c.record(rows[0]["url"]).body)

        want = answers()
        with mock.patch.dict(os.environ, {
            "GLEANER_TEXT": "markdown", "GLEANER_OUTPUT": output, "GLEANER_LIMIT": "1", "GLEANER_WHERE": "status = 999",
            "GLEANER_CONFIG": "nowhere.yml", "GLEANER_FROM": "2050",
        }):
            self.assertEqual(answers(), want)
            self.assertFalse(os.path.exists(output))
            with self.assertRaises(gleaner.UsageError):
                c.query(config="nowhere.yml").to_list()

    def test_length(self):
        for more in ({"limit": 3}, {"about": "planting grass by the sea", "limit": 4}, {"where": "status = 999"}, {}):
            answer = self.collection.query(**more)
            self.assertEqual(len(answer), len(answer.to_list()), more)
            self.assertEqual(len(list(answer)), len(answer), more)
            self.assertEqual(bool(answer), len(answer) > 0, more)

    def test_facets_and_sql(self):
        facets = self.collection.facets("lang")
        self.assertEqual(facets[0]["captures"], max(f["captures"] for f in facets))
        rows = self.collection.sql("select count(*) n from documents('language = fr')")
        self.assertEqual(rows, [{"n": next(f["captures"] for f in facets if "fr" in f.values())}])

    def test_record(self):
        url = self.collection.query("mime:pdf", limit=1).to_list()[0]["url"]
        record = self.collection.record(url)
        self.assertTrue(record.body.startswith(b"%PDF-"))
        self.assertEqual(record.status, 200)
        self.assertIn("pdf", record.header("content-type"))
        self.assertEqual(record.header("WARC-Target-URI").strip("<>"), url)
        self.assertGreaterEqual(len(self.collection.versions(url)), 1)
        with self.assertRaises(KeyError):
            self.collection.record("http://nowhere.example/")

    def test_records_of_pages(self):
        """Pages in chunks, as wget keeps them, and revisits have their HTML."""
        chosen = self.collection.query("mime = text/html AND status = 200 AND (filename:wget OR record_type = revisit)",
                                       fields=["url", "timestamp", "record_type"]).to_list()
        kinds = set()
        for d in chosen:
            record = self.collection.record(d["url"], d["timestamp"])
            kinds.add(record.header("WARC-Type"))
            kinds.add((record.header("Transfer-Encoding") or "").lower())
            self.assertEqual(record.body.lstrip()[:1], b"<", (d, record.body[:80], record.headers))
        self.assertLessEqual({"revisit", "response", "chunked"}, kinds)

    def test_errors(self):
        with self.assertRaises(gleaner.UsageError):
            self.collection.query("language =").to_list()
        with self.assertRaises(gleaner.UsageError):
            self.collection.query("language =").to_arrow()
        with self.assertRaises(gleaner.GleanerError):
            gleaner.Collection("/nowhere").query().to_list()


class Log(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "pread"), "without pread, the log is read after the end")
    def test_position_stays(self):
        """Reading the log of a running program does not move the position at which the program writes."""
        with Process(["extract"], stdin=subprocess.PIPE) as process:
            os.write(process._log.fileno(), b'{"msg": "line"}\n')
            log, process._log = process._log, SimpleNamespace(fileno=process._log.fileno)  # which cannot seek
            try:
                self.assertIn({"msg": "line"}, process.log())
            finally:
                process._log = log


class Extract(unittest.TestCase):
    def test_page(self):
        document = gleaner.extract_html("<title>The bridge</title><p>Le pont est ouvert depuis vendredi soir.",
                                        "https://example.org/")
        self.assertEqual((document["title"], document["language"], document["host"]), ("The bridge", "fr", "example.org"))

    def test_bytes(self):
        document = gleaner.extract_html("<meta charset=windows-1252><p>café".encode("cp1252"))
        self.assertEqual((document["charset"], document["text"]), ("windows-1252", "café"))
        with open("testdata/site/www.harbour-gazette.example/docs/harbour-report-2023.pdf", "rb") as pdf:
            self.assertEqual(gleaner.extract(pdf.read())["mime_detected"], "application/pdf")

    def test_control_characters(self):
        for html in ("<p>Good morning to \0 you all", "<p>Good \1 morning to you all\x1f", "\0\0<p>Good morning to you all"):
            self.assertIn("morning", gleaner.extract_html(html)["text"])
        self.assertEqual(gleaner.langid("Bonjour le monde, \0 comment allez-vous"), "fr")

    def test_used_in_its_own_loop(self):
        with gleaner.Extractor(extract=["text"]) as extractor:
            loop = extractor.pages({"html": f"<p>page {i}"} for i in range(10))
            next(loop)
            with self.assertRaisesRegex(gleaner.GleanerError, "has not ended"):
                extractor.page("<p>another")
            loop.close()
            self.assertEqual(extractor.page("<p>another")["text"], "another")

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_fork(self):
        gleaner.extract_html("<p>before")
        children = []
        for i in range(3):
            child = os.fork()
            if child == 0:
                titles = [gleaner.extract_html(f"<title>{i} {k}</title><p>x").get("title") for k in range(50)]
                os._exit(0 if titles == [f"{i} {k}" for k in range(50)] else 1)
            children.append(child)
        for k in range(50):
            self.assertEqual(gleaner.extract_html(f"<title>parent {k}</title><p>x").get("title"), f"parent {k}")
        self.assertEqual([os.waitpid(child, 0)[1] for child in children], [0, 0, 0])

    def test_surrogate(self):
        self.assertIn("text", gleaner.extract_html("<p>a\ud800b and more words"))

    def test_langid(self):
        self.assertEqual(gleaner.langid("Guten Morgen, meine Damen und Herren"), "de")
        self.assertEqual(gleaner.langid(["bonjour tout le monde", "123"]), ["fr", "und"])

    def test_large_pages_do_not_block(self):
        page = {"html": "<p>" + "many words of a long page " * 20_000}
        with gleaner.Extractor(extract=["text"]) as extractor:
            lengths = [len(d["text"]) for d in extractor.pages([page] * 40)]
        self.assertEqual(set(lengths), {len(page["html"]) - 4})

    def test_errors(self):
        with gleaner.Extractor(extract=["text"]) as extractor:
            with self.assertRaisesRegex(gleaner.GleanerError, "one of html, text and body"):
                list(extractor.pages([{"url": "http://a/"}]))
            self.assertEqual(extractor.page("<p>still here")["text"], "still here")

            def broken():
                yield {"html": "<p>one"}
                raise ZeroDivisionError

            with self.assertRaises(ZeroDivisionError):
                list(extractor.pages(broken()))
            self.assertEqual(extractor.page("<p>and again")["text"], "and again")
        with self.assertRaises(gleaner.UsageError):
            gleaner.Extractor(extract=["nothing"]).page("<p>")

    def test_threads(self):
        with gleaner.Extractor(extract=["text"]) as extractor:
            wrong = []

            def work(n):
                for i in range(20):
                    text = f"page {n} {i}"
                    if extractor.page("<p>" + text)["text"] != text:
                        wrong.append(text)

            threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(wrong, [])


PLUG = """
import gleaner

@gleaner.extractor(columns={"words": int, "kind": str}, version="7")
def words(document):
    print("this goes to standard error")
    n = len(document.get("text", "").split())
    if n == 0:
        raise ValueError("no words")
    return {"words": n, "kind": None if n < 10 else "long"}

if __name__ == "__main__":
    words.run()
"""


class Plugs(unittest.TestCase):
    def test_extractor(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "words.py")
            with open(name, "w") as f:
                f.write(PLUG)
            documents = gleaner.read(ARCHIVES, extract=["text"], plug=f"{sys.executable} {name}").to_list()
        counted = [d for d in documents if "custom_integers" in d]
        self.assertGreater(len(counted), 80)
        for d in counted:
            self.assertEqual(d["custom_integers"]["words"], [len(d["text"].split())])
        failed = [d for d in documents if any("no words" in e["message"] for e in d.get("errors", []))]
        self.assertEqual(len(counted) + len(failed), len(documents))

    def test_batches(self):
        """A function for batches has the results of one for documents, whatever the form of its answer."""
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "words.py")
            read = []
            for answer in ANSWERS:
                with open(name, "w") as f:
                    f.write(BATCHES.replace("ANSWER", answer))
                lines = gleaner.read(ARCHIVES, extract=["text"], plug=f"{sys.executable} {name}").to_list()
                read.append([(d.get("custom_integers"), d.get("errors")) for d in lines])
        for lines in read[1:]:
            self.assertEqual(lines, read[0])
        self.assertGreater(sum(bool(e) for _, e in read[0]), 5)

    def test_arrow(self):
        """A function for record batches has the results of one for documents."""
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "words.py")
            read = []
            for source in [BATCHES.replace("ANSWER", ANSWERS[0]), ARROW]:
                with open(name, "w") as f:
                    f.write(source)
                lines = gleaner.read(ARCHIVES, extract=["text"], plug=f"{sys.executable} {name}").to_list()
                read.append([(d.get("custom_integers"), d.get("errors")) for d in lines])
        self.assertEqual(read[1], read[0])
        self.assertGreater(sum(bool(e) for _, e in read[0]), 5)

    def test_arrow_answers(self):
        import pyarrow as pa
        documents = pa.record_batch({"row": pa.array([5, 6, 7]), "text": ["x y", None, "z"]})
        day = datetime.datetime(2026, 11, 30, 1, 2, 3)
        utc = day.replace(tzinfo=datetime.timezone.utc)
        odd = "ValueError: odd"
        for of, function, values, errors in [
            (int, lambda b: pa.array([1, None, 3]), [[1], [None], [3]], None),
            (int, lambda b: pa.chunked_array([[1], [2, 3]]), [[1], [2], [3]], None),
            (int, lambda b: {"n": [[1, 2], [], None]}, [[1, 2], [], None], None),
            (int, lambda b: pa.table({"n": [1, 2, 3], "error": [None, odd, None]}), [[1], [2], [3]], [None, odd, None]),
            (int, lambda b: [1, ValueError("odd"), 3], [[1], [None], [3]], [None, odd, None]),
            (int, lambda b: {"n": None}, [None, None, None], None),
            (float, lambda b: [1, 2, 3], [[1.0], [2.0], [3.0]], None),
            (str, lambda b: pa.array(["a", None, "a"]).dictionary_encode(), [["a"], [None], ["a"]], None),
            (pa.list_(pa.string()), lambda b: [["a"], [], None], [["a"], [], None], None),
            (datetime.datetime, lambda b: [day, None, utc], [[utc], [None], [utc]], None),
            (datetime.date, lambda b: [day.date()] * 3, [[utc.replace(hour=0, minute=0, second=0)]] * 3, None),
        ]:
            plug = gleaner.extractor(columns={"n": of}, exchange="arrow")(function)
            answer = plug.arrow.answer(documents)
            answer.validate(full=True)
            self.assertEqual(answer.to_pydict(), {"row": [5, 6, 7], "error": errors or [None] * 3, "n": values})
        self.assertEqual(plug.declaration["batch"], 64)

    def test_arrow_errors(self):
        """A document at fault costs no other its values, and a wrong array is an error of each."""
        import pyarrow as pa
        documents = pa.record_batch({"row": pa.array([5, 6]), "text": ["x y", "odd"]})

        def odd(batch):
            return [1 if text != "odd" else 1 / 0 for text in batch["text"].to_pylist()]

        def answer(function):
            return gleaner.extractor(columns={"n": int}, exchange="arrow")(function).arrow.answer(documents).to_pydict()

        self.assertEqual(answer(odd), {"row": [5, 6], "error": [None, "ZeroDivisionError: division by zero"],
                                       "n": [[1], None]})
        for values, message in [([1, 2, 3], "n has 3 values for 1 documents"), (7, "value of type int for a batch"),
                                ("text", "value of type str for a batch"),
                                ({"m": [1]}, "'m' is none of its columns, n"),
                                ([True], "n has values of type bool, and the column is of type int64"),
                                ([0.5], "truncated"), (["many"], "many")]:
            for error in answer(lambda batch: values)["error"]:
                self.assertIn(message, error)
        with self.assertRaisesRegex(ValueError, "exchange is 'parquet'"):
            gleaner.extractor(columns={"n": int}, exchange="parquet")(odd)
        lacking = subprocess.run([sys.executable, "-c", "import sys; sys.modules['pyarrow'] = None\n" + ARROW],
                                 stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.assertIn('exchange="arrow" needs pyarrow', lacking.stderr)

    def test_times(self):
        """A time without a zone is in UTC, as in datetime.utcnow."""
        day = datetime.datetime(2026, 11, 30, 1, 2, 3)
        for value, want in [(day, "2026-11-30T01:02:03Z"), (day.date(), "2026-11-30"),
                            (day.replace(tzinfo=datetime.timezone.utc), "2026-11-30T01:02:03+00:00")]:
            plug = gleaner.extractor(columns={"t": datetime.datetime}, batch=2)(lambda documents: [value])
            self.assertEqual(json.loads(plug._batch([{}])), [{"t": want}])
            self.assertEqual(plug.declaration["columns"], {"t": "time"})

    def test_declaration_errors(self):
        for wrong in [{"columns": {"n": object}}, {"columns": {"n": int}, "batch": "many"},
                      {"columns": {"n": int}, "batch": 0}, {"columns": {"n": int}, "batch": 1025}]:
            with self.assertRaises((TypeError, ValueError)):
                gleaner.extractor(**wrong)(len)

    def test_batch_errors(self):
        for values, message in [([1], "the function has 1 values for 2 documents"), ({"n": [1, 2, 3]}, "n has 3 values"),
                                (7, "the function has a value of type int")]:
            plug = gleaner.extractor(columns={"n": int}, batch=2)(lambda documents: values)
            with self.assertRaisesRegex((TypeError, ValueError), message):
                plug.answers([{}, {}])

    def test_noise(self):
        """What a plug prints, by whatever way, is not an answer, and values that JSON lacks are errors."""
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "noisy.py")
            with open(name, "w") as f:
                f.write(NOISY)
            documents = gleaner.read(ARCHIVES, extract=["text"], plug=f"{sys.executable} {name}").to_list()
        for d in documents:
            n = len(d.get("text", ""))
            if n % 2:
                self.assertIn("not JSON compliant", d["errors"][-1]["message"])
            else:
                self.assertEqual(d["custom_integers"]["n"], [n])


ARROW = """
import gleaner

@gleaner.extractor(columns={"words": int}, batch=16, exchange="arrow")
def words(batch):
    print("this goes to standard error")
    counts = [len((text or "").split()) for text in batch["text"].to_pylist()]
    if 0 in counts:
        raise ValueError("no words")
    return counts

words.run()
"""

ANSWERS = ["words", "{'words': words}", "array(words)",
           "[ValueError('no words') if n is None else n for n in words]"]

BATCHES = """
import gleaner

class array:  # as NumPy's
    def __init__(self, values):
        self.values = values

    def tolist(self):
        return self.values

@gleaner.extractor(columns={"words": int}, batch=16)
def words(documents):
    print("this goes to standard error")
    words = [len(d.get("text", "").split()) or None for d in documents]
    if None in words and (len(words) == 1 or "ANSWER"[0] != "["):
        raise ValueError("no words")
    return ANSWER

words.run()
"""

NOISY = """
import os, subprocess, sys
import gleaner

@gleaner.extractor(columns={"n": int, "f": float})
def noisy(document):
    print('{"n": 97}')
    os.write(1, b'{"n": 98}\\n')
    subprocess.run([sys.executable, "-c", "import sys; print(sys.stdin.read(), 99)"])
    n = len(document.get("text", ""))
    return {"n": n, "f": float("nan") if n % 2 else 1.5}

noisy.run()
"""


if __name__ == "__main__":
    unittest.main()
