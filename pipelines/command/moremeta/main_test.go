package moremeta

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb) }

// command runs the command, and returns its exit code and its output.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return commandtest.Run(t, "moremeta", args...)
}

const table = "url,id,kind,language\nhttp://a/,1,url,it\nhttp://f/,2,rss,en\n"

const english = "<html><body><p>The quick brown fox jumps over the lazy dog, and then it goes home to its family, " +
	"which has been waiting for it since the early morning.</p></body></html>"

// store makes a store of two days and a table, and returns their paths.
func store(t *testing.T) (dir, pages string) {
	t.Helper()
	dir = t.TempDir()
	a, f, u := pagestore.Hash("http://a/"), pagestore.Hash("http://f/"), pagestore.Hash("http://unknown/")
	for name, content := range map[string]string{
		"pages.csv":            table,
		"store/2008/11/5/META": a + " http://a/\n" + f + " http://f/\n",
		"store/2008/11/5/" + a + "/contents.html":           "a\n",
		"store/2008/11/5/" + f + "/contents.html":           "<rss/>\n",
		"store/2008/11/5/" + f + "/META":                    a + " http://a/\n",
		"store/2008/11/5/" + f + "/" + a + "/contents.html": "a\n",
		"store/2008/11/6/META":                              u + " http://unknown/\n",
		"store/2008/11/6/" + u + "/contents.html":           english,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "store"), filepath.Join(dir, "pages.csv")
}

// metas returns the META files of a store.
func metas(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(d.Name(), "META") {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestMoremeta: both runners write the same, a second run does nothing, and a dry run does nothing.
func TestMoremeta(t *testing.T) {
	a, f, u := pagestore.Hash("http://a/"), pagestore.Hash("http://f/"), pagestore.Hash("http://unknown/")
	for _, runner := range []string{"local", "direct", "prism"} {
		dir, pages := store(t)
		before := metas(t, dir)
		code, out, errs := command(t, "--runner="+runner, "--dry_run", "--pages="+pages, dir)
		if code != cli.ExitLosses || !strings.Contains(out, "would be done") ||
			!strings.Contains(out, "2008/11/6: http://unknown/") {
			t.Fatalf("%s, dry run: code %d\n%s%s", runner, code, out, errs)
		}
		if diff := cmp.Diff(before, metas(t, dir)); diff != "" {
			t.Errorf("%s: the dry run changes\n%s", runner, diff)
		}
		report := filepath.Join(t.TempDir(), "report.jsonl")
		code, out, errs = command(t, "--runner="+runner, "--pages="+pages, "--detect", "--report="+report, dir)
		want := map[string]string{
			"2008/11/5/META":               a + " http://a/ 1 url it\n" + f + " http://f/ 2 rss en\n",
			"2008/11/5/META.old":           before["2008/11/5/META"],
			"2008/11/5/" + f + "/META":     a + " http://a/ 2 rssitem en\n",
			"2008/11/5/" + f + "/META.old": before["2008/11/5/"+f+"/META"],
			"2008/11/6/META":               u + " http://unknown/ 0 url en\n",
			"2008/11/6/META.old":           before["2008/11/6/META"],
		}
		if diff := cmp.Diff(want, metas(t, dir)); diff != "" || code != cli.ExitDone {
			t.Errorf("%s: code %d, -want +got:\n%s\n%s%s", runner, code, diff, out, errs)
		}
		lines, err := os.ReadFile(report)
		if err != nil || strings.Count(string(lines), "\n") != 2 {
			t.Fatalf("%s: report %q, %v", runner, lines, err)
		}
		var first pagestore.Report
		if err := json.Unmarshal(bytes.SplitAfter(lines, []byte("\n"))[0], &first); err != nil || len(first.Changed) != 2 ||
			first.Items.Enriched != 1 {
			t.Errorf("%s: report %+v, %v", runner, first, err)
		}
		code, out, errs = command(t, "--runner="+runner, "--pages="+pages, dir)
		if diff := cmp.Diff(want, metas(t, dir)); diff != "" || code != cli.ExitDone {
			t.Errorf("%s, again: code %d, -want +got:\n%s\n%s%s", runner, code, diff, out, errs)
		}
	}
}

// TestMoremeta_feedsOfXML: --detect reads a feed's own language, or that of its titles, and applies it to the items.
func TestMoremeta_feedsOfXML(t *testing.T) {
	const text = "Il vecchio porto si trova ai margini della città, e ogni mattina i pescatori escono in mare."
	for _, tt := range []struct{ name, feed, language string }{
		{"declared", `<rss version="2.0"><channel><title>A</title><language>de-at</language><description>` + text, "de"},
		{"of titles", `<rss version="2.0"><channel><title>A</title><item><title>` + text + `</title></item>`, "it"},
		{"of descriptions", `<rss version="2.0"><channel><item><description>&lt;p&gt;` + text + `&lt;/p&gt;`, "it"},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><title>B</title></feed>`, "fr"},
	} {
		dir := t.TempDir()
		day := filepath.Join(dir, "2008", "11", "5")
		feed, item := pagestore.Hash("http://f/"), pagestore.Hash("http://f/1")
		for name, content := range map[string]string{
			"META": feed + " http://f/\n", feed + "/contents.html": tt.feed, feed + "/META": item + " http://f/1\n",
			feed + "/" + item + "/contents.html": "one\n",
		} {
			path := filepath.Join(day, filepath.FromSlash(name))
			put(t, path, content)
		}
		code, out, errs := command(t, "--detect", dir)
		got := metas(t, day)
		if code != cli.ExitDone || got["META"] != feed+" http://f/ 0 rss "+tt.language+"\n" ||
			got[feed+"/META"] != item+" http://f/1 0 rssitem "+tt.language+"\n" {
			t.Errorf("%s: code %d, %q\n%s%s", tt.name, code, got, out, errs)
		}
	}
}

func TestMoremeta_failedDayIsReported(t *testing.T) {
	dir, pages := store(t)
	meta := filepath.Join(dir, "2008/11/5/META")
	if err := errors.Join(os.Remove(meta), os.Mkdir(meta, 0o755)); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, "--pages="+pages, dir)
	if code != cli.ExitLosses || !strings.Contains(out, "Not done (1)") {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
}

func TestMoremeta_usage(t *testing.T) {
	dir, pages := store(t)
	for _, tt := range []struct{ args, want string }{
		{"", "no store is named"},
		{dir, "nothing is known of the pages"},
		{"--pages=" + pages + " " + filepath.Dir(dir) + "/none", "no such file"},
		{"--pages=" + pages + " " + dir + "/2008/11/5/" + pagestore.Hash("http://a/"), "no folder of a day"},
		{"--pages=" + dir + "/2008/11/6/META " + dir, "--pages: "},
		{"--pages=" + pages + " --runner=flink " + dir, "--runner=flink needs --report"},
		{"--pags=" + pages, "did you mean --pages?"},
	} {
		code, _, errs := command(t, strings.Fields(tt.args)...)
		if code != cli.ExitUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("moremeta %s: code %d, want %d and %q\n%s", tt.args, code, cli.ExitUsage, tt.want, errs)
		}
	}
	if code, out, _ := command(t, "--help"); code != cli.ExitDone ||
		!strings.Contains(out, "--dry_run\n      change nothing") {
		t.Errorf("--help: code %d\n%s", code, out)
	}
}
