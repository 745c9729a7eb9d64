package job

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// keepOptions adds the options of the folder to a command's: formats are only ever added. It returns a usage error
// for options that would change documents or take something away from them.
func (c *Request) keepOptions(h *standing.Folder) error {
	// An empty folder, or one with unknown options, sets nothing.
	if len(h.Rows) == 0 || h.Asked.Options == nil {
		return nil
	}
	then, err := Noted(h.Asked.Options)
	if err != nil {
		return fmt.Errorf("the options that %s was written with: %w", c.Output, err)
	}
	// An index alone has no documents that options could change.
	documents := slices.ContainsFunc(then.Formats, func(f string) bool { return f != holdings.FormatCDXJ })
	if documents && c.indexOnly() {
		// A unit done again here would not be sent, and the server would keep older documents.
		if sinks.In(h.Asked.Options) {
			return cli.Usagef("%s has documents that were sent to a server as well, and --format=cdxj alone sends none: "+
				"give the command that made them, with cdxj added to its --format", c.Output)
		}
		c.Recipe = c.adopt(then)
	}
	// The order of formats must not change keys.
	c.Formats = unique(slices.Concat(c.Formats, then.Formats))
	// By default the compression stays; mixing two would rarely be meant.
	if !c.Keep.Compression {
		c.Compression = then.Compression
	}
	if !documents {
		return nil
	}
	if what := c.takesAway(then); what != "" {
		return cli.Usagef("%s: %s. What is there is not changed: give the options that it was made with, or name "+
			"another --output, or replace it all by --fresh",
			c.Output, strings.Replace(what, "%s", h.Describe(), 1)) // what may contain other percent signs
	}
	return nil
}

// adopt returns the recipe of existing documents for a command that asks only for an index, whose own options for
// documents are mere defaults.
func (r Recipe) adopt(then Recipe) Recipe {
	then.Extract = known(then.Extract)
	then.Formats, then.Compression = r.Formats, r.Compression
	then.Triggers, then.SourcesMade, then.Sinks = r.Triggers, r.SourcesMade, r.Sinks
	return then
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

// takesAway describes what documents made with the recipe then would lose or change, or returns "". The text has one %s
// for a description of the documents.
func (r Recipe) takesAway(then Recipe) string {
	var fewer []string
	for _, name := range known(then.Extract) {
		if !slices.Contains(r.Extract, name) {
			fewer = append(fewer, name)
		}
	}
	// Additional extractors are fine: units are done again and lose nothing.
	if len(fewer) > 0 {
		return "--extract: %s have " + strings.Join(fewer, ", ") + ", which this command leaves out"
	}
	for _, f := range then.Select {
		if !slices.Contains(r.Select, f) {
			// %%s stays for the caller.
			return fmt.Sprintf("--select: %%s have the field %q by %q, and this command another, or none", f.Name, f.CSS)
		}
	}
	if r.Where != then.Where { // not shown: filters may be long
		return "--where: %s were chosen by another filter than that of this command, or only one of the two has one"
	}
	if r.Limit > 0 && (then.Limit == 0 || r.Limit < then.Limit) { // a greater limit, or none, only adds
		return fmt.Sprintf("--limit: %%s may be more than the first %d", r.Limit)
	}
	// Any difference in these changes documents.
	for _, l := range []struct {
		flag      string
		now, then any
	}{
		{"compression", r.Compression, then.Compression},
		{"language_accuracy", r.Accuracy, then.Accuracy},
		{"max_body", r.MaxBody, then.MaxBody},
		{"max_header", r.MaxHead, then.MaxHead},
		{"max_ratio", r.MaxRatio, then.MaxRatio},
		{"site_templates", r.SiteTemplates, then.SiteTemplates},
		{"sample", showSample(r.Sample), showSample(then.Sample)},
		{"text", cmp.Or(r.Text, TextPlain), cmp.Or(then.Text, TextPlain)},
		{"profile", cmp.Or(r.Profile, maintext.Balanced.String()), cmp.Or(then.Profile, maintext.Balanced.String())},
		{"comments", commentMode(r.Comments), commentMode(then.Comments)},
		{"without", list(r.Without), list(then.Without)},
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
		Inputs: c.Inputs, Indexes: c.Indexes, Lookup: c.Lookup, Dir: wd, Options: c.lasting(),
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
