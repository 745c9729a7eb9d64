package datastreamer

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// message is a message of Protocol Buffers, its values by the numbers of their fields.
type message map[protowire.Number][]value

// value is a number, or bytes.
type value struct {
	n uint64
	b []byte
}

// maxValues bounds the memory that a message takes: values take many times the bytes that they are written in.
const maxValues = 10_000

var errMessage = errors.New("datastreamer: no message of Protocol Buffers")

// parse reads a message. Its bytes are those of b.
func parse(b []byte) (message, error) {
	m := message{}
	for count := 0; len(b) > 0; count++ {
		number, kind, n := protowire.ConsumeTag(b)
		// An empty value takes two bytes in a message, and some hundred in memory.
		if n < 0 || count == maxValues {
			return nil, errMessage
		}
		b = b[n:]
		var v value
		switch kind {
		case protowire.VarintType:
			v.n, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			v.b, n = protowire.ConsumeBytes(b)
		case protowire.Fixed32Type:
			var bits uint32
			bits, n = protowire.ConsumeFixed32(b)
			v.n = uint64(bits)
		// Doubles and groups: none of the fields that are read has such a type, and they are passed
		// over.
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return nil, errMessage
		}
		m[number] = append(m[number], v)
		b = b[n:]
	}
	return m, nil
}

// last is the value of a field that is not repeated.
func (m message) last(field protowire.Number) value {
	if list := m[field]; len(list) > 0 {
		// The last counts, as the specification of Protocol Buffers has it.
		return list[len(list)-1]
	}
	return value{}
}

// text returns a field as valid UTF-8. Records must be UTF-8, but some texts in these files are not.
func (m message) text(field protowire.Number) string {
	return strings.ToValidUTF8(string(m.last(field).b), "\uFFFD")
}

func (m message) number(field protowire.Number) uint64 { return m.last(field).n }

// message returns the message in a field. An unreadable message counts as empty. Its length is known, so the fields
// around it can still be read.
func (m message) message(field protowire.Number) message {
	sub, err := parse(m.last(field).b)
	if err != nil {
		return nil
	}
	return sub
}

// first is the first message of a repeated field.
func (m message) first(field protowire.Number) message {
	if list := m[field]; len(list) > 0 {
		return message{field: list[:1]}.message(field)
	}
	return nil
}

// link is the URL and the resource of an entry, a source or a feed: its canonical link, or else the first.
func (m message) link() (href, resource string) {
	for _, l := range []message{m.message(2), m.first(1)} {
		if href := l.last(1).b; len(href) > 0 {
			return urlkey.Text(string(href)), l.text(2)
		}
	}
	return "", ""
}

// fromEntry makes a record of an entry, and returns besides what a record has no field for. What a post in a feed says
// counts where its page says nothing.
func fromEntry(entry []byte) (r *Content, more map[string]string, err error) {
	e, err := parse(entry)
	if err != nil {
		return nil, nil, err
	}
	page, post, source, feed := e.message(4), e.message(3), e.message(1), e.message(2)
	r, more = &Content{}, map[string]string{}
	// The page comes first, because fillPost fills only empty fields.
	for _, m := range []message{page, post} {
		fillPost(r, m, more)
	}
	r.HTMLBlob = blob(page.message(12))
	r.Main = text(page.message(13))
	if r.Main == "" {
		r.Main = text(post.message(12))
	}
	fillSource(r, source, more)
	r.SourceFeedHref, _ = feed.link()
	r.SourceFeedTitle = feed.text(3)
	// Without any there would be a capture without a URL.
	if r.Permalink == "" && r.SourceLink == "" {
		return nil, nil, errors.New("datastreamer: an entry without a link")
	}
	// An entry of a source alone is about the source's page.
	r.Permalink = cmp.Or(r.Permalink, r.SourceLink)
	return r, more, nil
}

// fillPost fills empty fields from a PermalinkEntry or FeedEntry, whose fields have the same numbers.
func fillPost(r *Content, m message, more map[string]string) {
	href, resource := m.link()
	// The three together: the hash is that of this resource and of no other.
	if r.Permalink == "" {
		r.Permalink, r.Resource, r.Hashcode = href, resource, m.text(4)
	}
	author := m.first(6)
	r.Title = cmp.Or(r.Title, m.text(3))
	r.Lang = cmp.Or(r.Lang, m.first(5).text(1))
	r.AuthorName = cmp.Or(r.AuthorName, author.text(1))
	r.AuthorLink = cmp.Or(r.AuthorLink, author.first(3).text(1))
	r.Published = cmp.Or(r.Published, m.text(9))
	r.DateFound = cmp.Or(r.DateFound, m.text(10))
	if id := m.number(11); id != 0 && r.Identifier == "" {
		r.Identifier = strconv.FormatUint(id, 10)
	}
	if len(r.Tags) == 0 {
		for _, v := range m[7] {
			r.Tags = append(r.Tags, strings.ToValidUTF8(string(v.b), "\uFFFD"))
		}
	}
	if v := m[8]; len(v) > 0 && more["spam_probability"] == "" {
		more["spam_probability"] = strconv.FormatFloat(float64(math.Float32frombits(uint32(v[0].n))), 'g', -1, 32)
	}
	more["author_email"] = cmp.Or(more["author_email"], author.text(2))
	more["generator"] = cmp.Or(more["generator"], m.text(14))
}

// fillSource fills in the fields of the site.
func fillSource(r *Content, m message, more map[string]string) {
	r.SourceLink, r.SourceResource = m.link()
	r.SourceTitle, r.SourceHashcode, r.SourceDescription = m.text(3), m.text(4), m.text(7)
	r.SourcePublisherType, _ = enumName("source_publisher_type", m.text(12))
	if status := m.number(8); status != 0 {
		r.SourceHTTPStatus = new(int64(status))
	}
	more["source_lang"], more["source_generator"] = m.first(5).text(1), m.text(6)
	// Detected by presence, because 0 is a tier.
	if _, ok := m[9]; ok {
		more["source_tier"] = strconv.FormatInt(protowire.DecodeZigZag(m.number(9)), 10)
	}
	for field, name := range map[protowire.Number]string{10: "source_indegree", 11: "source_iranking"} {
		if _, ok := m[field]; ok {
			more[name] = strconv.FormatInt(int64(m.number(field)), 10)
		}
	}
}

// blob is the content of a Content message in zlib, as it nearly always is, whatever type it declares.
func blob(m message) []byte {
	b := m.last(2).b
	if len(b) == 0 {
		return nil
	}
	if isZlib(b) {
		// A copy: b is part of the reader's buffer, which the next entry takes.
		return bytes.Clone(b)
	}
	return deflate(b)
}

func isZlib(b []byte) bool {
	// One byte is enough to tell: a header of two bytes alone would be found by chance in text.
	_, err := inflate(b, 1)
	return err == nil
}

// maxExtract bounds the text of a post.
const maxExtract = 8 << 20

// text is the content of a Content message as text. Of damaged content the beginning is returned.
func text(m message) string {
	b := m.last(2).b
	if isZlib(b) {
		b, _ = inflate(b, maxExtract) // what precedes damage is kept
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
