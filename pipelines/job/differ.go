package job

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// flagOf are the flags of options whose names in manifests are others.
var flagOf = map[string]string{
	"formats": "format", "max_head": "max_header", "triggers": "extractors",
	holdings.OptionCustomTypes: "extract",
}

// otherOptions refuses a command beside units that stay as they are, and were made with the options there; nil for
// options that nobody knows.
func otherOptions(o Options, there map[string]any) error {
	which := ""
	if list := differing(there, o.lasting()); len(list) > 0 {
		which = " (" + strings.Join(list, "; ") + ")"
	}
	return cli.Usagef("%s was written with other options than those of this command%s, and units that stay as they are "+
		"would not go with new ones: give the options that manifest.json names, or another --output, or leave out "+
		"--only_new, --stale and --since", o.Output, which)
}

// differing lists the options in which a unit differs from a command, as "--extract: sentiment here, not there"; nil
// when the unit's are not known. Both are as manifests have them.
func differing(there, here map[string]any) (list []string) {
	if there == nil {
		return nil
	}
	names := maps.Clone(there)
	maps.Copy(names, here)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		// What is on one side alone: a long list differs in a word of it.
		was, now := apart(name, there[name], here[name]), apart(name, here[name], there[name])
		flag := name
		if other, ok := flagOf[name]; ok {
			flag = other
		}
		switch {
		// How many captures a command makes documents of is no matter of a unit, see unitLasting.
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

// apart is what an option has in one value and not in another; empty for nothing.
func apart(name string, one, other any) string {
	has := elements(other)
	list := slices.DeleteFunc(elements(one), func(e string) bool {
		// The index over all units is no matter of a unit either.
		return slices.Contains(has, e) || name == "formats" && e == holdings.FormatCDXJ
	})
	const most = 200 // characters: filters may be long
	text := []rune(schemas.Printable(strings.Join(list, ", ")))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// elements are the parts of an option's value as texts, whether it is a command's or was read from JSON: those of a
// list, of a map with their names, else the value itself.
func elements(v any) (list []string) {
	b, err := json.Marshal(v)
	var parts any
	if err != nil || json.Unmarshal(b, &parts) != nil {
		return nil // options are texts, numbers, and lists and maps of these
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

// elementText is a value as people write it.
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
