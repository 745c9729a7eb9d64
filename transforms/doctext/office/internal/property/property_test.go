package property

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"2021-03-04T05:06:07Z":         "2021-03-04T05:06:07Z",
		"2021-03-04T05:06:07+02:00":    "2021-03-04T05:06:07+02:00",
		" 2021-03-04T05:06Z ":          "2021-03-04T05:06:00Z",
		"2021-03-04T05:06:07.12345":    "2021-03-04",
		"2021-03-04":                   "2021-03-04",
		"1601-01-01T00:00:00Z":         "",
		"1899-12-30":                   "",
		"2021":                         "2021-01-01",
		"2021-05":                      "2021-05-01",
		"1899":                         "",
		"20210":                        "",
		"2021-5":                       "",
		"2021-13-04":                   "",
		"yesterday":                    "",
		"":                             "",
		"2021-03-04T05:06:07.123456Z":  "2021-03-04T05:06:07Z",
		"2021-03-04T05:06:07+99:00":    "",
		"2021-03-04T05:06:07 and more": "",
	} {
		if got := Date(in); got != want {
			t.Errorf("Date(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestList(t *testing.T) {
	if diff := cmp.Diff([]string{"a", "b c"}, List(" a; b c,,a;", ";,")); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	if got := Text(" a\n b\x00\xffc "); got != "a b c" {
		t.Errorf("Text = %q", got)
	}
}
