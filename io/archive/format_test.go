package archive_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
)

func TestIsNamed(t *testing.T) {
	for name, want := range map[string]bool{
		"a.warc": true, "d/A.WARC.GZ": true, "a.arc.zst": true, "a.warc.gz.open": true, "a.warc.lz4": true,
		"a.warc.bz2": true, "a.arc.xz": true, "a.warc.br": true, "a.warc.gz.xz": true,
		"warc": false, "a.gz": false, "a.tar.xz": false, "a.warc.txt": false, "a.warc/b": false,
	} {
		if got := archive.IsNamed(name); got != want {
			t.Errorf("IsNamed(%q) = %v, want %v", name, got, want)
		}
	}
}
