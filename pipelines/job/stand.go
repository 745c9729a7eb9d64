package job

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// readStanding reads what stands. Folders of earlier versions have no note, but a manifest when they are finished.
// A note that cannot be read as one counts as none: the file may be of anybody.
func readStanding(f folder.Folder) (s standing, err error) {
	// Only totals are read: the manifest of a large collection is mostly its units.
	m, err := holdings.ReadTotals(f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	s.whole = err == nil
	unfinished, err := collection.Unfinished(f)
	if err != nil {
		return s, err
	}
	s.finished = s.whole && !unfinished
	if s.asked, err = holdings.ReadAsked(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if s.known = err == nil; !s.known {
		s.asked.Options = m.Options
	}
	if s.options, err = standingOf(s.asked.Options); err != nil {
		return s, fmt.Errorf("the options that %s was written with: %w", f.Path(""), err)
	}
	s.options.sent = sinks.In(s.asked.Options)
	return s, nil
}

// standingOf reads options that were noted.
func standingOf(noted map[string]any) (s standingOptions, err error) {
	// From the map to the struct by way of JSON, which also is how the map came to be.
	text, err := json.Marshal(noted)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// made are those of them that say which columns documents have.
func (s standingOptions) made() *Options {
	o := &Options{Formats: s.Formats, Extract: s.Extract, Text: s.Text, Comments: s.Comments, Without: s.Without}
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		o.Select = append(o.Select, enrich.Field{Name: name, CSS: s.Select[name]})
	}
	return o
}

// keepOptions adds to the options of a command what is in its folder: formats are added and never removed. What
// would take something away from documents, or change them, is a usage error.
func (c *Request) keepOptions(h *held) error {
	// o points into the request, so that this changes what the plan is made of.
	o, s := &c.Options, h.standing.options
	// Nothing is there, or nobody knows with what options: then there is nothing to keep to.
	if len(h.rows) == 0 || h.standing.asked.Options == nil {
		return nil
	}
	// An index alone has no documents that options could change.
	documents := slices.ContainsFunc(s.Formats, func(f string) bool { return f != holdings.FormatCDXJ })
	if documents && o.indexOnly() {
		if err := c.adopt(s); err != nil {
			return err
		}
	}
	// Sorted and without doubles, so that asking for the same formats in another order changes no key.
	o.Formats = unique(slices.Concat(o.Formats, s.Formats))
	// A shard's compression is in its name. Where nobody asked for one, mixing two is never what was meant.
	if !c.Keep.Compression {
		o.Compression = s.Compression
	}
	if !documents {
		return nil
	}
	if what := o.takesAway(s); what != "" {
		return cli.Usagef("%s: %s. What is there is not changed: give the options that it was made with, or name "+
			"another --output, or replace it all by --fresh",
			c.Options.Output, strings.Replace(what, "%s", h.describe(), 1)) // what may have percent signs of its own
	}
	return nil
}

// adopt takes the options that documents were made with, for a command that asks for an index of their archives.
// The command says nothing of documents, so its own flags for them are defaults and give way.
func (c *Request) adopt(s standingOptions) error {
	o := &c.Options
	// A unit that is made again here would not be sent, and the server's documents would be older than those here.
	if s.sent {
		return cli.Usagef("%s has documents that were sent to a server as well, and --format=cdxj alone sends none: "+
			"give the command that made them, with cdxj added to its --format", o.Output)
	}
	o.Extract = known(s.Extract)
	// Sorted, because the order of fields is in the options' key.
	o.Select = nil
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		o.Select = append(o.Select, enrich.Field{Name: name, CSS: s.Select[name]})
	}
	o.Accuracy, o.SiteTemplates = s.Accuracy, s.SiteTemplates
	o.MaxBody, o.MaxHead, o.MaxRatio = s.MaxBody, s.MaxHead, s.MaxRatio
	o.Where, o.Sample, o.Limit = s.Where, s.Sample, s.Limit
	o.Text, o.Profile, o.Comments, o.Without = s.Text, s.Profile, s.Comments, s.Without
	// The append must not write into the caller's list.
	o.Formats = append(slices.Clone(o.Formats), s.Formats...)
	return nil
}

// known are the extractors of a list that this version of the program has.
func known(extractors []string) []string {
	list := []string{}
	for _, name := range extractors {
		if slices.Contains(enrich.Extractors(), name) {
			// An extractor that a later version no longer has cannot
			// be asked for, and is not a reason to refuse the command.
			list = append(list, name)
		}
	}
	return list
}

// takesAway says what documents that were made with the options s would lose, or what would be another value, with %s
// for what there is; "" for nothing.
// The answer is a format with one %s, because the caller knows how to describe the documents.
func (o Options) takesAway(s standingOptions) string {
	var fewer []string
	for _, name := range known(s.Extract) {
		if !slices.Contains(o.Extract, name) {
			fewer = append(fewer, name)
		}
	}
	// More extractors than before are fine: units are done again with them, and nothing is lost.
	if len(fewer) > 0 {
		return "--extract: %s have " + strings.Join(fewer, ", ") + ", which this command leaves out"
	}
	fields := o.fields()
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		if fields[name] != s.Select[name] {
			// %%s is left for the caller.
			return fmt.Sprintf("--select: %%s have the field %q by %q, and this command another, or none", name, s.Select[name])
		}
	}
	if o.Where != s.Where { // neither is shown: it may be long, and is not a format
		return "--where: %s were chosen by another filter than that of this command, or only one of the two has one"
	}
	if o.Limit > 0 && (s.Limit == 0 || o.Limit < s.Limit) { // a greater one, or none, only adds
		return fmt.Sprintf("--limit: %%s may be more than the first %d", o.Limit)
	}
	// Each of these changes what documents hold, in either direction, so that any difference counts.
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
			// The values are formatted first and the place for the documents is put in last, so that it survives.
			return strings.ReplaceAll(fmt.Sprintf("--%s: @ were made with %v, and this command has "+
				"%v", l.flag, l.then, l.now), "@", "%s")
		}
	}
	return ""
}

