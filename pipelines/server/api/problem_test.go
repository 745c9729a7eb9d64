package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// TestBrief: an error does not send back a value that may have a megabyte, nor half a character of it. Other answers
// stay the same.
func TestBrief(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	got, err := brief(nil, "422", &huma.ErrorModel{Errors: []*huma.ErrorDetail{
		{Message: "short", Location: "query.limit", Value: "x"},
		{Message: long, Location: "query." + long, Value: long},
		{Value: []string{long}},
		{Value: 7},
	}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil || len(text) > 2000 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	list := got.(*huma.ErrorModel).Errors
	if want := strings.Repeat("é", maxRepeated) + "…"; list[1].Value != want || list[1].Message != want {
		t.Errorf("%v, want %d characters", list[1].Value, maxRepeated)
	}
	if list[0].Value != "x" || list[0].Location != "query.limit" || list[2].Value != nil || list[3].Value != 7 {
		t.Errorf("%s", text)
	}
	if other, err := brief(nil, "200", "answer"); other != "answer" || err != nil {
		t.Errorf("%v, %v", other, err)
	}
}
