package blob_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// writable are the services that can be written to.
var writable = []string{"gs", "s3"}

func put(t *testing.T, s *blob.Store, name, text, replaced string) (blob.Info, error) {
	t.Helper()
	return s.Put(t.Context(), name, bytes.NewReader([]byte(text)), int64(len(text)), replaced)
}

func TestPut_conditions(t *testing.T) {
	for _, kind := range writable {
		t.Run(kind, func(t *testing.T) {
			store, root := start(t, kind, nil, nil)
			name := root + "x/a"
			first, err := put(t, store, name, "1", blob.Absent)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := put(t, store, name, "1", blob.Absent); err != nil || again.Stamp != first.Stamp {
				t.Errorf("the same bytes again: %v, %v", again, err)
			}
			if _, err := put(t, store, name, "2", blob.Absent); !errors.Is(err, blob.ErrChanged) {
				t.Errorf("other bytes: %v, want blob.ErrChanged", err)
			}
			second, err := put(t, store, name, "2", first.Stamp)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := put(t, store, name, "3", first.Stamp); !errors.Is(err, blob.ErrChanged) {
				t.Errorf("in place of an old version: %v, want blob.ErrChanged", err)
			}
			if _, err := put(t, store, name, "4", ""); err != nil {
				t.Errorf("whatever is there: %v", err)
			}
			if info, err := store.Stat(t.Context(), name); err != nil || info.Size != 1 || info.Stamp == second.Stamp {
				t.Errorf("Stat = %v, %v", info, err)
			}
		})
	}
}

func TestPut_readerSeesTheOldOrTheNew(t *testing.T) {
	for _, kind := range writable {
		t.Run(kind, func(t *testing.T) {
			store, root := start(t, kind, nil, map[string][]byte{"a": make([]byte, 3<<20)})
			o, err := store.Open(t.Context(), root+"a")
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			p := make([]byte, 100)
			if _, err := o.ReadAt(p, 0); err != nil {
				t.Fatal(err)
			}
			if _, err := put(t, store, root+"a", "new", ""); err != nil {
				t.Fatal(err)
			}
			if n, err := o.ReadAt(p, 2<<20); !errors.Is(err, blob.ErrChanged) {
				t.Errorf("ReadAt = %d, %v, want blob.ErrChanged", n, err)
			}
		})
	}
}

func TestStore_copyListRemove(t *testing.T) {
	for _, kind := range writable {
		t.Run(kind, func(t *testing.T) {
			store, root := start(t, kind, nil, map[string][]byte{"x/a b+c": []byte("1"), "y": []byte("2")})
			if err := store.Copy(t.Context(), root+"x/a b+c", root+"x/d"); err != nil {
				t.Error(err)
			}
			for range 2 { // the second finds nothing
				if err := store.Remove(t.Context(), root+"x/a b+c"); err != nil {
					t.Error(err)
				}
			}
			if err := store.Copy(t.Context(), root+"x/nope", root+"x/e"); !errors.Is(err, blob.ErrNotFound) {
				t.Errorf("Copy of nothing: %v", err)
			}
			all, err := store.List(t.Context(), root+"x/")
			if diff := cmp.Diff([]string{root + "x/d"}, names(all)); err != nil || diff != "" {
				t.Errorf("List: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestStore_webIsNotWritten(t *testing.T) {
	store, root := start(t, "web", nil, nil)
	if _, err := put(t, store, root+"a", "1", ""); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Put: %v", err)
	}
}

// TestPut_faults writes large and small files while requests go wrong, and looks whether they are whole.
func TestPut_faults(t *testing.T) {
	for _, kind := range writable {
		t.Run(kind, func(t *testing.T) {
			f := blobtest.NewFaults(3, 24)
			store, root := startPatient(t, kind, f, nil, 3*time.Second) // large uploads take time
			rnd := rand.New(rand.NewPCG(1, 2))
			for i := 0; f.Left() > 0; i++ {
				data := make([]byte, []int{10, 1000, blob.PartBytes + blob.PartBytes/3}[i%3])
				for j := 0; j < len(data); j += 97 {
					data[j] = byte(rnd.Uint32())
				}
				name, replaced := fmt.Sprintf("%sx/%d", root, i), ""
				if i%2 == 1 && len(data) <= blob.MaxCompared { // of larger ones it cannot tell whether an answer was lost
					replaced = blob.Absent
				}
				if _, err := store.Put(t.Context(), name, bytes.NewReader(data), int64(len(data)), replaced); err != nil {
					t.Fatal(err)
				}
				o, err := store.Open(t.Context(), name)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
				if err != nil || !bytes.Equal(got, data) {
					t.Fatalf("%s: %d of %d bytes, %v", name, len(got), len(data), err)
				}
				_ = o.Close()
			}
		})
	}
}

// TestPut_answerLost: a small file that was written is found to be there when it is written again. A large one may be
// another's.
func TestPut_answerLost(t *testing.T) {
	for _, kind := range writable {
		for size, want := range map[int]error{10: nil, blob.MaxCompared + 1: blob.ErrChanged} {
			requests := 0
			f := &blobtest.Faults{Choose: func(*http.Request) string {
				if requests++; requests == 1 {
					return blobtest.Lost
				}
				return ""
			}}
			store, root := start(t, kind, f, nil)
			_, err := store.Put(t.Context(), root+"a", bytes.NewReader(make([]byte, size)), int64(size), blob.Absent)
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("%s: Put of %d bytes: %v, want %v", kind, size, err, want)
			}
		}
	}
}

// TestPut_leavesNoParts breaks an upload off in the middle.
func TestPut_leavesNoParts(t *testing.T) {
	var methods []string
	f := &blobtest.Faults{Seen: func(r *http.Request) { methods = append(methods, r.Method+" "+r.URL.RawQuery) }}
	store, root := startPatient(t, "s3", f, nil, 10*time.Second)
	broken := io.NewSectionReader(failing{}, 0, 2*blob.PartBytes)
	if _, err := store.Put(t.Context(), root+"a", broken, broken.Size(), ""); !errors.Is(err, errBroken) {
		t.Fatalf("Put: %v", err)
	}
	aborted := slices.ContainsFunc(methods, func(m string) bool { return len(m) > 6 && m[:6] == "DELETE" })
	if !aborted {
		t.Errorf("requests %q, want one that aborts the upload", methods)
	}
	if err := store.Sweep(t.Context(), root); err != nil {
		t.Errorf("Sweep: %v", err)
	}
}

var errBroken = errors.New("broken")

// failing is a file whose second part cannot be read.
type failing struct{}

func (failing) ReadAt(p []byte, off int64) (int, error) {
	if off >= blob.PartBytes {
		return 0, errBroken
	}
	return len(p), nil
}
