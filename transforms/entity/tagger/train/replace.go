package main

import (
	"math/rand/v2"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// replaceNames returns a copy of each web page among docs, in which every name is replaced by one of its type from
// anywhere in docs: what stands around names is learnt with more of them.
func replaceNames(docs []labelled) (copies []labelled) {
	var names [model.Types][]string
	for _, d := range docs {
		for _, n := range d.names {
			names[n.Type] = append(names[n.Type], d.text[n.Start:n.End])
		}
	}
	r := rand.New(rand.NewPCG(11, 0))
	for _, d := range docs {
		if d.domain != web || len(d.names) == 0 {
			continue
		}
		c := labelled{domain: web}
		var text strings.Builder
		at := 0
		for _, n := range d.names {
			text.WriteString(d.text[at:n.Start])
			at = n.End
			start := text.Len()
			text.WriteString(names[n.Type][r.IntN(len(names[n.Type]))])
			c.names = append(c.names, model.Span{Start: start, End: text.Len(), Type: n.Type})
		}
		c.text = text.String() + d.text[at:]
		copies = append(copies, c)
	}
	return copies
}
