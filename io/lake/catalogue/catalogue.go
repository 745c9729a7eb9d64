// Package catalogue lets package lake use the catalogues that its options name: rest and sql. Programs that are built
// with -tags glue get glue too, whose client takes 14 MB. It is a package of its own because few programs need these
// clients: import it for its side effect alone.
//
//	import _ "github.com/gleaner-web/gleaner/io/lake/catalogue"
//
// A catalogue in SQL consists of the tables iceberg_tables and iceberg_namespace_properties, as in Iceberg's JDBC
// catalogue and pyiceberg's SqlCatalog. This package includes the driver for SQLite. The properties of a catalogue in a
// SQLite file are:
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
)

// types are the known types of catalogues.
var types = []string{"rest", "sql"}

// maxFile limits the size of a file of properties.
const maxFile = 1 << 16

// Read reads the options of a table in a catalogue from a YAML file. Each line is a property of the catalogue, and
// "table" is the name of the table. A value $NAME stands for the environment variable NAME.
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
		// The parser's message quotes values, and one may be a secret.
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
