package archive

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/cdr"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/io/archive/warc"
)

// outputs is the table of the formats that are written; a new one is a line here.
var outputs = []struct {
	name string
	open func(dump.Sink, dump.WriteOptions) dump.Writer
}{
	{"ache-html", ache.NewFilesystemHTML},
	{"ache-json", ache.NewFilesystemJSON},
	{"ache-cbor", ache.NewFilesystemCBOR},
	{"ache-files", ache.NewFiles},
	{"ache-warc", ache.NewWARC},
	{"pagestore", pagestore.NewWriter},
	{"cdr", cdr.NewWriter},
	{"content", datastreamer.NewWriter},
	{"warc", func(s dump.Sink, o dump.WriteOptions) dump.Writer { return warc.NewWriter(s, o) }},
	{"wacz", func(s dump.Sink, o dump.WriteOptions) dump.Writer { return wacz.NewWriter(s, o) }},
}

// Outputs are the names of the formats that are written.
func Outputs() []string {
	names := make([]string, len(outputs))
	for i, o := range outputs {
		names[i] = o.name
	}
	return names
}

// NewWriter returns a writer of the format called name, one of Outputs, which gives its files to s.
func NewWriter(name string, s dump.Sink, o dump.WriteOptions) (dump.Writer, error) {
	for _, known := range outputs {
		if known.name == name {
			return known.open(s, o), nil
		}
	}
	return nil, fmt.Errorf("unknown output format %q: there are %s", name, strings.Join(Outputs(), ", "))
}
