package parquetscan

import (
	"errors"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestShards_inABucket asks shards in object stores that let requests fail: rows are the same, requests are few, and
// nothing is written there.
func TestShards_inABucket(t *testing.T) {
	local, list, docs := shardsOf(t, 2021, 2022)
	objects := map[string][]byte{}
	for _, s := range list {
		file, err := os.ReadFile(local.Path(s.Name))
		if err != nil {
			t.Fatal(err)
		}
		objects["out/"+s.Name] = file
	}
	for _, kind := range []string{"gs", "s3"} {
		t.Run(kind, func(t *testing.T) {
			var requests atomic.Int64
			faults := blobtest.NewFaults(3, 5)
			faults.Seen = func(*http.Request) { requests.Add(1) }
			b := blobtest.Start(t, kind, faults, objects)
			store := blob.New(blob.Options{
				GoogleEndpoint: b.URL + "/storage/v1/",
				Patience:       blob.Patience{First: time.Millisecond, Last: time.Millisecond, Stall: time.Minute},
			})
			f := folder.Open(t.Context(), b.Root+"out", store)
			t.Cleanup(func() {
				if err := errors.Join(f.Close(), store.Close()); err != nil {
					t.Error(err)
				}
			})
			s := NewShards(f, list)
			for _, where := range []string{`language = fr AND timestamp = 2022`, "parlement AND status = 404", ""} {
				before := requests.Load()
				e := parse(t, where)
				match, want := query.Compile(e), 0
				for _, d := range docs {
					if match(d) {
						want++
					}
				}
				got := 0
				for r, err := range s.Rows(t.Context(), e, []string{"url", "language", "timestamp", "title", "text", "status"}) {
					if err != nil {
						t.Fatal(err)
					}
					if !match(r.Document) {
						t.Errorf("%q takes %s", where, r.Document.URL)
					}
					got++
				}
				if got != want {
					t.Errorf("%q takes %d rows, want %d", where, got, want)
				}
				if n := requests.Load() - before; n > 60 {
					t.Errorf("%q is %d requests", where, n)
				}
			}
			if len(faults.Made()) == 0 {
				t.Error("no request failed")
			}
			if n := len(b.Objects(t)); n != len(objects) {
				t.Errorf("%d objects, want %d", n, len(objects))
			}
		})
	}
}
