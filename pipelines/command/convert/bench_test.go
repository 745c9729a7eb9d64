package convert

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// wcxb is the development split of the Web Content eXtraction Benchmark, outside the repository.
const wcxb = "../../../../shared/corpora/maintext/wcxb-dev/"

// maxBenchBody is the maximum size in bytes of a page for benchPages, because the matrix writes each page two hundred
// times. A third of the pages are smaller.
const maxBenchBody = 100_000

// benchPages returns the first n pages that are small enough. Their order is that of
// ../shared/tools/make_bench_warcs.py, by hashes, which mixes the set. As in that program, they have real URLs and
// bodies, and a time, a status and headers. Without the corpus, there are none.
func benchPages(t *testing.T, n int) []*schemas.Capture {
	t.Helper()
	files, err := filepath.Glob(wcxb + "html/*.html.gz")
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(nameHash(a), nameHash(b)) })
	var list []*schemas.Capture
	for k, file := range files {
		body := benchBody(t, file)
		if len(body) > maxBenchBody {
			continue
		}
		list = append(list, &schemas.Capture{
			URL:        cmp.Or(benchURL(t, file), fmt.Sprintf("https://bench.example/%d", k)),
			Timestamp:  time.Date(2026, 1, 1+k%28, k%24, k%60, k%60, 0, time.UTC),
			RecordType: schemas.TypeResponse, Status: 200, MIMEDeclared: "text/html",
			Header: []schemas.Field{
				{Name: "Content-Type", Value: "text/html"},
				{Name: "Content-Length", Value: fmt.Sprint(len(body))},
			},
			Body: body,
		})
		if len(list) == n {
			break
		}
	}
	return list
}

func nameHash(file string) string { return fmt.Sprintf("%x", md5.Sum([]byte(filepath.Base(file)))) }

// benchBody reads a page, but only a little more than the limit.
func benchBody(t *testing.T, file string) []byte {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	body, err := io.ReadAll(io.LimitReader(z, maxBenchBody+1))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return body
}

// benchURL returns the URL of a page, or "" if unknown.
func benchURL(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(wcxb + "ground-truth/" + strings.TrimSuffix(filepath.Base(file), ".html.gz") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ URL string }
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return truth.URL
}
