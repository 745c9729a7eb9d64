package query

import (
	"iter"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// customTypes are the types of custom columns. Tables have no manifest with these, so they come from the captures.
type customTypes map[string]schemas.ValueType

// of yields documents, and notes the types of the custom columns in by.
func (types customTypes) of(
	docs iter.Seq2[*schemas.Document, error], by []string,
) iter.Seq2[*schemas.Document, error] {
	keys := map[string]bool{}
	for _, name := range by {
		if f, key, err := query.Lookup(name); err == nil && query.IsCustom(f.Name) && key != "" {
			keys[key] = true
		}
	}
	return func(yield func(*schemas.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				types.note(d, keys)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// note notes the types of a document's columns. A column with several types is one of texts.
func (types customTypes) note(d *schemas.Document, keys map[string]bool) {
	for key := range keys {
		for t, has := range map[schemas.ValueType]bool{
			schemas.TypeText: len(d.Custom[key]) > 0, schemas.TypeInteger: len(d.CustomIntegers[key]) > 0,
			schemas.TypeFloat: len(d.CustomFloats[key]) > 0, schemas.TypeBoolean: len(d.CustomBooleans[key]) > 0,
			schemas.TypeTime: len(d.CustomTimes[key]) > 0,
		} {
			if !has {
				continue
			}
			if known, is := types[key]; is && known != t {
				t = schemas.TypeText
			}
			types[key] = t
		}
	}
}
