package wasapi

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

func mustParse(t *testing.T, text string) (question, error) {
	t.Helper()
	v, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return parse(v)
}

func TestParse_pages(t *testing.T) {
	for text, want := range map[string][2]int{
		"": {1, 100}, "page=3": {3, 100}, "page_size=1": {1, 1}, "page_size=2000&page=1073741824": {1 << 30, 2000},
	} {
		if q, err := mustParse(t, text); err != nil || [2]int{q.page, q.size} != want {
			t.Errorf("parse(%q) = page %d of %d, %v, want %v", text, q.page, q.size, err, want)
		}
	}
}

func TestParse_refuses(t *testing.T) {
	for text, param := range map[string]string{
		"page=0": "page", "page=-1": "page", "page=x": "page", "page=": "page", "page=1073741825": "page",
		"page_size=2001": "page_size", "page_size=0": "page_size", "page_size=1.5": "page_size",
		"page_size=99999999999999999999": "page_size", "page=1&page=2": "page", "filename=a&filename=b": "filename",
		"filename=[": "filename", "crawl-time-after=yesterday": "crawl-time-after",
		"crawl-time-before=2021-02-30": "crawl-time-before", "crawl=7": "crawl", "crawl-start-after=2020": "crawl-start-after",
		"crawl-start-before=2020": "crawl-start-before", "collections=a": "collections", "PAGE=1": "PAGE",
	} {
		_, err := mustParse(t, text)
		e := (*view.Error)(nil)
		if !errors.As(err, &e) || e.Kind != view.Invalid || e.Param != param || e.Detail == "" {
			t.Errorf("parse(%q) = %v, want an error about %s", text, err, param)
		}
	}
}

func TestFits(t *testing.T) {
	f := File{Filename: "crawl-2021-水.warc.gz", Filetype: "warc", in: schemas.Range{File: "in/crawl-2021-水.warc.gz"}}
	for _, tt := range []struct {
		text     string
		captured map[string]bool
		want     bool
	}{
		{"", nil, true},
		{"filetype=warc", nil, true},
		{"filetype=WARC", nil, true},
		{"filetype=wacz&filetype=warc", nil, true},
		{"filetype=wacz", nil, false},
		{"filetype=", nil, true},
		{"filename=crawl-*", nil, true},
		{"filename=crawl-2021-?.warc.gz", nil, true},
		{"filename=crawl", nil, false},
		{"filename=in/*", nil, false},
		{"filename=", nil, true},
		{"", map[string]bool{"in/crawl-2021-水.warc.gz": true}, true},
		{"", map[string]bool{"crawl-2021-水.warc.gz": true}, false},
		{"", map[string]bool{}, false},
	} {
		q, err := mustParse(t, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.fits(f, tt.captured); got != tt.want {
			t.Errorf("%q with captures in %v: fits = %v, want %v", tt.text, tt.captured, got, tt.want)
		}
	}
}

// TestFilesOf: a file in several ranges is one file, and other objects cannot be downloaded.
func TestFilesOf(t *testing.T) {
	unit := func(list ...schemas.Range) schemas.UnitResult {
		return schemas.UnitResult{Unit: schemas.Unit{Inputs: list}}
	}
	got := filesOf(schemas.Manifest{Units: []schemas.UnitResult{
		unit(schemas.Range{File: "b.warc.gz", Start: 100, End: 250, Format: "warc+gzip"}),
		unit(schemas.Range{File: "b.warc.gz", End: 100, Format: "warc+gzip"}, schemas.Range{File: "notes.txt", End: 9}),
		unit(schemas.Range{File: "A.arc", End: 7, Format: "arc+plain"}),
	}})
	want := []schemas.Range{
		{File: "A.arc", End: 7, Format: "arc+plain"}, {File: "b.warc.gz", End: 250, Format: "warc+gzip"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("filesOf (-want +got):\n%s", diff)
	}
	for format, want := range map[string]string{"warc+gzip": "warc", "arc+plain": "arc", "wacz": "wacz"} {
		if got := typeOf(format); got != want {
			t.Errorf("typeOf(%q) = %q, want %q", format, got, want)
		}
	}
	names := namesOf([]schemas.Range{{File: "gs://b/x.warc"}, {File: "/data/../x.warc"}, {File: "y.warc"}})
	if names[0] == names[1] || !strings.HasSuffix(names[1], "-x.warc") || names[2] != "y.warc" {
		t.Errorf("namesOf = %q, want different names without folders", names)
	}
}
