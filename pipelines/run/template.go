package run

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// Template has what TemplateMetadata cannot take from the flags.
type Template struct {
	Name     string
	Required map[string]string // regular expressions for flags that must be given
	Skip     []string          // flags that make no sense in a job
}

// templateParameter is a parameter in a Flex Template's metadata, with Google's field names.
type templateParameter struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	HelpText string   `json:"helpText"`
	Regexes  []string `json:"regexes,omitempty"`
	Optional bool     `json:"isOptional"`
}

// TemplateMetadata returns the metadata.json of a Dataflow Flex Template, with a parameter for each flag of the
// command. The launcher sets Beam's flags. The layout follows Google's "Create Flex Template metadata".
func (f *Flags) TemplateMetadata(t Template) ([]byte, error) {
	summary, _, _ := strings.Cut(f.Command().Summary, "\n")
	m := struct {
		Name        string              `json:"name"`
		Description string              `json:"description"`
		Parameters  []templateParameter `json:"parameters"`
	}{Name: t.Name, Description: summary}
	for _, d := range f.All() {
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
		// The form checks values before the job starts, which takes minutes.
		if form := formOf(d.Kind()); form != "" {
			p.Regexes = []string{form}
		}
		if form, required := t.Required[d.Name]; required {
			p.Optional, p.Regexes = false, []string{form}
		}
		m.Parameters = append(m.Parameters, p)
	}
	// A stable sort keeps the order of the help.
	slices.SortStableFunc(m.Parameters, func(a, b templateParameter) int { // required flags first
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
	// Help has < and &, which need no escapes in JSON.
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m)
	return b.Bytes(), err
}

// formOf returns a regular expression for the values of a flag, or "" for any.
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
