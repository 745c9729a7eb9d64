package holdings_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/google/go-cmp/cmp"
)

// TestReadManifest_conversion: a conversion's manifest has the same form, but does not mean an empty collection.
func TestReadManifest_conversion(t *testing.T) {
	for _, tt := range []struct {
		name     string
		versions map[string]string
		want     error
	}{
		{"collection", map[string]string{"capture": "3"}, nil},
		{"without versions", nil, nil},
		{"conversion", map[string]string{"capture": "3", "conversion": "2"}, fs.ErrNotExist},
		{"earlier conversion", map[string]string{"conversion": ""}, fs.ErrNotExist},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := folder.Open(t.Context(), t.TempDir(), nil)
			text, err := ledger.EncodeManifest(schemas.Manifest{SchemaVersion: schemas.Version, Versions: tt.versions})
			if err == nil {
				err = f.Write(holdings.ManifestFile, text)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, manifest := holdings.ReadManifest(f)
			_, totals := holdings.ReadTotals(f)
			_, _, whole := holdings.Whole(f)
			for _, err := range []error{manifest, totals, whole} {
				if !errors.Is(err, tt.want) {
					t.Errorf("%v, want %v", err, tt.want)
				}
			}
			if _, err := holdings.ReadRun(f); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReadTotals: all is as in the manifest except for what the units are.
func TestReadTotals(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if _, err := holdings.ReadTotals(f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a manifest: %v, want %v", err, fs.ErrNotExist)
	}
	m := schemas.Manifest{
		SchemaVersion: "1", Options: map[string]any{"units": "4"}, Versions: map[string]string{"capture": "3"},
		Totals: schemas.Counts{Captures: 7, ByType: map[string]int64{"response": 7}},
		Files:  []schemas.Shard{{Name: "index.cdxj", Bytes: 9, SHA256: "x"}},
		Units: []schemas.UnitResult{
			{Unit: schemas.Unit{ID: 0}},
			{Unit: schemas.Unit{ID: 1}, Shards: []schemas.Shard{{Name: "documents"}}},
		},
	}
	text, err := ledger.EncodeManifest(m)
	if err == nil {
		err = f.Write(holdings.ManifestFile, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := holdings.ReadTotals(f)
	m.Units = make([]schemas.UnitResult, 2)
	if diff := cmp.Diff(m, got); diff != "" || err != nil {
		t.Errorf("%v; -want +got:\n%s", err, diff)
	}
}
