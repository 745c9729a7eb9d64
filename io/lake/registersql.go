//go:build !noiceberg && !local

package lake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// sqlCatalogue is a catalogue in a database. The library's client for it creates tables but cannot register existing
// metadata. Its table iceberg_tables has one row for each table, as in Iceberg's JDBC catalogue and in pyiceberg.
type sqlCatalogue struct{ properties map[string]string }

// RegisterTable inserts the row. If another process has registered the table in the meantime, the primary key makes the
// insert fail. The result is nil: the table is loaded when it is needed.
func (c sqlCatalogue) RegisterTable(
	ctx context.Context, ident table.Identifier, metadata string,
) (_ *table.Table, err error) {
	db, err := sql.Open(c.properties["sql.driver"], strings.TrimPrefix(c.properties["uri"], "sql://"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// Placeholders in the syntax of each database, so that no user input becomes part of the statement.
	marks := "?, ?, ?, ?, 'TABLE'"
	switch dialect := c.properties["sql.dialect"]; dialect {
	case "sqlite", "mysql":
	case "postgres":
		marks = "$1, $2, $3, $4, 'TABLE'"
	default:
		return nil, fmt.Errorf("tables are not registered in SQL's dialect %q: it is sqlite, postgres or mysql", dialect)
	}
	// The last part is the table's name. The others are the namespace, joined as in the JDBC catalogue.
	last := len(ident) - 1
	_, err = db.ExecContext(ctx, "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, "+
		"metadata_location, iceberg_type) VALUES ("+marks+")",
		catalogueName, strings.Join(ident[:last], "."), ident[last], metadata)
	return nil, err
}

// catalogueName is the name of this catalogue in a database, which may hold several.
const catalogueName = "gleaner"

// registrarOf returns the registrar of a catalogue, or nil if the catalogue has none.
func registrarOf(cat table.CatalogIO, properties iceberg.Properties) registrar {
	// REST and Glue catalogues are registrars. The library's SQL catalogue is not, so we use ours.
	if r, ok := cat.(registrar); ok {
		return r
	}
	if properties["type"] == "sql" {
		return sqlCatalogue{properties}
	}
	return nil
}
