package items

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// TestUploader_redirects: archive.org sends uploads on to the machine that has the item. Only a redirect that keeps the
// method uploads anything.
func TestUploader_redirects(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			a, u, back := newArchiveorg(t)
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, u.Metadata[:strings.LastIndex(u.Metadata, "/")]+r.URL.EscapedPath(), status)
			}))
			defer s.Close()
			u.Endpoint = s.URL
			f, _ := open(t, u)
			i := item()
			i.Item = "example-x"
			got := keep(t, f, i, bodies)
			if status < 307 {
				// The page that a GET finds is not an upload.
				if got[len(got)-1] != fileset.StatusUploadError || len(a.puts) > 0 {
					t.Errorf("%q, %d uploads", got, len(a.puts))
				}
				return
			}
			if fmt.Sprint(got) != "[kept kept success]" {
				t.Fatalf("%q", got)
			}
			for name, body := range bodies {
				o, err := back.GetObject("example-x", name, nil)
				if err != nil {
					t.Fatal(err)
				}
				if b, _ := io.ReadAll(o.Contents); string(b) != body {
					t.Errorf("%s: %q, want %q", name, b, body)
				}
			}
			if key := a.puts[0].Get("Authorization"); key != "LOW access:word" {
				t.Errorf("the key is %q", key)
			}
		})
	}
}

// TestRedirected: the key stays with machines of one domain.
func TestRedirected(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"https://s3.us.archive.org/x/a", "https://ia601.us.archive.org/x/a", true},
		{"https://s3.us.archive.org/x/a", "http://ia601.us.archive.org/x/a", false},
		{"https://s3.us.archive.org/x/a", "https://archive.org.example/x/a", false},
		{"https://one.co.uk/x/a", "https://two.co.uk/x/a", false},
	} {
		from, _ := http.NewRequest(http.MethodPut, c.from, nil)
		from.Header.Set("Authorization", "LOW a:b")
		to, _ := url.Parse(c.to)
		next := &http.Request{Method: http.MethodPut, URL: to, Header: http.Header{}}
		if err := redirected(next, []*http.Request{from}); err != nil {
			t.Fatal(err)
		}
		if got := next.Header.Get("Authorization") != ""; got != c.want {
			t.Errorf("from %s to %s the key goes on: %v", c.from, c.to, got)
		}
	}
}
