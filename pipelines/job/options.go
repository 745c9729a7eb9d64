package job

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Options are what a run was asked for. They travel to the workers as JSON, so all fields are exported.
type Options struct {
	Output      string
	Formats     []string
	Compression string
	Extract     []string
	Select      []enrich.Field
	Triggers    map[string]string // filters, by the names of extractors: see enrich.Options
	Accuracy    langid.Accuracy
	MaxBody     int64 // bytes
	MaxHead     int   // bytes
	MaxRatio    int64
	Workers     int // captures that a process enriches at once, 0 for one a CPU of the machine that it runs on
	Units       int // how many units the plan has
	Remote      blob.Options
	Job         string // tells the job from others of the process: see session
	Generation  collection.Generation
	Run         report.Run        // for the report
	JoinedKey   string            // of the unit of joined records
	Made        map[string]string // the versions of what makes the units
	Division    string            // how the inputs were divided
	Sinks       sinks.Sinks       // where pages are sent, beside the output
	Elsewhere   bool              // the work is done by processes of other machines, which see to their memory themselves
	Memory      int64             // bytes that a process's heap should keep to, 0 for the default
	Dir         string            // that relative names of archives are relative to

	// What captures are chosen by. Those that are not are read and counted, and nothing is made of them.
	Where  string // a filter, see package query; empty for all
	Sample int64  // parts in a million of the pages, see chosen; 0 for all
	Limit  int64  // the first so many of the captures that are left, in the order of the units; 0 for all

	// What documents hold of the main text.
	Text    string // TextPlain, also if empty, TextMarkdown or TextNone
	Profile string // a profile of package maintext; empty for balanced
	// Comments is what becomes of readers' comments, a mode of package maintext; empty for separate.
	Comments string
	Without  []string // columns that are made and not kept, of WithoutColumns

	// Sources is a database that `sources --sqlite` has made, which fills the source_* fields of Datastreamer's records,
	// and SourcesMade names its generation; both empty for none.
	Sources     string
	SourcesMade string

	// SiteTemplates asks for a first pass over all archives, which finds the boilerplate of their hosts. Its table has
	// the key TemplatesKey, and Templates says what is in it once it is made.
	SiteTemplates bool
	TemplatesKey  string
	Templates     schemas.SiteTemplates
}

// The heap that a run keeps to by default: the language models and tables, and for each worker a page with its trees.
// The heap grows to it whatever the input's size, and stays there (docs/benchmarks.md).
const (
	baseMemory   = 256 << 20
	workerMemory = 48 << 20
)

// MemoryLimit is what the heap of a process should keep to, in bytes.
func (o Options) MemoryLimit() int64 {
	return cmp.Or(o.Memory, baseMemory+int64(cli.Workers(o.Workers))*workerMemory)
}

// indexOnly tells that no documents are written, so that nothing but heads has to be read.
// Reading heads alone takes a small part of the time: see secondsPerMiBOfHead.
func (o Options) indexOnly() bool { return slices.Equal(o.Formats, []string{holdings.FormatCDXJ}) }

// index reports whether the index over all units is asked for.
func (o Options) index() bool { return slices.Contains(o.Formats, holdings.FormatCDXJ) }

// feeds reports whether rows of feeds are written.
func (o Options) feeds() bool { return !o.indexOnly() && slices.Contains(o.Extract, "feeds") }

// content reports whether Datastreamer's records are asked for.
func (o Options) content() bool { return slices.Contains(o.Formats, holdings.FormatContent) }

// links reports whether the links of pages are listed.
func (o Options) links() bool { return slices.Contains(o.Formats, holdings.FormatLinks) }

// records reports whether Datastreamer's records are made of pages, for whomever.
func (o Options) records() bool { return o.content() || o.Sinks.WantContent() }

// lasting are the options that change the output, as the manifest has them.
// Names and values are written to manifests, so that renaming one makes all earlier units stale.
func (o Options) lasting() map[string]any {
	m := o.changing(o.Formats)
	if o.Limit > 0 {
		m["limit"] = o.Limit // a unit's key has what is left of it for the unit, see limits
	}
	return m
}

// unitLasting are those of them that change a unit's shards, and so its key: beside documents, the index over all units
// is no matter of theirs, so that asking for it later does no unit again.
// For an index alone cdxj is the only format, and it has to be in the key.
func (o Options) unitLasting() map[string]any {
	if o.indexOnly() {
		return o.changing(o.Formats)
	}
	// cdxj is left out. The hash of the table stands for the templates: with other templates the texts are others.
	m := o.changing(slices.DeleteFunc(slices.Clone(o.Formats), func(f string) bool { return f == holdings.FormatCDXJ }))
	if o.SiteTemplates {
		m["site_templates"] = o.Templates.SHA256
	}
	return m
}

