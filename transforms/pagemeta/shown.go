package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shown is what a page shows of its dates around its title. If two passes fill it, the first finding stays.
type shown struct {
	published  *Date    // date without a label, or with one of publication
	labelled   bool     // it has a label
	original   bool     // and the label says that it is the first of several
	hinted     bool     // its elements are called a date
	byline     bool     // or it is in the by-line
	far        int      // number of blocks between it and the title
	updated    *Date    // of the last change
	updatedFar int      // number of blocks between it and the title
	others     int      // other days without a label; many are those of a list of articles
	days       []string // first days that may be of publication, with that of published
	sole       bool     // the rest is not read after a second day, with which no date counts
}

// Eight days tell a list from an article.
const (
	maxShownDays = 8 // compared with the declared one
	maxNear      = 2 // most blocks between the title and a date that a later one with a label does not replace
)

// maxLabelBytes is the most text before a date that may be its label.
const maxLabelBytes = 48

// maxWeekdayBytes is the most text between a label and its date: a weekday, a dash, "on".
const maxWeekdayBytes = 16

// shownDates looks for dates after the title, then before it, where dates may be of the site or of a list.
func shownDates(ahead, behind []piece, o locale) shown {
	var s shown
	s.look(behind, o)
	if s.published == nil && s.updated == nil {
		s.look(ahead, o)
	}
	return s
}

// look reads pieces in order. A label and its date may be in different elements, so it remembers the last short piece.
func (s *shown) look(pieces []piece, o locale) {
	var label string // a short text before the date, on a line or in an element of its own
	for i := range pieces {
		pc := &pieces[i]
		d, before, after, ok := pieceDate(pc, o)
		if !ok && pc.hints&hintDate != 0 || !ok && startsDate(pc.text, o) {
			d, before, ok = lineDate(pieces[i:], o) // day, month and year in elements of their own
		}
		// Not a date: maybe the label of the next piece.
		if !ok {
			if label = ""; len(pc.text) <= maxLabelBytes {
				label = pc.text
			}
			continue
		}
		// No label precedes the date in its piece.
		if len(before) <= maxWeekdayBytes && labelOf(before) == labelNone {
			before = label + " " + before
		}
		// A date right after a by-line is the by-line's.
		if i > 0 && (isByline(pieces, i-1) || i > 1 && pc.block-pieces[i-2].block < 3 && isByline(pieces, i-2)) {
			pc.hints |= hintAuthor
		}
		s.add(d, before, pc)
		s.further(after, pc, o)
		if label = ""; s.sole && s.others > 0 {
			return
		}
	}
}

// maxFurther is the most dates of a piece after its first.
const maxFurther = 3

// further adds later dates of a piece with labels of their own: "Updated 20 May | Published 3 May". A day of
// publication after that of the update is of something else.
func (s *shown) further(rest string, pc *piece, o locale) {
	for range maxFurther {
		d, before, after, ok := findDate(rest, o)
		if !ok || len(before) > 2*maxLabelBytes {
			return
		}
		kind := furtherLabel(before)
		late := kind == labelPublished && s.updated != nil && d.Day() > s.updated.Day()
		if kind != labelNone && !late {
			s.add(d, before, pc)
		}
		rest = after
	}
}

// furtherLabel returns the label between two dates of a piece. It begins after a separator and directly precedes the
// date: "date of the conference" is not a label there.
func furtherLabel(before string) label {
	parts := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune("|·•;(—–/.", r) })
	if len(parts) == 0 {
		return labelNone
	}
	text := strings.ToLower(strings.TrimLeftFunc(parts[len(parts)-1], isNotLetter))
	begins := func(w string) bool { return strings.HasPrefix(text, w) }
	starts, kind := false, labelOf(text)
	switch kind {
	case labelPublished:
		starts = slices.ContainsFunc(publishedWords, begins) || slices.ContainsFunc(dateWords, begins) ||
			slices.ContainsFunc(originals, begins)
	case labelUpdated:
		starts = lastOf(text, updatedWords) <= maxWeekdayBytes // after a word like "last" or "zuletzt"
	}
	if !starts || !endsInLabel(text) {
		return labelNone
	}
	return kind
}

