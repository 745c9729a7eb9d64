package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext/message"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/unseen"
)

// pageText is the text of a capture as its readers see it.
type pageText struct {
	shown   string
	removed string // text that the page hides
	hidden  int    // characters of it, and of characters that nobody sees
	checked bool
	why     string // why it was not checked, or not completely
}

// visible returns the text of a capture without what its page hides.
func (s *Server) visible(ctx context.Context, collection string, res *view.Resource) pageText {
	text := res.Document.Text
	if text == "" && res.Withheld == "" && res.Document.RecordType == schemas.TypeRevisit {
		place := view.PlaceRequest{Collection: collection, URL: res.Document.URL, Place: res.Shown.At}
		// Without an original there is no text, and the answer says so.
		text, _ = s.views.Text(ctx, place)
	}
	if text == "" || res.Withheld != "" {
		return pageText{}
	}
	return s.withoutHidden(ctx, res.Document, text, func() ([]byte, string, error) {
		return s.views.Payload(ctx, view.PlaceRequest{Collection: collection, URL: res.Document.URL, Place: res.Shown.At})
	})
}

// withoutHidden removes from a text what its page hides. The page is read from its archive.
func (s *Server) withoutHidden(
	_ context.Context, d *schemas.Document, text string, payload func() ([]byte, string, error),
) (t pageText) {
	var removed string
	switch {
	case !isHTML(d.MIMEDetected):
		t.checked = true // only HTML has styles
	case d.BodyBytes > unseen.MaxBytes:
		t.why = "the page is too large."
	case d.RecordType == schemas.TypeRevisit:
		t.why = "the capture is a revisit."
	default:
		body, media, err := payload()
		if e := (*view.Error)(nil); errors.As(err, &e) {
			t.why = "its archive cannot be read."
			break
		} else if err != nil {
			t.why = "its record cannot be read."
			break
		}
		p := unseen.Find(decoded(body, d.MIMEDetected, media))
		text, removed = p.Remove(text)
		if t.checked = !p.Partly; p.Partly {
			t.why = "the page is too complex to be checked completely."
		}
	}
	shown, n := clean(text)
	gone, _ := clean(removed)
	t.shown, t.removed = string(shown), string(gone)
	t.hidden = n + len([]rune(removed))
	return t
}

// decoded returns a page as HTML in UTF-8, as the extractors read it. declared may have parameters.
func decoded(body []byte, detected, declared string) []byte {
	if detected == saved {
		if part, media, _ := message.Page(body); part != nil {
			body, declared = part, media
		}
	}
	text, _, err := charset.Decode(body, charset.Detect(body, declared, charset.Options{}).Name)
	if err != nil {
		text = body
	}
	if page.IsXML(declared) {
		return page.FromXHTML(text)
	}
	return text
}

// saved is the type of MHTML, a page with its parts.
const saved = "multipart/related"

func isHTML(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml" || media == saved || media == ""
}

// snippet returns the snippet of a hit as readers see it. If the page hides a part of it, that is the beginning of its
// visible text. If it was not checked, why says so.
func (s *Server) snippet(
	ctx context.Context, collection string, h *view.Hit, text string,
) (shown string, hidden bool, why string) {
	if text == "" || !isHTML(h.MIME) || h.RecordType == string(schemas.TypeRevisit) {
		return text, false, ""
	}
	place := view.PlaceRequest{Collection: collection, URL: h.URL, Place: h.Place()}
	whole, err := s.views.Text(ctx, place)
	if err != nil {
		return text, false, "its text cannot be read."
	}
	d := &schemas.Document{MIMEDetected: h.MIME}
	t := s.withoutHidden(ctx, d, whole, func() ([]byte, string, error) { return s.views.Payload(ctx, place) })
	plain := strings.NewReplacer("**", "", "…", "").Replace(text)
	if t.removed == "" || unseen.Within(plain, t.shown) {
		return text, false, t.why
	}
	return cut(t.shown, mostCell), true, ""
}
