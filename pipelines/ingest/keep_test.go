package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// days holds folders of archives, and the output of commands on them.
type days struct {
	t         *testing.T
	root, out string
}

func newDays(t *testing.T) days {
	root := t.TempDir()
	return days{t, root, filepath.Join(root, "out")}
}

// put writes archives of one page each: "day1/a" is the archive a.warc in day1.
func (d days) put(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.write(name, "the page of "+name)
	}
}

func (d days) write(name, text string) {
	d.t.Helper()
	id := strings.ReplaceAll(name, "/", "-")
	shelftest.Put(d.t, filepath.Join(d.root, name+".warc"), id, text)
}

func (d days) remove(names ...string) {
	d.t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(d.root, name)); err != nil {
			d.t.Fatal(err)
		}
	}
}

// run runs a command line whose folders are relative to the root.
func (d days) run(line string) result {
	d.t.Helper()
	args := []string{"--output=" + d.out}
	for _, a := range strings.Fields(line) {
		switch {
		case strings.HasPrefix(a, "--cdx="):
			a = "--cdx=" + filepath.Join(d.root, strings.TrimPrefix(a, "--cdx="))
		case !strings.HasPrefix(a, "-"):
			a = filepath.Join(d.root, a)
		}
		args = append(args, a)
	}
	if !strings.Contains(line, "--extract") && !strings.Contains(line, "--format=cdxj") {
		args = append(args, "--extract=mime")
	}
	return runCommand(d.t, args...)
}

// held returns the pages of the folder's documents as a list of archives: "day1-a day2-b". A duplicate page is in it
// twice.
func (d days) held() string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.out, "documents-*.jsonl*"))
	if err != nil {
		d.t.Fatal(err)
	}
	if len(names) == 0 {
		return ""
	}
	var list []string
	for _, line := range documents(d.t, d.out) {
		var doc schemas.Document
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			d.t.Fatal(err)
		}
		list = append(list, strings.TrimSuffix(strings.TrimPrefix(doc.URL, "http://"), ".example/"))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func (d days) manifest() schemas.Manifest {
	d.t.Helper()
	m, err := holdings.ReadManifest(local(d.out))
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}

