package gazetteer

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A span is a name in a text, with its type in the corpus.
type span struct {
	start, end int
	kind       string
}

// A corpus is a file with a token and its tag on each line, and an empty line after each sentence.
type corpus struct {
	file  string
	token int // column
	tag   int
}

// corpora are the sets in ../shared whose places show how often the gazetteer is right. No weight was fitted to them.
// Rules were made with a look at the mistakes in all but the last two.
var corpora = []corpus{
	{"wnut17/wnut17train.conll", 0, 1},
	{"uner_ewt/en_ewt-ud-dev.iob2", 1, 2},
	{"wnut17/emerging.dev.conll", 0, 1},
	{"btc/a.conll", 0, 1},
	{"btc/b.conll", 0, 1},
	{"btc/e.conll", 0, 1},
	{"btc/f.conll", 0, 1},
	{"btc/g.conll", 0, 1},
}

// sentences calls use for each sentence of the corpus and the names in it.
func (c corpus) sentences(t *testing.T, use func(text string, names []span)) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "corpora", "entities", c.file))
	if err != nil {
		t.Skip("no ../shared/corpora/entities beside the checkout: texts of others, which may not be copied into it")
	}
	defer f.Close()
	var text strings.Builder
	var names []span
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) <= c.tag || strings.TrimSpace(fields[c.token]) == "" {
			if text.Len() > 0 {
				use(text.String(), names)
			}
			text.Reset()
			names = nil
			continue
		}
		start := text.Len()
		text.WriteString(fields[c.token])
		switch tag, kind, _ := strings.Cut(strings.TrimSpace(fields[c.tag]), "-"); tag {
		case "B":
			names = append(names, span{start, text.Len(), strings.ToLower(kind)})
		case "I":
			if n := len(names); n > 0 {
				names[n-1].end = text.Len()
			}
		}
		text.WriteByte(' ')
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// It counts how often results of the gazetteer in English posts are places to their annotators, who also label
// regions, streets and buildings.
func TestFind_corpora(t *testing.T) {
	for _, c := range corpora {
		var bins [3]struct{ found, right int }
		var found, exact, part, organization, other, gold, got int
		c.sentences(t, func(text string, names []span) {
			for _, n := range names {
				if n.kind == "loc" || n.kind == "location" {
					gold++
				}
			}
			for _, m := range Find(text, Context{Language: "en"}, nil) {
				found++
				kind, same := overlapping(names, m)
				bin := &bins[min(2, max(0, int(m.Confidence*5)-2))]
				bin.found++
				if kind == "loc" || kind == "location" {
					bin.right++
				}
				switch {
				case kind == "loc" || kind == "location":
					part++
					if same {
						exact++
						got++
					}
				case kind == "org" || kind == "corporation" || kind == "group":
					organization++
				default:
					other++
				}
				if testing.Verbose() && kind != "loc" && kind != "location" {
					t.Logf("%-5s %.2f %q in %.140s", kind, m.Confidence, text[m.Start:m.End], text)
				}
			}
		})
		t.Logf("%-28s found %4d: a place %.3f (exactly %.3f), of an organization %.3f, else %.3f; %.3f of %d places", c.file,
			found,
			float64(part)/float64(found), float64(exact)/float64(found), float64(organization)/float64(found),
			float64(other)/float64(found),
			float64(got)/float64(gold), gold)
		t.Logf("%-28s by confidence, below .6, to .8, above: %v", c.file, bins)
	}
}

// overlapping returns the type of the name that m overlaps, and whether both have the same words.
func overlapping(names []span, m Mention) (kind string, same bool) {
	for _, n := range names {
		if n.start < m.End && m.Start < n.end {
			return n.kind, n.start == m.Start && n.end == m.End
		}
	}
	return "", false
}
