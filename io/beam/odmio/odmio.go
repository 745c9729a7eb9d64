// Package odmio makes rows of package schemas/odm elements of pipelines, on any runner: Register gives Beam a coder of
// a type of rows. Without it Beam would take a row for a struct with no fields but its key.
//
//	func init() { odmio.Register[string, ResourceVersion]() }
//
//	pages := beam.ParDo(s, readPages, tables)  // emits *odm.Row[string, ResourceVersion]
//
// Elements may be rows or pointers to rows, and keys of KV. A row travels with the columns of its schema, so that
// workers need not know its collection. It does not read or write tables: a DoFn does, with odm.Collection.
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
	// Rows of types that nobody has registered are found by this one: Beam then refuses their type by name.
	coder.RegisterDeterministicCoder(reflect.TypeFor[odm.Element](), encode, decode)
}

// Register makes rows with keys of type K and versions of type V elements of pipelines. It is to be called by an init
// function of the program, before beam.Init.
func Register[K odm.Key, V odm.Version]() {
	beam.RegisterType(reflect.TypeFor[odm.Row[K, V]]())
	for _, t := range []reflect.Type{reflect.TypeFor[odm.Row[K, V]](), reflect.TypeFor[*odm.Row[K, V]]()} {
		coder.RegisterDeterministicCoder(t, encode, decode)
	}
}

// encode is the bytes of a row.
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
