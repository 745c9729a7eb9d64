package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServe_folderGone: after a collection's folder was moved away, responses say so, and never report an internal
// error. After its return, all works as before.
func TestServe_folderGone(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shelf")
	ingest(t, out, filepath.Join(archives(t), "site.warc"))
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	if err := os.Rename(out, out+"-away"); err != nil {
		t.Fatal(err)
	}
	// The server answers from open files, or with 503 and the reason.
	for _, path := range []string{"/api/v1/search?query=harbour", "/shelf/search?query=port"} {
		status, body := s.send("GET", path, "")
		if status != http.StatusOK && (status != http.StatusServiceUnavailable ||
			!strings.Contains(body, "not there any more")) {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
	s.until("it says that the folder is gone", time.Minute, func() bool {
		return strings.Contains(s.get("/api/v1/collections", http.StatusOK), "its folder is not there")
	})
	if err := os.Rename(out+"-away", out); err != nil {
		t.Fatal(err)
	}
	s.until("it is back", 20*time.Second, func() bool {
		status, _ := s.send("GET", "/api/v1/search?query=harbour", "")
		return status == http.StatusOK
	})
}
