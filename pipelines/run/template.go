package run

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// Template says what TemplateMetadata cannot know.
type Template struct {
	Name     string
	Required map[string]string // flags that must be given: what their values look like, as a regular expression
	Skip     []string          // flags that make no sense in a job
}

// templateParameter is a parameter in the metadata of a Flex Template.
// The names of fields are Google's.
type templateParameter struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	HelpText string   `json:"helpText"`
	Regexes  []string `json:"regexes,omitempty"`
	Optional bool     `json:"isOptional"`
}

// TemplateMetadata is the metadata.json of a Flex Template of Dataflow: a parameter for each flag of the command.
// (Beam's flags are set by the launcher.) The layout is that of Google's "Create Flex Template metadata".
// Nothing in it is written by hand twice: names, texts and defaults are those of the flags.
func (f *Flags) TemplateMetadata(t Template) ([]byte, error) {
	summary, _, _ := strings.Cut(f.Command().Summary, "\n")
	m := struct {
		Name        string              `json:"name"`
		Description string              `json:"description"`
		Parameters  []templateParameter `json:"parameters"`
	}{Name: t.Name, Description: summary}
	for _, d := range f.All() {
		// Flags that only make sense at a terminal have no place in a form.
		if slices.Contains(t.Skip, d.Name) {
			continue
		}
		p := templateParameter{
			Name: d.Name, Label: d.Group + ": " + strings.ReplaceAll(d.Name, "_", " "), HelpText: d.Help,
			Optional: true,
		}
		if d.Default != "" {
			p.HelpText += " (default: " + d.Default + ")"
		}
		// The form checks values before a job is begun, which takes minutes.
		if form := formOf(d.Kind()); form != "" {
			p.Regexes = []string{form}
		}
		if form, required := t.Required[d.Name]; required {
			p.Optional, p.Regexes = false, []string{form}
		}
		m.Parameters = append(m.Parameters, p)
	}
	// Otherwise the order is that of the help, hence a stable sort.
	slices.SortStableFunc(m.Parameters, func(a, b templateParameter) int { // what must be given comes first
		switch {
		case a.Optional == b.Optional:
			return 0
		case a.Optional:
			return 1
		}
		return -1
	})
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	// Help has < and &, which need no escape in JSON.
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m)
	return b.Bytes(), err
}

// formOf is a regular expression for the values of a flag, "" for any.
func formOf(k setting.Kind) string {
	switch k {
	case setting.Switch:
		return "^(true|false)$"
	case setting.Number:
		return "^-?[0-9]+$"
	case setting.Size:
		return "^[0-9.]+ ?([KMGTkmgt]?[Bb]?|[KMGTkmgt][Ii][Bb])$"
	}
	return ""
}
