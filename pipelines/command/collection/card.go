package collection

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"reflect"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// cardFile is the card of a dataset for the Hugging Face hub and its library.
const cardFile = "README.md"

// writeCard writes the card of the collection, with which load_dataset reads the folder.
func writeCard(_ context.Context, j *job) (int, error) {
	m, err := holdings.ReadManifest(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	about, err := holdings.ReadAbout(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	ext := formatOf(m)
	if ext == "" {
		return cli.ExitFailed, fmt.Errorf("%s has no documents as Parquet or JSON lines", j.f.Path(""))
	}
	if err := j.f.Write(cardFile, cardOf(m, about, ext)); err != nil {
		return cli.ExitFailed, err
	}
	j.say("card       %s: documents-*%s", j.f.Path(cardFile), ext)
	return cli.ExitDone, nil
}

// formatOf returns the extension of the documents for load_dataset, which takes one format of a folder. It is Parquet,
// unless fewer units have that.
func formatOf(m schemas.Manifest) string {
	units := map[string]int{}
	for _, u := range m.Units {
		for _, s := range u.Shards {
			if base := path.Base(s.Name); strings.HasPrefix(base, "documents-") {
				_, ext, _ := strings.Cut(base, ".")
				units["."+ext]++
			}
		}
	}
	best := ""
	for _, ext := range []string{".parquet", ".jsonl.zst", ".jsonl.gz", ".jsonl"} {
		if units[ext] > units[best] {
			best = ext
		}
	}
	return best
}

// cardOf returns the card. JSON lines leave out empty fields, so readers have to be told all columns.
func cardOf(m schemas.Manifest, about holdings.About, ext string) []byte {
	var b strings.Builder
	title := cmp.Or(about.Title, "A collection of web pages")
	fmt.Fprintf(&b, "---\npretty_name: %s\nlicense: unknown\nconfigs:\n- config_name: default\n  data_files:\n"+
		"  - split: train\n    path: \"documents-*%s\"\n", strconv.Quote(title), ext)
	if ext != ".parquet" {
		b.WriteString("dataset_info:\n- config_name: default\n  features:\n")
		for _, c := range schemas.Columns() {
			writeFeature(&b, "  ", c)
		}
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n%d documents of web archives, made by Gleaner.\n", title, m.Totals.Documents)
	if about.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", about.Description)
	}
	b.WriteString("\nLicences of the pages are unknown: each document has its `url`.\n")
	return []byte(b.String())
}

// writeFeature writes a column as the library's YAML has it: struct, list, or the name of a type.
func writeFeature(b *strings.Builder, indent string, c schemas.Column) {
	fmt.Fprintf(b, "%s- name: %s\n", indent, c.Name)
	t, kind := c.Type, "dtype"
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice {
		t, kind = t.Elem(), "list"
	}
	if t.Kind() != reflect.Struct {
		fmt.Fprintf(b, "%s  %s: %s\n", indent, kind, dtype(t))
		return
	}
	if kind == "dtype" {
		kind = "struct"
	}
	fmt.Fprintf(b, "%s  %s:\n", indent, kind)
	for _, inner := range c.Columns {
		writeFeature(b, indent+"  ", inner)
	}
}

func dtype(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Map:
		return "json"
	case reflect.Bool:
		return "bool"
	case reflect.Float64:
		return "float64"
	case reflect.Int, reflect.Int64:
		return "int64"
	}
	return "string"
}
