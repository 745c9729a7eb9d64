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

// wcxb is where the development split of the Web Content eXtraction Benchmark lies, beside the repository.
const wcxb = "../../../../shared/corpora/maintext/wcxb-dev/"

// maxBenchBody is the size in bytes of the largest page that benchPages takes: the matrix writes each page two hundred
// times. A third of the pages are smaller.
const maxBenchBody = 100_000

// benchPages are the first n pages, of those that are not too large, in the order of
// ../shared/tools/make_bench_warcs.py, which is that of hashes and so spread over the set; and as it makes them: real
// URLs and bodies, with a time, a status and header fields. Without the corpus there are none.
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

// benchBody reads a page, and not much more of one that is too large.
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

// benchURL is where a page is from; empty where that is not known.
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
