package record_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/arc"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// counting counts the calls that search for heads, and the bytes that they search.
type counting struct {
	record.Grammar
	calls, bytes *int
}

func (c counting) Index(b []byte, from int) int {
	*c.calls++
	i := c.Grammar.Index(b, from)
	if *c.bytes += len(b) - from; i >= 0 {
		*c.bytes -= len(b) - i
	}
	return i
}

func (c counting) Match(b []byte, strict bool) bool {
	*c.calls++
	return c.Grammar.Match(b, strict)
}

func (c counting) Parse(h *record.Head, b []byte, whole bool) int {
	*c.calls++
	return c.Grammar.Parse(h, b, whole)
}

// TestReader_searchIsLinear: twice as long a file of damaged heads takes about twice as many calls of the grammars. An
// archive may continue in the other format, so the reader searches for the heads of both.
func TestReader_searchIsLinear(t *testing.T) {
	head := func(fields string) string { return "WARC/1.0\r\nWARC-Type: resource\r\n" + fields + "\r\n\r\n" }
	line := func(length string) string { return "http://a.b/ 1.2.3.4 20010101010101 text/html " + length + "\n" }
	for _, tt := range []struct{ name, first, unit string }{
		{"no length", "", head("Content-Length: x")},
		{"a length of any size", "", head("Content-Length: 9223372036854775807")},
		{"a long length", "", head("Content-Length: 50000000")},
		{"a length beyond the block", "", head("Content-Length: 30000000")},
		{"lines without a length", "", line("x")},
		{"lines with a long length", "", line("50000000")},
		{"lines in an archive of heads", head("Content-Length: x"), line("50000000")},
		{"heads in an archive of lines", line("x"), head("Content-Length: 50000000")},
		{"heads and lines", "", head("Content-Length: x") + line("x")},
		{"text after a head", head("Content-Length: x"), "http://a.b/ is a page\n"},
		{"halves of heads", head("Content-Length: x"), "WARC/1.0\r\nWARC-Type"},
	} {
		for _, own := range []record.Grammar{warc.Grammar{}, arc.Grammar{}} {
			const small, factor = 40_000, 4
			few, _ := callsOf(t, tt.first+strings.Repeat(tt.unit, small/len(tt.unit)), own)
			many, _ := callsOf(t, tt.first+strings.Repeat(tt.unit, factor*small/len(tt.unit)), own)
			if many > 2*factor*few+1000 {
				t.Errorf("%s, as %T: %d calls for %d bytes, %d for %d times as many", tt.name, own, few, small, many, factor)
			}
		}
	}
}

// TestReader_searchesBytesOnce: many records state a length that leads to the same wrong place. The bytes up to there
// are searched once for all.
func TestReader_searchesBytesOnce(t *testing.T) {
	const http = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n"
	const plain = "the tide stood high\r\n\r\n"
	const shown = "http://a.b/ 1.2.3.4 20010101010101 text/html 9\nx\r\n\r\n"
	data := func(n int, kind, block, last string) string {
		const head = "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-02-03T04:05:06Z\r\n" +
			"WARC-Target-URI: http://a.b/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %09d\r\n\r\n"
		size := len(fmt.Sprintf(head, kind, 0)) + len(block)
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, head+"%s", kind, (n-i)*size-(size-len(block)), block)
		}
		return b.String() + last
	}
	for _, tt := range []struct{ name, kind, block string }{
		{"responses", "response", http},
		{"resources", "resource", plain},
		{"lines of ARC in them", "resource", shown},
	} {
		for _, last := range []string{"garbage\x01\x02garbage\n\n", "garbage\n" + plain} {
			const small, factor = 100, 4
			_, few := callsOf(t, data(small, tt.kind, tt.block, last), warc.Grammar{})
			_, many := callsOf(t, data(factor*small, tt.kind, tt.block, last), warc.Grammar{})
			if many > 2*factor*few {
				t.Errorf("%s: %d bytes for %d records, %d for %d times as many", tt.name, few, small, many, factor)
			}
		}
	}
}

// TestReader_searchesBytesOnceForAllFormats: many records of two formats state lengths that lead into the same bytes.
// An archive of the other format may be between them.
func TestReader_searchesBytesOnceForAllFormats(t *testing.T) {
	const text = "the tide stood high, and the boats lay far out on the sand\n"
	const line = "http://a.b/ 1.2.3.4 20010101010101 text/html "
	const head = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\nContent-Length: "
	bad := [2]string{head + "%d\r\n\r\n" + text, line + "%d\n" + text}
	short := "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n" + text
	sound := [2]string{head + "4\r\n\r\ntext\r\n\r\n", line + "4\ntext\n"}
	shown := [2]string{head + "9\r\n\r\n" + text + "\r\n\r\n", line + "9\n" + text + "\n"}
	for _, tt := range []struct{ name, unit, tail string }{
		{"both formats, before lines", bad[0] + bad[1], shown[1]},
		{"both formats, before heads", bad[0] + bad[1], shown[0]},
		{"heads and a member of lines", bad[0] + gz(t, sound[1]), shown[1]},
		{"heads that lack something and a member of lines", short + gz(t, sound[1]), shown[1]},
		{"heads and a member of heads", bad[0] + gz(t, sound[0]), shown[1]},
		{"lines and a member of heads", bad[1] + gz(t, sound[0]), shown[0]},
		{"lines and a member of lines", bad[1] + gz(t, sound[1]), shown[0]},
		{"heads and a member of lines, before an archive of lines", bad[0] + gz(t, sound[1]), sound[1]},
		{"heads that lack something and lines, before lines", short + bad[1], shown[1]},
		{"heads that lack something, before an archive of lines", short + gz(t, sound[1]), sound[1]},
		{"lines and a member of heads, before an archive of heads", bad[1] + gz(t, sound[0]), sound[0]},
	} {
		tail := strings.Repeat(tt.tail, 400_000/len(tt.tail)) + text
		unit := strings.ReplaceAll(tt.unit, "%d", fmt.Sprint(len(tail)*3/4))
		const small, large, each = 10, 200, 8 << 10 // looked at for each change of format or compression
		for k, own := range []record.Grammar{warc.Grammar{}, arc.Grammar{}} {
			fewCalls, few := callsOf(t, sound[k]+strings.Repeat(unit, small)+tail, own)
			manyCalls, many := callsOf(t, sound[k]+strings.Repeat(unit, large)+tail, own)
			if many > 2*few+large*each || manyCalls > 2*fewCalls+large*each/100 {
				t.Errorf("%s, as %T: %d calls for %d bytes for %d units, %d for %d for %d", tt.name, own, fewCalls, few, small,
					manyCalls, many, large)
			}
		}
	}
}

// callsOf reads data and returns how often the reader asked a grammar for a head, and how many bytes were searched.
func callsOf(t *testing.T, data string, own record.Grammar) (calls, searched int) {
	t.Helper()
	size := int64(len(data))
	var counted []record.Grammar
	for _, g := range []record.Grammar{warc.Grammar{}, arc.Grammar{}} {
		if g != own {
			counted = append(counted, counting{g, &calls, &searched})
		}
	}
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: size, Size: size}, member.Plain,
		counting{own, &calls, &searched}, record.Options{Others: counted})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		if _, _, err := r.Step(); err == io.EOF {
			return calls, searched
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
