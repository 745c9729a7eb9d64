package datastreamer_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
)

const (
	one = `{"permalink":"http://a.com/1","date_found":"2014-06-22T01:08:52Z","html":"<p>[1]{\""}`
	two = `{"date_found":"2014-06-22T01:08:52Z","permalink":"http://a.com/2","html":"<p>2"}`
)

func pretty(s string) string {
	return strings.NewReplacer(`,"`, ",\n  \"", `{"p`, "{\n\"p").Replace(s)
}

// readText returns what the reader of all formats reads in a text: URLs, and kinds of rejects.
func readText(t *testing.T, text string) (urls, rejects []string) {
	t.Helper()
	src, size := strings.NewReader(text), int64(len(text))
	f, err := archive.Detect("a.json", src, size)
	if err != nil || f.Name != "content" {
		t.Fatalf("Detect = %v, %v", f, err)
	}
	starts, err := archive.Starts(src, size, 40, f)
	if err != nil {
		t.Fatal(err)
	}
	for i, start := range starts {
		in := archive.Input{Name: "a.json", Size: size, Start: start, End: size}
		if i+1 < len(starts) {
			in.End = starts[i+1]
		}
		r, err := archive.NewReader(src, in, f, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for item, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				rejects = append(rejects, string(item.Reject.Kind))
				continue
			}
			c := item.Capture
			urls = append(urls, c.URL)
			if c.Origin.Sequence == 0 && c.Origin.Length < size {
				if part := text[c.Origin.Offset:][:c.Origin.Length]; !strings.Contains(part, c.URL) {
					t.Errorf("%s stands at %q", c.URL, part)
				}
			}
		}
		if n := r.Counts(); n.BytesRead != in.End-in.Start || n.BytesLost > size {
			t.Errorf("counts %+v of %d bytes", n, size)
		}
	}
	return urls, rejects
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func TestJSON_frames(t *testing.T) {
	both := []string{"http://a.com/1", "http://a.com/2"}
	response := `{"headers":{"content":["x"]},"query":{"a":[1,{}]},"content":[` + one + ",\n" + two +
		`],"bucket":7,"filter":null}`
	tests := []struct {
		name, text    string
		urls, rejects []string
	}{
		{"lines", one + "\n" + two + "\n", both, nil},
		{"lines, zipped", zipped(one + "\n" + two), both, nil},
		{"over several lines", pretty(one) + "\n" + pretty(two), both, nil},
		{"array", "\n [" + one + "," + pretty(two) + "]\n", both, nil},
		{"array, zipped", zipped("[" + one + "," + two + "]"), both, nil},
		{"two arrays", "[" + one + "][]" + "[" + two + "]", both, nil},
		{"response", response, both, nil},
		{"two responses", response + "\n" + response, append(both, both...), nil},
		{"cut in the array", "[" + one + "," + two[:30], both[:1], []string{"truncated"}},
		{"cut behind a record", "[" + one, both[:1], []string{"truncated"}},
		{"a record that is none", "[" + one + ",7," + two + "]", both, []string{"garbage"}},
		{"broken within", "[" + one + ",}," + two + "]", both[:1], []string{"garbage"}},
		{"a number behind the array", "[" + one + "," + two + "] 7 ", both, []string{"garbage"}},
		{"a response whose content is none", response + `{"content":7}`, both, []string{"garbage"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			urls, rejects := readText(t, tt.text)
			if diff := cmp.Diff(tt.urls, urls); diff != "" {
				t.Errorf("URLs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.rejects, rejects); diff != "" {
				t.Errorf("rejects (-want +got):\n%s", diff)
			}
		})
	}
}
