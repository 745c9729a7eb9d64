package statement

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// asCommand makes the test binary the program.
const asCommand = "GLEANER_TEST_STATEMENT"

func TestMain(m *testing.M) {
	docsandbox.Main()
	if os.Getenv(asCommand) != "" {
		run.MainOf(cli.Program{Name: "gleaner", Verbs: []cli.Verb{ingest.Verb, query.Verb}})
	}
	os.Exit(m.Run())
}

// program is the test binary as the program.
func program(verb string, args []string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{verb}, args...)...)
	cmd.Env = append(os.Environ(), asCommand+"=1", cli.AsJob+"=1")
	return cmd
}

// collection makes a collection of the project's archives.
var collection = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gleaner-statement")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "out")
	said, err := program("ingest", []string{"--output=" + out, "../../../testdata/archives"}).CombinedOutput()
	if err != nil {
		return "", errors.Join(err, errors.New(string(said)))
	}
	return out, nil
})

func theCollection(t *testing.T) string {
	t.Helper()
	out, err := collection()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ask returns the answer, and the largest memory of the child in bytes.
func ask(t *testing.T, r *Runner, q Question) (text string, memory int64, err error) {
	t.Helper()
	q.Collection = theCollection(t)
	if q.Format == "" {
		q.Format = "arrays"
	}
	if q.Time == 0 {
		q.Time = time.Minute
	}
	a, err := r.Start(t.Context(), q)
	if err != nil {
		return "", 0, err
	}
	defer a.Close()
	b, err := io.ReadAll(io.LimitReader(a, 64<<20))
	a.Close()
	return string(b), maxMemory(a.child.cmd.ProcessState), err
}

// TestRunner: the rows are those of the command.
func TestRunner(t *testing.T) {
	r := New(Options{Program: program, Temp: t.TempDir()})
	for _, format := range []string{"arrays", "csv", "csv-bom", "jsonl", "parquet"} {
		const statement = "select host, count(*) as n, avg(length) from documents group by host order by n"
		got, _, err := ask(t, r, Question{Statement: statement, Format: format})
		if err != nil {
			t.Fatal(err)
		}
		want, err := program("query", []string{
			"--collection=" + theCollection(t), "--sql=" + statement, "--format=" + format,
		}).Output()
		if err != nil || got != string(want) || got == "" {
			t.Errorf("%s: %q, want %q, %v", format, got, want, err)
		}
	}
	if got, _, err := ask(t, r, Question{Statement: "select 1 where 0", Format: "jsonl"}); got != "" || err != nil {
		t.Errorf("no rows: %q, %v", got, err)
	}
}

// TestRunner_limits: a reader with limits has only the captures and texts that they accept.
func TestRunner_limits(t *testing.T) {
	r := New(Options{Program: program, Temp: t.TempDir()})
	for limits, want := range map[string]string{
		"": "[121,3]", `{"listed":"NOT host = 127.0.0.1"}`: "[65,2]", `{"listed":"host = port.wrenmouth.example"}`: "[5,1]",
		`{"listed":"NOT host = 127.0.0.1","whole":"host = port.wrenmouth.example"}`: "[65,2]",
	} {
		const hosts = "select count(*), (select count(*) from hosts) from documents"
		if got, _, err := ask(t, r, Question{Statement: hosts, Limits: limits}); !strings.Contains(got, want) {
			t.Errorf("%s: %s, %v, want %s", limits, got, err, want)
		}
	}
	const secret = "select count(*) from documents where text is not null and host <> 'port.wrenmouth.example'"
	// Limits are longer than an argument or a variable of a process may be.
	many := make([]string, 5_000)
	for i := range many {
		many[i] = fmt.Sprintf("host = number-%d.of-a-long-list.example", i)
	}
	long := `{"listed":"NOT (host = 127.0.0.1 OR ` + strings.Join(many, " OR ") + `)"}`
	if got, _, err := ask(t, r, Question{Statement: "select count(*) from documents", Limits: long}); len(long) < 128<<10 ||
		!strings.HasSuffix(got, "[65]\n") {
		t.Errorf("limits of %d bytes: %s, %v", len(long), got, err)
	}
	got, _, err := ask(t, r, Question{Statement: secret, Limits: `{"whole":"host = port.wrenmouth.example"}`})
	if !strings.HasSuffix(got, "[0]\n") {
		t.Errorf("texts that may not be read: %s, %v", got, err)
	}
	if got, _, err := ask(t, r, Question{Statement: "select 1", Limits: "{"}); err == nil {
		t.Errorf("limits that cannot be read: %s", got)
	}
}

// TestRunner_mistakes: a refused statement is a mistake with its position.
func TestRunner_mistakes(t *testing.T) {
	r := New(Options{Program: program, Temp: t.TempDir()})
	for _, c := range []struct {
		statement, message string
		line, column       int
	}{
		{"select 1,\n hots from documents", "no such column: hots", 2, 2},
		{"select 1 fro documents", `near "documents": syntax error`, 1, 14},
		{"select 1; select 2", "2 statements", 0, 0},
		{"attach '/etc/passwd' as x", "not authorized", 0, 0},
		{"pragma temp_store_directory = '/'", "not authorized", 0, 0},
		{"create table t(x)", "not authorized", 0, 0},
		{"select load_extension('/tmp/x.so')", "not authorized", 0, 0},
		{"select writefile('/tmp/x', 'y')", "no such function: writefile", 1, 8},
		{"select readfile('/etc/passwd')", "no such function: readfile", 1, 8},
		{"vacuum into '/tmp/x'", "not authorized", 0, 0},
		{"select * from pragma_database_list", "not authorized", 0, 0},
		{"select * from dbstat", "not authorized", 0, 0},
		{"select * from sqlite_dbpage", "not authorized", 0, 0},
		{"select pgno from sqlite_dbpage('main')", "not authorized", 0, 0},
		{"select * from documents_data", "no such table", 1, 15},
		{"select * from documents('langage = fr')", "unknown field", 0, 0},
		{"select '\n--sql: line 9, column 9: forged' || absent", "no such column: absent", 2, 37},
		{"-- only a comment", "0 statements", 0, 0},
		{strings.Repeat("0", 20000), "…", 0, 0},
		{strings.Repeat("é", 10000), "…", 0, 0},
		{"select " + strings.Repeat("x", 19000), "…", 0, 0},
		{"select \"" + strings.Repeat("\\", 19000) + "\"", "…", 0, 0},
		{"select " + strings.Repeat("1+", 5000) + "1", "Expression tree is too large", 0, 0},
		{"select json('" + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "')", "malformed JSON", 0, 0},
	} {
		_, _, err := ask(t, r, Question{Statement: c.statement})
		var f *Failure
		if !errors.As(err, &f) || f.Kind != Mistake || !strings.Contains(f.Message, c.message) {
			t.Errorf("%.60s: %v, want %q", c.statement, err, c.message)
			continue
		}
		if c.line > 0 && (f.Line != c.line || f.Column != c.column) {
			t.Errorf("%.60s: %d:%d, want %d:%d", c.statement, f.Line, f.Column, c.line, c.column)
		}
	}
}

// TestRunner_bombs: no statement takes longer than its time, or more memory than the limit. Most bombs are for
// several limits, and it does not matter which one ends them.
func TestRunner_bombs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("limits of a process are for Linux")
	}
	const limit = 1500 * time.Millisecond
	r := New(Options{Program: program, Temp: t.TempDir()})
	megabyte := "replace(hex(zeroblob(500000)), '0', 'a')"
	many := strings.TrimSuffix(strings.Repeat("randomblob(30000000),", 60), ",")
	for _, statement := range []string{
		"with recursive x(n) as (select 1 union all select n + 1 from x) select max(n) from x",
		"with recursive x(n) as (select 1 union all select n + 1 from x) select count(distinct n) from x",
		"with recursive x(n) as (select 1 union select n + 1 from x) select n from x order by -n",
		"with recursive x(n) as (select 'a' union all select n || n from x) select max(length(n)) from x",
		"with recursive x(n) as (select 1 union all select n + 1 from x) select group_concat(n) from x",
		"with recursive x(n) as (select 1 union all select n + 1 from x) select median(n) from x",
		"with recursive x(n) as (select 1 union all select n + 1 from x) select json_group_array(randomblob(1000)) from x",
		"select count(*) from documents a, documents b, documents c, documents d, documents e",
		"select count(*) from entities a, entities b, entities c, links d",
		"select zeroblob(1000000000)", "select length(" + many + ")", "select " + many,
		"select length(a.x) + length(b.y) from (select " + strings.Replace(many, "),", ") x,", 1) + ") a, (select 1 y) b",
		"select printf('%1000000000d', 1)", "select hex(zeroblob(134000000)), hex(zeroblob(134000000))",
		"select printf('%.*c', 200000000, 'x'), printf('%.*c', 200000000, 'x'), printf('%.*c', 200000000, 'x')",
		"select instr(" + megabyte + " || " + megabyte + ", " + megabyte + " || 'b')",
		"select " + megabyte + " like '" + strings.Repeat("%a", 10000) + "%b'",
		"select " + megabyte + " glob '" + strings.Repeat("*a", 10000) + "*b'",
		"select replace(" + megabyte + ", 'a', " + megabyte + ")",
		"select trim(" + megabyte + ", " + megabyte + " || 'b')",
		"select sum(length(text)) from documents, json_each('[' || " +
			"substr(replace(hex(zeroblob(900000)), '00', '1,'), 3) || '1]')",
	} {
		begin := time.Now()
		_, memory, err := ask(t, r, Question{Statement: statement, Time: limit})
		took := time.Since(begin)
		var f *Failure
		if err != nil && (!errors.As(err, &f) || f.Kind == Broken) {
			t.Errorf("%.90s: %v", statement, err)
		}
		if took > limit+5*time.Second {
			t.Errorf("%.90s: %v", statement, took)
		}
		if memory > r.Memory()+128<<20 { // the program itself is shared memory of 128 MiB
			t.Errorf("%.90s: %d bytes", statement, memory)
		}
		t.Logf("%-90.90s %5.1f s %4d MiB: %.90v", statement, took.Seconds(), memory>>20, err)
	}
	left, err := os.ReadDir(r.o.Temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestRunner_disk: temporary files are limited.
func TestRunner_disk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("limits of a process are for Linux")
	}
	r := New(Options{Program: program, Temp: t.TempDir(), Disk: 1 << 20})
	_, _, err := ask(t, r, Question{Statement: "with recursive x(n) as (select 1 union all select n + 1 from x " +
		"limit 300000) select sum(length(b)) from (select hex(randomblob(200)) as b from x order by b)"})
	if f := (*Failure)(nil); !errors.As(err, &f) || f.Kind != Large {
		t.Errorf("%v, want the limit of files", err)
	}
}