// TestAttack01_aRunRemovesNothingUnasked checks the contents of the folder after a second command, often after
// changes of the archives.
func TestAttack01_aRunRemovesNothingUnasked(t *testing.T) {
	const ab, all = "day1-a day1-b", "day1-a day1-b day2-c"
	for _, tt := range []struct {
		name   string
		first  string
		change func(d days)
		second string
		code   int
		held   string // "" for no documents
		says   string // on either stream; several are separated by |
	}{
		{"the same again", "day1", nil, "day1", 0, ab, ""},
		{"another shelf", "day1", nil, "day2", 2, ab, "2 documents|--add|--fresh|--output"},
		{"another shelf, planned", "day1", nil, "--plan day2", 0, ab, "refused|2 documents|--add|day2/c.warc"},
		{"fewer extractors, planned", "--extract=text day1", nil, "--plan --extract=language day1", 0, ab, "refused|text"},
		{"a file of it, planned", "day1", nil, "--plan --log_format=json day1/a.warc", 0, ab, `"refused":"the folder`},
		{"another shelf added", "day1", nil, "--add day2", 0, all, ""},
		{"another shelf in its place", "day1", nil, "--fresh day2", 0, "day2-c", ""},
		{"a file of the shelf alone", "day1", nil, "day1/a.warc", 2, ab, "b.warc"},
		{"a file of the shelf added", "day1", nil, "--add day1/a.warc", 0, ab, ""},
		{"a shelf more", "day1", nil, "day1 day2", 0, all, ""},
		{"a shelf around it", "day1", nil, ".", 0, all, ""},
		{"a shelf less", "day1 day2", nil, "day1", 2, all, "c.warc"},
		{"by a pattern", "day1", nil, "day*/*.warc", 0, all, ""},
		{"a growing shelf", "day1", func(d days) { d.put("day1/c") }, "day1", 0, ab + " day1-c", ""},
		{"one vanished", "day1", func(d days) { d.remove("day1/a.warc") }, "day1", 0, ab, "1 unit of archives that " +
			"are no longer there stays|--prune"},
		{
			"one vanished, one came", "day1", func(d days) { d.remove("day1/a.warc"); d.put("day1/c") }, "day1", 0,
			ab + " day1-c", "no longer there stays",
		},
		{"one vanished, removed", "day1", func(d days) { d.remove("day1/a.warc") }, "--prune " +
			"day1", 0, "day1-b", "--prune removes 1 document "},
		{"one vanished, to be removed", "day1", func(d days) { d.remove("day1/a.warc") }, "--prune --plan day1", 0, ab, ""},
		{"a shelf vanished", "day1 day2", func(d days) { d.remove("day1") }, "day2", 2, all, "a.warc|--add"},
		{"a shelf vanished, added to", "day1 day2", func(d days) { d.remove("day1"); d.put("day2/d") }, "--add " +
			"day2", 0, all + " day2-d", "--prune"},
		{"a shelf vanished, removed", "day1 day2", func(d days) { d.remove("day1") }, "--prune day2", 0, "day2-c", "2 " +
			"documents"},
		{"all vanished, others came", "day1", func(d days) {
			d.remove("day1/a.warc",
				"day1/b.warc")
			d.put("day1/c")
		}, "day1", 2, ab, "--add"},
		{"all vanished, others came, prune", "day1", func(d days) {
			d.remove("day1/a.warc",
				"day1/b.warc")
			d.put("day1/c")
		}, "--prune day1", 2, ab, "--fresh"},
		{"an unmounted share, prune", "day1 day2", func(d days) { d.remove("day1/a.warc", "day1/b.warc") }, "--prune " +
			"day1 day2", 2, all, ""},
		{
			"an unmounted share within, prune", "day1 day2", func(d days) { d.remove("day1/a.warc", "day1/b.warc") },
			"--prune .", 2, all, "is it mounted",
		},
		{"an empty shelf, prune", "day1", func(d days) { d.remove("day1/a.warc", "day1/b.warc") }, "--prune day1", 2, ab, ""},
		{"an index of it", "--format=jsonl day1", nil, "--format=cdxj day1", 0, ab, ""},
		{"an index of another", "day1", nil, "--format=cdxj day2", 2, ab, "--add"},
		{"parquet", "day1", nil, "--format=parquet day1", 0, ab, ""},
		{"documents after an index", "--format=cdxj day1", nil, "day1", 0, ab, ""},
		{"other compression", "day1", nil, "--compression=gzip day1", 2, ab, "--compression|2 documents|zstd|gzip"},
		{"the folder's compression", "--compression=gzip day1", nil, "day1 day2", 0, all, ""},
		{"fewer extractors", "--extract=mime,charset day1", nil, "--extract=mime day1", 2, ab, "--extract|charset|--fresh"},
		{"more extractors", "day1", nil, "--extract=mime,charset day1", 0, ab, ""},
		{"more extractors, one vanished", "day1", func(d days) { d.remove("day1/a.warc") }, "--extract=mime,charset " +
			"day1", 0, ab, "1 of these with the options that made them"},
		{"another limit", "day1", nil, "--max_body=1MiB day1", 2, ab, "--max_body|33554432|1048576"},
		{"another accuracy", "day1", nil, "--language_accuracy=high day1", 2, ab, "--language_accuracy"},
		{"site templates", "--extract=text day1", nil, "--extract=text --site_templates day1", 2, ab, "--site_templates"},
		{"a field less", "--select=t=title day1", nil, "day1", 2, ab, "--select"},
		{"a field more", "day1", nil, "--select=t=title day1", 0, ab, ""},
		{"add and fresh", "day1", nil, "--add --fresh day2", 2, ab, "--fresh"},
		{"one changed that is read with one that vanished", "day1", func(d days) {
			d.remove("day1/a.warc")
			d.write("day1/b", "another page")
		}, "day1", 2, ab, "b.warc has changed|--prune"},
		{"one changed that is read with one that vanished, prune", "day1", func(d days) {
			d.remove("day1/a.warc")
			d.write("day1/b", "another page")
		}, "--prune day1", 0, "day1-b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDays(t)
			d.put("day1/a", "day1/b", "day2/c")
			if r := d.run(tt.first); r.code != 0 {
				t.Fatalf("first: exit code %d\n%s", r.code, r.stderr)
			}
			before := contents(t, d.out)
			if tt.change != nil {
				tt.change(d)
			}
			r := d.run(tt.second)
			if r.code != tt.code {
				t.Errorf("exit code %d, want %d\n%s", r.code, tt.code, r.stderr)
			}
			if got := d.held(); got != tt.held {
				t.Errorf("the folder holds %q, want %q", got, tt.held)
			}
			for _, want := range strings.Split(tt.says, "|") {
				if !strings.Contains(r.stderr+r.stdout, want) {
					t.Errorf("it said %q%q, want %q in it", r.stderr, r.stdout, want)
				}
			}
			after := contents(t, d.out)
			if (tt.code == 2 || strings.Contains(tt.second, "--plan")) && !maps.Equal(before, after) {
				t.Error("the command was refused, and files have changed")
			}
			if tt.code == 0 && !strings.Contains(tt.second, "--plan") {
				d.isWhole()
				d.sameAgain(tt.second)
			}
		})
	}
}

