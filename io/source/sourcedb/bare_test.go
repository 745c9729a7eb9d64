package sourcedb

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// again are captures of a site's posts, after days, as change makes them.
func again(days int, change func(d *schemas.Document)) (docs []*schemas.Document) {
	for n := 1; n < 6; n++ {
		d := &schemas.Document{URL: fmt.Sprintf("https://a.example/post/%d", n), Status: 200}
		d.Timestamp = noon.AddDate(0, 0, days).Format(time.RFC3339)
		change(d)
		docs = append(docs, d)
	}
	return docs
}

func revisited(d *schemas.Document) { d.RecordType = schemas.TypeRevisit }

// movedTo makes a redirect from a form of a URL to another.
func movedTo(from, to string) func(*schemas.Document) {
	return func(d *schemas.Document) {
		path := d.URL[len("https://a.example"):]
		d.Status, d.URL, d.RedirectURL = 301, from+path, to+path
	}
}

// TestUpdate_bareCaptures: a capture that shows nothing of its page leaves an earlier one as it was, in any order.
func TestUpdate_bareCaptures(t *testing.T) {
	row := linksTo("a.example", "feed.xml", 1, 2, 3, 4, 5)
	for name, tt := range map[string]struct {
		docs    []*schemas.Document
		verdict string
		reasons []string
	}{
		"as captured":      {nil, "valid", []string{}},
		"revisits":         {again(7, revisited), "valid", []string{}},
		"revisits by 304":  {again(7, func(d *schemas.Document) { revisited(d); d.Status = 304 }), "valid", []string{}},
		"responses of 304": {again(7, func(d *schemas.Document) { d.Status = 304 }), "valid", []string{}},
		"next year":        {again(400, revisited), "valid", []string{}},
		"from http":        {again(7, movedTo("http://a.example", "https://a.example")), "valid", []string{}},
		"from www":         {again(0, movedTo("https://www.a.example", "https://a.example")), "valid", []string{}},
		"gone":             {again(7, func(d *schemas.Document) { d.Status = 404 }), "rejected", []string{"gone"}},
		"moved": {
			again(7, movedTo("https://a.example", "https://a.example/old")), "undecided", []string{"nothing captured"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, docs := range [][]*schemas.Document{
				append(posts("a.example", 1, 6), tt.docs...), append(tt.docs, posts("a.example", 1, 6)...),
			} {
				for _, steps := range []int{1, 2} {
					byURL, _ := sourcesOf(t, steps, []schemas.FeedCapture{row}, docs)
					got := byURL[row.URL]
					if got.Verdict != tt.verdict || !cmp.Equal(got.Reasons, tt.reasons) {
						t.Errorf("%d steps: %s, %q", steps, got.Verdict, got.Reasons)
					}
				}
			}
		})
	}
}

// TestUpdate_onlyBare: pages that no capture shows are not captured for the verdict, and are still listed.
func TestUpdate_onlyBare(t *testing.T) {
	row := linksTo("a.example", "feed.xml", 1, 2, 3, 4, 5)
	byURL, _ := sourcesOf(t, 1, []schemas.FeedCapture{row}, again(7, revisited))
	got := byURL[row.URL]
	if got.Verdict != "undecided" || got.Reasons[0] != "nothing captured" || len(got.Pages) != 5 {
		t.Errorf("%s, %q, pages %v", got.Verdict, got.Reasons, got.Pages)
	}
}

