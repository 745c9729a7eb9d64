package enrich_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// praise reports by a list of words whether a text praises or blames.
type praise map[string]int

func (praise) Name() string      { return "praise" }
func (praise) Version() string   { return "1" } // also of the list
func (praise) Columns() []string { return []string{"praise", "praise_words"} }

func (s praise) Extract(p *enrich.Page) (map[string][]string, error) {
	sum, known := 0, []string(nil)
	for word := range strings.FieldsFuncSeq(strings.ToLower(p.Text()), func(r rune) bool { return !('a' <= r && r <= 'z') }) {
		if weight := s[word]; weight != 0 {
			sum, known = sum+weight, append(known, word)
		}
	}
	if len(known) == 0 {
		return nil, nil
	}
	return map[string][]string{"praise": {strconv.Itoa(sum)}, "praise_words": known[:min(len(known), 10)]}, nil
}

// A program that imports this package and pipelines/command/ingest also has the extractor in its ingest command. It
// can be a flag's value, and works in extractors.yaml and on every worker.
func init() {
	enrich.MustRegister(praise{"good": 1, "excellent": 3, "bad": -1, "dreadful": -3})
}

func ExampleMustRegister() {
	e, err := enrich.New(enrich.Options{
		Extract:  []string{"text", "language", "praise"},
		Triggers: map[string]string{"praise": `language = "en"`},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{
		"The soup was good, and the fish was excellent. We will come back with all of our friends next week.",
		"Die Suppe war gut und der Fisch hervorragend, aber das Wort bad steht hier auch. Wir kommen bald wieder.",
	} {
		d := e.Document(&schemas.Capture{URL: "http://example.org/", MIMEDeclared: "text/plain", Body: []byte(text)})
		fmt.Println(d.Language, d.Custom)
	}
	fmt.Println(e.Versions()["extractor:praise"])
	// Output:
	// en map[praise:[4] praise_words:[good excellent]]
	// de map[]
	// 1
}
