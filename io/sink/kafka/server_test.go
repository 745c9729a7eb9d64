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

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// The work of the test with a real server: 20,000 pages in units.
const (
	serverPages = 20_000
	serverUnits = 40
	unitPages   = serverPages / serverUnits
)

// worker is what the test's own program is asked to be, with what it needs after it.
const worker = "KAFKA_TEST_WORKER"

// TestAttack07_eachPageIsThereWhateverIsKilled writes 20,000 pages to a real Kafka. Meanwhile it kills (kill -9) the
// writing process and the broker in every state that a unit can have. Then it reads the committed messages as a
// consumer does. Each page is there when the writer reports success. Only pages of units that began twice are there
// twice, with the same ids.
func TestAttack07_eachPageIsThereWhateverIsKilled(t *testing.T) {
	t.Parallel() // it mostly waits
	if task := os.Getenv(worker); task != "" {
		work(t, strings.Split(task, " "))
		return
	}
	k := servertest.StartKafka(t)
	killBroker := func(k *servertest.Kafka, _ func()) { k.Kill(); k.Restart() }
	killWriter := func(_ *servertest.Kafka, kill func()) { kill() }
	write(t, k, "pages", events{
		"half 1":       killWriter,
		"sent 3":       killWriter,
		"committed 7":  killWriter,
		"half 12":      killBroker,
		"sent 30":      func(k *servertest.Kafka, kill func()) { k.Kill(); kill(); k.Restart() },
		"committed 39": killBroker, // the last one: the writer is done while the broker starts
	})
	k.Ready()
	again := map[int]bool{1: true, 3: true, 7: true, 30: true} // the writer was killed within these units
	ids := map[string]int{}
	for _, rec := range recordsOf(t, k.Brokers, "pages") {
		if len(rec.Headers) != 1 || rec.Headers[0].Key != HeaderID || string(rec.Headers[0].Value) != idOf(string(rec.Key)) {
			t.Fatalf("the message %s has the headers %v", rec.Key, rec.Headers)
		}
		ids[string(rec.Headers[0].Value)]++
	}
	for n := range serverPages {
		got, unit := ids[idOf(page(n).URL)], n/unitPages
		if got < 1 || got > 1 && !again[unit] || got != 2 && unit == 7 { // whose first attempt was complete
			t.Fatalf("page %d, of unit %d, is %d times in the topic; units %v were written again", n, unit, got, again)
		}
	}
	readBack(t, k.Brokers, "pages")
}

// idOf is the id of the message about the page at url.
func idOf(url string) string { return "id of " + url }

// events are what happens when the worker comes to certain places.
type events map[string]func(k *servertest.Kafka, kill func())

// write has a process write all units, and starts it again until it has done them all and everything has happened.
func write(t *testing.T, k *servertest.Kafka, topic string, e events) {
	t.Helper()
	task := strings.Join([]string{k.Brokers, topic, t.TempDir()}, " ")
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

// drive starts a worker and triggers each event once. It reports whether the worker came to its end.
func drive(t *testing.T, k *servertest.Kafka, task string, e events) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAttack07_", "-test.v")
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
	brokers, topic, done := task[0], task[1], task[2]
	properties := map[string]string{"delivery.timeout.ms": "300000", "compression.type": "zstd"}
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
		d := p.Begin()
		for n := range unitPages {
			if n == unitPages/2 {
				at("half", unit)
			}
			c := page(unit*unitPages + n)
			m, err := p.Encode(idOf(c.URL), c, nil)
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
		r := NewReader(u, nil, archive.Options{})
		for item, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				t.Errorf("rejected: %+v", item.Reject)
				continue
			}
			c := item.Capture
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
