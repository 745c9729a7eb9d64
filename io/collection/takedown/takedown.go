package takedown

import (
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

// List are the pages that must not be in a collection, and the log of their removal. Pages are noted as hashes, so
// that the list does not reveal them; with a URL one can still check whether it is listed.
//
// Every run into the folder omits listed pages, even with --fresh: only people remove the list.
type List struct {
	Entries []Entry `json:"takedowns"`

	known map[string]bool // hashes of entries
}

// Entry is an entry of the list.
type Entry struct {
	Kind   string `json:"kind"`             // url: all versions of a page; host: a host and its subdomains
	SHA256 string `json:"sha256"`           // hexadecimal, of kind, a space, and the page's SURT or the host
	Time   string `json:"time"`             // of the request, RFC 3339, UTC
	Reason string `json:"reason,omitempty"` // as the requester gave it
	// Documents and Shards are how many documents were removed and how many shards were rewritten.
	Documents int64 `json:"documents"`
	Shards    int   `json:"shards"`
	// Unfinished means that the collection, or something made of it, may still have the page: see End.
	Unfinished bool `json:"unfinished,omitempty"`
}

// The kinds of takedowns.
const (
	KindURL  = "url"
	KindHost = "host"
)

const takedownFile = "takedowns.json"

// Parse returns the entry for a URL or for a host name, which has no slash and no colon.
func Parse(what string) (Entry, error) {
	if IsURL(what) {
		surt := urlkey.SURT(what)
		if hostOf(what) == "" && pageOf(what) == "" {
			return Entry{}, fmt.Errorf("%q is neither a URL nor a host", what)
		}
		return Entry{Kind: KindURL, SHA256: takedownHash(KindURL, surt)}, nil
	}
	// Through a URL, so that the host is written as in pages: lower case, and in ASCII.
	host := urlkey.Host("http://" + what + "/")
	if host == "" || !strings.Contains(host, ".") {
		return Entry{}, fmt.Errorf("%q is neither a URL nor a host", what)
	}
	return Entry{Kind: KindHost, SHA256: takedownHash(KindHost, host)}, nil
}

// IsURL reports whether the argument, a URL or a host to take down, is a URL.
func IsURL(what string) bool { return strings.ContainsAny(what, "/:?#") }

func takedownHash(kind, name string) string {
	// With the kind, so that a host and a page of the same text differ.
	sum := sha256.Sum256([]byte(kind + " " + name))
	return hex.EncodeToString(sum[:])
}

// Read reads the list of the collection in f, which may be empty.
func Read(f folder.Folder) (List, error) {
	var t List
	err := folder.ReadJSON(f, holdings.Hidden(takedownFile), holdings.MaxManifestBytes, &t)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, fmt.Errorf("list of what was taken down: %w", err)
	}
	t.index()
	return t, nil
}

func (t *List) index() {
	t.known = make(map[string]bool, len(t.Entries))
	for _, e := range t.Entries {
		t.known[e.SHA256] = true
	}
}

// Add adds entries that are not listed yet, and returns the indexes of all of them in the list.
func (t *List) Add(entries []Entry) (places []int) {
	for _, e := range entries {
		// An existing entry keeps its time and counts.
		at := slices.IndexFunc(t.Entries, func(o Entry) bool { return o.SHA256 == e.SHA256 })
		if at < 0 {
			at = len(t.Entries)
			t.Entries = append(t.Entries, e)
		}
		places = append(places, at)
	}
	t.index()
	return places
}

// Unfinished reports whether any entry is.
func (t List) Unfinished() bool {
	return slices.ContainsFunc(t.Entries, func(e Entry) bool { return e.Unfinished })
}

// End notes that the pages of these entries, nil for all, were removed from everything made of the collection in f.
func End(f folder.Folder, entries []Entry) error {
	t, err := Read(f)
	if err != nil {
		return err
	}
	if entries == nil {
		entries = t.Entries
	}
	for _, at := range t.Add(entries) {
		t.Entries[at].Unfinished = false
	}
	return t.Save(f)
}

// Has reports whether the URL, its host, or the page or host that it is derived from was taken down.
func (t List) Has(url string) bool {
	return len(t.known) > 0 && (t.has(url) || t.has(pageOf(url)))
}

func (t List) has(url string) bool {
	if url == "" {
		return false
	}
	// By SURT, so that variants with http or https, with or without www, are one page.
	if t.known[takedownHash(KindURL, urlkey.SURT(url))] {
		return true
	}
	for host := hostOf(url); host != ""; {
		if t.known[takedownHash(KindHost, host)] {
			return true
		}
		_, host, _ = strings.Cut(host, ".") // www.example.org, example.org, org
	}
	return false
}

// Clean removes from a reject what identifies a page that was taken down. Its bytes stay counted: the totals of an
// archive must add up.
func (t List) Clean(r schemas.Reject) schemas.Reject {
	if t.Has(r.URL) {
		r.URL, r.Record = "", ""
		r.Message = "of a page that was taken down"
	}
	return r
}

func (t List) Save(f folder.Folder) error {
	data, err := folder.EncodeJSON(t)
	if err == nil {
		err = f.Write(holdings.Hidden(takedownFile), data)
	}
	return err
}
