//go:build unix

package docs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// session is a page whose blocks are run one after the other, in a copy of the checkout that other pages used before.
type session struct {
	page   page
	dir    string
	ports  *strings.Replacer // the ports that pages name by those of the test
	groups []int             // processes that were started, with all that they left running
	python string            // the page's blocks of Python so far
	last   string            // what the last block printed
}

func newSession(t *testing.T, p page, dir string) *session {
	t.Helper()
	port := fmt.Sprint(servertest.FreePort(t))
	ports := []string{"--port 8080", "--port " + port, "127.0.0.1:8080", "127.0.0.1:" + port}
	if strings.Contains(marked(p), "127.0.0.1:9200") {
		ports = append(ports, "http://127.0.0.1:9200", servertest.StartOpenSearch(t).URL)
	}
	s := &session{page: p, dir: dir, ports: strings.NewReplacer(ports...)}
	t.Cleanup(func() {
		for _, group := range s.groups {
			_ = syscall.Kill(-group, syscall.SIGKILL) // most have ended
		}
	})
	return s
}

// marked is the text of the blocks of a page that are run.
func marked(p page) string {
	var text strings.Builder
	for _, b := range p.blocks {
		if strings.HasPrefix(b.mark, "run") {
			text.WriteString(b.text)
		}
	}
	return text.String()
}

// run runs the marked blocks of the page and compares what they print with what the page shows.
func (s *session) run(t *testing.T) {
	ran := false // whether there is something to compare with
	for _, b := range s.page.blocks {
		name := fmt.Sprintf("line %d, %s", b.line, b.language)
		if strings.HasPrefix(b.mark, "run") {
			ran = false
			ok := t.Run(name, func(t *testing.T) { ran = s.runBlock(t, b) })
			if !ok {
				return // what follows needs it
			}
		}
		if b.mark == "output" && ran {
			want := s.ports.Replace(b.text)
			if !shows(want, s.last) {
				t.Errorf("%s:%d shows\n%s\nand this was printed:\n%s", s.page.name, b.line, want, s.last)
			}
		}
	}
	t.Run("git ignores what it makes", s.ignored)
}

