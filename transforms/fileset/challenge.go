package fileset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// walls are services in front of sites that let a browser through only after a challenge, with strings that only their
// pages contain. Services that watch visitors without stopping them, like Cloudflare's jsd, do not match.
var walls = []struct {
	name  string
	marks []string
}{
	{"Cloudflare", []string{"_cf_chl_opt", "cf-challenge-running", "/cdn-cgi/challenge-platform/h/", "cf-error-details"}},
	{"AWS WAF", []string{"awsWafCookieDomainList", "gokuProps", ".awswaf.com/"}},
	{"Anubis", []string{"anubis_challenge", "/.within.website/x/cmd/anubis/"}},
	{"Imperva", []string{"_Incapsula_Resource", "Incapsula incident ID"}},
	{"DataDome", []string{"captcha-delivery.com"}},
	{"Akamai", []string{"errors.edgesuite.net", "sec-if-cpt-container", "bm-verify="}},
	{"HUMAN", []string{"px-captcha", "_pxAppId"}},
	{"DDoS-Guard", []string{"/.well-known/ddos-guard/", "ddos-guard.net"}},
	{"Sucuri", []string{"sucuri_cloudproxy_js", "Sucuri WebSite Firewall"}},
}

// maxChallenge is the most bytes of a response that are searched, and the longest page that may be a challenge.
const maxChallenge = 64 << 10

// wallOf names the wall of a page, or "".
func wallOf(page []byte) string {
	if len(page) > maxChallenge {
		return ""
	}
	for _, w := range walls {
		for _, mark := range w.marks {
			if bytes.Contains(page, []byte(mark)) {
				return w.name
			}
		}
	}
	return ""
}

// statusAccepted is 202; a normal page has 200. AWS WAF responds so, with a challenge or nothing.
const statusAccepted = 202

// refused handles a response without the page. It returns a Page without HTML for a challenge, or an error.
func (r *run) refused(answer *Resource) (*Page, error) {
	in, err := decoded(answer)
	if err != nil {
		return nil, err
	}
	// If it cannot be read to its end, judge the part that came.
	body, err := io.ReadAll(io.LimitReader(in, maxChallenge+1))
	if err != nil && r.ctx.Err() != nil {
		return nil, r.ctx.Err()
	}
	wall := wallOf(body)
	if wall == "" && answer.Status == statusAccepted {
		wall = "a wall that is not known"
	}
	if wall == "" {
		return nil, &StatusError{
			Status: StatusTerminal, Message: fmt.Sprintf("%s: HTTP status %d", answer.URL, answer.Status),
		}
	}
	r.challenged(answer, wall)
	return &Page{Request: &r.out.Result.Request, URL: answer.URL, DT: answer.DT, Links: answer.Links}, nil
}

func (r *run) challenged(answer *Resource, wall string) {
	r.challenge = fmt.Sprintf("%s: a challenge by %s, with HTTP status %d, in place of the page", answer.URL, wall,
		answer.Status)
}

// toldOfChallenge adds to the end of a request, err, that the landing page was a challenge.
func (r *run) toldOfChallenge(err error) error {
	ended := (*StatusError)(nil)
	if r.challenge == "" || err != nil && !errors.As(err, &ended) {
		return err
	}
	switch {
	case ended == nil:
		r.out.Result.Error = shorten(r.challenge+". The platform's API was asked all the same", maxError)
		return nil
	case ended.Status == StatusNoPlatform:
		return &StatusError{Status: StatusChallenge, Message: r.challenge, Missing: ended.Missing}
	}
	message := ended.Message
	if message != "" {
		message += "; "
	}
	return &StatusError{Status: ended.Status, Message: message + r.challenge, Missing: ended.Missing}
}
