package pagestore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
)

// known is the table that the sample stores were written with.
var known = pagestore.Table{
	"http://www.economist.com/":   {ID: "180", Kind: "url", Language: "en"},
	"http://www.repubblica.it/":   {ID: "181", Kind: "url", Language: "it"},
	"http://example.org/feed.rss": {ID: "158", Kind: "rss", Language: "en"},
	"http://example.net/bug":      {ID: "9", Kind: "url", Language: "en"},
}

func from(t pagestore.Table) pagestore.Options {
	return pagestore.Options{Page: func(e pagestore.Entry) (pagestore.Page, bool, error) {
		p, ok := t[e.URL]
		return p, ok, nil
	}}
}

// copied copies a sample store, which is read-only, and returns the copy.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	for path, content := range tree(t, seeds(t, name)) {
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree returns the files beneath a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
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

// migrate migrates all days of a store.
func migrate(t *testing.T, dir string, o pagestore.Options, dryRun bool) (reports []pagestore.Report) {
	t.Helper()
	days, err := pagestore.Days(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range days {
		r, err := pagestore.MigrateDay(day, o, dryRun)
		if err != nil {
			t.Fatal(err)
		}
		r.Day, _ = filepath.Rel(dir, day)
		reports = append(reports, r)
	}
	return reports
}

// TestMigrateDay_seeds: of three sample stores, the old one becomes equal to the new one, and the others stay as they
// are. A second migration changes nothing.
func TestMigrateDay_seeds(t *testing.T) {
	for _, name := range []string{"enriched-r367", "padded-wiki-style", "pre-r367"} {
		dir := copied(t, name)
		before := tree(t, dir)
		migrate(t, dir, from(known), true)
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Errorf("%s: a dry run changes it:\n%s", name, diff)
		}
		migrate(t, dir, from(known), false)
		after := tree(t, dir)
		want := maps.Clone(before)
		if name == "pre-r367" {
			want = migrated(before, tree(t, seeds(t, "enriched-r367")))
		}
		if diff := cmp.Diff(want, after); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, r := range migrate(t, dir, from(known), false) {
			if len(r.Changed)+len(r.Renames)+len(r.Missing)+r.Pages.Enriched > 0 {
				t.Errorf("%s: the second migration says %+v", name, r)
			}
		}
		if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
			t.Errorf("%s: the second migration changes it:\n%s", name, diff)
		}
	}
}

// migrated returns the files that the old sample store becomes: the META files of the new one. They lack the line of a
// second run, and have the line of the page whose URL had a line end.
func migrated(old, enriched map[string]string) map[string]string {
	const bug, fixed = "5f78881adc4b2a7106c8e9580931b942", "d70f28f821dd56cf7cefab8825364efa"
	want := map[string]string{}
	for name, content := range old {
		name = strings.Replace(name, bug, fixed, 1)
		want[name] = content
		if strings.HasSuffix(name, "META") {
			want[name+".old"], want[name] = content, enriched[name]
		}
	}
	want["2008/11/15/META"] += fixed + " http://example.net/bug 9 url en\n"
	lines := strings.SplitAfter(want["2009/1/5/META"], "\n")
	want["2009/1/5/META"] = strings.Join(lines[:3], "")
	return want
}

