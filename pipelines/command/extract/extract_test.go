package extract

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// echo makes documents whose text is the body.
func echo(c *schemas.Capture) *schemas.Document {
	return &schemas.Document{URL: c.URL, Status: c.Status, MIMEDeclared: c.MIMEDeclared, Text: string(c.Body)}
}

func newStream(in io.Reader, out io.Writer) *stream {
	return &stream{bufio.NewReaderSize(in, 16), bufio.NewWriter(out), 200, 3, echo}
}

func TestStream_answers(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"html", `{"url":"http://a/","html":"<p>é"}`, `"http://a/" 200 "text/html; charset=utf-8" "<p>é"`},
		{"text", `{"text":"abc","status":404}`, `"" 404 "text/plain; charset=utf-8" "abc"`},
		{"empty html", `{"html":""}`, `"" 200 "text/html; charset=utf-8" ""`},
		{"body", `{"body":"AP8=","content_type":"application/pdf"}`, `"" 200 "application/pdf" "\x00\xff"`},
		{"unknown keys", `{"text":"a","more":[1]}`, `"" 200 "text/plain; charset=utf-8" "a"`},
		{"CRLF", `{"text":"a"}` + "\r", `"" 200 "text/plain; charset=utf-8" "a"`},
		{"byte order mark", "\ufeff" + `{"text":"a"}`, `"" 200 "text/plain; charset=utf-8" "a"`},
		{"no JSON", `<p>`, `the line is not a page: invalid character '<' looking for beginning of value`},
		{"empty", ``, `the line is not a page: unexpected end of JSON input`},
		{"a list", `[1]`, `line: array is of the wrong type`},
		{"kind", `{"html":7}`, `html: number is of the wrong type`},
		{"base64", `{"body":"?"}`, `the line is not a page: illegal base64 data at input byte 0`},
		{"time", `{"text":"a","timestamp":"yesterday"}`, `the line is not a page: parsing time`},
		{"two bodies", `{"html":"a","text":"b"}`, `a page has one of html, text and body`},
		{"none", `{"url":"http://a/"}`, `a page has one of html, text and body`},
		{"long", `{"text":"` + strings.Repeat("x", 200) + `"}`, `the line has more than 200 bytes: see --max_line`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if _, err := newStream(strings.NewReader(tt.line+"\n"), &out).copy(); err != nil {
				t.Fatal(err)
			}
			var got struct {
				schemas.Document
				Error string `json:"error"`
			}
			if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
				t.Fatalf("%v: %s", err, &out)
			}
			text := fmt.Sprintf("%q %d %q %q", got.URL, got.Status, got.MIMEDeclared, got.Text)
			if got.Error != "" {
				text = got.Error
			}
			want := strings.ReplaceAll(tt.want, `\xff`, "\ufffd") // as JSON has bytes that are not UTF-8
			if !strings.HasPrefix(text, want) && text != want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.line, text, want)
			}
		})
	}
}

// TestStream_order: answers are in the order of the lines, also when earlier ones take longer. The last line needs no
// line feed.
func TestStream_order(t *testing.T) {
	var in, out strings.Builder
	for i := range 50 {
		fmt.Fprintf(&in, "{\"text\":\"%d\"}\n", i)
	}
	in.WriteString("bad")
	s := newStream(strings.NewReader(in.String()), &out)
	s.make = func(c *schemas.Capture) *schemas.Document {
		if c.Body[0]%2 == 0 {
			time.Sleep(time.Millisecond) // odd ones overtake
		}
		return echo(c)
	}
	faulty, err := s.copy()
	if err != nil || faulty != 1 {
		t.Fatal(faulty, err)
	}
	lines := strings.Split(out.String(), "\n")
	for i := range 50 {
		if want := fmt.Sprintf(`"text":"%d"`, i); !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %s", i, lines[i])
		}
	}
	if len(lines) != 52 || !strings.Contains(lines[50], `"line":51`) {
		t.Errorf("%d lines, the last is %s", len(lines), lines[len(lines)-2])
	}
}

// TestStream_conversation: each answer arrives before the next line is sent.
func TestStream_conversation(t *testing.T) {
	in, question := io.Pipe()
	reply, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := newStream(in, out).copy()
		ended <- err
	}()
	answers := bufio.NewReader(reply)
	for i := range 5 {
		if _, err := fmt.Fprintf(question, "{\"text\":\"%d\"}\n", i); err != nil {
			t.Fatal(err)
		}
		if got, err := answers.ReadString('\n'); err != nil || !strings.Contains(got, fmt.Sprintf(`"text":"%d"`, i)) {
			t.Fatal(got, err)
		}
	}
	_ = question.Close() // never fails
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestStream_panic(t *testing.T) {
	var out strings.Builder
	s := newStream(strings.NewReader("{\"text\":\"a\"}\n{\"text\":\"b\"}\n"), &out)
	s.make = func(c *schemas.Capture) *schemas.Document {
		if string(c.Body) == "a" {
			panic("odd page")
		}
		return echo(c)
	}
	if faulty, err := s.copy(); err != nil || faulty != 1 {
		t.Fatal(faulty, err)
	}
	if got := out.String(); !strings.Contains(got, "internal error, please report it: odd page") ||
		!strings.Contains(got, `"text":"b"`) {
		t.Error(got)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestStream_outputFails: an error of the output ends the command, although the input has no end.
func TestStream_outputFails(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("{\"text\":\"a\"}\n"), &repeated{})
	if _, err := newStream(endless, failing{}).copy(); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Error(err)
	}
}

// repeated is an input without end.
type repeated struct{}

func (*repeated) Read(p []byte) (int, error) { return copy(p, "{}\n"), nil }

func FuzzParsePage(f *testing.F) {
	f.Add([]byte(`{"url":"http://a/","body":"AP8=","timestamp":"2024-05-06T07:08:09Z"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := parsePage(line)
		if (c == nil) == (err == nil) {
			t.Fatal(c, err)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	e, err := enrich.New(enrich.Options{})
	if err != nil {
		b.Fatal(err)
	}
	line := `{"url":"https://example.org/","html":"<title>Bridge</title>` +
		strings.Repeat("<p>The bridge carried its first bus on Friday, and the council paid.", 20) + "\"}\n"
	b.SetBytes(int64(len(line)))
	s := &stream{
		bufio.NewReader(strings.NewReader(strings.Repeat(line, b.N))), bufio.NewWriter(io.Discard), 1 << 20, 2,
		e.Document,
	}
	if _, err := s.copy(); err != nil {
		b.Fatal(err)
	}
}
