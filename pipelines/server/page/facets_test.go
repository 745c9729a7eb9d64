package page_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// captures asks the API for a number of captures.
func (s *site) captures(t *testing.T, path string) int64 {
	t.Helper()
	r, err := s.client.Get(s.address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it was read
	var a struct{ Captures int64 }
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return a.Captures
}

// TestValues_excludeTheRest: for each value of each field, the captures with it and those without it are all captures.
func TestValues_excludeTheRest(t *testing.T) {
	s := theSite(t)
	all := s.captures(t, "/api/v1/search?collection=harbour&query=harbour")
	for _, field := range []string{
		"lang", "host", "domain", "mime", "page_type", "status", "source", "record_type", "flag", "author", "tag", "entity",
	} {
		r, err := s.client.Get(s.address + "/api/v1/values?collection=harbour&query=harbour&limit=3&field=" + field)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Values []struct {
				Value, Exclude string
				Count          int64
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close() // it was read
		if len(list.Values) == 0 {
			t.Errorf("no values of %s", field)
		}
		for _, v := range list.Values {
			with := s.captures(t, "/api/v1/search?collection=harbour&query=harbour&"+field+"="+url.QueryEscape(v.Value))
			without := s.captures(t, "/api/v1/search?collection=harbour&query=harbour&not="+
				url.QueryEscape(field+":"+v.Value))
			if with != v.Count || with+without != all {
				t.Errorf("%s %q: %d are counted, %d found, %d without it, %d in all", field, v.Value, v.Count, with,
					without, all)
			}
			if v.Exclude == "" && len(list.Values) > 1 || v.Exclude != "" && !strings.Contains(v.Exclude, "not=") {
				t.Errorf("%s %q: the link to leave it out is %q", field, v.Value, v.Exclude)
			}
		}
	}
}

// TestAcross: captures, facets and years of several collections are the sums of theirs.
func TestAcross(t *testing.T) {
	s := theSite(t)
	r, err := s.client.Get(s.address + "/api/v1/across?query=harbour&not=lang:fr")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it was read
	var a struct {
		Captures int64
		Answers  []struct {
			Collection string
			Captures   int64
			Link       string
		}
		Facets []struct {
			Values []struct{ Count int64 }
			Rest   int64
		}
		Years struct {
			Bars    []struct{ Count int64 }
			Undated int64
		}
		Failed map[string]string
	}
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		t.Fatal(err)
	}
	want := int64(0)
	// Another test may have filled the empty collection.
	empty := a.Failed["empty"] != ""
	for _, one := range a.Answers {
		empty = empty || one.Collection == "empty"
		n := s.captures(t, "/api/v1/search?query=harbour&not=lang:fr&collection="+one.Collection)
		if n != one.Captures || !strings.Contains(one.Link, "not=lang%3Afr") {
			t.Errorf("%+v, want %d captures", one, n)
		}
		want += n
	}
	if a.Captures != want || want == 0 || len(a.Answers) < 2 || !empty {
		t.Errorf("%d captures, want %d; %v, %v", a.Captures, want, a.Answers, a.Failed)
	}
	for _, f := range a.Facets {
		n := f.Rest
		for _, v := range f.Values {
			n += v.Count
		}
		if n != want {
			t.Errorf("a facet has %d captures, want %d", n, want)
		}
	}
	n := a.Years.Undated
	for _, b := range a.Years.Bars {
		n += b.Count
	}
	if n != want {
		t.Errorf("years have %d captures, want %d", n, want)
	}
}

// TestBrowser_facets leaves out a language, and goes to all values of a field and back with one of them, without
// scripts.
func TestBrowser_facets(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.address + "/harbour/search?query=harbour"))
	b.do(chromedp.Click(".facet a.not"), chromedp.WaitVisible(`.chips[aria-label="Active filters"]`))
	if at := b.where(); !strings.Contains(at, "not=lang") {
		t.Errorf("leaving out leads to %s", at)
	}
	b.do(chromedp.Click(`a[href*="field=author"]`), chromedp.WaitVisible("#find"))
	b.do(chromedp.Click("tbody th a"), chromedp.WaitVisible(".hits"))
	if at := b.where(); !strings.Contains(at, "author=") || !strings.Contains(at, "not=lang") {
		t.Errorf("a value leads to %s", at)
	}
	b.do(chromedp.Navigate(s.address + "/"))
	b.do(chromedp.SendKeys("#all", "harbour"), chromedp.Click("main form button"), chromedp.WaitVisible(".hits"))
	b.do(chromedp.Click(".side tbody th a"), chromedp.WaitVisible("#from"))
	if at := b.where(); !strings.Contains(at, "/harbour/search?") {
		t.Errorf("a collection leads to %s", at)
	}
}

// TestBrowser_forms finds another form of a word from the overview, with the form marked, and not in quotation marks.
func TestBrowser_forms(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	for typed, found := range map[string]bool{"auctions": true, `"auctions"`: false} {
		b.do(chromedp.Navigate(s.address + "/harbour"))
		b.do(chromedp.SendKeys("#q", typed), chromedp.Click("form.go button"), chromedp.WaitVisible("#from"))
		marked := ask[bool](b, `[...document.querySelectorAll(".hits mark")].some(
			(e) => e.textContent.toLowerCase() === "auction")`)
		if marked != found {
			t.Errorf("%s: auction is marked: %v, want %v", typed, marked, found)
		}
	}
	b.silent()
}
