package main

import (
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

var update = flag.Bool("rewrite", false, "rewrite the golden files") // Beam has taken -update

const (
	archives = "testdata/archives" // from the project's root
	damaged  = "testdata/damaged"
	golden   = "testdata/golden/ingest"
)

// readIndex reads one CDXJ shard.
func readIndex(t *testing.T, name string) []cdx.Line {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeFile(t, f) })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var all []cdx.Line
	for l, err := range cdx.NewReader(z, cdx.Options{}).All() {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, l)
	}
	return all
}

func closeFile(t *testing.T, f io.Closer) {
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestIngest_golden compares the whole output for the project's archives with a reviewed version of it.
func TestIngest_golden(t *testing.T) {
	for _, input := range []string{archives, damaged} {
		t.Run(filepath.Base(input), func(t *testing.T) {
			out := t.TempDir()
			r := runCommand(t, "--output="+out, "--compression=none", input)
			if want := map[string]int{archives: 0, damaged: 3}[input]; r.code != want {
				t.Fatalf("exit code %d, want %d\n%s%s", r.code, want, r.stdout, r.stderr)
			}
			got := byNumber(t, out)
			for name := range got {
				if before, ok := strings.CutSuffix(name, ".gz"); ok {
					got[before] = unzipped(t, got[name])
					delete(got, name)
				}
			}
			dir := filepath.Join("../..", golden, filepath.Base(input))
			if *update {
				rewrite(t, dir, got)
			}
			want := contents(t, dir)
			if len(want) == 0 {
				t.Fatalf("no golden files in %s; make them with: make golden", dir)
			}
			for name, w := range want {
				if diff := cmp.Diff(strings.Split(w, "\n"), strings.Split(got[name], "\n")); diff != "" {
					t.Errorf("%s differs (-want +got):\n%.4000s", name, diff)
				}
			}
			sameFiles(t, got, want)
		})
	}
}

// byNumber returns the files of a collection with the numbers of units instead of keys. Keys differ with each version
// of a transform, even if nothing else changes.
func byNumber(t *testing.T, dir string) map[string]string {
	t.Helper()
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for _, u := range m.Units {
		_, rest, _ := strings.Cut(u.Shards[0].Name, "-")
		unit, _, _ := strings.Cut(rest, ".")
		pairs = append(pairs, "-"+unit+".", fmt.Sprintf("-%d.", u.ID))
	}
	numbers := strings.NewReplacer(pairs...)
	files := contents(t, dir)
	named := map[string]string{}
	for name, text := range files {
		if name == holdings.ManifestFile {
			text = numbers.Replace(text)
		}
		named[numbers.Replace(name)] = text
	}
	return named
}

func unzipped(t *testing.T, data string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func rewrite(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestIngest_sameBytesEverywhere: the runner and the number of workers do not affect the output.
func TestIngest_sameBytesEverywhere(t *testing.T) {
	first := t.TempDir()
	base := []string{"--unit_size=64KiB", "--format=jsonl,parquet,links", archives}
	mustRun(t, append([]string{"--output=" + first}, base...)...)
	want := contents(t, first)
	if len(want) < 9 {
		t.Fatalf("only %d files; the test wants several units", len(want))
	}
	for _, flags := range [][]string{
		{"--workers=1"},
		{"--workers=4"},
		{"--runner=prism"},
		{"--runner=prism", "--workers=1"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			out := t.TempDir()
			mustRun(t, slices.Concat(flags, []string{"--output=" + out}, base)...)
			sameFiles(t, contents(t, out), want)
		})
	}
}

// TestIngest_sameDocumentsForEveryUnitSize: the division of the input does not affect the documents.
func TestIngest_sameDocumentsForEveryUnitSize(t *testing.T) {
	var want []string
	for _, size := range []string{"64MiB", "1MiB", "64KiB", "70001"} {
		out := t.TempDir()
		if r := runCommand(t, "--output="+out, "--unit_size="+size, archives, damaged); r.code != 3 {
			t.Fatalf("exit code %d, want 3\n%s", r.code, r.stderr)
		}
		got := append(documents(t, out), lines(t, out, "rejects-*.jsonl*")...)
		slices.Sort(got)
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("--unit_size=%s differs (-64MiB +this):\n%.2000s", size, diff)
		}
	}
}

// TestIngest_killed: a run that is killed at any time and repeated gives the collection of one clean run.
func TestIngest_killed(t *testing.T) {
	t.Parallel() // it mostly waits
	clean := t.TempDir()
	args := []string{"--unit_size=64KiB", "--workers=1", "--format=jsonl,links", archives}
	begin := time.Now()
	mustRun(t, append([]string{"--output=" + clean}, args...)...)
	took := time.Since(begin)
	want := contents(t, clean)

	out := t.TempDir()
	killOften(t, 10, took, append([]string{"--output=" + out}, args...))
	mustRun(t, append([]string{"--output=" + out}, args...)...)
	sameFiles(t, contents(t, out), want)
	if hidden, err := filepath.Glob(filepath.Join(out, ".*tmp*")); err != nil || len(hidden) > 0 {
		t.Errorf("temporary files are left: %v, %v", hidden, err)
	}
}

// killOften runs the command n times and kills each run, the first early and the last after nearly the time of a
// clean run. So the first is killed before its end even if the machine has become much faster.
func killOften(t *testing.T, n int, took time.Duration, args []string) {
	t.Helper()
	killed := 0
	for i := range n {
		killed += killAfter(t, took*time.Duration(2*i+1)/time.Duration(2*n), args)
	}
	if killed == 0 {
		t.Fatalf("no run was killed before its end; a clean run took %v", took)
	}
}

// killAfter runs the command, kills it with SIGKILL, and returns the number of killed runs: 0 or 1.
func killAfter(t *testing.T, after time.Duration, args []string) int {
	t.Helper()
	cmd := command(context.Background(), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Logf("after %v: %v", after, err) // it had ended
	}
	if err := cmd.Wait(); err != nil {
		return 1
	}
	return 0
}

// TestIngest_interrupted: Ctrl-C leaves no temporary file, and the message says how to continue.
func TestIngest_interrupted(t *testing.T) {
	t.Parallel() // it mostly waits
	out := t.TempDir()
	cmd := command(t.Context(), "--output="+out, "--unit_size=64KiB", "--workers=1", archives)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, filepath.Join(out, ".documents-*tmp*"))
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(errs.String(), "run the same command "+
		"again") {
		t.Errorf("exit %v, printed %q; want code 1 and how to go on", err, errs.String())
	}
	if hidden, err := filepath.Glob(filepath.Join(out, ".*tmp*")); err != nil || len(hidden) > 0 {
		t.Errorf("temporary files are left: %v, %v", hidden, err)
	}
}

