// Package catalogue lets package lake use the catalogues that its options name: rest and sql, and glue in programs that
// are built with -tags glue, as its client takes 14 MB. It is apart, since their clients are of use to few programs:
// who wants them imports it for that alone.
//
//	import _ "github.com/gleaner-web/gleaner/io/lake/catalogue"
//
// A catalogue in SQL is the tables iceberg_tables and iceberg_namespace_properties, which Iceberg's JDBC catalogue and
// pyiceberg's SqlCatalog have, too. The properties of one in a file of SQLite, whose driver comes with this package:
//
//	"type": "sql", "sql.driver": "sqlite", "sql.dialect": "sqlite", "uri": "file:/data/catalogue.db",
//	"init_catalog_tables": "true"
package catalogue

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/io/lake"

	// Each registers itself by its type.
	_ "github.com/apache/iceberg-go/catalog/rest"
	_ "github.com/apache/iceberg-go/catalog/sql"
	// And the driver by its name, "sqlite".
	_ "modernc.org/sqlite"
)

// types are the catalogues that there are.
var types = []string{"rest", "sql"}

// maxFile bounds a file of properties.
const maxFile = 1 << 16

// Read reads the options of a table in a catalogue from a file in YAML: the properties of the catalogue, each a line,
// and the name of the table as "table". A value $NAME is that of the environment variable NAME.
//
//	type: rest
//	uri: https://catalogue.example.org/
//	credential: $CATALOGUE_CREDENTIAL
//	table: web.documents
func Read(name string) (o lake.Options, err error) {
	f, err := os.Open(name)
	if err != nil {
		return o, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return o, err
	}
	if len(data) > maxFile {
		return o, fmt.Errorf("%s: longer than %d bytes", name, maxFile)
	}
	if err := yaml.Unmarshal(data, &o.Catalogue); err != nil {
		// What the parser says quotes values, of which one may be a secret.
		return o, fmt.Errorf("%s: not lines of `property: value` in YAML", name)
	}
	if kind := o.Catalogue["type"]; !slices.Contains(types, kind) {
		return o, fmt.Errorf("%s: type is %q; there are %s, and glue in a program that is built with -tags glue",
			name, kind, strings.Join(types, ", "))
	}
	for key, value := range o.Catalogue {
		variable, ok := strings.CutPrefix(value, "$")
		if !ok {
			continue
		}
		if o.Catalogue[key], ok = os.LookupEnv(variable); !ok {
			return o, fmt.Errorf("%s: %s: there is no environment variable %s", name, key, variable)
		}
	}
	o.Name = o.Catalogue["table"]
	delete(o.Catalogue, "table")
	return o, nil
}
