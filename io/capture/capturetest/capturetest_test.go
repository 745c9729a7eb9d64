package capturetest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/capture/capturetest"
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
			capturetest.Test(t, capturetest.Archive{Name: name, Bytes: b, Captures: captures})
		})
	}
}
