package kafka

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/schemas"
)

// The work of the test with a real server: 20,000 pages in units.
const (
	serverPages = 20_000
	serverUnits = 40
	unitPages   = serverPages / serverUnits
)

// worker is what the test's own program is asked to be, with what it needs behind it.
const worker = "KAFKA_TEST_WORKER"

// TestServer writes 20,000 pages to a real Kafka, while the process that writes and the server are killed, and reads them
// back.
func TestServer(t *testing.T) {
	t.Parallel() // it mostly waits
	if task := os.Getenv(worker); task != "" {
		work(t, strings.Split(task, " "))
		return
	}
	k := servertest.StartKafka(t)
	t.Run("at least once", func(t *testing.T) {
		write(t, k, "least", "-", events{
			"half 1":      func(_ *servertest.Kafka, kill func()) { kill() },
			"sent 3":      func(_ *servertest.Kafka, kill func()) { kill() },
			"committed 7": func(_ *servertest.Kafka, kill func()) { kill() },
			"half 12":     func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() },
		})
		count := keysOf(t, k.Brokers, "least")
		for n := range serverPages {
			least := 1
			if n/unitPages == 7 { // its first attempt was complete, but for what tells so
				least = 2
			}
			if got := count[page(n).URL]; got < least {
				t.Fatalf("page %d is %d times in the topic, want %d at least", n, got, least)
			}
		}
	})
	t.Run("exactly once", func(t *testing.T) {
		write(t, k, "once", "crawl", events{
			"half 1":      func(_ *servertest.Kafka, kill func()) { kill() },
			"sent 3":      func(_ *servertest.Kafka, kill func()) { kill() },
			"committed 7": func(_ *servertest.Kafka, kill func()) { kill() },
			"half 12":     func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() },
			"sent 20":     func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() },
			"sent 30":     func(k *servertest.Kafka, kill func()) { k.Kill(); kill(); k.Restart() },
			// Now and then its marks are lost: see Settle.
			"committed 32": func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() },
			"committed 34": func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() },
			"committed 39": func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() },
		})
		if diff := cmp.Diff(each(0, serverPages), keysOf(t, k.Brokers, "once")); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		readBack(t, k.Brokers, "once")
	})
}

// events are what happens when the worker comes to certain places.
type events map[string]func(k *servertest.Kafka, kill func())

// write has a process write all units, and starts it again until it has done them all and everything has happened.
func write(t *testing.T, k *servertest.Kafka, topic, transactionalID string, e events) {
	t.Helper()
	task := strings.Join([]string{k.Brokers, topic, transactionalID, t.TempDir()}, " ")
	attempts := len(e) + 1
	for !drive(t, k, task, e) {
		if attempts--; attempts == 0 {
			t.Fatal("the worker does not come to an end")
		}
	}
	if len(e) > 0 {
		t.Errorf("the worker never came to %v", slices.Collect(maps.Keys(e)))
	}
}

// drive starts a worker and lets happen what is to happen, each once. It tells whether the worker came to its end.
func drive(t *testing.T, k *servertest.Kafka, task string, e events) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServer$", "-test.v")
	cmd.Env = append(os.Environ(), worker+"="+task)
	cmd.Stderr = os.Stderr
	answers, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		place, ok := strings.CutPrefix(lines.Text(), "at ")
		if !ok {
			t.Log(lines.Text())
			continue
		}
		if event := e[place]; event != nil {
			delete(e, place)
			event(k, func() { _ = cmd.Process.Kill() })
		}
		_, _ = io.WriteString(answers, "\n") // it may have been killed
	}
	return cmd.Wait() == nil
}

// work is the worker: it does the units that were not done yet, as ingest does, and says where it is.
func work(t *testing.T, task []string) {
	brokers, topic, transactionalID, done := task[0], task[1], task[2], task[3]
	properties := map[string]string{"delivery.timeout.ms": "300000", "compression.type": "zstd"}
	if transactionalID != "-" {
		properties["transactional.id"] = transactionalID
	}
	in := bufio.NewReader(os.Stdin)
	at := func(place string, unit int) {
		fmt.Println("at", place, unit)
		if _, err := in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, Config{Brokers: brokers, Topic: topic, Format: "json", Properties: properties})
	for unit := range serverUnits {
		row := filepath.Join(done, fmt.Sprint(unit))
		if _, err := os.Stat(row); err == nil {
			continue
		}
		d, err := p.Begin(t.Context(), fmt.Sprint("unit", unit))
		if err != nil {
			t.Fatal(err)
		}
		for n := range unitPages {
			if n == unitPages/2 {
				at("half", unit)
			}
			m, err := p.Encode(page(unit*unitPages+n), nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Send(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		at("sent", unit)
		commit(t, d)
		at("committed", unit)
		if err := os.WriteFile(row, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := p.Settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(written, "marks were lost")
}

// readBack reads the topic as a source, and compares each capture with the page that was written.
func readBack(t *testing.T, brokers, topic string) {
	t.Helper()
	units, _, err := Plan(t.Context(), "kafka://"+brokers+"/"+topic, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*schemas.Capture{}
	for _, u := range units {
		r := NewReader(u, nil, capture.Options{OnReject: func(r schemas.Reject) { t.Errorf("rejected: %+v", r) }})
		for c, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got[c.URL] = c
		}
	}
	if len(got) != serverPages {
		t.Errorf("%d pages were read, want %d", len(got), serverPages)
	}
	for n := range serverPages {
		want := page(n)
		c := got[want.URL]
		if c == nil || string(c.Body) != string(want.Body) || !c.Timestamp.Equal(want.Timestamp) {
			t.Fatalf("page %d was read as %+v", n, c)
		}
	}
}
