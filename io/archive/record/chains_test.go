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

// lines are n records of an ARC file, each of size bytes or a little more.
func lines(n, size int) string {
	var b strings.Builder
	for i := range n {
		body := strings.Repeat("x", max(0, size-len("http://a.example/0 192.0.2.1 20010203040506 text/html 0\n\n")))
		fmt.Fprintf(&b, "http://a.example/%d 192.0.2.1 20010203040506 text/html %d\n%s\n", i, len(body), body)
	}
	return b.String()
}

// heads are the same of a WARC file.
func heads(n, size int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(sized(fmt.Sprint(i), strings.Repeat("x", max(0, size-len(sized("0", ""))))))
	}
	return b.String()
}

// listed reads an uncompressed file and returns the sizes of its blocks in order.
func listed(t *testing.T, data string, own, other record.Grammar) (sizes []int64) {
	t.Helper()
	size := int64(len(data))
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: size, Size: size}, member.Plain, own,
		record.Options{Others: []record.Grammar{other}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return sizes
		} else if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, rec.Size)
	}
}

// TestReader_otherFormatBehindACut: an archive was cut within a record, and one of the other format follows. The length
// of the record leads into that.
func TestReader_otherFormatBehindACut(t *testing.T) {
	const n, over = 2000, 20_000
	for _, size := range []int{100, 500, 1000, 2000, 3000, 10_000} {
		text := strings.Repeat("the tide stood high\n", 50)
		cut := rec("cut", fmt.Sprint(len(text)+over), text)
		cut = strings.TrimSuffix(cut, "\r\n\r\n")
		line := fmt.Sprintf("http://a.example/cut 192.0.2.1 20010203040506 text/html %d\n", len(text)+over)
		for name, got := range map[string][]int64{
			"lines behind a head": listed(t, heads(3, size)+cut+lines(n, size), warc.Grammar{}, arc.Grammar{}),
			"heads behind a line": listed(t, lines(3, size)+line+text+heads(n, size), arc.Grammar{}, warc.Grammar{}),
		} {
			if len(got) != 3+1+n || got[3] > int64(len(text)) {
				t.Errorf("%s, records of %d bytes: %d, of which the cut one has %d", name, size, len(got), got[min(3, len(got)-1)])
			}
		}
	}
}

// TestReader_otherFormatBeforeMembers is the same with a short archive, and a compressed one after it.
func TestReader_otherFormatBeforeMembers(t *testing.T) {
	const n, over = 300, 20_000
	text := strings.Repeat("the tide stood high\n", 50)
	cut := strings.TrimSuffix(rec("cut", fmt.Sprint(len(text)+over), text), "\r\n\r\n")
	for name, member := range map[string]string{"heads": gz(t, heads(1, 100)), "lines": gz(t, lines(1, 100))} {
		data := heads(3, 300) + cut + lines(5, 300) + strings.Repeat(member, n)
		got := listed(t, data, warc.Grammar{}, arc.Grammar{})
		if len(got) != 3+1+5+n || got[3] > int64(len(text)) {
			t.Errorf("members of %s: %d records, of which the cut one has %d bytes", name, len(got), got[min(3, len(got)-1)])
		}
	}
}

// TestReader_storedArchivesBehindText: a block holds text, an archive of the other format and a compressed one. What
// closes the block is overwritten.
func TestReader_storedArchivesBehindText(t *testing.T) {
	const noise = "\x01\x02noise\x03\x04"
	for _, size := range []int{100, 1000, 10_000, 100_000} {
		for tail, behind := range map[string]string{
			"heads": gz(t, sized("a", "x")), "lines": gz(t, lines(3, 100)), "text": gz(t, sized("a", "x")) + "\nmore text\n",
		} {
			block := "notes:\n" + lines(2, size) + behind
			head := strings.TrimSuffix(rec("holds", fmt.Sprint(len(block)), block), "\r\n\r\n")
			got := listed(t, heads(1, 300)+head+noise+heads(3, 300), warc.Grammar{}, arc.Grammar{})
			if len(got) != 5 || got[1] != int64(len(block)) {
				t.Errorf("lines of %d bytes before a member of %s: blocks of %d, want %d", size, tail, got, len(block))
			}
			block = "notes:\n" + heads(2, size) + behind
			head = fmt.Sprintf("http://a.example/holds 192.0.2.1 20010203040506 text/html %d\n%s", len(block), block)
			got = listed(t, lines(1, 300)+head+noise+lines(3, 300), arc.Grammar{}, warc.Grammar{})
			if len(got) != 5 || got[1] != int64(len(block)) {
				t.Errorf("heads of %d bytes before a member of %s: blocks of %d, want %d", size, tail, got, len(block))
			}
		}
	}
}
