package arc

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestParseLine(t *testing.T) {
	tests := []struct {
		name, in string
		want     string // URL|IP|date|MIME|length|version; empty when it is not a line
	}{
		{"version 1", "http://a/ 1.2.3.4 20040506070809 text/html 12", "http://a/|1.2.3.4|20040506070809|text/html|12|1"},
		{
			"version 2", "http://a/ 1.2.3.4 20040506070809 text/html 200 sum - 99 a.arc 12",
			"http://a/|1.2.3.4|20040506070809|text/html|12|2",
		},
		{
			"version block", "filedesc://a.arc 0.0.0.0 20040506070809 text/plain 76",
			"filedesc://a.arc|0.0.0.0|20040506070809|text/plain|76|1",
		},
		{
			"CR at the end", "http://a/ 1.2.3.4 20040506070809 text/html 12\r",
			"http://a/|1.2.3.4|20040506070809|text/html|12|1",
		},
		{
			"blanks in the URL", "http://a/b c d 1.2.3.4 20040506070809 text/html 12",
			"http://a/b c d|1.2.3.4|20040506070809|text/html|12|1",
		},
		{
			"date in the URL", "http://a/20010101010101 20010101010101 x 1.2.3.4 20040506070809 text/html 12",
			"http://a/20010101010101 20010101010101 x|1.2.3.4|20040506070809|text/html|12|1",
		},
		{
			"blanks in the type", "http://a/ 1.2.3.4 20040506070809 text/html; charset=x 12",
			"http://a/|1.2.3.4|20040506070809|text/html; charset=x|12|0",
		},
		{"no type", "http://a/ 1.2.3.4 20040506070809 12", "http://a/|1.2.3.4|20040506070809||12|0"},
		{"IPv6", "http://a/ 2001:db8::1 20040506070809 text/html 12", "http://a/|2001:db8::1|20040506070809|text/html|12|1"},
		{"dashes", "http://a/ - - - 12", "http://a/|-|-|-|12|1"},
		{"date of 12 digits", "http://a/ 1.2.3.4 200405060708 text/html 12", "http://a/|1.2.3.4|200405060708|text/html|12|1"},
		{
			"date of 17 digits", "http://a/ 1.2.3.4 20040506070809123 text/html 12",
			"http://a/|1.2.3.4|20040506070809123|text/html|12|1",
		},
		{
			"length no number", "http://a/ 1.2.3.4 20040506070809 text/html x",
			"http://a/|1.2.3.4|20040506070809|text/html|-1|1",
		},
		{
			"length negative", "http://a/ 1.2.3.4 20040506070809 text/html -9",
			"http://a/|1.2.3.4|20040506070809|text/html|-1|1",
		},
		{
			"length too large", "http://a/ 1.2.3.4 20040506070809 text/html 9223372036854775807",
			fmt.Sprintf("http://a/|1.2.3.4|20040506070809|text/html|%d|1", int64(maxLength)),
		},
		{"prose", "this is a line of text without a date", ""},
		{"three fields", "http://a/ 20040506070809 12", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if l, ok := parseLine([]byte(tt.in)); ok {
				got = fmt.Sprintf("%s|%s|%s|%s|%d|%d", l.url, l.ip, l.date, l.mime, l.length, l.version)
			}
			if got != tt.want {
				t.Errorf("parseLine(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte("http://a/ 1.2.3.4 20040506070809 text/html 12"))
	f.Add([]byte("http://a/ 1.2.3.4 20040506070809 text/html 200 sum - 99 a.arc 12"))
	f.Add([]byte("x: - - - -"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, ok := parseLine(b)
		if ok && (l.length < -1 || l.length > maxLength || len(l.url)+len(l.ip)+len(l.date)+len(l.mime) > len(b)) {
			t.Errorf("parseLine(%q) = %+v", b, l)
		}
		if strict := (Grammar{}).Match(b, true); strict && !(Grammar{}).Match(b, false) {
			t.Errorf("Match(%q) is strict and not lenient", b)
		}
	})
}

// TestParse_blanksInTheType: some writers copied a type with its parameters.
func TestParse_blanksInTheType(t *testing.T) {
	for kind, damaged := range map[string]bool{
		"text/html": false, "text/html;charset=utf-8": false, "text/html; charset=utf-8": false,
		"text/html ;charset=utf-8": false, "text/plain; charset=utf-8; format=flowed": false,
		"text/html;  charset=utf-8": true, "200 text/html": true,
	} {
		for _, address := range []string{"192.0.2.1", "-", "2001:db8::1"} {
			var h record.Head
			line := "http://a.example/1 " + address + " 20040203040506 " + kind + " 298\n"
			if (Grammar{}).Parse(&h, []byte(line), true); h.Damaged != damaged || h.Length != 298 {
				t.Errorf("%q: damaged %t, length %d", line, h.Damaged, h.Length)
			}
		}
	}
}

func TestParseDate(t *testing.T) {
	tests := []struct {
		in, want string
	}{
		{"20040506070809", "2004-05-06T07:08:09Z"},
		{"200405060708", "2004-05-06T07:08:00Z"},
		{"2004050607080", "2004-05-06T07:08:00Z"},
		{"20040506070809123", "2004-05-06T07:08:09Z"},
		{"20161231235960", "2016-12-31T23:59:59Z"},
		{"20041306070809", ""},
		{"2004", ""},
		{"-", ""},
	}
	for _, tt := range tests {
		got := ""
		if stamp, ok := parseDate(tt.in); ok {
			got = stamp.Format(time.RFC3339)
		}
		if got != tt.want {
			t.Errorf("parseDate(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func read(t testing.TB, data string) (list []string) {
	t.Helper()
	size := int64(len(data))
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: size, Size: size}, member.Plain, Grammar{},
		record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		c, quirks := Grammar{}.Capture(rec, "a.arc", payload.Options{})
		if c == nil {
			list = append(list, Grammar{}.Type(rec))
			continue
		}
		list = append(list, fmt.Sprintf("%s %s %s %d %q %v %v", c.URL, c.IP, c.MIMEDeclared, c.Status, c.Body, c.Flags,
			quirks))
	}
}

const (
	version = "filedesc://a.arc 0.0.0.0 20040506070809 text/plain 69\n1 0 Archive\nURL IP-address Archive-date " +
		"Content-type Archive-length\n\n"
	message = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nbody"
)

func entry(length int, block string) string {
	return fmt.Sprintf("http://a/b 1.2.3.4 20040506070809 text/plain %d\n%s", length, block)
}

func TestCapture(t *testing.T) {
	n := len(message)
	const good = `http://a/b 1.2.3.4 text/html 200 "body" [] []`
	const doubted = `http://a/b 1.2.3.4 text/html 200 "body" [length] []`
	const dateless = `http://a/b 1.2.3.4 text/html 200 "body" [damaged_head timestamp] [odd_date]`
	const repaired = `http://a/b 1.2.3.4 text/html 200 "body" [length] []`
	tests := []struct {
		name, data string
		want       []string
	}{
		{"whole", version + entry(n, message) + "\n" + entry(n, message) + "\n", []string{"filedesc", good, good}},
		// the block does not end with one
		{"no line end between", version + entry(n, message) + entry(n, message), []string{"filedesc", good, good}},
		{
			"blank lines between", version + "\n\n" + entry(n, message) + "\r\n\r\n" + entry(n, message) + "\n\n\n",
			[]string{"filedesc", doubted, doubted},
		},
		{"length too large", entry(n+9, message) + "\n" + entry(n, message) + "\n", []string{repaired, good}},
		{"length too large by three", entry(n+3, message) + "\n" + entry(n, message) + "\n", []string{repaired, good}},
		{"length too small", entry(n-2, message) + "\n" + entry(n, message) + "\n", []string{repaired, good}},
		{
			"no length", strings.Replace(entry(n, message), fmt.Sprint(" ", n), " ?", 1) + "\n" + entry(n, message) + "\n",
			[]string{repaired, good},
		},
		{"cut", entry(n, message)[:len(entry(n, message))-2], []string{`http://a/b 1.2.3.4 text/html 200 "bo" [partial] []`}},
		{"damaged line", entry(n, message) + "\n" + strings.Replace(entry(n, message), " 2004", " x004", 1) + "\n" +
			entry(n, message) + "\n", []string{good, dateless, good}},
		{"garbage before a line", "\xfbR" + entry(n, message) + "\n", []string{good}},
		{"a letter before a line", entry(n, message) + "k" + entry(n, message) + "\n", []string{doubted, good}},
		{
			"zeros before a line", "\xfb\x00\x00dns:a 1.2.3.4 20040506070809 text/dns 4\nabcd\n",
			[]string{`dns:a 1.2.3.4 text/dns 0 "abcd" [] []`},
		},
		{"odd fields", "dns:a - 200405060708 text/dns 4\nabcd\n", []string{`dns:a  text/dns 0 "abcd" [] [odd_date]`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, tt.data); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func ExampleGrammar() {
	file := strings.NewReader(version + entry(len(message), message) + "\n")
	var g Grammar
	r, err := record.NewReader(file, member.Range{End: file.Size(), Size: file.Size()}, member.Plain, g, record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		if c, _ := g.Capture(rec, "a.arc", payload.Options{}); c != nil {
			fmt.Println(c.RecordType == schemas.TypeARC, c.URL, c.Timestamp.Year(), string(c.Body))
		}
	}
	// Output: true http://a/b 2004 body
}

func ExampleNewReader() {
	file := strings.NewReader(version + entry(len(message), message) + "\n")
	r, err := NewReader(file, file.Size(), record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for rec, err := range r.All() { // rec is valid until the next one
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d bytes of payload\n", rec.Head.Line, len(rec.Payload()))
	}
	// Output:
	// filedesc://a.arc 0.0.0.0 20040506070809 text/plain 69: 69 bytes of payload
	// http://a/b 1.2.3.4 20040506070809 text/plain 48: 4 bytes of payload
}
