package capture

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/ache"
	"github.com/gleaner-web/gleaner/io/cdr"
	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/io/datastreamer"
	"github.com/gleaner-web/gleaner/io/pagestore"
	"github.com/gleaner-web/gleaner/io/wacz"
	"github.com/gleaner-web/gleaner/io/warc"
)

// outputs is the table of the formats that are written; a new one is a line here.
var outputs = []struct {
	name string
	open func(codec.Sink, codec.WriteOptions) codec.Writer
}{
	{"ache-html", ache.NewFilesystemHTML},
	{"ache-json", ache.NewFilesystemJSON},
	{"ache-cbor", ache.NewFilesystemCBOR},
	{"ache-files", ache.NewFiles},
	{"ache-warc", ache.NewWARC},
	{"pagestore", pagestore.NewWriter},
	{"cdr", cdr.NewWriter},
	{"content", datastreamer.NewWriter},
	{"warc", func(s codec.Sink, o codec.WriteOptions) codec.Writer { return warc.NewWriter(s, o) }},
	{"wacz", func(s codec.Sink, o codec.WriteOptions) codec.Writer { return wacz.NewWriter(s, o) }},
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
func NewWriter(name string, s codec.Sink, o codec.WriteOptions) (codec.Writer, error) {
	for _, known := range outputs {
		if known.name == name {
			return known.open(s, o), nil
		}
	}
	return nil, fmt.Errorf("unknown output format %q: there are %s", name, strings.Join(Outputs(), ", "))
}
