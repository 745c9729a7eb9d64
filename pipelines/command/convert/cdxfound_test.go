package convert

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// paths returns the keys of an index without their host.
func paths(t *testing.T, index string) (list []string) {
	t.Helper()
	for _, l := range indexed(t, index) {
		key, _, _ := strings.Cut(l, " ")
		_, key, _ = strings.Cut(key, ")")
		list = append(list, key)
	}
	return list
}

// TestCDX_foldersOfArchives: a folder with a manifest that is not a collection's is one of archives.
func TestCDX_foldersOfArchives(t *testing.T) {
	in := archiveOf(t, pages(3))
	want := func() []string {
		index := filepath.Join(t.TempDir(), "index")
		mustRun(t, "cdx", "--output="+index, in)
		return paths(t, index)
	}()
	for _, tt := range []struct{ name, to, text string }{
		{"conversion", "warc", ""},
		{"conversion of ACHE", "ache-warc", ""},
		{"conversion to WACZ", "wacz", ""},
		{"copy of a conversion", "warc", "-"},
		{"manifest of something else", "", `{"name": "shelf", "units": []}`},
		{"manifest that is a list", "", `["a.warc.gz"]`},
		{"manifest that is empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), "from")
			var err error
			if tt.to != "" {
				mustRun(t, "--to="+tt.to, "--output="+from, in)
			} else if err = os.CopyFS(from, os.DirFS(in)); err == nil {
				err = os.WriteFile(filepath.Join(from, "manifest.json"), []byte(tt.text), 0o644)
			}
			if tt.text == "-" {
				err = os.RemoveAll(filepath.Join(from, ".gleaner"))
			}
			if err != nil {
				t.Fatal(err)
			}
			index := filepath.Join(t.TempDir(), "index")
			out := mustRun(t, "cdx", "--output="+index, from)
			if got := paths(t, index); !slices.Equal(got, want) || len(want) != 3 {
				t.Errorf("%q, want %q\n%s", got, want, out)
			}
		})
	}
}

// TestCDX_indexesFound: an index is read under its name however it is named, and left out of a folder with a note.
func TestCDX_indexesFound(t *testing.T) {
	dir := t.TempDir()
	shelf := filepath.Join(dir, "shelf")
	if err := os.CopyFS(shelf, os.DirFS(archiveOf(t, pages(2)))); err != nil {
		t.Fatal(err)
	}
	line := func(n string) string {
		return "org,example)/" + n + ` 20200101000000 {"url": "http://example.org/` + n + `", "filename": "old.arc"}` + "\n"
	}
	for name, text := range map[string]string{
		"shelf/old.cdxj": line("old"), "shelf/readme.txt": "none", "list.txt": filepath.Join(shelf, "old.cdxj") + "\n",
		"only/one.cdx": line("one"), "only/two.CDXJ": line("two"), "all.txt": filepath.Join(shelf, "*") + "\n",
		"zipped/three.cdxj.gz": line("three"), // a name suffices
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	noted := "2 files are not archives"
	for _, tt := range []struct {
		name, input string
		archived    int
		others      []string
		note        string
	}{
		{"folder", "shelf", 2, nil, noted},
		{"folder and file", "shelf shelf/old.cdxj", 2, []string{"/old"}, noted},
		{"folder and pattern", "shelf only/*", 2, []string{"/one", "/two"}, noted},
		{"folder and a pattern of its index", "shelf shelf/*.cdxj", 2, []string{"/old"}, "1 file is not an archive"},
		{"folder and a list of its index", "shelf @list.txt", 2, []string{"/old"}, "1 file is not an archive"},
		{"folder above and pattern", ". only/*", 2, []string{"/one", "/two"}, "files are not archives"},
		{"pattern", "shelf/*", 2, []string{"/old"}, "1 file is not an archive"},
		{"pattern of indexes", "only/*", 0, []string{"/one", "/two"}, ""},
		{"pattern of folders", "*/o*", 0, []string{"/old", "/one"}, ""},
		{"compressed", "zipped/*.gz", 0, []string{"/three"}, ""},
		{"list", "@list.txt", 0, []string{"/old"}, ""},
		{"list of a pattern", "@all.txt", 2, []string{"/old"}, "1 file is not an archive"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			index := filepath.Join(t.TempDir(), "index")
			args := []string{"cdx", "--output=" + index}
			for name := range strings.FieldsSeq(tt.input) {
				at, name, list := strings.Cut(name, "@")
				if !list {
					at, name = "", at
				} else {
					at = "@"
				}
				args = append(args, at+filepath.Join(dir, name))
			}
			out := mustRun(t, args...)
			archived, others := 0, []string(nil)
			for _, p := range paths(t, index) {
				if strings.HasPrefix(p, "/p/") {
					archived++
				} else {
					others = append(others, p)
				}
			}
			if archived != tt.archived || !slices.Equal(others, tt.others) {
				t.Errorf("%d lines of archives and %q, want %d and %q\n%s", archived, others, tt.archived, tt.others, out)
			}
			if (tt.note == "") == strings.Contains(out, "nothing is read of") || !strings.Contains(out, tt.note) {
				t.Errorf("want the note %q:\n%s", tt.note, out)
			}
		})
	}
}

