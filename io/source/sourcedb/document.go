package sourcedb

import (
	"cmp"
	"errors"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// fewWords is the number of words below which package source needs a document's text; longer documents have a count of
// words.
const fewWords = 200

// readDocument decodes the fields of a line of documents that describe a source: a fifth of the fields, and the text
// only of short pages. Decoding everything took 40 % of the time to read a crawl.
func readDocument(line []byte) (*schemas.Document, error) {
	d := &schemas.Document{}
	var text []byte
	err := jsonl.Members(line, func(name, value []byte) (err error) {
		if into := textField(d, string(name)); into != nil {
			*into, err = jsonl.String(value)
			return err
		}
		switch string(name) {
		case "record_type":
			s, err := jsonl.String(value)
			d.RecordType = schemas.RecordType(s)
			return err
		case "status":
			n, err := jsonl.Int(value)
			d.Status = int(n)
			return err
		case "offset":
			d.Offset, err = jsonl.Int(value)
		case "authors":
			d.Authors, err = texts(value)
		case "site_signals":
			d.SiteSignals, err = texts(value)
		case "entities":
			d.Entities, err = entities(value)
		case "quality":
			d.Quality, err = quality(value)
		case "text":
			text = value
		}
		return err
	})
	if err == nil && text != nil && (d.Quality == nil || d.Quality.Words < fewWords) {
		d.Text, err = jsonl.String(text)
	}
	return d, err
}

// errFound ends the iteration over an object after the wanted member.
var errFound = errors.New("found")

// textField returns the text field of a document for a member of its line, otherwise nil.
func textField(d *schemas.Document, name string) *string {
	switch name {
	case "url":
		return &d.URL
	case "host":
		return &d.Host
	case "domain":
		return &d.Domain
	case "timestamp":
		return &d.Timestamp
	case "language":
		return &d.Language
	case "title":
		return &d.Title
	case "canonical":
		return &d.Canonical
	case "mime_declared":
		return &d.MIMEDeclared
	case "mime_detected":
		return &d.MIMEDetected
	case "page_type":
		return &d.PageType
	case "text_path":
		return &d.TextPath
	case "simhash":
		return &d.Simhash
	case "filename":
		return &d.Filename
	case "redirect_url":
		return &d.RedirectURL
	}
	return nil
}

func texts(value []byte) (list []string, err error) {
	err = jsonl.Elements(value, func(value []byte) error {
		s, err := jsonl.String(value)
		list = append(list, s)
		return err
	})
	return list, err
}

func entities(value []byte) (list []schemas.Entity, err error) {
	err = jsonl.Elements(value, func(value []byte) error {
		var e schemas.Entity
		err := jsonl.Members(value, func(name, value []byte) (err error) {
			switch string(name) {
			case "type":
				e.Type, err = jsonl.String(value)
			case "text":
				e.Text, err = jsonl.String(value)
			case "count":
				n, err := jsonl.Int(value)
				e.Count = int(n)
				return err
			}
			return err
		})
		list = append(list, e)
		return err
	})
	return list, err
}

func quality(value []byte) (*schemas.Quality, error) {
	if string(value) == "null" {
		return nil, nil
	}
	q := &schemas.Quality{}
	err := jsonl.Members(value, func(name, value []byte) error {
		if string(name) != "words" {
			return nil
		}
		n, err := jsonl.Int(value)
		q.Words = int(n)
		return cmp.Or(err, errFound)
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return q, err
}
