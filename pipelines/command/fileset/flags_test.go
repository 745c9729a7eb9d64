package fileset

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// parsed reads a command line as the command does.
func parsed(t *testing.T, args ...string) (config, error) {
	t.Helper()
	before := flag.CommandLine
	defer func() { flag.CommandLine = before }()
	flag.CommandLine = flag.NewFlagSet("fileset", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	return parse(args)
}

// TestParse_refused: a command line that cannot be done as meant is a mistake, and names the flag.
func TestParse_refused(t *testing.T) {
	for line, want := range map[string]string{
		"--strategy=all":                    "--strategy=all",
		"--format=xml":                      "--format=xml",
		"--watch=often":                     "--watch=often",
		"--watch=0s":                        "--watch=0s",
		"--watch=-1m":                       "--watch=-1m",
		"--add --fresh":                     "--add",
		"--cdx_server=http://a.example/cdx": "--warc_base",
		"--cdx_server=http://a.example/cdx --archives=x.warc --warc_base=http://a.example/": "--cdx_server",
		"--memory=1":                  "--memory",
		"--unit_requests=0":           "positive",
		"--max_file_count=0":          "positive",
		"--max_file_count=10001":      "--max_file_count=10001: at most 10000",
		"--output=http://a.example/x": "--output",
		"--discover --cdx_server=http://a.example/cdx --warc_base=http://a.example/": "--discover",
	} {
		_, err := parsed(t, strings.Fields(line)...)
		var usage *cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a mistake that names %s", line, err, want)
		}
		if err != nil && codeOf(err) != cli.ExitUsage {
			t.Errorf("%s ends with %d", line, codeOf(err))
		}
	}
}

// TestParse_defaults: without inputs the own examples are read, but not beside a server, the live web or --discover.
func TestParse_defaults(t *testing.T) {
	for line, want := range map[string][2]int{ // requests, archives
		"":                   {1, 1},
		"--archives=a.warc":  {1, 1},
		"--requests=r.jsonl": {1, 1},
		"--discover":         {0, 1},
		"--cdx_server=http://a.example/cdx --warc_base=http://a.example/": {1, 0},
	} {
		c, err := parsed(t, strings.Fields(line)...)
		if err != nil || len(c.requests) != want[0] || len(c.archives) != want[1] {
			t.Errorf("%q: requests %q, archives %q, %v", line, c.requests, c.archives, err)
		}
	}
	if c, err := parsed(t, "--watch=90s"); err != nil || c.watch.Seconds() != 90 {
		t.Errorf("--watch=90s: %v, %v", c.watch, err)
	}
}

// TestDiscovered: pages of datasets become requests, each URL once; redirects, errors and revisits do not.
func TestDiscovered(t *testing.T) {
	const html = `<html><head><title>A dataset</title><meta name="citation_doi" content="10.5281/zenodo.1"></head><body></body></html>`
	page := func(url string, status int) *schemas.Capture {
		return &schemas.Capture{
			URL: url, Status: status, MIMEDeclared: "text/html", Body: []byte(html),
			RecordType: schemas.TypeResponse,
		}
	}
	var d discovered
	revisit := page("https://zenodo.org/records/2", 200)
	revisit.RecordType = schemas.TypeRevisit
	for _, c := range []*schemas.Capture{
		page("https://zenodo.org/records/1", 200), page("https://zenodo.org/records/1", 200),
		page("https://zenodo.org/records/3", 404),
		page("https://zenodo.org/records/5", 0), // without a status, as ACHE's
		page("https://zenodo.org/records/4", 302), revisit, page("https://example.org/about", 200),
		page("mailto:ann@a.example", 200),
		page("", 200),
	} {
		d.look(c)
	}
	text := string(d.text())
	if strings.Count(text, "\n") != 2 || !strings.Contains(text, "records/1") || !strings.Contains(text, "records/5") {
		t.Errorf("the requests are %s", text)
	}
	if text := (discovered{}).text(); len(text) > 0 {
		t.Errorf("no request is %q", text)
	}
}