// TestMigrateDay_unknown: pages that the table lacks are reported and kept, or removed on request.
func TestMigrateDay_unknown(t *testing.T) {
	a, b, f := pagestore.Hash("http://a/"), pagestore.Hash("http://b/"), pagestore.Hash("http://f/")
	meta := a + " http://a/\nnoise\n" + b + " \nhttp://b/\n\n" + f + " http://f/\n"
	table := pagestore.Table{"http://b/": {ID: "2", Kind: "url", Language: "it"}}
	files := map[string]string{
		"2009/01/05/META":                        meta,
		"2009/01/05/" + b + "/contents.html":     "b",
		"2009/01/05/" + f + "/contents.html":     "a feed",
		"2009/01/05/" + f + "/META":              a + " http://a/\n",
		"2009/01/05/" + f + "/" + a + "/x":       "",
		"2009/01/.hidden/META":                   "no day",
		"2009/01/32/META":                        "no day",
		"2009/01/05/" + f + "/2009/01/05/META":   "a day in a page",
		"2009/01/05/" + b + "/2009/01/05/x/META": "",
	}
	for _, strict := range []bool{false, true} {
		dir := place(t, files)
		o := from(table)
		o.Strict = strict
		want := pagestore.Report{
			Day: filepath.Join("2009", "01", "05"), Changed: []string{"META"},
			Pages:   pagestore.Counts{Lines: 3, Enriched: 1, Joined: 1, Unknown: 2, Bad: 1},
			Unknown: []string{"http://a/", "http://f/"}, Missing: []string{a},
			Bad: []string{`pagestore: line at byte 43: the first column is no MD5: "noise\n"`},
		}
		meta := a + " http://a/\nnoise\n" + b + " http://b/ 2 url it\n" + f + " http://f/\n"
		if strict {
			want.Pages.Dropped, want.Missing = 3, nil
			meta = b + " http://b/ 2 url it\n"
		}
		if diff := cmp.Diff([]pagestore.Report{want}, migrate(t, dir, o, false)); diff != "" {
			t.Errorf("strict %t (-want +got):\n%s", strict, diff)
		}
		wantFiles := maps.Clone(files)
		wantFiles["2009/01/05/META"], wantFiles["2009/01/05/META.old"] = meta, files["2009/01/05/META"]
		if diff := cmp.Diff(wantFiles, tree(t, dir)); diff != "" {
			t.Errorf("strict %t (-want +got):\n%s", strict, diff)
		}
	}
}

// TestMigrateDay_dryRunSaysTheSame: a dry run's report is that of the run after it, of a feed too that is renamed.
func TestMigrateDay_dryRunSaysTheSame(t *testing.T) {
	const feed = "http://f/"
	old, a := "0123456789abcdef0123456789abcdef", pagestore.Hash("http://a/")
	dir := place(t, map[string]string{
		"2009/1/5/META":                                old + " \n" + feed + "\n" + old + " \n" + feed + "\n",
		"2009/1/5/" + old + "/contents.html":           "<rss/>",
		"2009/1/5/" + old + "/META":                    a + " http://a/\n",
		"2009/1/5/" + old + "/" + a + "/contents.html": "a",
	})
	o := from(pagestore.Table{feed: {ID: "7", Kind: "rss", Language: "en"}})
	dry, wet := migrate(t, dir, o, true), migrate(t, dir, o, false)
	dry[0].Changed, wet[0].Changed = nil, nil // folders have their old names in a dry run
	if diff := cmp.Diff(wet, dry); diff != "" || len(wet[0].Renames) != 1 || len(wet[0].Missing) > 0 ||
		wet[0].Items.Enriched != 1 {
		t.Errorf("%+v (-run +dry run):\n%s", wet[0], diff)
	}
}

