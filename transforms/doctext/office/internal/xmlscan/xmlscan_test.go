package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// list writes the tokens of src: <name> </name> and texts, separated by spaces.
func list(src string, depth int) (string, error) {
	var b strings.Builder
	s := New([]byte(src), depth)
	for s.Next() {
		switch s.Kind {
		case Start:
			fmt.Fprintf(&b, "<%s> ", s.Name)
		case End:
			fmt.Fprintf(&b, "</%s> ", s.Name)
		case Text:
			fmt.Fprintf(&b, "%s:%s ", s.Parent(), s.Text)
		}
	}
	return strings.TrimSpace(b.String()), s.Err()
}

func TestScanner(t *testing.T) {
	for _, test := range []struct {
		name, src, want string
		err             error
	}{
		{"elements", `<a:b><c/>x</a:b>`, "<b> <c> </c> b:x </b>", nil},
		{"spaces in tags", "<a\n x='1' ><b /></a >", "<a> <b> </b> </a>", nil},
		{"references", `<a>&lt;&#65;&#x42;&amp;&quot;&apos;&nbsp;&;&#;</a>`, `<a> a:<AB&"'&nbsp;&;&#; </a>`, nil},
		{"no character", `<a>&#0;&#xD800;&#x7FFFFFFF;&#99999999999;</a>`, "<a> a:\x00\uFFFD\uFFFD&#99999999999; </a>", nil},
		{"CDATA", `<a><![CDATA[<b>&amp;]]></a>`, "<a> a:<b>&amp; </a>", nil},
		{"comments and instructions", `<?xml version="1.0"?><!-- <b> --><a><?p <b>?></a>`, "<a> </a>", nil},
		{"document type", `<!DOCTYPE a [<!ENTITY b "<c>"> ]><a/>`, "<a> </a>", nil},
		{"greater than in a value", `<a b="1>2" c='">'>x</a>`, "<a> a:x </a>", nil},
		{"cut in a tag", `<a><b>x</b><c d="`, "<a> <b> b:x </b> </a>", ErrSyntax},
		{"cut in a text", `<a><b>x`, "<a> <b> b:x </b> </a>", ErrSyntax},
		{"missing end", `<a><b>x</a>y`, "<a> <b> b:x </b> </a> :y", ErrSyntax},
		{"stray end", `<a></b>x</a></a>`, "<a> a:x </a>", ErrSyntax},
		{"less than as text", `<a>1 < 2</a>`, "<a> a:1  a:< a: 2 </a>", ErrSyntax},
		{"too deep", `<a><b><c><d>x</d></c></b></a>`, "<a> <b> <c> </c> </b> </a>", ErrDepth},
		{"open comment", `<a>x<!-- y</a>`, "<a> a:x </a>", ErrSyntax},
		{"UTF-16", "\xFE\xFF\x00<\x00a\x00>\x04\x1F\x00<\x00/\x00a\x00>", "<a> a:П </a>", nil},
		{"declared encoding", "<?xml version='1.0' encoding='windows-1251'?><a>\xCF</a>", "<a> a:П </a>", nil},
		{"mark", "\xEF\xBB\xBF<a/>", "<a> </a>", nil},
		{"nothing", "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := list(test.src, 3)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("tokens %q, error %v; want %q, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestScanner_attributes(t *testing.T) {
	s := New([]byte(`<a x:id="1" id = '&amp;2' y:val="3" empty="" broken=4 z="5">`), 10)
	s.Next()
	for name, want := range map[string]string{"id": "&2", "val": "3", "empty": "", "none": "", "z": "", "x": ""} {
		if got := s.Attr(name); got != want {
			t.Errorf("Attr(%q) = %q, want %q", name, got, want)
		}
	}
	if got := s.QualifiedAttr("id"); got != "1" {
		t.Errorf("QualifiedAttr(id) = %q, want 1", got)
	}
}

func TestScanner_skipAndAll(t *testing.T) {
	s := New([]byte(`<a><skip><skip/>x</skip><skip/><all>1<b>2</b>34</all><c/></a>`), 10)
	var names []string
	for s.Next() {
		if s.Kind != Start {
			continue
		}
		switch s.Name {
		case "skip":
			s.Skip()
		case "all":
			names = append(names, s.All(3))
		default:
			names = append(names, s.Name, s.Parent(), fmt.Sprint(s.Depth()))
		}
	}
	if got := strings.Join(names, " "); got != "a  1 123 c a 2" {
		t.Errorf("got %q", got)
	}
}

// FuzzScanner compares with the standard library if that reports no error.
func FuzzScanner(f *testing.F) {
	f.Add(`<a:b c="d>" e='&lt;'><f/>x&#65;<![CDATA[y]]><!-- z --></a:b>`)
	f.Add(`<a><b></a></b><`)
	f.Fuzz(func(t *testing.T, src string) {
		s := New([]byte(src), 50)
		depth, tokens := 0, 0
		for s.Next() {
			tokens++
			switch s.Kind {
			case Start:
				depth++
			case End:
				depth--
			}
			if depth != s.Depth() || depth < 0 || depth > 50 || tokens > 2*len(src)+2 {
				t.Fatalf("token %d: depth %d, want %d", tokens, s.Depth(), depth)
			}
		}
		if depth != 0 {
			t.Fatalf("%d elements are open", depth)
		}
		if strings.Contains(strings.NewReplacer("<!--", "", "<![CDATA[", "").Replace(src), "<!") {
			return // the standard library reads declarations differently
		}
		want, err := standard(src)
		if err != nil || s.Err() != nil || strings.ContainsAny(src, "\r\x00") {
			return
		}
		if got := plain(src); got != want {
			t.Errorf("tokens of %q:\n%q, want\n%q", src, got, want)
		}
	})
}

// plain and standard write names and texts, as read by us and by the standard library.
func plain(src string) string {
	var b strings.Builder
	for s := New([]byte(src), 50); s.Next(); {
		switch s.Kind {
		case Start:
			b.WriteString("<" + s.Name + ">")
		case End:
			b.WriteString("</" + s.Name + ">")
		case Text:
			b.Write(s.Text)
		}
	}
	return b.String()
}

func standard(src string) (string, error) {
	var b strings.Builder
	d := xml.NewDecoder(strings.NewReader(src))
	for {
		switch tok, err := d.Token(); v := tok.(type) {
		case nil:
			if err == io.EOF {
				err = nil
			}
			return b.String(), err
		case xml.StartElement:
			b.WriteString("<" + v.Name.Local + ">")
		case xml.EndElement:
			b.WriteString("</" + v.Name.Local + ">")
		case xml.CharData:
			b.Write(v)
		}
	}
}

func BenchmarkScanner(b *testing.B) {
	src := []byte("<w:document>" + strings.Repeat(`<w:p w:rsidR="00A1"><w:pPr><w:pStyle w:val="Body"/></w:pPr><w:r><w:t>The tide &amp; the boats</w:t></w:r></w:p>`, 5000) + "</w:document>")
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			for s := New(src, 400); s.Next(); {
			}
		}
	})
	b.Run("encoding/xml", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			for d := xml.NewDecoder(bytes.NewReader(src)); ; {
				if _, err := d.RawToken(); err != nil {
					break
				}
			}
		}
	})
}
