package pagemeta

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// maxScriptBytes bounds the scripts that are searched for dates, all together.
const maxScriptBytes = 1 << 20

// scriptDates is the date of publication in the page's scripts. Dates of several days are of other posts, and then
// there is none.
func (f *finder) scriptDates() []string {
	left, found := maxScriptBytes, ""
	for i := 0; i+1 < len(f.p.Nodes) && left > 0; i++ {
		if f.p.Nodes[i].Tag != page.TagScript || int(f.p.Nodes[i].End) <= i+1 {
			continue
		}
		// JSON-LD was read before.
		if kind, _ := f.p.RawAttr(i, "type"); bytes.Contains(kind, []byte("ld+json")) {
			continue
		}
		text := f.p.Raw(i + 1)
		text = text[:min(len(text), left)]
		left -= len(text)
		for text != nil {
			var value string
			value, text = nextPublished(text)
			d, ok := parseDate(value, f.locale)
			switch {
			case !ok:
			case found == "":
				found = d.String()
			case !strings.HasPrefix(found, d.Day()):
				return nil
			}
		}
	}
	return []string{found}
}

// publishedKeys are names of the date of publication in scripts, in small letters and without signs.
var publishedKeys = strings.Fields("datepublished publishedat published publishdate publisheddate publicationdate " +
	"publishedon publishedtime publishtime firstpublishedat firstpublished datepublish originallypublishedat " +
	"publisheddatetime " +
	"publishdatetime firstpublishdate publishat publishedatutc")

// nextPublished returns the next value with such a name, as in "datePublished": "2024-05-03" or
// \"published_at\":1714694400, and the rest of the script, nil at the end. All such names contain "ublish".
func nextPublished(text []byte) (value string, rest []byte) {
	i := bytes.Index(text, []byte("ublish"))
	if i < 0 {
		return "", nil
	}
	start := bytes.LastIndexAny(text[:i], "\"'{, ") + 1
	after := text[i:]
	end := bytes.IndexAny(after, "\"'\\: ")
	if end < 0 {
		return "", nil
	}
	key, after := text[start:i+end], after[end:]
	if len(key) > maxWordBytes || !slices.Contains(publishedKeys, letters(string(key))) {
		return "", after
	}
	// A colon and quotes separate them; without a colon it is not a name.
	signs := len(after) - len(bytes.TrimLeft(after, "\"'\\: "))
	if !bytes.Contains(after[:signs], []byte(":")) {
		return "", after
	}
	after = after[signs:]
	end = bytes.IndexAny(after[:min(len(after), maxDateBytes)], "\"'\\},")
	if end < 0 {
		return "", after
	}
	return string(after[:end]), after
}