// waitFor waits until a file matches a pattern.
func waitFor(t *testing.T, pattern string) {
	t.Helper()
	const limit = 3 * time.Minute // a job that does nothing takes Flink 7 to 29 s on an idle machine
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if names, err := filepath.Glob(pattern); err == nil && len(names) > 0 {
			return
		}
	}
	t.Fatalf("no %s within %v", pattern, limit)
}

// copyArchives copies the project's archives, so that a test can change them.
func copyArchives(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../..", archives))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestIngest_redoesOnlyWhatIsStale: a changed input makes only its own units stale.
func TestIngest_redoesOnlyWhatIsStale(t *testing.T) {
	t.Parallel()
	in, out := copyArchives(t), t.TempDir()
	args := []string{"--output=" + out, "--unit_size=64KiB", in}
	mustRun(t, args...)
	units := unitCount(t, args)

	before := writeTimes(t, out)
	mustRun(t, args...)
	if diff := cmp.Diff(before, writeTimes(t, out)); diff != "" {
		t.Errorf("nothing was to be done, and shards were written (-before +after):\n%s", diff)
	}
	appendTo(t, filepath.Join(in, "site.warc"), "\r\n\r\n")
	if r := mustRun(t, args...); !strings.Contains(r.stderr, fmt.Sprintf("%d of %d units are done already", units-1,
		units)) {
		t.Errorf("after one file grew, stderr is %q; want all but one of %d units to be kept", r.stderr, units)
	}
	other := t.TempDir()
	mustRun(t, "--output="+other, "--unit_size=64KiB", in)
	sameFiles(t, contents(t, out), contents(t, other))

	before = writeTimes(t, out)
	mustRun(t, append([]string{"--select=heading=h1"}, args...)...)
	for name, at := range writeTimes(t, out) {
		if at.Equal(before[name]) {
			t.Errorf("other options, and %s was kept", name)
		}
	}
}

// writeTimes returns the modification time of each shard of documents.
func writeTimes(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "documents-*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d shards in %s, %v", len(names), dir, err)
	}
	times := map[string]time.Time{}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		times[filepath.Base(name)] = info.ModTime()
	}
	return times
}

func unitCount(t *testing.T, args []string) int {
	t.Helper()
	r := mustRun(t, append([]string{"--plan"}, args...)...)
	return strings.Count(r.stdout, " [")
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	closeFile(t, f)
}

