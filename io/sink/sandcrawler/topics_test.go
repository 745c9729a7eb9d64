package sandcrawler

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/schemas"
)

// texts are the messages of a topic.
func texts(t testing.TB, brokers, topic string) (all []string) {
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
			all = append(all, string(m.Value))
		}
	}
	return all
}

func TestTopics(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, FilesetResults("qa"), FileResults("qa")))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	brokers := strings.Join(c.ListenAddrs(), ",")
	to, err := OpenTopics(t.Context(), kafka.Config{Brokers: brokers}, "qa")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = to.Close() }() // nothing of it is wanted by then
	w, err := to.Begin(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	result, file := example(t)
	if err := w.Write(result, file); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(result, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	filesets, files := texts(t, brokers, FilesetResults("qa")), texts(t, brokers, FileResults("qa"))
	if len(filesets) != 2 || len(files) != 1 {
		t.Fatalf("%d results of datasets and %d of files, want 2 and 1", len(filesets), len(files))
	}
	var got schemas.FileResult
	if err := json.Unmarshal([]byte(files[0]), &got); err != nil || got.Status != "success" ||
		got.Request.Type != "dataset-file" {
		t.Errorf("%s: %v", files[0], err)
	}
	if !strings.Contains(filesets[0], `"odd":[1,2.50]`) {
		t.Errorf("the request's own members are lost: %s", filesets[0])
	}
}

func TestOpenTopics_noBroker(t *testing.T) {
	c := kafka.Config{Brokers: "127.0.0.1:1", Properties: map[string]string{
		"delivery.timeout.ms": "1000",
		"request.timeout.ms":  "1000", "linger.ms": "0",
	}}
	if _, err := OpenTopics(t.Context(), c, "qa"); err == nil || !strings.Contains(err.Error(), "no broker") {
		t.Errorf("without a broker: %v", err)
	}
}
