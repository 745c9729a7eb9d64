package page_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"testing"
)

// TestResource_namesItsSource: the page of a capture shows its source, in agreement with the source's pages: documents
// do not contain this.
func TestResource_namesItsSource(t *testing.T) {
	s := theSite(t)
	ask := func(path string, into any) {
		t.Helper()
		r, err := s.client.Get(s.address + "/api/v1" + path)
		if err != nil {
			t.Fatal(err)
		}
		err = json.NewDecoder(r.Body).Decode(into)
		if err = errors.Join(err, r.Body.Close()); err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, r.Status, err)
		}
	}
	type source struct {
		ID string `json:"source_id"`
	}
	var list struct{ Sources []source }
	ask("/sources?verdict=valid", &list)
	if len(list.Sources) == 0 {
		t.Fatal("no valid source")
	}
	var one struct {
		Pages []struct{ URL string }
	}
	ask("/sources/"+list.Sources[0].ID, &one)
	if len(one.Pages) == 0 {
		t.Fatal("a valid source without pages")
	}
	for _, p := range one.Pages {
		var page struct {
			Links struct{ In []source }
		}
		ask("/resources?collection=harbour&url="+url.QueryEscape(p.URL), &page)
		if len(page.Links.In) != 1 {
			t.Errorf("%s is of the sources %+v, want one of which it is a page", p.URL, page.Links.In)
		}
	}
}
