package form

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/command/sources"
)

// forms are the forms that serve offers.
var forms = New(Tables{Ingest: ingest.Settings(), Query: query.Settings(), Sources: sources.Settings()})

// places are some folders. The folder of inputs has an archive, and a link that leads out.
func places(t *testing.T) Places {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"in/a/x.warc.gz", "private/secret.warc.gz"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "private"), filepath.Join(root, "in/link")); err != nil {
		t.Fatal(err)
	}
	return Places{
		Inputs: filepath.Join(root, "in"), Collections: map[string]string{"shelf": "/data/shelf", "other": "/data/other"},
		Names: []string{"shelf", "other"}, Sources: "/data/sources", Exports: "/state/exports",
		SourceIndex: "/state/sources.sqlite",
	}
}

func TestForms_flagsAreThere(t *testing.T) {
	want := map[string]int{"ingest": 12, "query": 17, "sources": 3}
	for _, f := range forms {
		if len(f.Fields) != want[f.Verb] {
			t.Errorf("the form of %s has %d fields, want %d: a flag has another name now", f.Verb, len(f.Fields), want[f.Verb])
		}
		for _, field := range f.Fields {
			if field.Help == "" || field.Label == "" {
				t.Errorf("%s: %s has no help or no label", f.Verb, field.Name)
			}
			if strings.HasPrefix(field.Example, "'") {
				t.Errorf("%s: the example of %s is one of a shell: %s", f.Verb, field.Name, field.Example)
			}
		}
	}
}

func TestCommand(t *testing.T) {
	p := places(t)
	for _, test := range []struct {
		name, verb, values string
		want               []string
	}{
		{
			"an archive", "ingest", "archives=a/x.warc.gz&limit=5&add=true&max_body=1MiB",
			[]string{"--output=/data/shelf", "--add", "--limit=5", "--max_body=1MiB", p.Inputs + "/a/x.warc.gz"},
		},
		{
			"patterns and folders", "ingest", "archives=a/*.warc.gz%0D%0A.&collection=other",
			[]string{"--output=/data/other", p.Inputs + "/a/*.warc.gz", p.Inputs + "/."},
		},
		{
			"extractors", "ingest", "archives=a&extract=text&extract=mime",
			[]string{"--output=/data/shelf", "--extract=text,mime", p.Inputs + "/a"},
		},
		{
			"export", "query", "name=french&format=csv&where=language+%3D+fr&order=oldest",
			[]string{
				"--collection=/data/shelf", "--format=csv", "--where=language = fr", "--order=oldest",
				"--output=/state/exports/french.csv",
			},
		},
		{
			"what looks like a flag is a value", "query", "text=--output%3D%2Fetc%2Fpasswd",
			[]string{
				"--collection=/data/shelf", "--text=--output=/etc/passwd", "--format=jsonl",
				"--output=/state/exports/export.jsonl",
			},
		},
		{
			"an export of a source", "query", "collection=shelf&source=0123456789abcdef",
			[]string{
				"--collection=/data/shelf", "--source=0123456789abcdef", "--sources=/state/sources.sqlite", "--format=jsonl",
				"--output=/state/exports/export.jsonl",
			},
		},
		{
			"sources", "sources", "collection=shelf&collection=other",
			[]string{"--collection=/data/shelf", "--collection=/data/other", "--output=/data/sources"},
		},
		{
			"flags that are not in the form", "ingest",
			"archives=a&output=/etc&fresh=true&private_hosts=true&runner=dataflow&kafka=x",
			[]string{"--output=/data/shelf", p.Inputs + "/a"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			values, err := url.ParseQuery(test.values)
			if err != nil {
				t.Fatal(err)
			}
			line, err := forms.Command(test.verb, values, p)
			if err != nil || !slices.Equal(line.Args, test.want) {
				t.Errorf("Command(%s, %s) = %q, %v, want %q", test.verb, test.values, line.Args, err, test.want)
			}
		})
	}
}

// TestCommand_refuses: values that lead out of the folders, or to another host, are refused, and the error names the
// field.
func TestCommand_refuses(t *testing.T) {
	p := places(t)
	for _, test := range []struct{ verb, field, value string }{
		{"ingest", "archives", "../private/secret.warc.gz"},
		{"ingest", "archives", "a/../../private"},
		{"ingest", "archives", "/etc/passwd"},
		{"ingest", "archives", "{a,../private}/*.gz"},
		{"ingest", "archives", "link/secret.warc.gz"},
		{"ingest", "archives", "link/*.gz"},
		{"ingest", "archives", "http://169.254.169.254/latest/meta-data"},
		{"ingest", "archives", "https://127.0.0.1/x.warc"},
		{"ingest", "archives", "gs://bucket/x"},
		{"ingest", "archives", "s3://bucket/x"},
		{"ingest", "archives", "kafka://broker/topic"},
		{"ingest", "archives", "a\x00/x"},
		{"ingest", "archives", "nothing-here.warc.gz"},
		{"ingest", "archives", ""},
		{"ingest", "collection", "/etc"},
		{"ingest", "extract", "text,../x"},
		{"ingest", "limit", "-1"},
		{"ingest", "max_body", "many"},
		{"query", "name", "../../etc/passwd"},
		{"query", "name", ".hidden"},
		{"query", "name", "a/b"},
		{"query", "name", "-rf"},
		{"query", "format", "table"},
		{"query", "collection", "nothing"},
		{"ingest", "site_templates", "yes"},
		{"ingest", "add", "1"},
		{"query", "all_versions", "TRUE"},
	} {
		values := url.Values{test.field: {test.value}}
		if test.verb == "ingest" && test.field != "archives" {
			values.Set("archives", "a")
		}
		line, err := forms.Command(test.verb, values, p)
		wrong, is := err.(Mistakes)
		if !is || wrong[test.field].Text == "" {
			t.Errorf("%s with %s=%q: %q, %v, want a mistake of that field", test.verb, test.field, test.value, line.Args, err)
		}
	}
}

// TestCommand_inputsByALink: the folder of inputs may be a link, or below one. Archives can be named by the usual
// name, and by the one without links.
func TestCommand_inputsByALink(t *testing.T) {
	p := places(t)
	link := filepath.Join(t.TempDir(), "warcs")
	if err := os.Symlink(p.Inputs, link); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(p.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	p.Inputs = link
	for _, name := range []string{"a/x.warc.gz", link + "/a/x.warc.gz", root + "/a/x.warc.gz"} {
		line, err := forms.Command("ingest", url.Values{"archives": {name}}, p)
		if err != nil || line.Args[len(line.Args)-1] != root+"/a/x.warc.gz" {
			t.Errorf("archives=%s: %q, %v", name, line.Args, err)
		}
	}
	for _, name := range []string{link + "/../private/secret.warc.gz", link + "/link/secret.warc.gz", link + "-old/x"} {
		if line, err := forms.Command("ingest", url.Values{"archives": {name}}, p); err == nil {
			t.Errorf("archives=%s: %q, want a mistake", name, line.Args)
		}
	}
}

func FuzzBelow(f *testing.F) {
	for _, s := range []string{"a", "../x", "{..,a}/b", "a/./b", "*", "..\\x", "/etc"} {
		f.Add(s)
	}
	root := f.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a"), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string) {
		path, why := below(root, root, name)
		if why == "" && !strings.HasPrefix(filepath.Clean(path)+"/", root+"/") {
			t.Errorf("below(%q) = %q, which leads out of %s", name, path, root)
		}
	})
}
