package collection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Takedowns are the pages that must not be in a collection, and the log of how they went. Pages are noted by hashes, so
// that the list does not say what was to be forgotten; who knows a URL can still find out whether it is on it.
//
// Every run into the folder leaves out what is on the list, also after --fresh: it is removed by nobody but people.
type Takedowns struct {
	Entries []Takedown `json:"takedowns"`

	known map[string]bool // hashes of entries
}

// Takedown is an entry.
type Takedown struct {
	Kind   string `json:"kind"`             // url: all versions of one page; host: all of a host and of those below it
	SHA256 string `json:"sha256"`           // hexadecimal, of the kind, a blank and the page's SURT or the host
	Time   string `json:"time"`             // when it was asked for, RFC 3339, UTC
	Reason string `json:"reason,omitempty"` // in the words of who asked
	// Documents and Shards are what was removed when it was asked for, and how many shards were written again.
	Documents int64 `json:"documents"`
	Shards    int   `json:"shards"`
}

// The kinds of takedowns.
const (
	TakedownURL  = "url"
	TakedownHost = "host"
)

// takedownFile is the list, in the hidden folder.
const takedownFile = "takedowns.json"

// ParseTakedown makes an entry of a URL or of the name of a host, which has no slash and no colon.
func ParseTakedown(what string) (Takedown, error) {
	if IsURL(what) {
		surt := urlkey.SURT(what)
		if hostOf(what) == "" && pageOf(what) == "" {
			return Takedown{}, fmt.Errorf("collection: %q is neither a URL nor a host", what)
		}
		return Takedown{Kind: TakedownURL, SHA256: takedownHash(TakedownURL, surt)}, nil
	}
	// By way of a URL, so that a host is written as those of pages are: lower case, and in ASCII.
	host := urlkey.Host("http://" + what + "/")
	if host == "" || !strings.Contains(host, ".") {
		return Takedown{}, fmt.Errorf("collection: %q is neither a URL nor a host", what)
	}
	return Takedown{Kind: TakedownHost, SHA256: takedownHash(TakedownHost, host)}, nil
}

// IsURL reports whether what is to be taken down is meant as a URL, and not as a host.
func IsURL(what string) bool { return strings.ContainsAny(what, "/:?#") }

func takedownHash(kind, name string) string {
	// The kind is within, so that a host and a page of the same text are two.
	sum := sha256.Sum256([]byte(kind + " " + name))
	return hex.EncodeToString(sum[:])
}

// ReadTakedowns reads the list of the collection in f, which may be empty.
func ReadTakedowns(f folder.Folder) (Takedowns, error) {
	var t Takedowns
	err := folder.ReadJSON(f, holdings.Hidden(takedownFile), holdings.MaxManifestBytes, &t)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, fmt.Errorf("collection: list of what was taken down: %w", err)
	}
	t.index()
	return t, nil
}

func (t *Takedowns) index() {
	t.known = make(map[string]bool, len(t.Entries))
	for _, e := range t.Entries {
		t.known[e.SHA256] = true
	}
}

// add puts entries on the list, except for those that are on it, and tells where they stand.
func (t *Takedowns) add(entries []Takedown) (places []int) {
	for _, e := range entries {
		// One that is on it already stays as it is, with its time and its counts.
		at := slices.IndexFunc(t.Entries, func(o Takedown) bool { return o.SHA256 == e.SHA256 })
		if at < 0 {
			at = len(t.Entries)
			t.Entries = append(t.Entries, e)
		}
		places = append(places, at)
	}
	t.index()
	return places
}

// Has reports whether what is of a URL was taken down: of the page, of its host, or of a page or host that the URL is
// derived from.
func (t Takedowns) Has(url string) bool {
	return len(t.known) > 0 && (t.has(url) || t.has(pageOf(url)))
}

func (t Takedowns) has(url string) bool {
	if url == "" {
		return false
	}
	// By SURT, so that http and https, and www or not, are one page.
	if t.known[takedownHash(TakedownURL, urlkey.SURT(url))] {
		return true
	}
	for host := hostOf(url); host != ""; {
		if t.known[takedownHash(TakedownHost, host)] {
			return true
		}
		_, host, _ = strings.Cut(host, ".") // of www.example.org, example.org and org
	}
	return false
}

// Clean takes out of a reject what it says of a page that was taken down. Its bytes stay counted: an archive has to
// come out even.
func (t Takedowns) Clean(r schemas.Reject) schemas.Reject {
	if t.Has(r.URL) {
		r.URL, r.Record = "", ""
		r.Message = "of a page that was taken down"
	}
	return r
}

// save writes the list.
func (t Takedowns) save(f folder.Folder) error {
	data, err := folder.EncodeJSON(t)
	if err == nil {
		err = f.Write(holdings.Hidden(takedownFile), data)
	}
	return err
}

// RemoveDerived removes what other packages have made of the shards to answer sooner, in the hidden folder:
// the index, and outlines of shards. They are made again when they are needed.
func (c *Collection) RemoveDerived() error {
	return errors.Join(c.f.RemoveAll(holdings.Hidden("index")), c.f.Remove(holdings.Hidden("outlines.json")),
		c.f.RemoveAll(holdings.Hidden("query-*")))
}

// takeOut removes what is on the list.
type takeOut struct {
	c         *Collection
	ctx       context.Context
	list      Takedowns
	moved     map[string]*tally // what is left of units whose documents were moved, where it is not what their rows say
	documents int64
	shards    int
	later     bool // a table is told before files go
}
