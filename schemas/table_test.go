package schemas

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of document fields in docs/documents.md again")

const page = "../docs/documents.md"

// TestDocumentation_namesEveryField: docs/documents.md has a row for each field that a document, a reject or a feed can
// have, with its type.
func TestDocumentation_namesEveryField(t *testing.T) {
	text := read(t)
	for title, columns := range map[string][]Column{
		"Document": Columns(),
		"Reject":   ColumnsOf(reflect.TypeFor[Reject]()),
		"Feed":     ColumnsOf(reflect.TypeFor[FeedCapture]()),
	} {
		_, section, found := strings.Cut(text, "\n## "+title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		rows := rowsOf("", columns)
		if !found || len(rows) < 5 {
			t.Fatalf("docs/documents.md has no section %s, or no fields: %d", title, len(rows))
		}
		for _, row := range rows {
			if !strings.Contains(section, "\n"+row) {
				t.Errorf("docs/documents.md, section %s, has no row %s", title, row)
			}
		}
	}
}

// rowsOf are the beginnings of rows of columns: names are written a, b.c, d[].e.
func rowsOf(prefix string, columns []Column) (rows []string) {
	for _, c := range columns {
		path := prefix + c.Name
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", path, typeName(c.Type)))
		if c.Type.Kind() == reflect.Slice {
			path += "[]"
		}
		rows = append(rows, rowsOf(path+".", c.Columns)...)
	}
	return rows
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "list of strings"
		}
		return "list"
	case reflect.Map:
		if t.Elem().Kind() == reflect.Slice {
			return "map of lists"
		}
		return "map"
	case reflect.Struct:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	}
	return "integer"
}

// TestDocumentation_showsTheTable compares the last section of docs/documents.md with the columns.
func TestDocumentation_showsTheTable(t *testing.T) {
	var b strings.Builder
	for _, c := range Columns() {
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s | %s |\n", c.Name, c.ID, c.By, cmp.Or(c.Family, "metadata"), indexName(c))
	}
	text := read(t)
	const head = "|---|---|---|---|---|\n| `url` | 1 |"
	i := strings.LastIndex(text, head)
	if i < 0 {
		t.Fatal("docs/documents.md has no table of where fields go")
	}
	want := text[:i] + strings.TrimSuffix(head, "| `url` | 1 |") + b.String()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text != want {
		t.Errorf("the table at the end of docs/documents.md is not that of the columns: go test ./schemas -update writes it")
	}
}

func indexName(c Column) string {
	var inner []string
	for _, f := range c.Columns {
		if name := indexName(f); name != "" {
			inner = append(inner, "`"+f.Name+"` "+name)
		}
	}
	if c.Index == NoIndex || c.Columns == nil {
		return string(c.Index)
	}
	return strings.Join(inner, ", ")
}

func read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestColumns: each column has a description, and an id that no other has.
func TestColumns(t *testing.T) {
	ids := map[int]string{}
	var check func(prefix string, columns []Column)
	check = func(prefix string, columns []Column) {
		for _, c := range columns {
			if name := prefix + c.Name; c.Text == "" {
				t.Errorf("%s has no comment in document.go", name)
			} else if prefix == "" && (c.ID == 0 || ids[c.ID] != "") {
				t.Errorf("%s has the id %d, as %q", name, c.ID, ids[c.ID])
			}
			ids[c.ID] = prefix + c.Name
			check(c.Name+".", c.Columns)
		}
	}
	check("", Columns())
}

func TestColumnsOf_unknownOption(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown option is taken")
		}
	}()
	ColumnsOf(reflect.TypeFor[struct {
		A int `json:"a" field:"id=1,fast"`
	}]())
}

func TestMakers(t *testing.T) {
	for path, want := range map[string]string{
		"":                       "[]",
		"url":                    "[]",
		"nothing":                "[]",
		"custom.price":           "[]",
		"redirect_url":           "[]",
		"title":                  "[metadata]",
		"titles":                 "[]",
		"language":               "[language]",
		"languages.share":        "[language]",
		"page_languages.code":    "[language]",
		"entities":               "[entities]",
		"entities.text":          "[entities]",
		"entities.sentiment":     "[entities sentiment]",
		"entities.sentiments":    "[entities]",
		"sentiment.score":        "[sentiment]",
		"data.type":              "[data]",
		"rights.signal":          "[rights]",
		"licenses.name":          "[licenses]",
		"image.exif":             "[images]",
		"images.alt":             "[images]",
		"metadata_sources.title": "[metadata]",
		"needs_ocr.reason":       "[metadata]",
		"posts.author":           "[text]",
	} {
		if got := fmt.Sprint(Makers(path)); got != want {
			t.Errorf("Makers(%q) = %s, want %s", path, got, want)
		}
	}
}
