package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe_folderGone: where the folder of a collection was moved away, answers say so, and never that the server
// failed; when it is back all is as it was.
func TestServe_folderGone(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shelf")
	ingest(t, out, filepath.Join(archives(t), "site.warc"))
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	if err := os.Rename(out, out+"-away"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/search?query=harbour", "/shelf/search?query=port"} {
		status, body := s.send("GET", path, "")
		if status != http.StatusServiceUnavailable || !strings.Contains(body, "not there any more") {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
	if err := os.Rename(out+"-away", out); err != nil {
		t.Fatal(err)
	}
	s.get("/api/v1/search?query=harbour", http.StatusOK)
}
