package entity

import (
	"slices"
	"strings"
	"unicode"

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
		if isBody(name) {
			c.declare(typeOrganization, name, surePublisher)
			continue
		}
		start, end := personName(name)
		if name = name[start:end]; name != "" {
			c.declare(typePerson, name, sureAuthor)
		}
	}
}

// bodyWords are words in names of bodies that sign texts, in lower case. None is a usual surname.
var bodyWords = wordSet("council committee ministry department university institute agency association foundation " +
	"office bureau society federation commission authority museum library archives team staff desk editors " +
	"newsroom press news " +
	"inc ltd llc plc gmbh company corporation radio television studio board port harbour harbor school hospital trust " +
	"union club centre center police network media gazette tribune magazine journal of " +
	"ministère université institut agence fondation bureau société comité mairie rédaction équipe presse capitainerie " +
	"préfecture direction chambre syndicat " +
	"ministerium universität verein stiftung verlag redaktion amt behörde stadt gemeinde " +
	"ministerio universidad instituto agencia asociación fundación sociedad ayuntamiento redacción equipo " +
	"ministero università istituto agenzia associazione fondazione società comune redazione " +
	"ministério universidade associação fundação prefeitura redação equipe " +
	"ministerie universiteit instituut vereniging stichting redactie gemeente " +
	"ministerstwo uniwersytet instytut agencja stowarzyszenie fundacja redakcja urząd " +
	"министерство университет институт агентство фонд редакция совет администрация " +
	"وزارة جامعة معهد وكالة جمعية مؤسسة هيئة")

// bodyEnds end names of bodies in scripts without spaces.
var bodyEnds = []string{
	"委员会", "委員会", "编辑部", "編集部", "编辑室", "公司", "大学", "大學", "新闻社", "新聞社", "通信社", "通讯社", "协会", "協会",
	"研究所", "取材班", "記者団",
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// isBody reports whether an author is rather an organization.
func isBody(name string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if bodyWords[word] {
			return true
		}
	}
	return slices.ContainsFunc(bodyEnds, func(end string) bool { return strings.HasSuffix(name, end) })
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
