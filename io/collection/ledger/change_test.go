package ledger

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestReadChange: a note with content that no run writes means only that a run has begun.
func TestReadChange(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if ch, there, err := ReadChange(f); there || ch.Running || err != nil {
		t.Errorf("without a note: %+v, %v, %v", ch, there, err)
	}
	if err := f.Make(".gleaner"); err != nil {
		t.Fatal(err)
	}
	index := TempName(IndexFile, folder.Unique())
	for _, tt := range []struct {
		note    string
		commits bool
	}{
		{`{"running":true}`, false},
		{`{"commit":{"manifest":"x","index":"` + index + `"}}`, true},
		{`{"commit":{"manifest":"x","index":"../` + index + `"}}`, false},
		{`{"commit":{"manifest":"x","index":"manifest.json"}}`, false},
		{`{"commit":{"compaction":{"shards":[{"name":"x"}]}}}`, false},
		{`{"waiting":["../x"],"commit":{}}`, false},
		{`{`, false},
	} {
		if err := f.Write(".gleaner/change.json", []byte(tt.note)); err != nil {
			t.Fatal(err)
		}
		ch, there, err := ReadChange(f)
		if err != nil || !there || (ch.Commit != nil) != tt.commits || ch.Running == tt.commits {
			t.Errorf("%s: %+v, %v, %v", tt.note, ch, there, err)
		}
		if _, err := Ended(f); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: Ended = %v, want %v", tt.note, err, fs.ErrNotExist)
		}
	}
}
