package collectionstore_test

import (
	"errors"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/collectionstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/storetest"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

func TestStore(t *testing.T) {
	part, _, err := holdings.Whole(folder.Open(t.Context(), "../../collection/testdata/layout1", nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, byURL := range []bool{false, true} {
		want, layout := memory.New(), webtable.Layout{ByURL: byURL}
		documents := 0
		for d, err := range part.Documents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			row, err := layout.Row(d, nil)
			if err == nil {
				err = want.Put(t.Context(), []rowstore.Row{row})
			}
			if err != nil {
				t.Fatal(err)
			}
			documents++
		}
		s, err := collectionstore.Open(t.Context(), part, collectionstore.Options{ByURL: byURL})
		if err != nil {
			t.Fatal(err)
		}
		storetest.TestReadOnly(t, s, want)
		read := 0
		for row, err := range s.Scan(t.Context(), rowstore.Range{Versions: -1}) {
			if err != nil {
				t.Fatal(err)
			}
			list, err := webtable.Documents(row)
			if err != nil {
				t.Fatal(err)
			}
			read += len(list)
		}
		if read != documents || read == 0 {
			t.Errorf("%d documents, want %d", read, documents)
		}
	}
	if _, err := collectionstore.Open(t.Context(), part, collectionstore.Options{MaxBytes: 100}); !errors.Is(err,
		rowstore.ErrLimit) {
		t.Errorf("a collection that is too large: %v", err)
	}
}
