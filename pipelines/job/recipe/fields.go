package recipe

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Fields are the custom fields of documents. Their JSON has the selectors by name, so that their order does not count.
type Fields []enrich.Field

// byName returns the selectors by name.
func (f Fields) byName() map[string]string {
	selectors := map[string]string{}
	for _, field := range f {
		selectors[field.Name] = field.CSS
	}
	return selectors
}

// MarshalJSON encodes the selectors by name.
func (f Fields) MarshalJSON() ([]byte, error) { return json.Marshal(f.byName()) }

// UnmarshalJSON decodes the selectors in the order of names.
func (f *Fields) UnmarshalJSON(text []byte) error {
	var selectors map[string]string
	if err := json.Unmarshal(text, &selectors); err != nil {
		return err
	}
	*f = nil
	for _, name := range slices.Sorted(maps.Keys(selectors)) {
		*f = append(*f, enrich.Field{Name: name, CSS: selectors[name]})
	}
	return nil
}
