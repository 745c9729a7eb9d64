package corpora

import (
	"context"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
	"github.com/gleaner-web/gleaner/transforms/corpus/paragraph"
	"github.com/gleaner-web/gleaner/transforms/corpus/word"
	"github.com/gleaner-web/gleaner/transforms/neardup"
)

// layout is the version of the files between the steps, and of those that are written.
const layout = "2"

// The kinds of duplicates that can be looked for.
const (
	ByURL     = "url"     // captures of one URL
	ByPayload = "payload" // bodies of one digest
	ByText    = "text"    // texts that are equal except for white space
	BySimhash = "simhash" // texts of one fingerprint, see package neardup
	ByNear    = "near"    // near-duplicates by MinHash
)

// Dedups are all of them, in the order in which they are looked for.
func Dedups() []string { return []string{ByURL, ByPayload, ByText, BySimhash, ByNear} }

// Options say what a corpus is made of and how. They travel as JSON; all but the last three decide on its bytes.
type Options struct {
	Recipe     filter.Recipe      `json:"recipe"`
	Dedup      []string           `json:"dedup"`
	Keep       cluster.Rule       `json:"keep"`                 // which of equal texts and bodies stays
	KeepURL    cluster.Rule       `json:"keep_url"`             // which of the captures of a URL
	Paragraphs int                `json:"paragraphs,omitempty"` // hosts from which on it stays in one document; 0 for any
	Text       string             `json:"text,omitempty"`       // TextPlain, also if empty, or TextMarkdown
	Seed       string             `json:"seed"`                 // of the shuffle and of samples
	Sample     float64            `json:"sample"`               // share of the documents, 0 for all
	Mix        map[string]float64 `json:"mix"`                  // shares of languages in the corpus, by bytes of text
	Partition  Partition          `json:"partition"`
	Formats    []string           `json:"formats"`
	Shard      int64              `json:"shard"`        // bytes of text in a shard
	Refused    bool               `json:"keep_refused"` // write what is refused too
	Against    []string           `json:"against"`      // earlier corpora, whose documents are not taken again

	Memory int `json:"-"` // bytes that sorting holds
}

// Needs returns the columns of documents that a corpus is made of, beside those of captures, and what asks for them.
func (o Options) Needs() []filter.Need {
	list := append([]filter.Need{{Filter: "its texts", Column: "text"}}, o.Recipe.Needs()...)
	if len(o.Mix) > 0 {
		list = append(list, filter.Need{Filter: "--mix", Column: "language"})
	}
	if o.Partition == "language" {
		list = append(list, filter.Need{Filter: "--partition", Column: "language"})
	}
	if o.Text == TextMarkdown {
		list = append(list, filter.Need{Filter: "--text=markdown", Column: "main_html"})
	}
	return list
}

// versions are those of what decides on the bytes of any corpus.
func versions() map[string]string {
	return map[string]string{
		"layout": layout, "filter": filter.Version, "minhash": minhash.Version, "neardup": neardup.Version,
		"paragraph": paragraph.Version, "word": word.Version,
	}
}

// versions are those of what decides on the bytes of this corpus.
func (o Options) versions() map[string]string {
	v := versions()
	if o.Refused {
		v["clusters"] = clustersVersion
	}
	return v
}

// Steps makes a corpus in a folder. Its methods may be called in any process that reaches the folder; those of one
// step's pieces side by side.
type Steps struct {
	Out     folder.Folder
	Options Options
	// What CommonKey says, when Options.Paragraphs is set: for Sign, and what asks for UnitKey.
	Shared string
	Open   func(ctx context.Context, name string) folder.Folder // for earlier corpora
}

func (s *Steps) sorter() *extsort.Sorter {
	return extsort.New(extsort.Options{MemoryBytes: s.Options.Memory})
}
