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

// maxFiles is how many files of a dataset are kept. Others are counted, and their sizes added up: Sandcrawler refuses
// more than 200, and cuts the manifests of more than 10,000.
const maxFiles = 10_000

// Statuses of HTTP by which APIs say that something is not there, or not for everybody (RFC 9110).
const unauthorized, forbidden, notFound, removed = 401, 403, 404, 410

// get asks for a document of an API and reads it. encoding/json stops at a depth of 10,000.
func get[T any](ask fileset.Asker, url string) (v T, err error) {
	// 404 has a status of its own, since there something may be asked for elsewhere: see osf.
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
	if err := passable(json.Unmarshal(b, &v)); err != nil {
		return v, ended(fileset.StatusPlatformError, url+": "+err.Error())
	}
	return v, nil
}

// passable is an error of decoding, if it is one that matters: a field of another kind than it was (a licence that is a
// text and was an object) is not known, and no reason to refuse the dataset. The decoder has gone on after it.
func passable(err error) error {
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) && other.Field != "" {
		return nil
	}
	return err
}

// gone reports whether an API answered with one of the statuses.
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

// uncaptured reports whether err is an answer that no archive has.
func uncaptured(err error) bool { return isStatus(err, fileset.StatusPlatformNoCapture) }

func isStatus(err error, status string) bool {
	var s *fileset.StatusError
	return errors.As(err, &s) && s.Status == status
}

// text is a string, or a number or truth value as it is written; anything else is "".
type text string

// UnmarshalJSON takes any value.
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

// truth is true, or a text or number that stands for it; anything else is false.
type truth bool

// UnmarshalJSON takes any value. Whether something is private must not be lost because it is written as a text.
func (t *truth) UnmarshalJSON(b []byte) error {
	switch strings.ToLower(strings.Trim(string(b), `"`)) {
	case "true", "1", "yes":
		*t = true
	default:
		*t = false
	}
	return nil
}

// number is one that is not negative, or a text of digits; anything else is not known.
type number struct {
	value int64
	known bool
}

// UnmarshalJSON takes any value.
func (n *number) UnmarshalJSON(b []byte) error {
	// Emptied first: a decoder may use a value a second time.
	*n = number{}
	// A size that cannot be read is not known, and no reason to refuse the dataset.
	s := strings.Trim(string(b), `" `)
	if v, err := strconv.ParseInt(s, 10, 64); err == nil && v >= 0 {
		*n = number{v, true}
		// 1.2e6, as some encoders write great numbers; 2^53 is where these stop to be whole.
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

// entry is a file as an API lists it.
type entry interface{ bytes() int64 }

// list are the files of an answer, of which maxFiles are kept, so that an answer of 64 MiB does not take some
// gigabytes.
type list[T entry] struct {
	kept  []T
	files int64
	size  int64 // of all, where it is known
}

// UnmarshalJSON reads an array one element after the other.
func (l *list[T]) UnmarshalJSON(b []byte) error {
	*l = list[T]{}
	// One element at a time: those beyond maxFiles are counted and dropped at once.
	d := json.NewDecoder(bytes.NewReader(b))
	first, err := d.Token()
	if err != nil || first == nil {
		return err // null is no files
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
	// Counted before the bound, so that the number and the size in a result are those of the whole
	// dataset.
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

// collect adds files to an item's manifest: each one that file makes something of.
func collect[T entry](item *schemas.FilesetPlatformItem, l list[T], file func(T) (schemas.ManifestFile, bool)) {
	// Added, since lists of several pages come one after the other.
	item.Files += l.files
	item.Size = fileset.AddSize(item.Size, l.size)
	for _, e := range l.kept {
		f, ok := file(e)
		if !ok {
			item.Files--
			item.Size -= min(e.bytes(), item.Size) // a sum that was cut at its limit must not become negative
			continue
		}
		if len(item.Manifest) < maxFiles {
			item.Manifest = append(item.Manifest, f)
		}
	}
}
