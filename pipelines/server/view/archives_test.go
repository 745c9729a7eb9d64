package view

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestJudge: the verdict names the worst reject with its offset and loss, or the worst flag, and advises what to do.
func TestJudge(t *testing.T) {
	reject := func(kind schemas.Kind, stage string, offset, lost int64) schemas.Reject {
		return schemas.Reject{Kind: kind, Stage: stage, Offset: offset, Lost: lost, Message: "what happened"}
	}
	for _, tt := range []struct {
		name, file, state, verdict, advice string
		captures                           int64
		rejects                            []schemas.Reject
		flags                              map[string]int64
	}{
		{"whole", "a.warc", "good", "Whole: all records were read.", "", 3, nil, nil},
		{"no capture", "a.warc", "good", "All records were read; none is a capture.", "", 0, nil, nil},
		{"harmless flag", "a.warc", "good", "Whole: all records were read.", "", 3, nil, map[string]int64{"timestamp": 3}},
		{
			"truncated", "a.warc.gz", "bad", "Truncated at offset 12,345; 2.0 KiB lost; 2 rejects.", "size", 3,
			[]schemas.Reject{reject(schemas.KindGarbage, "read", 7, 24), reject(schemas.KindTruncated, "read", 12_345, 2024)},
			nil,
		},
		{
			"an index", "b/c.cdx.gz", "bad", "An index, not an archive.", "ingest --cdx=b/c.cdx.gz", 0,
			[]schemas.Reject{reject(schemas.KindUnsupported, "read", 0, 0)},
			nil,
		},
		{
			"not an archive", "notes.gz", "bad", "Not an archive of a known format.", "Leave it out", 0,
			[]schemas.Reject{reject(schemas.KindUnsupported, "read", 0, 0)},
			nil,
		},
		{
			"a page that broke an extractor", "a.warc", "warn", "What happened at offset 9; 0 B lost; 1 reject.", "", 3,
			[]schemas.Reject{reject(schemas.KindPanic, "text", 9, 0)},
			nil,
		},
		{
			"flags", "a.warc", "warn", "2 captures: payload digest mismatch.", "another copy", 3, nil,
			map[string]int64{"payload_digest": 2, "timestamp": 3},
		},
		{
			"the worst flag", "a.warc", "warn", "1 capture: truncated", "longer", 3, nil,
			map[string]int64{"payload_digest": 2, "partial": 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var f *fault
			for _, r := range tt.rejects {
				if f == nil {
					f = &fault{}
				}
				f.add(r)
			}
			a := ArchiveRow{File: tt.file, Captures: tt.captures}
			a.Flags = counts(tt.flags, flagLabel, func(string) string { return "" })
			a.judge(f)
			if a.State != tt.state || !strings.HasPrefix(a.Verdict, tt.verdict) || !strings.Contains(a.Advice, tt.advice) {
				t.Errorf("%s, %q, %q", a.State, a.Verdict, a.Advice)
			}
		})
	}
}

// TestRejects_order: damage comes by bytes lost, and files that are not archives are counted apart.
func TestRejects_order(t *testing.T) {
	r := &Rejects{byFile: map[string]*fault{}}
	for i := range 300 {
		r.add("out", schemas.Reject{File: "a.warc", Stage: "read", Kind: schemas.KindGarbage, Lost: int64(i)})
		r.add("out", schemas.Reject{File: "index.cdx", Stage: "read", Kind: schemas.KindUnsupported})
		r.add("out", schemas.Reject{File: "index.cdxj.gz", Stage: "read", Kind: schemas.KindUnsupported})
		r.add("out", schemas.Reject{File: "notes.txt", Stage: "read", Kind: schemas.KindUnsupported})
	}
	for i := range 2000 {
		r.add("out", schemas.Reject{File: "b.warc", Stage: "read", Kind: schemas.KindGarbage, Lost: int64(i % 7), Offset: 1})
	}
	r.sort()
	if len(r.Listed) != maxRejects || r.Listed[0].Lost != 299 || r.Listed[maxRejects-1].Lost != 200 {
		t.Errorf("%d rejects, the first with %d bytes", len(r.Listed), r.Listed[0].Lost)
	}
	if r.Others.Count != 900 || r.Others.Indexes != 600 || len(r.Others.Files) != maxRejects {
		t.Errorf("%d files that are not archives, of which %d indexes", r.Others.Count, r.Others.Indexes)
	}
	if f := r.byFile["a.warc"]; f.count != 300 || f.worst.Lost != 299 {
		t.Errorf("a.warc: %+v", f)
	}
}

