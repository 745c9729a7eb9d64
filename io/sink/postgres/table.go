package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// all returns the columns including the last one, which holds the document.
func all() []column {
	return append(slices.Clone(columns), column{name: "document", kind: "jsonb"})
}

// quoted returns a name in SQL, where offset is a keyword. Names are ours, or matched tableName. A schema and a table
// are two names, so the dot is outside the quotes.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, ".", `"."`) + `"` }

// list returns the names of columns, each formatted by f.
func list(of []column, f func(name string) string) string {
	names := make([]string, len(of))
	for i, c := range of {
		names[i] = f(quoted(c.name))
	}
	return strings.Join(names, ", ")
}

func asItIs(name string) string { return name }

// definitions returns the columns as in CREATE TABLE.
func definitions() string {
	var lines []string
	for i, c := range all() {
		line := quoted(c.name) + " " + c.kind
		// The key cannot be NULL, and the document is always known.
		if i < identity || c.name == "document" {
			line += " NOT NULL"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, ", ")
}

// upsert returns the statement that moves rows from the temporary table into table. An existing row is replaced as a
// whole, so that repeating a unit gives the same.
func upsert(table string) string {
	names := list(all(), asItIs)
	return "INSERT INTO " + quoted(table) + " (" + names + ") SELECT " + names + " FROM gleaner_rows ON CONFLICT (" +
		list(columns[:identity], asItIs) + ") DO UPDATE SET " +
		list(all()[identity:], func(name string) string { return name + " = EXCLUDED." + name })
}

// prepare makes the table if it is missing, and checks that it can be written to.
func prepare(ctx context.Context, c *pgconn.PgConn, table string) error {
	there, err := kinds(ctx, c, table)
	if err != nil {
		// The table is checked again after creating it: another worker may have made it, or somebody a different one.
		return err
	}
	if len(there) == 0 {
		if err := create(ctx, c, table); err != nil {
			return err
		}
		if there, err = kinds(ctx, c, table); err != nil {
			return err
		}
	}
	var differs []string
	for _, want := range all() {
		// Additional columns of the user do no harm.
		switch got := there[want.name]; got {
		case want.kind:
		case "":
			differs = append(differs, fmt.Sprintf("there is no column %s of type %s", quoted(want.name), want.kind))
		default:
			differs = append(differs, fmt.Sprintf("the column %s is of type %s and not %s", quoted(want.name), got, want.kind))
		}
	}
	if len(differs) > 0 {
		return &finalError{fmt.Errorf("the table %s is not one of ours: %s. Name another one by --postgres_table", table,
			strings.Join(differs, "; "))}
	}
	return checkKey(ctx, c, table)
}

// create makes the table, unless another worker is faster: then the server says that it, or its type, exists.
func create(ctx context.Context, c *pgconn.PgConn, table string) error {
	sql := "CREATE TABLE IF NOT EXISTS " + quoted(table) + " (" + definitions() + ", PRIMARY KEY (" +
		list(columns[:identity], asItIs) + "))"
	err := c.Exec(ctx, sql).Close()
	var said *pgconn.PgError
	// Unique violation in the catalogue, duplicate table, and duplicate object. Two concurrent sessions get one of
	// these in spite of IF NOT EXISTS.
	if errors.As(err, &said) && (said.Code == "23505" || said.Code == "42P07" || said.Code == "42710") {
		return nil
	}
	return err
}

// kinds returns the types of a table's columns by name, or none for a missing table.
func kinds(ctx context.Context, c *pgconn.PgConn, table string) (map[string]string, error) {
	// to_regclass returns NULL for a missing table, without an error.
	rows, err := query(ctx, c, `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`, quoted(table))
	kinds := map[string]string{}
	for _, r := range rows {
		kinds[string(r[0])] = string(r[1])
	}
	return kinds, err
}

// checkKey returns an error if the table lacks our key.
func checkKey(ctx context.Context, c *pgconn.PgConn, table string) error {
	// ON CONFLICT needs a unique index over these columns, which must not be partial.
	rows, err := query(ctx, c, `SELECT string_agg(attname, ',' ORDER BY attname) FROM pg_index JOIN pg_attribute
		ON attrelid = indrelid AND attnum = ANY(indkey)
		WHERE indrelid = to_regclass($1) AND indisunique AND indpred IS NULL GROUP BY indexrelid`, quoted(table))
	if err != nil {
		return err
	}
	for _, r := range rows {
		if string(r[0]) == "filename,offset,sequence" {
			return nil
		}
	}
	return &finalError{fmt.Errorf("the table %s has no unique index by which rows are known: ALTER TABLE %s ADD PRIMARY "+
		"KEY (%s)", table, quoted(table), list(columns[:identity], asItIs))}
}

// query returns the rows of a query with a name as its parameter.
func query(ctx context.Context, c *pgconn.PgConn, sql, name string) ([][][]byte, error) {
	r := c.ExecParams(ctx, sql, [][]byte{[]byte(name)}, nil, nil, nil).Read()
	return r.Rows, r.Err
}
