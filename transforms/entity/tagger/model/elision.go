package model

import "strings"

// elided are words before an apostrophe that are not part of the name after it.
var elided = wordSet(`l d j m n s t c qu jusqu lorsqu puisqu quelqu dell nell sull dall all coll un quest quell anch v
	gl bell presqu`)

func wordSet(list string) map[uint64]bool {
	m := map[uint64]bool{}
	for w := range strings.FieldsSeq(list) {
		m[HashWord(w)] = true
	}
	return m
}

// elide divides the tokens from first on, of one line, at the apostrophe of an article or pronoun: l'Assemblée,
// dell'Italia.
func (d *document) elide(first int) {
	d.spare = append(d.spare[:0], d.tokens[first:]...)
	d.tokens = d.tokens[:first]
	for _, t := range d.spare {
		word := d.text[t.Start:t.End]
		at := strings.IndexAny(word[:min(len(word), 12)], "'’")
		if at <= 0 || t.Shape == Address || !elided[HashWord(word[:at])] {
			d.tokens = append(d.tokens, t)
			continue
		}
		end := int(t.Start) + at + apostropheSize(word[at:])
		article := token(int(t.Start), end, Lower)
		article.hash = HashWord(word[:at])
		d.tokens = tokenize(d.text[:t.End], end, append(d.tokens, article))
	}
}

func apostropheSize(s string) int {
	if s[0] == '\'' {
		return 1
	}
	return len("’")
}
