package sourcedb

import (
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// numbers yields 0 to n-1, and err after them.
func numbers(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func TestInOrder(t *testing.T) {
	errRead, errWork, errWrite := errors.New("read"), errors.New("work"), errors.New("write")
	for _, tt := range []struct {
		name        string
		read        error
		work, write int // the item that fails; -1 for none
		n           int
		want        []error
		wrote       int
	}{
		{"all", nil, -1, -1, 500, nil, 500},
		{"nothing", nil, -1, -1, 0, nil, 0},
		{"reading fails", errRead, -1, -1, 7, []error{errRead}, 7},
		{"work fails", nil, 30, -1, 500, []error{errWork}, 30},
		{"writing fails", nil, -1, 40, 500, []error{errWrite}, 40},
		{"the last one fails, and reading", errRead, 6, -1, 7, []error{errRead, errWork}, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			var began atomic.Int32
			var wrote []int
			err := inOrder(numbers(tt.n, tt.read), func(i int) error {
				began.Add(1)
				// The later ones are done first.
				time.Sleep(time.Duration(i%3) * 50 * time.Microsecond)
				if i == tt.work {
					return errWork
				}
				return nil
			}, func(i int) error {
				if i == tt.write {
					return errWrite
				}
				wrote = append(wrote, i)
				return nil
			})
			for _, want := range tt.want {
				if !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
			}
			if len(tt.want) == 0 && err != nil {
				t.Error(err)
			}
			want := make([]int, tt.wrote)
			for i := range want {
				want[i] = i
			}
			if !slices.Equal(wrote, want) {
				t.Errorf("wrote %v", wrote)
			}
			// Items that were under way at the failure are completed, and no others.
			if most := tt.wrote + 1 + 2*runtime.GOMAXPROCS(0) + 1; int(began.Load()) > most {
				t.Errorf("%d were begun, %d may", began.Load(), most)
			}
			for end := time.Now().Add(time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
				}
			}
		})
	}
}

// TestAhead yields the records, then the error, in their order. A caller that stops early leaves no goroutine and no
// open file.
func TestAhead(t *testing.T) {
	errRead := errors.New("read")
	for _, tt := range []struct {
		name string
		n    int
		err  error
		want int // records that are asked for
	}{
		{"all", 5_000, nil, 5_000},
		{"none", 0, nil, 0},
		{"as many as are read at a time", aheadRecords, nil, aheadRecords},
		{"an error behind some", 1_300, errRead, 1_300},
		{"nothing but an error", 0, errRead, 0},
		{"enough early", 5_000, nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			var open atomic.Bool
			source := func(yield func(record, error) bool) {
				open.Store(true)
				defer open.Store(false)
				for i, err := range numbers(tt.n, tt.err) {
					if !yield(record{key: linkKey(uint64(i))}, err) {
						return
					}
				}
			}
			got, bad := 0, error(nil)
			for r, err := range ahead(source) {
				if bad = err; err != nil {
					continue
				}
				if link, _ := linkOf(r.key); link != uint64(got) {
					t.Fatalf("record %d is %d", got, link)
				}
				if got++; got == tt.want && tt.want < tt.n {
					break
				}
			}
			if got != tt.want || !errors.Is(bad, tt.err) {
				t.Errorf("%d records, %v; want %d, %v", got, bad, tt.want, tt.err)
			}
			if open.Load() {
				t.Error("what is read is open still")
			}
			for end := time.Now().Add(time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
				}
			}
		})
	}
}
