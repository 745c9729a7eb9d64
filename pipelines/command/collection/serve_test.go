package collection

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// startServe starts a server of a collection, and returns its URL.
func startServe(t *testing.T, dir string) string {
	t.Helper()
	cmd := commandtest.Command(t.Context(), "serve", "--collection="+dir, "--addr=127.0.0.1:0", "--state="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/")
}

// TestServe_whileTasksRun: a server always answers while tasks change the collection and remove files, and while a
// run adds to it.
func TestServe_whileTasksRun(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	add := func(n int) {
		must(t, "ingest", "--output="+out, "--format=parquet,cdxj", "--unit_size=64KiB", "--add", month(t, root, n))
	}
	add(0)
	add(1)
	base := startServe(t, out)
	paths := []string{
		"/api/v1/search?status=200", "/api/v1/overview", "/cdx/search/cdx?url=site0.example/*", "/out",
		"/api/v1/export?status=200", "/timemap/link/http://site1.example/page1.html",
	}
	stop, asked := make(chan struct{}), make([]int, len(paths))
	var asking sync.WaitGroup
	for i, path := range paths {
		asking.Go(func() {
			for ended := false; !ended || asked[i] == 0; asked[i]++ {
				if status, text := get(t, base+path); status != http.StatusOK {
					t.Errorf("%s, request %d: %d %.300s", path, asked[i], status, text)
					return
				}
				select {
				case <-stop:
					ended = true
				default:
				}
			}
		})
	}
	for n := 2; n < 4; n++ {
		for _, task := range [][]string{{"compact"}, {"lake"}, {"expire", "--keep=1"}, {"takedown", "site9.example"}} {
			if code, text := command(t, "collection", append(task, "--collection="+out)...); code != cli.ExitDone {
				t.Errorf("%v: exit code %d\n%s", task, code, text)
			}
		}
		add(n)
	}
	close(stop)
	asking.Wait()
	t.Logf("%v requests", asked)
}

func get(t *testing.T, url string) (status int, text string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer func() { _ = r.Body.Close() }() // it was read
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Errorf("%s: %v", url, err)
	}
	return r.StatusCode, string(data)
}
