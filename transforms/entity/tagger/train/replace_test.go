package main

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

func TestReplaceNames(t *testing.T) {
	docs := []labelled{
		{domain: web, text: "Ann saw Rome.", names: []model.Span{{Start: 0, End: 3, Type: model.Person}, {Start: 8, End: 12, Type: model.Location}}},
		{domain: tweets, text: "Li", names: []model.Span{{Start: 0, End: 2, Type: model.Person}}},
		{domain: web, text: "nobody"},
	}
	copies := replaceNames(docs)
	if len(copies) != 1 || len(copies[0].names) != 2 {
		t.Fatalf("copies %+v, want one with two names", copies)
	}
	c := copies[0]
	person, place := c.text[c.names[0].Start:c.names[0].End], c.text[c.names[1].Start:c.names[1].End]
	if person != "Ann" && person != "Li" || place != "Rome" || c.text != person+" saw Rome." {
		t.Errorf("copy %q with names %q and %q", c.text, person, place)
	}
}
