package main

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/sink/sandcrawler"
	"github.com/gleaner-web/gleaner/pipelines/command/fileset"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) { commandtest.Main(m, fileset.Verb, ingest.Verb) }

// start starts the command.
func start(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := commandtest.Command(t.Context(), "fileset", args...)
	cmd.Dir = "../.."
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &said
}

// finish runs the command to its end.
func finish(t *testing.T, code int, args ...string) string {
	t.Helper()
	cmd, said := start(t, args...)
	_ = cmd.Wait() // the exit code shows the error
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("fileset %v: exit code %d, want %d\n%s", args, got, code, said)
	}
	return said.String()
}

// synthetic writes captures of datasets of one file, and n requests. A tenth of these is for the datasets, and the
// others have no capture.
func synthetic(t *testing.T, dir string, n int) (requests []string) {
	t.Helper()
	to, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := warc.NewWriter(to, dump.WriteOptions{})
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	put := func(url, mime, body string) {
		at = at.Add(time.Second)
		err := w.Write(&schemas.Capture{
			URL: url, Timestamp: at, RecordType: schemas.TypeResponse, Status: 200, Body: []byte(body),
			Header: []schemas.Field{{Name: "Content-Type", Value: mime}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		url := fmt.Sprintf("https://zenodo.org/records/%d", i)
		requests = append(requests, fmt.Sprintf(`{"ingest_type": "dataset", "base_url": %q, "link_source": "doi",
			"link_source_id": "10.5281/zenodo.%d", "ingest_request_source": "test", "ext_ids": {"doi": "10.5281/zenodo.%[2]d"}}`,
			url, i))
		if i%10 != 0 {
			continue
		}
		body := fmt.Sprintf("n\n%d\n", i)
		put(url, "text/html", "<html><head><title>Dataset</title></head><body>A dataset.</body></html>")
		put(fmt.Sprintf("https://zenodo.org/api/records/%d", i), "application/json",
			fmt.Sprintf(`{"id": %d, "conceptrecid": "c",
			"metadata": {"title": "T", "access_right": "open"}, "files": [{"key": "n.csv", "size": %d, "checksum": "md5:%x",
			"links": {"self": "https://zenodo.org/api/records/%[1]d/files/n.csv/content"}}]}`, i, len(body),
				md5.Sum([]byte(body))))
		put(fmt.Sprintf("https://zenodo.org/api/records/%d/files/n.csv/content", i), "text/csv", body)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return requests
}

// query returns the rows of a database query as lines.
func query(t *testing.T, address, sql string) (lines []string) {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(t.Context()) }() // only queried
	results, err := c.Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range results[0].Rows {
		lines = append(lines, string(bytes.Join(row, []byte("|"))))
	}
	return lines
}

// hashes returns hashes of all rows of each table, without their times.
func hashes(t *testing.T, address string) (all []string) {
	t.Helper()
	for table, columns := range map[string]string{
		"ingest_request": "", "ingest_file_result": "", "ingest_fileset_platform": "", "file_meta": "", "cdx": "",
	} {
		columns = fmt.Sprintf("to_jsonb(%s) - 'updated' - 'created' - 'row_created'", table)
		sql := fmt.Sprintf("SELECT count(*), md5(string_agg(x::text, '|' ORDER BY x::text)) FROM (SELECT %s AS x FROM %s) q",
			columns, table)
		all = append(all, table+"|"+query(t, address, sql)[0])
	}
	slices.Sort(all)
	return all
}

// messages returns the messages of a topic.
func messages(t *testing.T, brokers, topic string) (all [][]byte) {
	t.Helper()
	units, _, err := kafka.Plan(t.Context(), "kafka://"+brokers+"/"+topic, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		for m, err := range kafka.NewReader(u, nil, archive.Options{}).Texts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m.Value)
		}
	}
	return all
}

// send sends requests to a topic.
func send(t *testing.T, brokers, topic string, requests []string) {
	t.Helper()
	p, err := kafka.NewProducer(kafka.Config{Brokers: brokers, Topic: topic, Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	d := p.Begin()
	for _, r := range requests {
		if err := d.Send(t.Context(), kafka.Message{Value: []byte(r)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestServers_killed: requests come from a topic, and results go to tables and topics of real servers. The command is
// killed five times, and the database once in the middle of a run. In the end, the rows are those of an undisturbed
// run. The broker is killed in another run. GLEANER_KILLED is the number of requests.
func TestServers_killed(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") != "1" {
		t.Skip("takes minutes; GLEANER_SLOW=1 runs it")
	}
	n := 100_000
	if _, err := fmt.Sscan(cmp.Or(os.Getenv("GLEANER_KILLED"), "100000"), &n); err != nil {
		t.Fatal(err)
	}
	broker, database, dir := servertest.StartKafka(t), servertest.StartPostgres(t), t.TempDir()
	archives := filepath.Join(dir, "archives")
	const topic = "sandcrawler-qa.ingest-file-requests-bulk"
	send(t, broker.Brokers, topic, synthetic(t, archives, n))
	query(t, database.URL, "SELECT 1")
	run := func(name string) (args []string, address string) {
		query(t, database.URL, "SELECT 1")
		cmd := fmt.Sprintf("CREATE DATABASE %s", name)
		c, err := pgconn.Connect(t.Context(), database.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close(t.Context()) }() // only queried
		if err := c.Exec(t.Context(), cmd).Close(); err != nil {
			t.Fatal(err)
		}
		address = strings.Replace(database.URL, "/postgres", "/"+name, 1)
		return []string{
			"--requests=kafka://" + broker.Brokers + "/" + topic, "--archives=" + archives, "--output=" +
				filepath.Join(dir, name),
			"--postgres=" + address, "--kafka=" + broker.Brokers, "--kafka_env=" + name, "--unit_requests=100",
		}, address
	}
	clean, cleanAddress := run("clean")
	began := time.Now()
	finish(t, 0, clean...)
	t.Logf("%d requests in %v", n, time.Since(began))

	args, address := run("killed")
	took := time.Since(began)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 5 {
		cmd, _ := start(t, args...)
		// At any time except near the end.
		time.Sleep(time.Duration(random.Int64N(int64(took) * 8 / 10)))
		switch i {
		case 2:
			database.Kill()
			time.Sleep(200 * time.Millisecond)
			database.Restart()
		case 3:
			broker.Kill()
			broker.Restart()
			broker.Ready()
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	said := finish(t, 0, args...)
	if !strings.Contains(said, "success-file") {
		t.Errorf("summary:\n%s", said)
	}
	want, got := hashes(t, cleanAddress), hashes(t, address)
	if !slices.Equal(want, got) {
		t.Errorf("rows\n%s\nand of a clean run\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, table := range []string{"ingest_request", "ingest_file_result"} {
		types := fmt.Sprintf("SELECT ingest_type, count(*) FROM %s GROUP BY 1 ORDER BY 1", table)
		if got := query(t, address, types); !slices.Equal(got,
			[]string{fmt.Sprint("dataset|", n), fmt.Sprint("dataset-file|", n/10)}) {
			t.Errorf("%s: %q", table, got)
		}
	}
	compareTopics(t, broker.Brokers, n)
}

// compareTopics checks that each result is in the killed run's topic, at least once, and equals that of the clean
// run.
func compareTopics(t *testing.T, brokers string, n int) {
	t.Helper()
	for i, topic := range []func(string) string{sandcrawler.FilesetResults, sandcrawler.FileResults} {
		sets := map[string]map[string]bool{}
		for _, env := range []string{"clean", "killed"} {
			set := map[string]bool{}
			all := messages(t, brokers, topic(env))
			for _, m := range all {
				if !json.Valid(m) {
					t.Fatalf("no JSON: %.200q", m)
				}
				set[string(m)] = true
			}
			sets[env] = set
			t.Logf("%s: %d messages, %d results", topic(env), len(all), len(set))
		}
		want := []int{n, n / 10}[i]
		if len(sets["clean"]) != want || len(sets["killed"]) != want {
			t.Errorf("%d and %d results, want %d", len(sets["clean"]), len(sets["killed"]), want)
		}
		for m := range sets["clean"] {
			if !sets["killed"][m] {
				t.Fatalf("not there, or another: %.300s", m)
			}
		}
	}
}

// TestServers_die: a server that dies in the middle of a run and stays down ends the run with a message. After it is
// back, the same command ends like an undisturbed one.
func TestServers_die(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") != "1" {
		t.Skip("starts two servers twice, half a minute; GLEANER_SLOW=1 runs it")
	}
	const n = 3000
	broker, database, dir := servertest.StartKafka(t), servertest.StartPostgres(t), t.TempDir()
	archives, requests, out := filepath.Join(dir, "archives"), filepath.Join(dir, "requests.jsonl"),
		filepath.Join(dir, "out")
	var text bytes.Buffer
	for _, r := range synthetic(t, archives, n) {
		if err := json.Compact(&text, []byte(r)); err != nil {
			t.Fatal(err)
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(requests, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--requests=" + requests, "--archives=" + archives, "--output=" + out, "--postgres=" + database.URL,
		"--kafka=" + broker.Brokers, "--unit_requests=10", "--workers=1", "--postgres_retry_timeout=2s",
		"--kafka_property=delivery.timeout.ms=3000", "--kafka_property=request.timeout.ms=2000",
	}
	for _, server := range []struct {
		name      string
		kill      func()
		restarted func()
	}{
		{"postgres", database.Kill, database.Restart},
		{"kafka", broker.Kill, func() { broker.Restart(); broker.Ready() }},
	} {
		before := units(t, out)
		cmd, said := start(t, args...)
		// In the middle: some units of this run are done, and many are not.
		for deadline := time.Now().Add(time.Minute); units(t, out) < before+3 && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
		server.kill()
		_ = cmd.Wait() // the exit code shows it
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(said.String(), server.name+": ") {
			t.Errorf("%s: exit code %d\n%s", server.name, code, said)
		}
		if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
			t.Fatalf("%s: the run had ended", server.name)
		}
		server.restarted()
	}
	finish(t, 0, args...)
	for table, want := range map[string]int{"ingest_file_result": n + n/10, "ingest_fileset_platform": n / 10} {
		if got := query(t, database.URL, "SELECT count(*) FROM "+table); got[0] != fmt.Sprint(want) {
			t.Errorf("%s: %s rows, want %d", table, got[0], want)
		}
	}
	sent := map[string]bool{}
	for _, m := range messages(t, broker.Brokers, sandcrawler.FilesetResults("qa")) {
		sent[string(m)] = true
	}
	if len(sent) != n {
		t.Errorf("%d results in the topic, want %d", len(sent), n)
	}
}

// units returns the number of finished units in a folder.
func units(t *testing.T, dir string) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".gleaner", "row-*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestServers_gone: server errors are reported before the work, and also if the server dies later.
func TestServers_gone(t *testing.T) {
	database, dir := servertest.StartPostgres(t), t.TempDir()
	archives := filepath.Join(dir, "archives")
	requests := filepath.Join(dir, "requests.jsonl")
	if err := os.WriteFile(requests, []byte(strings.ReplaceAll(strings.Join(synthetic(t, archives, 50), "\f"), "\n", " ")),
		0o644); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(requests)
	if err := os.WriteFile(requests, bytes.ReplaceAll(b, []byte("\f"), []byte("\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"--archives=" + archives, "--output=" + filepath.Join(dir, "out"), "--postgres=" + database.URL}
	for _, wrong := range [][]string{
		{"--postgres=mysql://x"},
		{"--kafka=localhost:x"},
		{"--kafka=127.0.0.1:9", "--kafka_env=a b"},
		{"--requests=kafka://x"},
	} {
		finish(t, 2, append(append([]string{"--requests=" + requests}, args...), wrong...)...)
	}
	finish(t, 0, append(args, "--requests="+requests)...)
	// Pending requests of a database are done, and then none is left.
	query(t, database.URL, "DELETE FROM ingest_file_result RETURNING 1")
	said := finish(t, 0, append(args, "--requests="+database.URL, "--fresh")...)
	if got := query(t, database.URL, "SELECT count(*) FROM ingest_file_result WHERE ingest_type = 'dataset'"); got[0] != "50" {
		t.Errorf("%s results of pending requests\n%s", got[0], said)
	}
}
