package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestResource_farPair: any two versions can be compared, however many newer ones there are.
func TestResource_farPair(t *testing.T) {
	const all = 3000
	stamp := func(i int) time.Time { return time.Date(2010, 1, 1+i, 12, 0, 0, 0, time.UTC) }
	v := manyPages(t, all, nil, func(i int, d *schemas.Document) {
		d.URL, d.SURT, d.Status = "http://example.org/a", "org,example)/a", 200+100*(i%2)
		d.Timestamp, d.Text = stamp(i).Format(time.RFC3339), fmt.Sprint("text ", i)
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	place := func(i int64) string { return placeOf(&schemas.Document{Filename: "a.warc", Offset: i}) }
	for _, tt := range []struct {
		ask      ResourceRequest
		from, to int
	}{
		{ResourceRequest{From: "2010", To: "2012"}, 364, 1095},
		{ResourceRequest{From: "2012", To: "2010"}, 1095, 364},
		{ResourceRequest{From: "2010"}, 364, all - 1},
		{ResourceRequest{To: "2010"}, all - 1, 364},
		{ResourceRequest{From: "1999", To: "2018-03-01"}, 0, 2981},
		{ResourceRequest{From: "2010-01-05", To: "2012", At: "2012"}, 4, 1095},
		{ResourceRequest{From: "2018", At: "2012"}, all - 1, all - 1},
		{ResourceRequest{From: "2017", At: "2012"}, 2921, all - 1},
		{ResourceRequest{From: place(3), To: place(2999)}, 3, 2999},
		{ResourceRequest{From: place(1000), To: place(1001), At: place(5)}, 1000, 1001},
		{ResourceRequest{From: "2010-01-05", To: "2012", Status: "3"}, 3, 1095},
		{ResourceRequest{At: "2012"}, 1094, 1095},
	} {
		tt.ask.URL = "http://example.org/a"
		res, err := v.Resource(ctx, tt.ask)
		if err != nil {
			t.Errorf("%+v: %v", tt.ask, err)
			continue
		}
		if tt.from == tt.to {
			if res.Diff != nil {
				t.Errorf("%+v: a version is compared with itself", tt.ask)
			}
			continue
		}
		from, to := stampOf(stamp(tt.from)), stampOf(stamp(tt.to))
		if res.Diff == nil || res.Diff.From != from || res.Diff.To != to || res.Diff.Removed+res.Diff.Added == 0 {
			t.Errorf("%+v: %+v, want %s to %s", tt.ask, res.Diff, from, to)
			continue
		}
		if a, b := res.Compared[0].Offset, res.Compared[1].Offset; a != int64(tt.from) || b != int64(tt.to) {
			t.Errorf("%+v: %d and %d are compared", tt.ask, a, b)
		}
		for _, one := range res.Versions {
			if one.From != (one.Offset == int64(tt.from)) || one.To != (one.Offset == int64(tt.to)) {
				t.Errorf("%+v: %d is marked as from %v, to %v", tt.ask, one.Offset, one.From, one.To)
			}
		}
	}
	if _, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/a", From: "~9999.0.a.warc"}); err == nil {
		t.Error("a place without a capture is compared")
	}
}

// TestResource_farOriginal: compared revisits have the texts of originals that are not listed.
func TestResource_farOriginal(t *testing.T) {
	digestOf := func(i int) string {
		return "sha1:" + strings.Map(func(c rune) rune { return c - '0' + 'A' }, fmt.Sprintf("%032d", i))
	}
	v := manyPages(t, maxVersions+200, nil, func(i int, d *schemas.Document) {
		d.URL, d.SURT, d.Digest = "http://example.org/a", "org,example)/a", digestOf(i)
		d.Timestamp = time.Date(2010, 1, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
		d.Text = fmt.Sprint("text ", i)
		if i == 100 || i == maxVersions+199 {
			d.RecordType, d.Text, d.Digest = schemas.TypeRevisit, "", digestOf(i%7)
		}
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	res, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/a", From: "2010-04-11"})
	if err != nil || res.Diff == nil {
		t.Fatalf("%+v, %v", res, err)
	}
	// 100 is 2 and 699 is 6 modulo 7.
	if n := len(res.Diff.Blocks); n != 1 || !strings.Contains(fmt.Sprint(res.Diff.Blocks), "6") {
		t.Errorf("the texts of originals: %+v", res.Diff)
	}
}
