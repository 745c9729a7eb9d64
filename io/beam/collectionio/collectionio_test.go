package collectionio

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterFunction(urlOf)
	beam.RegisterFunction(kindOf)
	beam.RegisterFunction(feedOf)
	beam.RegisterFunction(surtOf)
}

func urlOf(d schemas.Document) string { return d.URL + " " + d.Timestamp }

func kindOf(r schemas.Reject) string { return string(r.Kind) }

func feedOf(f schemas.FeedCapture) string { return f.URL }

func surtOf(l cdx.Line) string { return l.SURT }

func TestMain(m *testing.M) { ptest.Main(m) }

// fill makes a collection of one unit a name, with a record of each kind.
func fill(t *testing.T, format string, names ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	f := folder.Open(t.Context(), dir, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	var done []schemas.UnitResult
	for i, name := range names {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: name}}}
		o := shard.Options{Formats: []string{format}, Feeds: true}
		w, err := shard.NewWriter(f, u, ledger.Key(u, format, parquetfile.Version), o)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		d := &schemas.Document{
			URL: name, Timestamp: "2026-11-23T08:00:00.5Z", RecordType: schemas.TypeResponse, Filename: name,
		}
		for _, err := range []error{
			w.Document(d), w.Reject(schemas.Reject{Kind: schemas.Kind("kind-" + name)}),
			w.Feed(schemas.FeedCapture{URL: "feed-" + name}), w.CDX(cdx.Line{SURT: "surt-" + name, Filename: name}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		r, err := w.Commit(schemas.Counts{Documents: 1}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: len(names)}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRead(t *testing.T) {
	for _, format := range []string{holdings.FormatJSONL, holdings.FormatParquet} {
		dir := fill(t, format, "a", "b")
		p, s := beam.NewPipelineWithRoot()
		at := " 2026-11-23T08:00:00.5Z"
		passert.Equals(s, beam.ParDo(s, urlOf, Documents(s, dir)), "a"+at, "b"+at)
		passert.Equals(s, beam.ParDo(s, kindOf, Rejects(s, dir)), "kind-a", "kind-b")
		passert.Equals(s, beam.ParDo(s, feedOf, Feeds(s, dir)), "feed-a", "feed-b")
		passert.Equals(s, beam.ParDo(s, surtOf, Captures(s, dir)), "surt-a", "surt-b")
		if err := ptest.Run(p); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestRead_unfinishedFailsThePipeline(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	passert.Empty(s, Documents(s, t.TempDir()))
	if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), "manifest") {
		t.Errorf("Run = %v, want an error about the manifest", err)
	}
}
