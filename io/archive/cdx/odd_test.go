package cdx

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestReader_oddLines: file and offset suffice, whatever the other columns hold; unreadable columns are unknown. In the
// table T is the time, D a digest and O the digest of an object. I is the rest of a line from its digest on. L is a
// legend of eleven columns, W the legend of wpull.
func TestReader_oddLines(t *testing.T) {
	const digest = "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"
	expand := strings.NewReplacer(
		"<T>", "20140103030321", "<D>", digest, "<I>", digest+" - - 9 7 f",
		"<O>", `"digest":"`+digest+`","length":"9","offset":"7","filename":"f"}`,
		"<L>", " CDX N b a m s k r M S V g\n", "<W>", " CDX a b m s k S V g u\n",
	).Replace
	const html, mark = "text/html 200 ", "\xef\xbb\xbf"
	// What differs from the line that most of them stand for.
	tests := []struct {
		name, in string
		change   func(*Line)
	}{
		{"status", "a)/ <T> http://a/ text/html html> <I>", func(l *Line) { l.Status = 0 }},
		{"status, with a legend", "<L>a)/ <T> http://a/ text/html 2OO <I>", func(l *Line) { l.Status = 0 }},
		{"length", "<L>a)/ <T> http://a/ text/html 200 <D> - - -1 7 f", func(l *Line) { l.Length = 0 }},
		{
			"length in CDXJ", `a)/ <T> {"url":"http://a/","mime":"text/html","status":"200","length":"-1",` +
				`"digest":"<D>","offset":"7","filename":"f"}`, func(l *Line) { l.Length = 0 },
		},
		{"time", "a)/ never http://a/ " + html + "<I>", func(l *Line) { l.Timestamp = time.Time{} }},
		{"blanks in the URL", "<L>a)/ <T> http://a/ b c " + html + "<I>", func(l *Line) { l.URL = "http://a/ b c" }},
		{"three make fourteen", "a)/ <T> http://a/ b c d " + html + "<I>", func(l *Line) { l.URL = "http://a/ b c d" }},
		{"two make thirteen", "a)/ <T> http://a/ b c " + html + "<I>", func(l *Line) { l.URL = "http://a/ b c" }},
		{"one makes twelve", "a)/ <T> http://a/ b " + html + "<I>", func(l *Line) { l.URL = "http://a/ b" }},
		{
			"one makes eleven of ten", "a)/ <T> http://a/ b " + html + "<D> - - 7 f",
			func(l *Line) { l.URL, l.Length = "http://a/ b", 0 },
		},
		{
			"two make eleven of nine", "a)/ <T> http://a/ b c " + html + "<D> - 7 f",
			func(l *Line) { l.URL, l.Length = "http://a/ b c", 0 },
		},
		{
			"of a revisit", "a)/ <T> http://a/ b c warc/revisit - <I> 12 3 g",
			func(l *Line) { l.URL, l.MIME, l.Status = "http://a/ b c", MIMERevisit, 0 },
		},
		{"blanks in the type", "a)/ <T> http://a/ text/html; a=b 200 <I>", func(l *Line) { l.MIME = "text/html; a=b" }},
		{
			"in both", "a)/ <T> http://a/ b/c d text/html ; a = b 200 <I>",
			func(l *Line) { l.URL, l.MIME = "http://a/ b/c d", "text/html ; a = b" },
		},
		{"in the key", "<L>a)/ b <T> http://a/ " + html + "<I>", func(l *Line) { l.SURT = "a)/ b" }},
		{
			"in the key of CDXJ", `a)/ b <T> {"url":"http://a/","mime":"text/html","status":"200",<O>`,
			func(l *Line) { l.SURT = "a)/ b" },
		},
		{"in the file", "<L>a)/ <T> http://a/ " + html + "<I> g.warc", func(l *Line) { l.Filename = "f g.warc" }},
		{
			"and a status", "<L>a)/ <T> http://a/ text html html> <I>",
			func(l *Line) { l.URL, l.MIME, l.Status = "", "", 0 },
		},
		{
			"and a status, no legend", "a)/ <T> http://a/ b text/html html> <I>",
			func(l *Line) { l.URL, l.MIME, l.Status = "", "", 0 },
		},
		{
			"and a length", "a)/ <T> http://a/ b " + html + "<D> - - -1 7 f",
			func(l *Line) { l.URL, l.Length = "http://a/ b", 0 },
		},
		{
			"tabs", strings.ReplaceAll(expand("<L>a)/ <T> http://a/ b "+html+"<I>"), " ", "\t"),
			func(l *Line) { l.URL = "http://a/\tb" },
		},
		{"wpull", "<W>http://a/ 1388718201 " + html + "<D> 9 7 f <urn:uuid:1>", func(l *Line) { l.SURT = "" }},
		{"milliseconds", "<W>http://a/ 1388718201000 " + html + "<D> 9 7 f <u>", func(l *Line) { l.SURT = "" }},
		{
			"ten digits that are a date", "<W>http://a/ 2014010303 " + html + "<D> 9 7 f <u>",
			func(l *Line) { l.SURT, l.Digits, l.Timestamp = "", 10, stamp.Truncate(time.Hour) },
		},
		{
			"seconds of 1996", "<W>http://a/ 833636096 " + html + "<D> 9 7 f <u>",
			func(l *Line) { l.SURT, l.Timestamp = "", time.Date(1996, 6, 1, 13, 34, 56, 0, time.UTC) },
		},
		{"an object", `{"urlkey":"a)/","timestamp":"<T>","url":"http://a/","mime":"text/html","status":"200",<O>`, nil},
		{
			"other names, numbers, more fields", `{"truncated":["x"],"statuscode":200,"mimetype":"text/html",` +
				`"original":"http://a/","timestamp":<T>,"urlkey":"a)/",<O>`, nil,
		},
		{
			"an ISO time", `{"urlkey":"a)/","timestamp":"2014-01-03T03:03:21.5Z","url":"http://a/","mime":"text/html",` +
				`"status":"200",<O>`, nil,
		},
		{
			"an array of arrays", `[["urlkey","timestamp","original","mimetype","statuscode","digest","length",` +
				`"offset","filename"],` + "\n" + `["a)/","<T>","http://a/","text/html","200","<D>","9","7","f"]]`, nil,
		},
		{
			"OutbackCDX's array", "[\n" + `["a)/",<T>,"http://a/","text/html",200,"<D>","-","-",9,7,"f"]` + "\n]\n",
			nil,
		},
		{"a mark, CDXJ", mark + `a)/ <T> {"url":"http://a/","mime":"text/html","status":"200",<O>`, nil},
		{"a mark, legend", mark + "<L>a)/ <T> http://a/ " + html + "<I>", nil},
		{
			"a mark, JSON", mark + `{"urlkey":"a)/","timestamp":"<T>","url":"http://a/","mime":"text/html",` +
				`"status":"200",<O>`, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Line{
				SURT: "a)/", Timestamp: stamp, URL: "http://a/", MIME: "text/html", Status: 200,
				Digest: "sha1:" + digest, Length: 9, Offset: 7, Filename: "f",
			}
			if tt.change != nil {
				tt.change(&want)
			}
			r := NewReader(strings.NewReader(expand(tt.in)), Options{})
			got, err := r.Next()
			want.Columns = !strings.ContainsAny(tt.in, "{[")
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("-want +got:\n%s%v", diff, err)
			}
			if l, err := r.Next(); err != io.EOF {
				t.Errorf("then %+v, %v", l, err)
			}
		})
	}
	for _, nothing := range []string{"[]\n", mark, mark + "\n", "[\n]"} {
		if l, err := NewReader(strings.NewReader(nothing), Options{}).Next(); err != io.EOF {
			t.Errorf("%q gives %+v, %v", nothing, l, err)
		}
	}
}