// asked is what a run is asked for, to be noted in the folder.
// Made collects the options of all units that are in the folder,
// by their keys: later runs look there for units that stay.
func (c *Request) asked(h *held, wd string) holdings.Asked {
	a := holdings.Asked{
		Inputs: c.Inputs, Indexes: c.Indexes, Lookup: c.Lookup, Dir: wd, Options: c.Options.lasting(),
		Made: map[string]map[string]any{},
	}
	// Units of earlier versions have no options that anybody knows, and add nothing.
	for _, r := range h.rows {
		if made := h.optionsOf(r); made != nil {
			a.Made[r.Options] = made
		}
	}
	return a
}

// optionsOf are the options that a unit was made with, nil when nobody knows.
// A folder without a note was written by one command, an
// earlier version's, so that its manifest speaks for all units.
func (h *held) optionsOf(r collection.Row) map[string]any {
	if made, ok := h.standing.asked.Made[r.Options]; ok || h.standing.known {
		return made
	}
	return h.standing.asked.Options
}

// describe tells what the folder holds.
// Captures are told where an index alone was made, which has no documents.
func (h *held) describe() string {
	var documents, captures int64
	for _, r := range h.rows {
		documents, captures = documents+r.Documents, captures+r.Captures
	}
	if documents == 0 {
		return fmt.Sprintf("its %s captures in %s", cli.FormatCount(captures), plural(len(h.rows), "unit"))
	}
	return fmt.Sprintf("its %s documents in %s", cli.FormatCount(documents), plural(len(h.rows), "unit"))
}

// plural is a number with its noun. All nouns that are used here take an s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return cli.FormatCount(int64(n)) + " " + noun + "s"
}
