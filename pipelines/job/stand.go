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

// readStanding reads the state of the folder. Folders of earlier versions have no note, only a manifest when
// finished. An unreadable note counts as missing, since the file may not be ours.
func readStanding(f folder.Folder) (s standing, err error) {
	// Totals are enough: the manifest of a large collection is mostly units.
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

func standingOf(noted map[string]any) (s standingOptions, err error) {
	// JSON converts the map to the struct, as it made the map.
	text, err := json.Marshal(noted)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// made returns the options that decide which columns documents have.
func (s standingOptions) made() *Options {
	o := &Options{Formats: s.Formats, Extract: s.Extract, Text: s.Text, Comments: s.Comments, Without: s.Without}
	for _, name := range slices.Sorted(maps.Keys(s.Select)) {
		o.Select = append(o.Select, enrich.Field{Name: name, CSS: s.Select[name]})
	}
	return o
}

// keepOptions adds the options of the folder to a command's: formats are only ever added. It returns a usage error
// for options that would change documents or take something away from them.
func (c *Request) keepOptions(h *held) error {
	// o points into the request, so this changes the plan.
	o, s := &c.Options, h.standing.options
	// An empty folder, or one with unknown options, sets nothing.
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
			c.Options.Output, strings.Replace(what, "%s", h.describe(), 1)) // what may contain other percent signs
	}
	return nil
}

// adopt takes over the options of existing documents for a command that asks only for an index, whose own options for
// documents are mere defaults.
func (c *Request) adopt(s standingOptions) error {
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
func (o Options) takesAway(s standingOptions) string {
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
func (c *Request) asked(h *held, wd string) holdings.Asked {
	a := holdings.Asked{
		Inputs: c.Inputs, Indexes: c.Indexes, Lookup: c.Lookup, Dir: wd, Options: c.Options.lasting(),
		Made: map[string]map[string]any{},
	}
	// Options of earlier versions' units are unknown.
	for _, r := range h.rows {
		if made := h.optionsOf(r); made != nil {
			a.Made[r.Options] = made
		}
	}
	return a
}

// optionsOf returns the options that made a unit, or nil if unknown. Without a note, a single command of an earlier
// version wrote the folder, so its manifest speaks for all units.
func (h *held) optionsOf(r collection.Row) map[string]any {
	if made, ok := h.standing.asked.Made[r.Options]; ok || h.standing.known {
		return made
	}
	return h.standing.asked.Options
}

// describe describes the content of the folder, in captures if there are no documents.
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

// plural formats a number with its noun, which must take an s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return cli.FormatCount(int64(n)) + " " + noun + "s"
}
