// Package form makes forms from tables of flags, which the commands provide, and command lines from filled-in forms.
//
// Forms offer a list of flags, none of which names a server, a program or a place. Archives are named below one
// folder. Collections and the Source DB are those that the server shows. Exports get a plain name in a folder of their
// own. So all users of a form can only access what the server was given: no URL (SSRF), no "..", and no pattern that
// leads out.
//
//	forms := form.New(form.Tables{Ingest: ingest.Settings(), Query: query.Settings(), Sources: sources.Settings()})
//	line, err := forms.Command("ingest", values, form.Places{Inputs: "/data/warcs", Collections: …})
package form

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// Kind is the way a field is filled in. The API returns these words, and templates choose the widget by them.
type Kind string

// These are the kinds.
const (
	Text    Kind = "text"
	Lines   Kind = "lines" // several values, one per line
	Number  Kind = "number"
	Size    Kind = "size"
	Choice  Kind = "choice"
	Choices Kind = "choices" // several of the values
	Switch  Kind = "switch"
)

// Field is a field of a form: a flag of the command, or a replacement for several flags.
type Field struct {
	// Name, help, default and values are the command's own, so a form cannot differ from its help.
	setting.Setting
	Label string
	Kind  Kind
	More  bool // shown further down, since most people do not change it
}

// Form is the form of a command.
type Form struct {
	Verb, Title string
	Fields      []Field
	Plans       bool // the command can report beforehand what it would do: --plan
}

// Places are the folders that the server was given. A job can access nothing else.
type Places struct {
	Inputs      string            // folder that archives are named below; "" if there is none
	Collections map[string]string // folders of collections by their names
	Names       []string          // names of the collections, in order
	Sources     string            // folder of the Source DB; "" if there is none
	SourceIndex string            // its database, for source_id
	Exports     string            // folder that an export is written to
}

// These are the names of fields that are not flags.
const (
	archives   = "archives"
	collection = "collection"
	filename   = "name"
)

// asked is a field by the name of its flag.
type asked struct {
	name, label string
	kind        Kind
	more        bool
}

// Tables are the flags of the commands that have forms.
type Tables struct{ Ingest, Query, Sources []setting.Setting }

// Set is the forms of a server, in the order in which they are offered. Several goroutines may read it.
type Set []Form

// New makes the forms from the commands' own flags, so that a form cannot differ from the help.
func New(t Tables) Set {
	return Set{
		{"ingest", "Ingest archives", fields(t.Ingest, []Field{
			{Setting: setting.Setting{Name: archives, Help: "files, folders or patterns below the server's input folder, " +
				"one a line", Example: "crawl-2026/*.warc.gz"}, Label: "Archives", Kind: Lines},
			{
				Setting: setting.Setting{Name: collection, Help: "collection to write to"},
				Label:   "Collection", Kind: Choice,
			},
			{Setting: setting.Setting{Name: "add", Default: "false", Help: "add to the documents of other archives; none are " +
				"removed"}, Label: "Add to the collection", Kind: Switch},
		}, []asked{
			// Flags that name servers, keys, other places or programs are not in these lists, so they cannot be set.
			{"extract", "Extract", Choices, false},
			{"format", "Write", Choices, false},
			{"where", "Only captures that", Text, true},
			{"sample", "Sample of pages", Text, true},
			{"limit", "Most captures", Number, true},
			{"site_templates", "Remove repeated parts of a site", Switch, true},
			{"max_body", "Longest body", Size, true},
			{"unit_size", "Bytes of a unit", Size, true},
			{"workers", "Workers", Number, true},
		}), true},
		{"query", "Export a query", fields(t.Query, []Field{
			{Setting: setting.Setting{Name: collection, Help: "collection to query"}, Label: "Collection", Kind: Choice},
			{Setting: setting.Setting{Name: filename, Help: "name of the file, without extension: letters, digits, - and " +
				"_", Example: "french-pdfs"}, Label: "Name", Kind: Text},
		}, []asked{
			{"format", "Form", Choice, false},
			{"where", "Filter", Text, false},
			{"text", "Words", Text, false},
			{"lang", "Language", Text, false},
			{"mime", "Media type", Text, false},
			{"host", "Host", Text, false},
			{"from", "Captured since", Text, false},
			{"to", "Captured until", Text, false},
			{"all_versions", "All versions", Switch, false},
			{"status", "HTTP status", Text, true},
			{"entity", "Names", Text, true},
			{"source", "Source", Text, true},
			{"order", "Order", Choice, true},
			{"limit", "Most captures", Number, true},
			{"fields", "Fields", Text, true},
		}), false},
		{"sources", "Find sources", fields(t.Sources, []Field{
			{Setting: setting.Setting{Name: collection, Help: "collections to read"}, Label: "Collections", Kind: Choices},
		}, []asked{
			{"delay", "Value of a visit", Text, true},
			{"as_of", "As of", Text, true},
		}), true},
	}
}