// TestMigrateDay_stopped: after a migration that stopped in its last step, the next one completes it. An existing
// folder is not overwritten.
func TestMigrateDay_stopped(t *testing.T) {
	dir := copied(t, "pre-r367")
	const bug, fixed = "2008/11/15/5f78881adc4b2a7106c8e9580931b942", "2008/11/15/d70f28f821dd56cf7cefab8825364efa"
	if err := os.Rename(filepath.Join(dir, bug), filepath.Join(dir, fixed)); err != nil {
		t.Fatal(err)
	}
	r := migrate(t, dir, from(known), false)[0]
	if len(r.Missing)+len(r.Renames)+len(r.Conflicts) > 0 || r.Pages.Joined != 1 {
		t.Errorf("after the folder was renamed: %+v", r)
	}
	dir = copied(t, "pre-r367")
	if err := os.CopyFS(filepath.Join(dir, fixed), os.DirFS(filepath.Join(dir, bug))); err != nil {
		t.Fatal(err)
	}
	r = migrate(t, dir, from(known), false)[0]
	want := []pagestore.Rename{{From: filepath.Base(bug), To: filepath.Base(fixed)}}
	if diff := cmp.Diff(want, r.Conflicts); diff != "" || len(r.Renames) > 0 {
		t.Errorf("with both folders: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, bug)); err != nil {
		t.Errorf("with both folders, one is gone: %v", err)
	}
}

func TestMigrateDay_failingLookup(t *testing.T) {
	dir, gone := copied(t, "pre-r367"), errors.New("gone")
	before := tree(t, dir)
	days, _ := pagestore.Days(dir)
	_, err := pagestore.MigrateDay(days[0],
		pagestore.Options{Page: func(pagestore.Entry) (pagestore.Page, bool, error) { return pagestore.Page{}, false, gone }},
		false)
	if diff := cmp.Diff(before, tree(t, dir)); !errors.Is(err, gone) || diff != "" {
		t.Errorf("error %v, changed:\n%s", err, diff)
	}
}

func TestReadTable(t *testing.T) {
	a := pagestore.Table{"http://a/": {ID: "1", Kind: "url", Language: "en"}}
	tests := []struct {
		name, text string
		want       pagestore.Table
		err        string
	}{
		{"empty", "", pagestore.Table{}, ""},
		{"CSV", "http://a/,1,url,en\n", a, ""},
		{"CSV with names", "\uFEFFid,Language,kind,url\r\n1,en,url,\" http://a/\"\r\n", a, ""},
		{"JSON lines", `{"url":"http://a/","id":1,"kind":"url","language":"en"}` + "\n" +
			`{"url":"http://a/","id":"1","kind":"url","language":"en","x":0}`, a, ""},
		{
			"large id", `{"url":"http://a/","id":12345678901234567890,"kind":"rss","language":"en"}`,
			pagestore.Table{"http://a/": {ID: "12345678901234567890", Kind: "rss", Language: "en"}},
			"",
		},
		{"no id", `{"url":"http://a/","kind":"url","language":"en"}`, nil, "row 1: http://a/: the id"},
		{"a blank in the language", "http://a/,1,url,en us\n", nil, "line 1: http://a/: the language"},
		{"an item", "http://a/,1,url,en\nhttp://b/,1,rssitem,en\n", nil, "line 2: http://b/: the kind"},
		{"no URL", ",1,url,en\n", nil, "line 1: no URL"},
		{"three columns", "http://a/,1,url\n", nil, "wrong number of fields"},
		{"two answers", "http://a/,1,url,en\nhttp://a/,2,url,en\n", nil, "line 2: http://a/: {ID:2"},
		{"no JSON", "{\n", nil, "row 1: unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pagestore.ReadTable(strings.NewReader(tt.text))
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) || tt.err == "" && err != nil {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); tt.err == "" && diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzMigrate: a second migration changes nothing, and no readable line is lost.
func FuzzMigrate(f *testing.F) {
	for _, seed := range []string{
		"afa4d5c1593694b1af94aad132a53da7 http://www.economist.com/\nnoise\n",
		"5f78881adc4b2a7106c8e9580931b942 \n\nhttp://example.net/bug\n",
		"afa4d5c1593694b1af94aad132a53da7  http://a/ b  1 url en\r\n5f78881adc4b2a7106c8e9580931b942 \n",
	} {
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, meta []byte, strict bool) {
		o := from(known)
		o.Strict = strict
		once, err := pagestore.Migrate(meta, o)
		if err != nil {
			t.Fatal(err)
		}
		n := once.Counts
		if !strict && n.Lines != len(once.Lines) || n.Kept+n.Enriched+n.Unknown != n.Lines || n.Lines+
			n.Bad-n.Dropped != len(entries(string(once.Meta))) {
			t.Fatalf("the lines do not come out: %+v", n)
		}
		twice, err := pagestore.Migrate(once.Meta, o)
		if err != nil || string(twice.Meta) != string(once.Meta) {
			t.Fatalf("%q becomes %q and then %q, %v", meta, once.Meta, twice.Meta, err)
		}
	})
}

func ExampleMigrate() {
	old := "afa4d5c1593694b1af94aad132a53da7 http://www.economist.com/\n5f78881adc4b2a7106c8e9580931b942 \n" +
		"http://example.net/bug\n"
	m, err := pagestore.Migrate([]byte(old), from(known))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s%+v\n", m.Meta, m.Renames)
	// Output:
	// afa4d5c1593694b1af94aad132a53da7 http://www.economist.com/ 180 url en
	// d70f28f821dd56cf7cefab8825364efa http://example.net/bug 9 url en
	// [{From:5f78881adc4b2a7106c8e9580931b942 To:d70f28f821dd56cf7cefab8825364efa}]
}
