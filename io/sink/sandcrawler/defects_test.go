package sandcrawler

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// The defects of Sandcrawler's own code that are about its tables; the others are in transforms/fileset.

// TestDefect10_upsertAndManifest: a repeated result replaces the row of its request; the statement once failed for lack
// of a constraint. The manifest is JSON; once it was a list.
func TestDefect10_upsertAndManifest(t *testing.T) {
	t.Parallel() // it mostly waits
	server := servertest.StartPostgres(t)
	to := open(t, server.URL)
	for _, status := range []string{"mismatch", "success-file"} {
		r, _ := example(t)
		r.Status = status
		deliver(t, to, r)
	}
	got := ask(t, server.URL, "SELECT status, jsonb_typeof(manifest), manifest->0->>'status' FROM ingest_fileset_platform")
	if want := []string{"success-file|array|success"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// TestDefect11_requestsAndBundles: requests for datasets have rows, which a filter once left out. The columns of a
// bundle come from the bundle, and not from the result around it.
func TestDefect11_requestsAndBundles(t *testing.T) {
	r, _ := example(t)
	r.Bundle = &schemas.FilesetFile{
		BundlePath: "all.zip", Terminal: &schemas.FilesetTerminal{URL: "https://zenodo.org/all.zip", DT: "20260202020202"},
	}
	rows, skipped, err := rowsOf(r, nil)
	if err != nil || len(skipped) > 0 {
		t.Fatalf("skipped %q, %v", skipped, err)
	}
	found := map[int][]byte{}
	for _, row := range rows {
		found[row.to] = append(found[row.to], row.values...)
	}
	if !bytes.Contains(found[requests], []byte(`dataset`)) ||
		!bytes.Contains(found[requests], []byte("10.5281/zenodo.1")) {
		t.Errorf("the request's row is %q", found[requests])
	}
	for _, want := range []string{"all.zip", "https://zenodo.org/all.zip", "20260202020202"} {
		if !bytes.Contains(found[platforms], []byte(want)) {
			t.Errorf("the row lacks %s: %q", want, found[platforms])
		}
	}
	if !json.Valid(found[platforms][bytes.IndexByte(found[platforms], '['):]) {
		t.Error("the manifest is no JSON")
	}
}
