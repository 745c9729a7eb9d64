package extract

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// page is a line of the input.
type page struct {
	URL         string    `json:"url"`
	HTML        *string   `json:"html"`
	Text        *string   `json:"text"`
	Body        []byte    `json:"body"` // base64
	ContentType string    `json:"content_type"`
	Timestamp   time.Time `json:"timestamp"`
	Status      int       `json:"status"`
}

// parsePage reads a line as a capture.
func parsePage(line []byte) (*schemas.Capture, error) {
	var p page
	if err := json.Unmarshal(line, &p); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return nil, fmt.Errorf("%s: %s is of the wrong type", cmp.Or(kind.Field, "line"), kind.Value)
		}
		return nil, fmt.Errorf("the line is not a page: %w", err)
	}
	given := 0
	for _, is := range []bool{p.HTML != nil, p.Text != nil, p.Body != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, errors.New("a page has one of html, text and body")
	}
	body, declared := p.Body, p.ContentType
	// JSON is Unicode, so html and text are UTF-8, whatever the page declares.
	switch {
	case p.HTML != nil:
		body, declared = []byte(printable(*p.HTML)), "text/html; charset=utf-8"
	case p.Text != nil:
		body, declared = []byte(printable(*p.Text)), "text/plain; charset=utf-8"
	}
	c := &schemas.Capture{
		URL: p.URL, Timestamp: p.Timestamp.UTC(), RecordType: schemas.TypeResponse, MIMEDeclared: declared, Body: body,
		Status: cmp.Or(p.Status, http.StatusOK),
	}
	if declared != "" {
		c.Header = []schemas.Field{{Name: "Content-Type", Value: declared}}
	}
	return c, nil
}

// printable removes control characters that no text has. With one of them, the detection of types would take the page
// for a binary file, although its sender says what it is.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r) {
			return -1
		}
		return r
	}, text)
}
