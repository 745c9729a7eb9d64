package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/schemas"
)

// records returns the content records of a collection, and checks that all are valid.
func records(t *testing.T, dir string) (list []*datastreamer.Content) {
	t.Helper()
	for _, line := range lines(t, dir, "content-*.jsonl*") {
		r, issues, err := datastreamer.Decode([]byte(line))
		if err != nil || len(issues) > 0 {
			t.Fatalf("%v, %v: %.200s", err, issues, line)
		}
		list = append(list, r)
	}
	return list
}

// TestIngest_content: each document has a record with the same data, for every unit size.
func TestIngest_content(t *testing.T) {
	out, small := t.TempDir(), t.TempDir()
	flags := []string{"--extract=mime,charset,text,language,metadata,feeds"}
	mustRun(t, append(flags, "--format=jsonl,content", "--output="+out, archives)...)
	mustRun(t, append(flags, "--format=content", "--unit_size=64KiB", "--workers=3", "--output="+small, archives)...)
	if got, want := strings.Join(lines(t, small, "content-*"), "\n"),
		strings.Join(lines(t, out, "content-*"), "\n"); got != want {
		t.Error("units of 64 KiB give other records")
	}
	docs, list := documents(t, out), records(t, out)
	if len(docs) != len(list) || len(docs) == 0 {
		t.Fatalf("%d documents and %d records", len(docs), len(list))
	}
	pages := 0
	for i, line := range docs {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		r := list[i]
		if r.Permalink != d.URL || r.Title != d.Title || r.Main != d.MainHTML || r.Extract != d.Text {
			t.Errorf("record %d is of %s and says %q; the document is of %s and says %q", i, r.Permalink, r.Title, d.URL,
				d.Title)
		}
		if strings.Contains(r.HTML, "<html") && r.Title != "" && r.Main != "" && r.SourceHashcode != "" {
			pages++
		}
	}
	if pages < 10 {
		t.Errorf("only %d records have a page, a title and a main part", pages)
	}
	again(t, out, list)
}

// again reads a collection of records as an archive. Nothing is rejected, and the pages give the same records.
func again(t *testing.T, dir string, want []*datastreamer.Content) {
	t.Helper()
	out := t.TempDir()
	mustRun(t, "--format=content", "--extract=mime,charset,text,language,metadata,feeds", "--output="+out,
		filepath.Join(dir, "content-*"))
	got := records(t, out)
	if len(got) != len(want) {
		t.Fatalf("%d records were read as %d", len(want), len(got))
	}
	for i, r := range got {
		w := want[i]
		if r.Hashcode != w.Hashcode || r.DateFound != w.DateFound || r.Permalink != w.Permalink {
			t.Errorf("record %d comes back as %s of %s, want %s of %s", i, r.Permalink, r.DateFound, w.Permalink, w.DateFound)
		}
		if !strings.Contains(w.HTML, "<html") {
			continue // records of other types do not have the type
		}
		if diff := cmp.Diff([]string{w.HTML, w.Extract, w.Title, w.Main},
			[]string{r.HTML, r.Extract, r.Title, r.Main}); diff != "" {
			t.Errorf("record %d, of %s (-want +got):\n%s", i, w.Permalink, diff)
		}
	}
}
