//go:build glue && !noiceberg && !local

package catalogue

import _ "github.com/apache/iceberg-go/catalog/glue" // it registers itself by its type

func init() { types = append(types, "glue") }