// TestCDX_keys: lines of columns have the key that a search uses, whatever their own.
func TestCDX_keys(t *testing.T) {
	end := " 20080101000000 http://www.example.com/a(b) text/html 200 " + strings.Repeat("A", 32) + " - - 500 77 a.arc\n"
	legend := " CDX N b a m s k r M S V g\n"
	for _, tt := range []struct{ name, text, want string }{
		{"SURT", legend + "com,example)/a(b)" + end, "com,example)/a(b)"},
		{"SURT of other rules", legend + "com,example,www)/a" + end, "com,example,www)/a"},
		{"URL without its scheme", legend + "example.com/a" + end, "com,example)/a(b)"},
		{"URL with a bracket", legend + "www.example.com/a(b)" + end, "com,example)/a(b)"},
		{"whole URL", legend + "http://www.example.com/a" + end, "com,example)/a(b)"},
		{"no key", legend + "-" + end, "com,example)/a(b)"},
		{"column A", strings.Replace(legend, "N", "A", 1) + "example.com/a" + end, "com,example)/a(b)"},
		{"wget", " CDX a b a m s k r M V g u\nhttp://example.com/w 20080101000000 http://example.com/w text/html 200 " +
			strings.Repeat("A", 32) + " - - 77 a.warc.gz <urn:uuid:1>\n", "com,example)/w"},
		{
			"object", `{"urlkey": "example.com/a", "timestamp": "20080101000000", "url": "http://example.com/a"}` + "\n",
			"com,example)/a",
		},
		{"object without a key", `{"timestamp": "20080101000000", "url": "http://example.com/a"}` + "\n", "com,example)/a"},
		{"CDXJ", `example.com/a 20080101000000 {"url": "http://example.com/a"}` + "\n", "example.com/a"},
		{"dns", legend + "dns:example.com 20080101000000 dns:example.com text/dns - - - - 5 7 a.arc.gz\n", "dns:example.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file, index := filepath.Join(dir, "old.cdx"), filepath.Join(dir, "index")
			if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			out := mustRun(t, "cdx", "--output="+index, file)
			got := indexed(t, index)
			if len(got) != 1 || !strings.HasPrefix(got[0], tt.want+" 2008") {
				t.Errorf("%q, want %s\n%s", got, tt.want, out)
			}
		})
	}
}

