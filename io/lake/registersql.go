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

// sqlCatalogue is a catalogue in a database, whose client in the library makes tables and cannot register one that is
// there. Its table iceberg_tables is that of Iceberg's JDBC catalogue, which pyiceberg has, too: one row a table.
type sqlCatalogue struct{ properties map[string]string }

// RegisterTable writes the row. That of a table which another process has registered meanwhile has the same primary
// key, so that one of the two fails. The result is nil: the table is loaded when it is needed.
func (c sqlCatalogue) RegisterTable(
	ctx context.Context, ident table.Identifier, metadata string,
) (_ *table.Table, err error) {
	db, err := sql.Open(c.properties["sql.driver"], strings.TrimPrefix(c.properties["uri"], "sql://"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// Places for values, in the way of each database: nothing that a user has written is put into the
	// statement.
	marks := "?, ?, ?, ?, 'TABLE'"
	switch dialect := c.properties["sql.dialect"]; dialect {
	case "sqlite", "mysql":
	case "postgres":
		marks = "$1, $2, $3, $4, 'TABLE'"
	default:
		return nil, fmt.Errorf("tables are not registered in SQL's dialect %q: it is sqlite, postgres or mysql", dialect)
	}
	// The last part is the table's name; those before are the namespace, joined as the JDBC catalogue
	// does.
	last := len(ident) - 1
	_, err = db.ExecContext(ctx, "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, "+
		"metadata_location, iceberg_type) VALUES ("+marks+")",
		catalogueName, strings.Join(ident[:last], "."), ident[last], metadata)
	return nil, err
}

// catalogueName is what catalogues in databases know this one by: one database may hold several.
const catalogueName = "gleaner"

// registrarOf is what registers tables in a catalogue; nil when nothing does.
func registrarOf(cat table.CatalogIO, properties iceberg.Properties) registrar {
	// REST and Glue are; the library's SQL catalogue is not, hence ours.
	if r, ok := cat.(registrar); ok {
		return r
	}
	if properties["type"] == "sql" {
		return sqlCatalogue{properties}
	}
	return nil
}
