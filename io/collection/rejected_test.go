package collection

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// twoDocuments writes a unit of two, as lines, and returns its shard.
func twoDocuments(t *testing.T, dir string) []schemas.Shard {
	t.Helper()
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	w, err := shard.NewWriter(local(dir), units[0], keys[0], shard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"http://a/1", "http://a/2"} {
		if err := w.Document(&schemas.Document{URL: url, RecordType: schemas.TypeResponse}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.Commit(schemas.Counts{}, ledger.Note{})
	if err != nil {
		t.Fatal(err)
	}
	shut(t, c)
	return holdings.Part{Shards: r.Shards}.DocumentShards()
}

// rewrite writes a shard of lines again, changed by do, compressed as it was.
func rewrite(t *testing.T, path string, do func(lines []string) []string) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it is only read
	r, err := jsonl.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(line))
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = io.WriteString(z, strings.Join(do(list), "\n")+"\n")
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.String())
}

// TestPart_rejected: broken parts of a shard are reported with their offset, and the rest is read.
func TestPart_rejected(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(t *testing.T, path string)
		left int // documents of the two
		want schemas.Reject
	}{
		"nothing": {func(*testing.T, string) {}, 2, schemas.Reject{}},
		"a line": {func(t *testing.T, path string) {
			rewrite(t, path, func(l []string) []string { return []string{`{"url":1}`, l[0], l[1]} })
		}, 2, schemas.Reject{Length: 10, Lost: 10, Kind: schemas.KindGarbage}},
		"another line": {func(t *testing.T, path string) {
			rewrite(t, path, func(l []string) []string { return []string{l[0], l[1][:20]} })
		}, 1, schemas.Reject{Offset: -1, Length: 21, Lost: 21, Kind: schemas.KindGarbage}},
		"other bytes": {func(t *testing.T, path string) {
			rewrite(t, path, func(l []string) []string { return l })
		}, 2, schemas.Reject{Length: -1, Kind: schemas.KindDamaged}},
		"the end": {func(t *testing.T, path string) { truncate(t, path, -1) }, 0, schemas.Reject{
			Lost: -1, Kind: schemas.KindTruncated,
		}},
		"all": {func(t *testing.T, path string) { truncate(t, path, 0) }, 0, schemas.Reject{
			Length: -1, Kind: schemas.KindDamaged,
		}},
		"no format": {func(t *testing.T, path string) { write(t, path, "x\n") }, 0, schemas.Reject{
			Length: 2, Lost: 2, Kind: schemas.KindGarbage,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			documents := twoDocuments(t, dir)
			tt.do(t, filepath.Join(dir, documents[0].Name))
			var got []schemas.Reject
			p := holdings.Part{Folder: local(dir), Shards: documents, Rejected: func(r schemas.Reject) { got = append(got, r) }}
			list, err := gather(p.Documents(t.Context()))
			if err != nil || len(list) != tt.left || len(got) > 1 || (len(got) == 1) != (tt.want != schemas.Reject{}) {
				t.Fatalf("%d documents, want %d; rejects %+v; %v", len(list), tt.left, got, err)
			}
			if len(got) == 0 {
				return
			}
			r := got[0]
			if r.File != documents[0].Name || r.Message == "" || strings.Contains(r.Message, dir) || r.Stage != "read" {
				t.Errorf("%+v", r)
			}
			for _, n := range []struct{ got, want int64 }{
				{got[0].Offset, tt.want.Offset}, {got[0].Length, tt.want.Length}, {got[0].Lost, tt.want.Lost},
			} {
				if n.got != n.want && (n.want >= 0 || n.got <= 0) {
					t.Errorf("%+v, want %+v", got[0], tt.want)
				}
			}
			if got[0].Kind != tt.want.Kind {
				t.Errorf("%s, want %s", got[0].Kind, tt.want.Kind)
			}
		})
	}
}

// TestPart_brokenLineHasAPlace: without a function for rejects, the error has the offset at which the line begins. It
// distinguishes a changed shard from one that was written like that.
func TestPart_brokenLineHasAPlace(t *testing.T) {
	deep := `{"url":"http://a/","x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`
	for _, line := range []string{deep, `{"url":1}`, "null", `{"url":"http://a/`} {
		dir := t.TempDir()
		documents := twoDocuments(t, dir)
		name := documents[0].Name
		path := filepath.Join(dir, name)
		at := 0
		rewrite(t, path, func(l []string) []string {
			at = len(l[0]) + 1
			return []string{l[0], line, l[1]}
		})
		read := func() (int, error) {
			list, err := gather(holdings.Part{Folder: local(dir), Shards: documents}.Documents(t.Context()))
			return len(list), err
		}
		place := fmt.Sprintf("line at byte %d", at)
		n, err := read()
		if n != 1 || err == nil || !strings.Contains(err.Error(), place) || !errors.Is(err, holdings.ErrChanged) {
			t.Errorf("%.30s: %d documents, %v; want 1, %s, %v", line, n, err, place, holdings.ErrChanged)
		}
		size, sum, err := ledger.HashFile(local(dir), name)
		if err != nil {
			t.Fatal(err)
		}
		documents[0].Bytes, documents[0].SHA256 = size, sum
		n, err = read()
		if n != 1 || err == nil || !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), name) ||
			errors.Is(err, holdings.ErrChanged) {
			t.Errorf("%.30s, as it was written: %d documents, %v; want 1, %s, not %v", line, n, err, place, holdings.ErrChanged)
		}
		// If reading continues after errors, the same damage is reported.
		var rejects []schemas.Reject
		p := holdings.Part{
			Folder: local(dir), Shards: documents,
			Rejected: func(r schemas.Reject) { rejects = append(rejects, r) },
		}
		list, err := gather(p.Documents(t.Context()))
		if err != nil || len(list) != 2 || len(rejects) != 1 || rejects[0].Offset != int64(at) {
			t.Errorf("%.30s: %d documents, rejects %+v, %v; want 2, one at %d", line, len(list), rejects, err, at)
		}
	}
}
