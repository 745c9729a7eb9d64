package playback

import (
	_ "embed" // for the templates
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/replay"
)

//go:embed frame.html
var frameText string

// frames returns the views of payloads other than pages, for the frame. They have no scripts and load only their
// payload.
var frames = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("frame").Parse(frameText))
})

// These limit what a view shows of a payload.
const (
	maxText  = 2 << 20 // bytes
	maxItems = 200     // of a feed
	maxWords = 60      // of an item's summary
)

// content is the data of a view in the frame.
type content struct {
	Title, URL, Source, Media, Text string
	Cut                             bool
	Items                           []item
}

// item is an item of a feed.
type item struct{ Title, Link, Date, Summary string }

// frame answers with the document in the frame: a rewritten page, or the view of another payload.
func (p *Player) frame(w http.ResponseWriter, r *http.Request, q *part, c *memento.Reading) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	media := export.MediaOf(c.Capture)
	if mimetype.IsHTML(media) {
		text, visual := export.PageOf(c.Capture)
		page, _, err := replay.HTML(text, replay.Options{URL: c.Capture.URL, Address: q.link(c), Visual: visual})
		if err == nil {
			send(w, r, page)
			return
		}
		slog.Debug("a page cannot be rewritten", "url", c.Capture.URL, "error", err)
	}
	name, data := q.view(c, media)
	var b strings.Builder
	if err := frames().ExecuteTemplate(&b, name, data); err != nil {
		slog.Error("a view cannot be written", "view", name, "error", err)
		http.Error(w, "This view failed.", http.StatusInternalServerError)
		return
	}
	send(w, r, b.String())
}

// view returns the template of a payload that is not a page, and its data.
func (q *part) view(c *memento.Reading, media string) (string, content) {
	d := content{URL: c.Capture.URL, Media: media}
	source := func(kind replay.Kind) string { return q.link(c)(kind, c.Capture.URL) }
	switch {
	case export.IsImage(c.Capture, media):
		d.Source = source(replay.Image)
		return "image", d
	case export.IsMedia(c.Capture, media):
		d.Source = source(replay.Media)
		if strings.HasPrefix(media, "audio/") {
			return "audio", d
		}
		return "video", d
	case q.feed(c, media, &d):
		return "feed", d
	case len(c.Capture.Body) == 0:
		return "empty", d
	case mimetype.IsText(media) || mimetype.IsXML(media):
		d.Text = export.TextOf(c.Capture)
		if d.Cut = len(d.Text) > maxText; d.Cut {
			end := maxText
			for end > maxText-utf8.UTFMax && !utf8.RuneStart(d.Text[end]) {
				end--
			}
			d.Text = d.Text[:end]
		}
		return "text", d
	}
	return "other", d
}

// feed fills the data of a feed. It reports whether the payload is one.
func (q *part) feed(c *memento.Reading, media string, d *content) bool {
	f, err := feed.Read(c.Capture.Body, media, c.Capture.URL, feed.Options{MaxItems: maxItems})
	if err != nil || len(f.Items) == 0 {
		return false
	}
	d.Title = f.Title
	o := replay.Options{URL: c.Capture.URL, Address: q.link(c)}
	for i := range f.Items {
		one := item{Title: f.Items[i].Title, Link: replay.Address(replay.Link, f.Items[i].Link, o)}
		if one.Title == "" {
			one.Title = f.Items[i].Link
		}
		if t := f.Items[i].Date(); !t.IsZero() {
			one.Date = t.UTC().Format(time.DateTime)
		}
		one.Summary = plain(f.Items[i].Summary)
		d.Items = append(d.Items, one)
	}
	return true
}

// plain returns the text of a fragment of HTML, at most some lines of it.
func plain(markup string) string {
	var words []string
	for z := html.NewTokenizer(strings.NewReader(markup)); len(words) < maxWords; {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(words, " ")
		case html.TextToken:
			words = append(words, strings.Fields(html.UnescapeString(string(z.Raw())))...)
		}
	}
	return strings.Join(words[:maxWords], " ") + " …"
}

// notice answers with a sentence instead of a page, for the frame.
func notice(w http.ResponseWriter, status int, title, address string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Del("Cache-Control")
	var b strings.Builder
	if err := frames().ExecuteTemplate(&b, "notice", content{Title: title, URL: address}); err != nil {
		slog.Error("a notice cannot be written", "error", err)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(b.String())) // the client has left
}
