package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// withExtractor is the environment variable that adds an extractor of this version to the command.
const withExtractor = "GLEANER_TEST_EXTRACTOR"

func init() {
	switch v := os.Getenv(withExtractor); v {
	case "":
	case "typed":
		enrich.MustRegister(typedShouting{shouting{v}})
	default:
		enrich.MustRegister(shouting{v})
	}
}

// shouting counts exclamation marks.
type shouting struct{ version string }

func (s shouting) Name() string    { return "shouting" }
func (s shouting) Version() string { return s.version }
func (shouting) Columns() []string { return []string{"shouts"} }

func (shouting) Extract(p *enrich.Page) (map[string][]string, error) {
	return map[string][]string{"shouts": {strconv.Itoa(strings.Count(p.Text(), "!"))}}, nil
}

// shouts returns the values of the column by the first letter of the host; "-" without a value.
func shouts(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, line := range lines(t, dir, "documents-*") {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		found[d.Host] = strings.Join(append(d.Custom["shouts"], "-"), "")
	}
	return found
}

// TestIngest_ownExtractor: a registered extractor runs according to its trigger, also on Beam's workers. Another
// version or another trigger makes its results stale.
func TestIngest_ownExtractor(t *testing.T) {
	root := t.TempDir()
	d := days{t, root, filepath.Join(root, "out")}
	d.write("shelf/loud", "Help! Help! The house of my neighbour is on fire!")
	d.write("shelf/quiet", "The house of my neighbour is as quiet as ever.")
	triggers := func(dir, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, claim.ExtractorsFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(dir, version string, args ...string) schemas.Manifest {
		t.Helper()
		args = append([]string{"--output=" + dir, "--unit_size=64KiB", filepath.Join(root, "shelf")}, args...)
		r := runCommandIn(t, []string{withExtractor + "=" + version}, args...)
		if r.code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, r.code, r.stderr)
		}
		m, err := holdings.ReadManifest(local(dir))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const loud = "- extractor: shouting # only there\n  trigger: host = \"shelf-loud.example\"\n"
	triggers(d.out, loud)
	m := run(d.out, "1")
	if diff := cmp.Diff(map[string]string{"shelf-loud.example": "3-", "shelf-quiet.example": "-"},
		shouts(t, d.out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if m.Versions["extractor:shouting"] != "1" || m.Options["triggers"] == nil {
		t.Errorf("versions %v, options %v", m.Versions, m.Options)
	}
	onPrism := filepath.Join(root, "prism")
	triggers(onPrism, loud)
	run(onPrism, "1", "--runner=prism")
	sameFiles(t, contents(t, onPrism), contents(t, d.out))

	before := contents(t, d.out)
	triggers(d.out, "# nothing else\n"+loud)
	run(d.out, "1")
	before[claim.ExtractorsFile] = "# nothing else\n" + loud
	sameFiles(t, contents(t, d.out), before)
	if m := run(d.out, "2", "--stale"); m.Versions["extractor:shouting"] != "2" || m.Units[0].Versions != nil {
		t.Errorf("with another version: versions %v, of the first unit %v", m.Versions, m.Units[0].Versions)
	}
	triggers(d.out, `[{extractor: shouting, trigger: 'text:house'}]`)
	run(d.out, "2", "--where=custom.shouts = 3", "--fresh")
	if diff := cmp.Diff(map[string]string{"shelf-loud.example": "3-"}, shouts(t, d.out)); diff != "" {
		t.Errorf("another trigger, and a filter: -want +got:\n%s", diff)
	}
}

// typedShouting is shouting with a type.
type typedShouting struct{ shouting }

func (typedShouting) Types() map[string]schemas.ValueType {
	return map[string]schemas.ValueType{"shouts": schemas.TypeInteger}
}

// TestIngest_typedExtractor: an extractor gets types, and later results have them in both formats. They combine with
// earlier results, whose archive is gone, in one query result.
func TestIngest_typedExtractor(t *testing.T) {
	root := t.TempDir()
	d := days{t, root, filepath.Join(root, "out")}
	shelf := filepath.Join(root, "shelf")
	ingest := func(version string, args ...string) result {
		t.Helper()
		args = append([]string{"--output=" + d.out, "--unit_size=64KiB", "--format=parquet,jsonl", shelf}, args...)
		return runCommandIn(t, []string{withExtractor + "=" + version}, args...)
	}
	d.write("shelf/loud", "Help! Help! The house of my neighbour is on fire!")
	if r := ingest("1"); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	d.remove("shelf/loud.warc")
	d.write("shelf/louder", strings.Repeat("Fire! ", 10)+"The house of my neighbour is on fire!")
	if r := ingest("typed", "--where=custom.shouts = many"); r.code != 2 || !strings.Contains(r.stderr, "type integer") {
		t.Errorf("a text is compared with a number: exit code %d\n%s", r.code, r.stderr)
	}
	if r := ingest("typed", "--add"); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	db, err := contentdb.Open(t.Context(), local(d.out), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for filter, want := range map[string]int64{
		"custom.shouts > 2": 2, "custom.shouts >= 10": 1, "custom.shouts < 10": 1, "custom_integers.shouts:*": 2,
		"custom:shouts": 2,
	} {
		where, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := db.Count(t.Context(), query.Query{Where: where}); err != nil || n != want {
			t.Errorf("%s: %d captures, %v, want %d", filter, n, err, want)
		}
	}
	groups, err := db.Facets(t.Context(), query.Query{}, []string{"custom.shouts"}, 0)
	want := []contentdb.Group{{Values: []string{"11"}, Count: 1}, {Values: []string{"3"}, Count: 1}}
	if diff := cmp.Diff(want, groups); diff != "" || err != nil {
		t.Errorf("by custom.shouts: %v, -want +got:\n%s", err, diff)
	}
}

func TestIngest_badTriggers(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"- extractor: txet\n  trigger: status = 200":                     "trigger of txet: this extractor is not asked for",
		"- extractor: text\n  trigger: language = en":                    "which is not known yet when text runs",
		"- extractor: text\n  tirgger: status = 200":                     "field tirgger not found",
		"- extractor: text":                                              "entry 1: an entry has an extractor and a trigger",
		"- {extractor: text, trigger: status =}":                         "text: column",
		"extractor: text":                                                "cannot unmarshal",
		"[{extractor: text, trigger: a}, {extractor: text, trigger: b}]": "text is there twice",
	} {
		name := filepath.Join(dir, "extractors.yaml")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r := runCommand(t, "--output="+filepath.Join(dir, "out"), "--extractors="+name, archives)
		if r.code != 2 || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", text, r.code, want, r.stderr)
		}
	}
}
