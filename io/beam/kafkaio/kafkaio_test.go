package kafkaio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	register.Function1x1(refusedURL)
	register.Function1x1(capturedURL)
}

func refusedURL(r schemas.Reject) string { return r.URL + " " + string(r.Kind) }

func capturedURL(c schemas.Capture) string { return c.URL }

func TestMain(m *testing.M) { ptest.Main(m) }

// TestWriteAndRead sends captures in one pipeline, and reads them in another.
func TestWriteAndRead(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(2, "pages"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	brokers := strings.Join(cluster.ListenAddrs(), ",")
	var list []schemas.Capture
	var urls []any
	for n := range 30 {
		c := schemas.Capture{URL: fmt.Sprintf("http://example.com/%d", n), RecordType: schemas.TypeResponse, Timestamp: time.Unix(int64(n+1), 0).UTC(), Body: []byte("x")}
		list = append(list, c)
		urls = append(urls, c.URL)
	}
	list = append(list, schemas.Capture{URL: "http://example.com/i", Body: []byte("\x89PNG\r\n\x1a\n\xff")})

	p, s := beam.NewPipelineWithRoot()
	config := kafka.Config{Brokers: brokers, Topic: "pages", Format: "cdr31"}
	refused := Write(s, config, beam.CreateList(s, list))
	passert.Equals(s, beam.ParDo(s, refusedURL, refused), "http://example.com/i refused")
	ptest.RunAndValidate(t, p)

	p, s = beam.NewPipelineWithRoot()
	captures, rejects := Read(s, "kafka://"+brokers+"/pages", nil)
	passert.Equals(s, beam.ParDo(s, capturedURL, captures), urls...)
	passert.Empty(s, rejects)
	ptest.RunAndValidate(t, p)
}

// TestWrite_transactions: what would promise more than is kept is refused.
func TestWrite_transactions(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	config := kafka.Config{Brokers: "localhost:1", Topic: "pages", Format: "json", Properties: map[string]string{"transactional.id": "x"}}
	Write(s, config, beam.Create(s, schemas.Capture{URL: "http://a/"}))
	if _, err := ptest.RunWithMetrics(p); err == nil || !strings.Contains(err.Error(), "transactional.id") {
		t.Errorf("error %v, want one that names transactional.id", err)
	}
}
