// Package sourcerow implements the Source of deliverable D8.1 of the project ASAP, section 3.2.4, as rows of package
// odm. It stores the sources of a Source DB in a table of HBase, Bigtable or memory, beside their collection.
//
//	sources := sourcerow.New(new(memory.Database))
//	err := sources.CreateTable(ctx, "sources")
//	row, err := sourcerow.Of(sources, key, s, asOf)
//	err = sources.Put(ctx, row)
//
// D8.1 lists the data of a source: name, current strategy (refresh cycle, refresh rate), last refresh date, last
// validation date and list of last updates. Its features are main language, representative entities, refresh rate and
// template. The names of columns are ours. A version is the state of a source at a moment, so that its history is kept.
// Keys are SURTs of feeds, like those of pages.
//
// A database cannot remove one column of a version, and an empty time would be one of 1970. So a time that a source no
// longer has stays in its column if the version is written again. Column row never has it: use [Version.Row] for times.
package sourcerow

import (
	"encoding/json"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// Families of columns.
const (
	SourceCF   = "source"   // identity and schedule
	FeaturesCF = "features" // subject
)

// Version is a source at a moment.
type Version struct{ *odm.RowVersion }

// Name returns the title of the feed.
func (v Version) Name() string { return odm.Get[string](v.RowVersion, SourceCF, "name") }

// URL returns the URL of the feed.
func (v Version) URL() string { return odm.Get[string](v.RowVersion, SourceCF, "url") }

// RefreshCycle returns the time between visits.
func (v Version) RefreshCycle() time.Duration {
	return time.Duration(odm.Get[int64](v.RowVersion, SourceCF, "refreshCycle")) * time.Millisecond
}

// Verdict returns valid, rejected or undecided.
func (v Version) Verdict() string { return odm.Get[string](v.RowVersion, SourceCF, "verdict") }

// MainLanguage returns an ISO 639 code.
func (v Version) MainLanguage() string {
	return odm.Get[string](v.RowVersion, FeaturesCF, "mainLanguage")
}

// Row returns the whole description, as in a line of sources-*.jsonl.
func (v Version) Row() (s schemas.Source, err error) {
	err = json.Unmarshal([]byte(odm.Get[string](v.RowVersion, SourceCF, "row")), &s)
	return s, err
}

// Collection is the sources of a collection, by the SURTs of their feeds.
type Collection = odm.Collection[string, Version]

// New returns a collection of sources without a table.
func New(db odm.Database) *Collection {
	return odm.NewCollection[string, Version](db, func(s *odm.RowSchema) {
		for _, name := range []string{"name", "url", "link", "class", "verdict", "reasons", "health", "sameAs", "row"} {
			s.AddColumn(name, SourceCF, odm.String)
		}
		s.AddColumn("refreshCycle", SourceCF, odm.Long) // milliseconds
		for _, name := range []string{"nextRefresh", "lastRefresh", "lastValidation", "lastItem", "lastChanged"} {
			s.AddColumn(name, SourceCF, odm.Long) // milliseconds since 1970
		}
		s.AddColumn("lastUpdates", SourceCF, odm.String) // JSON: the newest pages, with times and places in archives
		for _, name := range []string{"mainLanguage", "entities", "publisherType", "template"} {
			s.AddColumn(name, FeaturesCF, odm.String)
		}
		s.AddColumn("refreshRate", FeaturesCF, odm.Double) // items a day
	})
}

// Of returns the row of a source under its key, with one version.
func Of(c *Collection, key string, s schemas.Source, asOf time.Time) (*odm.Row[string, Version], error) {
	row := c.NewRow(key)
	v := row.CreateRowVersion(asOf)
	texts := map[string]any{"lastUpdates": s.Pages, "reasons": s.Reasons, "row": s}
	for name, value := range texts {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if err := v.SetQualifierValue(SourceCF, name, string(data)); err != nil {
			return nil, err
		}
	}
	// An empty value replaces that of an earlier row of the same time.
	set := v.SetQualifierValue
	for name, value := range map[string]any{
		"name": s.Title, "url": s.URL, "link": s.Link, "class": s.Class, "verdict": s.Verdict, "health": s.Health.State,
		"refreshCycle": int64(float64(s.Refresh.Interval) * 3600_000), "sameAs": sameAs(s),
	} {
		if err := set(SourceCF, name, value); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{
		"nextRefresh": s.Refresh.Next, "lastRefresh": s.LastRefresh, "lastValidation": s.LastValidation,
		"lastItem": s.LastItem, "lastChanged": s.LastChanged,
	} {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			continue // without a time
		}
		if err := set(SourceCF, name, t.UnixMilli()); err != nil {
			return nil, err
		}
	}
	entities, err := json.Marshal(s.Entities)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]any{
		"mainLanguage": s.Language, "publisherType": s.Publisher, "entities": string(entities),
		"refreshRate": float64(s.Refresh.Rate), "template": template(s),
	} {
		if err := set(FeaturesCF, name, value); err != nil {
			return nil, err
		}
	}
	return row, nil
}

func sameAs(s schemas.Source) string {
	if s.SameAs == nil {
		return ""
	}
	return s.SameAs.URL
}

func template(s schemas.Source) string {
	if s.Template == nil {
		return ""
	}
	return s.Template.Path
}
