// Package catalogue lets package lake use the catalogues that its options name: rest and glue. It is apart, since their
// clients are of use to few programs; who wants them imports it for that alone.
//
//	import _ "github.com/gleaner-web/gleaner/io/collection/lake/catalogue"
package catalogue

import (
	// Each registers itself by its type.
	_ "github.com/apache/iceberg-go/catalog/glue"
	_ "github.com/apache/iceberg-go/catalog/rest"
)
