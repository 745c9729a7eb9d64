package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
	"github.com/gleaner-web/gleaner/schemas"
)

// takeSix returns an Item function that accepts only the first six different documents. It refuses the others like a
// server whose mapping has a number for the title.
func takeSix() func(id string, n int) (int, string) {
	taken := map[string]bool{}
	return func(id string, _ int) (int, string) {
		if len(taken) < 6 || taken[id] {
			taken[id] = true
			return 0, ""
		}
		return http.StatusBadRequest, `{"type":"mapper_parsing_exception","reason":"failed to parse field [title] of type [integer]"}`
	}
}

// summaryLine returns the line of the summary that starts with name, or "".
func summaryLine(stdout, name string) string {
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, name+" ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// TestAttack05_refusedDocumentsAreALoss: if an index accepts 6 of 121 documents, the run reports the losses with
// reason and first document, and exits with 3. So does a repeated command on the finished folder.
func TestAttack05_refusedDocumentsAreALoss(t *testing.T) {
	x, out := elastictest.Start(t), t.TempDir()
	x.Item = takeSix()
	args := []string{"--extract=mime", "--unit_size=64KiB", "--output=" + out, "--elastic=" + x.URL, archives}
	r := runCommand(t, args...)
	line := summaryLine(r.stdout, "Elasticsearch")
	const want = "Elasticsearch 6 of 121 documents; 115 refused: mapper_parsing_exception, first http"
	if r.code != 3 || !strings.HasPrefix(line, want) || !strings.Contains(line, "failed to parse field [title]") {
		t.Errorf("exit code %d, summary %q; want 3 and %q\n%s", r.code, line, want, r.stderr)
	}
	if !strings.Contains(line, "testdata/archives/site") {
		t.Errorf("summary %q; want the file of the first", line)
	}
	if again := runCommand(t, args...); again.code != 3 || summaryLine(again.stdout, "Elasticsearch") != line {
		t.Errorf("again: exit code %d, summary\n%s\nwant 3 and %q", again.code, again.stdout, line)
	}
	var m schemas.Manifest
	b, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil || !bytes.Contains(b, []byte(`"mapper_parsing_exception": 115`)) {
		t.Errorf("%v; the manifest does not count what was refused:\n%.3000s", err, b)
	}
}

// TestAttack05_allTakenIsNoLoss: the summary shows the documents in the index, and the exit code is 0.
func TestAttack05_allTakenIsNoLoss(t *testing.T) {
	x := elastictest.Start(t)
	r := mustRun(t, "--extract=mime", "--output="+t.TempDir(), "--elastic="+x.URL, archives)
	if line := summaryLine(r.stdout, "Elasticsearch"); line != "Elasticsearch 121 of 121 documents" {
		t.Errorf("summary %q", line)
	}
}

// largePages writes 121 pages as JSON lines and returns the file. Every fortieth has the given size.
func largePages(t *testing.T, bytes int) string {
	t.Helper()
	var b strings.Builder
	for i := range 121 {
		text := "short"
		if i%40 == 39 {
			text = strings.Repeat("text ", bytes/5)
		}
		fmt.Fprintf(&b, `{"url":"http://example.com/%03d","content":null,"response_body":"<title>Page</title><p>%s"}`+"\n", i,
			text)
	}
	name := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// smallTopic starts a broker with the topic pages, which accepts messages of limit bytes. 0 is Kafka's default.
func smallTopic(t *testing.T, limit int) (brokers string) {
	t.Helper()
	brokers = broker(t, "pages")
	if limit > 0 {
		setLimit(t, brokers, limit)
	}
	return brokers
}

func setLimit(t *testing.T, brokers string, limit int) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	set := kadm.AlterConfig{Op: kadm.SetConfig, Name: "max.message.bytes", Value: new(strconv.Itoa(limit))}
	if _, err := kadm.NewClient(client).AlterTopicConfigs(t.Context(), []kadm.AlterConfig{set}, "pages"); err != nil {
		t.Fatal(err)
	}
}

// TestAttack05_pagesAboveTheTopicsLimit: at the start, the run reads and logs the topic's limit. It refuses larger
// pages with the name of the setting, sends the others, and exits with 3.
func TestAttack05_pagesAboveTheTopicsLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limit, page int // bytes
		refused     bool
		setting     string
	}{
		{0, 1_100_000, true, "max.message.bytes 1048588"},
		{100_000, 150_000, true, "max.message.bytes 100000"}, // less than a batch of the client's own
		{3_000_000, 2_100_000, false, "max.message.bytes 3000000"},
	} {
		t.Run(test.setting, func(t *testing.T) {
			brokers, out := smallTopic(t, test.limit), t.TempDir()
			args := []string{
				"--extract=mime", "--output=" + out, "--kafka=" + brokers, "--kafka_topic=pages",
				largePages(t, test.page),
			}
			r := runCommand(t, args...)
			want, code, there := "Kafka        121 of 121 messages", 0, 121
			if test.refused {
				want = "Kafka        118 of 121 messages; 3 refused: larger than the topic takes (" + test.setting +
					"), first http://example.com/039 ("
				code, there = 3, 118
			}
			if line := summaryLine(r.stdout, "Kafka"); r.code != code || !strings.HasPrefix(line, want) {
				t.Errorf("exit code %d, summary %q; want %d and %q\n%s", r.code, line, code, want, r.stderr)
			}
			if !strings.Contains(r.stderr, test.setting) {
				t.Errorf("stderr does not say what the topic takes, %s:\n%s", test.setting, r.stderr)
			}
			if n := len(inTopic(t, "kafka://"+brokers+"/pages")); n != there {
				t.Errorf("%d messages in the topic, want %d", n, there)
			}
			if again := runCommand(t, args...); again.code != code || !strings.HasPrefix(summaryLine(again.stdout, "Kafka"),
				want) {
				t.Errorf("again: exit code %d, %s", again.code, again.stdout)
			}
		})
	}
}

