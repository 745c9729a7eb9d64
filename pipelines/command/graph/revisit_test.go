package graph

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestGraph_revisits: a graph of a period has the links on pages that are only revisits in it, in their year.
func TestGraph_revisits(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	doc := func(i int64, at string, kind schemas.RecordType) *schemas.Document {
		return &schemas.Document{
			URL: "http://a.example/", SURT: "example,a)/", Host: "a.example", Domain: "a.example", Timestamp: at,
			Offset: i, Filename: "a.warc", Status: 200, RecordType: kind,
			RefersTo: &schemas.Reference{Timestamp: "2024-01-01T00:00:00Z"},
		}
	}
	documents := []*schemas.Document{
		doc(0, "2024-01-01T00:00:00Z", schemas.TypeResponse), doc(1, "2025-01-01T00:00:00Z", schemas.TypeRevisit),
		doc(2, "2026-01-01T00:00:00Z", schemas.TypeRevisit), doc(3, "2026-02-01T00:00:00Z", schemas.TypeRevisit),
	}
	documents[0].RefersTo = nil
	collectiontest.Link(t, f, schemas.Range{File: "a.warc", End: 1, Format: "warc"}, documents, []schemas.Link{{
		URL: "http://a.example/", SURT: "example,a)/", Host: "a.example", Domain: "a.example",
		Target: "http://to.example/", Timestamp: "2024-01-01T00:00:00Z", TargetHost: "to.example",
		TargetDomain: "to.example", Place: schemas.PlaceMain,
	}})
	for where, want := range map[string]string{
		"": "2024,2024", "timestamp >= 2024": "2024,2024", "timestamp >= 2025": "2025,2025",
		"timestamp >= 2026":    "2026,2026",
		"timestamp >= 2026-02": "2026,2026", "timestamp >= 2027": "",
	} {
		out := filepath.Join(t.TempDir(), "graph")
		code, text := run(t, "--collection="+f.Path(""), "--output="+out, "--format=csv", "--where="+where)
		if code != 0 {
			t.Errorf("--where=%q: exit code %d\n%s", where, code, text)
		}
		edges, err := os.ReadFile(filepath.Join(out, "host-edges.csv"))
		_, row, _ := strings.Cut(strings.TrimSpace(string(edges)), "\n")
		if err != nil || !strings.HasSuffix(row, want) || strings.Contains(row, "example") != (want != "") {
			t.Errorf("--where=%q: %v, edges %q, want the years %s", where, err, row, want)
		}
	}
}
