package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// corpora are real archives from the test data of other projects. They are not part of this one.
const corpora = "../shared/corpora/warc/raw" // from the project's root

// peerRecord is cdxj-indexer's output for a record, or the error that ended a file. See testdata/index_records.py.
type peerRecord struct {
	File, Type, Error string
	Offset            int64
	Line              string // "" for a record without a line
}

// ours is our line and document of a record.
type ours struct {
	line string
	doc  schemas.Document
}

// pair is a record of both. line is "" if one program has no line.
type pair struct {
	peer    peerRecord
	ours    ours
	archive bool // whether we read the file as an archive
	stopped bool // whether cdxj-indexer failed in this file
}

// differences are the allowed differences between our lines and those of cdxj-indexer. Each is a row of the table in
// docs/formats/cdxj.md, with its reason. The function explain reports whether a pair has the difference. It returns
// the peer's line without it, or our own line if the difference affects several fields.
var differences = []struct {
	name    string
	lines   int // with this difference
	explain func(p pair) (string, bool)
}{
	{"no archive", 266, func(p pair) (string, bool) { return "", !p.archive }},
	{"metadata record", 293, func(p pair) (string, bool) { return "", p.peer.Type == "metadata" && p.ours.line == "" }},
	{"text that it takes for ARC", 4, func(p pair) (string, bool) {
		return "", p.ours.line == "" && !strings.Contains(field(p.peer.Line, "url"), "://")
	}},
	{"conversion record", 3, func(p pair) (string, bool) {
		return p.ours.line, p.peer.Line == "" && p.ours.doc.RecordType == schemas.TypeConversion
	}},
	{"record type in other case", 2, func(p pair) (string, bool) {
		return p.ours.line, p.peer.Line == "" && p.peer.Type == "RESPONSE"
	}},
	{"file that it stops at", 79, func(p pair) (string, bool) { return p.ours.line, p.peer.Line == "" && p.stopped }},
	{"damaged record", 59, func(p pair) (string, bool) { return p.ours.line, isDamaged(p.ours.doc) }},
	{"digest prefix", 1389, func(p pair) (string, bool) {
		digest := field(p.peer.Line, "digest")
		short, ok := strings.CutPrefix(digest, "sha1:")
		return replaceField(p.peer.Line, "digest", short), ok && len(short) == 32
	}},
	{"length of an uncompressed record", 214, func(p pair) (string, bool) {
		length := field(p.ours.line, "length")
		return replaceField(p.peer.Line, "length", length), !isCompressed(p.peer.File) &&
			length != field(p.peer.Line, "length")
	}},
	{"record in several members", 1, func(p pair) (string, bool) {
		length := field(p.ours.line, "length")
		return replaceField(p.peer.Line, "length", length), isCompressed(p.peer.File) &&
			length != field(p.peer.Line, "length")
	}},
	{"media type without HTTP", 99, func(p pair) (string, bool) {
		mime := field(p.ours.line, "mime")
		known := p.ours.doc.Status == 0 || p.ours.doc.RecordType == schemas.TypeARC
		return strings.Replace(p.peer.Line, `"digest"`, `"mime": "`+mime+`", "digest"`, 1), known &&
			field(p.peer.Line, "mime") == "" && mime != ""
	}},
}

// isDamaged reports whether a record contradicts its head, so that its end is unknown.
func isDamaged(d schemas.Document) bool {
	return slices.ContainsFunc(d.Flags, func(f schemas.Flag) bool {
		return f == schemas.FlagPartial || f == schemas.FlagLength || f == schemas.FlagHTTP
	})
}

func isCompressed(name string) bool { return strings.Contains(filepath.Base(name), ".gz") }

// field returns the value of a field of a CDXJ line, or "" if there is none.
func field(line, name string) string {
	_, after, _ := strings.Cut(line, `"`+name+`": "`)
	value, _, _ := strings.Cut(after, `"`)
	return value
}

func replaceField(line, name, value string) string {
	before, after, ok := strings.Cut(line, `"`+name+`": "`)
	if !ok {
		return line
	}
	_, rest, _ := strings.Cut(after, `"`)
	return before + `"` + name + `": "` + value + `"` + rest
}

// TestIndex_sameAsCdxjIndexer compares our index of real archives with cdxj-indexer's, line by line.
func TestIndex_sameAsCdxjIndexer(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join("../..", corpora)); err != nil {
		t.Skip("no ../shared/corpora/warc beside the checkout: archives of others, which may not be copied into it")
	}
	python := pythontest.Interpreter(t, "import cdxj_indexer.main", "cdxj-indexer==1.5.0")
	counts := map[string]int{}
	for _, p := range pairs(t, peerIndex(t, python)) {
		line := p.peer.Line
		for _, d := range differences {
			if line == p.ours.line {
				break
			}
			p.peer.Line = line
			if without, ok := d.explain(p); ok {
				counts[d.name]++
				line = without
			}
		}
		if line != p.ours.line {
			t.Errorf("%s (%s, flags %v)\ntheirs %s\nours   %s", p.peer.File, p.peer.Type, p.ours.doc.Flags, line, p.ours.line)
		}
	}
	for _, d := range differences {
		if counts[d.name] != d.lines {
			t.Errorf("the difference %q explains %d lines, want %d: is it still one, and docs/formats/cdxj.md right?", d.name,
				counts[d.name], d.lines)
		}
	}
}

