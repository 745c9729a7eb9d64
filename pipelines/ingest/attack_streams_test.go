package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/damage"
	"github.com/gleaner-web/gleaner/schemas"
)

// withoutRanges serves a file, but no ranges of it.
func withoutRanges(t *testing.T, name string) string {
	t.Helper()
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join("../..", name)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		w.Header().Set("ETag", `"1"`)
		if r.Method == http.MethodGet {
			_, _ = w.Write(b) // the client may close early
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/" + filepath.Base(name)
}

// TestAttack09_damagedFileOnAServerWithoutRanges: damaged files on such a server give the same results as on a disk,
// and the other files are read.
func TestAttack09_damagedFileOnAServerWithoutRanges(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	names := []string{damaged + "/flip.warc.gz", archives + "/site.arc.gz"}
	names = append(names, largeDamaged(t))
	local, web := t.TempDir(), t.TempDir()
	here := runCommand(t, append([]string{"--output=" + local, "--extract=mime", archives + "/site.warc.gz"}, names...)...)
	args := []string{"--output=" + web, "--extract=mime", "--private_hosts", archives + "/site.warc.gz"}
	for _, name := range names {
		args = append(args, withoutRanges(t, name))
	}
	there := runCommand(t, args...)
	if here.code != 3 || there.code != 3 {
		t.Fatalf("exit codes %d and %d, want 3\n%s%s", here.code, there.code, there.stdout, there.stderr)
	}
	counts := func(out string) []int {
		list := slices.Collect(maps.Values(perFile(t, out)))
		slices.Sort(list)
		return list
	}
	if x, y := counts(local), counts(web); !slices.Equal(x, y) || len(x) != 4 {
		t.Errorf("documents by file: %v from disk, %v from the server", x, y)
	}
	if got := rejectsOf(t, web, schemas.KindUnreadable); len(got) > 0 {
		t.Errorf("rejects %q, want none", got)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "gleaner-download-*")); len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v", left)
	}
}

// largeDamaged returns an archive that is longer than one request of a reader, with damage in the middle.
func largeDamaged(t *testing.T) string {
	t.Helper()
	c := damage.Case{Seed: 1, Layout: damage.GzipEach, Kind: "hole", Pages: 200, MaxBody: 400_000, Digests: true}
	f := c.Make()
	if len(f.Data) < 3<<20 {
		t.Fatalf("it has %d bytes", len(f.Data))
	}
	name := filepath.Join(t.TempDir(), "large.warc.gz")
	if err := os.WriteFile(name, f.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestAttack17_archiveOnStandardInput pipes archives and lists into the command.
func TestAttack17_archiveOnStandardInput(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	piped := func(t *testing.T, in []byte, args ...string) result {
		t.Helper()
		cmd := command(t.Context(), args...)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
		_ = cmd.Run() // the exit code shows it
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("left in the folder for temporary files: %v, %v", left, err)
		}
		return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	}
	for _, name := range []string{"site.warc.gz", "site.warc", "site.warc.zst", "site.arc.gz", "site-v2.arc"} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("../..", archives, name))
			if err != nil {
				t.Fatal(err)
			}
			plain, out := t.TempDir(), t.TempDir()
			mustRun(t, "--output="+plain, "--extract=mime", archives+"/"+name)
			var before map[string]string
			for range 2 {
				if r := piped(t, b, "--output="+out, "--extract=mime", "-"); r.code != 0 {
					t.Fatalf("exit code %d\n%s", r.code, r.stderr)
				}
				if before != nil {
					sameFiles(t, contents(t, out), before)
				}
				before = contents(t, out)
			}
			n := perFile(t, out)
			if len(n) != 1 || !strings.HasPrefix(first(n), "stdin-") || n[first(n)] != len(documents(t, plain)) {
				t.Errorf("documents by file: %v, want %d of standard input", n, len(documents(t, plain)))
			}
		})
	}
	out := t.TempDir()
	if r := piped(t, []byte(archives+"/site.warc.gz\n"), "--output="+out, "--extract=mime", "-"); r.code != 0 {
		t.Errorf("a list: exit code %d\n%s", r.code, r.stderr)
	}
	if n := perFile(t, out); n[archives+"/site.warc.gz"] == 0 {
		t.Errorf("a list: documents by file: %v", n)
	}
	if r := piped(t, nil, "--output="+t.TempDir(), "-"); r.code != 2 {
		t.Errorf("nothing: exit code %d, want 2\n%s", r.code, r.stderr)
	}
}