// TestCaptured_otherForms: a redirect to another form of a URL does not count as a capture of its page.
func TestCaptured_otherForms(t *testing.T) {
	const site = "https://a.example"
	status := func(n int) func(*schemas.Document) { return func(d *schemas.Document) { d.Status = n } }
	slash := func(d *schemas.Document) { d.Status, d.RedirectURL = 308, d.URL+"/" }
	for name, tt := range map[string]struct {
		docs []*schemas.Document
		want bool
	}{
		"nothing":             {nil, false},
		"from http":           {again(0, movedTo("http://a.example", site)), false},
		"from www":            {again(0, movedTo("https://www.a.example", site)), false},
		"to a slash":          {again(0, slash), false},
		"a revisit of it":     {again(0, func(d *schemas.Document) { slash(d); revisited(d) }), false},
		"both, in turn":       {append(again(0, movedTo("http://a.example", site)), again(1, slash)...), false},
		"followed":            {append(again(1, slash), posts("a.example", 1, 6)...), true},
		"followed to nothing": {append(again(1, slash), again(0, status(404))...), true},
		"to another page":     {again(0, movedTo(site, site+"/old")), true},
		"the page":            {again(0, status(200)), true},
		"gone":                {again(0, status(410)), true},
		"unchanged":           {again(0, status(304)), true},
		"revisits":            {again(0, revisited), true},
	} {
		t.Run(name, func(t *testing.T) {
			f := folder.Open(t.Context(), t.TempDir(), nil)
			db, err := Open(f)
			must(t, err)
			defer func() { must(t, db.Close()) }()
			row := linksTo("a.example", "feed.xml", 1, 2, 3, 4, 5)
			m, err := db.Update(t.Context(), []Part{partOf(t, f, []schemas.FeedCapture{row}, tt.docs)}, Options{})
			must(t, err)
			links := map[uint64]bool{source.LinkKey(site + "/post/1"): false, source.LinkKey(site + "/post/5"): false}
			must(t, Captured(t.Context(), f, m, links))
			for _, got := range links {
				if got != tt.want {
					t.Errorf("captured: %v, want %v", got, tt.want)
				}
			}
		})
	}
}

// TestUpdate_fates: captures of a feed's URL that failed or showed nothing new are visits, each of them.
func TestUpdate_fates(t *testing.T) {
	row := linksTo("a.example", "feed.xml", 1, 2, 3, 4, 5)
	visits := func(n, days, status int, kind schemas.RecordType) (docs []*schemas.Document) {
		for i := range n {
			when := noon.AddDate(0, 0, days*(i+1)).Format(time.RFC3339)
			docs = append(docs, &schemas.Document{URL: row.URL, Status: status, Timestamp: when, RecordType: kind})
		}
		return docs
	}
	for name, tt := range map[string]struct {
		docs     []*schemas.Document
		state    string
		failures schemas.Float
		visited  int // days after the first capture
	}{
		"none":               {nil, "live", 0, 0},
		"once 404":           {visits(1, 30, 404, "response"), "live", 1, 30},
		"months of 404":      {visits(11, 30, 404, "response"), "gone", 11, 330},
		"weeks of 500":       {visits(20, 7, 500, "response"), "gone", 4, 140},
		"three of 500":       {visits(3, 7, 500, "response"), "live", .75, 21},
		"months of 404, 304": {append(visits(3, 30, 404, "response"), visits(1, 95, 304, "revisit")...), "dormant", 0, 95},
		"304 each day":       {visits(30, 1, 304, "revisit"), "live", 0, 30},
		"responses of 304":   {visits(30, 1, 304, "response"), "live", 0, 30},
		"the same each day":  {visits(30, 1, 200, "revisit"), "live", 0, 30},
		"silent for months":  {visits(4, 30, 200, "revisit"), "dormant", 0, 120},
		"before":             {visits(4, -30, 404, "response"), "live", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, steps := range []int{1, 3} {
				byURL, m := sourcesOf(t, steps, []schemas.FeedCapture{row}, tt.docs)
				got := byURL[row.URL]
				if got.Health.State != tt.state || got.Health.Failures != tt.failures {
					t.Errorf("%d steps: %+v", steps, got.Health)
				}
				want := noon.AddDate(0, 0, tt.visited).Format(time.RFC3339)
				if got.LastRefresh != want || m.AsOf != want || got.Refresh.Next <= want {
					t.Errorf("%d steps: visited %s, as of %s, next %s; want %s",
						steps, got.LastRefresh, m.AsOf, got.Refresh.Next, want)
				}
			}
		})
	}
}
