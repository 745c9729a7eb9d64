package blob_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
)

// start serves objects, after faults, to the store that it returns.
func start(t *testing.T, kind string, f *blobtest.Faults, objects map[string][]byte) (store *blob.Store, root string) {
	t.Helper()
	return startPatient(t, kind, f, objects, 100*time.Millisecond)
}

// startPatient is start with a store that waits so long for stalled servers.
func startPatient(t *testing.T, kind string, f *blobtest.Faults, objects map[string][]byte,
	stall time.Duration,
) (store *blob.Store, root string) {
	t.Helper()
	b := blobtest.Start(t, kind, f, objects)
	store = blob.New(blob.Options{
		GoogleEndpoint: b.URL + "/storage/v1/", PrivateHosts: true,
		Patience: blob.Patience{First: time.Millisecond, Last: 20 * time.Millisecond, Stall: stall},
	})
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store, b.Root
}

// manyFaults are made in each of the three services: together more than a thousand.
const manyFaults = 350

func TestReadAt_faults(t *testing.T) {
	const size = 3 << 20
	for _, kind := range blobtest.Kinds {
		t.Run(kind, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			rnd := rand.New(rand.NewPCG(seed, 1))
			f := blobtest.NewFaults(seed, manyFaults)
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			store, root := start(t, kind, f, map[string][]byte{"x/big": data})
			for f.Left() > 0 {
				o, err := store.Open(t.Context(), root+"x/big")
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if err := readMuch(o, data, rnd); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if err := o.Close(); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("seed %d: %v", seed, f.Made())
		})
	}
}

// readMuch reads here and there and then all of an object.
func readMuch(o blob.Object, data []byte, rnd *rand.Rand) error {
	for range 20 {
		off := rnd.IntN(len(data))
		p := make([]byte, rnd.IntN(len(data)-off)/8+1)
		if n, err := o.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, data[off:off+n]) {
			return fmt.Errorf("%d bytes at %d: %d, %w", len(p), off, n, err)
		}
	}
	got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil || !bytes.Equal(got, data) {
		return fmt.Errorf("all: %d of %d bytes, %w", len(got), len(data), err)
	}
	return nil
}

func TestExpand_faults(t *testing.T) {
	objects := map[string][]byte{}
	for i := range 25 {
		objects[fmt.Sprintf("x/%02d.warc", i)] = []byte("w")
		objects[fmt.Sprintf("x/y/%02d.arc", i)] = []byte("a")
	}
	for _, kind := range blobtest.Kinds {
		if kind == "web" {
			continue // has no folders
		}
		t.Run(kind, func(t *testing.T) {
			f := blobtest.NewFaults(1, 40)
			store, root := start(t, kind, f, objects)
			var want []string
			for i := range 25 {
				want = append(want, fmt.Sprintf("%sx/%02d.warc", root, i))
			}
			for f.Left() > 0 {
				got, err := store.Expand(t.Context(), []string{root + "**/*.warc"}, nil)
				if diff := cmp.Diff(want, names(got)); diff != "" || err != nil {
					t.Fatalf("%v (-want +got):\n%s", err, diff)
				}
			}
		})
	}
}

// names are the names of files.
func names(files []blob.Info) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}
