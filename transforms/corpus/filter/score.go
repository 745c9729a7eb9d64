package filter

import (
	"errors"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// plugName is the name of the filter of plugs, which needs Tools.
const plugName = "plug"

// The lists of a plug's step that Describe sets: what the plug declares.
const (
	PlugName    = "name"
	PlugVersion = "version"
	PlugColumns = "columns" // with their types: edu:float
	PlugReads   = "reads"
)

// plugged sets the values of a program, for the filters after it. It refuses documents that the program fails on.
var plugged = Filter{
	Name: plugName, Does: "sets columns by a program of one's own (docs/plugs.md), for filters after it and for the " +
		"corpus; refuses what the program fails on",
	Lists: []string{"command", PlugName, PlugVersion, PlugColumns, PlugReads},
	score: func(s Settings, t Tools) (Score, error) {
		command := Step{Settings: s}.setting("command")
		if command == "" {
			return Score{}, errors.New("name a command")
		}
		if t.Plug == nil {
			return Score{}, errors.New("no plugs are run here")
		}
		return t.Plug(command)
	},
}

// tokens refuses texts by their tokens.
var tokens = Filter{
	Name: "tokens", Does: "refuses texts with few or many tokens, as the tokenizer of --tokens counts them",
	Constants: []Constant{{"min", 1, "tokens"}, {"max", 1e9, "tokens"}},
	use: func(s Settings, t Tools) (Judge, error) {
		if t.Tokens == nil {
			return nil, errors.New("name a tokenizer with --tokens")
		}
		return func(p *Page) string {
			switch n := float64(p.Tokens()); {
			case n < s.Numbers["min"]:
				return "few"
			case n > s.Numbers["max"]:
				return "many"
			}
			return ""
		}, nil
	},
}

// PlugColumns returns the columns that a plug sets, or all plugs for "", with their types, as edu:float.
func (r Recipe) PlugColumns(command string) (columns []string) {
	for _, step := range r {
		if step.Name == plugName && (command == "" || step.setting("command") == command) {
			columns = append(columns, step.Settings.Lists[PlugColumns]...)
		}
	}
	return columns
}

// BeforePlugs returns the steps before the first plug.
func (r Recipe) BeforePlugs() Recipe {
	if i := slices.IndexFunc(r, func(s Step) bool { return s.Name == plugName }); i >= 0 {
		return r[:i]
	}
	return r
}

// PlugVersion returns the version of a plug.
func (r Recipe) PlugVersion(command string) string {
	for _, step := range r {
		if step.Name == plugName && step.setting("command") == command {
			return step.setting(PlugVersion)
		}
	}
	return ""
}

// Describe completes the steps of plugs by what describe returns for their commands, such as PlugVersion. A recipe has
// it so that another version of a plug is another recipe.
func (r Recipe) Describe(describe func(command string) (map[string][]string, error)) error {
	for i, step := range r {
		if step.Name != plugName {
			continue
		}
		lists, err := describe(step.setting("command"))
		if err != nil {
			return err
		}
		lists["command"] = step.Settings.Lists["command"]
		r[i].Settings.Lists = lists
	}
	return nil
}

// made reports whether a step of a plug before a filter sets the column that path names, custom.edu.
func made(before Recipe, path string) bool {
	return slices.ContainsFunc(before.PlugColumns(""), func(column string) bool {
		name, _, _ := strings.Cut(column, ":")
		place, key, _ := strings.Cut(path, ".")
		return query.IsCustom(place) && key == name
	})
}