// TestCDX_unreadable: an archive that the system did not give is read again, and keeps its old lines until then.
func TestCDX_unreadable(t *testing.T) {
	dir := t.TempDir()
	shelf, index := filepath.Join(dir, "shelf"), filepath.Join(dir, "index")
	page := func(n int) []byte {
		return []byte(exchange(n, fmt.Sprintf("http://example.com/%d", n), "GET", "", ""))
	}
	a, b := filepath.Join(shelf, "a.warc"), filepath.Join(shelf, "b.warc")
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	// A link to nothing is unreadable for root as well.
	away := func(name string) { must(os.Rename(name, name+".away"), os.Symlink("none", name)) }
	back := func(name string) { must(os.Remove(name), os.Rename(name+".away", name)) }
	must(os.MkdirAll(shelf, 0o755), os.WriteFile(a, page(1), 0o644), os.WriteFile(b, page(2), 0o644))
	for i, step := range []struct {
		name string
		do   func()
		code int
		want []string
	}{
		{"one is unreadable", func() { away(b) }, cli.ExitLosses, []string{"/1"}},
		{"still", func() {}, cli.ExitLosses, []string{"/1"}},
		{"both are there", func() { back(b) }, cli.ExitDone, []string{"/1", "/2"}},
		{"no change", func() {}, cli.ExitDone, []string{"/1", "/2"}},
		{
			"replaced and unreadable", func() { must(os.WriteFile(b, page(3), 0o644)); away(b) }, cli.ExitLosses,
			[]string{"/1", "/2"},
		},
		{
			"the other changes", func() { must(os.WriteFile(a, append(page(1), page(4)...), 0o644)) }, cli.ExitLosses,
			[]string{"/1", "/2", "/4"},
		},
		{"replaced", func() { back(b) }, cli.ExitDone, []string{"/1", "/3", "/4"}},
	} {
		step.do()
		// Files that go away have another ending, so that nothing reads them.
		code, out := runCommand(t, "cdx", "--output="+index, shelf+"/*.warc")
		if got := paths(t, index); code != step.code || !slices.Equal(got, step.want) {
			t.Fatalf("step %d, %s: exit code %d, %q; want %d, %q\n%s", i, step.name, code, got, step.code, step.want, out)
		}
	}
}

