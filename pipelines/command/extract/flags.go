package extract

import (
	"flag"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// config is the command line.
type config struct {
	options enrich.Options
	workers int
	maxLine int64 // bytes
	text    string
	profile string

	plug        string
	plugTimeout time.Duration
}

func about() cli.Command {
	return cli.Command{
		Name: "extract",
		Summary: "Make documents of pages on standard input: media type, charset, language, main text, metadata, entities, " +
			"feeds.\n" +
			"Each line is a page as a JSON object: html (text) or body (any bytes, in base64), and url, content_type, " +
			"timestamp (RFC 3339) and status, which may be missing; or text alone, for its language. For each line, the " +
			"answer is a line with the document, in the same order, as soon as it is ready. A line that is not a page is " +
			"answered with error.\n" +
			"Archives are read by ingest; with --output=- it, too, writes documents to standard output.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage, 3 done, and some lines were not pages.",
		Examples: []string{
			`echo '{"url":"https://example.org/","html":"<title>Hi</title><p>Good morning to you all."}' | ` +
				"go run ./pipelines/extract",
			"go run ./pipelines/extract --extract=text,language <pages.jsonl >documents.jsonl",
		},
	}
}

func newFlags(set *flag.FlagSet, c *config) *cli.Flags {
	f := cli.NewFlags(set, about())
	f.Add(setting.Under("What is extracted", []setting.Setting{{
		Name: "extract", Value: &c.options.Extract, Default: strings.Join(enrich.Defaults(), ","),
		Example: "text,language", Values: append(enrich.Extractors(), enrich.All),
		Help: "what to extract; what a chosen one needs is done without being asked",
	}, {
		Name: "text", Value: &c.text, Default: textPlain, Example: textMarkdown, Values: []string{textPlain, textMarkdown},
		Help: "the form of the main text: plain, a line for each block; or markdown, with headings, lists and tables",
	}, {
		Name: "profile", Value: &c.profile, Default: maintext.Balanced.String(), Example: maintext.Precision.String(),
		Values: []string{maintext.Precision.String(), maintext.Balanced.String(), maintext.Recall.String()},
		Help:   "precision keeps only text that is surely main text; recall also keeps text that may be",
	}, {
		Name: "plug", Value: &c.plug, Example: "'python3 score.py'",
		Help: "command of an extractor of your own, in any language (docs/plugs.md)",
	}, {
		Name: "plug_timeout", Value: &c.plugTimeout, Default: "1m", Example: "10s",
		Help: "how long the plug may take for a page",
	}}), setting.Under("Running", []setting.Setting{{
		Name: "workers", Value: &c.workers, Example: "4", Help: "pages at once; default: one for each CPU",
	}, {
		Name: "max_line", Value: &c.maxLine, Default: "64MiB", Example: "8MiB",
		Help: "the longest line that is read; a longer one is answered with error",
	}}))
	f.LogFlags()
	return f
}

// The values of --text.
const (
	textPlain    = "plain"
	textMarkdown = "markdown"
)

func parse(args []string) (c config, err error) {
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if len(f.Args()) > 0 {
		return c, cli.Usagef("%q: pages are read from standard input; for archives, use ingest", f.Args()[0])
	}
	o := &c.options
	if o.Profile, err = maintext.ParseProfile(c.profile); err != nil {
		return c, cli.Usagef("--profile: %v", err)
	}
	o.Extract = slices.DeleteFunc(o.Extract, func(name string) bool { return name == "" })
	o.Markdown = c.text == textMarkdown
	c.workers = cli.Workers(c.workers)
	if c.plug != "" {
		name, err := plug.Register(c.plug, plug.Options{Processes: c.workers, Timeout: c.plugTimeout})
		if err != nil {
			return c, cli.Usagef("--plug: %v", err)
		}
		o.Extract = append(o.Extract, name)
	}
	if c.maxLine < 1<<10 {
		return c, cli.Usagef("--max_line: at least 1KiB")
	}
	return c, nil
}
