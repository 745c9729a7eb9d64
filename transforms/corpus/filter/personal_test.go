package filter

import "testing"

// TestHide_addresses: an address is found with what texts write around it, and what only looks like one stays.
func TestHide_addresses(t *testing.T) {
	for text, want := range map[string]string{
		"Peer 93.184.216.34:443 connected":      "Peer <ip>:443 connected",
		"IP:8.8.8.8":                            "IP:<ip>",
		"from:1.1.1.1.":                         "from:<ip>.",
		"face:1.2.3.4:80,":                      "face:<ip>:80,",
		"(2606:2800:220:1::1946)":               "(<ip>)",
		"::8.8.4.4":                             "::<ip>",
		"at 2600::1: no route":                  "at <ip>: no route",
		"[2606:4700::1111]:443":                 "[<ip>]:443",
		"host 192.168.0.1:8080":                 "host 192.168.0.1:8080",
		"v1.2.3.4:80":                           "v1.2.3.4:80",
		"at 12:30:45":                           "at 12:30:45",
		"add::bad and dead::beef and fe80::1:2": "add::bad and dead::beef and fe80::1:2",
		"1.2.3.4.5:6":                           "1.2.3.4.5:6",
	} {
		if got := hide(text, "en", "", map[string]float64{"ip": 1}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
