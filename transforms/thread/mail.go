package thread

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// letters reads the messages of a page in an archive of a mailing list.
type letters struct {
	m     *maintext.Result
	p     *page.Page
	dates pagemeta.Dates
	heads []letterHead // ascending
	left  int          // heads beyond maxHeads
	end   int32        // of the last message of heads
}

// letterHead is the head of a message: offsets of the page's text, the author and the date.
type letterHead struct {
	start, end   int32
	author, date string
}

// Bounds of a head.
const (
	maxHeadLines = 24
	maxHeadLine  = 1000 // bytes; lists of receivers are long
	maxHeads     = 1000
)

// mailPosts returns the messages of a page of m in an archive of a mailing list, or nil for other pages. Archives name
// the message's id, at least for answers.
func mailPosts(m *maintext.Result, p *page.Page) (all []Post, left int) {
	if m.Page != p || len(m.Blocks) == 0 {
		return nil, 0
	}
	l := letters{m: m, p: p, dates: pagemeta.NewDates(p), end: int32(len(p.Text))}
	if l.pipermail(); len(l.heads) == 0 {
		l.labelled()
	}
	// The source is searched last: it is much longer than the text.
	if len(l.heads) == 0 || !namesMessage(p.Source) || l.isQuoted() {
		return nil, 0
	}
	room := maxText
	for k, h := range l.heads {
		end := l.end
		if k+1 < len(l.heads) {
			end = l.heads[k+1].start
		}
		text := l.text(h.end, end, room)
		if room -= len(text); text != "" {
			all = append(all, Post{Kind: KindPost, Author: h.author, Date: h.date, Text: text})
		}
	}
	return all, l.left
}

// namesMessage reports whether a source has one of the fields with the id of a message.
func namesMessage(source []byte) bool {
	return bytes.Contains(source, []byte("In-Reply-To")) || bytes.Contains(source, []byte("Message-I")) ||
		bytes.Contains(source, []byte("Message-i"))
}

// isQuoted reports whether the first head is below other text, which speaks of the message.
func (l *letters) isQuoted() bool {
	const most = 30
	words := int32(0)
	for _, i := range l.m.Blocks {
		if b := &l.p.Blocks[i]; b.End <= l.heads[0].start {
			words += b.Words
		}
	}
	return words > most
}

// text returns the main text between two offsets of the page's text, at most room bytes.
func (l *letters) text(from, to int32, room int) string {
	var whole []int32
	begun := ""
	for _, i := range l.m.Blocks {
		b := &l.p.Blocks[i]
		switch {
		case b.Start >= from && b.Start < to:
			whole = append(whole, i)
		case b.Start < from && b.End > from:
			begun = strings.TrimSpace(string(l.p.Text[from:min(b.End, to)]))
		}
	}
	begun = begun[:min(len(begun), room)]
	return strings.TrimSpace(strings.ToValidUTF8(begun, "") + "\n" + l.m.TextOf(whole, max(0, room-len(begun)-len("\n"))))
}

// pipermail finds the head of a page by Mailman 2: a name in bold type, a link to answer, and a date in italics.
func (l *letters) pipermail() {
	const near = 8 // nodes between the parts
	for i := range l.p.Nodes {
		if l.p.Nodes[i].Tag != page.TagA {
			continue
		}
		name := l.near(i, -1, near, page.TagB)
		if name < 0 {
			continue
		}
		day := l.near(int(l.p.Nodes[i].End), 1, near, page.TagI)
		if day < 0 {
			continue
		}
		href, _ := l.p.RawAttr(i, "href")
		if !bytes.HasPrefix(href, []byte("mailto:")) || !bytes.Contains(href, []byte("In-Reply-To")) {
			continue
		}
		h := letterHead{start: l.p.Nodes[name].TextStart, end: l.p.Nodes[day].TextEnd}
		h.author, h.date = sender(string(l.p.NodeText(name))), l.date(string(l.p.NodeText(day)))
		if h.date != "" {
			l.heads = append(l.heads, h)
		}
		return // further links to answer are below the message
	}
}

// near returns the first element with a tag among nodes from i on, in steps, or -1.
func (l *letters) near(i, step, most int, tag page.Tag) int {
	for range most {
		if i < 0 || i >= len(l.p.Nodes) {
			return -1
		}
		if l.p.Nodes[i].Tag == tag {
			return i
		}
		i += step
	}
	return -1
}

