package corpora

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRow_staged: a row that was staged is equal to one that was JSON, with all its columns. A staged row that is
// truncated or has more bytes is refused.
func TestRow_staged(t *testing.T) {
	full := Row{Offset: -1, LanguageScore: .1234}
	for i, text := range full.texts() {
		*text = strings.Repeat("é<", 100*i) + string(rune('a'+i))
	}
	bad := Row{Text: "a\xff\xfe\xe2\x82b", Filename: "\xc3"}
	for _, row := range []Row{{}, full, bad} {
		data, err := json.Marshal(row)
		var want Row
		if err = errors.Join(err, json.Unmarshal(data, &want)); err != nil {
			t.Fatal(err)
		}
		staged := row.append([]byte{})
		got, err := parseRow(staged)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("parseRow of %.40q: %v: %s", row.Text, err, diff)
		}
		for n := range min(len(staged), 300) {
			if _, err := parseRow(staged[:n]); !errors.Is(err, errRecords) {
				t.Errorf("parseRow of %d of %d bytes: %v, want %v", n, len(staged), err, errRecords)
			}
		}
		if _, err := parseRow(append(staged, 0)); !errors.Is(err, errRecords) {
			t.Errorf("parseRow of a byte too many: %v, want %v", err, errRecords)
		}
	}
	texts := 0
	for column := range reflect.TypeFor[Row]().Fields() {
		if column.Type.Kind() == reflect.String {
			texts++
		}
	}
	if want := len(full.texts()); texts != want {
		t.Errorf("a row has %d columns of text, and %d are staged", texts, want)
	}
}

// TestRow_hasNoNulls: parquet-go writes some nulls as values in optional columns (see parquetfile's batch). So rows
// that it gets unchanged may not have any.
func TestRow_hasNoNulls(t *testing.T) {
	for f := range reflect.TypeFor[Row]().Fields() {
		if strings.Contains(f.Tag.Get("parquet"), "optional") {
			t.Errorf("%s is optional", f.Name)
		}
	}
}
