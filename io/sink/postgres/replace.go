package postgres

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Field is a column of a table that Replace writes: its name, and its type with the rest of its definition.
type Field struct{ Name, Type string }

// Replace makes the table of c have exactly these rows, in one transaction. Readers see either all old rows or all new
// ones, even if it fails or is killed. It makes a missing table, with note as its comment. It refuses a table with
// another comment, because that belongs to somebody else. rows may be iterated more than once. Values are string,
// float64, bool, time.Time (NULL if zero) and json.RawMessage. It repeats a broken transaction, like a sink.
func (c *Config) Replace(ctx context.Context, note string, fields []Field, rows iter.Seq2[[]any, error]) error {
	pool, err := c.Pool()
	if err != nil {
		return err
	}
	return errors.Join(pool.Try(ctx, c.Patience(), func(conn *pgconn.PgConn) error {
		return replace(ctx, conn, c.Table, note, fields, rows)
	}), pool.Close())
}

func replace(
	ctx context.Context, c *pgconn.PgConn, table, note string, fields []Field, rows iter.Seq2[[]any, error],
) error {
	if err := ours(ctx, c, table, note); err != nil {
		return err
	}
	var defined, names []string
	for _, f := range fields {
		defined = append(defined, quoted(f.Name)+" "+f.Type)
		names = append(names, quoted(f.Name))
	}
	// Another version has other columns, so the table is made again each time. Readers wait only for that moment.
	begin := "BEGIN; CREATE TABLE " + quoted(table+"_new") + " (" + strings.Join(defined, ", ") + ");"
	if err := c.Exec(ctx, begin).Close(); err != nil {
		return err
	}
	in, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		out.CloseWithError(writeRows(out, rows))
	}()
	_, err := c.CopyFrom(ctx, in, "COPY "+quoted(table+"_new")+" ("+strings.Join(names, ", ")+") FROM STDIN")
	err = errors.Join(err, in.Close())
	<-done // it ends when nobody reads any more
	if err != nil {
		return err
	}
	name := table[strings.LastIndexByte(table, '.')+1:] // without the schema
	return c.Exec(ctx, fmt.Sprintf(
		"DROP TABLE IF EXISTS %s; ALTER TABLE %s RENAME TO %s; COMMENT ON TABLE %s IS %s; COMMIT",
		quoted(table), quoted(table+"_new"), quoted(name), quoted(table), literal(note))).Close()
}

// literal returns a text as an SQL literal. Our texts have no backslash.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// ours reports whether the table may be replaced: it is missing, or was made by Replace.
func ours(ctx context.Context, c *pgconn.PgConn, table, note string) error {
	there, err := query(ctx, c, "SELECT coalesce(obj_description(to_regclass($1)), '') WHERE to_regclass($1) IS NOT NULL",
		quoted(table))
	if err != nil || len(there) == 0 {
		return err
	}
	if got := string(there[0][0]); got != note {
		return &finalError{fmt.Errorf("the table %s is not one that this command made (its comment is not %q): name "+
			"another one", table, note)}
	}
	return nil
}

// writeRows writes rows in the text format of COPY.
func writeRows(w io.Writer, rows iter.Seq2[[]any, error]) error {
	b := bufio.NewWriterSize(w, 64<<10)
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, value := range row {
			if i > 0 {
				_ = b.WriteByte('\t') // the error stays, and Flush returns it
			}
			_, _ = b.WriteString(copyText(value))
		}
		if err := b.WriteByte('\n'); err != nil {
			return err
		}
	}
	return b.Flush()
}

// copyEscapes escapes the special characters of COPY's text format, and replaces NUL, which no text may have.
var copyEscapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x00", "\ufffd")

// copyText returns a value in COPY's text format.
func copyText(value any) string {
	switch v := value.(type) {
	case string:
		return copyEscapes.Replace(strings.ToValidUTF8(v, "\ufffd"))
	case json.RawMessage:
		return copyEscapes.Replace(string(withoutNUL(v)))
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		if !v.IsZero() {
			return v.UTC().Format(time.RFC3339Nano)
		}
	}
	return `\N`
}