// labelled finds heads of lines with labels: From, Date and others.
func (l *letters) labelled() {
	var h letterHead
	lines := 0
	next := colons{text: l.p.Text, plain: -1, wide: -1}
	for at := 0; at < len(l.p.Text); {
		// Lines without a colon have no label.
		if next := next.line(at); next > at {
			l.add(h)
			h, lines = letterHead{}, 0
			at = next
			continue
		}
		end := len(l.p.Text)
		if n := bytes.IndexByte(l.p.Text[at:], '\n'); n >= 0 {
			end = at + n
		}
		label, value := labelOf(l.p.Text[at:end])
		// After the author and the date only fields of mail go on, since a text may begin like a field.
		if label == "" || lines == maxHeadLines || h.author != "" && h.date != "" && !isField(label) {
			l.add(h)
			h, lines = letterHead{}, 0
		} else {
			if lines == 0 {
				h.start = int32(at)
			}
			h.end = int32(end)
			lines++
			l.field(&h, label, value)
		}
		at = end + 1
	}
	l.add(h)
}

// colons finds lines with a colon. It keeps the next one of each kind until that is passed, so all searches together
// read the text once.
type colons struct {
	text        []byte
	plain, wide int // the length of text if there is none
}

// line returns the start of the first line with a colon, at or after the line that starts at i.
func (c *colons) line(i int) int {
	seek := func(sign string) int {
		if n := bytes.Index(c.text[i:], []byte(sign)); n >= 0 {
			return i + n
		}
		return len(c.text)
	}
	if c.plain < i {
		c.plain = seek(":")
	}
	if c.wide < i {
		c.wide = seek("：")
	}
	next := min(c.plain, c.wide)
	if next == len(c.text) {
		return next
	}
	return i + bytes.LastIndexByte(c.text[i:next], '\n') + 1
}

// field notes the author or the date that a field gives.
func (l *letters) field(h *letterHead, label, value string) {
	switch {
	case mailLabels[label] == "from" && h.author == "":
		h.author = sender(value)
	case mailLabels[label] == "date" && h.date == "":
		h.date = l.date(value)
	}
}

// isField reports whether a label is of a field of mail.
func isField(label string) bool {
	return mailLabels[label] != "" || strings.Contains(label, "-") || strings.HasPrefix(label, "list")
}

func (l *letters) add(h letterHead) {
	switch {
	case h.author == "" || h.date == "":
	case len(l.heads) < maxHeads:
		l.heads = append(l.heads, h)
	default:
		if l.left++; l.left == 1 {
			l.end = h.start
		}
	}
}

// labelOf returns the label of a line in small letters, and the value after it. label is "" for other lines.
func labelOf(line []byte) (label, value string) {
	const longest = 30
	if len(line) > maxHeadLine {
		return "", ""
	}
	before, after, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		before, after, ok = bytes.Cut(line, []byte("："))
	}
	// Small letters take no less than a third of the bytes.
	before = bytes.TrimSpace(before)
	if !ok || len(before) == 0 || len(before) > 3*longest || bytes.ContainsAny(before, " \t.,/") {
		return "", ""
	}
	if label = strings.ToLower(string(before)); len(label) > longest {
		return "", ""
	}
	return label, string(bytes.TrimSpace(after))
}

// mailLabels are labels of heads in some languages.
var mailLabels = map[string]string{
	"from": "from", "von": "from", "de": "from", "da": "from", "van": "from", "od": "from", "från": "from", "fra": "from",
	"от": "from", "kimden": "from", "差出人": "from", "发件人": "from", "寄件者": "from", "보낸사람": "from",
	"date": "date", "datum": "date", "fecha": "date", "data": "date", "dato": "date", "дата": "date", "sent": "date",
	"tarih": "date", "日付": "date", "日時": "date", "日期": "date", "날짜": "date",
	"to": "to", "an": "to", "à": "to", "para": "to", "aan": "to", "do": "to", "кому": "to", "宛先": "to", "收件人": "to",
	"cc": "cc", "kopie": "cc", "копия": "cc", "抄送": "cc", "newsgroups": "to",
	"subject": "subject", "betreff": "subject", "objet": "subject", "sujet": "subject", "asunto": "subject",
	"oggetto": "subject", "assunto": "subject", "onderwerp": "subject", "temat": "subject", "тема": "subject",
	"konu": "subject", "件名": "subject", "主题": "subject", "主題": "subject", "제목": "subject",
}

// sender returns the name in a field From, or the address if there is no name.
func sender(s string) string {
	name, address, ok := strings.Cut(s, "<")
	if name = strings.Trim(strings.TrimSpace(name), `"'`); ok && name == "" {
		name = strings.TrimRight(address, "> ")
	}
	// An address with the name after it, or the other way round.
	if before, inner, ok := strings.Cut(name, "("); ok {
		inner, _, _ = strings.Cut(inner, ")")
		if name = strings.TrimSpace(before); isAddress(name) {
			name = inner
		}
	}
	return cleanName(name)
}

func isAddress(s string) bool { return strings.Contains(s, "@") || strings.Contains(s, " at ") }

// date returns the date of a message.
func (l *letters) date(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if d, ok := l.dates.Parse(s); ok {
		return d.String()
	}
	if d, _, ok := l.dates.Find(s); ok {
		return d.String()
	}
	return ""
}
