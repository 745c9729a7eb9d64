package webtable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// full is a document with something in each family, and its capture.
func full() (*schemas.Document, *schemas.Capture) {
	n := 3
	url := "http://www.example.com/a?b=c"
	host, domain := urlkey.Site(url)
	d := &schemas.Document{
		URL: url, SURT: urlkey.SURT(url), Host: host, Domain: domain, Timestamp: "2026-03-04T10:00:00Z", Status: 200,
		MIMEDetected: "text/html", Language: "fr", Languages: []schemas.Language{{Code: "fr", Share: 1, Confidence: .9}},
		Title: "Un <titre>", Text: "Le texte", MainHTML: "<p>Le texte", PageType: "article",
		Entities: []schemas.Entity{{Type: "person", Text: "A", Source: "tagger"}},
		Feeds:    []schemas.Feed{{URL: "http://x/", Type: "rss"}}, LinksInternal: &n, Simhash: "00ff",
		Quality: &schemas.Quality{Words: 2}, Digest: "sha1:X", RecordType: schemas.TypeResponse, Filename: "a.warc",
		Offset: 7,
		Length: 9, BodyBytes: 11, IP: "127.0.0.1", Crawl: map[string]string{"a": "b"},
		Custom:         map[string][]string{"name": {"tea", ""}},
		CustomIntegers: map[string][]int64{"stars": {-1 << 63, 0, 1<<63 - 1}},
		CustomFloats:   map[string][]schemas.Float{"score": {.1, 2, -1e300}},
		CustomBooleans: map[string][]bool{"sold": {true, false}},
		CustomTimes:    map[string][]string{"seen": {"1678-01-01T00:00:00Z", "2026-03-04T10:30:00.123456Z"}},
	}
	c := &schemas.Capture{
		URL: url, Timestamp: time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC), RecordID: "urn:x",
		RecordType: schemas.TypeResponse,
		IP:         "127.0.0.1", Status: 200, Header: []schemas.Field{
			{Name: "X-\xff", Value: "a\x00b"},
			{Name: "X", Value: ""},
		},
		MIMEDeclared: "text/html; charset=\xe9", Body: []byte("<html>\x00\xff"), Digest: "sha1:X", Truncated: "time",
		Flags: []schemas.Flag{schemas.FlagHTTP}, RefersTo: &schemas.Reference{URL: "http://y/"},
		Origin: schemas.Origin{File: "a.warc", Offset: 7, Length: 9, Sequence: 1},
		Crawl:  map[string]string{"a": "b", "c": "\xff"},
	}
	return d, c
}

