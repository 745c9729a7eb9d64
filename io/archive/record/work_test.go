package record_test

import (
	"io"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/arc"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// counting counts the calls that search for heads.
type counting struct {
	record.Grammar
	calls *int
}

func (c counting) Index(b []byte, from int) int {
	*c.calls++
	return c.Grammar.Index(b, from)
}

func (c counting) Match(b []byte, strict bool) bool {
	*c.calls++
	return c.Grammar.Match(b, strict)
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
			few := callsOf(t, tt.first+strings.Repeat(tt.unit, small/len(tt.unit)), own)
			many := callsOf(t, tt.first+strings.Repeat(tt.unit, factor*small/len(tt.unit)), own)
			if many > 2*factor*few+1000 {
				t.Errorf("%s, as %T: %d calls for %d bytes, %d for %d times as many", tt.name, own, few, small, many, factor)
			}
		}
	}
}

// callsOf reads data and returns how often the reader asked a grammar for a head.
func callsOf(t *testing.T, data string, own record.Grammar) (calls int) {
	t.Helper()
	size := int64(len(data))
	var counted []record.Grammar
	for _, g := range []record.Grammar{warc.Grammar{}, arc.Grammar{}} {
		if g != own {
			counted = append(counted, counting{g, &calls})
		}
	}
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: size, Size: size}, member.Plain,
		counting{own, &calls}, record.Options{Others: counted})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		if _, _, err := r.Step(); err == io.EOF {
			return calls
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
