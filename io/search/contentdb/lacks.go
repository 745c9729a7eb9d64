package contentdb

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Lack is a field that no document of a collection has, because of how its archives were read.
type Lack struct {
	Field     string // entities.sentiment, custom.price
	Extractor string // that fills it and did not run; "" if the reason is another option
	Option    string // of ingest that fills it: --extract=sentiment; "" of source_id, which only a Source DB has
}

// String returns the lack as a sentence, without its dot.
func (l Lack) String() string {
	if l.Option == "" {
		return "no capture has the field " + l.Field + ": it comes from the database that --sources names"
	}
	return "no capture has the field " + schemas.Printable(l.Field) + ", which ingest " + l.Option + " fills"
}

// Lacks returns the fields of a filter that no document has, by the units in the manifest. They are a reason why
// nothing matches. It returns none for parts of the collection that the manifest does not describe.
func (db *DB) Lacks(e query.Expr) (list []Lack) { return db.LacksOf(query.Tested(e)...) }

// LacksOf is Lacks for fields, which may have their short names.
func (db *DB) LacksOf(fields ...string) (list []Lack) {
	if db.o.Files != nil {
		return nil
	}
	for _, field := range fields {
		if f, key, err := query.Lookup(field); err == nil {
			field = strings.TrimSuffix(f.Name+"."+key, ".")
		}
		list = append(list, db.lacks(field)...)
	}
	return list
}

// lacks returns why no document has a field, or nothing if those of a unit may have it.
func (db *DB) lacks(field string) (list []Lack) {
	last := true // the options of the manifest apply to units that have none
	for _, u := range db.manifest.Units {
		last = last && u.MadeWith != nil
		if u.MadeWith == nil {
			continue
		}
		if list = unmade(u.MadeWith, field); len(list) == 0 {
			return nil
		}
	}
	if !last || len(db.manifest.Units) == 0 {
		return unmade(db.manifest.Options, field)
	}
	return list
}

// unmade returns what options of ingest, as manifests have them, left out of a field.
func unmade(options map[string]any, field string) (list []Lack) {
	ran, ok := options["extract"].([]any)
	if !ok {
		return nil // unknown
	}
	if field == "source_id" {
		return []Lack{{Field: field}}
	}
	for _, name := range schemas.Makers(field) {
		if !slices.Contains(ran, any(name)) {
			list = append(list, Lack{Field: field, Extractor: name, Option: "--extract=" + name})
		}
	}
	column, key, _ := strings.Cut(field, ".")
	with := func(option string) { list = append(list, Lack{Field: field, Option: option}) }
	switch {
	case query.IsCustom(column):
		selected, _ := options["select"].(map[string]any)
		if _, is := selected[key]; !is && !holdings.OwnRan(ran) && (key != "" || len(selected) == 0) {
			with("--select")
		}
	case options["text"] == "none" && (field == "text" || field == "comments.text" || field == "posts.text"):
		with("--text=plain")
	case column == "comments" && options["comments"] != nil && options["comments"] != "separate":
		with("--comments=separate")
	}
	return list
}
