// Package robots reads robots.txt by RFC 9309, the Robots Exclusion Protocol. It returns which paths of a host a named
// crawler may fetch, and how long it should wait between requests.
//
// It fetches nothing. The meaning of a missing file or a server error (section 2.3.1) is the fetcher's concern.
//
//	rules := robots.Parse(body, "gleaner")
//	if !rules.Allowed("/search?q=x") {
//		return
//	}
package robots

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
)

// MaxBytes is the number of bytes read of a file, the minimum that section 2.5 demands. The rest is ignored. It bounds
// the rules as well, since each takes a line.
const MaxBytes = 500 << 10

// Rules are the rules of a robots.txt for one crawler. The zero value allows everything. Only Add changes them,
// so the others are safe for concurrent use.
type Rules struct {
	rules []rule
	delay time.Duration
}

// rule is a line "allow" or "disallow".
type rule struct {
	allow   bool
	pattern string // in the form of compared; not empty
}

// group collects the rules for one kind of crawlers: those that name us, or all.
type group struct {
	Rules
	named bool // a line user-agent names it, with or without rules
}

// Parse reads the file for the crawler with product token agent, such as "gleaner" (section 2.2.1). It accepts any
// bytes and ignores lines that it does not understand.
func Parse(body []byte, agent string) *Rules {
	var ours, all group
	var inOurs, inAll, rulesBegan bool
	// A delay is for the agents right above it, as crawlers that know it read it.
	var waitOurs, waitAll, waitBegan bool
	for key, value := range Lines(body) {
		// Both groups are collected in one pass, since a group that names us may come after the one for all.
		switch key {
		case "user-agent":
			// Consecutive lines of agents share the rules below them. Lines that the RFC does not define, such as
			// sitemap, do not interrupt them (section 2.2.4).
			if rulesBegan {
				inOurs, inAll, rulesBegan, waitBegan = false, false, false, true
			}
			if waitBegan {
				waitOurs, waitAll, waitBegan = false, false, false
			}
			isOurs, isAll := strings.EqualFold(token(value), agent), ForAll(value)
			inOurs, waitOurs = inOurs || isOurs, waitOurs || isOurs
			inAll, waitAll = inAll || isAll, waitAll || isAll
			ours.named, all.named = ours.named || inOurs, all.named || inAll
		case "allow", "disallow":
			rulesBegan = true
			ours.add(inOurs, key == "allow", value)
			all.add(inAll, key == "allow", value)
		case "crawl-delay":
			waitBegan = true
			ours.wait(waitOurs, value)
			all.wait(waitAll, value)
		}
	}
	// If any group names us, only such groups count, even if they are empty. The others are for crawlers that are not
	// named.
	if ours.named {
		return &ours.Rules
	}
	// Without either there are no rules, and everything is allowed (section 2.2.1).
	return &all.Rules
}

// Add adds a rule, unless its pattern is empty.
func (r *Rules) Add(allow bool, pattern string) {
	if pattern != "" {
		r.rules = append(r.rules, rule{allow, compared(pattern, true)})
	}
}

// Lines yields the lines of a file as keys in lower case and values, without comments. Misspelled keys are corrected; a
// line without a colon is a key without a value, unless it has two words. At most MaxBytes are read. A line across the
// limit is left out: its first half may allow or disallow other pages than the whole.
func Lines(body []byte) iter.Seq2[string, string] {
	if len(body) > MaxBytes {
		body = body[:bytes.LastIndexAny(body[:MaxBytes+1], "\r\n")+1]
	}
	// Otherwise a byte order mark would become part of the first key, and hide its line.
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	return func(yield func(key, value string) bool) {
		for line := range strings.FieldsFuncSeq(string(body), isLineEnd) {
			if !yield(split(line)) {
				return
			}
		}
	}
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// misspelled are the frequent mistakes in keys that Google's crawler reads, too. Their authors forbid something.
var misspelled = map[string]string{
	"useragent": "user-agent", "user agent": "user-agent",
	"dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow", "diasllow": "disallow", "disallaw": "disallow",
}

// split splits a line, without its comment. A line of two words may lack the colon between them.
func split(line string) (key, value string) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok := strings.Cut(line, ":")
	if words := strings.Fields(line); !ok && len(words) == 2 {
		key, value = words[0], words[1]
	}
	key = strings.ToLower(strings.TrimSpace(key))
	return cmp.Or(misspelled[key], key), strings.TrimSpace(value)
}

// ForAll reports whether the value of a line user-agent names all crawlers: a star, maybe with words after it, as
// Google reads it. Section 2.2.1 has no patterns such as "*bot", which name no crawler.
func ForAll(value string) bool {
	rest, ok := strings.CutPrefix(value, "*")
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// token returns the product token at the beginning of a user-agent's value, since many write "Name/1.0".
func token(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end < 0 {
		return value
	}
	return value[:end]
}

// add adds a rule if the group includes the line.
func (g *group) add(is, allow bool, pattern string) {
	// An empty "Disallow:" forbids nothing, which is the same as no rule.
	if is {
		g.Add(allow, pattern)
	}
}

// wait handles a crawl-delay: seconds, possibly with decimals. It is not part of the RFC, but many sites have it.
func (g *group) wait(is bool, value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	// NaN fails the comparison; the upper bound keeps the product within a Duration.
	if !is || err != nil || !(seconds > 0) {
		return
	}
	// Of several, the longest counts: it is polite whichever was intended.
	g.delay = max(g.delay, time.Duration(min(seconds, math.MaxInt32)*float64(time.Second)))
}

// CrawlDelay returns how long the crawler should wait between two requests, or 0 if not given. It may be years.
func (r *Rules) CrawlDelay() time.Duration { return r.delay }
