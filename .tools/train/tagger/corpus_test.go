package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const shared = "../../../../shared/corpora/entities"

func TestReadCorpora(t *testing.T) {
	c, err := readCorpora(shared)
	if err != nil {
		t.Skip("no ../shared/corpora/entities beside the checkout: texts of others, which may not be copied into it")
	}
	type counts struct{ Docs, Names int }
	got := map[string]counts{}
	for name, docs := range map[string][]labelled{
		"web": c.web, "tweets": c.tweets, "noisy": c.noisy,
		"noisyDev": c.noisyDev,
	} {
		n := counts{Docs: len(docs)}
		for _, d := range docs {
			n.Names += len(d.names)
			checkNames(t, d)
		}
		got[name] = n
	}
	want := map[string]counts{"web": {318, 966}, "tweets": {7338, 6737}, "noisy": {3394, 1682}, "noisyDev": {1009, 617}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("corpora (-want +got):\n%s", diff)
	}
}

// checkNames checks that the names of a document are in order and have few words.
func checkNames(t *testing.T, d labelled) {
	t.Helper()
	last := 0
	for _, n := range d.names {
		name := d.text[n.Start:n.End]
		if n.Start < last || name == "" || strings.HasPrefix(name, "@") || len(strings.Fields(name)) > 16 {
			t.Errorf("name %q at %d after %d in %q", name, n.Start, last, d.text)
		}
		last = n.End
	}
}

func TestLabelled_add(t *testing.T) {
	var d labelled
	d.text = "Jo Li of UN"
	for _, x := range []struct {
		start, end int
		label      string
	}{{0, 2, "B-PER"}, {3, 5, "I-PER"}, {6, 8, "O"}, {9, 11, "I-PER"}, {9, 11, "B-product"}} {
		d.add(x.start, x.end, x.label)
	}
	want := []model.Span{{Start: 0, End: 5, Type: model.Person}, {Start: 9, End: 11, Type: model.Person}}
	if diff := cmp.Diff(want, d.names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
