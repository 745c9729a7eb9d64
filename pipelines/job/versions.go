package job

import (
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// versions returns the versions of all that the output depends on. Only used formats count, so that a new version of
// another one repeats no unit.
func (o Options) versions() (map[string]string, error) {
	e, err := enrich.New(o.enrich())
	if err != nil {
		return nil, err
	}
	v := e.Versions()
	v["capture"], v["cdx"], v["collection"] = archive.Version, cdx.Version, collection.Version
	v["jsonl"] = jsonl.Version // also of rejects
	if slices.Contains(o.Formats, holdings.FormatParquet) || o.links() {
		v["parquetfile"] = parquetfile.Version
	}
	if o.records() {
		v["datastreamer"], v["publisher"] = datastreamer.Version, publisher.Version
	}
	if slices.Contains(o.Formats, holdings.FormatWET) {
		v["wet"] = warc.WETVersion
	}
	if o.SiteTemplates {
		v["sitetemplate"] = sitetemplate.Version
	}
	if o.Where != "" {
		v["query"], v["tokenize"] = query.Version, tokenize.Version
	}
	maps.Copy(v, o.Sinks.Versions())
	return v, nil
}

// Versions returns the versions of all that any output can depend on, for --version.
func Versions() map[string]string {
	o := Options{Formats: holdings.Formats(), SiteTemplates: true, Extract: enrich.Extractors(), Where: "all"}
	v, err := o.versions()
	if err != nil {
		return nil // the extractors are the built-in ones
	}
	maps.Copy(v, sinks.Versions())
	return v
}

func (o Options) enrich() enrich.Options {
	profile, err := maintext.ParseProfile(o.Profile)
	if err != nil {
		profile = maintext.Balanced // Check has refused unknown names
	}
	comments, err := maintext.ParseCommentMode(o.Comments)
	if err != nil {
		comments = maintext.SeparateComments // as above
	}
	return enrich.Options{
		Extract: o.Extract, Select: o.Select, LanguageAccuracy: o.Accuracy, Triggers: o.Triggers,
		Profile: profile, Comments: comments, Markdown: o.Text == TextMarkdown, NoHTML: o.needsNoHTML(),
		Links: o.links(),
	}
}

func (o Options) capture() archive.Options {
	return archive.Options{MaxBody: o.MaxBody, MaxHead: o.MaxHead, MaxRatio: o.MaxRatio, HeadOnly: o.indexOnly()}
}

func (o Options) collection() collection.Options {
	return collection.Options{
		Formats: o.Formats, Compression: jsonl.Compression(o.Compression), Feeds: o.feeds(),
		Versions: o.Made,
	}
}
