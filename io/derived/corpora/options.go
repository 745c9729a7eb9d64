package corpora

import (
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
	"github.com/gleaner-web/gleaner/transforms/corpus/paragraph"
	"github.com/gleaner-web/gleaner/transforms/corpus/word"
	"github.com/gleaner-web/gleaner/transforms/neardup"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// layout is the version of the files between the steps, and of the output.
const layout = "3"

// The kinds of duplicates.
const (
	ByURL     = "url"     // captures of one URL
	ByPayload = "payload" // bodies with the same digest
	ByText    = "text"    // texts that are equal except for white space
	BySimhash = "simhash" // texts with the same fingerprint, see package neardup
	ByNear    = "near"    // near-duplicates by MinHash
)

// Dedups returns all of them, in the order of their search.
func Dedups() []string { return []string{ByURL, ByPayload, ByText, BySimhash, ByNear} }

// searches returns what the steps after the filters compare documents by: those of Dedup, and what earlier corpora are
// known by.
func (o Options) searches() (list []string) {
	for _, by := range Dedups() {
		if slices.Contains(o.Dedup, by) || len(o.Against) > 0 && (by == ByPayload || by == ByText || by == ByNear) {
			list = append(list, by)
		}
	}
	return list
}

// onlyEarlier reports whether documents are compared by this with those of earlier corpora alone.
func (o Options) onlyEarlier(by string) bool { return !slices.Contains(o.Dedup, by) }

// Options describe a corpus. They travel as JSON. All but Memory determine its bytes.
type Options struct {
	Recipe     filter.Recipe      `json:"recipe"`
	Dedup      []string           `json:"dedup"`
	Keep       cluster.Rule       `json:"keep"`                 // which of equal texts and bodies stays
	KeepURL    cluster.Rule       `json:"keep_url"`             // which of the captures of a URL stays
	Paragraphs int                `json:"paragraphs,omitempty"` // minimum hosts of a shared paragraph; 0 to keep all
	Text       string             `json:"text,omitempty"`       // TextPlain, the default, or TextMarkdown
	Seed       string             `json:"seed"`                 // of the shuffle and of samples
	Sample     float64            `json:"sample"`               // share of the documents, 0 for all
	Mix        map[string]float64 `json:"mix"`                  // shares of languages in the corpus, by bytes of text
	Partition  Partition          `json:"partition"`
	Formats    []string           `json:"formats"`
	Shard      int64              `json:"shard"`        // bytes of text in a shard
	Refused    bool               `json:"keep_refused"` // write refused documents too
	Against    []string           `json:"against"`      // earlier corpora, whose documents are not taken again
	// AgainstMade is the EarlierKey of Against, since a corpus can be made again.
	AgainstMade string `json:"against_made,omitempty"`
	// Tokens is the SHA-256 of the tokenizer's file, or "" if tokens are not counted.
	Tokens  string   `json:"tokens,omitempty"`
	Columns []Column `json:"columns,omitempty"` // further columns of rows
	// Hosts is the HostsKey of the collections if the recipe has the filter rights.
	Hosts string `json:"hosts,omitempty"`

	Memory int `json:"-"` // bytes for sorting
}

// Needs returns the columns of documents that a corpus needs, beside those of captures, and what needs them.
func (o Options) Needs() []filter.Need {
	list := append([]filter.Need{{Filter: "its texts", Column: "text"}}, o.Recipe.Needs()...)
	if len(o.Mix) > 0 {
		list = append(list, filter.Need{Filter: "--mix", Column: "language"})
	}
	if o.Partition == "language" {
		list = append(list, filter.Need{Filter: "--partition", Column: "language"})
	}
	for _, c := range o.Columns {
		isIt := func(made string) bool { return strings.HasPrefix(made, c.Name+":") }
		if !slices.ContainsFunc(o.Recipe.PlugColumns(""), isIt) {
			e, _ := query.NewCompare(c.Path, query.Equal, "*") // the path has been parsed before
			list = append(list, filter.Need{Filter: "--columns", Column: columnOf(c.Path), Where: e})
		}
	}
	if o.Text == TextMarkdown {
		list = append(list, filter.Need{Filter: "--text=markdown", Column: "main_html"})
	}
	return list
}

// columnOf returns the column of documents that a path begins with.
func columnOf(path string) string {
	f, _, _ := query.Lookup(path) // the path has been parsed before
	return f.Column()
}

// versions are the versions that determine the bytes of any corpus.
func versions() map[string]string {
	return map[string]string{
		"layout": layout, "filter": filter.Version, "minhash": minhash.Version, "neardup": neardup.Version,
		"paragraph": paragraph.Version, "word": word.Version,
	}
}

// versions returns the versions that determine the bytes of this corpus.
func (o Options) versions() map[string]string {
	v := versions()
	if o.Refused {
		v["clusters"] = clustersVersion
	}
	return v
}

// Steps makes a corpus in a folder. Its methods may be called in any process that reaches the folder; parts of one step
// run in parallel.
type Steps struct {
	Out     folder.Folder
	Options Options
	// Shared is the result of CommonKey if Options.Paragraphs is set; Sign and callers of UnitKey need it.
	Shared string
	Open   func(ctx context.Context, name string) folder.Folder // for earlier corpora
	Scores folder.Folder                                        // keeps the values of plugs; nil for nowhere
	Tools  filter.Tools                                         // for plugs and tokens
}

func (s *Steps) sorter() *extsort.Sorter {
	return extsort.New(extsort.Options{MemoryBytes: s.Options.Memory})
}
