package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// nameEnds end the names of a by-line: separators, places, dates, roles. Words " on " and " in " begin dates and
// places; the site's name follows "|" and the like.
var nameEnds = []string{
	"|", "·", "•", " – ", " — ", " - ", " / ", " on ", " in ", " at ", " for ", "(", " published", " updated", " posted",
	"@", " >", " ›", " //", " last ", " publié", " veröffentlicht", " aktualisiert", " publicado", " actualizado",
	" pubblicato", " aggiornato", " опубликовано", " обновлено", " gepubliceerd", " publisert", " publicerad",
	" opublikowano", " dans ", " photos by", " photo by", " 报道", " 報導", " 報道", " 摄", " 攝",
}

// namesIn is the part of a by-line with names, or "" if it does not look like names. It is strict, since a wrong
// author is worse than none.
func namesIn(text string) string {
	for _, end := range nameEnds {
		text, _, _ = cutFold(text, end)
	}
	text = strings.TrimLeft(strings.TrimRight(text, " ,;.–—-/"), " ,:;.–—-/")
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 4*maxBylineNames {
		return ""
	}
	// "Jane Doe: a report": the name ends at the colon.
	if end := slices.IndexFunc(words, endsInColon); end > 0 || end == 0 && len(words) == 1 {
		if text = beforeColon(words[:end+1]); text == "" {
			return ""
		}
		words = strings.Fields(text)
	}
	// "…, dpa": an agency may be in small letters.
	if last := len(words) - 1; last > 0 && agencies[words[last]] {
		words = words[:last]
		text = strings.Trim(strings.Join(words, " "), " ,/")
	}
	// Names before a word that is not part of a name are kept, unless the text is a sentence.
	if i := firstNotOfName(words); i >= 0 {
		r, _ := utf8.DecodeRuneInString(words[i])
		if i == 0 || unicode.IsLower(r) {
			return "" // a small letter continues a sentence
		}
		text = strings.Trim(strings.Join(words[:i], " "), " ,&")
	}
	if isNoName(text) {
		return ""
	}
	return text
}

func endsInColon(w string) bool { return strings.HasSuffix(w, ":") || strings.HasSuffix(w, "：") }

// beforeColon returns the names of a text that ends in a colon. There are none if it is a role: "Staff Writer: Jane
// Doe". After a full name it may end in a label of another value: "Jane Doe Date: May 1".
func beforeColon(words []string) string {
	text := strings.TrimRight(strings.Join(words, " "), " ,:：")
	if parts := splitPeople(text); len(parts) == 1 && (isRole(parts[0]) || isRanked(parts[0])) {
		return ""
	}
	for _, l := range labels {
		i := len(text) - len(l)
		if i > 0 && text[i-1] == ' ' && strings.EqualFold(text[i:], l) && strings.Contains(text[:i-1], " ") {
			return strings.TrimRight(text[:i], " ,.")
		}
	}
	if i := strings.LastIndex(text, ". "); i > 0 && isSentence(text[:i]) {
		return text[:i]
	}
	return text
}

// isSentence reports whether a full stop after text ends it, and is not of an abbreviation: "Jane Doe. Images: AP".
// A full stop after initials ends nothing.
func isSentence(text string) bool {
	words := strings.Fields(text)
	last := len(words) - 1
	return last > 0 && utf8.RuneCountInString(words[last]) > len("Jr") && !isDegree(words[last]) &&
		!slices.ContainsFunc(words[:last], func(w string) bool {
			return strings.HasSuffix(w, ".") && utf8.RuneCountInString(w) > len("J.")
		})
}

// labels are words for other values that follow names in one line.
var labels = append([]string{"Reading Time", "Read Time"}, strings.Fields(`
	date category categories section comments tag tags topic topics views email e-mail phone photo photos source sources
	image images video credit datum kategorie kategorien kommentare schlagwörter quelle foto fotos bild bilder lesezeit
	catégorie catégories commentaires étiquettes crédit fecha categoría categorías comentarios etiquetas fuente data
	categoria categorias comentários fonte commenti categorie дата категория рубрика комментарии просмотры источник фото
	теги kategoria źródło zdjęcia tarih kategori kaynak fotoğraf sumber`)...)

