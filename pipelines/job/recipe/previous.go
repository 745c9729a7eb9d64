package recipe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Adopt returns the recipe of existing documents for a command that asks only for an index, whose own options for
// documents are mere defaults.
func (r Recipe) Adopt(then Recipe) Recipe {
	then.Extract = known(then.Extract)
	then.Formats, then.Compression = r.Formats, r.Compression
	then.Sinks = r.Sinks
	return then
}

// TakesAway describes what documents made with the recipe then would lose or change, or returns "". The text has one %s
// for a description of the documents.
func (r Recipe) TakesAway(then Recipe) string {
	r, then = r.withDefaults(), then.withDefaults()
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
	if then.SourcesMade != "" && r.SourcesMade == "" && then.content() {
		return "--sources: %s have fields of a database of sources, and this command names none"
	}
	if what := r.TakesCaptures(then); what != "" {
		return what
	}
	// Any difference in these changes documents.
	return firstChanged([]changed{
		{"compression", r.Compression, then.Compression},
		{"language_accuracy", r.Accuracy, then.Accuracy},
		{"max_body", r.MaxBody, then.MaxBody},
		{"max_ratio", r.MaxRatio, then.MaxRatio},
		{"site_templates", r.SiteTemplates, then.SiteTemplates},
		{"text", r.Text, then.Text},
		{"profile", r.Profile, then.Profile},
		{"comments", r.Comments, then.Comments},
		{"without", list(r.Without), list(then.Without)},
		{"image_position", r.ImagePosition, then.ImagePosition},
	})
}

// TakesCaptures is TakesAway for the choice of captures, which an index has too.
func (r Recipe) TakesCaptures(then Recipe) string {
	if r.Where != then.Where { // not shown: filters may be long
		return "--where: %s were chosen by another filter than that of this command, or only one of the two has one"
	}
	if r.Limit > 0 && (then.Limit == 0 || r.Limit < then.Limit) { // a greater limit, or none, only adds
		return fmt.Sprintf("--limit: %%s may be more than the first %d", r.Limit)
	}
	return firstChanged([]changed{
		{"max_header", r.MaxHead, then.MaxHead}, {"sample", showSample(r.Sample), showSample(then.Sample)},
	})
}

// OtherChoice is TakesCaptures for an index of existing documents, to which choices that are left open do not apply.
func (r Recipe) OtherChoice(then Recipe) string {
	r.MaxHead = then.MaxHead
	r.Where, r.Sample = cmp.Or(r.Where, then.Where), cmp.Or(r.Sample, then.Sample)
	if r.Limit != 0 && r.Limit != then.Limit {
		return fmt.Sprintf("--limit: %%s are not the first %d", r.Limit)
	}
	r.Limit = then.Limit
	return r.TakesCaptures(then)
}

// changed is an option with its values, of this command and of an earlier one.
type changed struct {
	flag      string
	now, then any
}

func firstChanged(list []changed) string {
	for _, l := range list {
		if l.now != l.then {
			// Replacing @ last keeps the %s from being formatted here.
			return strings.ReplaceAll(fmt.Sprintf("--%s: @ were made with %v, and this command has "+
				"%v", l.flag, l.then, l.now), "@", "%s")
		}
	}
	return ""
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ",")
}

// showSample writes a share as query.ParseShare reads it, for messages and comparisons.
func showSample(parts int64) string {
	if parts == 0 {
		return "100%"
	}
	return strconv.FormatFloat(float64(parts)/1e4, 'f', -1, 64) + "%"
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
