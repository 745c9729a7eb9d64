package rights

import (
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/gleaner-web/gleaner/schemas"
)

// usage reads the header fields Content-Usage and Content-Signal.
func (c *collector) usage() {
	var usages []string
	c.fields("Content-Usage", func(value string) { usages = append(usages, value) })
	c.contentUsage(usages, "", "", Header)
	c.fields("Content-Signal", func(value string) { c.contentSignal(value, "", Header) })
}

// contentUsage adds preferences: a dictionary of RFC 9651 whose values are y and n. A field with a syntax error is
// ignored as a whole, and so are members with other values.
func (c *collector) contentUsage(values []string, agent, path, basis string) {
	dictionary, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return
	}
	for _, name := range dictionary.Names() {
		member, _ := dictionary.Get(name)
		item, _ := member.(httpsfv.Item)
		if value, _ := item.Value.(httpsfv.Token); value == "y" || value == "n" {
			c.add(schemas.Right{Signal: name, Value: string(value), Agent: agent, Path: path, Basis: basis})
		}
	}
}

// contentSignal adds signals, such as "search=yes, ai-train=no".
func (c *collector) contentSignal(value, agent, basis string) {
	for part := range strings.SplitSeq(value, ",") {
		name, value, _ := strings.Cut(strings.ToLower(part), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch name {
		case "search", "ai-input", "ai-train":
			if value == "yes" || value == "no" {
				c.add(schemas.Right{Signal: name, Value: value, Agent: agent, Basis: basis})
			}
		}
	}
}
