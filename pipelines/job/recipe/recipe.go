package recipe

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// Recipe is what changes the output. Its JSON is the note of it in manifests, of which the keys of units are made: so
// each field is in them. Renaming one makes all earlier units stale. Fields that were added later have omitempty, so
// that units of earlier versions still match.
type Recipe struct {
	Formats     []string          `json:"formats"`
	Compression string            `json:"compression"`
	Extract     []string          `json:"extract"`
	Select      Fields            `json:"select"`
	Triggers    map[string]string `json:"triggers,omitempty"` // a filter for each extractor named: see enrich.Options
	Accuracy    langid.Accuracy   `json:"language_accuracy"`
	MaxBody     int64             `json:"max_body"` // bytes
	MaxHead     int               `json:"max_head"` // bytes
	MaxRatio    int64             `json:"max_ratio"`

	// Filters of captures. Others are read and counted, but no output is made from them.
	Where  string `json:"where,omitempty"`  // a filter as in package query, or empty for all
	Sample int64  `json:"sample,omitempty"` // pages per million, see chosen; 0 for all
	Limit  int64  `json:"limit,omitempty"`  // the first matching captures in the order of the units; 0 for all

	// What documents keep of the main text.
	Text    string `json:"text,omitempty"`    // TextPlain (also if empty), TextMarkdown or TextNone
	Profile string `json:"profile,omitempty"` // a profile of package maintext; empty means balanced
	// Comments is a mode of package maintext for readers' comments; empty means separate.
	Comments string   `json:"comments,omitempty"`
	Without  []string `json:"without,omitempty"` // columns of WithoutColumns that documents do not keep

	// ImagePosition keeps the position in the EXIF fields of images.
	ImagePosition bool `json:"image_position,omitempty"`
	// SourcesMade is the generation of Machine.Sources, because records change with its content.
	SourcesMade string `json:"sources,omitempty"`
	// SiteTemplates asks for a first pass over all archives, which finds the boilerplate of their hosts.
	SiteTemplates bool `json:"site_templates,omitempty"`
	// Sinks are the servers that get pages, beside the output. Notes have their lasting settings.
	Sinks sinks.Sinks `json:"sinks"`
}

// withDefaults returns the recipe with the names of what empty fields mean.
func (r Recipe) withDefaults() Recipe {
	r.Text = cmp.Or(r.Text, TextPlain)
	r.Profile = cmp.Or(r.Profile, maintext.Balanced.String())
	r.Comments = cmp.Or(r.Comments, maintext.SeparateComments.String())
	return r
}

// IndexOnly reports whether only the index is written. Then only heads are read, which is much faster: see
// secondsPerMiBOfHead.
func (r Recipe) IndexOnly() bool { return slices.Equal(r.Formats, []string{holdings.FormatCDXJ}) }

// HasIndex reports whether the index over all units is written.
func (r Recipe) HasIndex() bool { return slices.Contains(r.Formats, holdings.FormatCDXJ) }

// feeds reports whether feed rows are written.
func (r Recipe) feeds() bool { return !r.IndexOnly() && slices.Contains(r.Extract, "feeds") }

// content reports whether Datastreamer's records are written.
func (r Recipe) content() bool { return slices.Contains(r.Formats, holdings.FormatContent) }

// HasLinks reports whether the links of pages are written.
func (r Recipe) HasLinks() bool { return slices.Contains(r.Formats, holdings.FormatLinks) }

// HasData reports whether the structured data of pages is written.
func (r Recipe) HasData() bool { return slices.Contains(r.Formats, holdings.FormatData) }

// HasRecords reports whether Datastreamer's records are made, for the output or for sinks.
func (r Recipe) HasRecords() bool { return r.content() || r.Sinks.WantContent() }

// The values of Recipe.Text. Languages, names and figures always refer to the plain text.
const (
	TextPlain    = "plain"    // a line for each block
	TextMarkdown = "markdown" // with headings, lists, tables and links
	TextNone     = "none"     // not kept, for users who may not keep texts or lack the room
)
