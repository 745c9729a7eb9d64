package recipe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// checkChosen finds columns in --where that no document will have. Such a filter would match nothing without saying
// why.
func (r Recipe) checkChosen() error {
	where, err := query.Parse(r.Where)
	if err != nil {
		return cli.Usagef("--where: %v", err)
	}
	if _, err := query.Bind(where, enrich.TypesOf(r.Extract)); err != nil {
		return cli.Usagef("--where: %v", err)
	}
	for _, field := range query.Tested(where) {
		if why := r.missing(field, where); why != "" {
			return cli.Usagef("--where asks for %s, %s", field, why)
		}
	}
	if r.Limit < 0 {
		return cli.Usagef("--limit must not be negative")
	}
	return nil
}

// missing returns why documents will not have a field, or "" if they will.
func (r Recipe) missing(field string, where query.Expr) string {
	column, _, _ := strings.Cut(field, ".")
	has := func(name string) bool { return slices.Contains(r.Extract, name) }
	lacked := slices.DeleteFunc(schemas.Makers(field), has)
	switch {
	case r.IndexOnly() && (column == "flags" || column == "damaged" || column == "truncated" || column == "body_bytes"):
		return "which is known when bodies are read, and --format=cdxj reads heads alone"
	case enrich.OfCapture(column):
		return ""
	case r.IndexOnly():
		return "and --format=cdxj makes no documents: an index can be chosen by what captures tell, as url, host, status, " +
			"mime_declared and timestamp"
	case query.IsCustom(column):
		return r.missingField(where)
	case column == "redirect_url" || column == "errors":
		return ""
	case enrich.MakerOf(column) == "":
		return "which ingest does not make"
	case len(lacked) > 0:
		return "which is not extracted: add " + strings.Join(lacked, ",") + " to --extract"
	}
	return ""
}

// missingField is missing for custom fields, whose names the user chooses.
func (r Recipe) missingField(where query.Expr) string {
	fields := r.Select.byName()
	for _, path := range query.Paths(where) {
		name, ok := strings.CutPrefix(path, "custom.")
		_, there := fields[name]
		if ok && !there && !slices.Contains(r.Extract, enrich.OwnerOf(name)) {
			return fmt.Sprintf("and no --select makes the field %q, and no extractor that is asked for", name)
		}
	}
	if len(fields) == 0 && !slices.ContainsFunc(r.Extract, enrich.IsOwn) {
		return "and there is no --select"
	}
	return ""
}

// Lack says that documents of a collection have no field.
type Lack struct {
	Why   string // "" if no unit lacks it
	Units int    // that lack it and have documents
	All   bool   // no unit has it
}

// Lacks returns why documents of a collection lack a field. Units that do not say how they were made lack nothing. The
// filter where, or nil, uses the field.
func Lacks(m schemas.Manifest, field string, where query.Expr) (l Lack, err error) {
	// The manifest's own options apply to all units that name no others.
	own, err := whyLacks(m.Options, field, where)
	if len(m.Units) == 0 || err != nil {
		return Lack{Why: own, All: true}, err
	}
	l.All = true
	for _, u := range m.Units {
		why := own
		if u.MadeWith != nil {
			if why, err = whyLacks(u.MadeWith, field, where); err != nil {
				return l, err
			}
		}
		l.All = l.All && why != ""
		if why != "" && u.Documents > 0 {
			l.Units++
		}
		if l.Why == "" {
			l.Why = why
		}
	}
	return l, nil
}

// whyLacks returns why documents that were made with these options lack a field, or "".
func whyLacks(made map[string]any, field string, where query.Expr) (string, error) {
	if made["extract"] == nil {
		return "", nil
	}
	r, err := Noted(made)
	if err != nil {
		return "", err
	}
	return r.lacks(field, where), nil
}

// lacks is missing for existing documents, some of whose columns may have been left out.
func (r Recipe) lacks(field string, where query.Expr) string {
	column, _, _ := strings.Cut(field, ".")
	switch {
	case r.Text == TextNone && (field == "text" || field == "comments.text" || field == "posts.text"):
		return "which --text=none left out"
	case column == "comments" && r.withDefaults().Comments != maintext.SeparateComments.String():
		return "which --comments=" + r.Comments + " left out"
	case slices.Contains(r.Without, column):
		return "which --without left out"
	case enrich.MakerOf(column) == "" && column != "custom":
		return "" // of --sources, say
	}
	return r.missing(field, where)
}
