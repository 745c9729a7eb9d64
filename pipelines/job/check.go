package job

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// Check finds mistakes on the command line before any work begins. MakePlan checks the inputs and the output folder,
// and Run asks the servers, so that a wrong flag costs no time.
func (c *Request) Check() error {
	o := &c.Recipe
	// Making the extractors checks their names and the selectors; their versions say which extractors run.
	e, err := enrich.New(o.enrich())
	if err != nil {
		return cli.Usagef("%v", err)
	}
	if err := o.checkExtracted(e.Versions()); err != nil {
		return err
	}
	// Only the error is needed here: workers get the text and parse it again.
	if _, err := cdx.ParseFilter(c.Lookup.Filter); err != nil {
		return cli.Usagef("--cdx_filter: %v", err)
	}
	if len(c.Indexes) == 0 && c.Lookup != (schemas.Lookup{}) {
		return cli.Usagef("--cdx_filter and --warc_base are about what --cdx names, which is nothing")
	}
	if err := cmp.Or(c.checkSchedule(), c.checkKeeping()); err != nil {
		return err
	}
	if err := run.CheckRunner(c.Runner); err != nil {
		return err
	}
	if err := c.checkCloud(); err != nil {
		return err
	}
	if _, err := jsonl.ParseCompression(o.Compression); err != nil {
		return cli.Usagef("--compression: %v", err)
	}
	// This finds unknown formats and formats that exclude each other.
	if err := o.collection(nil).Check(); err != nil {
		return cli.Usagef("--format: %v", err)
	}
	// An index alone would throw away all that is extracted.
	if o.indexOnly() && len(o.Extract)+len(o.Select) > 0 {
		return cli.Usagef("--format=cdxj writes no documents that could hold what --extract and --select find: leave these " +
			"out, or write documents too, as with --format=jsonl,cdxj")
	}
	if err := cmp.Or(c.checkChosen(), c.checkSinks(), c.checkSources()); err != nil {
		return err
	}
	if err := folder.Check(c.Output); err != nil {
		return cli.Usagef("--output: %v", err)
	}
	if err := c.checkSecrets(); err != nil {
		return err
	}
	if _, err := langid.ParseAccuracy(string(o.Accuracy)); err != nil {
		return cli.Usagef("--language_accuracy: %v", err)
	}
	if _, err := maintext.ParseProfile(o.Profile); err != nil {
		return cli.Usagef("--profile: %v", err)
	}
	if _, err := maintext.ParseCommentMode(o.Comments); err != nil {
		return cli.Usagef("--comments: %v", err)
	}
	// Archives are hostile, so every limit must be positive: no value, such as 0, means unlimited.
	if o.MaxBody <= 0 || o.MaxHead <= 0 || o.MaxRatio <= 0 || c.UnitSize < minUnit {
		return cli.Usagef("--max_body, --max_header and --max_ratio must be positive, and --unit_size at least 64KiB")
	}
	return nil
}

// checkExtracted finds outputs whose extractors do not run. versions are those of the extractors that run.
func (r Recipe) checkExtracted(versions map[string]string) error {
	// Any extractor that needs texts makes them, not only "text": so this asks the versions.
	if _, text := versions["maintext"]; !text {
		if r.SiteTemplates {
			return cli.Usagef("--site_templates is about text, and nothing that --extract asks for needs the text of pages")
		}
		if slices.Contains(r.Formats, holdings.FormatWET) {
			return cli.Usagef("--format=wet writes texts, and nothing that --extract asks for needs the text of pages: add " +
				"text to it")
		}
	}
	if r.links() && !slices.Contains(r.Extract, "links") {
		return cli.Usagef("--format=links writes the links of pages, which --extract leaves out: add links to it")
	}
	return nil
}

// minUnit is the least size of a unit. The chain rule can hardly tell smaller ranges apart.
const minUnit = 64 << 10
