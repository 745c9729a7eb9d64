package recipe

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

// flagOf names the flags of options that have other names in manifests.
var flagOf = map[string]string{
	"formats": "format", "max_head": "max_header", "triggers": "extractors",
	holdings.OptionCustomTypes: "extract",
}

// Differing lists the options that differ between a unit and a command, as "--extract: sentiment here, not there".
// Both maps are as manifests have them; there is nil, and so is the list, if the unit's options are unknown.
func Differing(there, here map[string]any) (list []string) {
	if there == nil {
		return nil
	}
	names := maps.Clone(there)
	maps.Copy(names, here)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		// Long lists often differ in a word, so the message shows only the differences.
		was, now := apart(name, there[name], here[name]), apart(name, here[name], there[name])
		flag := name
		if other, ok := flagOf[name]; ok {
			flag = other
		}
		switch {
		// The limit is not an option of a unit: see unitLasting.
		case name == "limit" || was == "" && now == "":
		case was == "":
			list = append(list, fmt.Sprintf("--%s: %s here, not there", flag, now))
		case now == "":
			list = append(list, fmt.Sprintf("--%s: %s there, not here", flag, was))
		default:
			list = append(list, fmt.Sprintf("--%s: %s there, %s here", flag, was, now))
		}
	}
	return list
}

// apart returns the elements of one that other does not have, as text.
func apart(name string, one, other any) string {
	has := elements(other)
	list := slices.DeleteFunc(elements(one), func(e string) bool {
		// The index over all units is not an option of a unit either.
		return slices.Contains(has, e) || name == "formats" && e == holdings.FormatCDXJ
	})
	const most = 200 // characters: filters may be long
	text := []rune(schemas.Printable(strings.Join(list, ", ")))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// elements returns the parts of an option's value as text: list items, map entries, or else the value itself. The
// value comes from a command or from JSON.
func elements(v any) (list []string) {
	b, err := json.Marshal(v)
	var parts any
	if err != nil || json.Unmarshal(b, &parts) != nil {
		return nil // options marshal without errors
	}
	switch parts := parts.(type) {
	case nil:
	case []any:
		for _, e := range parts {
			list = append(list, elementText(e))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(parts)) {
			list = append(list, key+"="+elementText(parts[key]))
		}
	default:
		list = append(list, elementText(parts))
	}
	return list
}

func elementText(v any) string {
	if s, is := v.(string); is {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "" // it was read from JSON
	}
	return string(b)
}
