package object_test

import (
	"bytes"
	"encoding/ascii85"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// file returns a file whose object 3 is o.
func file(o string) []byte {
	b := pdftest.New()
	b.Add(o)
	b.Page("")
	return b.Bytes()
}

func TestFile_objects(t *testing.T) {
	tests := []struct {
		name, in string
		want     object.Object
	}{
		{"integer", "42", 42},
		{"negative", "-42", -42},
		{"real", "-.5", -0.5},
		{"two signs", "--5", -5},
		{"minus within", "12-34", 12},
		{"string", `(a\(b\)c(d)\n\101\
e)`, object.String("a(b)c(d)\nAe")},
		{"line ends in a string", "(a\r\nb\rc)", object.String("a\nb\nc")},
		{"octal of one digit", `(\0534)`, object.String("+4")},
		{"hexadecimal", "<48 65 6C6c 6>", object.String("Hell`")},
		{"name", "/A#20B", object.Name("A B")},
		{"name with a number sign", "/A#B", object.Name("A#B")},
		{"true", "true", true},
		{"null", "null", nil},
		{"reference", "7 0 R", nil},
		{"array", "[1 2 0 R /N [(s)] 3]", object.Array{
			1,
			object.Ref{Num: 2},
			object.Name("N"),
			object.Array{object.String("s")},
			3,
		}},
		{"array not closed", "[1 2", object.Array{1, 2}},
		{"dictionary", "<</A 1/B<</C(x)>>>>", object.Dict{"A": 1, "B": object.Dict{"C": object.String("x")}}},
		{"dictionary not closed", "<</A 1", object.Dict{"A": 1}},
		{"key without a value", "<</A/B 2>>", object.Dict{"A": object.Name("B")}},
		{"value missing at the end", "<</B 2/A>>", object.Dict{"B": 2}},
		{"comment", "[1 % 2 ]\n3]", object.Array{1, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := object.Open(file(tt.in), object.Limits{})
			if diff := cmp.Diff(tt.want, f.Resolve(object.Ref{Num: 3})); diff != "" {
				t.Errorf("object %q (-want +got):\n%s", tt.in, diff)
			}
			if f.Repaired != "" {
				t.Errorf("Repaired = %q, want none", f.Repaired)
			}
		})
	}
}

func TestFile_compressed(t *testing.T) {
	b := pdftest.New()
	b.Compress = true
	n := b.Add("<</Inside(yes)>>")
	b.Page("BT ET")
	for _, damaged := range []bool{false, true} {
		body := b.Bytes()
		if damaged {
			body = body[:bytes.LastIndex(body, []byte("startxref"))]
		}
		f := object.Open(body, object.Limits{})
		if got := f.String(f.Dict(object.Ref{Num: n})["Inside"]); got != "yes" {
			t.Errorf("damaged %v: object %d says %q, want yes", damaged, n, got)
		}
		if (f.Repaired != "") != damaged {
			t.Errorf("damaged %v: Repaired = %q", damaged, f.Repaired)
		}
	}
}

func TestFile_Decode(t *testing.T) {
	const plain = "some plain text, some plain text"
	ascii := make([]byte, ascii85.MaxEncodedLen(len(plain)))
	ascii = ascii[:ascii85.Encode(ascii, []byte(plain))]
	tests := []struct{ name, entries, data string }{
		{"none", "", plain},
		{"flate", "/Filter/FlateDecode", pdftest.Deflate(plain)},
		{"flate with a wrong checksum", "/Filter/FlateDecode", pdftest.Deflate(plain)[:len(pdftest.Deflate(plain))-4] +
			"abcd"},
		{"flate with a wrong header", "/Filter/Fl", "\x00\x00" + pdftest.Deflate(plain)[2:]},
		{"hexadecimal", "/Filter/AHx", fmt.Sprintf("%x>", plain)},
		{"base 85", "/Filter/ASCII85Decode", string(ascii) + "~>"},
		{"run lengths", "/Filter/RunLengthDecode", string(rune(len(plain)-1)) + plain + "\x80"},
		{"two filters", "/Filter[/AHx/Fl]", fmt.Sprintf("%x>", pdftest.Deflate(plain))},
		{
			"predictor", "/Filter/Fl/DecodeParms<</Predictor 12/Columns 16>>",
			pdftest.Deflate("\x00" + plain[:16] + "\x02" + up(plain[:16], plain[16:])),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			n := b.Stream(tt.entries, tt.data)
			b.Page("")
			f := object.Open(b.Bytes(), object.Limits{})
			if got := string(f.Decode(f.Stream(object.Ref{Num: n}))); got != plain {
				t.Errorf("Decode = %q, want %q", got, plain)
			}
		})
	}
}

