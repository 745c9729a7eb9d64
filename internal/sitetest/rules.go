package sitetest

import (
	"fmt"
	"strings"
	"time"
)

// robotsAge is how long a robots.txt may be relied on (RFC 9309, section 2.4).
const robotsAge = 24 * time.Hour

// known is what a crawler knows of a host by the answers so far.
type known struct {
	last   time.Time // of the last request
	path   string    // likewise
	agent  string    // likewise
	delay  time.Duration
	robots time.Time // when robots.txt was asked for; zero for never
	retry  time.Time
	fresh  map[string]time.Time // by path
	tag    map[string]string
	over   map[string]string    // paths that are gone or moved for good, and why
	done   map[string]time.Time // pages that were answered 200

	unlearn func() // forgets what the last answer said
}

// Broken tells from the log which rules were broken: each line says when and where. A host is given delay between two
// requests at least. lost is how many requests may have been under way when crawlers were killed, which they make
// again; crawlers that are killed soon after one another are told apart by their user agents.
func (w *Web) Broken(delay time.Duration, lost int) (list []string) {
	hosts := map[string]*known{}
	// The log has the requests of all crawlers that there were, in one order: a rule that the first kept
	// has to be kept by the second as well.
	for _, e := range w.Requests() {
		k := hosts[e.Host]
		if k == nil {
			k = &known{
				delay: delay, fresh: map[string]time.Time{}, tag: map[string]string{}, over: map[string]string{},
				done: map[string]time.Time{},
			}
			hosts[e.Host] = k
		}
		rules := k.broken(e)
		// Nobody knows of a request that was under way when its crawler was killed. It is made again once, at the same
		// moment by a clock that stands still meanwhile, or as soon as a host may be asked again.
		// A crawler that is killed while it waits for that leaves it to the next one, which waits again.
		// Only the same path again, at once or first of what a crawler asks for, and only as often as one was killed:
		// anything else is a rule that was broken.
		again := e.Path == k.path && (e.Time.Sub(k.last) <= k.delay || e.Agent != k.agent)
		if len(rules) > 0 && again && lost > 0 {
			lost--
			rules = nil
			k.unlearn() // nobody has seen the answer
		}
		for _, rule := range rules {
			list = append(list, fmt.Sprintf("%s http://%s%s: %s", e.Time.Format(time.DateTime), e.Host, e.Path, rule))
		}
		// Also for a request that broke rules, so that each is reported once, without all that follow.
		k.learn(e)
	}
	return list
}

// broken are the rules that a request breaks.
func (k *known) broken(e Request) (rules []string) {
	add := func(is bool, rule string) {
		if is {
			rules = append(rules, rule)
		}
	}
	// All rules are checked, so that a request that breaks several is reported with each of them.
	robots := e.Path == "/robots.txt"
	add(e.Overlap, "another request of the host was under way")
	add(!k.last.IsZero() && e.Time.Sub(k.last) < k.delay, "too soon after the one before: "+e.Time.Sub(k.last).String())
	add(e.Denied, "robots.txt forbids it")
	add(!robots && (k.robots.IsZero() || e.Time.Sub(k.robots) > robotsAge), "robots.txt was not asked for within a day")
	// An hour is how long the crawler leaves an origin alone whose robots.txt could not be had.
	add(robots && !k.robots.IsZero() && e.Time.Sub(k.robots) < time.Hour, "robots.txt was asked for an hour ago")
	add(e.Time.Before(k.retry), "the host asked for rest until "+k.retry.Format(time.DateTime))
	add(e.Time.Before(k.fresh[e.Path]), "the answer before is good until "+k.fresh[e.Path].Format(time.DateTime))
	add(k.tag[e.Path] != "" && e.Match != k.tag[e.Path], "without the validator of the answer before")
	add(k.over[e.Path] != "", k.over[e.Path])
	add(!k.done[e.Path].IsZero(), "the page was answered already")
	add(!strings.Contains(e.Agent, "+http"), "the user agent says nobody to write to: "+e.Agent)
	return rules
}

// learn notes what the answer said.
func (k *known) learn(e Request) {
	// What the maps have under this path is enough: learn changes nothing else of them.
	retry, fresh, tag, over, done := k.retry, k.fresh[e.Path], k.tag[e.Path], k.over[e.Path], k.done[e.Path]
	k.unlearn = func() {
		k.retry, k.fresh[e.Path], k.tag[e.Path], k.over[e.Path], k.done[e.Path] = retry, fresh, tag, over, done
	}
	k.last, k.path, k.agent = e.Time, e.Path, e.Agent
	// Each answer of a Fenced site notes it in the log; the first of them is that of its robots.txt.
	k.delay = max(k.delay, e.Delay)
	if e.Path == "/robots.txt" {
		k.robots = e.Time
	}
	if e.Retry.After(k.retry) {
		k.retry = e.Retry
	}
	if !e.Fresh.IsZero() {
		k.fresh[e.Path] = e.Fresh
	}
	if e.Tag != "" {
		k.tag[e.Path] = e.Tag
	}
	switch feed := strings.HasSuffix(e.Path, "/feed.xml"); {
	case e.Status == 410:
		k.over[e.Path] = "it is gone for good"
	// Of a page it means nothing here: pages are asked for once.
	case e.Status == 301 && feed:
		k.over[e.Path] = "it has moved for good, to " + e.To
	case e.Status == 200 && !feed && e.Path != "/robots.txt":
		k.done[e.Path] = e.Time
	}
}
