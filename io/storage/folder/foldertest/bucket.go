package foldertest

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Bucket is a folder in an object store whose requests can fail.
type Bucket struct {
	folder.Folder
	blobtest.Backend
	Seen  atomic.Int64                     // requests so far
	Fault atomic.Pointer[func(int) string] // the fault of the n-th request, from 1
}

// StartBucket starts a store of this kind with objects. It ends with the test.
func StartBucket(t *testing.T, kind string, objects map[string][]byte) *Bucket {
	t.Helper()
	b := &Bucket{}
	b.Backend = blobtest.Start(t, kind, &blobtest.Faults{Choose: b.choose}, objects)
	store := blob.New(blob.Options{
		GoogleEndpoint: b.URL + "/storage/v1/",
		Patience:       blob.Patience{First: time.Millisecond, Last: time.Millisecond, Stall: time.Minute},
	})
	b.Folder = folder.Open(t.Context(), b.Root+"out", store)
	t.Cleanup(func() {
		if err := errors.Join(b.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *Bucket) choose(*http.Request) string {
	n := int(b.Seen.Add(1))
	if fault := b.Fault.Load(); fault != nil {
		return (*fault)(n)
	}
	return ""
}
