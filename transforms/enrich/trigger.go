package enrich

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// when holds compiled triggers, by names of extractors. A compiled filter is not safe for concurrent use.
type when map[string]func(*schemas.Document) bool

// parseTriggers checks the filters of Options.Triggers: each may use only columns that exist when its extractor runs.
func (e *Enricher) parseTriggers(triggers map[string]string, fields []Field) error {
	if len(triggers) > 0 {
		e.triggers = make(map[string]query.Expr, len(triggers))
	}
	for _, name := range slices.Sorted(maps.Keys(triggers)) {
		filter, err := query.Parse(triggers[name])
		if err == nil && filter == nil {
			err = fmt.Errorf("it is empty")
		}
		if err == nil {
			err = e.checkTrigger(name, filter, fields)
		}
		if err != nil {
			return fmt.Errorf("trigger of %s: %w", name, err)
		}
		e.triggers[name] = filter
	}
	return nil
}

// checkTrigger returns an error if a filter uses a column that is set after the extractor runs. Such a filter would
// silently never hold.
func (e *Enricher) checkTrigger(name string, filter query.Expr, fields []Field) error {
	before, runs := map[string]bool{}, false
	for _, x := range e.run {
		if runs = x.name() == name; runs {
			break
		}
		before[x.name()] = true
	}
	isOwn := slices.ContainsFunc(e.own, func(x Extractor) bool { return x.Name() == name })
	if !runs && !isOwn {
		return fmt.Errorf("this extractor is not asked for")
	}
	for _, field := range query.Tested(filter) {
		column, _, _ := strings.Cut(field, ".")
		late := slices.DeleteFunc(schemas.Makers(field), func(maker string) bool { return before[maker] })
		asked := func(maker string) bool {
			return slices.ContainsFunc(e.run, func(x extractor) bool { return x.name() == maker })
		}
		absent := slices.DeleteFunc(slices.Clone(late), asked)
		switch {
		case OfCapture(column), column == "redirect_url":
		case query.IsCustom(column) && isOwn:
			if err := e.checkKeys(name, filter, fields); err != nil {
				return err
			}
		case len(absent) > 0:
			return fmt.Errorf("it asks for %s, which %s finds, and that is not asked for", field, absent[0])
		case len(late) > 0, MakerOf(column) == "":
			return fmt.Errorf("it asks for %s, which is not known yet when %s runs; extractors run in the order %s",
				field, name, strings.Join(Extractors(), ", "))
		}
	}
	return nil
}

// checkKeys is checkTrigger for custom columns, in a trigger of a custom extractor.
func (e *Enricher) checkKeys(name string, filter query.Expr, fields []Field) error {
	var before []string
	for _, f := range fields {
		before = append(before, f.Name)
	}
	for _, x := range e.own {
		if x.Name() == name {
			break
		}
		before = append(before, x.Columns()...)
	}
	for _, path := range query.Paths(filter) {
		if key, is := strings.CutPrefix(path, "custom."); is && !slices.Contains(before, key) {
			return fmt.Errorf("it asks for %s, which no --select makes, and no custom extractor that runs before %s: they "+
				"run in the order of their names, those with batches last", path, name)
		}
	}
	return nil
}

// off reports whether an extractor must skip this capture.
func (w *work) off(name string) bool {
	filter, is := w.e.triggers[name]
	if !is {
		return false
	}
	if w.t.when == nil {
		w.t.when = when{}
	}
	holds := w.t.when[name]
	if holds == nil {
		holds = query.Compile(filter)
		w.t.when[name] = holds
	}
	return !holds(w.d)
}
