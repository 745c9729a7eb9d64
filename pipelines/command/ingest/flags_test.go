package ingest

import (
	"errors"
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// parsed reads a command line as the command does, with an output folder of its own.
func parsed(t *testing.T, args ...string) (config, error) {
	t.Helper()
	before := flag.CommandLine
	defer func() { flag.CommandLine = before }()
	flag.CommandLine = flag.NewFlagSet("ingest", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	return parse(append([]string{"--output=" + filepath.Join(t.TempDir(), "out")}, args...))
}

// TestParse: equal requests in other words are one request: their key decides whether units are done again.
func TestParse(t *testing.T) {
	type request struct {
		formats, extract, where string
	}
	for _, tt := range []struct {
		args []string
		want request
	}{
		{[]string{"--extract=text,language"}, request{"jsonl", "text,language", ""}},
		{[]string{"--extract=language,text,text"}, request{"jsonl", "text,language", ""}},
		{[]string{"--extract="}, request{"jsonl", "", ""}},
		{[]string{"--extract=links"}, request{"jsonl,links", "links", ""}},
		{[]string{"--extract=links", "--format=parquet,jsonl"}, request{"jsonl,links,parquet", "links", ""}},
		{[]string{"--format=cdxj"}, request{"cdxj", "", ""}},
		{[]string{"--format=jsonl,cdxj,jsonl", "--extract=text"}, request{"cdxj,jsonl", "text", ""}},
		{[]string{"--extract=text,language", "--where=language  =  fr"}, request{"jsonl", "text,language", "language = fr"}},
		{[]string{"--extract=text,language", "--where=language=fr"}, request{"jsonl", "text,language", "language = fr"}},
	} {
		c, err := parsed(t, tt.args...)
		got := request{strings.Join(c.request.Formats, ","), strings.Join(c.request.Extract, ","), c.request.Where}
		slicesOf := func(text string) []string { return slices.Sorted(slices.Values(strings.Split(text, ","))) }
		same := got.formats == tt.want.formats && got.where == tt.want.where &&
			slices.Equal(slicesOf(got.extract), slicesOf(tt.want.extract))
		if err != nil || !same {
			t.Errorf("%q: %+v, %v; want %+v", tt.args, got, err, tt.want)
		}
	}
	a, err := parsed(t, "--extract=language,text")
	b, bad := parsed(t, "--extract=text,language")
	if err != nil || bad != nil || !slices.Equal(a.request.Extract, b.request.Extract) {
		t.Errorf("the order of extractors matters: %q, %q, %v, %v", a.request.Extract, b.request.Extract, err, bad)
	}
}

// TestParse_refused: a command line that cannot be done as meant is a mistake, and names its flag.
func TestParse_refused(t *testing.T) {
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"--where", []string{"--where=language = "}},
		{"--where", []string{"--where=nofield = 1"}},
		{"--where", []string{"--where=(a"}},
		{"--sample", []string{"--sample=much"}},
		{"--sample", []string{"--sample=150%"}},
		{"--watch", []string{"--watch=often"}},
		{"--watch", []string{"--watch=10m", "--fresh"}},
		{"--watch", []string{"--watch=10m", "--plan"}},
		{"--watch", []string{"--watch=10m", "-"}},
		{"extract", []string{"--extract=nothing_like_it"}},
		{"format", []string{"--format=xml"}},
		{"extract", []string{"--format=cdxj", "--extract=text"}},
		{"select", []string{"--select=price"}},
		{"select", []string{"--select=price=span", "--select=price=b"}},
		{"select", []string{"--select=price=span[["}},
		{"plug", []string{"--plug="}},
		{"--add", []string{"--add", "--fresh"}},
		{"--only_new", []string{"--only_new", "--stale"}},
		{"unit_size", []string{"--unit_size=0"}},
		{"max_body", []string{"--max_body=-1"}},
		{"unknown", []string{"--unknown=1"}},
	} {
		_, err := parsed(t, tt.args...)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want a mistake that names %s", tt.args, err, tt.want)
		}
	}
	_, err := parsed(t, "--where=title:x AND (")
	if err == nil || !strings.Contains(err.Error(), "title:x AND (") {
		t.Errorf("the mistake is not shown in its filter: %v", err)
	}
	if _, err := parsed(t, "--template_metadata", "--unknown"); err == nil || errors.Is(err, flag.ErrHelp) {
		t.Errorf("a mistake beside --template_metadata: %v", err)
	}
}

// TestFields: a field is a name and a selector, which may have signs of its own, and each name is there once.
func TestFields(t *testing.T) {
	var f fields
	for _, s := range []string{"price=span.price", ` link = a[href="x=y,z"]`} {
		if err := f.Set(s); err != nil {
			t.Errorf("Set(%q): %v", s, err)
		}
	}
	if len(f) != 2 || f[1].Name != "link" || strings.TrimSpace(f[1].CSS) != `a[href="x=y,z"]` ||
		!strings.Contains(f.String(), "price=span.price") {
		t.Errorf("the fields are %+v, %s", f, f.String())
	}
	for _, s := range []string{"", "=", "price", "=span", "a=", "a= ", "price=b", " link=b"} {
		if err := f.Set(s); err == nil {
			t.Errorf("Set(%q) is no error", s)
		}
	}
	var c plug.Commands
	if err := c.Set("exec a,b"); err != nil || c.String() != "exec a,b" {
		t.Errorf("%q, %v", c.String(), err)
	}
	if c.Set(" ") == nil {
		t.Error("an empty command is taken")
	}
}

// TestOrdered: known extractors have the order in which they run, and unknown ones stay for the message.
func TestOrdered(t *testing.T) {
	if got := ordered([]string{"zzz", "language", "", "text", "language"}); got == nil || got[len(got)-1] != "zzz" ||
		len(got) != 3 {
		t.Errorf("ordered = %q", got)
	}
	if got := ordered(nil); got == nil {
		t.Error("no extractor is null in JSON")
	}
	if got := unique([]string{"b", "a", "b"}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("unique = %q", got)
	}
	for name, want := range map[string]string{"s3://bucket/x": "s3://bucket/x", "a/b": "a/b"} {
		if got := baseName(name); got != want {
			t.Errorf("baseName(%q) = %q", name, got)
		}
	}
	if code := cli.ExitUsage; code != 2 {
		t.Errorf("usage ends with %d, and the help says 2", code)
	}
}
