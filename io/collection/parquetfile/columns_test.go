package parquetfile

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestColumns_areTheJSONFields walks Document and row side by side: the same names in the same order at every level,
// optional columns for fields that the JSON omits, lists and maps for lists and maps. Only the texts of dates are
// columns that the JSON does not have.
func TestColumns_areTheJSONFields(t *testing.T) {
	if n := sameFields(t, "", reflect.TypeFor[schemas.Document](), reflect.TypeFor[row]()); n < 80 {
		t.Errorf("%d fields compared, want 80 at least", n)
	}
}

func sameFields(t *testing.T, path string, doc, row reflect.Type) int {
	t.Helper()
	if doc.Kind() != reflect.Struct {
		return 0
	}
	var columns []reflect.StructField
	for f := range row.Fields() {
		if path != "" || f.Name != "PublishedText" && f.Name != "ModifiedText" {
			columns = append(columns, f)
		}
	}
	if doc.NumField() != len(columns) {
		t.Errorf("%q has %d JSON fields and %d columns", path, doc.NumField(), len(columns))
		return 0
	}
	n := doc.NumField()
	for i := range doc.NumField() {
		name, opts, _ := strings.Cut(doc.Field(i).Tag.Get("json"), ",")
		column := strings.Split(columns[i].Tag.Get("parquet"), ",")
		field := path + name
		if column[0] != name {
			t.Errorf("JSON field %q is column %q", field, column[0])
		}
		if omitted := opts == "omitempty"; omitted != slices.Contains(column, "optional") {
			t.Errorf("%q: omitted when empty: %v, column %v", field, omitted, column)
		}
		from, to := doc.Field(i).Type, columns[i].Type
		if (from.Kind() == reflect.Slice) != slices.Contains(column, "list") {
			t.Errorf("%q: %v is column %v", field, from, column)
		}
		if to == reflect.TypeFor[time.Time]() {
			continue
		}
		// In a list an optional value is a pointer: see batch.
		if omitted := opts == "omitempty"; omitted && strings.HasSuffix(path, "[].") && to.Kind() != reflect.Slice {
			if to.Kind() != reflect.Pointer {
				t.Fatalf("%q: is no pointer, and in a list", field)
			}
			to = to.Elem()
		}
		if from.Kind() == reflect.Slice {
			field += "[]"
		}
		for from.Kind() == reflect.Pointer || from.Kind() == reflect.Slice || from.Kind() == reflect.Map {
			if from.Kind() != to.Kind() {
				t.Fatalf("%q: %v is column of %v", field, from, to)
			}
			from, to = from.Elem(), to.Elem()
		}
		if to == reflect.TypeFor[customTime]() {
			continue
		}
		if from.Kind() != to.Kind() {
			t.Errorf("%q: %v is column of %v", field, from, to)
		}
		n += sameFields(t, field+".", from, to)
	}
	return n
}

// TestColumns_areInThePackageComment compares the list there with the columns.
func TestColumns_areInThePackageComment(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var listed, columns []string
	for line := range strings.Lines(string(doc)) {
		if entry, ok := strings.CutPrefix(line, "//\t"); ok && strings.Contains(entry, "  ") {
			listed = append(listed, strings.Fields(entry)[0])
		}
	}
	for _, c := range parquet.SchemaOf(row{}).Fields() {
		columns = append(columns, c.Name())
	}
	if diff := cmp.Diff(columns, listed); diff != "" {
		t.Errorf("-columns +listed:\n%s", diff)
	}
}
