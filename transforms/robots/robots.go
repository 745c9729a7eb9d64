// Package robots reads robots.txt as RFC 9309, the Robots Exclusion Protocol, has it: which paths of a host a crawler
// of a given name may fetch, and how long it is asked to wait in between.
//
// It fetches nothing: what a missing file or an error of the server means (section 2.3.1) is the fetcher's to know.
//
//	rules := robots.Parse(body, "gleaner")
//	if !rules.Allowed("/search?q=x") {
//		return
//	}
package robots

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// MaxBytes is how much of a file is read, the least that section 2.5 asks for; what follows it is as if it were
// not there. It bounds the rules as well, since each takes a line.
const MaxBytes = 500 << 10

// Rules are what a robots.txt says to one crawler. The zero value allows everything. They are not changed by any
// method, so that several goroutines may ask.
type Rules struct {
	rules []rule
	delay time.Duration
}

// rule is a line "allow" or "disallow".
type rule struct {
	allow   bool
	pattern string // normal as by octets; not empty
}

// group collects what is said to one kind of crawlers: those that name us, or all.
type group struct {
	Rules
	named bool // a line user-agent names it, with or without rules
}

// Parse reads the file for the crawler whose product token is agent, such as "gleaner" (section 2.2.1). Any bytes are a
// robots.txt: what is not understood is passed over.
func Parse(body []byte, agent string) *Rules {
	// A byte order mark would else be part of the first key, and hide its line.
	body = bytes.TrimPrefix(body[:min(len(body), MaxBytes)], []byte("\xef\xbb\xbf"))
	var ours, all group
	var inOurs, inAll, rulesBegan bool
	for line := range strings.FieldsFuncSeq(string(body), isLineEnd) {
		// Both groups are collected in one pass, since a group that names us may stand after the one
		// for all.
		key, value := split(line)
		switch key {
		case "user-agent":
			// Lines of agents that follow each other share the rules below them. Lines that the RFC does not define,
			// such as sitemap, must not come between (section 2.2.4).
			if rulesBegan {
				inOurs, inAll, rulesBegan = false, false, false
			}
			inOurs = inOurs || strings.EqualFold(token(value), agent)
			inAll = inAll || value == "*"
			ours.named, all.named = ours.named || inOurs, all.named || inAll
		case "allow", "disallow":
			rulesBegan = true
			ours.add(inOurs, key == "allow", value)
			all.add(inAll, key == "allow", value)
		case "crawl-delay":
			ours.wait(inOurs, value)
			all.wait(inAll, value)
		}
	}
	// Groups that name us are all that counts, even if they are empty: the others are for callers that are not named.
	if ours.named {
		return &ours.Rules
	}
	// Without either there are no rules, and all is allowed (section 2.2.1).
	return &all.Rules
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// split takes a line apart, without its comment.
func split(line string) (key, value string) {
	line, _, _ = strings.Cut(line, "#")
	// A line without a colon has a key that no case of Parse knows.
	key, value, _ = strings.Cut(line, ":")
	return strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
}

// token is the product token at the beginning of a user-agent's value: many write "Name/1.0" there.
func token(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end < 0 {
		return value
	}
	return value[:end]
}

// add takes a rule, if the group is one that the line is in.
func (g *group) add(is, allow bool, pattern string) {
	// "Disallow:" with nothing behind it forbids nothing, which is what no rule does too.
	if is && pattern != "" {
		g.rules = append(g.rules, rule{allow, octets(pattern)})
	}
}

// wait takes a crawl-delay: seconds, which may have decimals. It is no part of the RFC, and many sites ask for it.
func (g *group) wait(is bool, value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	// NaN fails the comparison; the upper bound keeps the product within a Duration.
	if !is || err != nil || !(seconds > 0) {
		return
	}
	// Of several the longest: it is polite whichever was meant.
	g.delay = max(g.delay, time.Duration(min(seconds, math.MaxInt32)*float64(time.Second)))
}

// CrawlDelay is how long the crawler is asked to wait between two requests, 0 when nothing is said. It may be years.
func (r *Rules) CrawlDelay() time.Duration { return r.delay }
