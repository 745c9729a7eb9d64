package page_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestSearch_lacks: where nothing is found because an extractor did not run, page and API say which.
func TestSearch_lacks(t *testing.T) {
	s := theSite(t)
	for query, lacks := range map[string]string{
		"sentiment.score+%3C+0": "sentiment", "data.type+%3D+Product": "data", "image.width+%3E+1": "images", "zzzqqq": "",
	} {
		status, body := s.read(t, "/api/v1/search?collection=revised&query="+query)
		if status != http.StatusOK || strings.Contains(body, `"lacks":["`+lacks+`"]`) != (lacks != "") {
			t.Errorf("%s: %d, %.300s", query, status, body)
		}
		status, body = s.read(t, "/revised/search?query="+query)
		if status != http.StatusOK || strings.Contains(body, "made without the extractor <code>"+lacks) != (lacks != "") {
			t.Errorf("%s: %d: the page does not say why nothing is found", query, status)
		}
	}
}
