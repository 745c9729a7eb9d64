package holdings

import (
	"encoding/json"

	"github.com/gleaner-web/gleaner/schemas"
)

// OptionCustomTypes is the option that says which types custom columns have, by their names, as manifests have it. It
// is there where an extractor gives types.
const OptionCustomTypes = "custom_types"

// CustomTypes are the types of the custom columns of a collection. Columns that are not there have texts.
func CustomTypes(m schemas.Manifest) map[string]schemas.ValueType {
	var types map[string]schemas.ValueType
	b, err := json.Marshal(m.Options[OptionCustomTypes])
	if err != nil || json.Unmarshal(b, &types) != nil {
		return nil // the manifest may be of anybody
	}
	return types
}