// up returns the row b as the PNG filter Up writes it below a.
func up(a, b string) string {
	out := []byte(b)
	for i := range out {
		out[i] -= a[i]
	}
	return string(out)
}

func TestFile_DecodeLZW(t *testing.T) {
	b := pdftest.New()
	// This is the example of section 7.4.4.2.
	n := b.Stream("/Filter/LZWDecode", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01")
	b.Page("")
	f := object.Open(b.Bytes(), object.Limits{})
	if got, want := string(f.Decode(f.Stream(object.Ref{Num: n}))), "-----A---B"; got != want {
		t.Errorf("Decode = %q, want %q", got, want)
	}
}

func TestOpen_damage(t *testing.T) {
	whole := func() []byte {
		b := pdftest.New()
		b.Add("(here)")
		b.Page("BT ET")
		return b.Bytes()
	}()
	replace := func(old, new string) []byte { return bytes.Replace(whole, []byte(old), []byte(new), 1) }
	tests := []struct {
		name     string
		body     []byte
		repaired bool
	}{
		{"whole", whole, false},
		{"bytes before the header", append([]byte("junk\r\n\r\n"), whole...), false},
		{"startxref wrong", replace("startxref\n", "startxref\n9"), true},
		{"table of other offsets", replace("%PDF-1.7\n", "%PDF-1.7\n%more\n"), true},
		{"cut before the table", whole[:bytes.Index(whole, []byte("xref"))], true},
		{"no trailer", replace("trailer", "tra1ler"), true},
		{"catalog not named", replace("/Root 1 0 R", "/Root 9 0 R"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := object.Open(tt.body, object.Limits{})
			if got := f.String(object.Ref{Num: 3}); got != "here" {
				t.Errorf("object 3 = %q, want here", got)
			}
			if f.Dict(f.Dict(f.Trailer["Root"])["Pages"]) == nil {
				t.Error("no page tree")
			}
			if (f.Repaired != "") != tt.repaired {
				t.Errorf("Repaired = %q, want any: %v", f.Repaired, tt.repaired)
			}
		})
	}
}

func TestOpen_update(t *testing.T) {
	b := pdftest.New()
	b.Add("(old)")
	b.Add("(kept)")
	b.Page("")
	body := b.Bytes()
	previous := bytes.LastIndex(body, []byte("xref\n0"))
	at := len(body)
	body = append(body, "3 0 obj (new) endobj\n"...)
	start := len(body)
	body = fmt.Appendf(body, "xref\n3 1\n%010d 00000 n \ntrailer<</Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF", at,
		previous, start)
	f := object.Open(body, object.Limits{})
	if got := f.String(object.Ref{Num: 3}) + f.String(object.Ref{Num: 4}); got != "newkept" || f.Repaired != "" {
		t.Errorf("objects say %q, Repaired = %q, want newkept, none", got, f.Repaired)
	}
}

func TestOpen_tableFromOne(t *testing.T) {
	body := bytes.Replace(file("(here)"), []byte("xref\n0 "), []byte("xref\n1 "), 1)
	f := object.Open(body, object.Limits{})
	if got := f.String(object.Ref{Num: 3}); got != "here" || f.Repaired != "" {
		t.Errorf("object 3 = %q, Repaired = %q, want here, none", got, f.Repaired)
	}
}

func TestFile_streamLength(t *testing.T) {
	for _, length := range []string{"5", "4", "600", "-1", "9 0 R", "(x)"} {
		b := pdftest.New()
		n := b.Add("<</Length " + length + ">>\nstream\r\nhello\nendstream")
		b.Page("")
		f := object.Open(b.Bytes(), object.Limits{})
		if got := string(f.Decode(f.Stream(object.Ref{Num: n}))); got != "hello" {
			t.Errorf("length %s: stream = %q, want hello", length, got)
		}
	}
}

func TestFile_cycles(t *testing.T) {
	b := pdftest.New()
	b.Add("4 0 R")
	b.Add("3 0 R")
	b.Page("")
	f := object.Open(b.Bytes(), object.Limits{})
	if got := f.Resolve(object.Ref{Num: 3}); got != nil {
		t.Errorf("Resolve = %v, want nil", got)
	}
}

func TestFile_limits(t *testing.T) {
	bomb := pdftest.Deflate(strings.Repeat("\x00", 8<<20))
	b := pdftest.New()
	n := b.Stream("/Filter/FlateDecode", bomb)
	twice := b.Stream("/Filter[/FlateDecode/FlateDecode]", pdftest.Deflate(bomb))
	b.Page("")
	f := object.Open(b.Bytes(), object.Limits{MaxEntry: 1 << 20, MaxBytes: 3 << 20})
	if got := len(f.Decode(f.Stream(object.Ref{Num: n}))); got != 1<<20 {
		t.Errorf("decoded %d bytes, want %d", got, 1<<20)
	}
	if got := len(f.Decode(f.Stream(object.Ref{Num: twice}))); got > 2<<20 {
		t.Errorf("decoded %d bytes of what was deflated twice, want no more than are left", got)
	}
	if !f.Cut {
		t.Error("Cut = false, want true")
	}
}

// The time for hostile files is proportional to their length.
func TestOpen_linear(t *testing.T) {
	const n = 1 << 20
	for name, body := range map[string]string{
		"nested arrays":        "1 0 obj" + strings.Repeat("[", n),
		"open strings":         strings.Repeat("1 0 obj(", n/8),
		"open objects":         numbered("%d 0 obj<</A(", n/16),
		"streams without ends": numbered("%d 0 obj<<>>stream\n", n/16),
		"trailers":             strings.Repeat("trailer<<", n/9),
		"names of types":       "1 0 obj" + strings.Repeat("/ObjStm", n/7),
		"signs":                strings.Repeat("-", n) + " obj",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := object.Open([]byte("%PDF-1.4\n"+body), object.Limits{})
			for range f.All() {
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}

func FuzzOpen(f *testing.F) {
	b := pdftest.New()
	b.Page("BT /F1 12 Tf (Hello) Tj ET")
	f.Add(b.Bytes())
	b.Compress = true
	f.Add(b.Bytes())
	f.Add(encrypted(4))
	f.Fuzz(func(t *testing.T, body []byte) {
		file := object.Open(body, object.Limits{MaxBytes: 1 << 22, MaxEntry: 1 << 20})
		for _, o := range file.All() {
			if s, ok := o.(*object.Stream); ok {
				file.Decode(s)
			}
		}
	})
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte(`1 -2.5 (a\(b) <4142> /N#20 [ ] << >> BI ID x EI Q`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := object.NewScanner(b)
		for n := 0; s.Next().Kind != object.EOF; n++ {
			if n > len(b) {
				t.Fatalf("more tokens than bytes: %d of %d", n, len(b))
			}
		}
	})
}

func ExampleOpen() {
	b := pdftest.New()
	b.Trailer = "/Info<</Title(A title)>>"
	b.Page("BT ET")
	f := object.Open(b.Bytes(), object.Limits{})
	fmt.Println(f.String(f.Dict(f.Trailer["Info"])["Title"]))
	// Output: A title
}
