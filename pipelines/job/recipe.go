package job

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// Recipe is what changes the output. Its JSON is the note of it in manifests, of which the keys of units are made: so
// each field is in them. Renaming one makes all earlier units stale. Fields that were added later have omitempty, so
// that units of earlier versions still match.
type Recipe struct {
	Formats     []string          `json:"formats"`
	Compression string            `json:"compression"`
	Extract     []string          `json:"extract"`
	Select      Fields            `json:"select"`
	Triggers    map[string]string `json:"triggers,omitempty"` // a filter for each extractor named: see enrich.Options
	Accuracy    langid.Accuracy   `json:"language_accuracy"`
	MaxBody     int64             `json:"max_body"` // bytes
	MaxHead     int               `json:"max_head"` // bytes
	MaxRatio    int64             `json:"max_ratio"`

	// Filters of captures. Others are read and counted, but no output is made from them.
	Where  string `json:"where,omitempty"`  // a filter as in package query, or empty for all
	Sample int64  `json:"sample,omitempty"` // pages per million, see chosen; 0 for all
	Limit  int64  `json:"limit,omitempty"`  // the first matching captures in the order of the units; 0 for all

	// What documents keep of the main text.
	Text    string `json:"text,omitempty"`    // TextPlain (also if empty), TextMarkdown or TextNone
	Profile string `json:"profile,omitempty"` // a profile of package maintext; empty means balanced
	// Comments is a mode of package maintext for readers' comments; empty means separate.
	Comments string   `json:"comments,omitempty"`
	Without  []string `json:"without,omitempty"` // columns of WithoutColumns that documents do not keep

	// SourcesMade is the generation of Machine.Sources, because records change with its content.
	SourcesMade string `json:"sources,omitempty"`
	// SiteTemplates asks for a first pass over all archives, which finds the boilerplate of their hosts.
	SiteTemplates bool `json:"site_templates,omitempty"`
	// Sinks are the servers that get pages, beside the output. Notes have their lasting settings.
	Sinks sinks.Sinks `json:"sinks"`
}

// Machine says where the output goes, and what a machine gives to the run. It changes no byte of the output.
type Machine struct {
	Output    string
	Remote    blob.Options
	Workers   int    // captures that a process enriches at once; 0 for one per CPU of its machine
	Memory    int64  // heap limit of a process in bytes, or 0 for the default
	Elsewhere bool   // workers on other machines do the work and limit their own memory
	Sources   string // a database made by `sources --sqlite`, which fills the source_* fields of Datastreamer's records
}

// Run is what a run has found out before its units are done.
type Run struct {
	ID         string // identifies the job in its process: see session
	Generation collection.Generation
	Report     report.Run
	Units      int                   // how many units the plan has
	JoinedKey  string                // of the unit of joined records
	Made       map[string]string     // versions of all that units depend on
	Division   string                // how the inputs were divided
	Dir        string                // the folder of relative archive names
	Table      string                // key of the table of site templates
	Templates  schemas.SiteTemplates // describes the finished table
}

// Job is all that a worker has to know of a run. It travels as JSON, so all fields are exported.
type Job struct {
	Recipe  `json:"recipe"`
	Machine `json:"machine"`
	Run     `json:"run"`
}

// The default heap limit: language models and tables, and for each worker a page with its trees. The heap grows to it
// for any input size and stays there (docs/benchmarks.md).
const (
	baseMemory   = 256 << 20
	workerMemory = 48 << 20
)

// MemoryLimit returns the heap limit of a process in bytes.
func (m Machine) MemoryLimit() int64 {
	return cmp.Or(m.Memory, baseMemory+int64(cli.Workers(m.Workers))*workerMemory)
}

// indexOnly reports whether only the index is written. Then only heads are read, which is much faster: see
// secondsPerMiBOfHead.
func (r Recipe) indexOnly() bool { return slices.Equal(r.Formats, []string{holdings.FormatCDXJ}) }

// index reports whether the index over all units is written.
func (r Recipe) index() bool { return slices.Contains(r.Formats, holdings.FormatCDXJ) }

// feeds reports whether feed rows are written.
func (r Recipe) feeds() bool { return !r.indexOnly() && slices.Contains(r.Extract, "feeds") }

// content reports whether Datastreamer's records are written.
func (r Recipe) content() bool { return slices.Contains(r.Formats, holdings.FormatContent) }

// links reports whether the links of pages are written.
func (r Recipe) links() bool { return slices.Contains(r.Formats, holdings.FormatLinks) }

// records reports whether Datastreamer's records are made, for the output or for sinks.
func (r Recipe) records() bool { return r.content() || r.Sinks.WantContent() }

// unique returns a sorted copy of list without duplicates. Options are hashed, so their order must not count.
func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// The values of Recipe.Text. Languages, names and figures always refer to the plain text.
const (
	TextPlain    = "plain"    // a line for each block
	TextMarkdown = "markdown" // with headings, lists, tables and links
	TextNone     = "none"     // not kept, for users who may not keep texts or lack the room
)
