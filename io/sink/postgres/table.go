package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// all are the columns with the last one, which holds the document.
func all() []column {
	return append(slices.Clone(columns), column{name: "document", kind: "jsonb"})
}

// quoted is a name in SQL; offset is a word of its own there. Names are ours, or matched tableName.
// A schema and a table are two names, hence the quotes around the dot.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, ".", `"."`) + `"` }

// list is the names of columns, each as f writes it.
func list(of []column, f func(name string) string) string {
	names := make([]string, len(of))
	for i, c := range of {
		names[i] = f(quoted(c.name))
	}
	return strings.Join(names, ", ")
}

func asItIs(name string) string { return name }

// definitions are the columns as CREATE TABLE has them.
func definitions() string {
	var lines []string
	for i, c := range all() {
		line := quoted(c.name) + " " + c.kind
		// What rows are known by cannot be unknown, and the document is always there.
		if i < identity || c.name == "document" {
			line += " NOT NULL"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, ", ")
}

// upsert is the statement that takes rows from next to the table into it.
// A row that is there is replaced as a whole, so that doing a unit again gives the same.
func upsert(table string) string {
	names := list(all(), asItIs)
	return "INSERT INTO " + quoted(table) + " (" + names + ") SELECT " + names + " FROM gleaner_rows ON CONFLICT (" +
		list(columns[:identity], asItIs) + ") DO UPDATE SET " +
		list(all()[identity:], func(name string) string { return name + " = EXCLUDED." + name })
}

// prepare makes the table when it is not there, and reports whether it can be written to.
func prepare(ctx context.Context, c *pgconn.PgConn, table string) error {
	there, err := kinds(ctx, c, table)
	if err != nil {
		// After creating it is looked at again: another worker may have made it, or somebody a table of another
		// form.
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
		// Further columns of the user's own do no harm.
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

// create makes the table, unless another worker is faster: then the server says that it, or its type, is there.
func create(ctx context.Context, c *pgconn.PgConn, table string) error {
	sql := "CREATE TABLE IF NOT EXISTS " + quoted(table) + " (" + definitions() + ", PRIMARY KEY (" +
		list(columns[:identity], asItIs) + "))"
	err := c.Exec(ctx, sql).Close()
	var said *pgconn.PgError
	// Unique violation in the catalogue, duplicate table, and duplicate object: two sessions that create at once
	// get one of these in spite of IF NOT EXISTS.
	if errors.As(err, &said) && (said.Code == "23505" || said.Code == "42P07" || said.Code == "42710") {
		return nil
	}
	return err
}

// kinds are the types of a table's columns by their names; none when there is no such table.
func kinds(ctx context.Context, c *pgconn.PgConn, table string) (map[string]string, error) {
	// to_regclass gives NULL for a table that is not there, and no error.
	rows, err := query(ctx, c, `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`, quoted(table))
	kinds := map[string]string{}
	for _, r := range rows {
		kinds[string(r[0])] = string(r[1])
	}
	return kinds, err
}

// checkKey reports whether rows are known by what we know them by.
func checkKey(ctx context.Context, c *pgconn.PgConn, table string) error {
	// Any unique index over these columns will do for ON CONFLICT, but not a partial one.
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

// query returns the rows of a question about a name.
func query(ctx context.Context, c *pgconn.PgConn, sql, name string) ([][][]byte, error) {
	r := c.ExecParams(ctx, sql, [][]byte{[]byte(name)}, nil, nil, nil).Read()
	return r.Rows, r.Err
}
