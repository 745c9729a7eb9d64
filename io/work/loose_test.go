package work

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestFind_unversioned: a note says that a server gives no version of its files.
func TestFind_unversioned(t *testing.T) {
	warc, err := os.ReadFile("../../testdata/archives/site.warc")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, header, value string
		noted               bool
	}{
		{"nothing", "", "", true},
		{"a weak tag", "ETag", `W/"1"`, true},
		{"an empty tag", "ETag", "", true},
		{"a tag", "ETag", `"1"`, false},
		{"a time", "Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT", false},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if tt.header != "" {
				w.Header().Set(tt.header, tt.value)
			}
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(warc)))
		}))
		s := blob.New(blob.Options{PrivateHosts: true})
		args := []string{server.URL + "/a.warc"}
		in, err := Find(t.Context(), s, args, nil, FindOptions{UnitSize: 1 << 20, Output: t.TempDir()})
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(in.Notes(), "\n")
		if noted := strings.Contains(notes, "gives no version of 1 files"); noted != tt.noted {
			t.Errorf("%s: notes %q, want one: %v", tt.name, notes, tt.noted)
		}
	}
	in, err := Find(t.Context(), blob.New(blob.Options{}), []string{"../../testdata/archives"}, nil,
		FindOptions{UnitSize: 1 << 20, Output: t.TempDir()})
	if err != nil || len(in.Loose) > 0 {
		t.Errorf("local files: %q, %v", in.Loose, err)
	}
}