// ignored fails when git would list what the page has made beside the checkout's own files.
func (s *session) ignored(t *testing.T) {
	if out, err := exec.Command("git", "-C", root, "rev-parse", "--is-inside-work-tree").CombinedOutput(); err != nil {
		t.Skipf("this is no checkout of git: %s", out)
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if slices.Contains(parts, name) {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		if err := exec.Command("git", "-C", root, "check-ignore", "-q", name).Run(); err != nil {
			t.Errorf("%s makes %s, which .gitignore does not name", s.page.name, name)
		}
	}
}

// limit is how long a block may take.
const limit = 8 * time.Minute

// runBlock runs a block, and reports whether it ran: false if the test is skipped.
func (s *session) runBlock(t *testing.T, b block) bool {
	t.Helper()
	path := s.tools(t, b)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	text := s.ports.Replace(b.text)
	var cmd *exec.Cmd
	switch b.language {
	case "sh":
		cmd = exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", text)
	case "python":
		cmd = exec.CommandContext(ctx, "python3", "-c", runPython, s.python, text)
		s.python += text
	case "sql":
		cmd = exec.CommandContext(ctx, "python3", "-c", runSQL, text)
	default:
		t.Fatalf("a block of %q cannot be run", b.language)
	}
	if len(path) > 0 && b.language != "sh" {
		cmd.Path = filepath.Join(path[0], "python3")
	}
	cmd.Dir = s.dir
	search := strings.Join(append(path, os.Getenv("PATH")), ":")
	cmd.Env = append(os.Environ(), goFlags, "LC_ALL=C.UTF-8", "PATH="+search)
	code, stdout, stderr := s.start(t, cmd)
	want := 0
	if _, err := fmt.Sscanf(b.mark, "run exit=%d", &want); err != nil && b.mark != "run" {
		t.Fatalf("the mark %q is not known", b.mark)
	}
	if code != want {
		t.Fatalf("exit code %d, want %d\n%s\n%s\n%s", code, want, text, stdout, stderr)
	}
	s.last = stdout
	return true
}

// start runs a command to its end, in a group of its own. Processes that it leaves running end with the page.
func (s *session) start(t *testing.T, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	var names [2]string
	for i := range names {
		names[i] = filepath.Join(dir, fmt.Sprint(i))
		f, err := os.Create(names[i]) // not a pipe, which a process that is left would hold open
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if i == 0 {
			cmd.Stdout = f
		} else {
			cmd.Stderr = f
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.groups = append(s.groups, cmd.Process.Pid)
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var texts [2]string
	for i, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(b)
	}
	return cmd.ProcessState.ExitCode(), texts[0], texts[1]
}

// python finds what needs an environment of Python packages, and program what a block may call and not every machine
// has.
var (
	python  = regexp.MustCompile(`\b(python3|wayback|duckdb)\b`)
	program = regexp.MustCompile(`\b(zstd|zstdcat|jq|curl)\b`)
)

// tools returns the folders of programs that the block needs besides those of the system. If one is missing, it skips
// the test.
func (s *session) tools(t *testing.T, b block) (path []string) {
	t.Helper()
	for _, name := range program.FindAllString(b.text, -1) {
		if _, err := exec.LookPath(name); err != nil && b.language == "sh" {
			t.Skipf("%s is not installed: on Debian, apt-get install zstd jq curl", name)
		}
	}
	if b.language == "sh" && !python.MatchString(b.text) {
		return nil
	}
	for _, list := range []string{"data.txt", "pywb.txt"} {
		if strings.Contains(s.page.text, tutorials+list) {
			path = append(path, pythontest.Locked(t, filepath.Join(root, tutorials, list)))
		}
	}
	if path == nil {
		path = []string{pythontest.Locked(t, filepath.Join(root, tutorials, "data.txt"))}
	}
	return path
}

// runPython runs a block with what the page's earlier blocks have defined.
const runPython = `
import contextlib, io, sys
with contextlib.redirect_stdout(io.StringIO()):
    exec(sys.argv[1])
exec(sys.argv[2])
`

// runSQL runs statements by DuckDB and prints what they give. Views are there for the page's next block.
const runSQL = `
import duckdb, sys
db = duckdb.connect("page.duckdb")
for statement in duckdb.extract_statements(sys.argv[1]):
    result = db.sql(statement)
    if statement.type == duckdb.StatementType.SELECT:
        print(result)
`

// vague is what differs from run to run and from machine to machine.
var vague = []*regexp.Regexp{
	regexp.MustCompile(`\([\d,]+/s\)`),
	regexp.MustCompile(`(?m)^(Time|Peak memory) .*$`),
	regexp.MustCompile(`"seconds": ?[\d.e-]+`),
}

// shows reports whether a page shows the printed text.
func shows(shown, printed string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(vaguely(shown)) {
		if dots := strings.TrimSpace(line); dots == "…" || dots == "..." {
			pattern.WriteString(`(?:.*\n)*`)
			continue
		}
		parts := strings.Split(line, "…")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		pattern.WriteString(strings.Join(parts, `.*`))
	}
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(vaguely(printed))
}

// vaguely returns a text without its variable parts, without blanks at the ends of lines, and without empty lines at
// its end.
func vaguely(text string) string {
	for _, v := range vague {
		text = v.ReplaceAllString(text, "~")
	}
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString(strings.TrimRight(line, " \t\n") + "\n")
	}
	return b.String()
}

func TestShows(t *testing.T) {
	for _, tt := range []struct {
		shown, printed string
		want           bool
	}{
		{"a\nb\n", "a \nb\n\n", true},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"a\n  ...\n", "a\n", true},
		{"a … d\n", "a b c d\n", true},
		{"a … d\n", "a b c\n", false},
		{"Captures 12 (3/s)\nTime  1s\n", "Captures 12 (45/s)\nTime  2s\n", true},
		{"Captures 12 (3/s)\n", "Captures 13 (3/s)\n", false},
		{"a\n", "a\nb\n", false},
	} {
		if got := shows(tt.shown, tt.printed); got != tt.want {
			t.Errorf("shows(%q, %q) = %v", tt.shown, tt.printed, got)
		}
	}
}