// isWhole fails unless manifest and index cover all documents of the folder.
func (d days) isWhole() {
	d.t.Helper()
	m := d.manifest()
	if n := len(strings.Fields(d.held())); int(m.Totals.Documents) != n && n > 0 {
		d.t.Errorf("the manifest has %d documents, the folder %d", m.Totals.Documents, n)
	}
	if n := len(indexLines(d.t, d.out)); int(m.Totals.Captures) != n {
		d.t.Errorf("the manifest has %d captures, the indexes %d lines", m.Totals.Captures, n)
	}
	var listed []string
	for _, u := range m.Units {
		for _, s := range u.Shards {
			listed = append(listed, s.Name)
		}
	}
	for _, f := range m.Files {
		listed = append(listed, f.Name)
	}
	slices.Sort(listed)
	there := contents(d.t, d.out)
	delete(there, holdings.ManifestFile)
	if got := slices.Sorted(maps.Keys(there)); !slices.Equal(got, listed) {
		d.t.Errorf("files are %q, the manifest lists %q", got, listed)
	}
}

// sameAgain fails unless a repeated command changes nothing.
func (d days) sameAgain(line string) {
	d.t.Helper()
	before := contents(d.t, d.out)
	r := d.run(strings.ReplaceAll(line, "--fresh", ""))
	if r.code != 0 || strings.Contains(r.stderr, "units are done already") {
		d.t.Errorf("once more: exit code %d, %q", r.code, r.stderr)
	}
	sameFiles(d.t, contents(d.t, d.out), before)
}

// TestAttack01_formatsAreAddedBeside: a folder has all requested formats. Existing files are unchanged, though units
// of other formats have other names.
func TestAttack01_formatsAreAddedBeside(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{"--format=jsonl", "--format=cdxj", "jsonl.zst index.cdxj"},
		{"--format=jsonl", "--format=parquet", "jsonl.zst parquet"},
		{"--format=jsonl,parquet", "--format=jsonl", "jsonl.zst parquet"},
		{"--format=cdxj", "--format=jsonl", "jsonl.zst index.cdxj"},
		{"--format=jsonl,cdxj", "--format=parquet", "jsonl.zst parquet index.cdxj"},
		{"--format=parquet,cdxj", "--format=cdxj", "parquet index.cdxj"},
		{"--format=jsonl --compression=gzip", "--format=parquet", "jsonl.gz parquet"},
	} {
		t.Run(tt.first+" then "+tt.second, func(t *testing.T) {
			t.Parallel()
			d := newDays(t)
			d.put("day1/a", "day1/b")
			if r := d.run(tt.first + " day1"); r.code != 0 {
				t.Fatal(r.stderr)
			}
			before := byNumber(t, d.out)
			if r := d.run(tt.second + " day1"); r.code != 0 {
				t.Fatal(r.stderr)
			}
			after := byNumber(t, d.out)
			for name, text := range before {
				if name != holdings.ManifestFile && after[name] != text {
					t.Errorf("%s was changed or removed", name)
				}
			}
			for _, end := range strings.Fields(tt.want) {
				names := slices.Sorted(maps.Keys(after))
				if !slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, end) }) {
					t.Errorf("no file %s among %q", end, names)
				}
			}
			clean := days{t, d.root, filepath.Join(d.root, "clean")}
			formats := strings.NewReplacer("jsonl.zst", "jsonl", "jsonl.gz", "jsonl", "index.cdxj", "cdxj", " "+
				"", ",").Replace(tt.want)
			_, options, _ := strings.Cut(tt.first, " ")
			if r := clean.run("--format=" + formats + " " + options + " day1"); r.code != 0 {
				t.Fatal(r.stderr)
			}
			sameFiles(t, contents(t, d.out), contents(t, clean.out))
		})
	}
}