// exportForms are the formats of exports: the formats of the command that make files.
var exportForms = []string{"jsonl", "csv", "parquet", "warc", "wacz", "wet", "urls", "recheck"}

// fields returns the fields in first, then those of the listed flags. A flag that the command no longer has is left
// out; a test notices it.
func fields(table []setting.Setting, first []Field, list []asked) []Field {
	for _, a := range list {
		i := slices.IndexFunc(table, func(f setting.Setting) bool { return f.Name == a.name })
		// A test compares the lists with the tables, so this is noticed.
		if i < 0 {
			continue
		}
		f := Field{Setting: table[i], Label: a.label, Kind: a.kind, More: a.more}
		// The form has its own choices: the command can also print lists for terminals, which make no file.
		if f.Name == "format" && a.kind == Choice {
			f.Values, f.Default = exportForms, exportForms[0]
			f.Help = "warc and wacz have the archived records; wet has the texts; urls only the URLs; " +
				"recheck reads the archives again, and lists the captures that differ"
		}
		// Examples are written for a shell. Here its quotation marks would be part of the value.
		if inner, quoted := strings.CutPrefix(f.Example, "'"); quoted {
			f.Example = strings.TrimSuffix(inner, "'")
		}
		first = append(first, f)
	}
	return first
}

// Find returns the form of a command; false means that it has none.
func (s Set) Find(verb string) (Form, bool) {
	for _, f := range s {
		if f.Verb == verb {
			return f, true
		}
	}
	return Form{}, false
}

// Mistakes are the mistakes in the values of a form, by field name.
type Mistakes map[string]Mistake

// Mistake is a mistake in a value. Line is the line in a field of lines, from 1; elsewhere it is 0.
type Mistake struct {
	Text string
	Line int
}

// Error returns any one of the mistakes, since a map has no order. Callers that show one choose it themselves.
func (m Mistakes) Error() string {
	for name, one := range m {
		return fmt.Sprintf("%s: %s", name, one.Text)
	}
	return "nothing is wrong"
}

// Line is a command line and the result that it makes. Args has no verb. It is never joined for a shell: the program
// is started with these arguments directly.
type Line struct {
	Args       []string
	Collection string // name of the collection that it reads or writes
	Output     string // file that it makes; "" for a folder
	Brief      string // subject, for people
}

// maxValue limits a value, in bytes. An argument of a process can have 128 KiB at most.
const maxValue = 64 << 10

// Command makes the command line of a filled-in form. The error may be Mistakes.
func (s Set) Command(verb string, values url.Values, p Places) (Line, error) {
	f, ok := s.Find(verb)
	if !ok {
		return Line{}, Mistakes{"verb": {Text: "there is no such form"}}
	}
	b := &builder{places: p, values: values, wrong: Mistakes{}}
	// All fields are checked, so that each mistake is found.
	for _, field := range f.Fields {
		b.field(verb, field)
	}
	b.finish(verb)
	if len(b.wrong) > 0 {
		// A line with mistakes is not returned at all.
		return Line{}, b.wrong
	}
	// Archives come last, after all flags.
	b.line.Args = append(b.line.Args, b.rest...)
	b.line.Brief = strings.TrimSpace(b.line.Brief)
	return b.line, nil
}
