package holdings

import (
	"encoding/json"

	"github.com/gleaner-web/gleaner/schemas"
)

// OptionCustomTypes names the option, in manifests, with the types of custom columns by their names. It is set if an
// extractor gives types.
const OptionCustomTypes = "custom_types"

// CustomTypes returns the types of a collection's custom columns. Columns that are not in it hold texts.
func CustomTypes(m schemas.Manifest) map[string]schemas.ValueType {
	var types map[string]schemas.ValueType
	b, err := json.Marshal(m.Options[OptionCustomTypes])
	if err != nil || json.Unmarshal(b, &types) != nil {
		return nil // another program may have written the manifest
	}
	return types
}
