package thread

import (
	"bytes"
	"cmp"
	"sort"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/infix"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// evidence is an element that names an author or a date. A greater weight is surer.
type evidence struct {
	node   int32
	weight int
	value  string
}

const (
	maxName      = 80 // bytes of a name; longer texts are sentences
	longestLabel = 15 // words of a line with a date
)

// The weights of authors, and of dates.
const (
	weightText = 1 + iota
	weightLink
	weightClass
	weightAttribute
	weightProperty
)

// aside are parts of class names of elements in a post that speak of others, or of other times.
var aside = infix.New(
	"quote", "signature", "mention", "edited", "editby", "lastedit", "zitat", "cita", "reaction", "likes",
	"thanks", "attachment",
)

// isAside reports whether a class has one of these words. Stack Exchange's signatures name the author.
func isAside(class []byte) bool {
	return aside.In(class) && !bytes.Contains(class, []byte("post-signature"))
}

// authorWords are parts of the classes of authors' names.
var authorWords = infix.New(
	"author", "username", "user-name", "user_name", "poster", "nickname", "byline", "creator", "hnuser",
	"membername", "member-name", "display-name", "displayname", "autor", "auteur", "verfasser", "pseudo",
	"benutzer", "usuario", "utilisateur", "nadawca", "kullanici", "yazar", "avtor", "forfatter", "nick", "utente",
	"user-info", "userinfo", "user-details", "user_details",
)

// profilePaths are parts of links to members' pages.
var profilePaths = [...]string{
	"/user/", "/users/", "/u/", "/member/", "/members/", "/profile/", "/profil/", "/people/", "/author/", "/@", "/user?",
	"/membre", "/mitglied", "/usuario", "/utilisateur", "/utente", "/benutzer", "viewprofile", "member.php",
	"action=profile",
	"showuser=", "space-uid", "userinfo", "profile.php", "showprofile", "member-", "/home.php?mod=space",
}

// authorNames are attributes with the author of a post, in any element.
var authorNames = []string{"data-author", "data-author-name", "data-username", "data-user-name", "author"}

var authorBits = page.AttrBits(authorNames...)

// lookForAuthor appends the author that element n names, if it does.
func (f *finder) lookForAuthor(n int32) {
	add := func(weight int, value string) bool {
		if value = cleanName(value); value != "" {
			f.authors = append(f.authors, evidence{n, weight, value})
		}
		return value != ""
	}
	if v, ok := f.p.RawAttr(int(n), "itemprop"); ok && (string(v) == "author" || string(v) == "creator") {
		if add(weightProperty, f.propertyName(n)) {
			return
		}
	}
	if f.p.Nodes[n].Own&authorBits != 0 {
		for _, name := range authorNames {
			if v, ok := f.p.Attr(int(n), name); ok && add(weightAttribute, v) {
				return
			}
		}
	}
	text := f.p.NodeText(int(n))
	if len(text) == 0 || len(text) > maxName {
		return
	}
	class, _ := f.p.RawAttr(int(n), "class")
	rel, _ := f.p.RawAttr(int(n), "rel")
	if string(rel) == "author" || authorWords.In(class) {
		name, weight := f.shortestName(n), weightClass
		if isRole(cleanName(name)) {
			weight = weightText // a member's name only if the post has no other
		}
		add(weight, name)
		return
	}
	if f.p.Nodes[n].Tag == page.TagA {
		href, _ := f.p.RawAttr(int(n), "href")
		for _, path := range profilePaths {
			if strings.Contains(string(href), path) {
				if !isRole(cleanName(string(text))) {
					add(weightLink, string(text))
				}
				return
			}
		}
	}
}

// propertyName returns the name of an author in microdata: of an inner property, of an attribute, or the text.
func (f *finder) propertyName(n int32) string {
	for i := n; i < f.p.Nodes[n].End; i++ {
		if v, ok := f.p.RawAttr(int(i), "itemprop"); !ok || i > n && string(v) != "name" {
			continue
		} else if i > n || !f.hasAttr(n, "itemscope") {
			if content, ok := f.p.Attr(int(i), "content"); ok {
				return content
			}
			if text := f.p.NodeText(int(i)); len(text) > 0 {
				return string(text)
			}
			return f.p.Content(int(min(i+1, f.p.Nodes[n].End-1))) // hidden
		}
	}
	return f.shortestName(n)
}

// shortestName returns the text of the first link or bold text in n, or else of n. Members may be called like a role,
// but another name comes first.
func (f *finder) shortestName(n int32) string {
	role := ""
	for i := n; i < f.p.Nodes[n].End; i++ {
		switch f.p.Nodes[i].Tag {
		case page.TagA, page.TagB, page.TagStrong:
			text := cleanName(string(f.p.NodeText(int(i))))
			switch {
			case text == "":
			case isRole(text):
				role = cmp.Or(role, text)
			case role == "" || !f.hasDate(text):
				return text
			}
		}
	}
	return cmp.Or(role, string(f.p.NodeText(int(n))))
}

func (f *finder) hasDate(text string) bool {
	_, _, ok := f.dates.Find(text)
	return ok
}

// cleanName returns a name without "by" and signs, or "" if the text is not a name.
func cleanName(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxName || strings.Contains(s, "\n") || strings.HasPrefix(s, "http") {
		return ""
	}
	for _, w := range [...]string{"by ", "By ", "von ", "par ", "por ", "di ", "door ", "от "} {
		if rest, ok := strings.CutPrefix(s, w); ok {
			s = rest
			break
		}
	}
	s = strings.Trim(s, " \t:,;|»«•·-–—\u200b\u200e\u200f")
	if strings.IndexFunc(s, func(r rune) bool { return isLetter(r) || unicode.IsDigit(r) }) < 0 {
		return ""
	}
	return s
}

// roles are texts beside the names of members, in lower case: what they are, and what a reader may do.
var roles = func() map[string]bool {
	set := map[string]bool{}
	for _, s := range [...]string{
		"author", "topic author", "thread author", "post author", "original poster", "original author", "thread starter",
		"topic starter", "member", "members", "new member", "junior member", "senior member", "active member",
		"registered member", "registered user", "well-known member", "moderator", "super moderator", "administrator",
		"staff", "staff member", "sign up", "sign in", "log in", "login", "register", "profile", "view profile",
		"user profile", "reply", "quote", "autor", "verfasser", "themenstarter", "themenersteller", "threadersteller",
		"mitglied", "benutzer", "moderatorin", "anmelden", "registrieren", "profil", "auteur", "auteur du sujet", "membre",
		"modérateur", "administrateur", "connexion", "s'inscrire", "autor del tema", "miembro", "moderador", "administrador",
		"regístrate", "perfil", "membro", "autore", "autore discussione", "utente", "moderatore", "amministratore",
		"iscriviti", "auteur van het onderwerp", "lid", "inschrijven",
		"автор", "автор темы", "участник", "пользователь", "модератор",
		"администратор", "регистрация", "użytkownik", "uczestnik", "autor tematu", "üye", "yönetici", "moderatör",
		"楼主", "樓主", "作者", "会员", "會員", "版主", "管理员", "管理員", "スレ主", "トピ主", "投稿者", "작성자", "글쓴이",
		"회원", "운영자",
	} {
		set[s] = true
	}
	return set
}()

// isRole reports whether a name is a role. Some members are called so.
func isRole(s string) bool { return roles[strings.ToLower(s)] }

// dateNames are attributes with the time of a post, in any element.
var dateNames = []string{"datetime", "data-time", "data-timestamp", "data-utime", "data-date", "data-datetime"}

// dateBits are of the attributes with one of which an element has a date.
var dateBits = page.AttrBits(append([]string{"itemprop", "title"}, dateNames...)...)

// lookForDate appends the date that the attributes of element n give, if they do.
func (f *finder) lookForDate(n int32) {
	if f.p.Nodes[n].Own&dateBits == 0 {
		return
	}
	prop, _ := f.p.Attr(int(n), "itemprop")
	if strings.HasPrefix(prop, "dateMod") || strings.HasPrefix(prop, "dateUpd") {
		return
	}
	add := func(weight int, value string) bool {
		d, ok := f.dates.Parse(value)
		if ok && !isJoined(f.before(n)) && !f.isLabelled(f.block(n)) {
			f.times = append(f.times, evidence{n, weight, d.String()})
		}
		return ok
	}
	if strings.HasPrefix(prop, "date") {
		v, ok := f.p.Attr(int(n), "content")
		if !ok {
			v, ok = f.p.Attr(int(n), "datetime")
		}
		if !ok {
			v = string(f.p.NodeText(int(n)))
		}
		if add(weightProperty, v) {
			return
		}
	}
	for _, name := range dateNames {
		if v, ok := f.p.Attr(int(n), name); ok && add(weightAttribute, v) {
			return
		}
	}
	switch f.p.Nodes[n].Tag {
	case page.TagTime, page.TagAbbr, page.TagSpan, page.TagA, page.TagDiv:
		if v, ok := f.p.Attr(int(n), "title"); ok && !add(weightClass, v) {
			// "Sender's time: 5 March 2018"
			if _, after, ok := strings.Cut(v, ": "); ok {
				if d, before, ok := f.dates.Find(after); ok && before == "" {
					add(weightClass, d.String())
				}
			}
		}
	}
}

// before returns the text before element n on its line.
func (f *finder) before(n int32) string {
	const most = 60
	at := f.p.Nodes[n].TextStart
	text := f.p.Text[max(0, at-most):at]
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// lookForWrittenDates appends the dates in short blocks. An unknown order of day and month is the one in which more
// dates can be read. If both give as many, it is the only one in which they ascend.
func (f *finder) lookForWrittenDates(apart []bool) {
	var found [2][]evidence // what only an order gives
	ascends, last := [2]bool{true, true}, [2]string{}
	for i := range f.p.Blocks {
		b := &f.p.Blocks[i]
		if b.Words > longestLabel || b.Digits < 3 || apart[b.Node] {
			continue
		}
		clear, isClear := f.writtenDate(int32(i), f.dates)
		if isClear {
			f.times = append(f.times, clear)
		}
		for k := range found {
			e, ok := clear, isClear
			if !ok {
				if e, ok = f.writtenDate(int32(i), f.dates.In(k == 0)); !ok {
					continue
				}
				found[k] = append(found[k], e)
			}
			ascends[k] = ascends[k] && last[k] <= e.value
			last[k] = e.value
		}
	}
	days, months := len(found[0]), len(found[1])
	switch {
	case days > months || days == months && ascends[0] && !ascends[1]:
		f.times = append(f.times, found[0]...)
	case months > days || ascends[1] && !ascends[0]:
		f.times = append(f.times, found[1]...)
	}
}

// writtenDate returns the date in block i.
func (f *finder) writtenDate(i int32, dates pagemeta.Dates) (evidence, bool) {
	b := &f.p.Blocks[i]
	d, before, ok := dates.Find(string(f.p.Text[b.Start:b.End]))
	return evidence{b.First, weightText, d.String()}, ok && !isJoined(before) && !f.isLabelled(int(i))
}

// block returns the index of the block in which the text of element n begins, or -1.
func (f *finder) block(n int32) int {
	at := f.p.Nodes[n].TextStart
	return sort.Search(len(f.p.Blocks), func(i int) bool { return f.p.Blocks[i].Start > at }) - 1
}

// isLabelled reports whether the label before block i is that of another date than a post's.
func (f *finder) isLabelled(i int) bool {
	const (
		longest = 40 // bytes
		levels  = 3
	)
	if i < 1 || f.p.Blocks[i-1].Words > longestLabel {
		return false
	}
	at := f.p.Blocks[i-1].First
	for range levels {
		at = f.p.Nodes[at].Parent
		if at < 0 {
			break
		}
		switch f.p.Nodes[at].Tag {
		case page.TagDt, page.TagTh, page.TagLabel:
			text, pair := f.p.NodeText(int(at)), f.p.Nodes[at].Parent
			return len(text) <= longest && bytes.IndexByte(text, '\n') < 0 && f.p.Blocks[i].First < f.p.Nodes[pair].End &&
				isJoined(string(text))
		}
	}
	return false
}

// joined are words before the day on which a member joined or was last seen, or a post was edited.
var joined = [...]string{
	"join", "regist", "member since", "member for", "mitglied", "beitritt", "dabei seit", "inscri", "membre", "miembro",
	"membro", "iscri", "регистр", "с нами", "зарег", "dołącz", "rejestr", "üyelik", "kayıt", "lid sinds", "lid geworden",
	"medlem", "liittyn", "注册", "註冊", "登録", "가입", "参加", "التسجيل", "الانضمام", "הצטרף", "เข้าร่วม", "tham gia", "εγγραφή",
	"înscri", "edited", "bearbeitet", "geändert", "modifi", "editado", "изменен",
	"отредакт", "last", "zuletzt", "edyt", "düzenle", "bewerkt", "编辑", "編集", "active", "seen",
}

func isJoined(before string) bool {
	before = strings.ToLower(before)
	for _, w := range joined {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

func (f *finder) hasAttr(n int32, name string) bool {
	_, ok := f.p.RawAttr(int(n), name)
	return ok
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }
