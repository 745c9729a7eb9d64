package sitetest

import (
	"fmt"
	"strings"
	"time"
)

// robotsAge is how long a robots.txt is valid (RFC 9309, section 2.4).
const robotsAge = 24 * time.Hour

// known is what a crawler knows about a host from its answers.
type known struct {
	last   time.Time // of the last request
	path   string    // as above
	agent  string    // as above
	delay  time.Duration
	robots time.Time // time of the robots.txt request, or zero
	retry  time.Time
	fresh  map[string]time.Time // by path
	tag    map[string]string
	over   map[string]string    // paths that are gone or have moved permanently, and why
	done   map[string]time.Time // pages answered with 200

	unlearn func() // forgets the last answer
}

// Broken returns the broken rules by the log, with time and URL. Two requests to a host must be at least delay apart.
// lost is how many requests may be repeated because their crawler was killed. Crawlers need different user agents.
func (w *Web) Broken(delay time.Duration, lost int) (list []string) {
	hosts := map[string]*known{}
	// All crawlers' requests are in one order: a rule that the first kept must be kept by the second.
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
		// A request that was under way at a kill may be repeated once. That is at the same time of a stopped clock,
		// or as soon as the host may be asked again. The next crawler may be killed too while it waits. Only the same
		// path counts, at once or as a new crawler's first request, and only as often as crawlers were killed.
		again := e.Path == k.path && (e.Time.Sub(k.last) <= k.delay || e.Agent != k.agent)
		if len(rules) > 0 && again && lost > 0 {
			lost--
			rules = nil
			k.unlearn() // the answer was lost
		}
		for _, rule := range rules {
			list = append(list, fmt.Sprintf("%s http://%s%s: %s", e.Time.Format(time.DateTime), e.Host, e.Path, rule))
		}
		// Learning even from these reports each broken rule once, without what follows from it.
		k.learn(e)
	}
	return list
}

// broken returns the rules that a request breaks.
func (k *known) broken(e Request) (rules []string) {
	add := func(is bool, rule string) {
		if is {
			rules = append(rules, rule)
		}
	}
	// All rules are checked, so that each broken one is reported.
	robots := e.Path == "/robots.txt"
	add(e.Overlap, "another request of the host was under way")
	add(!k.last.IsZero() && e.Time.Sub(k.last) < k.delay, "too soon after the one before: "+e.Time.Sub(k.last).String())
	add(e.Denied, "robots.txt forbids it")
	add(!robots && (k.robots.IsZero() || e.Time.Sub(k.robots) > robotsAge), "robots.txt was not asked for within a day")
	// The crawler leaves an origin alone for an hour if its robots.txt is unavailable.
	add(robots && !k.robots.IsZero() && e.Time.Sub(k.robots) < time.Hour, "robots.txt was asked for an hour ago")
	add(e.Time.Before(k.retry), "the host asked for rest until "+k.retry.Format(time.DateTime))
	add(e.Time.Before(k.fresh[e.Path]), "the answer before is good until "+k.fresh[e.Path].Format(time.DateTime))
	add(k.tag[e.Path] != "" && e.Match != k.tag[e.Path], "without the validator of the answer before")
	add(k.over[e.Path] != "", k.over[e.Path])
	add(!k.done[e.Path].IsZero(), "the page was answered already")
	add(!strings.Contains(e.Agent, "+http"), "the user agent says nobody to write to: "+e.Agent)
	return rules
}

// learn notes an answer.
func (k *known) learn(e Request) {
	// learn changes the maps only for this path.
	retry, fresh, tag, over, done := k.retry, k.fresh[e.Path], k.tag[e.Path], k.over[e.Path], k.done[e.Path]
	k.unlearn = func() {
		k.retry, k.fresh[e.Path], k.tag[e.Path], k.over[e.Path], k.done[e.Path] = retry, fresh, tag, over, done
	}
	k.last, k.path, k.agent = e.Time, e.Path, e.Agent
	// The log has the delay of a Fenced site with each answer; the first is that of robots.txt.
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
	// Pages are requested only once.
	case e.Status == 301 && feed:
		k.over[e.Path] = "it has moved for good, to " + e.To
	case e.Status == 200 && !feed && e.Path != "/robots.txt":
		k.done[e.Path] = e.Time
	}
}
