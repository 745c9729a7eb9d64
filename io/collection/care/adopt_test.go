package care_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	lineA = `{"url":"http://www.a.example/x","timestamp":"2020-01-01T00:00:00Z","filename":"x.warc"}` + "\n"
	lineB = `{"url":"http://b.example/","surt":"b(other","host":"Other.example","filename":"x.warc","offset":9}` + "\n"
	lineC = `{"url":"http://c.example/","filename":"y.warc"}` + "\n"
)

// adopted adopts a folder, and returns "surt host domain" of the documents of the collection.
func adopted(t *testing.T, to, from string, o shard.Options, compact bool) (list []string) {
	t.Helper()
	c := open(t, to, collection.OpenOptions{})
	defer shut(t, c)
	if _, err := care.Adopt(t.Context(), c, local(from), o); err != nil {
		t.Fatal(err)
	}
	if compact {
		if _, err := care.Compact(t.Context(), c, care.CompactOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return documentsIn(t, to)
}

func documentsIn(t *testing.T, to string) (list []string) {
	t.Helper()
	all, _, err := holdings.Whole(local(to))
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range all.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d.SURT+" "+d.Host+" "+d.Domain)
	}
	for l, err := range all.Captures(t.Context()) {
		if err != nil || l.SURT == "" {
			t.Errorf("line %+v, %v", l, err)
		}
	}
	slices.Sort(list)
	return list
}

// TestAdopt_again: a file that has changed replaces its earlier unit, and what other programs leave out is filled in.
func TestAdopt_again(t *testing.T) {
	a, b, c := "example,a)/x www.a.example a.example", "example,b)/ b.example b.example", "example,c)/ c.example c.example"
	for _, tt := range []struct {
		name    string
		files   []map[string]string // each is adopted after the one before
		formats []string            // for the last
		compact bool
		want    []string
	}{
		{"once", []map[string]string{{"documents-1.jsonl": lineA + lineB}}, nil, false, []string{a, b}},
		{
			"grown",
			[]map[string]string{{"documents-1.jsonl": lineA}, {"documents-1.jsonl": lineA + lineB}},
			nil, false,
			[]string{a, b},
		},
		{
			"names with dots",
			[]map[string]string{{
				"documents-2024.01.jsonl": lineA, "documents-b.example.jsonl": lineB, "documents-3.jsonl.bz2": "no text",
				"documents-.jsonl": lineC,
			}},
			nil, false,
			[]string{a, b, c},
		},
		{"grown after a compaction", []map[string]string{
			{"documents-1.jsonl": lineA}, {"documents-1.jsonl": lineA + lineB},
		}, nil, true, []string{a, b}},
		{
			"shorter",
			[]map[string]string{{"documents-1.jsonl": lineA + lineB}, {"documents-1.jsonl": lineC}},
			nil, false,
			[]string{c},
		},
		{"one of two", []map[string]string{
			{"documents-1.jsonl": lineA, "documents-2.jsonl": lineC}, {"documents-1.jsonl": lineB},
		}, nil, false, []string{b, c}},
		{
			"another format",
			[]map[string]string{{"documents-1.jsonl": lineA}, {}},
			[]string{holdings.FormatParquet},
			false,
			[]string{a},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := t.TempDir(), t.TempDir()
			var got []string
			for i, files := range tt.files {
				for name, text := range files {
					if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				o := shard.Options{}
				if i > 0 {
					o.Formats = tt.formats
				}
				got = adopted(t, to, from, o, tt.compact)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("documents %q, want %q", got, tt.want)
			}
			if problems, err := care.Verify(t.Context(), local(to)); err != nil || len(problems) > 0 {
				t.Errorf("Verify = %v, %v", problems, err)
			}
		})
	}
}

// TestAdopt_places: documents without a file get places, each its own, and the others keep theirs.
func TestAdopt_places(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	const bare = `{"url":"http://a.example/"}` + "\n"
	for name, text := range map[string]string{
		"documents-1.jsonl": bare + bare + lineA, "documents-2.jsonl": bare + `{"url":"http://a.example/","offset":7}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	adopted(t, to, from, shard.Options{}, false)
	all, _, err := holdings.Whole(local(to))
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for d, err := range all.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		places[fmt.Sprint(d.Filename, d.Offset, d.Sequence)] = true
		if kept := d.Filename == "x.warc"; kept == strings.HasPrefix(d.Filename, from) || kept && d.Sequence != 0 {
			t.Errorf("%s has the place %s %d", d.URL, d.Filename, d.Sequence)
		}
	}
	if len(places) != 5 {
		t.Errorf("5 documents have %d places: %v", len(places), places)
	}
}

// TestAdopt_times: times in the forms of other programs become RFC 3339. Other texts are counted and flagged.
func TestAdopt_times(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{"", ""},
		{"2026-03-04T10:30:00Z", "2026-03-04T10:30:00Z"},
		{"2026-03-04T10:30:00.25Z", "2026-03-04T10:30:00.25Z"},
		{"2026-03-04T10:30:00", "2026-03-04T10:30:00Z"},
		{"2026-03-04T10:30:00.123456", "2026-03-04T10:30:00.123456Z"},
		{"2026-03-04 10:30:00", "2026-03-04T10:30:00Z"},
		{"2026-03-04 10:30:00.5+02:00", "2026-03-04T08:30:00.5Z"},
		{"2026-03-04 10:30:00 UTC", "2026-03-04T10:30:00Z"},
		{"2026-03-04T10:30:00.000+0000", "2026-03-04T10:30:00Z"},
		{"2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z"},
		{"20260304103000", "2026-03-04T10:30:00Z"},
		{"2026-03-04", "2026-03-04T00:00:00Z"},
		{"yesterday", "!"},
		{"1772620200", "!"},
		{"2026-13-04T10:30:00Z", "!"},
		{"0001-01-01T00:00:00Z", "!"},
	} {
		for _, format := range []string{holdings.FormatJSONL, holdings.FormatParquet} {
			from, to := t.TempDir(), t.TempDir()
			line := fmt.Sprintf(`{"url":"http://a.example/","timestamp":%q}`+"\n", tt.given)
			if err := os.WriteFile(filepath.Join(from, "documents-1.jsonl"), []byte(line), 0o644); err != nil {
				t.Fatal(err)
			}
			c := open(t, to, collection.OpenOptions{})
			done, err := care.Adopt(t.Context(), c, local(from), shard.Options{Formats: []string{format}})
			shut(t, c)
			undated := map[bool]care.Adopted{false: {Units: 1}, true: {Units: 1, Undated: 1, Example: tt.given}}
			if err != nil || done != undated[tt.want == "!"] {
				t.Errorf("%s: %+v, %v", tt.given, done, err)
			}
			all, _, err := holdings.Whole(local(to))
			if err != nil {
				t.Fatal(err)
			}
			for d, err := range all.Documents(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				flagged := slices.Contains(d.Flags, schemas.FlagTimestamp)
				if d.Timestamp != strings.Trim(tt.want, "!") || flagged != (tt.want == "!") {
					t.Errorf("%s as %s is %q, flags %v", tt.given, format, d.Timestamp, d.Flags)
				}
			}
		}
	}
}

// TestAdopt_otherNames: a file is known by its absolute path, and a file elsewhere with the same bytes by these.
func TestAdopt_otherNames(t *testing.T) {
	type step struct {
		wd, name string // the working directory, and the folder as it is typed; "ROOT" is above both
		units    int
		formats  []string
	}
	const one, two = "data/documents-1.jsonl", "data/documents-2.jsonl"
	for _, tt := range []struct {
		name  string
		files map[string]string // below the root
		steps []step
		then  func(root string) error // before the last step
		want  []string                // the URLs
	}{
		{
			"one relative name from two folders",
			map[string]string{"a/" + one: lineA, "b/" + one: lineC},
			[]step{{"a", "data", 1, nil}, {"b", "data", 1, nil}},
			nil,
			[]string{"http://c.example/", "http://www.a.example/x"},
		},
		{
			"relative, then absolute",
			map[string]string{"a/" + one: lineA},
			[]step{{"a", "data", 1, nil}, {"a", "ROOT/a/data", 0, nil}},
			nil,
			[]string{"http://www.a.example/x"},
		},
		{
			"by a link",
			map[string]string{"a/" + one: lineA},
			[]step{{"a", "data", 1, nil}, {"a", "ROOT/link", 0, nil}},
			func(root string) error {
				return os.Symlink(filepath.Join(root, "a", "data"), filepath.Join(root, "link"))
			},
			[]string{"http://www.a.example/x"},
		},
		{
			"with dots",
			map[string]string{"a/" + one: lineA, "b/" + two: lineC},
			[]step{{"a", "data", 1, nil}, {"b", "../a/data/", 0, nil}},
			nil,
			[]string{"http://www.a.example/x"},
		},
		{
			"moved",
			map[string]string{"a/" + one: lineA, "a/" + two: lineC},
			[]step{{"a", "data", 2, nil}, {"a", "moved", 0, nil}},
			func(root string) error {
				return os.Rename(filepath.Join(root, "a", "data"), filepath.Join(root, "a", "moved"))
			},
			[]string{"http://c.example/", "http://www.a.example/x"},
		},
		{
			"two files with the same bytes, moved",
			map[string]string{"a/" + one: lineA, "a/" + two: lineA},
			[]step{{"a", "data", 2, nil}, {"a", "moved", 0, nil}},
			func(root string) error {
				return os.Rename(filepath.Join(root, "a", "data"), filepath.Join(root, "a", "moved"))
			},
			[]string{"http://www.a.example/x", "http://www.a.example/x"},
		},
		{
			"a copy, of which the first changes",
			map[string]string{"a/" + one: lineA, "b/" + one: lineA},
			[]step{{"a", "data", 1, nil}, {"b", "data", 1, nil}, {"a", "data", 1, nil}},
			func(root string) error {
				// Before the second step it is as it was.
				name := filepath.Join(root, "a", "data", "seen")
				if _, err := os.Stat(name); err != nil {
					return os.WriteFile(name, nil, 0o644)
				}
				return os.WriteFile(filepath.Join(root, "a", one), []byte(lineC), 0o644)
			},
			[]string{"http://c.example/", "http://www.a.example/x"},
		},
		{
			"moved, in another format",
			map[string]string{"a/" + one: lineA},
			[]step{{"a", "data", 1, nil}, {"a", "moved", 1, []string{holdings.FormatParquet}}},
			func(root string) error {
				return os.Rename(filepath.Join(root, "a", "data"), filepath.Join(root, "a", "moved"))
			},
			[]string{"http://www.a.example/x"},
		},
		{
			"two files with the same bytes, one changes",
			map[string]string{"a/" + one: lineA, "a/" + two: lineA},
			[]step{{"a", "data", 2, nil}, {"a", "data", 1, nil}},
			func(root string) error { return os.WriteFile(filepath.Join(root, "a", two), []byte(lineC), 0o644) },
			[]string{"http://c.example/", "http://www.a.example/x"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, to := t.TempDir(), t.TempDir()
			for name, text := range tt.files {
				name = filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for i, s := range tt.steps {
				if i > 0 && tt.then != nil {
					if err := tt.then(root); err != nil {
						t.Fatal(err)
					}
				}
				t.Chdir(filepath.Join(root, s.wd))
				c := open(t, to, collection.OpenOptions{})
				from := local(strings.Replace(s.name, "ROOT", root, 1))
				done, err := care.Adopt(t.Context(), c, from, shard.Options{Formats: s.formats})
				if err != nil || done.Units != s.units {
					t.Errorf("adopt %s: %d units, %v, want %d", s.name, done.Units, err, s.units)
				}
				shut(t, c)
			}
			var got []string
			all, _, err := holdings.Whole(local(to))
			if err != nil {
				t.Fatal(err)
			}
			for d, err := range all.Documents(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, d.URL)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("documents of %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAdopt_noted: in a collection of ingest, adopted units may have fields that its run did not fill.
func TestAdopt_noted(t *testing.T) {
	for _, tt := range []struct {
		options map[string]any
		want    bool
	}{{map[string]any{"extract": []string{"text"}}, true}, {map[string]any{"formats": []string{"jsonl"}}, false}} {
		from, to := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(from, "documents-1.jsonl"), []byte(lineA), 0o644); err != nil {
			t.Fatal(err)
		}
		c := open(t, to, collection.OpenOptions{})
		if _, err := c.Finish(nil, collection.Run{Options: tt.options}); err != nil {
			t.Fatal(err)
		}
		shut(t, c)
		for range 2 { // the note stays
			adopted(t, to, from, shard.Options{}, false)
			m, err := holdings.ReadManifest(local(to))
			if err != nil || len(m.Units) != 1 || (m.Units[0].MadeWith != nil) != tt.want {
				t.Errorf("%v: %+v, %v", tt.options, m.Units, err)
			}
		}
	}
}
