package playback

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestView_longText: a long text is shown up to the last whole character within the limit, whatever its characters.
func TestView_longText(t *testing.T) {
	for name, body := range map[string]string{
		"letters":             strings.Repeat("a", maxText+1),
		"two bytes":           "a" + strings.Repeat("é", maxText),
		"three bytes":         strings.Repeat("中", maxText),
		"three bytes, by one": "a" + strings.Repeat("中", maxText),
		"four bytes":          "abc" + strings.Repeat("😀", maxText),
		"lines":               strings.Repeat("中文字\n", maxText/4),
		"one long last line":  strings.Repeat("a\n", 100) + strings.Repeat("中", maxText),
	} {
		t.Run(name, func(t *testing.T) {
			c := &memento.Reading{Document: &schemas.Document{}, Capture: &schemas.Capture{
				URL: "http://a.example/x.txt", Body: []byte(body), MIMEDeclared: "text/plain; charset=utf-8", Status: 200,
			}}
			_, d := (&part{}).view(c, "text/plain")
			short := maxText - len(d.Text)
			if !d.Cut || short < 0 || short >= utf8.UTFMax || !utf8.ValidString(d.Text) || !strings.HasPrefix(body, d.Text) {
				t.Errorf("%d bytes are missing, truncated: %v", short, d.Cut)
			}
		})
	}
}
