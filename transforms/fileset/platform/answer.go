package platform

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// maxFiles is how many files of a dataset are kept. The rest only adds to the number and size: Sandcrawler refuses
// more than 200, and shortens manifests of more than 10,000.
const maxFiles = fileset.MaxListed

// HTTP statuses of APIs for missing or restricted resources (RFC 9110).
const unauthorized, forbidden, notFound, removed = 401, 403, 404, 410

// get requests a document of an API and decodes it. encoding/json stops at a depth of 10,000.
func get[T any](ask fileset.Asker, url string) (v T, err error) {
	// 404 has a status of its own, since another URL may have it: see osf.
	b, err := ask(url)
	var answer *fileset.HTTPError
	switch {
	case errors.As(err, &answer) && answer.Status == notFound:
		return v, ended(fileset.StatusPlatform404, err.Error())
	case errors.As(err, &answer):
		return v, ended(fileset.StatusPlatformHTTP, err.Error())
	case err != nil:
		return v, err
	}
	if err := passable(json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &v)); err != nil {
		return v, ended(fileset.StatusPlatformError, url+": "+err.Error())
	}
	return v, nil
}

// passable drops the error of a field with another type than before, such as a licence that is a text and was an
// object. The dataset is still usable, and the decoder has gone on.
func passable(err error) error {
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) && other.Field != "" {
		return nil
	}
	return err
}

// gone reports whether an API responded with one of the statuses.
func gone(err error, statuses ...int) bool {
	var answer *fileset.HTTPError
	if !errors.As(err, &answer) {
		return false
	}
	for _, s := range statuses {
		if answer.Status == s {
			return true
		}
	}
	return false
}

// uncaptured reports whether err is a response without a capture.
func uncaptured(err error) bool { return isStatus(err, fileset.StatusPlatformNoCapture) }

func isStatus(err error, status string) bool {
	var s *fileset.StatusError
	return errors.As(err, &s) && s.Status == status
}

// text is a string, or a number or boolean as written; anything else is "".
type text string

// UnmarshalJSON accepts any value.
func (t *text) UnmarshalJSON(b []byte) error {
	*t = ""
	switch {
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	case b[0] == '{' || b[0] == '[' || string(b) == "null":
		return nil
	}
	*t = text(b)
	return nil
}

// truth is true, or a text or number that means true; anything else is false.
type truth bool

// UnmarshalJSON accepts any value: a private flag written as a text must not be lost.
func (t *truth) UnmarshalJSON(b []byte) error {
	switch strings.ToLower(strings.Trim(string(b), `"`)) {
	case "true", "1", "yes":
		*t = true
	default:
		*t = false
	}
	return nil
}

// number is a number that is not negative, or a text of digits; anything else is unknown.
type number struct {
	value int64
	known bool
}

// UnmarshalJSON accepts any value.
func (n *number) UnmarshalJSON(b []byte) error {
	// Reset first: a decoder may reuse a value.
	*n = number{}
	// An invalid size is unknown, and no reason to refuse the dataset.
	s := strings.Trim(string(b), `" `)
	if v, err := strconv.ParseInt(s, 10, 64); err == nil && v >= 0 {
		*n = number{v, true}
		// 1.2e6, as some encoders write large numbers; above 2^53 floats are not exact.
	} else if f, err := strconv.ParseFloat(s, 64); err == nil && f >= 0 && f <= 1<<53 && f == math.Trunc(f) {
		*n = number{int64(f), true}
	}
	return nil
}

// size is the number as a file's size.
func (n number) size() *int64 {
	if !n.known {
		return nil
	}
	return &n.value
}

// entry is a file in an API's list.
type entry interface{ bytes() int64 }

// list is the files of a response, of which maxFiles are kept. Otherwise a response of 64 MiB could take gigabytes.
type list[T entry] struct {
	kept  []T
	files int64
	size  int64 // of all with a known size
}

// UnmarshalJSON reads an array element by element.
func (l *list[T]) UnmarshalJSON(b []byte) error {
	*l = list[T]{}
	// Elements beyond maxFiles are counted and dropped at once.
	d := json.NewDecoder(bytes.NewReader(b))
	first, err := d.Token()
	if err != nil || first == nil {
		return err // null has no files
	}
	if first != json.Delim('[') {
		return errors.New("the list of files is no array")
	}
	for d.More() {
		var e T
		if err := passable(d.Decode(&e)); err != nil {
			return err
		}
		l.add(e)
	}
	return nil
}

func (l *list[T]) add(e T) {
	// Counted before the bound, so that the result has the number and size of the whole dataset.
	l.files++
	l.size = fileset.AddSize(l.size, e.bytes())
	if len(l.kept) < maxFiles {
		l.kept = append(l.kept, e)
	}
}

// join adds the files of another page of the same list.
func (l *list[T]) join(o list[T]) {
	l.files += o.files
	l.size = fileset.AddSize(l.size, o.size)
	l.kept = append(l.kept, o.kept[:min(len(o.kept), maxFiles-len(l.kept))]...)
}

// collect adds files to an item's manifest, those for which file returns true.
func collect[T entry](item *schemas.FilesetPlatformItem, l list[T], file func(T) (schemas.ManifestFile, bool)) {
	// Added, since a list may have several pages.
	item.Files += l.files
	item.Size = fileset.AddSize(item.Size, l.size)
	for _, e := range l.kept {
		f, ok := file(e)
		if !ok {
			item.Files--
			item.Size -= min(e.bytes(), item.Size) // a saturated sum must not become negative
			continue
		}
		if len(item.Manifest) < maxFiles {
			item.Manifest = append(item.Manifest, f)
		}
	}
}
