//go:build later

// Package later keeps the modules in go.mod that the Content DB is going to import.
package later

import (
	_ "cloud.google.com/go/bigtable"
	_ "cloud.google.com/go/bigtable/bttest"
	_ "github.com/RoaringBitmap/roaring/v2"
	_ "github.com/apache/iceberg-go/catalog/glue"
	_ "github.com/apache/iceberg-go/catalog/hadoop"
	_ "github.com/apache/iceberg-go/catalog/rest"
	_ "github.com/apache/iceberg-go/catalog/sql"
	_ "github.com/apache/iceberg-go/io/gocloud"
	_ "github.com/apache/iceberg-go/table"
	_ "modernc.org/sqlite"
)