// TestAttack18_inputServerThatDoesNotAnswerIsSaidAtOnce starts the command with a failing server, and reads its first
// messages.
func TestAttack18_inputServerThatDoesNotAnswerIsSaidAtOnce(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request,
	) {
		http.Error(w, "no", http.StatusServiceUnavailable)
	}))
	t.Cleanup(s.Close)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(hangs.Close)
	for url, want := range map[string]string{
		s.URL:     "503 Service Unavailable; it is asked again",
		hangs.URL: "no answer for",
	} {
		cmd := command(t.Context(), "--output="+t.TempDir(), "--private_hosts", url+"/a.warc.gz?secret=1")
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line := make(chan string, 1)
		go func() {
			l, _ := bufio.NewReader(errs).ReadString('\n') // an error is not a line
			line <- l
		}()
		select {
		case l := <-line:
			if !strings.Contains(l, want) || strings.Contains(l, "secret") {
				t.Errorf("it says %q, want %q", l, want)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("nothing is said for 20 s; want %q", want)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_, _ = io.Copy(io.Discard, errs)
		_ = cmd.Wait() // it was killed
	}
}

var roughly = regexp.MustCompile(`roughly ([\d,]+) captures.*output ([\d.]+) (B|KiB|MiB)`)

// checkPlan compares the captures and output sizes of --plan with those of a run.
func checkPlan(t *testing.T, args ...string) {
	t.Helper()
	out := t.TempDir()
	said := mustRun(t, append([]string{"--plan", "--output=" + out}, args...)...)
	m := roughly.FindStringSubmatch(said.stdout)
	if m == nil {
		t.Fatalf("no estimate in %s", said.stdout)
	}
	captures, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	size, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		t.Fatal(err)
	}
	size *= map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[m[3]]
	r := runCommand(t, append([]string{"--output=" + out}, args...)...)
	if r.code != 0 && r.code != 3 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	var bytes, lines float64
	for name, text := range contents(t, out) {
		if name != "manifest.json" {
			bytes += float64(len(text))
		}
	}
	count := regexp.MustCompile(`Captures +([\d,]+)`).FindStringSubmatch(r.stdout)
	if lines, err = strconv.ParseFloat(strings.ReplaceAll(count[1], ",", ""), 64); err != nil {
		t.Fatal(err)
	}
	t.Logf("%v: captures %.0f, planned %.0f; output %.0f, planned %.0f", args[len(args)-1], lines, captures, bytes, size)
	if off(captures, lines) > 0.2 || off(size, bytes) > 0.2 {
		t.Errorf("%v: captures %.0f, planned %.0f; output %.0f, planned %.0f", args, lines, captures, bytes, size)
	}
}

func off(got, want float64) float64 { return max(got-want, want-got) / want }

// TestAttack19_planIsWithinAFifth plans and reads several kinds of folders, each larger than the sample.
func TestAttack19_planIsWithinAFifth(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var joined, mixed []byte
	for _, name := range []string{"site.warc.gz", "wget.warc.gz", "site.arc.gz"} {
		b, err := os.ReadFile(filepath.Join("../..", archives, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".warc.gz") {
			joined = append(joined, b...)
		}
		mixed = b
	}
	for i := range 4 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.warc.gz", i)), bytes.Repeat(joined, 20),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 300 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("small-%03d.arc.gz", i)), mixed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	checkPlan(t, "--extract=mime,text", dir)
	checkPlan(t, "--format=cdxj", dir)
	checkPlan(t, "--extract=mime,text", "--unit_size=1MiB", archives)
	if _, err := os.Stat("../../../shared/corpora/warc/raw"); err == nil && os.Getenv("GLEANER_CORPORA") != "" {
		checkPlan(t, "--format=jsonl,cdxj", "../shared/corpora/warc/raw")
	}
}