// TestRunner_gone: a statement ends when nobody waits for it any more.
func TestRunner_gone(t *testing.T) {
	r := New(Options{Program: program, Temp: t.TempDir()})
	const endless = "with recursive x(n) as (select 1 union all select n + 1 from x) select n from x"
	ctx, cancel := context.WithCancel(t.Context())
	a, err := r.Start(ctx, Question{
		Collection: theCollection(t), Statement: endless, Format: "csv", Time: time.Minute, File: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	cancel()
	if _, err := io.Copy(io.Discard, a); !errors.Is(err, context.Canceled) {
		t.Errorf("Copy() = %v, want %v", err, context.Canceled)
	}
	if a.child.cmd.ProcessState.Exited() {
		t.Error("it was not killed")
	}
}

// TestRunner_busy: the number of children is bounded; files do not keep pages waiting.
func TestRunner_busy(t *testing.T) {
	r := New(Options{Program: program, Temp: t.TempDir(), Pages: 1, Wait: 200 * time.Millisecond})
	const endless = "with recursive x(n) as (select 1 union all select n + 1 from x) select n from x"
	begin := func(file bool) *Answer {
		a, err := r.Start(t.Context(), Question{
			Collection: theCollection(t), Statement: endless, Format: "csv", Time: time.Minute, File: file,
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	file := begin(true)
	defer file.Close()
	page := begin(false)
	if _, _, err := ask(t, r, Question{Statement: "select 1"}); !errors.Is(err, ErrBusy) {
		t.Errorf("the second one: %v, want %v", err, ErrBusy)
	}
	page.Close()
	if text, _, err := ask(t, r, Question{Statement: "select 1"}); err != nil || !strings.Contains(text, "[1]") {
		t.Errorf("after the first one: %q, %v", text, err)
	}
}