// TestCDX_shared: of archives that several sources name, lines leave with the source that had them.
func TestCDX_shared(t *testing.T) {
	line := func(archive, n string) string {
		return "org,example)/" + n + ` 20200101000000 {"url": "http://example.org/` + n + `", "offset": "` + n +
			`", "length": "9", "filename": "` + archive + `"}` + "\n"
	}
	both := []string{"x.cdxj", "y.cdxj"}
	for _, tt := range []struct {
		name  string
		files map[string]string // at first
		args  []string
		then  map[string]string
		more  []string
		code  int
		want  []string
		text  string
	}{
		{
			"removed",
			map[string]string{"x.cdxj": line("a", "1"), "y.cdxj": line("a", "1") + line("a", "2") + line("b", "3")},
			both, nil,
			[]string{"--remove=y.cdxj"},
			0,
			[]string{"/1"},
			"0 added, 1 were there, 2 left",
		},
		{
			"changed",
			map[string]string{"x.cdxj": line("a", "1"), "y.cdxj": line("a", "1") + line("a", "2")},
			both,
			map[string]string{"y.cdxj": line("a", "3")},
			[]string{"y.cdxj"},
			0,
			[]string{"/1", "/3"},
			"1 added, 1 were there, 1 left",
		},
		{
			"both changed",
			map[string]string{"x.cdxj": line("a", "1") + line("c", "9"), "y.cdxj": line("a", "2"), "z.cdxj": line("c", "8")},
			[]string{"x.cdxj", "y.cdxj", "z.cdxj"},
			map[string]string{"y.cdxj": line("a", "22"), "x.cdxj": line("a", "11")},
			[]string{"y.cdxj"},
			0,
			[]string{"/11", "/22", "/8"},
			"",
		},
		{
			"the other is gone",
			map[string]string{"x.cdxj": line("a", "1"), "y.cdxj": line("a", "1") + line("a", "2") + line("b", "3")},
			both,
			map[string]string{"x.cdxj": ""},
			[]string{"--remove=y.cdxj"},
			cli.ExitLosses,
			[]string{"/1", "/2"},
			"all lines of these archives stay",
		},
		{
			"none shared",
			map[string]string{"x.cdxj": line("a", "1"), "y.cdxj": line("b", "2")},
			both, nil,
			[]string{"--remove=y.cdxj"},
			0,
			[]string{"/1"},
			"0 read, 1 had not changed",
		},
		{
			"both removed",
			map[string]string{"x.cdxj": line("a", "1"), "y.cdxj": line("a", "2")},
			both, nil,
			[]string{"--remove=y.cdxj,x.cdxj"},
			0, nil, "2 left",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			put := func(files map[string]string) {
				for name, text := range files {
					_ = os.Remove(filepath.Join(dir, name)) // it need not be there
					var err error
					if text != "" {
						err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			run := func(args []string) (int, string) {
				all := []string{"cdx", "--output=" + filepath.Join(dir, "index")}
				for _, arg := range args {
					flag, names, is := strings.Cut(arg, "=")
					if !is {
						flag, names = "", arg
					} else {
						flag += "="
					}
					names = filepath.Join(dir, strings.ReplaceAll(names, ",", ","+dir+"/"))
					all = append(all, flag+names)
				}
				return runCommand(t, all...)
			}
			put(tt.files)
			if code, out := run(tt.args); code != 0 {
				t.Fatal(code, out)
			}
			put(tt.then)
			code, out := run(tt.more)
			if got := paths(t, filepath.Join(dir, "index")); code != tt.code || !slices.Equal(got, tt.want) ||
				!strings.Contains(out, tt.text) {
				t.Errorf("exit code %d, %q; want %d, %q and %q\n%s", code, got, tt.code, tt.want, tt.text, out)
			}
		})
	}
}

// TestCDX_sharedTakedown: a page leaves with the only collection that has it, also if another has its archive.
func TestCDX_sharedTakedown(t *testing.T) {
	first, second := collect(t, "a.warc.gz", 1, 2), collect(t, "a.warc.gz", 1, 3)
	index := filepath.Join(t.TempDir(), "index")
	mustRun(t, "cdx", "--output="+index, first, second)
	takeDown(t, first, "http://example.org/2")
	for range 2 {
		out := mustRun(t, "cdx", "--output="+index, first, second)
		if got := paths(t, index); !slices.Equal(got, []string{"/1", "/3"}) {
			t.Errorf("%q\n%s", got, out)
		}
	}
	takeDown(t, first, "http://example.org/1")
	mustRun(t, "cdx", "--output="+index, first)
	if got := paths(t, index); !slices.Equal(got, []string{"/1", "/3"}) {
		t.Errorf("the other collection has it: %q", got)
	}
}

// TestCDX_takedownLater: each run tries a takedown that a missing source prevents.
func TestCDX_takedownLater(t *testing.T) {
	dir := t.TempDir()
	index, old := filepath.Join(dir, "index"), filepath.Join(dir, "old.cdxj")
	crawl := collect(t, "a.warc.gz", 1, 2)
	line := `org,example)/3 20200101000000 {"url": "http://example.org/3", "filename": "a.warc.gz"}` + "\n"
	if err := os.WriteFile(old, []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "cdx", "--output="+index, crawl, old)
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	takeDown(t, crawl, "http://example.org/2")
	for range 3 {
		code, out := runCommand(t, "cdx", "--output="+index, crawl)
		got := paths(t, index)
		if code != 3 || !slices.Equal(got, []string{"/1", "/2", "/3"}) || !strings.Contains(out, "--remove") {
			t.Errorf("exit code %d, %q\n%s", code, got, out)
		}
	}
	mustRun(t, "cdx", "--output="+index, "--remove="+old, crawl)
	if got := paths(t, index); !slices.Equal(got, []string{"/1"}) {
		t.Errorf("without the missing source: %q", got)
	}
}

// TestCDX_damagedManifest: a collection with a damaged manifest is an error, and not a folder of archives.
func TestCDX_damagedManifest(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "broken off": `{"schema_version": "1", "un`, "no JSON": "x"} {
		crawl := collect(t, "a.warc.gz", 1)
		if err := os.WriteFile(filepath.Join(crawl, "manifest.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		shelf := archiveOf(t, pages(1))
		code, out := runCommand(t, "cdx", "--output="+filepath.Join(t.TempDir(), "index"), shelf, crawl)
		if code == 0 || !strings.Contains(out, "manifest.json") {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
	}
}