// maxPreposition is the most letters of a word between a label and its date: on, den, ngày.
const maxPreposition = 4

// endsInLabel reports whether no other word than a short one follows the last label of a text in lower case. The words
// of a label are stems, so the rest of its word is part of it. In Japanese and Chinese, a word for day or time is, too.
func endsInLabel(text string) bool {
	end := 0
	for _, words := range [][]string{updatedWords, publishedWords, dateWords} {
		for _, w := range words {
			if i := strings.LastIndex(text, w); i >= 0 {
				end = max(end, i+len(w))
			}
		}
	}
	rest := strings.TrimLeftFunc(text[end:], func(r rune) bool { return !isNotLetter(r) && !isWide(r) })
	after := strings.FieldsFunc(strings.TrimLeft(rest, "日期于於時时間间"), isNotLetter)
	return len(after) == 0 || len(after) == 1 && !isWide([]rune(after[0])[0]) &&
		utf8.RuneCountInString(after[0]) <= maxPreposition
}

func isNotLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// isByline reports whether a piece is a by-line, or its first words.
func isByline(pieces []piece, i int) bool {
	if len(pieces[i].text) > maxBylineBytes {
		return false
	}
	rest, ok := cutByPrefix(pieces[i].text)
	return ok && (rest == "" || namesIn(rest) != "")
}

// add adds a date by the text before it and the names of its elements.
func (s *shown) add(d Date, before string, pc *piece) {
	kind := labelOf(before)
	if kind == labelNone && pc.hints&hintUpdated != 0 {
		kind = labelUpdated
	}
	// Days that may be of publication, with and without a label.
	if kind <= labelPublished && len(s.days) < maxShownDays {
		s.days = append(s.days, d.Day())
	}
	switch {
	case kind == labelOther:
	case kind == labelUpdated:
		if s.updated == nil {
			s.updated, s.updatedFar = &d, pc.far
		}
	// "Originally published" implies other dates.
	case kind == labelPublished && original(before) && !s.original:
		s.published, s.far, s.labelled, s.original = &d, pc.far, true, true
	// A date with a label replaces one without, except right at the title.
	case kind == labelPublished && !s.labelled && (s.published == nil || s.far > maxNear):
		s.published, s.far, s.labelled = &d, pc.far, true
	// The first date without a label.
	case s.published == nil:
		s.published, s.far, s.hinted, s.byline = &d, pc.far, pc.hints&hintDate != 0, pc.hints&hintAuthor != 0
	// A second day, of something else.
	case s.published.Day() != d.Day():
		s.others++
	}
}

// pieceDate is the date of a piece, and the texts before and after it. A date for machines in an attribute wins over
// the text.
func pieceDate(pc *piece, o locale) (d Date, before, after string, ok bool) {
	if pc.when != "" {
		if d, ok := parseDate(pc.when, o); ok {
			seen, before, _, ok := findDate(pc.text, o)
			switch {
			// The text shows no date: it may be the label.
			case !ok:
				before = cut(pc.text, maxLabelBytes) // <time datetime=…>Published: <b>…
			case d.HasZone && near(&seen, &d):
				// The attribute is in UTC, and the text in the writer's zone has the day that readers see.
				d = seen // the same time, in the writer's zone
			}
			return d, before, "", true
		}
	}
	d, before, after, ok = findDate(pc.text, o)
	if !ok {
		return Date{}, "", "", false
	}
	if _, between, _, ok := findDate(cut(after, maxLabelBytes), o); ok && isRange(between) || endsRange(before) {
		return Date{}, "", "", false
	}
	// In running text a date counts only after a label.
	if len(pc.text) > longPiece && (len(before) > maxLabelBytes || labelOf(before) == labelNone) {
		return Date{}, "", "", false
	}
	// A short text around a date is a line of its own.
	if pc.hints&hintDate == 0 && len(before)+len(after) > 2*maxLabelBytes && labelOf(before) == labelNone {
		return Date{}, "", "", false
	}
	return d, before, after, true
}

