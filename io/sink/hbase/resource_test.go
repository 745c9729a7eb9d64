package hbase

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

type resourceVersion struct{ *odm.RowVersion }

// TestSink_resource sends rows with bodies to a real HBase, and reads each version by the schema of D8.1's section
// 3.2.3. The columns of Resource are beside them.
func TestSink_resource(t *testing.T) {
	master := cluster(t)
	for _, key := range []string{BySURT, ByURL} {
		t.Run(key, func(t *testing.T) {
			name := fmt.Sprintf("res%d_%d", os.Getpid(), tables.Add(1))
			c := Config{URL: "hbase://" + master + "/" + name, RowKey: key, Content: Inline}
			if err := c.Complete(); err != nil {
				t.Fatal(err)
			}
			if err := c.Ask(t.Context()); err != nil {
				t.Fatal(err)
			}
			const url = "http://a.example/x"
			bodies := []string{"<p>one", "\x00\xff", ""}
			send(t, &c, url, bodies)

			db := &hbase.Database{Options: hbase.Options{Masters: []string{master}, RetryTimeout: 10 * time.Second}}
			defer func() { _ = db.Close() }() // the test is over by then
			resources := odm.NewCollection[string, resourceVersion](db, func(s *odm.RowSchema) {
				s.AddColumn("content", "content", odm.Bytes)
				for _, name := range []string{"ip", "header", "statusCode", "digest", "mime"} {
					s.AddColumn(name, "metadata", odm.String)
				}
				s.AddColumn("length", "metadata", odm.Long)
			})
			if err := resources.UseTable(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			row := c.layout().Key(url)
			for i, body := range bodies {
				v, ok, err := resources.At(t.Context(), row, day(i))
				if err != nil || !ok {
					t.Fatalf("version %d: %v, %v", i, ok, err)
				}
				content := odm.Get[[]byte](v.RowVersion, "content", "content")
				length := odm.Get[int64](v.RowVersion, "metadata", "length")
				if string(content) != body || length != int64(len(body)) ||
					odm.Get[string](v.RowVersion, "metadata", "statusCode") != "200" {
					t.Errorf("version %d: content %q, length %d, want %q", i, content, length, body)
				}
			}
			own := resources.NewRow(row)
			if err := own.CreateRowVersion(day(9)).SetQualifierValue("content", "content", []byte("own")); err != nil {
				t.Fatal(err)
			}
			if err := resources.Put(t.Context(), own); err != nil {
				t.Fatal(err)
			}
			for i, want := range map[int]string{9: "own", 0: bodies[0]} {
				v, _, err := resources.At(t.Context(), row, day(i))
				if err != nil || string(odm.Get[[]byte](v.RowVersion, "content", "content")) != want {
					t.Errorf("of day %d: %v, %v", i, v, err)
				}
			}
		})
	}
}

func day(i int) time.Time { return time.Date(2024, 5, 6+i, 7, 8, 9, 0, time.UTC) }

// send writes a page once for each body, a day after the one before.
func send(t *testing.T, c *Config, url string, bodies []string) {
	t.Helper()
	s, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // all is there when Commit returns
	w, err := s.Begin(t.Context(), func(r schemas.Reject) error { return fmt.Errorf("refused: %s", r.Message) })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i, body := range bodies {
		d := &schemas.Document{
			URL: url, SURT: "example,a)/x", Timestamp: day(i).Format(time.RFC3339), Status: 200, BodyBytes: int64(len(body)),
		}
		m, err := s.Encode(&sink.Page{Document: d, Capture: &schemas.Capture{URL: url, Body: []byte(body)}})
		if err == nil {
			err = w.Write(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}
