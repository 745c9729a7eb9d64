package imageindex

import (
	"fmt"
	"iter"
	"math"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Columns are the columns of documents that the index is made of.
var Columns = []string{
	"digest", "filename", "host", "image", "images", "language", "mime_detected", "offset", "sequence", "surt",
	"timestamp", "title", "url",
}

const (
	// maxUses bounds the pages of a shard that are kept of an image: logos are on all of them.
	maxUses = 32
	// maxTerms bounds the bytes of terms of a part of a text.
	maxTerms = 2000
)

// builder makes the part of a shard.
type builder struct {
	part
	ids     map[string]uint32
	seen    map[uint64]int // uses by SURT
	scanner tokenize.Scanner
}

// build makes the part of a shard from its documents, in their order.
func build(documents iter.Seq2[*schemas.Document, error]) (*part, error) {
	b := &builder{ids: map[string]uint32{}, seen: map[uint64]int{}}
	row := uint32(0)
	for d, err := range documents {
		if err != nil {
			return nil, err
		}
		if isImage(d) {
			b.image(d, row)
		}
		for k := range d.Images {
			b.use(d, row, &d.Images[k])
		}
		if row++; len(b.words) > math.MaxUint32/2 {
			return nil, fmt.Errorf("imageindex: the shard has too many images")
		}
	}
	return &b.part, nil
}

// isImage reports whether a capture is an image. Collections without the extractor images only know the media type.
func isImage(d *schemas.Document) bool {
	return d.Image != nil || strings.HasPrefix(d.MIMEDetected, "image/")
}

func (b *builder) name(s string) uint32 {
	id, known := b.ids[s]
	if !known {
		id = uint32(len(b.names))
		b.ids[s] = id
		b.names = append(b.names, s)
	}
	return id
}

func (b *builder) image(d *schemas.Document, row uint32) {
	i := image{row: row, surt: hashOf(d.SURT), place: Place(d), host: b.name(d.Host)}
	if i.same = i.surt; d.Digest != "" {
		i.same = hashOf(d.Digest)
	}
	if t := query.KeyOf(d).Timestamp; !t.IsZero() {
		i.time = t.UnixMicro()
	}
	info := d.Image
	if info == nil {
		info = &schemas.Image{Format: formatOf(d.MIMEDetected)}
	}
	i.format, i.hash = b.name(info.Format), hashIn(info.PHash)
	i.width, i.height, i.frames = number(info.Width), number(info.Height), number(info.Frames)
	i.words = b.texts(info.EXIF["ImageDescription"]+" "+info.EXIF["Artist"], fileName(d.URL), "")
	b.images = append(b.images, i)
}

func number(n int) uint32 { return uint32(min(max(n, 0), math.MaxInt32)) }

// formatOf returns the format of a media type, as the extractor names it.
func formatOf(mime string) string {
	name := strings.TrimPrefix(mime, "image/")
	switch name {
	case "svg+xml":
		return "svg"
	case "x-icon", "vnd.microsoft.icon":
		return "ico"
	}
	return name
}

func (b *builder) use(d *schemas.Document, row uint32, of *schemas.PageImage) {
	surt := hashOf(urlkey.SURT(of.URL))
	if b.seen[surt]++; b.seen[surt] > maxUses {
		return
	}
	b.uses = append(b.uses, use{
		row: row, surt: surt, place: Place(d), language: b.name(d.Language), host: b.name(d.Host),
		words: b.texts(of.Alt+" "+of.Caption, fileName(of.URL), d.Title),
	})
}

// texts appends the terms of the parts of a text.
func (b *builder) texts(parts ...string) span {
	from := uint32(len(b.words))
	for _, text := range parts {
		begin := len(b.words)
		var last []byte
		for _, term := range b.scanner.Index(text) {
			if len(b.words)-begin+len(term) > maxTerms {
				break
			}
			if slices.Equal(last, term) {
				continue
			}
			b.words = append(append(b.words, ' '), term...)
			last = b.words[len(b.words)-len(term):]
		}
		b.words = append(b.words, ' ', partEnd)
	}
	return span{from, uint32(len(b.words))}
}

// fileName returns the words of the last part of a URL's path.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	name := path.Base(u.Path)
	return strings.NewReplacer("_", " ", "-", " ", "+", " ", ".", " ").Replace(name)
}
