package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// visit is a record of a page in a month of 2022.
type visit struct {
	id    string
	month int
	to    schemas.Reference // of a revisit; the zero value is a response
	cut   bool
}

// recordsOf writes an archive of visits, and returns the line of the last one.
func recordsOf(t *testing.T, visits []visit) (line recordLine) {
	t.Helper()
	var archive strings.Builder
	var docs []*schemas.Document
	for _, v := range visits {
		d := &schemas.Document{
			URL: "http://a.example/", SURT: "example,a)/", Timestamp: fmt.Sprintf("2022-%02d-01T00:00:00Z", v.month),
			Status: 200, RecordType: schemas.TypeResponse, RecordID: v.id, Filename: "a.warc",
			Offset: int64(archive.Len()),
		}
		block := "HTTP/1.1 200 OK\r\n\r\n<p>x"
		if v.to != (schemas.Reference{}) {
			d.RecordType, d.RefersTo, block = schemas.TypeRevisit, &v.to, "HTTP/1.1 200 OK\r\n\r\n"
		}
		if v.cut {
			block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<p>x"
		}
		fmt.Fprintf(&archive, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n"+
			"WARC-Record-ID: <%s>\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			d.RecordType, d.URL, d.Timestamp, v.id, len(block), block)
		d.Length = int64(archive.Len()) - d.Offset
		docs = append(docs, d)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.warc"), []byte(archive.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f := folder.Open(t.Context(), t.TempDir(), nil)
	collectiontest.Fill(t, f, schemas.Range{File: "a.warc", End: 1, Format: "warc"}, holdings.FormatJSONL, docs)
	db, err := contentdb.Open(t.Context(), f, contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // it is only read
	e := Exporter{DB: db, Store: blob.New(blob.Options{}), Archives: []string{dir}, Format: FormatRecords}
	var out bytes.Buffer
	missing, err := e.Write(t.Context(), func([]string) iter.Seq2[*schemas.Document, error] {
		return listed(docs[len(docs)-1:], nil)
	}, &out)
	if missing || err != nil {
		t.Fatalf("missing %v: %v", missing, err)
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	return line
}

// TestRecords_original: the candidates for an original are tried once each, up to a limit. A damaged one does not stand
// for another capture.
func TestRecords_original(t *testing.T) {
	times := func(n int, visits ...visit) (list []visit) {
		for range n {
			list = append(list, visits...)
		}
		return list
	}
	toID := func(id string) schemas.Reference { return schemas.Reference{RecordID: id} }
	to := func(month int) schemas.Reference {
		return schemas.Reference{Timestamp: fmt.Sprintf("2022-%02d-01T00:00:00Z", month)}
	}
	response, cut := visit{id: "urn:x:1", month: 1}, visit{id: "urn:x:1", month: 1, cut: true}
	same := visit{id: "urn:x:same", month: 2, to: toID("urn:x:same")}
	chain := []visit{response}
	for i := 2; i <= 6; i++ {
		chain = append(chain, visit{fmt.Sprint("urn:x:", i), i, to(i - 1), false})
	}
	second, third := visit{"urn:x:2", 2, to(3), false}, visit{"urn:x:3", 3, to(2), false}
	toFirst := visit{id: "urn:x:2", month: 2, to: toID("urn:x:1")}
	for _, tt := range []struct {
		name   string
		visits []visit
		want   string // the body; "" if there is no original
	}{
		{"each refers to all", times(30, same), ""},
		{"by date", times(30, visit{"urn:x:2", 2, to(2), false}), ""},
		{"two that refer to each other", times(12, second, third), ""},
		{"more than are tried", times(500, same), ""},
		{"with a response", append([]visit{{id: "urn:x:same", month: 3}}, times(30, same)...), "<p>x"},
		{"a chain", chain, "<p>x"},
		{"copies of a chain", times(3, chain...), "<p>x"},
		{"a damaged original", []visit{cut, toFirst}, ""},
		{"a sound one after it", []visit{cut, response, toFirst}, "<p>x"},
	} {
		line := recordsOf(t, tt.visits)
		if string(line.Body) != tt.want || (line.Original != nil) != (tt.want != "") {
			t.Errorf("%s: body %q, original %+v", tt.name, line.Body, line.Original)
		}
	}
}