func put(t *testing.T, s rowstore.Store, l Layout, d *schemas.Document, c *schemas.Capture) {
	t.Helper()
	row, err := l.Row(d, c)
	if err == nil {
		err = s.Put(t.Context(), []rowstore.Row{row})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rows(t *testing.T, s rowstore.Store) (all []rowstore.Row) {
	t.Helper()
	for row, err := range s.Scan(t.Context(), rowstore.Range{Versions: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

func captures(t *testing.T, row rowstore.Row) (list []*schemas.Capture) {
	t.Helper()
	Captures(row, func(c *schemas.Capture, err error) bool {
		if err != nil {
			t.Error(err)
		}
		list = append(list, c)
		return true
	})
	return list
}

// TestRow_roundTrip: documents are read back as they were written, with bytes that are not text and values of many
// cells.
func TestRow_roundTrip(t *testing.T) {
	d, c := full()
	large, body := *d, *c
	large.Text, body.Body = strings.Repeat("long ", 2<<20), bytes.Repeat([]byte("0123456789"), 1<<20)
	bare := &schemas.Document{RecordType: schemas.TypeARC, Filename: "x"}
	for _, l := range []Layout{{Inline: true}, {Inline: true, ByURL: true}} {
		for name, test := range map[string]struct {
			d *schemas.Document
			c *schemas.Capture
		}{"full": {d, c}, "large": {&large, &body}, "bare": {bare, &schemas.Capture{}}} {
			s := memory.New()
			put(t, s, l, test.d, test.c)
			put(t, s, l, test.d, test.c)
			all := rows(t, s)
			if len(all) != 1 || all[0].Key != l.key(test.d) || !l.ByURL && test.d == d && all[0].Key != "com,example)/a?b=c" {
				t.Fatalf("%s: %d rows, %q", name, len(all), all[0].Key)
			}
			got, err := Documents(all[0])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]*schemas.Document{test.d}, got); diff != "" {
				t.Errorf("%s: documents (-want +got):\n%.2000s", name, diff)
			}
			back := captures(t, all[0])
			if len(back) != 1 || !bytes.Equal(back[0].Body, test.c.Body) {
				t.Fatalf("%s: %d captures", name, len(back))
			}
			want := *test.c
			want.Body, back[0].Body = nil, nil // which cmp would compare byte by byte
			if diff := cmp.Diff(&want, back[0]); diff != "" {
				t.Errorf("%s: capture (-want +got):\n%.2000s", name, diff)
			}
			for _, cell := range all[0].Cells {
				if len(cell.Value) > maxValue {
					t.Errorf("%s: a cell of %d bytes", name, len(cell.Value))
				}
			}
		}
	}
}

// TestRow_sameMillisecond: http and https, captured at once, are two documents of one row and version.
func TestRow_sameMillisecond(t *testing.T) {
	s, l := memory.New(), Layout{Inline: true}
	d, c := full()
	put(t, s, l, d, c)
	d2, c2 := *d, *c
	d2.URL, d2.Offset, d2.Language, c2.Body, c2.URL = "https://example.com/a?b=c", 8, "en", []byte("other"),
		"https://example.com/a?b=c"
	put(t, s, l, &d2, &c2)
	all := rows(t, s)
	if len(all) != 1 {
		t.Fatalf("%d rows", len(all))
	}
	got, err := Documents(all[0])
	if err != nil || len(got) != 2 || len(captures(t, all[0])) != 2 {
		t.Fatalf("%d documents, %v", len(got), err)
	}
	for _, lang := range []string{"fr", "en"} {
		where, err := query.Parse(`language = "` + lang + `"`)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := find(t.Context(), s, l, query.Query{Where: where}); err != nil || len(found) != 1 ||
			found[0].Language != lang {
			t.Errorf("%s: %d found, %v", lang, len(found), err)
		}
	}
}

// TestRow_writtenAgain: what another extraction does not say any more is gone.
func TestRow_writtenAgain(t *testing.T) {
	s := memory.New()
	d, _ := full()
	put(t, s, Layout{}, d, nil)
	again := *d
	again.Entities, again.Text, again.Quality = nil, "", nil
	put(t, s, Layout{}, &again, nil)
	got, err := Documents(rows(t, s)[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*schemas.Document{&again}, got); diff != "" {
		t.Errorf("-want +got:\n%.2000s", diff)
	}
}

// TestRow_writtenShorter: a value that becomes shorter has nothing of the earlier one, which left cells in the row.
func TestRow_writtenShorter(t *testing.T) {
	d, c := full()
	for name, sizes := range map[string][]int{
		"one cell less": {maxValue + 1, maxValue - 1}, "a full cell": {maxValue + 1, maxValue},
		"two full cells": {3*maxValue + 1, 2 * maxValue}, "none": {maxValue + 1, 0},
		"longer again":    {2*maxValue + 1, 5, maxValue + 7},
		"many cells less": {4*maxValue + 1, maxValue + 1}, "longer": {5, maxValue, 3 * maxValue},
	} {
		s, l := memory.New(), Layout{Inline: true}
		var again schemas.Document
		var body schemas.Capture
		for i, size := range sizes {
			again, body = *d, *c
			again.Text = strings.Repeat("x", size)
			body.Body = bytes.Repeat([]byte{byte(i)}, size)
			put(t, s, l, &again, &body)
		}
		row := rows(t, s)[0]
		got, err := Documents(row)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got) != 1 || got[0].Text != again.Text {
			t.Errorf("%s: %d documents, or another text", name, len(got))
		}
		if back := captures(t, row); len(back) != 1 || !bytes.Equal(back[0].Body, body.Body) {
			t.Errorf("%s: %d captures, or another body", name, len(back))
		}
	}
}

// TestRow_columnsOfOne: D8.1's columns are all of the capture that was written last, not a mixture of two.
func TestRow_columnsOfOne(t *testing.T) {
	full, fullBody := full()
	bare := &schemas.Document{URL: full.URL, SURT: full.SURT, Timestamp: full.Timestamp, Filename: "b", Offset: 1}
	large := schemas.Capture{Body: make([]byte, maxContent+1)}
	for name, tt := range map[string]struct {
		d *schemas.Document
		c *schemas.Capture
	}{
		"nothing known": {bare, &schemas.Capture{}}, "a larger body": {full, &large},
		"no header": {full, &schemas.Capture{Body: []byte("x")}}, "no capture": {bare, nil},
	} {
		columns := map[string]map[string]string{}
		for _, order := range []string{"alone", "after another"} {
			s := memory.New()
			l := Layout{Inline: tt.c != nil}
			if order != "alone" {
				put(t, s, l, full, fullBody)
			}
			put(t, s, l, tt.d, tt.c)
			columns[order] = map[string]string{}
			for _, c := range rows(t, s)[0].Cells {
				is := c.Family == Content && c.Qualifier == d81Content ||
					c.Family == Metadata && !strings.Contains(c.Qualifier, "#")
				// The newest of each column is the first.
				if _, known := columns[order][c.Family+":"+c.Qualifier]; is && !known {
					columns[order][c.Family+":"+c.Qualifier] = string(c.Value)
				}
			}
		}
		if diff := cmp.Diff(columns["alone"], columns["after another"]); diff != "" || len(columns["alone"]) < 7 {
			t.Errorf("%s: -alone +after another:\n%.1000s", name, diff)
		}
	}
}

// TestCaptures_damaged: a body that lacks a cell is reported, and not returned as whole.
func TestCaptures_damaged(t *testing.T) {
	d, c := full()
	c.Body = make([]byte, maxValue+1)
	row, err := Layout{Inline: true}.Row(d, c)
	if err != nil {
		t.Fatal(err)
	}
	row.Cells = slices.DeleteFunc(row.Cells, func(c rowstore.Cell) bool { return strings.HasSuffix(c.Qualifier, ".0001") })
	Captures(row, func(_ *schemas.Capture, err error) bool {
		if !errors.Is(err, ErrBody) {
			t.Errorf("%v, want ErrBody", err)
		}
		return true
	})
}

func TestKey(t *testing.T) {
	long := "http://example.com/" + strings.Repeat("x", 5000)
	for _, l := range []Layout{{}, {ByURL: true}} {
		a, b := l.Key(long), l.Key(long+"y")
		if len(a) != maxKey+65 || a == b || a[:maxKey] != b[:maxKey] {
			t.Errorf("%q and %q", a, b)
		}
		if row, err := l.Row(&schemas.Document{Filename: "x"}, nil); err != nil || len(row.Key) != 17 {
			t.Errorf("without a URL: %q, %v", row.Key, err)
		}
	}
}

// random makes documents of few pages, times and features, so that they meet.
func random(n int) (list []*schemas.Document) {
	r := rand.New(rand.NewPCG(19, 7))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for i := range n {
		host := pick("example.com", "www.example.com", "example.com:8080", "other.example.com", "xn--bcher-kva.example",
			"1.2.3.4")
		url := pick("http", "https", "ftp") + "://" + pick("", "", "user@") + host +
			pick("/", "/a", "/b?x="+strings.Repeat("y", 1200))
		if r.IntN(20) == 0 {
			url = pick("", "about:blank", "no url")
		}
		h, domain := urlkey.Site(url)
		at := time.Date(2026, 3, 1+r.IntN(5), 0, 0, r.IntN(2), r.IntN(3)*500_000, time.UTC).Format(time.RFC3339Nano)
		list = append(list, &schemas.Document{
			URL: url, SURT: urlkey.SURT(url), Host: h, Domain: domain, Timestamp: pick(at, at, at, ""),
			Language: pick("fr", "en", ""), MIMEDetected: pick("application/pdf", "text/html"), Title: pick("budget", "other"),
			Status: 200 + 204*r.IntN(2), RecordType: schemas.TypeResponse, Filename: pick("a.warc", "b.warc"), Offset: int64(i),
		})
	}
	return list
}

// simple answers a query as its documentation says, from a list.
func simple(list []*schemas.Document, q query.Query) []*schemas.Document {
	q = q.Sampled()
	var all []*schemas.Document
	for _, d := range list {
		if q.At.IsZero() && query.Match(q.Where, d) || !q.At.IsZero() && !query.KeyOf(d).Timestamp.After(q.At) {
			all = append(all, d)
		}
	}
	if !q.AllVersions {
		best := map[string]*schemas.Document{}
		for _, d := range all {
			if old := best[d.SURT]; old == nil || query.KeyOf(d).Newer(query.KeyOf(old)) {
				best[d.SURT] = d
			}
		}
		all = nil
		for _, d := range best {
			if q.At.IsZero() || query.Match(q.Where, d) {
				all = append(all, d)
			}
		}
	}
	return ordered(all, q)
}

// TestFind compares answers with those of a list, for filters that stores decide and others.
func TestFind(t *testing.T) {
	list := random(400)
	for _, l := range []Layout{{}, {ByURL: true}} {
		s := memory.New()
		for _, d := range list {
			put(t, s, l, d, nil)
		}
		for _, filter := range []string{
			``, `language = "fr"`, `lang = fr AND mime = "application/pdf" AND timestamp >= 2026-03-02 AND timestamp < 2026-03-04`,
			`lang = fr OR status = 404`, `lang != fr`, `NOT status = 200`, `status > 300`, `mime:pdf`,
			`title = budget AND lang = en`,
			`host = "example.com"`, `host = "www.example.com" AND lang = fr`, `host = "example.com" OR host = "1.2.3.4"`,
			`host = "xn--bcher-kva.example"`, `host = "EXAMPLE.com"`, `host = "a/b"`, `url = "http://example.com/a"`,
			`surt = "com,example)*"`, `surt = "com,example)/a"`, `surt = "*a"`, `timestamp = 2026-03-03`,
			`timestamp <= 2026-03-03`,
			`timestamp > 2026-03-03`, `language:*`, `NOT language:*`, `host = "example.com" AND host = "1.2.3.4"`,
			`lang = fr AND (title = budget OR mime = "text/html")`,
		} {
			var where query.Expr
			if filter != "" {
				var err error
				if where, err = query.Parse(filter); err != nil {
					t.Fatalf("%s: %v", filter, err)
				}
			}
			for _, q := range []query.Query{
				{},
				{AllVersions: true},
				{At: time.Date(2026, 3, 3, 0, 0, 0, 500_000, time.UTC)},
				{Limit: 3},
				{Order: query.SURT},
				{Order: query.Oldest, Limit: 5, AllVersions: true},
				{Order: query.Length, Limit: 5},
				{Order: query.Length, Sample: 500_000},
			} {
				q.Where = where
				got, err := find(context.Background(), s, l, q)
				if err != nil {
					t.Fatalf("%s: %v", filter, err)
				}
				if diff := cmp.Diff(keys(simple(list, q)), keys(got)); diff != "" {
					t.Errorf("%+v: %s, %+v (-want +got):\n%.1500s", l, filter, q, diff)
				}
			}
		}
	}
}

func keys(list []*schemas.Document) (all []string) {
	for _, d := range list {
		all = append(all, fmt.Sprintf("%s %s %s %d", d.Timestamp, d.SURT[:min(30, len(d.SURT))], d.Filename, d.Offset))
	}
	return all
}

// TestPlan_pushed: the store itself applies the most frequent conditions.
func TestPlan_pushed(t *testing.T) {
	where, err := query.Parse(`lang = fr AND mime = "application/pdf" AND timestamp >= 2026-03 AND timestamp < 2026-04 AND title:x`)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := Plan(Layout{}, query.Query{Where: where})
	want := rowstore.All{
		rowstore.Column{Family: Features, Qualifier: "language=fr"},
		rowstore.Column{Family: Features, Qualifier: "mime_detected=application/pdf"},
	}
	if diff := cmp.Diff(rowstore.Filter(want), r.Where); diff != "" || r.Since.Month() != 3 || r.Till.Month() != 4 {
		t.Errorf("%s; from %v to %v", diff, r.Since, r.Till)
	}
}

func FuzzDecodeHead(f *testing.F) {
	_, c := full()
	f.Add(encodeHead(c))
	f.Add(encodeHead(&schemas.Capture{}))
	f.Add([]byte("\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := decodeHead(b)
		if err != nil {
			return
		}
		h.capture.Body = nil
		if _, err := decodeHead(encodeHead(&h.capture)); err != nil {
			t.Errorf("a head that was read is not read again: %v", err)
		}
	})
}
