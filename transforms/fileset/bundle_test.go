package fileset_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// plainZip is a zip whose headers contain sizes: method 0 stores, 8 deflates.
func plainZip(method uint16, name, text string, size uint32) string {
	var packed bytes.Buffer
	packed.WriteString(text)
	if method == 8 {
		packed.Reset()
		w, _ := flate.NewWriter(&packed, 9)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
	}
	var b bytes.Buffer
	for _, v := range []any{
		uint32(0x04034b50), uint16(20), uint16(0), method, uint32(0), crc32.ChecksumIEEE([]byte(text)), uint32(packed.Len()),
		size,
		uint16(len(name)), uint16(0),
	} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	b.WriteString(name)
	b.Write(packed.Bytes())
	b.WriteString("PK\x01\x02 and the rest of a directory")
	return b.String()
}

func TestBundle(t *testing.T) {
	bundle := "https://ndownloader.figshare.com/articles/12/versions/1"
	zeros := strings.Repeat("\x00", 1<<20)
	tests := []struct {
		name, body, want string
		o                fileset.Options
	}{
		{name: "zip", body: zipped(t, "a.txt", "x"), want: "success"},
		{name: "stored", body: plainZip(0, "a.txt", "x", 1), want: "success"},
		{name: "deflated", body: plainZip(8, "a.txt", "x", 1), want: "success"},
		{name: "tar", body: tarred(t, "./a.txt", "x"), want: "success"},
		{name: "tar.gz", body: gzipped(tarred(t, "a.txt", "x")), want: "success"},
		{name: "folders", body: zipped(t, "dir/", "", "a.txt", "x"), want: "success"},
		{name: "more files", body: zipped(t, "a.txt", "x", "MANIFEST.TXT", "list"), want: "success"},
		{name: "another file", body: zipped(t, "a.txt", "y"), want: "mismatch"},
		{name: "not there", body: zipped(t, "b.txt", "x"), want: "not-processed"},
		{name: "empty", body: zipped(t), want: "not-processed"},
		{name: "slip", body: zipped(t, "../a.txt", "x"), want: "unsafe-path"},
		{name: "absolute", body: tarred(t, "/a.txt", "x"), want: "unsafe-path"},
		{name: "twice", body: zipped(t, "a.txt", "x", "a.txt", "x"), want: "unsafe-path"},
		{name: "a wrong size", body: plainZip(8, "a.txt", "x", 2), want: "wayback-content-error"},
		{name: "cut", body: zipped(t, "a.txt", strings.Repeat("x", 100))[:60], want: "wayback-content-error"},
		{
			name: "bomb", body: zipped(t, "a.txt", zeros, "b", zeros), want: "too-large-size",
			o: fileset.Options{MaxTotal: 1 << 20},
		},
		{
			name: "many", body: zipped(t, "a.txt", "x", "1", "", "2", "", "3", ""), want: "too-many-files",
			o: fileset.Options{MaxFiles: 1},
		},
		{name: "encrypted", body: "PK\x03\x04\x14\x00\x01\x00" + strings.Repeat("\x00", 30), want: "not-implemented"},
		{name: "something else", body: "Rar!", want: "not-implemented"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Strategy = fileset.WebBundled
			got := ingest(t, single("x").with(bundle, answer{body: tt.body}), figshare, tt.o).Result
			if got.Status != tt.want {
				t.Errorf("got %s (%s), want %s: %+v", got.Status, got.Error, tt.want, got.Manifest)
			}
			if tt.want == "success" && (got.Bundle.FileMeta.MD5 != md5Of(tt.body) || got.Manifest[0].SHA256 == "") {
				t.Errorf("got %+v, %+v", got.Bundle.FileMeta, got.Manifest)
			}
		})
	}
}

func FuzzBundle(f *testing.F) {
	f.Add([]byte(zipped(f, "a.txt", "x", "b/c", strings.Repeat("y", 1000))))
	f.Add([]byte(plainZip(0, "a.txt", "x", 1)))
	f.Add([]byte(tarred(f, "a.txt", "x")))
	f.Add([]byte(gzipped(tarred(f, "a.txt", "x"))))
	bundle := "https://ndownloader.figshare.com/articles/12/versions/1"
	f.Fuzz(func(t *testing.T, in []byte) {
		o := fileset.Options{Strategy: fileset.WebBundled, MaxTotal: 16 << 20}
		got := ingest(t, single("x").with(bundle, answer{body: string(in)}), figshare, o).Result
		if got.Status == "" || len(got.Manifest) > 1000 {
			t.Errorf("%q and %d files", got.Status, len(got.Manifest))
		}
	})
}
