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
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// Options are the settings of a run. They travel to the workers as JSON, so all fields are exported.
type Options struct {
	Output      string
	Formats     []string
	Compression string
	Extract     []string
	Select      []enrich.Field
	Triggers    map[string]string // a filter for each extractor named: see enrich.Options
	Accuracy    langid.Accuracy
	MaxBody     int64 // bytes
	MaxHead     int   // bytes
	MaxRatio    int64
	Workers     int // captures that a process enriches at once; 0 for one per CPU of its machine
	Units       int // how many units the plan has
	Remote      blob.Options
	Job         string // identifies the job in its process: see session
	Generation  collection.Generation
	Run         report.Run        // for the report
	JoinedKey   string            // of the unit of joined records
	Made        map[string]string // versions of all that units depend on
	Division    string            // how the inputs were divided
	Sinks       sinks.Sinks       // servers that get pages, beside the output
	Elsewhere   bool              // workers on other machines do the work and limit their own memory
	Memory      int64             // heap limit of a process in bytes, or 0 for the default
	Dir         string            // the folder of relative archive names

	// Filters of captures. Others are read and counted, but no output is made from them.
	Where  string // a filter as in package query, or empty for all
	Sample int64  // pages per million, see chosen; 0 for all
	Limit  int64  // the first matching captures in the order of the units; 0 for all

	// What documents keep of the main text.
	Text    string // TextPlain (also if empty), TextMarkdown or TextNone
	Profile string // a profile of package maintext; empty means balanced
	// Comments is a mode of package maintext for readers' comments; empty means separate.
	Comments string
	Without  []string // columns of WithoutColumns that documents do not keep

	// Sources is a database made by `sources --sqlite`, which fills the source_* fields of Datastreamer's records.
	// SourcesMade names its generation. Both may be empty.
	Sources     string
	SourcesMade string

	// SiteTemplates asks for a first pass over all archives, which finds the boilerplate of their hosts. TemplatesKey
	// is the key of its table, and Templates describes the finished table.
	SiteTemplates bool
	TemplatesKey  string
	Templates     schemas.SiteTemplates
}

// The default heap limit: language models and tables, and for each worker a page with its trees. The heap grows to it
// for any input size and stays there (docs/benchmarks.md).
const (
	baseMemory   = 256 << 20
	workerMemory = 48 << 20
)

// MemoryLimit returns the heap limit of a process in bytes.
func (o Options) MemoryLimit() int64 {
	return cmp.Or(o.Memory, baseMemory+int64(cli.Workers(o.Workers))*workerMemory)
}

// indexOnly reports whether only the index is written. Then only heads are read, which is much faster: see
// secondsPerMiBOfHead.
func (o Options) indexOnly() bool { return slices.Equal(o.Formats, []string{holdings.FormatCDXJ}) }

// index reports whether the index over all units is written.
func (o Options) index() bool { return slices.Contains(o.Formats, holdings.FormatCDXJ) }

// feeds reports whether feed rows are written.
func (o Options) feeds() bool { return !o.indexOnly() && slices.Contains(o.Extract, "feeds") }

// content reports whether Datastreamer's records are written.
func (o Options) content() bool { return slices.Contains(o.Formats, holdings.FormatContent) }

// links reports whether the links of pages are written.
func (o Options) links() bool { return slices.Contains(o.Formats, holdings.FormatLinks) }

// records reports whether Datastreamer's records are made, for the output or for sinks.
func (o Options) records() bool { return o.content() || o.Sinks.WantContent() }

// lasting returns the options that change the output, as manifests have them. Renaming one makes all earlier units
// stale.
func (o Options) lasting() map[string]any {
	m := o.changing(o.Formats)
	if o.Limit > 0 {
		m["limit"] = o.Limit // a unit's key has its share of the limit instead: see limits
	}
	return m
}

// unitLasting returns the options that change a unit's shards, and so its key. It leaves out the index over all
// units, so that adding it later repeats no unit. For an index alone, cdxj is the only format and stays.
func (o Options) unitLasting() map[string]any {
	if o.indexOnly() {
		return o.changing(o.Formats)
	}
	// The hash of the table stands for the templates, which change the texts.
	m := o.changing(slices.DeleteFunc(slices.Clone(o.Formats), func(f string) bool { return f == holdings.FormatCDXJ }))
	if o.SiteTemplates {
		m["site_templates"] = o.Templates.SHA256
	}
	return m
}

// fields returns the selectors of custom fields by name.
func (o Options) fields() map[string]string {
	fields := map[string]string{}
	for _, f := range o.Select {
		fields[f.Name] = f.CSS
	}
	return fields
}

// changing leaves out workers, memory, unit size and the like, which do not change the output.
func (o Options) changing(formats []string) map[string]any {
	m := map[string]any{
		"formats": formats, "compression": o.Compression, "extract": o.Extract, "select": o.fields(),
		"language_accuracy": o.Accuracy, "max_body": o.MaxBody, "max_head": o.MaxHead, "max_ratio": o.MaxRatio,
	}
	if o.SiteTemplates {
		m["site_templates"] = true
	}
	// Readers of the collection take the types from here.
	if types := enrich.TypesOf(o.Extract); len(types) > 0 {
		m[holdings.OptionCustomTypes] = types
	}
	if len(o.Triggers) > 0 {
		m["triggers"] = o.Triggers
	}
	if o.Where != "" {
		m["where"] = o.Where
	}
	// Defaults are left out, so that units of earlier versions still match.
	if o.Text != "" && o.Text != TextPlain {
		m["text"] = o.Text
	}
	if o.Profile != "" && o.Profile != maintext.Balanced.String() {
		m["profile"] = o.Profile
	}
	if o.Comments != "" && o.Comments != maintext.SeparateComments.String() {
		m["comments"] = o.Comments
	}
	if len(o.Without) > 0 {
		m["without"] = o.Without
	}
	if o.Sample > 0 {
		m["sample"] = o.Sample
	}
	// The generation, because records change with the content of the Source DB.
	if o.SourcesMade != "" {
		m["sources"] = o.SourcesMade
		// A unit that was not sent to a server is not done for a run that sends to it.
	}
	for name, lasting := range o.Sinks.Lasting() {
		m[name] = lasting
	}
	return m
}

// unitKey returns a hash of the options that change a unit's shards. It is not the key of a unit: it lacks ranges and
// versions.
func (o Options) unitKey() string { return collection.Key(schemas.Unit{}, o.unitLasting(), nil) }

// unique returns a sorted copy of list without duplicates. Options are hashed, so their order must not count.
func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// The values of Options.Text. Languages, names and figures always refer to the plain text.
const (
	TextPlain    = "plain"    // a line for each block
	TextMarkdown = "markdown" // with headings, lists, tables and links
	TextNone     = "none"     // not kept, for users who may not keep texts or lack the room
)
