package job

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// notedOptions are Options.lasting read from a note; the names are those in Options.changing. Fields that an old
// note lacks are zero.
type notedOptions struct {
	Formats       []string          `json:"formats"`
	Compression   string            `json:"compression"`
	Extract       []string          `json:"extract"`
	Select        map[string]string `json:"select"`
	Accuracy      langid.Accuracy   `json:"language_accuracy"`
	MaxBody       int64             `json:"max_body"`
	MaxHead       int               `json:"max_head"`
	MaxRatio      int64             `json:"max_ratio"`
	SiteTemplates bool              `json:"site_templates"`
	Where         string            `json:"where"`
	Sample        int64             `json:"sample"`
	Limit         int64             `json:"limit"`
	Text          string            `json:"text"`
	Profile       string            `json:"profile"`
	Comments      string            `json:"comments"`
	Without       []string          `json:"without"`

	// sent is not in the note by this name; it follows from what the sinks have noted.
	sent bool // documents were sent to servers
}

// notedIn returns the options that the rows of a folder were made with.
func notedIn(h *standing.Folder) (s notedOptions, err error) {
	if s, err = notedOf(h.Asked.Options); err == nil {
		s.sent = sinks.In(h.Asked.Options)
	}
	return s, err
}

func notedOf(noted map[string]any) (s notedOptions, err error) {
	// JSON converts the map to the struct, as it made the map.
	text, err := json.Marshal(noted)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// made returns the options that decide which columns documents have.
func (s notedOptions) made() *Options {
	o := &Options{Formats: s.Formats, Extract: s.Extract, Text: s.Text, Comments: s.Comments, Without: s.Without}
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		o.Select = append(o.Select, enrich.Field{Name: name, CSS: s.Select[name]})
	}
	return o
}

// keepOptions adds the options of the folder to a command's: formats are only ever added. It returns a usage error
// for options that would change documents or take something away from them.
func (c *Request) keepOptions(h *standing.Folder) error {
	o := &c.Options // of the request, so this changes the plan
	// An empty folder, or one with unknown options, sets nothing.
	if len(h.Rows) == 0 || h.Asked.Options == nil {
		return nil
	}
	s, err := notedIn(h)
	if err != nil {
		return fmt.Errorf("the options that %s was written with: %w", o.Output, err)
	}
	// An index alone has no documents that options could change.
	documents := slices.ContainsFunc(s.Formats, func(f string) bool { return f != holdings.FormatCDXJ })
	if documents && o.indexOnly() {
		if err := c.adopt(s); err != nil {
			return err
		}
	}
	// The order of formats must not change keys.
	o.Formats = unique(slices.Concat(o.Formats, s.Formats))
	// By default the compression stays; mixing two would rarely be meant.
	if !c.Keep.Compression {
		o.Compression = s.Compression
	}
	if !documents {
		return nil
	}
	if what := o.takesAway(s); what != "" {
		return cli.Usagef("%s: %s. What is there is not changed: give the options that it was made with, or name "+
			"another --output, or replace it all by --fresh",
			c.Options.Output, strings.Replace(what, "%s", h.Describe(), 1)) // what may contain other percent signs
	}
	return nil
}

// adopt takes over the options of existing documents for a command that asks only for an index, whose own options for
// documents are mere defaults.
func (c *Request) adopt(s notedOptions) error {
	o := &c.Options
	// A unit done again here would not be sent, and the server would keep older documents.
	if s.sent {
		return cli.Usagef("%s has documents that were sent to a server as well, and --format=cdxj alone sends none: "+
			"give the command that made them, with cdxj added to its --format", o.Output)
	}
	o.Extract = known(s.Extract)
	// The key of the options includes the order of fields.
	o.Select = nil
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		o.Select = append(o.Select, enrich.Field{Name: name, CSS: s.Select[name]})
	}
	o.Accuracy, o.SiteTemplates = s.Accuracy, s.SiteTemplates
	o.MaxBody, o.MaxHead, o.MaxRatio = s.MaxBody, s.MaxHead, s.MaxRatio
	o.Where, o.Sample, o.Limit = s.Where, s.Sample, s.Limit
	o.Text, o.Profile, o.Comments, o.Without = s.Text, s.Profile, s.Comments, s.Without
	// Clone so that the caller's list does not change.
	o.Formats = append(slices.Clone(o.Formats), s.Formats...)
	return nil
}

// known returns the extractors of a list that this version has.
func known(extractors []string) []string {
	list := []string{}
	for _, name := range extractors {
		if slices.Contains(enrich.Extractors(), name) {
			list = append(list, name)
		}
	}
	return list
}

// takesAway describes what documents made with the options s would lose or change, or returns "". The text has one %s
// for a description of the documents.
func (o Options) takesAway(s notedOptions) string {
	var fewer []string
	for _, name := range known(s.Extract) {
		if !slices.Contains(o.Extract, name) {
			fewer = append(fewer, name)
		}
	}
	// Additional extractors are fine: units are done again and lose nothing.
	if len(fewer) > 0 {
		return "--extract: %s have " + strings.Join(fewer, ", ") + ", which this command leaves out"
	}
	fields := o.fields()
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		if fields[name] != s.Select[name] {
			// %%s stays for the caller.
			return fmt.Sprintf("--select: %%s have the field %q by %q, and this command another, or none", name, s.Select[name])
		}
	}
	if o.Where != s.Where { // not shown: filters may be long
		return "--where: %s were chosen by another filter than that of this command, or only one of the two has one"
	}
	if o.Limit > 0 && (s.Limit == 0 || o.Limit < s.Limit) { // a greater limit, or none, only adds
		return fmt.Sprintf("--limit: %%s may be more than the first %d", o.Limit)
	}
	// Any difference in these changes documents.
	for _, l := range []struct {
		flag      string
		now, then any
	}{
		{"compression", o.Compression, s.Compression},
		{"language_accuracy", o.Accuracy, s.Accuracy},
		{"max_body", o.MaxBody, s.MaxBody},
		{"max_header", o.MaxHead, s.MaxHead},
		{"max_ratio", o.MaxRatio, s.MaxRatio},
		{"site_templates", o.SiteTemplates, s.SiteTemplates},
		{"sample", showSample(o.Sample), showSample(s.Sample)},
		{"text", cmp.Or(o.Text, TextPlain), cmp.Or(s.Text, TextPlain)},
		{"profile", cmp.Or(o.Profile, maintext.Balanced.String()), cmp.Or(s.Profile, maintext.Balanced.String())},
		{"comments", commentMode(o.Comments), commentMode(s.Comments)},
		{"without", list(o.Without), list(s.Without)},
	} {
		if l.now != l.then {
			// Replacing @ last keeps the %s from being formatted here.
			return strings.ReplaceAll(fmt.Sprintf("--%s: @ were made with %v, and this command has "+
				"%v", l.flag, l.then, l.now), "@", "%s")
		}
	}
	return ""
}

// asked returns the note of what a run is asked for. Made has the options of all units in the folder by key, for
// later runs.
func (c *Request) asked(h *standing.Folder, wd string) holdings.Asked {
	a := holdings.Asked{
		Inputs: c.Inputs, Indexes: c.Indexes, Lookup: c.Lookup, Dir: wd, Options: c.Options.lasting(),
		Made: map[string]map[string]any{},
	}
	// Options of earlier versions' units are unknown.
	for _, r := range h.Rows {
		if made := h.OptionsOf(r); made != nil {
			a.Made[r.Options] = made
		}
	}
	return a
}
