package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestSearch_lacks: if an extractor did not run and nothing is found, page and API name it.
func TestSearch_lacks(t *testing.T) {
	s := theSite(t)
	for query, lacks := range map[string]string{
		"sentiment.score+%3C+0": "sentiment", "data.type+%3D+Product": "data", "image.width+%3E+1": "images", "zzzqqq": "",
		"entities.sentiment+%3C+0": "sentiment",
	} {
		status, body := s.read(t, "/api/v1/search?collection=revised&query="+query)
		if status != http.StatusOK || strings.Contains(body, `"lacks":["`+lacks+`"]`) != (lacks != "") {
			t.Errorf("%s: %d, %.300s", query, status, body)
		}
		status, body = s.read(t, "/revised/search?query="+query)
		if status != http.StatusOK || strings.Contains(body, "read without <code>--extract="+lacks) != (lacks != "") {
			t.Errorf("%s: %d: the page does not say why nothing is found", query, status)
		}
	}
}

// TestSQL_lacks: so do the page and the API of SQL.
func TestSQL_lacks(t *testing.T) {
	s := theSite(t)
	for statement, want := range map[string]string{
		"select count(*) from documents('entities.sentiment < 0')": "No capture has the field entities.sentiment, which " +
			"ingest --extract=sentiment fills.",
		"select count(*) from documents('custom.price:*')": "No capture has the field custom.price, which ingest --select " +
			"fills.",
		"select count(*) from documents('lang = xx')": "",
	} {
		for path, here := range map[string]string{
			"/api/v1/sql?collection=revised&sql=": `"notes"`, "/revised/sql?sql=": want,
		} {
			status, body := s.read(t, path+url.QueryEscape(statement))
			has := here != "" && strings.Contains(body, here) && strings.Contains(body, want)
			if status != http.StatusOK || has != (want != "") {
				t.Errorf("%s%s: %d, want %q: %.300s", path, statement, status, want, body)
			}
		}
	}
}

// TestSearch_meaningOfNothing: a question without words and a missing capture are errors, and not empty answers.
func TestSearch_meaningOfNothing(t *testing.T) {
	s := theSite(t)
	for query, want := range map[string]int{
		"about=%20": http.StatusBadRequest, "about=%09%0A": http.StatusBadRequest, "about=%3F%21": http.StatusBadRequest,
		"like=%20":                   http.StatusBadRequest,
		"like=x":                     http.StatusBadRequest,
		"like=2020-01-31T12:00:00Z/": http.StatusBadRequest,
		"like=2020-01-31T12:00:00Z/http://nowhere.test/":         http.StatusNotFound,
		"like=2020-01-31T12:00:00Z/http://nowhere.test/&about=a": http.StatusBadRequest,
	} {
		for _, path := range []string{"/api/v1/search?collection=harbour&", "/harbour/search?"} {
			if status, body := s.read(t, path+query); status != want {
				t.Errorf("%s%s: %d, want %d: %.300s", path, query, status, want, body)
			}
		}
	}
}
