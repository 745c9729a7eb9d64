package recipe

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Note returns the recipe as manifests have it.
func (r Recipe) Note() map[string]any {
	usual := Recipe{}.withDefaults()
	r.Text, r.Profile = unless(r.Text, usual.Text), unless(r.Profile, usual.Profile)
	r.Comments = unless(r.Comments, usual.Comments)
	note := map[string]any{}
	text, err := json.Marshal(r)
	if err != nil {
		return nil // recipes marshal without errors
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // so that large numbers keep their digits
	if err := d.Decode(&note); err != nil {
		return nil
	}
	// A unit that was not sent to a server is not done for a run that sends to it.
	delete(note, "sinks")
	for name, settings := range r.Sinks.Lasting() {
		note[name] = settings
	}
	// Readers of the collection take the types from here.
	if types := enrich.TypesOf(r.Extract); len(types) > 0 {
		note[holdings.OptionCustomTypes] = types
	}
	return note
}

// unless returns value, or "" for the usual one, which earlier versions did not note.
func unless(value, usual string) string {
	if value == usual {
		return ""
	}
	return value
}

// UnitNote returns what of the recipe changes a unit's shards, and so its key. The hash of their table stands for
// the templates, which change the texts.
func (r Recipe) UnitNote(templates string) map[string]any {
	r.Limit = 0 // a unit's key has its share of the limit instead: see limits
	if r.IndexOnly() {
		return r.Note()
	}
	// Without the index over all units, adding it later repeats no unit.
	r.Formats = slices.DeleteFunc(slices.Clone(r.Formats), func(f string) bool { return f == holdings.FormatCDXJ })
	note := r.Note()
	if r.SiteTemplates {
		note["site_templates"] = templates
	}
	return note
}

// UnitKey returns a hash of what changes a unit's shards. It is not the key of a unit: it lacks ranges and versions.
func (r Recipe) UnitKey(templates string) string {
	note := r.UnitNote(templates)
	return ledger.Key(schemas.Unit{}, note, nil)
}

// Noted returns the recipe of a note. Fields that an old note lacks are zero, and so are the sinks.
func Noted(note map[string]any) (r Recipe, err error) {
	text, err := json.Marshal(note)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}
