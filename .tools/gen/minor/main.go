// Command minor makes the table of n-grams of smaller languages that transforms/langid embeds. It learns them from the
// messages of programs, which translators have written in several hundred languages. The programs are MediaWiki
// (GPL-2.0+), Firefox (MPL-2.0), LibreOffice (MPL-2.0) and VLC (GPL-2.0+), as Debian packages them. The script fetch.sh
// downloads and unpacks them, by version and checksum:
//
//	sh .tools/gen/minor/fetch.sh /tmp/messages
//	go run ./.tools/gen/minor -messages /tmp/messages -out transforms/langid/minor.bin
//	go run ./.tools/pack transforms/langid/minor.bin
//
// Only weights of n-grams are kept, no text. Some messages of MediaWiki are not learnt from: -dev writes them to a
// file, to choose constants with. Texts for reports come from elsewhere.
//
// The weights mean the same as in the table of the larger languages (.tools/gen/ngrams), so that scores of both can be
// compared. There are fewer texts to learn from. So the likelihood of a letter is interpolated with the likelihood
// after a shorter context.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
)

func main() {
	log.SetFlags(0)
	messages := flag.String("messages", "", "`folder` of the unpacked packages")
	out := flag.String("out", "minor.bin", "file to write")
	dev := flag.String("dev", "", "`file` for the messages that are not learnt from, by language")
	flag.Parse()
	if err := run(*messages, *out, *dev); err != nil {
		log.Fatal("minor: ", err)
	}
}

func run(messages, out, dev string) error {
	texts, err := readAll(messages)
	if err != nil {
		return err
	}
	if dev != "" {
		if err := os.WriteFile(dev, devLines(texts), 0o644); err != nil {
			return err
		}
	}
	table, err := build(texts)
	if err != nil {
		return err
	}
	return os.WriteFile(out, table, 0o644)
}

// build returns the table of the languages' messages.
func build(texts map[string]*corpus) ([]byte, error) {
	h := ngram.Header{
		Source: fmt.Sprintf("messages of MediaWiki, Firefox, LibreOffice and VLC; unseen %v, back-off %v, pruned below %v",
			unseen, backOff, prune),
		Step: step,
	}
	for script, list := range languages {
		for _, l := range list {
			h.Languages = append(h.Languages, ngram.Language{Code: l.code, Script: script, Bias: l.bias})
		}
	}
	var models []model
	for i, l := range h.Languages {
		m := newModel(texts[l.Code].learnt)
		m.language, m.script = uint8(i), l.Script
		log.Printf("%s: %d letters", l.Code, m.letters)
		models = append(models, m)
	}
	h.Alphabets = alphabets(models)
	var postings []ngram.Posting
	for _, m := range models {
		postings = m.appendPostings(postings, h.Alphabets[m.script])
	}
	log.Printf("%d languages, %d weights", len(models), len(postings))
	return ngram.Encode(h, postings)
}

// devLines returns the messages that are not learnt from, joined to lines of about 200 letters.
func devLines(texts map[string]*corpus) []byte {
	var b strings.Builder
	for _, list := range languages {
		for _, l := range list {
			var line []string
			n := 0
			for _, message := range slices.Sorted(slices.Values(texts[l.code].kept)) {
				line = append(line, strings.Fields(message)...)
				if n += len([]rune(message)); n >= 200 {
					fmt.Fprintf(&b, "%s\t%s\n", l.code, strings.Join(line, " "))
					line, n = nil, 0
				}
			}
		}
	}
	return []byte(b.String())
}
