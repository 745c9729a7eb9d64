package sourcedb

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// TestReadRun_partTakesLittleMemory: a crawl has as many parts as units, some hundred of a gigabyte each, and all are
// read side by side.
func TestReadRun_partTakesLittleMemory(t *testing.T) {
	f := folder.Open(context.Background(), t.TempDir(), nil)
	db, err := Open(f)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	pages := extsort.New(SortOptions{TempDir: t.TempDir()})
	for i := range 20_000 {
		link := fmt.Sprintf("https://site%d.example/%d", i%100, i*i)
		must(t, pages.Add(linkKey(uint64(i)<<20), []byte(link+link[:20])))
	}
	p := Part{Key: "00000000000000000001"}
	run, err := p.run(f, "pages", pages, func(_, b []byte) ([]byte, error) { return b, nil })
	must(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for _, err := range readRun(f, run.Name, reading{}) {
		must(t, err)
		if n++; n == 1 {
			runtime.ReadMemStats(&after)
		}
	}
	if n != 20_000 {
		t.Fatalf("%d records of 20,000", n)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("a run that is open takes %d bytes, and 1 MiB at most was wanted", took)
	}
}