// TestIngest_inputOrOutputWrong: errors are found before the work, and nothing changes.
func TestIngest_inputOrOutputWrong(t *testing.T) {
	t.Parallel()
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	noArchive := filepath.Join(foreign, "thesis.txt")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"missing file", []string{"no/such.warc.gz"}, "no/such.warc.gz"},
		{"empty pattern", []string{"testdata/**/*.nothing"}, "testdata/**/*.nothing"},
		{"no archive", []string{noArchive}, "none of the 1 files"},
		{"foreign folder", []string{"--output=" + foreign, archives}, "not made by gleaner"},
		{"unknown flag", []string{"--ouput=x", archives}, "--output"},
		{"unknown extractor", []string{"--extract=mimes", archives}, "mimes"},
		{"bad selector", []string{"--select=price=div[", archives}, "div["},
		{"select without name", []string{"--select=span.price", archives}, "name=css"},
		{"bad compression", []string{"--compression=xz", archives}, "xz"},
		{"bad format", []string{"--format=csv", archives}, "csv"},
		{"bucket alone", []string{"--output=gs://bucket", archives}, "name a folder in the bucket"},
		{"web as output", []string{"--output=https://example.com/out", archives}, "gs://bucket/name"},
		{"unit too small", []string{"--unit_size=1KiB", archives}, "64KiB"},
		{"templates without text", []string{"--site_templates", "--extract=mime", archives}, "--site_templates"},
		{"templates without documents", []string{"--site_templates", "--format=cdxj", archives}, "--site_templates"},
		{"unknown runner", []string{"--runner=spark", archives}, "spark"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			r := runCommand(t, append([]string{"--output=" + out}, tt.args...)...)
			if r.code != 2 || !strings.Contains(r.stderr, tt.want) {
				t.Errorf("exit code %d, stderr %q; want 2 and %q in it", r.code, r.stderr, tt.want)
			}
			if docs, err := filepath.Glob(filepath.Join(out, "*")); err != nil || len(docs) > 0 {
				t.Errorf("%v was written, %v", docs, err)
			}
		})
	}
	if files, err := os.ReadDir(foreign); err != nil || len(files) != 1 {
		t.Errorf("the foreign folder holds %d files, %v; want the 1 that was there", len(files), err)
	}
}

// TestIngest_outputBeneathInput: a run's output is not its input, not even if links lead to it.
func TestIngest_outputBeneathInput(t *testing.T) {
	for _, tt := range []struct{ name, output, link, to string }{
		{"plain", "in/out", "", ""},
		{"a link in the input", "big", "in/results", "../big"},
		{"an output named by a link", "alias/out", "alias", "in"},
		{"the output is a link", "alias", "alias", "in/out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			in, out := filepath.Join(root, "in"), filepath.Join(root, tt.output)
			if err := os.Rename(copyArchives(t), in); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(in, "out"), 0o755); err != nil {
				t.Fatal(err)
			}
			if tt.link != "" {
				if err := os.Symlink(tt.to, filepath.Join(root, tt.link)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.MkdirAll(out, 0o755); err != nil {
				t.Fatal(err)
			}
			args := []string{"--extract=text", "--format=jsonl,wet,content", "--output=" + out, in}
			mustRun(t, args...)
			before := contents(t, out)
			if r := mustRun(t, args...); strings.Contains(r.stdout, "unsupported") {
				t.Errorf("the second run read the first one's output:\n%s", r.stdout)
			}
			sameFiles(t, contents(t, out), before)
		})
	}
}

// TestIngest_listOnStandardInput: names come from another command's output.
func TestIngest_listOnStandardInput(t *testing.T) {
	out := t.TempDir()
	cmd := command(t.Context(), "--extract=", "--output="+out, "-")
	cmd.Stdin = strings.NewReader("# two of them\n" + archives + "/site.warc\n\n" + archives + "/site.arc.gz\n")
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	files := map[string]bool{}
	for _, l := range indexLines(t, out) {
		files[filepath.Base(l.Filename)] = true
	}
	if !files["site.warc"] || !files["site.arc.gz"] || len(files) != 2 {
		t.Errorf("captures of %v; want those of the two files named", files)
	}
}

// TestIngest_changedShard: a shard that another program changed is never overwritten.
func TestIngest_changedShard(t *testing.T) {
	out := t.TempDir()
	args := []string{"--output=" + out, archives}
	mustRun(t, args...)
	shard := shardOf(t, out, 0, "documents")
	appendTo(t, filepath.Join(out, shard), "x")
	r := runCommand(t, args...)
	if r.code != 1 || !strings.Contains(r.stderr, shard) || !strings.Contains(r.stderr, "--fresh") {
		t.Errorf("exit code %d, stderr %q; want 1, the shard's name and --fresh", r.code, r.stderr)
	}
	mustRun(t, append([]string{"--fresh"}, args...)...)
}

// TestIngest_indexesEveryCapture: the index has a line for each document.
func TestIngest_indexesEveryCapture(t *testing.T) {
	out := t.TempDir()
	mustRun(t, "--output="+out, "--compression=none", "--extract=", "--unit_size=1MiB", archives)
	m, err := holdings.ReadManifest(local(out))
	if err != nil {
		t.Fatal(err)
	}
	if n := int64(len(indexLines(t, out))); n != m.Totals.Captures || n != m.Totals.Documents || n == 0 {
		t.Errorf("%d lines in the index, %d captures, %d documents; want them equal", n, m.Totals.Captures,
			m.Totals.Documents)
	}
}
