package wacz_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// described makes a package of two pages, with a description of each archive and what else it says.
func described(t *testing.T, more string, change func(resource string) string, others ...entry) []byte {
	a, b := page("a", true), page("b", true)
	var resources []string
	for name, data := range map[string][]byte{"archive/a.warc.gz": a, "archive/b.warc.gz": b} {
		resources = append(resources, change(fmt.Sprintf(
			`{"path":"%s","hash":"sha256:%x","bytes":%d}`, name, sha256.Sum256(data), len(data))))
	}
	slices.Sort(resources)
	text := fmt.Sprintf(`{"profile":"data-package","resources":[%s%s]}`, strings.Join(resources, ","), more)
	if strings.HasPrefix(change(""), "\ufeff") {
		text = "\ufeff" + strings.ReplaceAll(text, "\ufeff", "")
	}
	entries := append([]entry{{name: "archive/a.warc.gz", data: a}, {name: "archive/b.warc.gz", data: b}}, others...)
	return packed(t, append(entries, entry{name: "datapackage.json", data: []byte(text)})...)
}

// TestReader_description reads the descriptions of several programs, and finds missing archives.
func TestReader_description(t *testing.T) {
	same := func(s string) string { return s }
	replace := func(old, text string) func(string) string {
		return func(s string) string { return strings.ReplaceAll(s, old, text) }
	}
	apple := []byte("\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ")
	for _, tt := range []struct {
		name    string
		b       []byte
		rejects []string // what their messages hold
	}{
		{"as it should be", described(t, "", same), nil},
		{"marked", described(t, "", func(s string) string { return "\ufeff" + s }), nil},
		{"sizes as texts", described(t, "", func(s string) string {
			return strings.Replace(strings.Replace(s, `"bytes":`, `"bytes":"`, 1), `}`, `"}`, 1)
		}), nil},
		{"sizes with a point", described(t, "", replace(`}`, `.0}`)), nil},
		{"hashes in lists", described(t, "", func(s string) string {
			return strings.Replace(strings.Replace(s, `"hash":`, `"hash":[`, 1), `,"bytes"`, `],"bytes"`, 1)
		}), nil},
		{"capitals", described(t, "", replace(`sha256:`, `SHA256:`)), nil},
		{"another hash in capitals", described(t, "", func(s string) string {
			if i := strings.Index(s, "sha256:"); i >= 0 {
				return s[:i] + "SHA256:" + strings.Repeat("0", 64) + s[i+7+64:]
			}
			return s
		}), []string{"another SHA-256", "another SHA-256"}},
		{"absolute paths", described(t, "", replace(`"archive/`, `"/archive/`)), nil},
		{"paths of Windows", described(t, "", replace(`archive/`, `archive\\`)), nil},
		{"names alone", described(t, "", replace(`archive/`, ``)), nil},
		{"one is missing", described(t, `,{"path":"archive/c.warc.gz","bytes":5}`, same), []string{"c.warc.gz"}},
		{
			"two are missing, without a folder", described(t, `,{"path":"c.warc"},{"path":"d.arc.gz"}`, same),
			[]string{"c.warc", "d.arc.gz"},
		},
		{
			"one is missing, and another is odd", described(t, `,{"path":["x"]},{"path":"archive/c.warc.gz","bytes":"5"}`, same),
			[]string{"c.warc.gz"},
		},
		{"an index is missing", described(t, `,{"path":"indexes/index.cdx.gz"},{"path":"pages/pages.jsonl"}`, same), nil},
		{"one is elsewhere", described(t, `,{"path":"https://a.example/c.warc.gz"}`, same), nil},
		{"packed by macOS", described(t, "", same, entry{name: "__MACOSX/archive/._a.warc.gz", data: apple},
			entry{name: "archive/.DS_Store", data: apple}, entry{name: "archive/._b.warc.gz", data: apple}), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, tt.b)
			if len(got.captures) != 2 {
				t.Errorf("%d captures, want 2", len(got.captures))
			}
			for i, r := range got.rejects {
				if i >= len(tt.rejects) || !strings.Contains(r.Message, tt.rejects[i]) {
					t.Errorf("reject %+v, want %q", r, tt.rejects)
				}
			}
			if len(got.rejects) < len(tt.rejects) {
				t.Errorf("rejects %v, want %q", got.rejects, tt.rejects)
			}
		})
	}
}

// TestReader_descriptorAndSizes: Info-ZIP's zip -fd writes sizes before the data, and the checksum only after it.
func TestReader_descriptorAndSizes(t *testing.T) {
	data := page("a", true)
	description := entry{name: "datapackage.json", data: []byte("{}")}
	b := packed(t, entry{name: "archive/a.warc.gz", data: data, stream: true}, description)
	at := bytes.Index(b, []byte("PK\x03\x04"))
	for name, crc := range map[string]uint32{"no checksum": 0, "its checksum": checksum(data)} {
		c := bytes.Clone(b)
		binary.LittleEndian.PutUint32(c[at+14:], crc)
		binary.LittleEndian.PutUint32(c[at+18:], uint32(len(data)))
		binary.LittleEndian.PutUint32(c[at+22:], uint32(len(data)))
		if got := read(t, c); len(got.captures) != 1 || len(got.rejects) > 0 {
			t.Errorf("%s: %d captures, rejects %v", name, len(got.captures), got.rejects)
		}
		// A checksum that differs is a fault still.
		binary.LittleEndian.PutUint32(c[at+14:], checksum(data)^1)
		if got := read(t, c); len(got.rejects) == 0 {
			t.Errorf("%s: another checksum is no fault", name)
		}
	}
}
