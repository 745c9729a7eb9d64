package main

import (
	"regexp"
	"strings"
)

// Limits of a sentence. Many readers learnt English at school: beyond these, most people read a sentence twice.
const (
	maxWords   = 25
	maxClauses = 2 // clauses below the main one
)

// rule is one thing that makes a sentence hard to read. Find returns how often the sentence does it.
type rule struct {
	name    string
	instead string
	find    func(sentence string) int
}

// rules are checked in this order. A sentence counts once for its words and once for its length.
var rules = []rule{
	{"tells whether", "reports whether", matches(`\b(tells|says) (whether|if)\b`)},
	{"anew", "again", matches(`\banew\b`)},
	{"but for", "except, without", matches(`\bbut for\b`)},
	{"behind", "after", behind},
	{"is none", "is not a X, or 0 if not found", isNone},
	{"is no X", "is not a X", isNo},
	{"what is", "name the thing", matches(`\bwhat(ever)? (is|are|was|were|has|have|had|cannot|stands?|comes?|came|goes|lies)\b`)},
	{
		"who asks", "callers that, users who",
		matches(`(^|[,:;] |\b(for|to|of|by|as|and|but|whether) )who(ever)? [a-z]+s\b`),
	},
	{"that of twice", "repeat the noun", thatOfTwice},
	{"tells of, told by", "shows, detected by", matches(`\b(tells? of|says? of|told by|told of|is told)\b`)},
	{"stands in", "is in", standsIn},
	{"such as are", "X that are", matches(`\bsuch as (are|is|have|has|were)\b`)},
	{"goes on with", "continues", matches(`\b(go|goes|gone|going|went) (on with|over)\b`)},
	{"without a word, in vain", "silently, without success", matches(`\b(without a word|in vain|hangs? on)\b`)},
	{"more than 25 words", "two sentences", func(s string) int { return max(0, len(strings.Fields(s))-maxWords) }},
	{
		"more than two clauses", "two sentences",
		func(s string) int { return max(0, len(clause.FindAllString(s, -1))-maxClauses) },
	},
}

var (
	clause = regexp.MustCompile(`(?i)\b(which|that|who|whose|where|when|while|if|because|since|until|unless|although|whether|as soon as)\b`)
	thatOf = regexp.MustCompile(`(?i)\b(that|those|one|ones) of\b`)
	// These words allow the preposition for places and delays.
	behindWord  = regexp.MustCompile(`(?i)\b(\w+ )?behind( \w+)?( \w+)?( \w+)?`)
	behindPlace = regexp.MustCompile(`(?i)\b(prox|login|firewall|balancer|paywall|gateway|server|fall|lag|left|leav)`)
	standIn     = regexp.MustCompile(`(?i)\b(stands?|stood) in for\b`)
	standing    = regexp.MustCompile(`(?i)\b(stands?|stood) (in|at|there|beside|before|between|above|below)\b`)
	noneWord    = regexp.MustCompile(`(?i)\b(\w+ )?(is|are|was|were) none\b`)
	noWord      = regexp.MustCompile(`(?i)\b(\w+ )?(is|are|was|were) no (\w+)`)
)

func matches(pattern string) func(string) int {
	re := regexp.MustCompile(`(?i)` + pattern)
	return func(s string) int { return len(re.FindAllString(s, -1)) }
}

func behind(s string) (n int) {
	for _, m := range behindWord.FindAllString(s, -1) {
		if !behindPlace.MatchString(m) {
			n++
		}
	}
	return n
}

// isNone counts the phrase unless it follows "there".
func isNone(s string) (n int) {
	for _, m := range noneWord.FindAllStringSubmatch(s, -1) {
		if !strings.EqualFold(strings.TrimSpace(m[1]), "there") {
			n++
		}
	}
	return n
}

// isNo counts the phrase unless it follows "there" or precedes a word such as "longer".
func isNo(s string) (n int) {
	for _, m := range noWord.FindAllStringSubmatch(s, -1) {
		switch strings.ToLower(m[3]) {
		case "longer", "more", "less", "such", "other", "need", "limit", "way":
			continue
		}
		if !strings.EqualFold(strings.TrimSpace(m[1]), "there") {
			n++
		}
	}
	return n
}

// standsIn does not count "stands in for".
func standsIn(s string) int {
	return len(standing.FindAllString(standIn.ReplaceAllString(s, "replaces"), -1))
}

func thatOfTwice(s string) int { return max(0, len(thatOf.FindAllString(s, -1))-1) }

// broken returns the first rule of words and the first of length that a sentence breaks, or nil.
func broken(sentence string) (words, length *rule) {
	for i := range rules {
		r := &rules[i]
		switch {
		case r.find(sentence) == 0:
		case r.isLength() && length == nil:
			length = r
		case !r.isLength() && words == nil:
			words = r
		}
	}
	return words, length
}

// isLength reports whether the rule is about length, not words.
func (r *rule) isLength() bool { return strings.HasPrefix(r.name, "more than") }
