// Package triggers reads extractors.yaml, a file next to a collection that chooses the captures for each extractor.
// The terms trigger and extractor are those of the paper on Mignify (ASAP, deliverable D8.1).
//
//	# extractors that are not named run on all captures
//	- extractor: sentiment
//	  trigger: language = "en" AND page_type = "article"
//	- extractor: entities
//	  trigger: status = 200
//
// A trigger is a filter of package query. See enrich.Options.Triggers for the fields that it may use.
package triggers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// entry is one entry of the list.
type entry struct {
	Extractor string `yaml:"extractor"`
	Trigger   string `yaml:"trigger"`
}

// MaxBytes bounds the file: it is written by hand.
const MaxBytes = 1 << 20

// Parse parses such a file. It returns filters by names of extractors, in canonical form, so that changes of blanks
// and comments make nothing outdated. The command line checks whether the extractors exist.
func Parse(data []byte) (map[string]string, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("it has more than %d bytes", MaxBytes)
	}
	var list []entry
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true) // a misspelt key would be ignored silently
	if err := d.Decode(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	filters := make(map[string]string, len(list))
	for i, e := range list {
		where, err := query.Parse(e.Trigger)
		switch _, twice := filters[e.Extractor]; {
		case e.Extractor == "" || strings.TrimSpace(e.Trigger) == "":
			return nil, fmt.Errorf("entry %d: an entry has an extractor and a trigger", i+1)
		case twice:
			return nil, fmt.Errorf("%s is there twice: join its triggers by OR", e.Extractor)
		case err != nil:
			return nil, fmt.Errorf("%s: %w%s", e.Extractor, err, mark(err, e.Trigger))
		}
		filters[e.Extractor] = where.String()
	}
	return filters, nil
}

// mark shows the position of a syntax error in a filter. Other errors have no position.
func mark(err error, filter string) string {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return ""
	}
	return "\n" + syntax.Excerpt(filter)
}