// TestArchives: every file is a row, whose link finds as many captures as it says.
func TestArchives(t *testing.T) {
	v := pagesOf(t, nil, func(i int, d *schemas.Document) {
		d.Filename = []string{"a.warc", "dir/b*.warc.gz", `c "d".arc`}[i%3]
		if i%10 == 0 {
			d.Flags = []schemas.Flag{schemas.FlagPayload}
		}
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	list, err := v.Archives(ctx, ArchivesRequest{})
	if err != nil || len(list.Files) != 3 || list.Total != 3 {
		t.Fatalf("%d files, %v", len(list.Files), err)
	}
	for _, f := range list.Files {
		s, err := v.Search(ctx, SearchRequest{Query: queryOf(t, f.Link), Fold: "none"})
		if err != nil || s.Captures != f.Captures || f.State != "warn" {
			t.Errorf("%+v: the search finds %d, %v", f, s.Captures, err)
		}
	}
	if list, err = v.Archives(ctx, ArchivesRequest{Find: "B*", Limit: 1}); err != nil || len(list.Files) != 1 ||
		list.Files[0].File != "dir/b*.warc.gz" {
		t.Errorf("%+v, %v", list.Files, err)
	}
	if list, err = v.Archives(ctx, ArchivesRequest{State: "good"}); err != nil || len(list.Files) != 0 {
		t.Errorf("%+v, %v", list.Files, err)
	}
	// All pages have each file once.
	var names []string
	for r := (ArchivesRequest{Limit: 2}); ; {
		page, err := v.Archives(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range page.Files {
			names = append(names, f.File)
		}
		if r.Cursor = page.Next; r.Cursor == "" {
			break
		}
	}
	if slices.Sort(names); len(slices.Compact(names)) != 3 {
		t.Errorf("the pages have %q", names)
	}
}

// TestOverview_title: a title and a description are shown as soon as they are set, and change the version.
func TestOverview_title(t *testing.T) {
	v := pagesOf(t, nil, func(int, *schemas.Document) {})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, a := range []holdings.About{{}, {Title: "Harbour"}, {Title: "Harbour", Description: "Sites"}} {
		before := v.Version(ctx, "")
		c := v.shelf.Find("")
		if err := holdings.SaveAbout(folder.Open(ctx, c.Path(), nil), a); err != nil {
			t.Fatal(err)
		}
		o, err := v.Overview(ctx, OverviewRequest{})
		if err != nil || o.Title != a.Title || o.Description != a.Description {
			t.Errorf("%+v: %q, %q, %v", a, o.Title, o.Description, err)
		}
		list, err := v.Collections(ctx, CollectionsRequest{})
		if err != nil || list.Collections[0].Title != a.Title {
			t.Errorf("%+v: %+v, %v", a, list, err)
		}
		if a.Title != "" && v.Version(ctx, "") == before {
			t.Errorf("%+v: the version stays %s", a, before)
		}
	}
}

// queryOf returns the query of a link to a search.
func queryOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("query")
}

// TestRecordsOf: files that were read alone, whole or in ranges, have a number of records, and others have none.
func TestRecordsOf(t *testing.T) {
	unit := func(records int64, files ...string) schemas.UnitResult {
		u := schemas.UnitResult{Counts: schemas.Counts{Records: records}}
		for _, file := range files {
			u.Inputs = append(u.Inputs, schemas.Range{File: file, Format: "warc", End: 10})
		}
		return u
	}
	got := recordsOf([]schemas.UnitResult{
		unit(5, "a"), unit(7, "b"), unit(2, "a"), unit(9, "c", "d"), unit(3, "c"), unit(1), unit(4, "e", "e"),
	})
	if want := map[string]int64{"a": 7, "b": 7, "e": 4}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
