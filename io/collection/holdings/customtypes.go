package holdings

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// OptionCustomTypes names the option, in manifests, with the types of custom columns by their names. It is set if an
// extractor gives types.
const OptionCustomTypes = "custom_types"

// CustomTypes returns the types of a collection's custom columns. Columns that are not in it hold texts, or values of
// several types.
func CustomTypes(m schemas.Manifest) map[string]schemas.ValueType {
	types, several := map[string]schemas.ValueType{}, map[string]bool{}
	for column, t := range EachCustomType(m) {
		known, is := types[column]
		several[column] = several[column] || is && known != t
		types[column] = t
	}
	// Columns of --select are texts, which numbers of other units must not hide.
	for options := range eachOptions(m) {
		for column := range mapIn[json.RawMessage](options, "select") {
			several[column] = several[column] || types[column] != schemas.TypeText
		}
	}
	maps.DeleteFunc(types, func(column string, _ schemas.ValueType) bool { return several[column] })
	return types
}

// Mixed returns which of these columns may hold texts, too. Then a unit had a custom extractor and did not type them,
// or its extractors are unknown because it was adopted.
func Mixed(m schemas.Manifest, types map[string]schemas.ValueType) (columns []string) {
	mixed := map[string]bool{}
	for options := range eachOptions(m) {
		if len(mixed) == len(types) {
			break
		}
		if ran, known := options["extract"].([]any); known && !OwnRan(ran) {
			continue
		}
		here := mapIn[schemas.ValueType](options, OptionCustomTypes)
		for column, t := range types {
			if t != schemas.TypeText && here[column] != t {
				mixed[column] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(mixed))
}

// OwnRan reports whether a list of extractors has a custom one, which may fill any custom field.
func OwnRan(ran []any) bool {
	return slices.ContainsFunc(ran, func(name any) bool {
		return !slices.ContainsFunc(schemas.Columns(), func(c schemas.Column) bool { return any(c.By) == name })
	})
}

// EachCustomType yields the custom columns of a collection with their types, of the run and of each unit that was made
// with other options. It yields a column with several types with each.
func EachCustomType(m schemas.Manifest) iter.Seq2[string, schemas.ValueType] {
	return func(yield func(string, schemas.ValueType) bool) {
		for options := range eachOptions(m) {
			for column, t := range mapIn[schemas.ValueType](options, OptionCustomTypes) {
				if !yield(column, t) {
					return
				}
			}
		}
	}
}

// eachOptions yields the options of a collection's run, and of each unit that was made with others.
func eachOptions(m schemas.Manifest) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		if !yield(m.Options) {
			return
		}
		for _, u := range m.Units {
			if u.MadeWith != nil && !yield(u.MadeWith) {
				return
			}
		}
	}
}

// mapIn returns a map in options of ingest.
func mapIn[T any](options map[string]any, name string) (values map[string]T) {
	list, is := options[name]
	if !is {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil || json.Unmarshal(b, &values) != nil {
		return nil // another program may have written the manifest
	}
	return values
}
