// Package odmio makes rows of package schemas/odm elements of pipelines, on any runner: Register gives Beam a coder for
// a type of rows. Without it Beam would treat a row as a struct with only its key.
//
//	func init() { odmio.Register[string, ResourceVersion]() }
//
//	pages := beam.ParDo(s, readPages, tables)  // emits *odm.Row[string, ResourceVersion]
//
// Elements may be rows, pointers to rows, and keys of KV. A row travels with the columns of its schema, so that workers
// need not know its collection. The package does not access tables: a DoFn does, with odm.Collection.
package odmio

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"

	"github.com/gleaner-web/gleaner/schemas/odm"
)

func init() {
	beam.RegisterFunction(encode)
	beam.RegisterFunction(decode)
	// This coder catches unregistered types of rows, so that Beam refuses the type by name.
	coder.RegisterDeterministicCoder(reflect.TypeFor[odm.Element](), encode, decode)
}

// Register makes rows with keys of type K and versions of type V elements of pipelines. An init function of the program
// has to call it before beam.Init.
func Register[K odm.Key, V odm.Version]() {
	beam.RegisterType(reflect.TypeFor[odm.Row[K, V]]())
	for _, t := range []reflect.Type{reflect.TypeFor[odm.Row[K, V]](), reflect.TypeFor[*odm.Row[K, V]]()} {
		coder.RegisterDeterministicCoder(t, encode, decode)
	}
}

// encode returns the bytes of a row.
func encode(row beam.T) ([]byte, error) {
	e, ok := row.(odm.Element)
	if !ok {
		return nil, fmt.Errorf("odmio: a %T is no row", row)
	}
	return e.MarshalBinary()
}

// decode makes a row of type t, or a pointer to one.
func decode(t reflect.Type, b []byte) (beam.T, error) {
	pointed := t.Kind() == reflect.Pointer
	if pointed {
		t = t.Elem()
	}
	row := reflect.New(t)
	u, ok := row.Interface().(encoding.BinaryUnmarshaler)
	if !ok {
		return nil, fmt.Errorf("odmio: a %v is no row", t)
	}
	if err := u.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	if pointed {
		return row.Interface(), nil
	}
	return row.Elem().Interface(), nil
}
