package sourcedb

import (
	"encoding/json"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// readFeed decodes the fields of a line of feeds that source.FromFeed needs, in half of the time for all fields.
func readFeed(line []byte) (row schemas.FeedCapture, err error) {
	err = jsonl.Members(line, func(name, value []byte) (err error) {
		if into := feedField(&row, string(name)); into != nil {
			*into, err = jsonl.String(value)
			return err
		}
		switch string(name) {
		case "status":
			row.Status, err = whole(value)
		case "count":
			row.Count, err = whole(value)
		case "items":
			row.Items, err = feedItems(value)
		case "refresh":
			err = json.Unmarshal(value, &row.Refresh)
		}
		return err
	})
	return row, err
}

// feedField returns the text field of a row for a member of its line, otherwise nil.
func feedField(row *schemas.FeedCapture, name string) *string {
	switch name {
	case "kind":
		return &row.Kind
	case "url":
		return &row.URL
	case "type":
		return &row.Type
	case "domain":
		return &row.Domain
	case "page":
		return &row.Page
	case "timestamp":
		return &row.Timestamp
	case "title":
		return &row.Title
	case "link":
		return &row.Link
	case "self":
		return &row.Self
	case "language":
		return &row.Language
	case "digest":
		return &row.Digest
	}
	return nil
}

func feedItems(value []byte) (list []schemas.FeedItem, err error) {
	err = jsonl.Elements(value, func(value []byte) error {
		var item schemas.FeedItem
		if string(value) == "null" { // an empty item, as in encoding/json
			list = append(list, item)
			return nil
		}
		err := jsonl.Members(value, func(name, value []byte) (err error) {
			var into *string
			switch string(name) {
			case "url":
				into = &item.URL
			case "id":
				into = &item.ID
			case "title":
				into = &item.Title
			case "published":
				into = &item.Published
			case "updated":
				into = &item.Updated
			default:
				return nil
			}
			*into, err = jsonl.String(value)
			return err
		})
		list = append(list, item)
		return err
	})
	return list, err
}

func whole(value []byte) (int, error) {
	n, err := jsonl.Int(value)
	return int(n), err
}
