package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// shrinking is a topic of one partition that deletes its oldest messages.
type shrinking struct {
	t      *testing.T
	client *kgo.Client
	sent   int
}

// send adds messages with one page each.
func (s *shrinking) send(n int) {
	s.t.Helper()
	var records []*kgo.Record
	for range n {
		page := fmt.Sprintf(`{"url":"http://p%04d.example/","content":null,"response_body":"<p>Page"}`, s.sent)
		records = append(records, &kgo.Record{Topic: "pages", Value: []byte(page)})
		s.sent++
	}
	if err := s.client.ProduceSync(s.t.Context(), records...).FirstErr(); err != nil {
		s.t.Fatal(err)
	}
}

// forget deletes all messages before an offset.
func (s *shrinking) forget(before int64) {
	s.t.Helper()
	offsets := kadm.Offsets{}
	offsets.AddOffset("pages", 0, before, -1)
	if done, err := kadm.NewClient(s.client).DeleteRecords(s.t.Context(), offsets); err != nil || done.Error() != nil {
		s.t.Fatal(err, done.Error())
	}
}

// TestAttack01_trimmedTopicsStay: documents of messages that a topic has deleted are kept, whether a unit lost some
// or all messages. --prune removes them.
func TestAttack01_trimmedTopicsStay(t *testing.T) {
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "pages"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	brokers := strings.Join(c.ListenAddrs(), ",")
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := &shrinking{t: t, client: client}
	d := days{t, "", filepath.Join(t.TempDir(), "out")}
	run := func(want int, args ...string) {
		t.Helper()
		all := append(args, "--output="+d.out, "--extract=mime", "kafka://"+brokers+"/pages")
		r := runCommand(t, all...)
		held := strings.Fields(d.held())
		if twice := len(held) - len(slices.Compact(slices.Clone(held))); r.code != 0 || len(held) != want || twice > 0 {
			t.Fatalf("%v, %d sent: exit code %d, %d documents, %d twice; want %d\n%s",
				args, s.sent, r.code, len(held), twice, want, r.stderr)
		}
		d.isWhole()
	}
	s.send(5200) // units have 5,000 messages
	run(5200)
	s.forget(100)
	run(5200)
	s.forget(5100)
	run(5200)
	s.send(50)
	run(5250)
	run(5250, "--add")
	s.forget(5250) // it is empty now
	run(5250)
	s.send(7)
	run(5257)
	run(5257, "--extract=mime,charset")
	run(7, "--prune", "--extract=mime,charset")
}
