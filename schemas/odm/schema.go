package odm

import (
	"fmt"
	"slices"
	"time"
)

// Column is where a value is: a qualifier of a family.
type Column struct{ Family, Qualifier string }

// RowSchema has the columns of a row, with their types. The zero value has none. It must not change during use.
type RowSchema struct{ types map[Column]Type }

// AddColumn adds a column, or changes its type.
func (s *RowSchema) AddColumn(qualifier, family string, t Type) {
	if s.types == nil {
		s.types = map[Column]Type{}
	}
	s.types[Column{family, qualifier}] = t
}

// Families returns the families of the columns, sorted, without duplicates.
func (s *RowSchema) Families() []string {
	var names []string
	for c := range s.types {
		names = append(names, c.Family)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// typeOf returns the type of a column.
func (s *RowSchema) typeOf(c Column) (Type, error) {
	t, ok := s.types[c]
	if !ok {
		return 0, fmt.Errorf("odm: the schema has no column %s:%s", c.Family, c.Qualifier)
	}
	return t, nil
}

// RowVersion is the values of a row at one time. Types of versions embed it, and give their columns getters and
// setters.
type RowVersion struct {
	schema *RowSchema
	time   time.Time
	values map[Column][]byte
}

// Time returns the time of the version, in UTC and whole milliseconds.
func (v *RowVersion) Time() time.Time { return v.time }

// QualifierValue returns the value of a column in the Go type of the column, or nil if the version has none.
func (v *RowVersion) QualifierValue(family, qualifier string) (any, error) {
	c := Column{family, qualifier}
	t, err := v.schema.typeOf(c)
	if err != nil {
		return nil, err
	}
	b, ok := v.values[c]
	if !ok {
		return nil, nil
	}
	return t.Decode(b)
}

// SetQualifierValue sets the value of a column. The value must be of the column's type.
func (v *RowVersion) SetQualifierValue(family, qualifier string, value any) error {
	c := Column{family, qualifier}
	t, err := v.schema.typeOf(c)
	if err != nil {
		return err
	}
	b, err := t.Encode(value)
	if err == nil {
		v.values[c] = b
	}
	return err
}

// Get returns the value of a column, for getters. It returns the zero value if there is none, or none of type T.
func Get[T any](v *RowVersion, family, qualifier string) T {
	value, err := v.QualifierValue(family, qualifier)
	if err != nil {
		value = nil
	}
	t, _ := value.(T)
	return t
}

// Version is a type of versions: a struct whose one field is an embedded *RowVersion.
type Version interface{ ~struct{ *RowVersion } }

// Row is a row and its versions.
type Row[K Key, V Version] struct {
	Key      K
	Versions []V // newest first
	schema   *RowSchema
}

// CreateRowVersion returns the version of a time, in milliseconds. If there is none, it adds one without values.
func (r *Row[K, V]) CreateRowVersion(at time.Time) V {
	at = at.UTC().Truncate(time.Millisecond)
	newestFirst := func(v V, t time.Time) int { return t.Compare(version(v).time) }
	where, found := slices.BinarySearchFunc(r.Versions, at, newestFirst)
	if !found {
		v := V(struct{ *RowVersion }{&RowVersion{schema: r.schema, time: at, values: map[Column][]byte{}}})
		r.Versions = slices.Insert(r.Versions, where, v)
	}
	return r.Versions[where]
}

// version is what a type of versions embeds.
func version[V Version](v V) *RowVersion { return struct{ *RowVersion }(v).RowVersion }
