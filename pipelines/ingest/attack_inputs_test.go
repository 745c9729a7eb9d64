package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// shelfOf makes a folder of archives: names, with the files of testdata/archives to copy.
func shelfOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range files {
		b, err := os.ReadFile(filepath.Join("../..", archives, from))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// perFile counts the documents of a collection by their files.
func perFile(t *testing.T, out string) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, line := range documents(t, out) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		n[d.Filename]++
	}
	return n
}

// rejectsOf returns the rejects of a kind as "file: message".
func rejectsOf(t *testing.T, out string, kind schemas.Kind) (list []string) {
	t.Helper()
	for _, line := range lines(t, out, "rejects-*.jsonl*") {
		var r schemas.Reject
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind == kind {
			list = append(list, r.File+": "+r.Message)
		}
	}
	return list
}

// TestAttack02_aFileNamedTwiceIsOneInput names one file in every possible way.
func TestAttack02_aFileNamedTwiceIsOneInput(t *testing.T) {
	dir := shelfOf(t, map[string]string{
		"shelf/a.arc.gz": "site.arc.gz", "shelf/sub/b.arc.gz": "site.arc.gz",
		"out/.keep": "site.arc.gz",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for from, to := range map[string]string{"link.arc.gz": "shelf/a.arc.gz", "linked": "shelf", "x": "shelf"} {
		if err := os.Symlink(to, at(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(at("shelf/a.arc.gz"), at("hard-link-of-a.arc.gz")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("list.txt"), []byte("shelf/a.arc.gz\n./shelf/../shelf/a.arc.gz\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	wd, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(wd, at("shelf/a.arc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	a := at("shelf/a.arc.gz")
	tests := map[string][]string{
		"the same":           {a, a},
		"relative":           {a, relative},
		"with dots":          {a, at("shelf") + "/./sub/../a.arc.gz"},
		"by a link":          {a, at("link.arc.gz")},
		"by a hard link":     {a, at("hard-link-of-a.arc.gz")},
		"by a linked folder": {a, at("linked/a.arc.gz"), at("x/a.arc.gz")},
		"by a list":          {a, "@" + at("list.txt")},
		"by a pattern":       {a, at("*/a.arc.gz")},
	}
	for name, args := range tests {
		t.Run(name, func(t *testing.T) {
			var first map[string]string
			for range 2 {
				out := t.TempDir()
				r := mustRun(t, append([]string{"--output=" + out}, args...)...)
				n := perFile(t, out)
				if len(n) != 1 || !strings.Contains(r.stderr, "read once") {
					t.Errorf("documents by file: %v\n%s", n, r.stderr)
				}
				if first != nil {
					sameFiles(t, contents(t, out), first)
				}
				first = contents(t, out)
				args = slices.Clone(args)
				slices.Reverse(args)
			}
		})
	}
	out := t.TempDir()
	mustRun(t, "--output="+out, at("linked"), at("shelf"), at("x"))
	want := map[string]bool{at("shelf/a.arc.gz"): true, at("shelf/sub/b.arc.gz"): true} // equal, but two files
	if n := perFile(t, out); len(n) != len(want) || !want[first(n)] {
		t.Errorf("a folder named three times: documents by file %v, want those of %v", n, want)
	}
}

func first(m map[string]int) string {
	for k := range m {
		return k
	}
	return ""
}

// oddNames are names that are not valid text, or contain special characters.
var oddNames = []string{
	"caf\xe9.arc.gz", `caf\xE9.arc.gz`, "two\nlines.arc.gz", "a \"quote\".arc.gz", " spaces .arc.gz", "-dash.arc.gz",
	"\x1b[31mred\a.arc.gz", "\u202etac.arc.gz", "\u0085next.arc.gz", strings.Repeat("n", 248) + ".arc.gz",
	"\xff\xfe.arc.gz",
	"#hash.arc.gz", "@at.arc.gz", "per%20cent.arc.gz",
}

// TestAttack09_namesAreBytes reads archives with such names by folder, list and pattern, twice.
func TestAttack09_namesAreBytes(t *testing.T) {
	files := map[string]string{}
	for _, name := range oddNames {
		files[name] = "site.arc.gz"
	}
	dir := shelfOf(t, files)
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(strings.Join(prefixed(dir, oddNames), "\x00")), 0o644); err != nil {
		t.Fatal(err)
	}
	base := []string{"--unit_size=64KiB", "--format=jsonl,cdxj", "--extract=mime"}
	out := t.TempDir()
	mustRun(t, append(base, "--output="+out, dir)...)
	n := perFile(t, out)
	if len(n) != len(oddNames) {
		t.Errorf("documents of %d files, want %d", len(n), len(oddNames))
	}
	for _, name := range oddNames {
		text := schemas.NameOf(filepath.Join(dir, name))
		if n[text] != 10 && n[text] == 0 {
			t.Errorf("%q: no documents with filename %q", name, text)
		}
		if schemas.PathOf(text) != filepath.Join(dir, name) {
			t.Errorf("%q does not come back from %q", name, text)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "index.cdxj")); err != nil {
		t.Error(err)
	}
	want := contents(t, out)
	for how, more := range map[string][]string{
		"again": {"--output=" + out, dir}, "only what is new": {"--output=" + out, "--only_new", dir},
		"a list": {"--output=" + t.TempDir(), "@" + list}, "a pattern": {"--output=" + t.TempDir(), dir + "/*.arc.gz"},
		"prism": {"--output=" + t.TempDir(), "--runner=prism", dir},
	} {
		r := mustRun(t, append(slices.Clone(base), more...)...)
		if strings.Contains(r.stderr, "done already") {
			t.Errorf("%s: some units were done again\n%s", how, r.stderr)
		}
		sameFiles(t, contents(t, strings.TrimPrefix(more[0], "--output=")), want)
	}
	one := t.TempDir()
	mustRun(t, append(slices.Clone(base), "--output="+one, dir+"/caf\xe9*", "--", dir+"/caf?.arc.gz")...)
	if n := perFile(t, one); len(n) != 1 || n[schemas.NameOf(dir+"/caf\xe9.arc.gz")] == 0 {
		t.Errorf("documents by file: %v, want those of caf\\xe9.arc.gz", n)
	}
	if r := runCommand(t, append(slices.Clone(base), "--output="+t.TempDir()+"/caf\xe9", archives)...); r.code != 2 {
		t.Errorf("an output folder that is no text: exit code %d, want 2\n%s", r.code, r.stderr)
	}
	looked, index := t.TempDir(), filepath.Join(t.TempDir(), "index.cdxj")
	below := strings.ReplaceAll(want["index.cdxj"], `"filename": "`+dir+"/", `"filename": "`)
	if err := os.WriteFile(index, []byte(below), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "--output="+looked, "--extract=mime", "--cdx="+index, "--warc_base="+dir)
	if got := len(documents(t, looked)); got != len(documents(t, out)) {
		t.Errorf("by its own index %d documents, want %d", got, len(documents(t, out)))
	}
}

func prefixed(dir string, names []string) (paths []string) {
	for _, n := range names {
		paths = append(paths, filepath.Join(dir, n))
	}
	return paths
}

// TestAttack09_whatCannotBeReadIsARejectAndTheRestIsRead puts unreadable entries into a folder.
func TestAttack09_whatCannotBeReadIsARejectAndTheRestIsRead(t *testing.T) {
	dir := shelfOf(t, map[string]string{"a.arc.gz": "site.arc.gz", "z/b.arc.gz": "site.arc.gz"})
	for name, to := range map[string]string{"dangling.warc.gz": "nowhere", "circle": "circle"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.warc"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeFile(t, l) })
	if err := os.Symlink("/dev/null", filepath.Join(dir, "null.warc")); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	r := runCommand(t, "--output="+out, "--extract=mime", dir)
	if r.code != 3 || !strings.Contains(r.stdout, "unreadable") {
		t.Fatalf("exit code %d, want 3\n%s%s", r.code, r.stdout, r.stderr)
	}
	if n := perFile(t, out); len(n) != 2 {
		t.Errorf("documents by file: %v, want those of both archives", n)
	}
	got := strings.Join(rejectsOf(t, out, schemas.KindUnreadable), "\n")
	for _, want := range []string{
		"dangling.warc.gz: a link to", "circle: too many", "pipe.warc: a named pipe",
		"socket: a socket", "null.warc: a device",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no reject %q in\n%s", want, got)
		}
	}
	before := contents(t, out)
	if r := runCommand(t, "--output="+out, "--extract=mime", dir); r.code != 3 {
		t.Errorf("again: exit code %d, want 3\n%s", r.code, r.stderr)
	}
	sameFiles(t, contents(t, out), before)
	for name, args := range map[string][]string{
		"a file that does not exist": {filepath.Join(dir, "a.arc.gz"), filepath.Join(dir, "nope")},
		"a pipe that is named":       {filepath.Join(dir, "pipe.warc")},
		"nothing but such things":    {filepath.Join(dir, "*.warc")},
	} {
		if r := runCommand(t, append(args, "--output="+t.TempDir())...); r.code != 2 {
			t.Errorf("%s: exit code %d, want 2\n%s", name, r.code, r.stderr)
		}
	}
}

// nobody is the id of a user without files on this machine, so that only the permissions of others apply.
const nobody = 65534

// asNobody runs the command as a user with limited permissions.
func asNobody(t *testing.T, binary string, args ...string) result {
	t.Helper()
	cmd := command(t.Context(), args...)
	cmd.Path, cmd.Args[0] = binary, binary
	cmd.Env = append(cmd.Env, "HOME=/", "TMPDIR="+filepath.Dir(binary))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code shows it
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// open makes a folder that everybody may use, with a copy of the test's program.
func open(t *testing.T) (dir, binary string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir, err := os.MkdirTemp("", "gleaner-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // temporary files
	binary = filepath.Join(dir, "ingest.test")
	b, err := os.ReadFile(program())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, b, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir, binary
}

// TestAttack09_forbiddenFilesAreTriedAgain: an unreadable file is a reject, and is read once its permissions allow
// it.
func TestAttack09_forbiddenFilesAreTriedAgain(t *testing.T) {
	t.Parallel()
	dir, binary := open(t)
	shelf := filepath.Join(dir, "shelf")
	for i, name := range []string{"a.arc.gz", "b.arc.gz", "c/d.arc.gz", "e.arc.gz"} {
		b, err := os.ReadFile(filepath.Join("../..", archives, "site.arc.gz"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(shelf, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, []os.FileMode{0o644, 0, 0o644, 0o644}[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(shelf, "c"), 0); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	for range 2 {
		r := asNobody(t, binary, "--output="+out, "--extract=mime", shelf)
		if r.code != 3 {
			t.Fatalf("exit code %d, want 3\n%s%s", r.code, r.stdout, r.stderr)
		}
		if n := perFile(t, out); len(n) != 2 {
			t.Errorf("documents by file: %v, want those of the two that can be read", n)
		}
		if got := rejectsOf(t, out, schemas.KindUnreadable); len(got) != 2 ||
			!strings.HasSuffix(got[0], "permission denied") {
			t.Errorf("rejects %q", got)
		}
	}
	if err := os.Chmod(filepath.Join(shelf, "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(shelf, "b.arc.gz"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := asNobody(t, binary, "--output="+out, "--extract=mime", shelf); r.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s%s", r.code, r.stdout, r.stderr)
	}
	clean := filepath.Join(dir, "clean")
	if r := asNobody(t, binary, "--output="+clean, "--extract=mime", shelf); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	sameFiles(t, contents(t, out), contents(t, clean))
	if n := perFile(t, out); len(n) != 4 {
		t.Errorf("documents by file: %v", n)
	}
}
