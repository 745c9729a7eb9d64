package recipe

import (
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Versions returns the versions of all that the output depends on. Only used formats count, so that a new version of
// another one repeats no unit.
func (r Recipe) Versions() (map[string]string, error) {
	e, err := enrich.New(r.Enrich())
	if err != nil {
		return nil, err
	}
	v := e.Versions()
	v["capture"], v["cdx"], v["collection"] = archive.Version, cdx.Version, ledger.Version
	v["jsonl"] = jsonl.Version // also of rejects
	if slices.Contains(r.Formats, holdings.FormatParquet) || r.HasLinks() || r.HasData() {
		v["parquetfile"] = parquetfile.Version
	}
	if r.HasRecords() {
		v["datastreamer"], v["publisher"] = datastreamer.Version, publisher.Version
	}
	if slices.Contains(r.Formats, holdings.FormatWET) {
		v["wet"] = warc.WETVersion
	}
	if r.SiteTemplates {
		v["sitetemplate"] = sitetemplate.Version
	}
	if r.Where != "" {
		v["query"], v["tokenize"] = query.Version, tokenize.Version
	}
	maps.Copy(v, r.Sinks.Versions())
	return v, nil
}

// Versions returns the versions of all that any output can depend on, for --version.
func Versions() map[string]string {
	r := Recipe{Formats: holdings.Formats(), SiteTemplates: true, Extract: enrich.Extractors(), Where: "all"}
	v, err := r.Versions()
	if err != nil {
		return nil // the extractors are the built-in ones
	}
	maps.Copy(v, sinks.Versions())
	return v
}

func (r Recipe) Enrich() enrich.Options {
	profile, err := maintext.ParseProfile(r.Profile)
	if err != nil {
		profile = maintext.Balanced // Check has refused unknown names
	}
	comments, err := maintext.ParseCommentMode(r.Comments)
	if err != nil {
		comments = maintext.SeparateComments // as above
	}
	return enrich.Options{
		Extract: r.Extract, Select: r.Select, LanguageAccuracy: r.Accuracy, Triggers: r.Triggers,
		Profile: profile, Comments: comments, Markdown: r.Text == TextMarkdown, NoHTML: r.needsNoHTML(),
		Links: r.HasLinks(), Data: r.HasData(), ImagePosition: r.ImagePosition,
	}
}

func (r Recipe) Capture() archive.Options {
	return archive.Options{MaxBody: r.MaxBody, MaxHead: r.MaxHead, MaxRatio: r.MaxRatio, HeadOnly: r.IndexOnly()}
}

func (r Recipe) Collection(versions map[string]string) shard.Options {
	return shard.Options{
		Formats: r.Formats, Compression: jsonl.Compression(r.Compression), Feeds: r.feeds(),
		Versions: versions,
	}
}
