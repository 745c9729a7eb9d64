package fileset_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// large is a web whose files have the same size, and are not in memory.
type large struct {
	web
	files map[string]bool
	size  int64
	base  uint64
	peak  uint64 // of the heap above base, at the beginning or end of a body
}

func (l *large) Get(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	r, err := l.web.Get(ctx, url, want)
	if err == nil && l.files[url] {
		r.Body = &sampled{l, io.LimitReader(endless{}, l.size)}
	}
	return r, err
}

// sampled measures the heap when its body is closed, before any of it is collected.
type sampled struct {
	l *large
	io.Reader
}

func (s *sampled) Close() error {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.l.peak = max(s.l.peak, m.HeapInuse-min(m.HeapInuse, s.l.base))
	return nil
}

// TestIngest_memoryIsFlat: a dataset of many large files only takes the memory of their names. With GLEANER_SLOW=1 it
// has 200 files of 64 MiB, else 200 of 64 KiB and 4 of 64 MiB.
func TestIngest_memoryIsFlat(t *testing.T) {
	type shape struct {
		files int
		size  int64
	}
	shapes := []shape{{200, 64 << 10}, {4, 64 << 20}}
	if os.Getenv("GLEANER_SLOW") != "" {
		shapes = []shape{{200, 64 << 20}}
	}
	for _, s := range shapes {
		var names []string
		l := &large{files: map[string]bool{}, size: s.size}
		for i := range s.files {
			name := fmt.Sprintf("f%03d", i)
			names = append(names, name, "x")
			l.files[content+name] = true
		}
		l.web = dataset(names...)
		// This is the platform's answer; dataset made one for other bodies.
		body := `{"id":1,"conceptrecid":"0","metadata":{"access_right":"open"},"files":[`
		for i := range s.files {
			if i > 0 {
				body += ","
			}
			body += fmt.Sprintf(`{"key":"f%03d","size":%d,"links":{"self":"%sf%03d"}}`, i, s.size, content, i)
		}
		l.web[api] = answer{mime: "application/json", body: body + "]}"}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		l.base = m.HeapInuse
		got := ingest(t, l, record, fileset.Options{MaxFiles: 300}).Result
		if got.Status != fileset.StatusSuccess || len(got.Manifest) != s.files {
			t.Fatalf("%s (%s), %d files", got.Status, got.Error, len(got.Manifest))
		}
		t.Logf("%d files of %d bytes: %d KiB above base", s.files, s.size, l.peak>>10)
		if l.peak > 64<<20 {
			t.Errorf("%d files of %d bytes: %d MiB above base, want 64 at most", s.files, s.size, l.peak>>20)
		}
	}
}