// fields are the selectors of custom fields, by their names.
func (o Options) fields() map[string]string {
	fields := map[string]string{}
	for _, f := range o.Select {
		fields[f.Name] = f.CSS
	}
	return fields
}

// Workers, memory, unit size and the like are not in it:
// they change how the work is done and not what comes of it.
func (o Options) changing(formats []string) map[string]any {
	m := map[string]any{
		"formats": formats, "compression": o.Compression, "extract": o.Extract, "select": o.fields(),
		"language_accuracy": o.Accuracy, "max_body": o.MaxBody, "max_head": o.MaxHead, "max_ratio": o.MaxRatio,
	}
	if o.SiteTemplates {
		m["site_templates"] = true
	}
	// Readers of the collection know the types by it.
	if types := enrich.TypesOf(o.Extract); len(types) > 0 {
		m[holdings.OptionCustomTypes] = types
	}
	if len(o.Triggers) > 0 {
		m["triggers"] = o.Triggers
	}
	// Sinks count as well: a unit that was not sent to a server is not done for a run that sends to it.
	if o.Where != "" {
		m["where"] = o.Where
	}
	// Defaults are not noted: units that earlier versions made are still what is asked for.
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
	// Its generation and not its name: records are others when the Source DB has learned something.
	if o.SourcesMade != "" {
		m["sources"] = o.SourcesMade
	}
	for name, lasting := range o.Sinks.Lasting() {
		m[name] = lasting
	}
	return m
}

// versions are those of all that the output depends on: reading, the extractors, and what writes it.
// Only what is in use counts, so that a new version of a format that nobody asked for does no unit again.
func (o Options) versions() (map[string]string, error) {
	e, err := enrich.New(o.enrich())
	if err != nil {
		return nil, err
	}
	v := e.Versions()
	v["capture"], v["cdx"], v["collection"] = archive.Version, cdx.Version, collection.Version
	v["jsonl"] = jsonl.Version // of rejects too
	if slices.Contains(o.Formats, holdings.FormatParquet) || o.links() {
		v["parquetfile"] = parquetfile.Version
	}
	if o.records() {
		v["datastreamer"], v["publisher"] = datastreamer.Version, publisher.Version
	}
	if slices.Contains(o.Formats, holdings.FormatWET) {
		v["wet"] = warc.WETVersion
	}
	if o.SiteTemplates {
		v["sitetemplate"] = sitetemplate.Version
	}
	if o.Where != "" {
		v["query"], v["tokenize"] = query.Version, tokenize.Version
	}
	maps.Copy(v, o.Sinks.Versions())
	return v, nil
}

// Versions are those of all that an output can depend on, for --version.
// It asks for everything there is, so as to name each version once.
func Versions() map[string]string {
	o := Options{Formats: holdings.Formats(), SiteTemplates: true, Extract: enrich.Extractors(), Where: "all"}
	v, err := o.versions()
	if err != nil {
		return nil // what there is to extract is known
	}
	maps.Copy(v, sinks.Versions())
	return v
}

func (o Options) enrich() enrich.Options {
	profile, err := maintext.ParseProfile(o.Profile)
	if err != nil {
		profile = maintext.Balanced // the request's Check has refused any other name
	}
	comments, err := maintext.ParseCommentMode(o.Comments)
	if err != nil {
		comments = maintext.SeparateComments // likewise
	}
	return enrich.Options{
		Extract: o.Extract, Select: o.Select, LanguageAccuracy: o.Accuracy, Triggers: o.Triggers,
		Profile: profile, Comments: comments, Markdown: o.Text == TextMarkdown, NoHTML: o.needsNoHTML(),
		Links: o.links(),
	}
}

func (o Options) capture() archive.Options {
	return archive.Options{MaxBody: o.MaxBody, MaxHead: o.MaxHead, MaxRatio: o.MaxRatio, HeadOnly: o.indexOnly()}
}

func (o Options) collection() collection.Options {
	return collection.Options{
		Formats: o.Formats, Compression: jsonl.Compression(o.Compression), Feeds: o.feeds(),
		Versions: o.Made,
	}
}

// unitKey is a hash of the options that change a unit's shards.
// It is the key of no unit: without ranges and versions it tells only the options apart.
func (o Options) unitKey() string { return collection.Key(schemas.Unit{}, o.unitLasting(), nil) }

// unique is a sorted copy of the list without doubles: options are compared and hashed, so their order
// must not count.
func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// The values of Options.Text. Whatever it is, languages, names and figures are those of the plain text.
const (
	TextPlain    = "plain"    // a line for each block
	TextMarkdown = "markdown" // with headings, lists, tables and links
	TextNone     = "none"     // not kept: for callers that have no right to keep texts, or no room
)