// TestReader_oddKeys: the reader returns each line that AppendTo writes, whatever the key begins with.
func TestReader_oddKeys(t *testing.T) {
	for _, url := range []string{
		"http://{{host}}/", "http://{/", "http://[::1]/", "http://[/", "http://!/", "http://!meta/", "http:////@x/", "#top",
		"!x", "@context", `http://"/`, "http://-/", "{}", "[]", "http://cdx/", "data:,{}",
	} {
		for _, when := range []time.Time{stamp, {}} {
			want := Line{SURT: urlkey.SURT(url), Timestamp: when, URL: url, Offset: 7, Filename: "f"}
			l, err := NewReader(strings.NewReader(string(want.AppendTo(nil))), Options{}).Next()
			if diff := cmp.Diff(want, l); diff != "" || err != nil {
				t.Errorf("%s at %v (-written +read): %v\n%s", url, when, err, diff)
			}
		}
	}
}

// TestReader_oddLinesWithoutPlace: without a file and an offset that can be read nothing is made of a line.
func TestReader_oddLinesWithoutPlace(t *testing.T) {
	for _, in := range []string{
		"a)/ 20140103030321 http://a/ text/html 200 D - - 9 7x f",
		"a)/ 20140103030321 http://a/ text/html 200 D - - 9 -7 f",
		" CDX N b a m s k r M S V g\na)/ 20140103030321 http://a/ b text/html 200 D - - 9 x f",
		" CDX N b a m s\na)/ 20140103030321 http://a/ text/html html>",
		" CDX N b a m s\na)/ 20140103030321 http://a/ b text/html 200",
		" CDX " + strings.Repeat("a ", 100) + "V g\n" + strings.Repeat("b ", 200) + "7 f",
		`{"urlkey":"a)/","offset":"x","filename":"f"}`, `{"urlkey":"a)/","offset":7`, `{"urlkey":"a)/","timestamp":"x"}`,
		`["a)/","2014"]`, `[1,2]`, "[[", "a)/ b 2014 {", "1 2 3",
	} {
		got := readAll(NewReader(strings.NewReader(in), Options{}))
		if len(got) != 1 || !strings.Contains(got[0], ErrFormat.Error()) {
			t.Errorf("%.80q is read as %q", in, got)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add("a)/ 20140103030321 http://a/ b c text/html 200 D - - 9 7 f\n")
	f.Add(" CDX N b a m s k r M S V g\na)/ 2014 http://a/ b text/html html> D - - -1 7 f g\n")
	f.Add("[[\"urlkey\",\"offset\",\"filename\"],\n[\"a\",7,\"f\"]]\n{\"filename\":\"f\",\"offset\":7}")
	f.Fuzz(func(t *testing.T, in string) {
		for l, err := range NewReader(strings.NewReader(in), Options{}).All() {
			if err == nil && (l.Offset < -1 || l.Length < 0 || l.Status < 0) {
				t.Errorf("%+v", l)
			}
		}
	})
}
