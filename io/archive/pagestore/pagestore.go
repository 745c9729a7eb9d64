// Package pagestore reads, writes and migrates PageStores: the folders that bayes-swarm's extraction engine
// (PrototypeOne, later Pulsar) keeps of the pages and feeds that it fetches.
//
//	2008/11/15/META                                a line for each page and feed of the day
//	2008/11/15/<md5>/contents.html                 a page, or the XML of a feed
//	2008/11/15/<feed's md5>/META                   a line for each item of the feed
//	2008/11/15/<feed's md5>/<md5>/contents.html    the page of an item
//
// A line is "md5 url", or since revision 367 "md5 url id kind language"; see [ParseLine]. The hash is that of the URL.
// The sources are the project's wiki page "PageStore" and its programs, which differ from it: docs/formats/pagestore.md
// has what and where.
//
// Tolerated on reading:
//
//	dates with and without leading zeros       both are read; the programs write none
//	the same page twice                        the last line counts, as the contents are the last ones
//	blanks in URLs                             the hash tells what belongs to the URL
//	a line end before the URL                  old programs wrote the hash and the URL on two lines: they are joined
//	blank lines, \r\n                          passed over
//	a page without a line                      a capture that has no URL, but its hash
//
//	infos, err := unit.Files(ctx, store, []string{"pagestore/"}, nil, unit.DefaultSize)
package pagestore

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// The kinds of pages.
const (
	KindURL  = "url"
	KindFile = "file" // a local file: the programs' tests have them
	KindRSS  = "rss"
	KindItem = "rssitem" // only in the META of a feed
)

// The names of files.
const (
	metaName     = "META"
	oldName      = "META.old" // what a migration keeps
	contentsName = "contents.html"
)

// Hash returns the name of a page's folder: the MD5 of its URL, without surrounding blanks, in lower-case hexadecimal.
func Hash(url string) string {
	sum := md5.Sum([]byte(strip(url)))
	return hex.EncodeToString(sum[:])
}

// blanks are what Ruby's String#strip removes, since the programs are in Ruby: NUL and white space.
const blanks = "\x00\t\n\v\f\r "

func strip(url string) string { return strings.Trim(url, blanks) }

// isHash reports whether s is an MD5 in lower-case hexadecimal.
func isHash(s string) bool {
	return len(s) == 2*md5.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// place is the location of a file in a store.
type place struct {
	day  string    // the path of the day's folder
	date time.Time // the day, as UTC
	feed string    // hash of the feed that the file is an item of, or whose META it is
	page string    // hash of the page; "" for a META file
}

// placeOf parses a path from its end, because a store may be anywhere. ok is false for paths outside a store.
func placeOf(path string) (p place, ok bool) {
	parts := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")
	name, folders := parts[len(parts)-1], parts[:len(parts)-1]
	var hashes []string
	// Up to two hashes: the page's and, before it, its feed's.
	for len(hashes) < 2 && len(folders) > 0 && isHash(folders[len(folders)-1]) {
		hashes = append(hashes, folders[len(folders)-1])
		folders = folders[:len(folders)-1]
	}
	if p.date, ok = dateOf(folders); !ok {
		return p, false
	}
	p.day = strings.Join(folders, "/")
	switch {
	case name == contentsName && len(hashes) == 1:
		p.page = hashes[0]
	case name == contentsName && len(hashes) == 2:
		p.page, p.feed = hashes[0], hashes[1]
	// The META file of a feed lists its items.
	case (name == metaName || name == oldName) && len(hashes) == 1:
		p.feed = hashes[0]
	// The day's own META file; other files are not part of a store.
	case name != metaName && name != oldName || len(hashes) > 0:
		return p, false
	}
	return p, true
}

// dateOf returns the day that the last three folders name.
func dateOf(folders []string) (time.Time, bool) {
	if len(folders) < 3 {
		return time.Time{}, false
	}
	last := folders[len(folders)-3:]
	// The year has four digits, which excludes other folders with numbers.
	if len(last[0]) != 4 || len(last[1]) > 2 || len(last[2]) > 2 {
		return time.Time{}, false
	}
	t, err := time.Parse("2006/1/2", strings.Join(last, "/")) // accepts leading zeros
	return t, err == nil
}

// folder returns the folder whose META file lists a feed's items or, with feed "", a day's pages.
func folder(day, feed string) string {
	if feed == "" {
		return day
	}
	return day + "/" + feed
}

// dayFolder is the name of a day's folder.
func dayFolder(t time.Time, padded bool) string {
	if padded {
		return t.Format("2006/01/02")
	}
	return fmt.Sprintf("%04d/%d/%d", t.Year(), t.Month(), t.Day())
}

// IsStored reports whether a path is that of a file in a store.
func IsStored(path string) bool {
	_, ok := placeOf(path)
	return ok
}
