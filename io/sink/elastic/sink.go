package elastic

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// index is a client as a sink.
type index struct {
	client *Client
	byURL  bool
}

// Encode makes the document of a page.
func (x *index) Encode(p *sink.Page) (*sink.Message, error) {
	if p.TakenDown && (x.byURL || x.client.o.Model == ACHE) {
		return nil, nil
	}
	m := &sink.Message{ID: p.ID()}
	if x.byURL {
		// The requested URL, as in ACHE.
		m.ID = URLID(p.Capture.RequestedURL())
	}
	if x.client.o.Model == ACHE {
		// No message: ACHE would not store this page, so nothing is lost.
		if !isStoredByACHE(p.Capture) {
			return nil, nil
		}
		m.Value = ache.ElasticDocument(p.Capture, p.HTML())
		return m, nil
	}
	var err error
	m.Value, err = p.JSON()
	return m, err
}

// isStoredByACHE reports whether ACHE would store such a capture. Redirects and errors would replace the page, and
// captures outside the web have no page.
func isStoredByACHE(c *schemas.Capture) bool {
	return !isLostPage(c) && dump.CheckURL(c.RequestedURL()) == nil && dump.CheckRepeat(c) == nil &&
		c.RecordType != schemas.TypeRevisit && (c.Status == 0 || c.Status >= 200 && c.Status <= 299)
}

// isLostPage reports whether c may be a page of HTML whose body the archive lacks. Without a body its document would
// be that of a file, and remove the text of an earlier capture.
func isLostPage(c *schemas.Capture) bool {
	t := mimetype.Canonical(mimetype.Base(c.MIMEDeclared))
	return len(c.Body) == 0 && c.Cut() != "" && (t == "" || mimetype.IsHTML(t))
}

// Begin begins a unit.
func (x *index) Begin(ctx context.Context, refuse func(schemas.Reject) error) (sink.Writer, error) {
	return unit{x.client.NewWriter(ctx, refuse)}, nil
}

// Close closes the connections.
func (x *index) Close() error {
	x.client.Close()
	return nil
}

// unit is a Writer as that of a sink. After Abort its documents stay, and repeating the unit overwrites them.
type unit struct{ *Writer }

// Write writes a document.
func (u unit) Write(m *sink.Message) error {
	return u.Writer.Write(Document{ID: m.ID, Source: m.Value, Reject: m.Reject})
}

// Commit waits until all documents are written.
func (u unit) Commit() error { return u.Close() }
