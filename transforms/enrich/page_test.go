package enrich_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

const linking = `<html><head><meta charset=iso-8859-1><meta property="og:site_name" content="The Quay"></head><body>
<nav><a href="/home">Home</a><a href="/about">About</a></nav>
<article><h1>The ferry</h1><p>The ferry of Anst&eacute; left at nine, says <a href="/log#x">the log</a> of the caf` + "\xe9" + `, and it came back at noon.</p>
<p>Who wants to know more can read <a href="http://b.example/">another page</a> or <a href="mailto:a@b.c">write</a>, or read <a href="/log#x">the log</a> again.</p>
<p>The harbour master said that nobody had seen such a morning since the year in which the lighthouse was painted.</p></article>
<footer><a href="/imprint">Imprint</a></footer></body></html>`

func TestEnrich_page(t *testing.T) {
	e, err := enrich.New(enrich.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &schemas.Capture{
		URL: "http://a.example/1", Body: []byte(linking), MIMEDeclared: "text/html",
		RecordType: schemas.TypeResponse,
	}
	r := e.Enrich(c, enrich.Extra{Page: true})
	if diff := cmp.Diff(e.Document(c), r.Document); diff != "" {
		t.Errorf("the document differs from Document's (-Document +Enrich):\n%s", diff)
	}
	p := r.Page
	if diff := cmp.Diff([]string{"http://a.example/log#x", "http://b.example/"}, p.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if p.Site.Title != "The Quay" || p.Site.PublisherType != "UNKNOWN" || !cmp.Equal(len(p.Text), len(linking)+1) {
		t.Errorf("site %+v, %d bytes of text", p.Site, len(p.Text))
	}
	picture := &schemas.Capture{URL: "http://a.example/i.png", Body: []byte("\x89PNG\r\n\x1a\n\x00")}
	if p := e.Enrich(picture, enrich.Extra{Page: true}).Page; !cmp.Equal(p, schemas.Page{}) {
		t.Errorf("a picture's page is %+v", p)
	}
}
