package archivetest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// TestFormats puts an archive of each format and compression through the contract.
func TestFormats(t *testing.T) {
	for name, captures := range map[string]int{
		"site.warc": 9, "site.warc.gz": 30, "site.warc.zst": 13, "site.arc.gz": 6, "site-v2.arc": 5, "wget.warc.gz": 58,
	} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("../../../testdata/archives", name))
			if err != nil {
				t.Fatal(err)
			}
			archivetest.Test(t, archivetest.Archive{Name: name, Bytes: b, Captures: captures})
		})
	}
}

// TestOutputs puts every format that is written through the contract of both.
func TestOutputs(t *testing.T) {
	for _, f := range []archivetest.Format{
		{Name: "ache-html", Reads: "ache-html", Single: true},
		{Name: "ache-html", Reads: "ache-html", Single: true, Options: dump.WriteOptions{Compress: dump.On}},
		{Name: "ache-json", Reads: "ache-json", Single: true, Options: dump.WriteOptions{HashNames: true}},
		{Name: "ache-json", Reads: "ache-json", Single: true, Options: dump.WriteOptions{Compress: dump.On}},
		{Name: "ache-cbor", Reads: "ache-cbor", Single: true},
		{Name: "ache-cbor", Reads: "ache-cbor", Single: true, Options: dump.WriteOptions{
			Compress:  dump.On,
			HashNames: true,
		}},
		{Name: "ache-files", Reads: "ache-json"},
		{Name: "ache-warc", Reads: "warc+gzip"},
		{Name: "ache-warc", Reads: "warc+plain", Options: dump.WriteOptions{Compress: dump.Off, StatusLine: true}},
		{Name: "warc", Reads: "warc+gzip"},
		{Name: "warc", Reads: "warc+gzip", Options: dump.WriteOptions{WARC10: true, MaxFileBytes: 1}},
		{Name: "warc", Reads: "warc+zstd", Options: dump.WriteOptions{Zstd: true, StatusLine: true}},
		{Name: "warc", Reads: "warc+plain", Options: dump.WriteOptions{Compress: dump.Off}},
		{Name: "wacz", Reads: "wacz", Single: true},
		{Name: "wacz", Reads: "wacz", Single: true, Options: dump.WriteOptions{MaxFileBytes: 1, Compress: dump.Off}},
	} {
		t.Run(f.Name, func(t *testing.T) { archivetest.TestFormat(t, f) })
	}
}