// peerIndex runs cdxj-indexer over the corpora.
func peerIndex(t *testing.T, python string) []peerRecord {
	t.Helper()
	cmd := exec.Command(python, "pipelines/ingest/testdata/index_records.py", corpora)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cdxj-indexer: %v", err)
	}
	var all []peerRecord
	for line := range bytes.Lines(out) {
		var r peerRecord
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// place is the start of a record.
type place struct {
	file   string
	offset int64
}

// pairs pairs the peer's records with ours by their starts.
func pairs(t *testing.T, peer []peerRecord) []pair {
	t.Helper()
	mine, archives := ourIndex(t)
	stopped := map[string]bool{}
	for _, r := range peer {
		stopped[r.File] = stopped[r.File] || r.Error != ""
	}
	var all []pair
	for _, r := range peer {
		at := place{r.File, r.Offset}
		if r.Error != "" || r.Line == "" && len(mine[at]) == 0 {
			continue
		}
		p := pair{peer: r, archive: archives[r.File], stopped: stopped[r.File]}
		if len(mine[at]) > 0 {
			p.ours, mine[at] = mine[at][0], mine[at][1:]
		}
		all = append(all, p)
	}
	for at, rest := range mine {
		for _, o := range rest {
			all = append(all, pair{peer: peerRecord{File: at.file}, ours: o, archive: true, stopped: stopped[at.file]})
		}
	}
	return all
}

// ourIndex reads the corpora with documents and without, checks that the index is the same, and returns its lines by
// the starts of their records. It also returns which files are archives.
func ourIndex(t *testing.T) (map[place][]ours, map[string]bool) {
	t.Helper()
	full, alone := t.TempDir(), t.TempDir()
	for out, formats := range map[string]string{full: "jsonl,cdxj", alone: "cdxj"} {
		args := []string{"--output=" + out, "--format=" + formats, corpora}
		if formats != "cdxj" {
			args = append(args, "--extract=")
		}
		if r := runCommand(t, args...); r.code != 3 {
			t.Fatalf("exit code %d, want 3: some of the corpora are damaged\n%s", r.code, r.stderr)
		}
	}
	index := contents(t, full)["index.cdxj"]
	if other := contents(t, alone)["index.cdxj"]; other != index {
		t.Error("--format=cdxj makes another index than --format=jsonl,cdxj")
	}
	documents, archives := corpusDocuments(t, full)
	mine := map[place][]ours{}
	for line := range strings.Lines(index) {
		line = strings.TrimSuffix(line, "\n")
		same := documents[lineKey(line)]
		if len(same) == 0 {
			t.Fatalf("no document for %s", line)
		}
		documents[lineKey(line)] = same[1:]
		at := place{same[0].Filename, same[0].Offset}
		mine[at] = append(mine[at], ours{line, same[0]})
	}
	return mine, archives
}

// corpusDocuments returns the documents of the run in dir by the keys of their lines, with the file names of the
// index. It also returns which files are archives.
func corpusDocuments(t *testing.T, dir string) (map[string][]schemas.Document, map[string]bool) {
	t.Helper()
	byKey := map[string][]schemas.Document{}
	for _, text := range documents(t, dir) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		d.Filename = strings.TrimPrefix(d.Filename, corpora+"/")
		byKey[documentKey(d)] = append(byKey[documentKey(d)], d)
	}
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	archives := map[string]bool{}
	for _, u := range m.Units {
		for _, in := range u.Inputs {
			archives[strings.TrimPrefix(in.File, corpora+"/")] = in.Format != ""
		}
	}
	return byKey, archives
}

// lineKey returns the key of a line of the index: the record's offset, or URL and time if it has none.
func lineKey(line string) string {
	if offset := field(line, "offset"); offset != "" {
		return field(line, "filename") + " " + offset
	}
	key, _, _ := strings.Cut(line, " {")
	return field(line, "filename") + " " + key
}

// documentKey returns the lineKey of a document's line.
func documentKey(d schemas.Document) string {
	if d.Sequence == 0 {
		return fmt.Sprint(d.Filename, " ", d.Offset)
	}
	stamp := "-"
	if d.Timestamp != "" {
		stamp = strings.NewReplacer("-", "", ":", "", "T", "").Replace(d.Timestamp)[:14]
	}
	return d.Filename + " " + d.SURT + " " + stamp
}

// local returns a local folder.
func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }
