package contentdb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning/standard"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// aboutDocuments are pages about masks, and others.
var aboutDocuments = []struct{ name, at, language, title, text string }{
	{"clinic", "2020-01-01T00:00:00Z", "en", "Clinic", "Nurses and doctors in every clinic now wear face coverings."},
	{"match", "2020-01-02T00:00:00Z", "en", "Match", "The team won the final match of the football season."},
	{"clinic", "2021-01-01T00:00:00Z", "en", "Clinic", "The hospital's staff put on masks when they treat patients."},
	{"hopital", "2020-03-01T00:00:00Z", "fr", "Hôpital", "Les médecins et infirmières portent des masques à l'hôpital."},
	{"secret", "2020-03-02T00:00:00Z", "en", "Secret", "Secret plans of the ministry to buy masks for hospitals."},
	{"empty", "2020-03-03T00:00:00Z", "en", "Masks", ""},
}

func openAbout(t *testing.T, o Options) *DB {
	t.Helper()
	var docs []*schemas.Document
	for i, d := range aboutDocuments {
		docs = append(docs, &schemas.Document{
			URL: "http://example.org/" + d.name, SURT: "org,example)/" + d.name, Host: "example.org", Domain: "example.org",
			Timestamp: d.at, Language: d.language, Title: d.title, Text: d.text, Filename: "a.warc.gz", Offset: int64(100 * i),
			Status: 200, RecordType: schemas.TypeResponse,
		})
	}
	o.Meaning = standard.Model
	db, err := OpenPath(t.Context(), collectiontest.Make(t, "a.warc.gz", docs...), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// found returns the names and years of rows, sorted after the first one.
func found(a *AboutAnswer) []string {
	list := []string{}
	for _, r := range a.Rows {
		list = append(list, strings.TrimPrefix(r.URL, "http://example.org/")+" "+r.Timestamp[:4])
	}
	slices.Sort(list[min(1, len(list)):])
	return list
}

func TestAbout(t *testing.T) {
	indexed, scanned := openAbout(t, Options{}), openAbout(t, Options{NoIndex: true})
	where := func(filter string) query.Expr {
		e, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, test := range []struct {
		name    string
		request AboutRequest
		want    []string
	}{
		{"all", AboutRequest{Text: "hospital staff put on masks"}, []string{
			"clinic 2021", "hopital 2020", "secret 2020",
		}},
		{"language", AboutRequest{Text: "hospital masks", Query: query.Query{Where: where(`language = "fr"`)}}, []string{
			"hopital 2020",
		}},
		{"time", AboutRequest{
			Text: "hospital masks", Query: query.Query{Where: where(`timestamp < "2020-02-01"`)},
		}, []string{"clinic 2020"}},
		{"phrase, which only documents decide", AboutRequest{
			Text: "football", Query: query.Query{Where: where(`text:"final match"`)},
		}, []string{"match 2020"}},
		{"limit and offset", AboutRequest{Text: "hospital staff put on masks", Query: query.Query{Limit: 1}}, []string{
			"clinic 2021",
		}},
		{"nothing known", AboutRequest{Text: "\U0010fffd"}, []string{}},
		{"nothing fits", AboutRequest{Text: "masks", Query: query.Query{Where: where(`language = "xx"`)}}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, db := range map[string]*DB{"index": indexed, "shards": scanned} {
				r := test.request
				r.Columns = []string{"url", "timestamp"}
				a, err := db.About(t.Context(), r)
				if err != nil {
					t.Fatal(name, err)
				}
				if diff := cmp.Diff(test.want, found(a)); diff != "" {
					t.Errorf("About by %s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// TestAbout_unknown: words that the model does not know are named. If it knows none, captures are found by words alone.
func TestAbout_unknown(t *testing.T) {
	db := openAbout(t, Options{})
	for _, test := range []struct {
		text, unknown, unsure string
		rows                  int
	}{
		{"hospital staff", "", "", 1},
		{"hospital xqzvw", "xqzvw", "does not know: xqzvw", 1},
		{"xqzvw", "xqzvw", "knows no word", 0},
		{"xqzvw ሰላም", "xqzvw ሰላም", "knows no word", 0},
	} {
		a, err := db.About(t.Context(), AboutRequest{Text: test.text, Columns: []string{"url"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(a.Unknown, " "); got != test.unknown || !strings.Contains(a.Unsure(), test.unsure) ||
			(a.Unsure() == "") != (test.unsure == "") || min(len(a.Rows), 1) != test.rows {
			t.Errorf("%q: unknown %q, %q, %d rows", test.text, got, a.Unsure(), len(a.Rows))
		}
	}
}

func TestAbout_reasons(t *testing.T) {
	db := openAbout(t, Options{})
	a, err := db.About(t.Context(), AboutRequest{Text: "hospital staff masks", Columns: []string{"url"}, Excerpt: 30})
	if err != nil {
		t.Fatal(err)
	}
	first := a.Rows[0]
	if !first.ByWords || first.Alike < .3 || first.From != 0 || len(first.Excerpt.Marks) == 0 || !first.Excerpt.After {
		t.Errorf("the first row is %+v", first)
	}
	if n := len([]rune(first.Excerpt.Text)); n > 30 {
		t.Errorf("the excerpt has %d characters, want at most 30", n)
	}
	for i, r := range a.Rows[1:] {
		if r.ByWords || r.Alike == 0 {
			t.Errorf("row %d is %+v", i+1, r)
		}
	}
	all, err := db.About(t.Context(), AboutRequest{
		Text: "hospital staff masks", Columns: []string{"url", "timestamp"}, Query: query.Query{AllVersions: true},
	})
	if err != nil || len(all.Rows) != 4 {
		t.Errorf("all versions are %v, %v", all, err)
	}
}

func TestAbout_pages(t *testing.T) {
	db := openAbout(t, Options{})
	var list []string
	for offset := 0; ; offset++ {
		a, err := db.About(t.Context(), AboutRequest{
			Text: "hospital masks", Columns: []string{"url"}, Query: query.Query{Limit: 1}, Offset: offset,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range a.Rows {
			list = append(list, r.URL)
		}
		if !a.More {
			break
		}
	}
	if slices.Sort(list); len(list) != 3 || len(slices.Compact(list)) != 3 {
		t.Errorf("pages of one row have %v", list)
	}
}

func TestAbout_like(t *testing.T) {
	db := openAbout(t, Options{})
	a, err := db.About(t.Context(), AboutRequest{
		Like:    &schemas.Document{SURT: "org,example)/hopital", Timestamp: "2020-03-01T00:00:00Z"},
		Columns: []string{"url", "timestamp"}, Query: query.Query{Limit: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"clinic 2021", "secret 2020"}, found(a)); diff != "" {
		t.Errorf("pages like the French one (-want +got):\n%s", diff)
	}
}

// TestAbout_limits asks for words of a capture that a reader may not see, or not read.
func TestAbout_limits(t *testing.T) {
	db := openAbout(t, Options{})
	open, err := query.Parse(`NOT url:secret`)
	if err != nil {
		t.Fatal(err)
	}
	for i, by := range []Limits{{Listed: open}, {Whole: open}, {Listed: open, Whole: open}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			limited, err := db.Limited(t.Context(), by)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range []AboutRequest{
				{Text: "secret plans of the ministry"},
				{Text: "secret plans", NoWords: true},
				{Like: &schemas.Document{SURT: "org,example)/hopital", Timestamp: "2020-03-01T00:00:00Z"}},
				{Text: "secret plans", Query: query.Query{AllVersions: true}},
			} {
				r.Columns = []string{"url", "timestamp"}
				a, err := limited.About(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(strings.Join(found(a), " "), "secret") {
					t.Errorf("About(%q) found %v", r.Text, found(a))
				}
			}
			// Nor may its vector be used.
			a, err := limited.About(t.Context(), AboutRequest{
				Like: &schemas.Document{SURT: "org,example)/secret", Timestamp: "2020-03-02T00:00:00Z"},
			})
			if !errors.Is(err, ErrNoCapture) {
				t.Errorf("pages like the secret one: %v, %v, and not as of an unknown one", a, err)
			}
		})
	}
}

func TestAbout_errors(t *testing.T) {
	db := openAbout(t, Options{})
	if _, err := db.About(t.Context(), AboutRequest{Text: "x", Columns: []string{"nonsense"}}); err == nil {
		t.Error("an unknown column was taken")
	}
	db.core.o.Meaning = nil
	if _, err := db.About(t.Context(), AboutRequest{Text: "x"}); !errors.Is(err, ErrNoMeaning) {
		t.Errorf("without a model: %v, want %v", err, ErrNoMeaning)
	}
}
