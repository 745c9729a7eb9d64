package contentdb

import (
	"errors"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestHasWord(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, " ": false, "\t\n\u00a0\u3000": false, "?!": false, "…": false, "\u200b": false, "\xff": false,
		"a": true, " é ": true, "学": true, "1": true, "☂": true, "?a": true, "ก": true,
	} {
		if got := HasWord(text); got != want {
			t.Errorf("HasWord(%q) = %v", text, got)
		}
	}
}

func TestParseLike(t *testing.T) {
	for _, text := range []string{
		"", " ", "/", "x", "x/y", "2020-01-31T12:00:00Z", "2020-01-31T12:00:00Z/", "2020-01-31T12:00:00Z/ ",
		"yesterday/https://example.org/", "https://example.org/",
	} {
		if d, err := ParseLike(text); err == nil {
			t.Errorf("ParseLike(%q) = %+v, want an error", text, d)
		}
	}
	const address, at = "https://www.example.org/a/b?c=/", "2020-01-31T12:00:00Z"
	d, err := ParseLike(at + "/" + address)
	if err != nil || d.URL != address || d.Timestamp != at || d.SURT == "" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestAbout_nothing: a question that cannot be answered is an error, not an empty answer.
func TestAbout_nothing(t *testing.T) {
	db := openAbout(t, Options{})
	like := func(name, at string) AboutRequest {
		return AboutRequest{Like: &schemas.Document{SURT: "org,example)/" + name, Timestamp: at}}
	}
	for _, test := range []struct {
		r    AboutRequest
		want error
	}{
		{AboutRequest{}, ErrNoWord},
		{AboutRequest{Text: " \t"}, ErrNoWord},
		{AboutRequest{Text: "?!"}, ErrNoWord},
		{like("none", "2020-03-01T00:00:00Z"), ErrNoCapture},
		{like("hopital", "2021-03-01T00:00:00Z"), ErrNoCapture},
		{like("empty", "2020-03-03T00:00:00Z"), ErrNoText},
	} {
		if _, err := db.About(t.Context(), test.r); !errors.Is(err, test.want) {
			t.Errorf("About(%q, %+v): %v, want %v", test.r.Text, test.r.Like, err, test.want)
		}
	}
}
