package record_test

import (
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
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

// unclosed is want for a record that is not closed as the format asks.
func unclosed(want string) string { return strings.TrimSuffix(want, "[]0") + "[unclosed_record]0" }

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
		{"2 too long by what closes it", newPage("a", text+end).record() + next, newPage("a", text+end).want("length") + z},
		{
			"2 nothing closes it, and HTTP agrees", newPage("a", text+end).states(len(text+end)).record() + next,
			unclosed(newPage("a", text+end).states(len(text+end)).want("")) + z,
		},
		{"2 nothing closes it, and nothing looks as if it did", a.record() + next, unclosed(a.want("")) + z},
		{"2 far too many line ends", a.record() + end + end + end + next, a.want("")[:len(a.want(""))-3] +
			"[extra_blank_line]0" + z},
		{"2 too short by what closes it", a.record() + end + end + next, a.want("length")[:len(a.want("length"))-3] +
			"[extra_blank_line]0" + z},
		{
			"2 too long by a half of what closes it, and HTTP agrees", newPage("a", text+"\r\n").states(len(text)+2).record() +
				"\r\n" + next,
			unclosed(newPage("a", text+"\r\n").states(len(text)+2).want("")) + z,
		},
		{
			"2 and a digest agrees", newPage("a", text+"\r\n").labelled().record() + "\r\n" + next,
			unclosed(newPage("a", text+"\r\n").want("")) + z,
		},
		{
			"2 and HTTP says otherwise", a.states(len(text)).says(len(a.states(len(text)).block())+2).record() + end + next,
			a.states(len(text)).want("length") + z,
		},
		{
			"2 and nothing else is known", newPage("a", text+"\r\n").record() + "\r\n" + next,
			newPage("a", text+"\r\n").want("length") + z,
		},
		{
			"2 a line end more behind a last line", newPage("a", text+"\n").record() + "\n\n\n" + next,
			newPage("a", text+"\n").want("length") + z,
		},
		{"3 a hole, and a digest", a.labelled().record() + gone + noise + next, a.want("") + lost(gone+noise) + z},
		{
			"4 HTTP leads to the end of a record", a.states(len(text)).says(len(text)).record() + end + next,
			a.states(len(text)).want("length") + z,
		},
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
			"8 but characters were counted", newPage("a", "é"+text).states(len(text)+
				1).says(len(newPage("a", "e"+text).states(len(text)+1).block())).record() + end + next,
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
			"12 no length, for the head is cut off within a line", "WARC/1.0\r\nWARC-Record-ID: <a>\r\nContent-Le" + next,
			"a:[length][lf_line_end line_without_colon head_without_blank_line]0" + z,
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

// TestAttack08_memberInsideAWrongLength: members of another compression within a record's stated length. In some
// archives the length is wrong, because the record was truncated and another archive follows. In the others the members
// are the record's own body.
func TestAttack08_memberInsideAWrongLength(t *testing.T) {
	const noise = "\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0e\x0f\x10"
	body := "<p>one page</p>"
	next, last := sized("z", strings.Repeat("z", 90)), sized("y", "yy")
	z := fmt.Sprintf(" {mixed 0} z:%s[][]0", strings.Repeat("z", 90))
	cut := func(missing int) page { return newPage("a", body).states(len(body) + missing) }
	says := func(missing int) page { p := cut(missing); return p.says(len(p.block()) + missing) }
	stored := newPage("a", gz(t, next)+noise)
	tests := []struct{ name, data, want string }{
		{"before the stated end", says(50).record() + gz(t, next), cut(50).want("length") + z},
		{"and more behind", says(50).record() + gz(t, next, last), cut(50).want("length") + z + " y:yy[][]0"},
		{"the stated end is behind the file's", says(900).record() + gz(t, next), cut(900).want("length") + z},
		{"no end is stated", cut(9).says(-1).record() + gz(t, next), cut(9).want("length") + z},
		{"it is the body, a hole behind", stored.record() + noise + last, stored.want("length") + " {garbage 12} y:yy[][]0"},
		{"it is the body, and the file is cut", stored.says(len(stored.block()) + 9).record(), stored.want("partial")},
		{
			"it is the body, and itself is cut", stored.record()[:len(stored.record())-30],
			fmt.Sprintf("a:%s[partial][]0", stored.block()[:len(stored.block())-30]),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, tt.data, member.Plain); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestRecord_runsOver has records of which the stated length leads over others, or may seem to.
func TestRecord_runsOver(t *testing.T) {
	const (
		text = "<p>one page</p>"
		end  = "\r\n\r\n"
	)
	next, last := sized("y", "yy"), sized("z", "zz")
	swallowed, overlong := text+end+next+last, newPage("b", text).says(9999).record()+end+last
	tests := []struct {
		name string
		data string
		kind member.Kind
		want bool
	}{
		{"two records", newPage("a", swallowed).record() + end, member.Plain, true},
		{"of which one runs over, too", newPage("a", text+end+overlong).record() + end, member.Plain, true},
		{
			"one that runs over, as HTTP says", newPage("a", text+end+overlong).states(len(text+end+overlong)).record() + end,
			member.Plain, false,
		},
		{"in a member of several", gz(t, newPage("a", swallowed).record()+end+next), member.Gzip, true},
		{"as HTTP says", newPage("a", swallowed).states(len(swallowed)).record() + end, member.Plain, false},
		{"in a member of its own", gz(t, newPage("a", swallowed).record()+end, next), member.Gzip, false},
		{"an archive that nothing confirms", newPage("a", next+last).record() + end, member.Plain, true},
		{"a head that is shown", newPage("a", text+end+next+text).record() + end, member.Plain, false},
		{"heads that are shown before", newPage("a", "<pre>\r\nWARC/1.0\r\nContent-Length: 3\r\n\r\nabc</pre>"+
			swallowed).record() + end, member.Plain, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			size := int64(len(tt.data))
			r, err := record.NewReader(strings.NewReader(tt.data), member.Range{End: size, Size: size}, tt.kind, warc.Grammar{},
				record.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			rec, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if got := rec.MaySpanRecords(); got != tt.want {
				t.Errorf("MaySpanRecords() = %v, want %v", got, tt.want)
			}
		})
	}
}

// TestReader_bareStretchAfterStepBack reads three records. The reader looks far ahead in the first one. After the
// second one begins a stretch that it has not seen, with a complete head in the third one. The stretch remembered as
// free of complete heads must not include that head.
func TestReader_bareStretchAfterStepBack(t *testing.T) {
	const cut = "\r\n\r\n" // the first byte counted as the block's: no record ends there
	shown := strings.Repeat("WARC/1.0\r\nA: b\r\n\r\n", 70) + "<!-- end -->"
	nameless := "WARC/1.0\r\nContent-Length: 2\r\n\r\nbb\r\n\r\n"
	split := func(id, body string) string { return strings.TrimSuffix(sized(id, body+"\r"), cut) + cut[1:] }
	behind := nameless + split("k", shown) + split("c", shown+sized("d", "dd")+"more") + sized("f", "ff") +
		"\x01\x02\x03" + shown
	first := newPage("a", "text").states(4)
	got := read(t, first.says(len(first.block()+behind)).record()+cut+behind+strings.Repeat("\x01", 5000), member.Plain)
	got = strings.ReplaceAll(got, shown, "SHOWN")
	if want := " c:SHOWN[length][]0 d:dd[length]"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
	if want := "a:" + first.block() + "[length]"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q first", got, want)
	}
}
