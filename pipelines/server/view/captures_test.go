package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// captured is a page with a capture each 40 days from 2010 on; some are redirects, errors or undated.
func captured(t *testing.T) *Views {
	t.Helper()
	return pagesOf(t, nil, func(i int, d *schemas.Document) {
		d.URL, d.SURT = "http://example.org/a", "org,example)/a"
		d.Timestamp = time.Date(2010, 1, 1+40*i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
		switch d.Status = 200; i % 10 {
		case 3:
			d.Status = 301
		case 4:
			d.Status = 503
		case 5:
			d.Status, d.Timestamp = 0, ""
		}
		d.Title = fmt.Sprint("Title ", i/20)
	})
}

func TestResource_calendar(t *testing.T) {
	v, ctx := captured(t), WithActor(t.Context(), Actor{Role: Viewer})
	ask := func(r ResourceRequest) *Resource {
		t.Helper()
		r.URL = "example.org/a"
		res, err := v.Resource(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := ask(ResourceRequest{})
	c := res.Calendar
	var years, days int64
	for _, y := range c.Years {
		years += y.Count
	}
	for _, m := range c.Months {
		for _, d := range m.Days {
			days += d.Count
		}
	}
	if c.Captures != 100 || c.Undated != 10 || years != 90 || len(c.Classes) != 4 {
		t.Errorf("%d captures, %d undated, %d in years, %v", c.Captures, c.Undated, years, c.Classes)
	}
	last := c.Years[len(c.Years)-1]
	if c.Year != "2020" || last.Label != "2020" || last.Count != days || len(c.Months) != 12 || !last.Shown {
		t.Errorf("the calendar shows %s with %d captures, and its year is %+v", c.Year, days, last)
	}
	if res.Next != "" || !strings.Contains(res.Previous, "at=20") {
		t.Errorf("previous %q, next %q of the newest version", res.Previous, res.Next)
	}
	// The class of a day or year is the best one, and a class as a filter leaves the counts of others.
	one := ask(ResourceRequest{Status: "3", Year: "2011"})
	if one.Calendar.Captures != 10 || len(one.Versions) != 10 || len(one.Calendar.Classes) != 4 || one.Status != "" {
		t.Errorf("redirects: %d in the calendar, %d versions, %v", one.Calendar.Captures, len(one.Versions),
			one.Calendar.Classes)
	}
	if one.Calendar.Year != "2011" || one.Versions[0].Status != 301 {
		t.Errorf("redirects of %s, the first is a %d", one.Calendar.Year, one.Versions[0].Status)
	}
	if none := ask(ResourceRequest{Status: "-"}); none.Calendar.Undated != 10 || len(none.Versions) != 10 {
		t.Errorf("without a status: %d undated, %d versions", none.Calendar.Undated, len(none.Versions))
	}
	differs := res.Versions[slices.IndexFunc(res.Versions, func(v Version) bool { return v.Title == "Title 2" && v.At[0] != '~' })]
	if !slices.Contains(differs.Differs, "title") {
		t.Errorf("the first with another title differs in %v", differs.Differs)
	}
}

// TestResource_many: the versions around a moment are listed, if there are too many for a list.
func TestResource_many(t *testing.T) {
	const all = 3000
	v := manyPages(t, all, nil, func(i int, d *schemas.Document) {
		d.URL, d.SURT, d.Status = "http://example.org/a", "org,example)/a", 200+100*(i%2)
		d.Timestamp = time.Date(2010, 1, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	})
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, test := range []struct {
		ask            ResourceRequest
		shown          string
		more, later    int64
		previous, next string
	}{
		{ResourceRequest{}, "2018-03-19", all - maxVersions, 0, "20180318", ""},
		{ResourceRequest{At: "2014"}, "2014-12-31", 1826 - maxVersions, all - 1826, "20141230", "20150101"},
		{ResourceRequest{At: "2010-01-01"}, "2010-01-01", 0, all - 1, "", "20100102"},
		{ResourceRequest{At: "1999"}, "2010-01-01", 0, all - 1, "", "20100102"},
		{ResourceRequest{Near: "2010-03-01", Status: "3"}, "2010-03-01", 0, all/2 - 30, "20100227", "20100303"},
	} {
		test.ask.URL = "http://example.org/a"
		res, err := v.Resource(ctx, test.ask)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(res.Shown.Timestamp, test.shown) || res.More != test.more || res.Later != test.later {
			t.Errorf("%+v: %s is shown, %d older and %d newer are not listed", test.ask, res.Shown.Timestamp, res.More,
				res.Later)
		}
		for _, turn := range [][2]string{{res.Previous, test.previous}, {res.Next, test.next}} {
			if turn[1] == "" && turn[0] != "" || !strings.Contains(turn[0]+"at=", "at="+turn[1]) {
				t.Errorf("%+v leads to %q, want %q", test.ask, turn[0], turn[1])
			}
		}
	}
}

func TestResource_near(t *testing.T) {
	v, ctx := captured(t), WithActor(t.Context(), Actor{Role: Viewer})
	for near, want := range map[string]string{
		"2010-01-01": "2010-01-01T12:00:00Z", "2010-01-29": "2010-02-10T12:00:00Z", "2010-01-20": "2010-01-01T12:00:00Z",
		"1990": "2010-01-01T12:00:00Z", "2040-01-01": "2020-11-04T12:00:00Z", "20100211": "2010-02-10T12:00:00Z",
	} {
		res, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/a", Near: near})
		if err != nil {
			t.Fatal(err)
		}
		if res.Shown.Timestamp != want {
			t.Errorf("near %s: %s, want %s", near, res.Shown.Timestamp, want)
		}
	}
	_, err := v.Resource(ctx, ResourceRequest{URL: "http://example.org/a", Near: "soon"})
	if !isInvalid(err, "near") {
		t.Errorf("near=soon: %v", err)
	}
}

// TestResource_otherStatuses: statuses that HTTP does not have are a class too.
func TestResource_otherStatuses(t *testing.T) {
	for _, n := range []int{100, 600} { // the list holds all captures, or some
		v := manyPages(t, n, nil, func(i int, d *schemas.Document) {
			d.URL, d.SURT = "http://example.org/a", "org,example)/a"
			d.Status = []int{200, 999, 600, 99, 0}[i%5]
		})
		for _, tt := range []struct {
			status string
			count  int64
		}{{"", int64(n)}, {"2", int64(n / 5)}, {none, int64(n / 5 * 4)}} {
			res, err := v.Resource(as(t, Viewer), ResourceRequest{URL: "http://example.org/a", Status: tt.status})
			if err != nil {
				t.Fatalf("%d captures, status %q: %v", n, tt.status, err)
			}
			listed := int64(len(res.Versions)) + res.More + res.Later
			if res.Calendar.Captures != tt.count || listed != tt.count || res.More < 0 || len(res.Calendar.Classes) != 2 {
				t.Errorf("%d captures, status %q: %d in the calendar, %d listed, %d more, %v", n, tt.status,
					res.Calendar.Captures, listed, res.More, res.Calendar.Classes)
			}
		}
	}
}
