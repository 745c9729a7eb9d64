package takedown

import "testing"

// TestTakedowns_Has: what crawlers note about a host or a page under URLs of their own goes with these, and nothing
// else does.
func TestTakedowns_Has(t *testing.T) {
	var list List
	for _, what := range []string{"gone.example", "bücher.example", "http://page.example/a", "dns:asked.example"} {
		e, err := Parse(what)
		if err != nil {
			t.Fatal(err)
		}
		list.Add([]Entry{e})
	}
	for url, want := range map[string]bool{
		"http://gone.example/x": true, "https://www.gone.example:8443/": true, "ftp://files.gone.example/x": true,
		"dns:gone.example": true, "dns:www.Gone.Example.": true, "DNS:mail.gone.example?type=MX": true,
		"dns://192.0.2.1/gone.example?type=A": true, "dns:xn--bcher-kva.example": true, "dns:Bücher.example": true,
		"whois:gone.example": true, "whois://whois.iana.org/gone.example": true, "metadata://gone.example/x": true,
		"urn:pageinfo:https://gone.example/": true, "screenshot:http://gone.example/a": true,
		"urn:text:http://page.example/a": true, "urn:view:https://www.page.example/a": true,
		"youtube-dl:http://page.example/a": true, "view-source:http://page.example/a": true,
		"dns:asked.example": true,

		"http://stays.example/?u=http://gone.example/": false, "dns:notgone.example": false, "dns:example": false,
		"dns://gone.example/stays.example": false, "dns:": false, "dns://": false, "dns:page.example": false,
		"urn:pageinfo:https://page.example/b": false, "urn:uuid:6e1c": false, "http://asked.example/": false,
		"urn:pageinfo:": false, "javascript:open('http://gone.example/')": false, "": false, ":": false,
	} {
		if got := list.Has(url); got != want {
			t.Errorf("Has(%q) = %v, want %v", url, got, want)
		}
	}
	for _, bad := range []string{"urn:uuid:6e1c", "dns:", "nohost", "about:blank"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("ParseTakedown(%q) is no error", bad)
		}
	}
}