// cutFold is strings.Cut without regard to the case of ASCII letters, since by-lines may be in capitals.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// particles are words in lower case in names of European languages and Arabic.
var particles = append(strings.Fields(
	"& , de da do dos del della di du la le van von den der ter bin ibn al el the of af zu"),
	slices.DeleteFunc(slices.Clone(andWords), func(w string) bool { return w == "/" || w == "|" || w == "in" })...)

// givenMonths are months that are given names too, also at the end of a name.
var givenMonths = []string{"may", "april", "june", "august", "augustus", "julio", "mai"}

// firstNotOfName is the index of the first word that cannot be part of a name, or -1. Names do not begin with a small
// letter. A month before a number, or at the end, is a date; otherwise Jan and Marco are given names.
func firstNotOfName(words []string) int {
	for i, w := range words {
		if isNotOfName(w) {
			return i
		}
		last := i+1 == len(words)
		if (last && i > 0 || !last && isDigit(words[i+1][0])) && isMonthOnly(w) {
			return i
		}
	}
	return -1
}

// isNotOfName reports whether a word cannot be part of a name.
func isNotOfName(w string) bool {
	if slices.Contains(particles, w) {
		return false
	}
	// Scripts without case pass, since their letters are not small.
	r, _ := utf8.DecodeRuneInString(w)
	return !unicode.IsLetter(r) || unicode.IsLower(r) || strings.ContainsAny(w, "0123456789?!<>{}=#:：")
}

// isMonthOnly reports whether a word is a month and not a given name.
func isMonthOnly(w string) bool {
	w = strings.Trim(w, ",")
	return cldr.CommonMonth(w) != 0 && !slices.Contains(givenMonths, strings.ToLower(w))
}

// noNames are first words of texts beside titles that look like names.
var noNames = strings.Fields(`
	share read contents home blog news menu contact subscribe sign login follow comments min minutes advert sponsored
	facebook twitter linkedin instagram pinterest email print save copy listen search next previous about more learn
	get download free updated published posted category tags topics topic skip back view see article author photo
	image video by continue show top join click last our member administrator moderator registered written post posts
	add edit quote reply report locked like thread visit sold all buy shop mon tue wed thu fri sat sun monday tuesday
	wednesday thursday friday saturday sunday`)

// noNamesAlone are not names alone, but begin some: Editorial Team. Most are headings of columns.
var noNamesAlone = strings.Fields(`
	the editor editorial staff guest new date dates replies views title subject forum status time size downloads rating
	format pages publisher year version genre price datum antworten zugriffe aufrufe titel fecha respuestas título data
	risposte titolo visite réponses vues titre sujet дата ответы тема просмотры tarih yanıtlar 日期 时间 時間 回复 回覆 查看 標題 标题
	日付 返信 タイトル 날짜 조회 제목`)

// isNoName reports whether a text begins like a button, a heading or a label.
func isNoName(text string) bool {
	low := strings.ToLower(text)
	head, _, _ := strings.Cut(low, " ")
	return slices.Contains(noNames, head) || slices.Contains(noNamesAlone, low) ||
		slices.Contains(nobody, low) || utf8.RuneCountInString(text) < 2 ||
		strings.HasPrefix(low, "table of") || strings.HasPrefix(low, "in this")
}

const maxUserName = 32

// isUserName reports whether a text is one word, like the names of forum members. These may contain digits and signs,
// unlike names of people.
func isUserName(text string) bool {
	return len(text) >= 2 && len(text) <= maxUserName && !strings.ContainsAny(text, " \t/:#") && !isNoName(text) &&
		cldr.CommonMonth(text) == 0 &&
		strings.IndexFunc(text, unicode.IsLetter) >= 0
}

// roles are words in elements called author. There, a role without a name is more frequent than a name that looks like
// a role.
var roles = strings.Fields(`
	founder co-founder ceo coo cto editor writer manager director specialist expert grader master owner member
	contributor journalist analyst consultant bio articles posts post profile joined rank level user head senior chief
	store`)

func hasRole(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if slices.Contains(roles, strings.Trim(w, ".,:()")) {
			return true
		}
	}
	return false
}
