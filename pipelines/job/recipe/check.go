package recipe

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// Check returns a usage error for unknown values and for values that contradict each other.
func (r Recipe) Check() error {
	// Making the extractors checks their names and the selectors; their versions say which extractors run.
	e, err := enrich.New(r.Enrich())
	if err != nil {
		return cli.Usagef("%v", err)
	}
	if err := r.checkExtracted(e.Versions()); err != nil {
		return err
	}
	if _, err := jsonl.ParseCompression(r.Compression); err != nil {
		return cli.Usagef("--compression: %v", err)
	}
	// This finds unknown formats and formats that exclude each other.
	if err := r.Collection(nil).Check(); err != nil {
		return cli.Usagef("--format: %v", err)
	}
	if err := r.checkChosen(); err != nil {
		return err
	}
	if _, err := langid.ParseAccuracy(string(r.Accuracy)); err != nil {
		return cli.Usagef("--language_accuracy: %v", err)
	}
	if _, err := maintext.ParseProfile(r.Profile); err != nil {
		return cli.Usagef("--profile: %v", err)
	}
	if _, err := maintext.ParseCommentMode(r.Comments); err != nil {
		return cli.Usagef("--comments: %v", err)
	}
	// Archives are hostile, so every limit must be positive: no value, such as 0, means unlimited.
	if r.MaxBody <= 0 || r.MaxHead <= 0 || r.MaxRatio <= 0 {
		return cli.Usagef("--max_body, --max_header and --max_ratio must be positive")
	}
	return nil
}

// checkExtracted finds outputs whose extractors do not run. versions are those of the extractors that run.
func (r Recipe) checkExtracted(versions map[string]string) error {
	// Any extractor that needs texts makes them, not only "text": so this asks the versions.
	_, text := versions["maintext"]
	switch {
	case r.SiteTemplates && !text:
		return cli.Usagef("--site_templates is about text, and nothing that --extract asks for needs the text of pages")
	case slices.Contains(r.Formats, holdings.FormatWET) && !text:
		return cli.Usagef("--format=wet writes texts, and nothing that --extract asks for needs the text of pages: add " +
			"text to it")
	case r.HasLinks() && !slices.Contains(r.Extract, "links"):
		return cli.Usagef("--format=links writes the links of pages, which --extract leaves out: add links to it")
	case r.HasData() && !slices.Contains(r.Extract, "data"):
		return cli.Usagef("--format=data writes the structured data of pages, which --extract leaves out: add data to it")
	// An index alone would throw away all that is extracted.
	case r.IndexOnly() && len(r.Extract)+len(r.Select) > 0:
		return cli.Usagef("--format=cdxj writes no documents that could hold what --extract and --select find: leave these " +
			"out, or write documents too, as with --format=jsonl,cdxj")
	}
	return nil
}
