package export

import (
	"errors"
	"slices"
	"testing"
)

// TestPlaces: only places that the user named are opened for a document, or local files if no place is named.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		bases []string
		want  []string
	}{
		{"a/b.warc.gz", nil, []string{"/run/a/b.warc.gz", "a/b.warc.gz"}},
		{"/a/b.warc.gz", nil, []string{"/a/b.warc.gz"}},
		{"http://169.254.169.254/latest/meta-data", nil, nil},
		{"s3://bucket/a.warc.gz", nil, nil},
		{"GS://bucket/a.warc.gz", nil, nil},
		{"a/b.warc.gz", []string{"/shelf"}, []string{"/shelf/a/b.warc.gz", "/shelf/b.warc.gz"}},
		{"../b.warc.gz", []string{"/shelf"}, []string{"/shelf/b.warc.gz"}},
		{"a/../../b.warc.gz", []string{"/shelf"}, []string{"/shelf/b.warc.gz"}},
		{"/etc/passwd", []string{"/shelf"}, []string{"/shelf/passwd"}},
		{"/shelf/a/b.warc.gz", []string{"/shelf"}, []string{"/shelf/a/b.warc.gz", "/shelf/b.warc.gz"}},
		{"/shelf/../etc/b", []string{"/shelf"}, []string{"/shelf/b"}},
		{"/shelfish/b", []string{"/shelf"}, []string{"/shelf/b"}},
		{"..", []string{"/shelf"}, nil},
		{"", []string{"/shelf"}, nil},
		{
			"s3://bucket/x/a.warc.gz",
			[]string{"s3://bucket/x/"},
			[]string{"s3://bucket/x/a.warc.gz", "s3://bucket/x/a.warc.gz"},
		},
		{"s3://bucket/xy/a.warc.gz", []string{"s3://bucket/x"}, []string{"s3://bucket/x/a.warc.gz"}},
		{"https://h/x/../y/a", []string{"https://h/x"}, []string{"https://h/x/a"}},
		{"https://h/x/%2e%2e/y/a", []string{"https://h/x"}, []string{"https://h/x/a"}},
		{"http://other/a", []string{"/shelf", "https://h/x"}, []string{"/shelf/a", "https://h/x/a"}},
	} {
		got, err := places{c.bases, "/run"}.of(c.name)
		if !slices.Equal(got, c.want) || errors.Is(err, errOnNet) != (len(c.bases) == 0 && c.want == nil) {
			t.Errorf("%q beneath %q: %q, %v, want %q", c.name, c.bases, got, err, c.want)
		}
	}
}
