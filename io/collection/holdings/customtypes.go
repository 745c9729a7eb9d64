package holdings

import (
	"encoding/json"
	"iter"
	"maps"

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
	maps.DeleteFunc(types, func(column string, _ schemas.ValueType) bool { return several[column] })
	return types
}

// EachCustomType yields the custom columns of a collection with their types, of the run and of each unit that was made
// with other options. It yields a column with several types with each.
func EachCustomType(m schemas.Manifest) iter.Seq2[string, schemas.ValueType] {
	return func(yield func(string, schemas.ValueType) bool) {
		for column, t := range typesIn(m.Options) {
			if !yield(column, t) {
				return
			}
		}
		for _, u := range m.Units {
			for column, t := range typesIn(u.MadeWith) {
				if !yield(column, t) {
					return
				}
			}
		}
	}
}

// typesIn returns the types in options of ingest.
func typesIn(options map[string]any) (types map[string]schemas.ValueType) {
	list, is := options[OptionCustomTypes]
	if !is {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil || json.Unmarshal(b, &types) != nil {
		return nil // another program may have written the manifest
	}
	return types
}
