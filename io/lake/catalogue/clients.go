//go:build !noiceberg && !local

package catalogue

import (
	// Each registers itself by its type.
	_ "github.com/apache/iceberg-go/catalog/rest"
	_ "github.com/apache/iceberg-go/catalog/sql"
	// And the driver by its name, "sqlite".
	_ "modernc.org/sqlite"
)
