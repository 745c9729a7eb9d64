package enrich

import (
	"strings"
	"testing"
)

// TestEnrich_plainTexts checks that texts have their text, whatever their name and their first words.
func TestEnrich_plainTexts(t *testing.T) {
	const prose = "The council has decided that the old bridge will be closed until the end of the year."
	const mailbox = "From ada at example.org  Mon May  3 10:00:00 2004\nFrom: ada at example.org (Ada)\n" +
		"Date: Mon, 3 May 2004 10:00:00 +0000\nSubject: Bridge\n\n"
	for _, tt := range []struct{ url, declared, begin, source string }{
		{"http://e.org/a.txt", "text/plain", "From 9:00 to 17:00 we are open.\n", "plain"},
		{"http://e.org/a.txt", "text/plain", "X-Men: first\nX-Ray: second\nX-Factor: third\n", "plain"},
		{"http://e.org/a.txt", "text/plain", "MZ is a mark. ", "plain"},
		{"http://e.org/2004-May.txt", "text/plain", mailbox, "mbox"},
		{"http://e.org/cgi/show.pl?x=1", "text/plain", "", "plain"},
		{"http://e.org/show.py", "text/html", "", "html"},
		{"http://e.org/show.py", "text/plain", "", "plain"},
		{"http://e.org/x.log", "text/plain", "", "plain"},
		{"http://e.org/x.log", "text/x-log", "", "plain"},
		{"http://e.org/LICENSE.c", "text/plain", "", "plain"},
		{"http://e.org/list.do", "text/plain", "", "plain"},
		{"http://e.org/a.R", "text/x-rsrc", "", "plain"},
		{"http://e.org/refs.bib", "text/plain", "", "plain"},
		{"http://e.org/whois", "text/plain", "@article{knuth,\n", "plain"},
		{"http://e.org/refs.ris", "text/plain", "TY  - JOUR\n", "plain"},
		{"http://e.org/whois/example.ma", "text/plain", "", "plain"},
		{"http://e.org/game.pgn", "", "", "plain"},
		{"http://e.org/a.texi", "text/plain", "\\input texinfo\n", "plain"},
		{"http://e.org/query.xq", "text/plain", "", "plain"},
		{"http://e.org/printer.ppd", "text/plain", "", "plain"},
		{"http://e.org/a.url", "", "", "plain"},
		{"http://e.org/a.isatab", "application/x-isatab", "", "plain"},
		{"http://e.org/a.nt", "application/n-triples", "", ""},
		{"http://e.org/a.ldif", "text/plain", "", ""},
		{"http://e.org/a.pac", "application/x-ns-proxy-autoconfig", "", ""},
		{"http://e.org/a.obj", "model/obj", "", ""},
		{"http://e.org/a.css", "text/css", "", ""},
		{"http://e.org/a.js", "text/javascript", "", ""},
		{"dns:e.org", "text/dns", "", ""},
	} {
		c := capture(tt.begin+prose, tt.declared)
		c.URL = tt.url
		d := mustNew(t, Options{}).Enrich(c, Extra{}).Document
		if d.TextSource != tt.source || strings.Contains(d.Text, prose) != (tt.source != "") || len(d.Errors) > 0 {
			t.Errorf("%s, %q: type %s, source %q, text %q, errors %v", tt.url, tt.begin, d.MIMEDetected, d.TextSource, d.Text,
				d.Errors)
		}
	}
}
