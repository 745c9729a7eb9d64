package reader

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Programs write a title, an author and a description where nobody has given one: the name of the file, the owner of
// the licence, the library. These say nothing about the document, and the title that its text shows is better.

// settle drops values that programs wrote. The name of a file stays the title, without the program's additions, if the
// text shows no title.
func settle(d *doctext.Document) {
	if sections[strings.ToLower(d.Shown)] {
		d.Shown = ""
	}
	if title, isFile := fileTitle(d.Title); isFile {
		if d.Title = title; d.Shown != "" {
			d.Title = ""
		}
	}
	if untitled().MatchString(d.Title) {
		d.Title = ""
	}
	if madeBy().MatchString(d.Description) || unnamed[bare(d.Description)] {
		d.Description = ""
	}
	d.Authors = slices.DeleteFunc(d.Authors, func(name string) bool { return bare(name) == "" || unnamed[bare(name)] })
}

// madeBy are descriptions by libraries.
var madeBy = pattern.Lazy(`^generated (by|using) python-`)

// bare returns a value in lower case, without brackets around it.
func bare(value string) string { return strings.Trim(strings.ToLower(value), "()[]<> ") }

// unnamed are names that programs write for an author who is not known, in lower case.
var unnamed = set(`-|?|.|admin|administrador|administrateur|administrator|anonymous|anwender|author|autor|auteur|
	benutzer|bruker|compaq_owner|creator|customer|default|default user|gebruiker|guest|home|hp_owner|
	install|kullanıcı|käyttäjä|microsoft office user|microsoft office-anwender|utilisateur microsoft office|
	n/a|no author|none|null|office|office user|openpyxl|apache poi|owner|pc|phpexcel|phpspreadsheet|phpword|
	preferred customer|python-docx|python-pptx|registered user|root|test|undefined|unknown|unknown author|
	unknown creator|unspecified|user|user1|user name|username|usuario|usuário|utente|utilisateur|uživatel|użytkownik|
	valued customer|windows user|windows-benutzer|utilisateur windows|usuario de windows|usuário do windows|utente windows|
	xlsxwriter|xp|your name|your user name|användare|bruger|админ|администратор|користувач|пользователь|
	пользователь windows|微软用户|微软中国|用户|使用者|ユーザー|작성자|사용자`)

// sections are headings of parts that come before the text, in lower case.
var sections = set(`contents|table of contents|abstract|index|inhaltsverzeichnis|inhalt|zusammenfassung|
	table des matières|sommaire|résumé|índice|contenido|resumen|sumário|resumo|indice|sommario|spis treści|obsah|inhoud|inhoudsopgave|
	содержание|оглавление|目录|目錄|目次|摘要|차례|목차`)

func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.SplitSeq(names, "|") {
		all[strings.TrimSpace(name)] = true
	}
	return all
}

// untitled matches titles that nobody gave: those of new documents and templates, addresses, and numbers of files.
var untitled = pattern.Lazy(`(?i)^(` +
	`[(\[]?(untitled|no title|without title|title|untitled document|anonymous|unknown|unbenannt|ohne titel|sans titre|` +
	`sin título|senza titolo|sem título|naamloos|bez tytułu|без названия|无标题|無題|제목 없음)([ -]?[0-9]+)?[)\]]?|` +
	`(doc|document|dokument|documento|документ|文档|文書|book|workbook|sheet|mappe|tabelle|classeur|` +
	`presentation|présentation|präsentation|presentación|presentazione|презентация)[0-9]+|` +
	`(layout|slide|folie|diapositive|diapositiva|dia|slajd|слайд|幻灯片|スライド|scan|image|img)[ _-]?[0-9]+|` +
	`powerpoint presentation|powerpoint-präsentation|présentation powerpoint|presentación de powerpoint|` +
	`apresentação do powerpoint|presentazione standard di powerpoint|prezentacja programu powerpoint|` +
	`презентация powerpoint|powerpoint 演示文稿|powerpoint プレゼンテーション|powerpoint 프레젠테이션|` +
	`slide title|document title|page title|full page photo|scanned (document|image)|new document|microsoft word|` +
	`print|null|undefined|none|n/a|default|template|blank|` +
	`(https?|file)://\S*|[a-z]:\\.*|[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]{27}|[\pP\pS\pZ]*)$`)

// fileName matches names of files, with the program that printed or converted them. Some extensions also end names of
// sites and products, such as Character.ai: before these, a file has no spaces in its name.
var fileName = pattern.Lazy(`(?i)^(microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio|outlook) - )?` +
	`(?:(.*?)(\.(?:docx?|docm|dotx?|rtf|odt|ods|odp|xlsx?|xlsm|pptx?|ppsx?|indd|qxd|qxp|pdf|eps|tex|dvi|txt|cdr|psd|` +
	`wpd|wps|p65|pm[56d]|tiff?|jpe?g|png|dwg|vsdx?|hwp|sxw|lyx|xps))|` +
	`(\S*?)(\.(?:pub|ps|ai|pages|key|numbers|fm|book|max|tmp|prn|md))|(.*))$`)

// fileTitle returns the title in the name of a file, and whether title is one.
func fileTitle(title string) (name string, ok bool) {
	m := fileName().FindStringSubmatch(title)
	if m == nil {
		return title, false
	}
	program, extension := m[1] != "", m[3]+m[5] != ""
	name = m[2] + m[4] + m[6]
	if !program && (!extension || strings.HasSuffix(name, " ")) {
		return title, false
	}
	if i := strings.LastIndexAny(name, `/\`); i >= 0 && extension {
		name = name[i+1:]
	}
	return strings.TrimSpace(name), true
}