// TestAttack05_whatWasRefusedIsSentAgain: after the limit is increased, the commands of docs/formats/kafka.md send
// the refused pages, and only these.
func TestAttack05_whatWasRefusedIsSentAgain(t *testing.T) {
	servertest.Need(t, "bash", "jq", "zstd")
	brokers, dir := smallTopic(t, 6000), t.TempDir()
	out := filepath.Join(dir, "out")
	r := runCommand(t, "--extract=mime", "--output="+out, "--kafka="+brokers, "--kafka_topic=pages", archives)
	before := inTopic(t, "kafka://"+brokers+"/pages")
	if r.code != 3 || len(before) == 0 || len(before) == 121 {
		t.Fatalf("exit code %d, %d messages of 121", r.code, len(before))
	}
	setLimit(t, brokers, 1<<20)
	page, err := os.ReadFile("../../docs/formats/kafka.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "### Sending again")
	_, block, _ = strings.Cut(block, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	script := strings.NewReplacer("localhost:9092", brokers, "out-again", filepath.Join(dir, "again"), "out/", out+"/",
		"refused.cdxj", filepath.Join(dir, "refused.cdxj")).Replace(block)
	if text, err := shell(t, script).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, script, text)
	}
	if diff := gocmp.Diff(sent(t, out), urlsOf(inTopic(t, "kafka://"+brokers+"/pages"))); diff != "" {
		t.Errorf("-documents +topic:\n%s", diff)
	}
}

// shell returns a bash script that runs in the project's root with the command as ./ingest.
func shell(t *testing.T, script string) *exec.Cmd {
	cmd := command(t.Context())
	cmd.Path, cmd.Args = "/bin/bash", []string{
		"bash", "-c",
		`ingest() { "` + program() + `" "$@" >/dev/null; }` + "\n" + strings.ReplaceAll(script, "./ingest", "ingest"),
	}
	return cmd
}

// firstLine starts the command. It returns the first line of standard error that contains text, with its time, the
// rest of the output, and how long the command continued.
func firstLine(t *testing.T, text string, args ...string) (line string, rest string, goneOn time.Duration, code int) {
	t.Helper()
	cmd := command(t.Context(), args...)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(stderr)
	for !strings.Contains(line, text) {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatalf("no line says %q: %v", text, err)
		}
	}
	said := time.Now()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its code is checked
	return line, string(b), time.Since(said), cmd.ProcessState.ExitCode()
}

// TestAttack18_clusterThatDoesNotAnswerIsSaidAtOnce: the first failure is logged early, with address, cause and next
// step. So is the end of the retries. Passwords are not logged.
func TestAttack18_clusterThatDoesNotAnswerIsSaidAtOnce(t *testing.T) {
	for _, test := range []struct {
		name, address string
		args          []string
		code          int
	}{
		{"Elasticsearch", "127.0.0.1:1", []string{
			"--elastic=http://user:hush@127.0.0.1:1",
			sinkFile(t, "elastic_start_timeout: 4s"),
		}, 1},
		{"Kafka", "127.0.0.1:1", []string{
			"--kafka=127.0.0.1:1", "--kafka_topic=x",
			"--kafka_property=delivery.timeout.ms=4000",
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append(test.args, "--output="+filepath.Join(t.TempDir(), "out"), archives)
			line, rest, goneOn, code := firstLine(t, test.address, args...)
			if !strings.Contains(line, "connection refused") || !strings.Contains(line, "again") ||
				!strings.Contains(line, "4s") {
				t.Errorf("the first line is %q; want the cause, and for how long it is tried again", line)
			}
			if goneOn < 2*time.Second {
				t.Errorf("it was said %v before the end", goneOn)
			}
			if code != test.code || !strings.Contains(rest, test.address) || strings.Contains(line+rest, "hush") {
				t.Errorf("exit code %d, want %d, the address and no password\n%s%s", code, test.code, line, rest)
			}
		})
	}
}

// TestAttack18_serverThatStopsToAnswer: the same holds during a run, and the server's return is logged too.
func TestAttack18_serverThatStopsToAnswer(t *testing.T) {
	x := elastictest.Start(t)
	failed := 0
	x.Fail = func(r *http.Request, _ int) int {
		if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "_bulk") && failed < 3 {
			failed++
			return http.StatusServiceUnavailable
		}
		return 0
	}
	r := mustRun(t, "--extract=mime", "--output="+t.TempDir(), "--elastic="+x.URL, archives)
	host := strings.TrimPrefix(x.URL, "http://")
	lines := slices.DeleteFunc(strings.Split(r.stderr, "\n"), func(l string) bool { return !strings.Contains(l, host) })
	if len(lines) != 2 || !strings.Contains(lines[0], "503") || !strings.Contains(lines[0], "5m") ||
		!strings.Contains(lines[1], "answers again") {
		t.Errorf("stderr %q; want a line about the failure, and one about its end", lines)
	}
}
