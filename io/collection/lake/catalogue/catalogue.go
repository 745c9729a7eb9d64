// Package catalogue lets package lake use the catalogues that its options name: rest, glue and sql. It is apart, since
// their clients are of use to few programs; who wants them imports it for that alone.
//
//	import _ "github.com/gleaner-web/gleaner/io/collection/lake/catalogue"
//
// A catalogue in SQL is the tables iceberg_tables and iceberg_namespace_properties, which Iceberg's JDBC catalogue and
// pyiceberg's SqlCatalog have, too. The properties of one in a file of SQLite, whose driver comes with this package:
//
//	"type": "sql", "sql.driver": "sqlite", "sql.dialect": "sqlite", "uri": "file:/data/catalogue.db",
//	"init_catalog_tables": "true"
package catalogue

import (
	// Each registers itself by its type.
	_ "github.com/apache/iceberg-go/catalog/glue"
	_ "github.com/apache/iceberg-go/catalog/rest"
	_ "github.com/apache/iceberg-go/catalog/sql"
	// And the driver by its name, "sqlite".
	_ "modernc.org/sqlite"
)
