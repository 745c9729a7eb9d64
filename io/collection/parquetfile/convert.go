package parquetfile

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// parseTime reads a document's timestamp; the zero time when there is none.
func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("parquetfile: timestamp: %w", err)
	}
	return t.UTC(), nil
}

// splitDate makes the two columns of a date that a page states: the point in time, in UTC and whole microseconds (of a
// date alone its first moment), and the text, unless that is the point's own form. So the text says that a date came
// without a time, and in which zone a time was told. What is not a date, or in none of the years that 64 bits of
// nanoseconds can tell, as pandas and parquet-go count, is text alone: pages state dates of all kinds, and none is an
// error.
func splitDate(s string) (t time.Time, text string) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if parsed, err := time.Parse(layout, s); err == nil {
			t = parsed.UTC().Truncate(time.Microsecond)
			break
		}
	}
	switch {
	case t.Year() < 1678 || t.Year() > 2261:
		return time.Time{}, s
	case joinDate(t, "") == s:
		return t, ""
	}
	return t, s
}

// joinDate is the text that splitDate made these of, "" for none.
func joinDate(t time.Time, text string) string {
	if text != "" || t.IsZero() {
		return text
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// toRow returns d as a row; t is its timestamp.
func toRow(d *schemas.Document, t time.Time) row {
	r := row{
		URL: d.URL, SURT: d.SURT, Host: d.Host, Domain: d.Domain, Timestamp: t, Status: d.Status,
		MIMEDeclared: d.MIMEDeclared, MIMEDetected: d.MIMEDetected, MIMEBasis: d.MIMEBasis,
		MIMEConflict: d.MIMEConflict, MIMEInside: d.MIMEInside,
		Charset: d.Charset, CharsetBasis: d.CharsetBasis, Language: d.Language, LanguageDeclared: d.LanguageDeclared,
		LanguageConflict: d.LanguageConflict,
		Title:            d.Title, Description: d.Description, Canonical: d.Canonical, Shortlink: d.Shortlink,
		Authors: d.Authors, Publisher: d.Publisher, Section: d.Section, Tags: d.Tags,
		SiteSignals: d.SiteSignals, TextPath: d.TextPath,
		MetaSources: d.MetaSources, MetaConfidence: d.MetaConfidence,
		Text: d.Text, TextSource: d.TextSource, MainHTML: d.MainHTML, TemplateBlocks: d.TemplateBlocks, PageType: d.PageType,
		Comments: (*comments)(d.Comments),
		Pages:    d.Pages, Feed: (*feedInfo)(d.Feed), LinksInternal: d.LinksInternal, LinksExternal: d.LinksExternal,
		CustomIntegers: d.CustomIntegers, CustomFloats: d.CustomFloats, CustomBooleans: d.CustomBooleans,
		SourceID: d.SourceID, Simhash: d.Simhash, Quality: (*quality)(d.Quality),
		Digest: d.Digest, RecordID: d.RecordID, RecordType: string(d.RecordType), RefersTo: (*reference)(d.RefersTo),
		Filename: d.Filename, Offset: d.Offset, Length: d.Length, Sequence: d.Sequence, BodyBytes: d.BodyBytes, IP: d.IP,
		RedirectURL: d.RedirectURL, Truncated: d.Truncated, Flags: d.Flags, Damaged: d.Damaged,
		Crawl: d.Crawl,
	}
	r.Custom, r.CustomTimes = splitCustom(d)
	r.Published, r.PublishedText = splitDate(d.Published)
	r.Modified, r.ModifiedText = splitDate(d.Modified)
	r.Languages = convert(d.Languages, newLanguage)
	r.Entities = convert(d.Entities, newEntity)
	r.Feeds = convert(d.Feeds, newFeed)
	r.Errors = convert(d.Errors, func(e schemas.StageError) stageError { return stageError(e) })
	return r
}

// document returns the document of which r is the row.
func (r *row) document() *schemas.Document {
	d := &schemas.Document{
		URL: r.URL, SURT: r.SURT, Host: r.Host, Domain: r.Domain, Timestamp: joinDate(r.Timestamp, ""), Status: r.Status,
		MIMEDeclared: r.MIMEDeclared, MIMEDetected: r.MIMEDetected, MIMEBasis: r.MIMEBasis,
		MIMEConflict: r.MIMEConflict, MIMEInside: r.MIMEInside,
		Charset: r.Charset, CharsetBasis: r.CharsetBasis, Language: r.Language, LanguageDeclared: r.LanguageDeclared,
		LanguageConflict: r.LanguageConflict,
		Title:            r.Title, Description: r.Description, Canonical: r.Canonical, Shortlink: r.Shortlink,
		Authors: r.Authors, Publisher: r.Publisher, Section: r.Section, Tags: r.Tags,
		SiteSignals: r.SiteSignals, TextPath: r.TextPath,
		Published: joinDate(r.Published, r.PublishedText), Modified: joinDate(r.Modified, r.ModifiedText),
		MetaSources: r.MetaSources, MetaConfidence: r.MetaConfidence,
		Text: r.Text, TextSource: r.TextSource, MainHTML: r.MainHTML, TemplateBlocks: r.TemplateBlocks, PageType: r.PageType,
		Comments: (*schemas.Comments)(r.Comments),
		Pages:    r.Pages, Feed: (*schemas.FeedInfo)(r.Feed), LinksInternal: r.LinksInternal, LinksExternal: r.LinksExternal,
		Custom: r.Custom, CustomIntegers: r.CustomIntegers, CustomFloats: r.CustomFloats,
		CustomBooleans: r.CustomBooleans, CustomTimes: convertValues(r.CustomTimes, customTime.text),
		SourceID: r.SourceID, Simhash: r.Simhash, Quality: (*schemas.Quality)(r.Quality),
		Digest: r.Digest, RecordID: r.RecordID, RecordType: schemas.RecordType(r.RecordType),
		RefersTo: (*schemas.Reference)(r.RefersTo), Filename: r.Filename, Offset: r.Offset, Length: r.Length,
		Sequence: r.Sequence, BodyBytes: r.BodyBytes, IP: r.IP, RedirectURL: r.RedirectURL, Truncated: r.Truncated,
		Flags: r.Flags, Damaged: r.Damaged, Crawl: r.Crawl,
	}
	d.Languages = convert(r.Languages, language.language)
	d.Entities = convert(r.Entities, entity.entity)
	d.Feeds = convert(r.Feeds, feed.feed)
	d.Errors = convert(r.Errors, func(e stageError) schemas.StageError { return schemas.StageError(e) })
	return d
}

func newLanguage(l schemas.Language) language {
	return language{Code: l.Code, Script: pointer(l.Script), Share: l.Share, Confidence: l.Confidence}
}

func (l language) language() schemas.Language {
	return schemas.Language{Code: l.Code, Script: value(l.Script), Share: l.Share, Confidence: l.Confidence}
}

func newFeed(f schemas.Feed) feed { return feed{URL: f.URL, Type: f.Type, Title: pointer(f.Title)} }

func (f feed) feed() schemas.Feed {
	return schemas.Feed{URL: f.URL, Type: f.Type, Title: value(f.Title)}
}

// splitCustom are the texts and the times of custom columns. A time that is none, which no extractor gives but a file
// of anybody may have, is kept as a text.
func splitCustom(d *schemas.Document) (texts map[string][]string, times map[string][]customTime) {
	texts = d.Custom
	copied := false
	for _, column := range slices.Sorted(maps.Keys(d.CustomTimes)) {
		for _, s := range d.CustomTimes[column] {
			canonical, err := schemas.ParseMoment(s)
			t, failed := time.Parse(time.RFC3339, canonical)
			if err == nil && failed == nil {
				if times == nil {
					times = map[string][]customTime{}
				}
				times[column] = append(times[column], customTime{t})
				continue
			}
			if !copied { // the map is the document's
				texts, copied = maps.Clone(texts), true
			}
			if texts == nil {
				texts = map[string][]string{}
			}
			texts[column] = append(slices.Clip(texts[column]), s)
		}
	}
	return texts, times
}

func (c customTime) text() string { return c.Time.UTC().Format(time.RFC3339Nano) }

// convertValues converts the lists of a map; nil for none.
func convertValues[A, B any](m map[string][]A, one func(A) B) map[string][]B {
	if m == nil {
		return nil
	}
	out := make(map[string][]B, len(m))
	for key, list := range m {
		out[key] = convert(list, one)
	}
	return out
}

func newEntity(e schemas.Entity) entity {
	return entity{
		Type: e.Type, Text: e.Text, Count: pointer(e.Count), Source: e.Source, ID: pointer(e.ID),
		Confidence: pointer(e.Confidence),
		Mentions:   convert(e.Mentions, func(s schemas.Span) span { return span(s) }),
	}
}

func (e entity) entity() schemas.Entity {
	return schemas.Entity{
		Type: e.Type, Text: e.Text, Count: value(e.Count), Source: e.Source, ID: value(e.ID),
		Confidence: value(e.Confidence),
		Mentions:   convert(e.Mentions, func(s span) schemas.Span { return schemas.Span(s) }),
	}
}

// pointer returns a pointer to v, nil for the zero value.
func pointer[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// value returns what p points to, the zero value for nil.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// convert returns the elements of in in their other type; nil for none.
func convert[A, B any](in []A, to func(A) B) []B {
	if len(in) == 0 {
		return nil
	}
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = to(v)
	}
	return out
}
