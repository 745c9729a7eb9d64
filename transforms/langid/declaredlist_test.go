package langid

import (
	"strings"
	"testing"
)

// TestDetect_declaredLists: a list of names is in the language that its page declares, if no other is likelier.
func TestDetect_declaredLists(t *testing.T) {
	for _, tt := range []struct{ declared, want, text string }{
		{"en", "en", "Compare Top Ranked Software\n1.\nAutomation Anywhere\n9.1\n2.\nSeamless Ventures\n8.8\n3.\nNeural " +
			"Designer\n7.9\n4.\nCode Convert\n7.3\n5.\nPathfinder Analytics\n7.1\n6.\nQuantum Sensei\n6.9\n7.\nFireworks " +
			"Kudzu\n6.2\n8.\nBento Cloud Workik\n6.1\n"},
		{"en-US", "en", "KR800\nQuiet. Autonomous. Crew-ready.\nUp to 7 acre per charge.\nKress RTKn robotic lawn mower\n" +
			"KR172\nKress RTKn acre robotic lawn mower\nKR173\nVorghul Xantrippe mower deck\nKyrvhast blade kit\n" +
			"Ulvghar blade kit\n"},
		{"de-DE", "de", "Ergebnisse: Schülerinnen, Unterkochen\n1. DJK Ellwangen Virngrund\n2. LG Rems Welland\n3. " +
			"LAC Essingen\n4. TSG Hofherrnweiler\n5. LSG Aalen Wißgoldingen\n6. TV Bopfingen Xhvrtz\n" +
			"7. SC Vfkrm Pfkxz\n8. TV Qwrk Schtz\n"},
		// A page that declares another language, as many do by default.
		{"en", Unknown, "aaj subah bahut tez barish ho rahi thi isliye main daftar der se pahuncha aur sab log mera " +
			"intezaar kar rahe the"},
		{"en", NoLanguage, strings.Repeat("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n", 3)},
	} {
		if got := New(Options{}).Detect(tt.text, tt.declared); len(got) == 0 || got[0].Code != tt.want {
			t.Errorf("Detect(%.40q…, %s) = %v, want %s", tt.text, tt.declared, got, tt.want)
		}
	}
}
