package rights

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/robots"
)

// robots reads a robots.txt: the rules and preferences for all crawlers and for those of AI companies. Others are left
// out, since they say nothing about such use.
func (c *collector) robots(text []byte) { c.groups(text, Robots) }

// aiText reads an ai.txt, which has the grammar of robots.txt.
func (c *collector) aiText(text []byte) { c.groups(text, AIText) }

// groups reads the groups of a file, by the grammar of RFC 9309.
func (c *collector) groups(text []byte, basis string) {
	c.cut = c.cut || len(text) > robots.MaxBytes
	var agents []string
	named := map[string]bool{} // agents whose group has a rule
	rulesBegan := true         // a rule before the first agent belongs to no group
	for key, value := range robots.Lines(text) {
		if key == "user-agent" {
			if rulesBegan {
				agents, rulesBegan = nil, false
			}
			if agent := crawler(value); agent != "" && !slices.Contains(agents, agent) {
				agents = append(agents, agent)
				if _, has := named[agent]; !has {
					named[agent] = false
				}
			}
			continue
		}
		for _, agent := range agents {
			if c.rule(key, value, agent, basis) {
				named[agent] = true
			}
		}
		switch key {
		case Allow, Disallow, "content-usage", "content-signal":
			rulesBegan = true
		}
	}
	// A crawler that is named without rules may fetch everything, whatever the rules for all say.
	for _, agent := range crawlers {
		if has, is := named[agent]; is && !has {
			c.add(schemas.Right{Signal: Allow, Agent: agent, Path: "/", Basis: basis})
		}
	}
}

// rule adds a line of a group. It reports whether it allows or forbids anything.
func (c *collector) rule(key, value, agent, basis string) bool {
	switch key {
	case Allow, Disallow:
		if path := short(value); path != "" {
			c.add(schemas.Right{Signal: key, Agent: agent, Path: path, Basis: basis})
			return true
		}
	case "content-usage":
		path := ""
		if strings.HasPrefix(value, "/") {
			end := strings.IndexAny(value, " \t")
			if end < 0 {
				return false
			}
			path, value = value[:end], strings.TrimSpace(value[end:])
		}
		c.contentUsage([]string{value}, agent, path, basis)
	case "content-signal":
		c.contentSignal(value, agent, basis)
	}
	return false
}

// guide notes that the host has an llms.txt: Markdown with a heading.
func (c *collector) guide(text []byte) {
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			c.add(schemas.Right{Signal: Guide, Value: short(title), Basis: LLMs})
			return
		}
	}
}
