package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// TestAttack01_forbiddenObjectsStay: an archive in a bucket or on a web server that now returns 403 is not a missing
// one. Its documents are kept, even with --prune. Once it is readable again, they equal those of a clean run. If
// listing is forbidden, nothing changes.
func TestAttack01_forbiddenObjectsStay(t *testing.T) {
	for _, kind := range blobtest.Kinds {
		var forbidden atomic.Value
		forbidden.Store("")
		shelf := newDays(t)
		shelf.put("in/a", "in/b", "in/c")
		objects := map[string][]byte{}
		for _, name := range []string{"in/a.warc", "in/b.warc", "in/c.warc"} {
			b, err := os.ReadFile(filepath.Join(shelf.root, name))
			if err != nil {
				t.Fatal(err)
			}
			objects[name] = b
		}
		s := blobtest.Start(t, kind, &blobtest.Faults{Choose: func(r *http.Request) string {
			name := forbidden.Load().(string)
			listing := strings.HasSuffix(r.URL.Path, "/o") || strings.Contains(r.URL.RawQuery, "list-type") // of gs, of s3
			if name == "list" && listing || name != "" && strings.HasSuffix(r.URL.Path, name) {
				return blobtest.Refused
			}
			return ""
		}}, objects)
		t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(s.URL, "http://"))
		inputs := []string{s.Root + "in/"}
		if kind == "web" { // which has no listings
			inputs = []string{s.Root + "in/a.warc", s.Root + "in/b.warc", s.Root + "in/c.warc", "--private_hosts"}
		}
		for _, name := range []string{"b.warc", "list"} {
			for _, args := range []string{"", "--prune", "--add", "--format=parquet", "--extract=mime,charset"} {
				if plain := args == "" || args == "--prune"; kind == "web" && (name == "list" || !plain) || name == "list" &&
					!plain {
					continue // the command ends before it reads more
				}
				t.Run(kind+" "+name+" "+args, func(t *testing.T) {
					d := days{t, "", filepath.Join(t.TempDir(), "out")}
					const held = "in-a in-b in-c"
					run := func(args string) result {
						all := append(strings.Fields(args), "--output="+d.out)
						if !strings.Contains(args, "--extract") {
							all = append(all, "--extract=mime")
						}
						return runCommand(t, append(all, inputs...)...)
					}
					if r := run(""); r.code != 0 || d.held() != held {
						t.Fatalf("exit code %d, it holds %q\n%s", r.code, d.held(), r.stderr)
					}
					forbidden.Store(name)
					r := run(args)
					forbidden.Store("")
					if d.held() != held || r.code == 0 && args == "--extract=mime,charset" {
						t.Errorf("forbidden: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), held, r.stderr)
					}
					if r := run(args); r.code != 0 || d.held() != held {
						t.Errorf("allowed again: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), held, r.stderr)
					}
					d.isWhole()
				})
			}
		}
	}
}
