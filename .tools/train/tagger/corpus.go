package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// The domains of texts. Within each, names were labelled by the same rules.
const (
	web    = iota // UNER-EWT
	tweets        // Broad Twitter Corpus
	noisy         // WNUT17
	domains
)

// labelled is a document with its names.
type labelled struct {
	domain int
	text   string
	names  []model.Span
}

// kinds maps the types of the corpora to those of package model.
var kinds = map[string]model.Type{
	"PER": model.Person, "ORG": model.Organization, "LOC": model.Location,
	"person": model.Person, "corporation": model.Organization, "group": model.Organization, "location": model.Location,
}

// corpora are the labelled texts.
type corpora struct{ web, tweets, noisy, noisyDev []labelled }

// readCorpora reads the labelled texts in dir.
func readCorpora(dir string) (c corpora, err error) {
	if c.web, err = readUNER(filepath.Join(dir, "uner_ewt/en_ewt-ud-dev.iob2")); err != nil {
		return c, err
	}
	for _, part := range []string{"a", "b", "e", "f", "g"} {
		docs, err := readTokens(filepath.Join(dir, "btc", part+".conll"), tweets)
		if err != nil {
			return c, err
		}
		c.tweets = append(c.tweets, docs...)
	}
	if c.noisy, err = readTokens(filepath.Join(dir, "wnut17/wnut17train.conll"), noisy); err != nil {
		return c, err
	}
	c.noisyDev, err = readTokens(filepath.Join(dir, "wnut17/emerging.dev.conll"), noisy)
	return c, err
}

// readUNER reads documents of sentences with their text. Each sentence becomes a line.
func readUNER(name string) (docs []labelled, err error) {
	var d *labelled
	at := 0
	errLines := lines(name, func(i int, l string) {
		switch {
		case strings.HasPrefix(l, "# newdoc"):
			docs = append(docs, labelled{domain: web})
			d = &docs[len(docs)-1]
		case strings.HasPrefix(l, "# text = "):
			at = len(d.text)
			d.text += strings.TrimPrefix(l, "# text = ") + "\n"
		case l != "" && l[0] != '#':
			f := strings.Split(l, "\t")
			k := strings.Index(d.text[at:], f[1])
			if k < 0 {
				err = fmt.Errorf("%s:%d: %q is not in the text", name, i+1, f[1])
				return
			}
			at += k + len(f[1])
			d.add(at-len(f[1]), at, f[2])
		}
	})
	return docs, errors.Join(errLines, err)
}

// add adds a token with its label to the names.
func (d *labelled) add(start, end int, label string) {
	if label == "O" {
		return
	}
	kind, ok := kinds[label[2:]]
	if !ok {
		return
	}
	if n := len(d.names) - 1; label[0] == 'I' && n >= 0 && d.names[n].Type == kind && start-d.names[n].End <= 1 {
		d.names[n].End = end
		return
	}
	d.names = append(d.names, model.Span{Start: start, End: end, Type: kind})
}

// readTokens reads texts from tokens with labels, and joins the tokens as in the likely original.
func readTokens(name string, domain int) ([]labelled, error) {
	var docs []labelled
	d := labelled{domain: domain}
	flush := func() {
		if d.text != "" {
			docs = append(docs, d)
		}
		d = labelled{domain: domain}
	}
	err := lines(name, func(_ int, l string) {
		w, label, ok := strings.Cut(l, "\t")
		if !ok || strings.TrimSpace(w) == "" {
			flush()
			return
		}
		if d.text != "" && !joinsLeft(w) && !joinsRight(d.text) {
			d.text += " "
		}
		start := len(d.text)
		d.text += w
		if w != "@" && !(start > 0 && d.text[start-1] == '@') && w[0] != '@' {
			d.add(start, len(d.text), strings.TrimSpace(label))
		}
	})
	flush()
	return docs, err
}

// joinsLeft reports whether there is no space before w.
func joinsLeft(w string) bool {
	switch w {
	case ".", ",", "!", "?", ":", ";", ")", "'s", "’s", "...", "n't", "'m", "'re", "'ve", "'ll", "'d", "%":
		return true
	}
	return false
}

// joinsRight reports whether there is no space after text.
func joinsRight(text string) bool {
	return strings.HasSuffix(text, "(") || strings.HasSuffix(text, " @") || strings.HasSuffix(text, " #") || text == "@" ||
		text == "#"
}
