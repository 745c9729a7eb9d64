package holdings

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// FuzzDecodeDocument: a document is what encoding/json makes of its line, or the same error.
func FuzzDecodeDocument(f *testing.F) {
	long := strings.Repeat(`Line\n\"é\"\t<b>/ `, longText/8)
	for _, line := range []string{
		`{"url":"http://a/","text":"%s","status":200}`, `{"text":"%s"}`, ` { "text" : "%s" , "title" : "a" } `,
		`{"text":"%[1]s","description":"%[1]s"}`, `{"description":"%[1]s","text":"%[1]s"}`, `{"text":"%s","text":"b"}`,
		`{"text":"%s","Text":"b"}`, `{"TEXT":"b","text":"%s"}`, `{"text":"%s","te\u0078t":"b"}`, `{"text":"%s","text":null}`,
		`{"text":"%s\u00e9\ud83d\ude00\ud83d"}`, "{\"text\":\"%s\xff\"}", "{\"text\":\"%s\n\"}", `{"text":"%s\x"}`,
		`{"text":"%s"`, `{"text":"%s"}}`, `{"text":"%s",}`, `{"text":"%s","status":"a"}`, `[{"text":"%s"}]`,
		`{"url":{"text":"%s"}}`, `{"text":["%s"]}`, `null`, `{}`,
	} {
		if strings.Contains(line, "%") {
			line = fmt.Sprintf(line, long)
		}
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		want, wantErr := decode[*schemas.Document](line)
		got, err := decodeDocument(line)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%.100q…: error %v, want %v", line, err, wantErr)
		}
		if diff := cmp.Diff(want, got); err == nil && diff != "" {
			t.Fatalf("%.100q…: %s", line, diff)
		}
	})
}

// BenchmarkDecodeDocument reads a page of common length, in both ways.
func BenchmarkDecodeDocument(b *testing.B) {
	d := schemas.Document{URL: "http://www.example/a", Text: strings.Repeat("A line of \"plain\" text.\n", 400)}
	line, err := json.Marshal(d)
	if err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func([]byte) (*schemas.Document, error){
		"plain": decode[*schemas.Document], "apart": decodeDocument,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := read(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
