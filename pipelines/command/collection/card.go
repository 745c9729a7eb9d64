package collection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	ext, files, err := cardFiles(m)
	if err != nil {
		return cli.ExitFailed, fmt.Errorf("%s: %w", j.f.Path(""), err)
	}
	if err := j.f.Write(cardFile, cardOf(m, about, ext, files)); err != nil {
		return cli.ExitFailed, err
	}
	j.say("card       %s: %s documents-*%s", j.f.Path(cardFile), cli.Plural(len(files), "file"), ext)
	return cli.ExitDone, nil
}

// cardFiles returns the files of the documents for load_dataset, and their extension. The library takes one format of a
// folder, so all units need that. Files that the manifest does not name have the same documents as others.
func cardFiles(m schemas.Manifest) (ext string, files []string, err error) {
	lacking := 0
	for _, ext = range []string{".parquet", ".jsonl.zst", ".jsonl.gz", ".jsonl"} {
		files, lacking = nil, 0
		for _, u := range m.Units {
			has, other := "", false
			for _, s := range u.Shards {
				switch p, _ := holdings.FileTypeOf(s.Name); {
				case p.Kind == holdings.KindDocuments && p.Ext == ext:
					has = s.Name
				case p.Kind == holdings.KindDocuments:
					other = true
				}
			}
			switch {
			case has != "":
				files = append(files, has)
			case other:
				lacking++
			}
		}
		if len(files) > 0 && lacking == 0 {
			return ext, files, nil
		}
	}
	if lacking == 0 {
		return "", nil, errors.New("there are no documents as Parquet or JSON lines")
	}
	return "", nil, errors.New("no format has the documents of all units, and a card names one: first give it one by " +
		"collection compact")
}

// cardOf returns the card. JSON lines leave out empty fields, so readers have to be told all columns.
func cardOf(m schemas.Manifest, about holdings.About, ext string, files []string) []byte {
	var b strings.Builder
	title := cmp.Or(about.Title, "A collection of web pages")
	fmt.Fprintf(&b, "---\npretty_name: %s\nlicense: unknown\nconfigs:\n- config_name: default\n  data_files:\n"+
		"  - split: train\n    path:\n", strconv.Quote(title))
	for _, name := range files {
		fmt.Fprintf(&b, "    - %q\n", name)
	}
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
