//go:build noiceberg || local

package lake

import (
	"errors"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestAbsent_refusesTables: without the library, a collection with a table is not taken for one without.
func TestAbsent_refusesTables(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		options    Options
		want       error
	}{
		{"no table", "documents-0.parquet", Options{}, ErrNone},
		{"a table", hintFile, Options{}, ErrLeftOut},
		{"a table without a hint", metadataDir + "/v3.metadata.json", Options{}, ErrLeftOut},
		{"a compressed one", metadataDir + "/00001-a.gz.metadata.json", Options{}, ErrLeftOut},
		{"a file beside it", metadataDir + "/snap-1.avro", Options{}, ErrNone},
		{"a table in a catalogue", keeperFile, Options{}, ErrLeftOut},
		{"a catalogue is named", "documents-0.parquet", Options{Catalogue: map[string]string{"type": "rest"}}, ErrLeftOut},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := folder.Open(t.Context(), t.TempDir(), nil)
			if err := errors.Join(f.Make("metadata"), f.Make(".gleaner"), f.WriteNew(tt.file, []byte("1"))); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(t.Context(), f, tt.options); !errors.Is(err, tt.want) {
				t.Errorf("Open = %v, want %v", err, tt.want)
			}
			if err := CheckCatalogue(f, tt.options); errors.Is(err, ErrLeftOut) != (tt.want == ErrLeftOut) {
				t.Errorf("CheckCatalogue = %v", err)
			}
		})
	}
}