// near reports whether two dates are of different days at most two days apart.
func near(a, b *Date) bool {
	hours := a.Time.Sub(b.Time).Hours()
	return a.Day() != b.Day() && hours > -48 && hours < 48
}

// startsDate reports whether a short piece may be the first part of a date.
func startsDate(text string, o locale) bool {
	return len(text) <= 12 && (isDigit(text[0]) || monthOf(text, o.language) != 0)
}

const maxLinePieces = 4

// lineDate is the date that the next pieces form. Calendar-like boxes have day, month and year in elements of their
// own.
func lineDate(pieces []piece, o locale) (d Date, before string, ok bool) {
	var b strings.Builder
	for i := range min(len(pieces), maxLinePieces) {
		if len(pieces[i].text) > maxLabelBytes {
			break
		}
		b.WriteString(pieces[i].text)
		b.WriteByte(' ')
	}
	d, before, _, ok = findDate(b.String(), o)
	// The pieces must hold only the date.
	return d, before, ok && strings.TrimSpace(before) == ""
}

// label says what a date is of. The order matters: labels up to labelPublished may be of publication.
type label int

const (
	labelNone label = iota
	labelPublished
	labelUpdated
	labelOther // of a member, an event, an offer
)

// otherWords, updatedWords and publishedWords are stems in lower case, in the languages of most sites.
var otherWords = []string{
	"joined", "registered", "member since", "registriert", "beigetreten", "inscrit", "registrado", "iscritto",
	"lid geworden", "зарегистр", "注册", "registrace", "dołączył", "expire", "valid", "deadline", "until", "starts", "ends",
	"copyright", "©", "born", "founded", "since", "accessed", "retrieved",
	// In footers of every page of a site.
	"terms of", "terms and", "privacy", "disclaimer", "nutzungsbedingungen", "datenschutz", "mentions légales",
	"conditions d", "condiciones", "aviso legal", "condizioni", "voorwaarden", "regulamin", "polityka prywatności",
	"условия", "конфиденциальност", "利用規約", "使用条款", "隐私",
}

var updatedWords = []string{
	"updat", "modif", "revised", "edited", "reviewed", "verified", "last change", "aktualis", "geändert", "stand:",
	"mis à jour", "mise à jour", "actualiz", "atualiz", "aggiorn", "bijgewerkt", "gewijzigd", "uppdater", "opdater",
	"oppdater", "päivitetty", "aktualiz", "обновл", "обновен", "измен", "оновл", "актуализ", "güncel", "更新", "修改", "编辑于",
	"수정", "تحديث", "آخر تعديل", "تم التعديل",
	"módosítva", "utolsó módosít", "módosítás:", "módosítás dátuma", "módosítás ideje", "frissít",
	"upraven", "modyfik", "zmienion",
	"ažurir", "izmijen", "izmenj", "posodob",
	"ажурир", "atnaujin", "atjaun", "uuendat", "muudet", "uppfær", "ενημέρ", "ενημερ", "τροποπ", "actualitz", "përditës",
	"cập nhật", "diperbar", "dimutakhir", "dikemas", "อัปเดต", "อัพเดท", "ปรับปรุง", "แก้ไข",
	"به\u200cروز", "بروزرسانی",
	"ویرایش",
	"עודכן", "עדכון", "अपडेट", "अद्यतन", "আপডেট", "হালনাগাদ", "imesasish", "egunerat", "eguneraket", "diweddar",
}

