package view

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/pipelines/server/thumbnail"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/picture"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// standardImages is the number of images on a page: it has divisors for grids of all widths.
const standardImages = 48

// Images searches for images.
func (v *Views) Images(ctx context.Context, r ImagesRequest) (*Images, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	q, err := r.search()
	if err != nil {
		return nil, err
	}
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	found, err := now.DB.FindImages(ctx, q)
	if err != nil {
		return nil, changed(err)
	}
	list := &Images{
		Answer: answer(c), Request: r, Filters: r.filters(), Total: int64(found.Total), Images: []ImageRow{},
		Bare: len(found.List) > 0,
	}
	if len(found.List) == 0 {
		list.explain(now, nil)
	}
	for i := range found.List {
		row := v.imageRow(&r, &found.List[i])
		list.Bare = list.Bare && found.List[i].Capture.Image == nil
		list.Images = append(list.Images, row)
	}
	list.choices(found)
	list.follow(int64(q.Offset))
	list.Took = v.since(start)
	return list, nil
}

// search returns the search of a request.
func (r ImagesRequest) search() (q imageindex.Query, err error) {
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return q, err
	}
	q = imageindex.Query{
		Words: r.Query, Language: r.Language, Host: hostTyped(r.Host), Animated: r.Animated == "yes", Like: r.Like,
		Same: r.Same, Offset: int(min(from, 1<<30)), Limit: cmp.Or(r.Limit, standardImages),
	}
	if r.Format != "" {
		q.Formats = []string{r.Format}
	}
	if _, ok := picture.ParseHash(r.Like); r.Like != "" && !ok {
		return q, invalid("like", r.Like, "It takes the hash of an image: 16 hexadecimal digits.")
	}
	q.MinSide, q.MaxSide, _ = imageindex.Sides(r.Size) // the tags of the request allow no other
	if r.From != "" {
		if q.From, _, err = query.Period(r.From); err != nil {
			return q, invalid("from", r.From, err.Error())
		}
	}
	if r.To != "" {
		if _, q.To, err = query.Period(r.To); err != nil {
			return q, invalid("to", r.To, err.Error())
		}
	}
	return q, nil
}

// link is the page of a request.
func (r ImagesRequest) link() string { return page(r.Collection, "images", r) }

// first returns a request for the first page of the list.
func (r ImagesRequest) first() ImagesRequest {
	r.Cursor = ""
	return r
}

// filters returns what narrows the list, with links that remove it.
func (r ImagesRequest) filters() []Filter {
	list := []Filter{}
	for _, f := range []struct {
		param, title, label string
		value               *string
	}{
		{"format", "Format", r.Format, &r.Format},
		{"size", "Size", r.Size, &r.Size},
		{"lang", "Language of a page", Tongue(r.Language), &r.Language},
		{"host", "Host", r.Host, &r.Host},
		{"from", "From", r.From, &r.From},
		{"to", "To", r.To, &r.To},
		{"animated", "Frames", "several", &r.Animated},
		{"like", "Like", "an image", &r.Like},
		{"same", "Only", "one image", &r.Same},
	} {
		if *f.value == "" {
			continue
		}
		value := *f.value
		*f.value = ""
		list = append(list, Filter{Param: f.param, Title: f.title, Value: value, Label: f.label, Link: r.first().link()})
		*f.value = value
	}
	return list
}

// imageRow describes an image.
func (v *Views) imageRow(r *ImagesRequest, i *contentdb.Image) ImageRow {
	d := i.Capture
	row := ImageRow{
		ID: i.Same, URL: d.URL, Name: nameOf(d.URL), Host: d.Host, Timestamp: d.Timestamp, MIME: d.MIMEDetected,
		Bytes: d.BodyBytes, Digest: d.Digest, Captures: i.Captures, Similar: i.Similar, Shown: i.Shown,
		Pages: []ImagePage{}, Link: page(r.Collection, "resource", ResourceRequest{URL: d.URL, At: at(d)}),
	}
	if info := d.Image; info != nil {
		row.Format, row.Width, row.Height, row.Frames = info.Format, info.Width, info.Height, info.Frames
		row.PHash, row.EXIF = info.PHash, info.EXIF
		if row.PHash != "" {
			row.LikeLink = ImagesRequest{Collection: r.Collection, Like: row.PHash}.link()
		}
	}
	if v.o.Thumbnails != nil && picture.Shown(d.MIMEDetected) && !isBroken(d) {
		row.Thumbnail = page(r.Collection, "thumbnail", PlaceRequest{URL: d.URL, Place: placeOf(d)})
	}
	for _, p := range i.Pages {
		row.texts(d.SURT, p)
		// Captures of one page are listed once.
		if slices.ContainsFunc(row.Pages, func(o ImagePage) bool { return o.URL == p.URL }) {
			continue
		}
		row.Pages = append(row.Pages, ImagePage{
			URL: p.URL, Title: p.Title, Language: p.Language, Dir: dirOf(p.Language), Timestamp: p.Timestamp,
			Link: page(r.Collection, "resource", ResourceRequest{URL: p.URL, At: at(p)}),
		})
	}
	return row
}

