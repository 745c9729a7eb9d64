package query

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/contentsql"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
)

// sqlFormats are the formats of answers to --sql, whose rows are not captures.
var sqlFormats = []string{formatTable, formatJSONL, formatCSV}

// sqlWith are the flags of query that are allowed with --sql; the statement expresses the others.
var sqlWith = []string{
	"sql", "collection", "snapshot", "catalogue", "sources", "format", "output", "no_index", "memory",
}

// checkSQL finds flags that conflict with --sql.
func (c *config) checkSQL() (err error) {
	flag.Visit(func(f *flag.Flag) {
		ours := slices.ContainsFunc(c.settings(), func(s setting.Setting) bool { return s.Name == f.Name })
		if err == nil && ours && !slices.Contains(sqlWith, f.Name) {
			err = cli.Usagef("--%s does not go with --sql: the statement says which captures, and "+
				"documents('FILTER') takes a filter of --where", f.Name)
		}
	})
	switch {
	case err != nil:
		return err
	case c.isTable():
		return cli.Usagef("--sql asks the folder that ingest wrote, and no table of HBase")
	case c.runner != "":
		return cli.Usagef("--sql is answered by this process, and not by --runner=%s", c.runner)
	case !slices.Contains(sqlFormats, c.format):
		return cli.Usagef("--format=%s: with --sql there are table, jsonl and csv", c.format)
	}
	return nil
}

// writeSQL writes the rows of a statement.
func writeSQL(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (n int64, err error) {
	var o contentsql.Options
	if c.known != nil {
		o.Sources = c.known
	}
	rows, err := contentsql.Query(ctx, db, c.sql, o)
	if errors.Is(err, contentsql.ErrStatement) {
		return 0, cli.Usagef("--sql: %v", err)
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	w, err := newRowWriter(c.format, rows.Columns(), out)
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		if err := w.write(rows.Values()); err != nil {
			return n, err
		}
		n++
	}
	// Some errors of a statement appear only when it runs, as in a filter made by a join.
	if err := rows.Err(); errors.Is(err, contentsql.ErrStatement) {
		return n, cli.Usagef("--sql: %v", err)
	} else if err != nil {
		return n, err
	}
	return n, w.close()
}

type rowWriter interface {
	write(values []any) error
	close() error
}

func newRowWriter(format string, names []string, out io.Writer) (rowWriter, error) {
	switch format {
	case formatTable:
		return rowTable{export.NewTable(out, names)}, nil
	case formatCSV:
		w, err := export.NewCSV(out, names)
		return rowCSV{w}, err
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return nil, cli.Usagef("--sql: two columns are called %q: give one another name by AS, or take --format=csv", name)
		}
		seen[name] = true
	}
	return &rowLines{bufio.NewWriter(out), names}, nil
}

type rowTable struct{ w *export.Table }

func (w rowTable) write(values []any) error { return w.w.Add(texts(values)) }
func (w rowTable) close() error             { return w.w.Close() }

// rowCSV writes comma-separated values; NULL is empty.
type rowCSV struct{ w *export.CSV }

func (w rowCSV) write(values []any) error { return w.w.Row(texts(values)) }
func (w rowCSV) close() error             { return w.w.Close() }

type rowLines struct {
	w     *bufio.Writer
	names []string
}

func (w *rowLines) close() error { return w.w.Flush() }

func (w *rowLines) write(values []any) error {
	line := []byte("{")
	for i, v := range values {
		if i > 0 {
			line = append(line, ',')
		}
		name, err := jsonOf(w.names[i])
		if err != nil {
			return err
		}
		value, err := jsonOf(v)
		if err != nil {
			return err
		}
		line = append(append(append(line, name...), ':'), value...)
	}
	_, err := w.w.Write(append(line, '}', '\n'))
	return err
}

// jsonOf encodes a value as SQLite's own JSON functions do, with 9e999 for infinity. They refuse bytes, which become
// hexadecimal digits.
func jsonOf(v any) ([]byte, error) {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) {
			return []byte(map[bool]string{true: "9e999", false: "-9e999"}[v > 0]), nil
		}
	case []byte:
		return json.Marshal(hex.EncodeToString(v))
	}
	// strconv would quote as Go does.
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // keep & readable in URLs
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// texts formats values as cells.
func texts(values []any) []string {
	list := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case float64:
			list[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case []byte:
			list[i] = hex.EncodeToString(v)
		default:
			list[i] = fmt.Sprint(v)
		}
	}
	return list
}
