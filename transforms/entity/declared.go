package entity

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Confidence of people and organizations that the page's metadata declares. Metadata is any text of a template; a
// publisher is often only the name of the site.
const (
	sureAuthor    = 0.8
	surePublisher = 0.7
)

// addDeclared adds the authors and the publisher that the page declares, in any language. Names of accounts are not
// people; an author with the publisher's name is the organization.
func addDeclared(c *collector, authors []string, publisher string) {
	if publisher = declaredName(publisher); publisher != "" {
		c.declare(typeOrganization, publisher, surePublisher)
	}
	for _, name := range authors {
		name = declaredName(name)
		if name == "" || strings.EqualFold(name, publisher) || isAccount(name, false) {
			continue
		}
		// One word is an agency, an editorial office or a nickname, except where names are written without spaces.
		if hasCase(name) && !strings.Contains(name, " ") {
			continue
		}
		start, end := personName(name)
		if name = name[start:end]; name != "" {
			c.declare(typePerson, name, sureAuthor)
		}
	}
}

// declaredName returns a name of one line, or "" if it is not a name.
func declaredName(name string) string {
	name = strings.TrimSpace(name)
	if len(name) > maxName || isURL(name) || strings.ContainsAny(name, "\n\t@") {
		return ""
	}
	return name
}

// declare adds an entity, unless structured data has one of this name.
func (c *collector) declare(kind, name string, sure schemas.Float) {
	for _, e := range c.entities {
		if (e.Type == typePerson || e.Type == typeOrganization) && strings.EqualFold(e.Text, name) {
			return
		}
	}
	c.add(schemas.Entity{Type: kind, Text: name, Source: sourceMetadata, Confidence: sure})
}