// isBroken reports whether the extractor could not read an image, which then has no thumbnail.
func isBroken(d *schemas.Document) bool {
	return slices.ContainsFunc(d.Errors, func(e schemas.StageError) bool { return e.Stage == "images" })
}

// texts takes the texts that a page has for the image of a SURT, unless another page has had some.
func (row *ImageRow) texts(surt string, p *schemas.Document) {
	for _, i := range p.Images {
		if row.Alt+row.Caption == "" && i.Alt+i.Caption != "" && urlkey.SURT(i.URL) == surt {
			row.Alt, row.Caption = i.Alt, i.Caption
		}
	}
}

// nameOf returns the last part of a URL's path, or the URL.
func nameOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.HasSuffix(u.Path, "/") || u.Path == "" {
		return address
	}
	return path.Base(u.Path)
}

// choices adds the formats and sizes of the images, with links that choose one or choose none again.
func (l *Images) choices(found *contentdb.Images) {
	choose := func(counts []imageindex.Count, value func(*ImagesRequest) *string) (list []Choice) {
		list = []Choice{}
		for _, c := range counts {
			r := l.Request.first()
			selected := *value(&r) == c.Value
			if *value(&r) = c.Value; selected {
				*value(&r) = ""
			}
			list = append(list, Choice{c.Value, c.Value, r.link(), selected})
			l.Counts = append(l.Counts, int64(c.Count))
		}
		return list
	}
	l.Counts = []int64{}
	l.Formats = choose(found.Formats, func(r *ImagesRequest) *string { return &r.Format })
	l.Sizes = choose(found.Sizes, func(r *ImagesRequest) *string { return &r.Size })
}

// follow adds the links to the next page, and to the API.
func (l *Images) follow(from int64) {
	r := l.Request
	l.API = api("images", r)
	if l.Left = max(0, l.Total-from-int64(len(l.Images))); l.Left > 0 {
		l.Next = cursorAt(from + int64(len(l.Images)))
		r.Cursor = l.Next
		l.NextLink = r.link()
	}
}

// thumbnailsDir is the folder of thumbnails, in that of the index: a takedown removes it.
const thumbnailsDir = "thumbnails"

// Thumbnail returns the thumbnail of a capture as a JPEG file. Each request checks that the capture exists and may be
// seen, because thumbnails are kept.
func (v *Views) Thumbnail(ctx context.Context, r PlaceRequest) ([]byte, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	d, err := v.place(ctx, now, r)
	switch {
	case err != nil:
		return nil, changed(err)
	case !now.DB.MayRead(d):
		return nil, v.Withheld(ctx, c.Name(), d)
	case v.o.Thumbnails == nil || !picture.Shown(d.MIMEDetected):
		return nil, noThumbnail()
	}
	dir := ""
	if at, canWrite, err := index.Dir(c.Folder()); err == nil && canWrite {
		dir = filepath.Join(at, thumbnailsDir)
	}
	// The place is in the key, since an archive may state the digest of another image.
	kept := thumbnail.Place{
		Dir: dir, Key: placeOf(d) + " " + d.Digest, Valid: func() bool { return c.IsCurrent(now) },
	}
	data, err := v.o.Thumbnails.Get(ctx, kept, func() (string, []byte, error) {
		payload, err := v.Exporter(now.DB).Capture(ctx, d)
		if err != nil {
			return "", nil, missing(d, err)
		}
		return d.MIMEDetected, payload.Body, nil
	})
	if errors.Is(err, thumbnail.ErrNone) {
		return nil, noThumbnail()
	}
	return data, err
}

func noThumbnail() *Error {
	return &Error{
		Kind: NotFound, Title: "This image has no thumbnail",
		Detail: "It is damaged, too large, or of a format that is not decoded.",
	}
}
