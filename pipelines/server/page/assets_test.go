package page

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// TestAssets_htmxIsAsPublished: the file is the published one of the package htmx.org 4.0.1.
func TestAssets_htmxIsAsPublished(t *testing.T) {
	const want = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
	sum := sha256.Sum256(files()["htmx.min.js"].data)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("SHA-256 %s, want %s", got, want)
	}
}

func TestAssets_areSmall(t *testing.T) {
	for name, most := range map[string]int{
		"keys.js": 3_000, "brush.js": 2_500, "graph.js": 3_000, "style.css": 14_000, "icon.svg": 1_000,
	} {
		if n := len(files()[name].data); n > most {
			t.Errorf("%s has %d bytes, want %d at most", name, n, most)
		}
	}
}

func TestAssets_areKept(t *testing.T) {
	for path, want := range map[string]string{
		asset("style.css"):         "immutable",
		AssetPath + "0/style.css":  "", // of another version: correct today, but must not be kept
		AssetPath + "0/nothing.js": "",
	} {
		w := httptest.NewRecorder()
		Assets().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Header().Get("Cache-Control"); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %d, Cache-Control %q, want %q", path, w.Code, got, want)
		}
	}
}

// TestOf_pathsAreDifferent: a duplicate path would end the server at its start.
func TestOf_pathsAreDifferent(t *testing.T) {
	Of(view.New(nil, view.Options{}))
}