var publishedWords = []string{
	"publi", "posted", "written", "created", "issued", "released", "veröffentlicht", "erstellt", "gepubliceerd",
	"geplaatst", "udgivet", "julkais", "opublik", "dodano", "vydáno", "опубл", "yayın", "发布", "發佈", "發布", "发表", "發表",
	"公開", "投稿", "掲載", "発表", "配信", "発行", "刊登", "게시", "등록", "입력",
	"نشر", "added on", "started", "asked", "pubblicat", "публикуван", "опубликув",
	"zveřejn", "zverejn", "közzé", "megjelen", "objavljen",
	"објављен", "paskelb", "avaldat",
	"δημοσιευ", "δημοσιεύ", "δημοσίευ", "đăng", "diterbit", "tayang",
	"เผยแพร่", "โพสต์", "تاریخ انتشار", "פורסם",
	"प्रकाशित", "প্রকাশ", "imechapish", "argitarat", "cyhoedd", "offentliggj", "skapad", "oprettet",
}

// labelOf returns the label in the text before a date. The word nearest to the date counts: "Published 3 May, updated"
// is before the second date.
func labelOf(before string) label {
	// The nearest words are the last.
	if len(before) > maxLabelBytes {
		before = before[len(before)-maxLabelBytes:]
	}
	before = strings.ToLower(before)
	updated, explicit := lastOf(before, updatedWords), lastOf(before, publishedWords)
	published := max(explicit, lastOf(before, dateWords))
	switch {
	// All are -1 without any word.
	case lastOf(before, otherWords) > max(updated, published):
		return labelOther
	case updated < 0 && explicit < 0 && isOtherDay(before):
		return labelOther
	case updated < 0 && published < 0:
		return labelNone
	case updated > published || updated >= 0 && published-updated < 12: // "Date updated", "Update published"
		return labelUpdated
	}
	return labelPublished
}

// originals are words for first publication, before "published".
var originals = []string{
	"originally", "first publ", "ursprünglich", "zuerst", "initialement", "à l’origine", "originalmente",
	"originariamente", "oorspronkelijk", "ursprungligen", "oprindelig", "opprinnelig", "pierwotnie", "впервые",
	"первоначально", "ilk kez", "初回", "初出",
}

// original reports whether the text before a date says that it is of the first publication.
func original(before string) bool {
	before = strings.ToLower(before[max(0, len(before)-maxLabelBytes):])
	return slices.ContainsFunc(originals, func(w string) bool { return strings.Contains(before, w) })
}

// lastOf is the offset of the last of words in s, or -1. Stems count within words too.
func lastOf(s string, words []string) int {
	last := -1
	for _, w := range words {
		// Most words are of other alphabets.
		if strings.IndexByte(s, w[0]) >= 0 {
			last = max(last, strings.LastIndex(s, w))
		}
	}
	return last
}

// dayOrder is the order of day and month on a page, by its declared language and its host's country. It is
// orderUnknown if they say nothing or contradict each other, since a wrong order makes more than one date in three
// wrong.
func dayOrder(lang, host string) order {
	lang = strings.ToLower(strings.ReplaceAll(lang, "_", "-"))
	base, region, _ := strings.Cut(lang, "-")
	tld := host[strings.LastIndexByte(host, '.')+1:]
	country := orderUnknown
	switch {
	// Domains of the United States.
	case slices.Contains([]string{"us", "gov", "edu", "mil"}, tld):
		country = monthFirst
	// Any other country's, if mostly used by that country.
	case len(tld) == 2 && !slices.Contains(worldwide, tld):
		country = dayFirst
	}
	switch {
	case slices.Contains([]string{"zh", "ja", "ko", "hu", "lt", "fa", "mn"}, base):
		return orderUnknown // the year comes first, and 03/04/2024 is foreign
	case base == "en" && region == "us" || base == "fil":
		if country == dayFirst {
			return orderUnknown // templates declare this language by default
		}
		return monthFirst
	// English without a region says nothing; the domain decides.
	case base == "en" && (region == "" || region == "ca") || base == "":
		return country
	}
	return dayFirst
}

// worldwide are country domains that sites of any country use, and those of countries with both orders.
var worldwide = []string{
	"io", "co", "ai", "me", "tv", "cc", "ly", "gg", "to", "fm", "ca", "ph", "ws", "is", "sh", "so",
	"xyz", "cn", "jp", "kr", "tw",
}
