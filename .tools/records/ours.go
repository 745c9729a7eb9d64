package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// totals are the counts in a file. The payload follows the HTTP head, or is the block of a record without one, still
// encoded.
type totals struct{ records, heads, payload int64 }

func (t *totals) add(o totals) {
	t.records += o.records
	t.heads += o.heads
	t.payload += o.payload
}

// readOurs reads the records that start in [start, end) of src, a WARC file of size bytes, with Gleaner's reader. A
// loss or a damaged record is an error, as for the peers.
func readOurs(src io.ReaderAt, start, end, size int64, o record.Options) (t totals, err error) {
	kind, err := member.Detect(src, size)
	if err != nil {
		return t, err
	}
	r, err := record.NewReader(src, member.Range{Start: start, End: end, Size: size}, kind, warc.Grammar{}, o)
	if err != nil {
		return t, err
	}
	defer r.Close()
	var lost error
	for {
		rec, loss, err := r.Step()
		if err == io.EOF {
			return t, lost
		}
		if err != nil {
			return t, err
		}
		if loss != nil {
			lost = fmt.Errorf("lost: %s", loss)
			continue
		}
		if len(rec.Flags) > 0 {
			lost = fmt.Errorf("record at %d: %v", rec.Offset, rec.Flags)
		}
		t.records++
		if rec.HTTP() != nil {
			t.heads++
		}
		t.payload += rec.PayloadSize()
		touch(rec.Payload())
	}
}

// touch reads a byte of each memory page, so that no reader gains by not reading.
//
//go:noinline
func touch(b []byte) (sum byte) {
	for i := 0; i < len(b); i += 4 << 10 {
		sum += b[i]
	}
	return sum
}

// readFile reads a file; several workers read ranges of it.
func readFile(path string, workers int, o record.Options) (t totals, err error) {
	src, size, err := open(path)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if workers == 1 {
		return readOurs(src, 0, size, size, o)
	}
	return readRanges(src, size, workers, o)
}

func open(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// readRanges divides the file into two ranges per worker. The worker that first needs a split point finds it.
func readRanges(src io.ReaderAt, size int64, workers int, o record.Options) (sum totals, err error) {
	kind, err := member.Detect(src, size)
	if err != nil {
		return sum, err
	}
	isHead := func(b []byte) bool { return warc.Grammar{}.Match(record.SkipBlank(b), true) }
	starts := []func() (int64, error){}
	every := size/int64(2*workers) + 1
	for from := int64(0); from < size; from += every {
		starts = append(starts, sync.OnceValues(func() (int64, error) {
			return member.FindStart(src, kind, from, size,
				isHead)
		}))
	}
	starts = append(starts, func() (int64, error) { return size, nil })
	parts := make([]totals, len(starts)-1)
	errs := make([]error, len(parts))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(parts); i = next.Add(1) - 1 {
				start, startErr := starts[i]()
				end, endErr := starts[i+1]()
				if errs[i] = errors.Join(startErr, endErr); errs[i] == nil && start < end {
					parts[i], errs[i] = readOurs(src, start, end, size, o)
				}
			}
		})
	}
	wg.Wait()
	for _, t := range parts {
		sum.add(t)
	}
	return sum, errors.Join(errs...)
}

// report reads the files and prints the peers' output format, with allocations.
func report(files []string, workers int, o record.Options) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, file := range files {
		t, err := readFile(file, workers, o)
		why := ""
		if err != nil {
			why = strings.Join(strings.Fields(err.Error()), " ")
		}
		fmt.Printf("%d\t%d\t%d\t%s\n", t.records, t.heads, t.payload, why)
	}
	runtime.ReadMemStats(&after)
	fmt.Printf("mallocs\t%d\n", after.Mallocs-before.Mallocs)
	fmt.Printf("peak\t%d\n", peak())
	return nil
}

// peak returns the peak resident memory in KiB, or 0 if unknown. A child's ru_maxrss does not work: it starts with
// the parent's.
func peak() (kib int64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0
	}
	return kib
}
