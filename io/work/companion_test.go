package work

import (
	"archive/zip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// besideFolder makes a folder of two packages of one page each, and a description in each form.
func besideFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, files map[string]string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(out)
		for name, text := range files {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name})
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if z.Close() != nil || out.Close() != nil {
			t.Fatal("not written")
		}
	}
	for _, name := range []string{"one", "b/t wo"} {
		b := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + name
		write(name+".wacz", map[string]string{
			"archive/a.warc": fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\n"+
				"WARC-Date: 2024-02-03T04:05:06Z\r\nWARC-Target-URI: http://a/%s\r\nContent-Type: application/http\r\n"+
				"Content-Length: %d\r\n\r\n%s\r\n\r\n",
				filepath.Base(name), len(b), b),
			"datapackage.json": `{"profile": "data-package", "resources": []}`,
		})
	}
	both := `{"profile": "multi-wacz-package", "resources": [{"path": "one.wacz"}, {"path": "b/t wo.wacz"}]}`
	write("all.wacz", map[string]string{"datapackage.json": both})
	hostile := `{"profile": "multi-wacz-package", "resources": [{"path": "../x.wacz"}, {"path": "/etc/passwd"},
		{"path": "http://192.0.2.1/x.wacz"}, {"path": "gone.wacz"}, {"path": "./b/../one.wacz"}]}`
	for name, text := range map[string]string{"all.json": both, "hostile.json": hostile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFind_beside: a description of packages stands for those beside it, each of which is read once.
func TestFind_beside(t *testing.T) {
	dir := besideFolder(t)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	tests := []struct {
		name, urls string
		args       []string
		unread     int
	}{
		{"JSON", "http://a/one http://a/t wo", []string{dir + "/all.json"}, 0},
		{"a package without archives", "http://a/one http://a/t wo", []string{dir + "/all.wacz"}, 0},
		{
			"named themselves too", "http://a/one http://a/t wo",
			[]string{dir + "/all.json", dir + "/one.wacz", dir + "/all.wacz"},
			0,
		},
		{"the whole folder", "http://a/one http://a/t wo", []string{dir + "/all.wacz", dir + "/b", dir + "/one.wacz"}, 0},
		{"over HTTP", "http://a/one http://a/t wo", []string{server.URL + "/all.json"}, 0},
		{"names that lead elsewhere, and one that is not there", "http://a/one", []string{dir + "/hostile.json"}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := blob.New(blob.Options{PrivateHosts: true})
			in, err := Find(t.Context(), s, tt.args, nil, FindOptions{UnitSize: 1 << 20, Output: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			list, counts, rejects := readAll(t, s, in.Units)
			var urls []string
			for _, line := range list {
				url, _, _ := strings.Cut(line, "{")
				urls = append(urls, url)
			}
			slices.Sort(urls)
			if got := strings.Join(urls, " "); got != tt.urls || len(in.Unread) != tt.unread || len(rejects) != tt.unread {
				t.Errorf("pages %q, unread %q, rejects %v; want %q", got, in.Unread, rejects, tt.urls)
			}
			if counts.BytesLost > 0 {
				t.Errorf("%d bytes lost", counts.BytesLost)
			}
		})
	}
}
