package pagestore

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
)

// Table is what a crawler's database knows about its pages, by URL without surrounding blanks.
type Table map[string]Page

// ReadTable reads a table of JSON lines or CSV. A line is like {"url": "http://a/", "id": 180, "kind": "url",
// "language": "en"}. CSV has these columns, in this order or in the order of a header line. Repeating a URL with other
// values is an error.
func ReadTable(r io.Reader) (Table, error) {
	in, t := bufio.NewReader(r), Table{}
	// The first byte distinguishes the forms: no URL begins with a brace.
	head, err := in.Peek(1)
	if err == io.EOF {
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pagestore: table: %w", err)
	}
	if head[0] == '{' {
		return t, t.readJSON(in)
	}
	return t, t.readCSV(in)
}

func (t Table) add(url string, p Page) error {
	url = strip(url)
	switch old, known := t[url]; {
	case url == "":
		// The ID and the language must not shift the columns of a line.
		return errors.New("no URL")
	case !isColumn(p.ID):
		return fmt.Errorf("%s: the id %q is no column", url, p.ID)
	case !isColumn(p.Language):
		return fmt.Errorf("%s: the language %q is no column", url, p.Language)
	case p.Kind != KindURL && p.Kind != KindRSS && p.Kind != KindFile:
		return fmt.Errorf("%s: the kind %q is none of url, rss and file", url, p.Kind)
	// A repeated row is harmless, a contradicting one is not.
	case known && old != p:
		return fmt.Errorf("%s: %+v here, and %+v before", url, p, old)
	}
	t[url] = p
	return nil
}

func (t Table) readJSON(r io.Reader) error {
	// A small limit on lines, so that a wrong file fails at once.
	lines, err := jsonl.NewReaderOptions(r, jsonl.Options{MaxLineBytes: 1 << 20})
	if err != nil {
		return fmt.Errorf("pagestore: table: %w", err)
	}
	for n := 1; ; n++ {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		var row struct {
			URL, Kind, Language string
			ID                  any
		}
		if err == nil {
			d := json.NewDecoder(strings.NewReader(string(line)))
			// As float64, large numbers would change.
			d.UseNumber() // IDs are numbers or texts
			err = d.Decode(&row)
		}
		if err == nil {
			err = t.add(row.URL, Page{idOf(row.ID), row.Kind, row.Language})
		}
		if err != nil {
			return fmt.Errorf("pagestore: table: row %d: %w", n, err)
		}
	}
}

// idOf returns an ID that is a number or a text, or "".
func idOf(v any) string {
	switch id := v.(type) {
	case json.Number:
		return id.String()
	case string:
		return id
	}
	return ""
}

func (t Table) readCSV(r io.Reader) error {
	in := csv.NewReader(r)
	// ReuseRecord overwrites rows, so values are copied.
	in.FieldsPerRecord, in.ReuseRecord = 4, true
	// The default order of columns.
	at := map[string]int{"url": 0, "id": 1, "kind": 2, "language": 3}
	for first := true; ; first = false {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("pagestore: table: %w", err)
		}
		// Only the first row can be a header, and only if it names all four.
		if names := columnNames(row); first && names != nil {
			at = names
			continue
		}
		p := Page{row[at["id"]], row[at["kind"]], row[at["language"]]}
		if err := t.add(strings.Clone(row[at["url"]]), p); err != nil {
			line, _ := in.FieldPos(0)
			return fmt.Errorf("pagestore: table: line %d: %w", line, err)
		}
	}
}

// columnNames returns the positions of the columns if a row names all of them, or nil.
func columnNames(row []string) map[string]int {
	at := map[string]int{}
	// Spreadsheets write a byte order mark.
	for i, name := range row {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\uFEFF")))] = i
	}
	for _, name := range []string{"url", "id", "kind", "language"} {
		if _, ok := at[name]; !ok {
			return nil
		}
	}
	return at
}
