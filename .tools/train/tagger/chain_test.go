package main

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// A label scores more after those that it often follows, and names of a type by its bias.
func TestNewChain(t *testing.T) {
	lex := &lexicon{file: model.NewLexicon(make([]byte, 8*8), make([]byte, 4*8), 1)}
	var docs []labelled
	for range 100 {
		docs = append(docs,
			labelled{text: "Émile Zola", names: []model.Span{{Start: 0, End: 11, Type: model.Person}}},
			labelled{text: "Paris wept", names: []model.Span{{Start: 0, End: 5, Type: model.Location}}})
	}
	c := newChain(lex, docs)
	const person, personEnd, organization, place, placeAlone = 1, 3, 5, 9, 12
	biased := c.Transitions[organization][organization] - c.Transitions[place][place]
	for what, is := range map[string]bool{
		"a name's end follows its begin": c.Transitions[person][personEnd] > 10,
		"nothing else does":              c.Transitions[person][0] < -20,
		"places stand alone":             c.Transitions[0][placeAlone] > 5,
		"organizations are favoured":     biased == bias[model.Organization],
		"votes count":                    c.Vote == vote && c.VoteCap == voteCap,
	} {
		if !is {
			t.Errorf("not so: %s (%v)", what, c.Transitions)
		}
	}
}