// TestAttack01_indexReadsNoPages: an index is made from existing documents without reading archives.
func TestAttack01_indexReadsNoPages(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b")
	d.run("day1")
	before := writeTimes(t, d.out)
	if r := d.run("--format=cdxj day1"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	if after := writeTimes(t, d.out); !maps.Equal(before, after) {
		t.Errorf("shards were written: %v, then %v", before, after)
	}
}

// TestAttack01_addedForYears: ten days are added one by one while earlier ones disappear. The result equals one run
// over all.
func TestAttack01_addedForYears(t *testing.T) {
	d := newDays(t)
	var names, list []string
	for day := range 10 {
		for _, page := range []string{"a", "b", "c"} {
			names = append(names, fmt.Sprintf("day%d/%s", day, page))
			list = append(list, fmt.Sprintf("day%d-%s", day, page))
		}
	}
	d.put(names...)
	one := days{t, d.root, filepath.Join(t.TempDir(), "one")}
	if r := one.run("--format=jsonl,cdxj ."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for day := range 10 {
		line := fmt.Sprintf("--add --format=jsonl,cdxj day%d", day)
		for range 2 {
			if r := d.run(line); r.code != 0 {
				t.Fatalf("%s: exit code %d\n%s", line, r.code, r.stderr)
			}
			d.isWhole()
		}
		if want := strings.Join(list[:3*day+3], " "); d.held() != want {
			t.Fatalf("after day %d: %q, want %q", day, d.held(), want)
		}
		if day%2 == 0 {
			d.remove(fmt.Sprintf("day%d", day))
		}
	}
	lines := func(d days) []string {
		text := strings.Split(contents(t, d.out)[ledger.IndexFile], "\n")
		slices.Sort(text)
		return text
	}
	if got, want := lines(d), lines(one); !slices.Equal(got, want) {
		t.Errorf("the index has %q, want %q", got, want)
	}
	a, b := d.manifest().Totals, one.manifest().Totals
	if a.Documents != b.Documents || a.BytesRead != b.BytesRead || a.Captures != b.Captures {
		t.Errorf("totals %+v, want %+v", a, b)
	}
	if r := d.run("--add --prune --format=jsonl,cdxj day9"); r.code != 0 || !strings.Contains(r.stderr, "15 documents") {
		t.Errorf("exit code %d, %q", r.code, r.stderr)
	}
	if n := len(strings.Fields(d.held())); n != 15 {
		t.Errorf("%d documents are left, want those of the days that are there", n)
	}
}

// TestAttack01_unfinishedRunIsNotForgotten: added archives do not cancel the rest of a killed run.
func TestAttack01_unfinishedRunIsNotForgotten(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b", "day2/c")
	d.run("day1")
	if err := os.Remove(filepath.Join(d.out, holdings.ManifestFile)); err != nil {
		t.Fatal(err)
	}
	r := d.run("--add day2")
	if r.code != 2 || !strings.Contains(r.stderr, "Finish it first") || !strings.Contains(r.stderr, "day1") {
		t.Errorf("exit code %d, %q; want 2 and what to finish", r.code, r.stderr)
	}
	for _, line := range []string{"day1", "--add day2"} {
		if r := d.run(line); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
	if got := d.held(); got != "day1-a day1-b day2-c" {
		t.Errorf("the folder holds %q", got)
	}
}

// TestAttack01_oneNameInTwoFolders: archives with the same relative name are distinct.
func TestAttack01_oneNameInTwoFolders(t *testing.T) {
	d := newDays(t)
	d.put("day1/a")
	d.write("day2/a", "another page")
	in := func(day string, args ...string) result {
		cmd := command(t.Context(), append([]string{"--output=" + d.out, "--extract=mime"}, args...)...)
		cmd.Dir = filepath.Join(d.root, day)
		out, _ := cmd.CombinedOutput() // the exit code is checked
		return result{code: cmd.ProcessState.ExitCode(), stderr: string(out)}
	}
	if r := in("day1", "a.warc"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, args := range [][]string{{"a.warc"}, {"--add", "a.warc"}} {
		if r := in("day2", args...); r.code != 2 || !strings.Contains(r.stderr, filepath.Join(d.root, "day1")) {
			t.Errorf("%v: exit code %d, %q", args, r.code, r.stderr)
		}
	}
	if r := in("day2", "--add", filepath.Join(d.root, "day2")); r.code != 0 || d.held() != "day1-a day2-a" {
		t.Errorf("by its whole path: exit code %d, %q; the folder holds %q", r.code, r.stderr, d.held())
	}
	if err := os.Rename(filepath.Join(d.root, "day1"), filepath.Join(d.root, "moved")); err != nil {
		t.Fatal(err)
	}
	if r := in("moved", "--add", "a.warc"); r.code != 0 || d.held() != "day1-a day2-a" {
		t.Errorf("from a folder that was moved: exit code %d, %q; the folder holds %q", r.code, r.stderr, d.held())
	}
}

// TestAttack01_indexedLines: another filter on the lines of an index selects other archives.
func TestAttack01_indexedLines(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b")
	made := days{t, d.root, filepath.Join(d.root, "day1", "made")}
	if r := made.run("--format=cdxj day1"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	index := "--cdx=day1/made/index.cdxj --warc_base=" + filepath.Join(d.root, "day1")
	for _, tt := range []struct {
		line, held string
		code       int
	}{
		{index + " --cdx_filter=url=http://day1-a.example/", "day1-a", 0},
		{index + " --cdx_filter=url=http://day1-b.example/", "day1-a", 2},
		{"day2", "day1-a", 2},
		{index + " --cdx_filter=url=http://day1-b.example/ --add", "day1-a day1-b", 0},
		{index + " --cdx_filter=url=http://day1-a.example/ --add", "day1-a day1-b", 0},
		{"day2 --add", "day1-a day1-b day2-c", 0},
	} {
		d.put("day2/c")
		if r := d.run(tt.line); r.code != tt.code || d.held() != tt.held {
			t.Errorf("%s: exit code %d, want %d; the folder holds %q, want "+
				"%q\n%s", tt.line, r.code, tt.code, d.held(), tt.held, r.stderr)
		}
	}
}

// TestAttack01_smallArchivesThatShareUnits: small archives share a unit. Those that disappear are kept with the
// others.
func TestAttack01_smallArchivesThatShareUnits(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b", "day1/c", "day1/d")
	want := []string{"day1-a", "day1-b", "day1-c", "day1-d"}
	if r := d.run("day1"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for i, name := range []string{"b", "c", "a", "e", "g"} {
		more := string(rune('e' + i))
		d.remove("day1/" + name + ".warc")
		d.put("day1/" + more)
		want = append(want, "day1-"+more)
		if r := d.run("day1"); r.code != 0 {
			t.Fatalf("%s went and %s came: %s", name, more, r.stderr)
		}
		d.isWhole()
		if got := d.held(); got != strings.Join(want, " ") {
			t.Fatalf("%s went and %s came: the folder holds %q, want %q", name, more, got, want)
		}
	}
	if r := d.run("--prune day1"); r.code != 0 || d.held() != "day1-d day1-f day1-h day1-i" {
		t.Errorf("exit code %d, the folder holds %q: %s", r.code, d.held(), r.stderr)
	}
}
