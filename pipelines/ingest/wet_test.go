package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/schemas"
)

// texts returns the URL, languages and text of each conversion record in a collection's WET files.
func texts(t *testing.T, dir string) (list [][3]string, files int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "texts-*.warc.wet.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sortShards(dir, names)
	ids := map[string]bool{}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		r, err := warc.NewReader(f, info.Size(), record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			id := string(rec.Head.Get("WARC-Record-ID"))
			if ids[id] {
				t.Errorf("%s: the id %s stands twice", name, id)
			}
			ids[id] = true
			if warc.Type(&rec.Head) == "conversion" {
				list = append(list, [3]string{
					string(rec.Head.Get("WARC-Refers-To")),
					string(rec.Head.Get("WARC-Identified-Content-Language")), string(rec.Block),
				})
			} else if rec.Offset != 0 {
				t.Errorf("%s: a %s at %d", name, warc.Type(&rec.Head), rec.Offset)
			}
		}
		if s := r.Stats(); s.Lost > 0 {
			t.Errorf("%s: %d bytes are lost", name, s.Lost)
		}
	}
	return list, len(names)
}

// TestIngest_wet: each unit has a file with the texts of its documents, which are the same for every unit size.
func TestIngest_wet(t *testing.T) {
	out, small := t.TempDir(), t.TempDir()
	flags := []string{"--extract=mime,charset,text,language"}
	mustRun(t, append(flags, "--format=jsonl,wet", "--output="+out, archives)...)
	mustRun(t, append(flags, "--format=wet", "--unit_size=64KiB", "--workers=3", "--output="+small, archives)...)
	got, files := texts(t, out)
	if files == 0 {
		t.Fatal("no files of texts")
	}
	var want [][3]string
	for _, line := range documents(t, out) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		if d.Text != "" && d.URL != "" {
			of := ""
			if d.RecordID != "" {
				of = "<" + d.RecordID + ">"
			}
			want = append(want, [3]string{of, "", d.Text})
		}
	}
	if len(want) < 10 {
		t.Fatalf("only %d documents have a text", len(want))
	}
	languages := 0
	for i := range got {
		if len(got[i][1]) >= 3 {
			languages++
		}
		got[i][1] = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-documents +texts:\n%.2000s", diff)
	}
	if languages < 10 {
		t.Errorf("only %d texts say their language", languages)
	}
	again, more := texts(t, small)
	for i := range again {
		again[i][1] = ""
	}
	if diff := cmp.Diff(got, again); diff != "" || more <= files {
		t.Errorf("units of 64 KiB, %d files and not %d, -others +these:\n%.2000s", more, files, diff)
	}
}

func TestIngest_wetWithoutText(t *testing.T) {
	r := runCommand(t, "--format=wet", "--extract=mime", "--output="+t.TempDir(), archives)
	if r.code != 2 || !strings.Contains(r.stderr, "--format=wet") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}
