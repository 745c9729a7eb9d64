package record_test

import (
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/member"
)

// page is a record of an HTTP response: without HTTP's own length, which states gives it, and without a digest, which
// labelled gives it.
type page struct{ id, head, body, length string }

func newPage(id, body string) page { return page{id: id, body: body} }

func (p page) states(n int) page { p.head = fmt.Sprintf("Content-Length: %d\r\n", n); return p }

func (p page) labelled() page {
	sum := sha1.Sum([]byte(p.block()))
	p.id += ">\r\nWARC-Block-Digest: <sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	return p
}

func (p page) says(length int) page { p.length = fmt.Sprint(length); return p }

func (p page) block() string { return "HTTP/1.1 200 OK\r\n" + p.head + "\r\n" + p.body }

// record is the page's record without what closes one.
func (p page) record() string {
	if p.length == "" {
		p.length = fmt.Sprint(len(p.block()))
	}
	head := strings.ReplaceAll(rec(p.id, p.length, ""), "<sha1:", "sha1:")
	head = strings.Replace(head, ">\r\nContent-Length", "\r\nContent-Length", strings.Count(head, "sha1:"))
	head = strings.Replace(head, "Content-Length", "Content-Type: application/http\r\nContent-Length", 1)
	return strings.TrimSuffix(head, "\r\n\r\n") + p.block()
}

// want is how read lists the page.
func (p page) want(flags string) string {
	id, _, _ := strings.Cut(p.id, ">")
	return fmt.Sprintf("%s:%s[%s][]0", id, p.block(), flags)
}

// TestAttack04_decisionTable has a test for each row of the table in docs/damage.md, in its order.
func TestAttack04_decisionTable(t *testing.T) {
	const (
		text  = "<p>one page</p>"
		end   = "\r\n\r\n"
		noise = "\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0e\x0f\x10"
		gone  = "\x05\x06\x07\x08"
		story = "<pre>WARC/1.0\r\nContent-Length: 12\r\n\r\n</pre>"
	)
	a, next := newPage("a", text), sized("z", "zz")
	z := " z:zz[][]0"
	lost := func(s string) string { return fmt.Sprintf(" {garbage %d}", len(s)) }
	tests := []struct{ name, data, want string }{
		{"1 a record ends at the stated length", a.record() + end + next, a.want("") + z},
		{"1 and an archive is in it", newPage("a", next).record() + end + next, newPage("a", next).want("") + z},
		{
			"2 too long by a half of what closes it, and HTTP agrees", newPage("a", text+"\r\n").states(len(text)+2).record() + "\r\n" + next,
			newPage("a", text+"\r\n").states(len(text)+2).want("") + z,
		},
		{"2 and a digest agrees", newPage("a", text+"\r\n").labelled().record() + "\r\n" + next, newPage("a", text+"\r\n").want("") + z},
		{
			"2 and HTTP says otherwise", a.states(len(text)).says(len(a.states(len(text)).block())+2).record() + end + next,
			a.states(len(text)).want("length") + z,
		},
		{"2 and nothing else is known", newPage("a", text+"\r\n").record() + "\r\n" + next, newPage("a", text+"\r\n").want("length") + z},
		{
			"2 a line end more behind a last line", newPage("a", text+"\n").record() + "\n\n\n" + next,
			newPage("a", text+"\n").want("") + z,
		},
		{"3 a hole, and a digest", a.labelled().record() + gone + noise + next, a.want("") + lost(gone+noise) + z},
		{"4 HTTP leads to the end of a record", a.states(len(text)).says(len(text)).record() + end + next, a.states(len(text)).want("length") + z},
		{
			"4 where the block shows a head", newPage("a", story).states(len(story)).says(len(story)+10).record() + end + next,
			newPage("a", story).states(len(story)).want("length") + z,
		},
		{"5 a head inside", a.says(len(a.block())+50).record() + end + next, a.want("length") + z},
		{
			"5 a hole behind an archive in a record", newPage("a", next+next).record() + gone + noise + next,
			newPage("a", next+next).want("length") + lost(gone+noise) + z,
		},
		{
			"5 a hole behind a page about archives", newPage("a", story).record() + gone + noise + next,
			newPage("a", story).want("length") + lost(gone+noise) + z,
		},
		{"6 what closes a record, and no head behind it", a.record() + end + noise + next, a.want("") + lost(noise) + z},
		{
			"8 a hole, and HTTP agrees", a.states(len(text)).record() + "garbage " + text + end + next,
			a.states(len(text)).want("length") + lost("garbage "+text+end) + z,
		},
		{
			"8 but characters were counted", newPage("a", "é"+text).states(len(text)+1).says(len(newPage("a", "e"+text).states(len(text)+1).block())).record() + end + next,
			newPage("a", "é"+text).states(len(text)+1).want("length") + z,
		},
		{"9 text that goes on", a.says(len(a.block())-5).record() + end + next, a.want("length") + z},
		{
			"9 a head of HTTP that goes on", a.says(7).record() + noise + end + next,
			newPage("a", text+noise).want("length") + z,
		},
		{"10 a hole, and nothing else is known", a.record() + gone + noise + next, a.want("length") + lost(gone+noise) + z},
		{
			"10 a hole of text that ends in the next page", a.record() + "x\r\nWARC-Date: 2020\r\n\r\n" + text + end + next,
			a.want("length") + lost("x\r\nWARC-Date: 2020\r\n\r\n"+text+end) + z,
		},
		{
			"12 no length, and HTTP's", newPage("a", story).states(len(story)).says(-1).record() + end + next,
			newPage("a", story).states(len(story)).want("length") + z,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, tt.data, member.Plain); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	t.Run("7 the end of a member", func(t *testing.T) {
		data := gz(t, a.says(len(a.block())-5).record()+end, next)
		if got, want := read(t, data, member.Gzip), a.want("length")+z; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}
