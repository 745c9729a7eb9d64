package cldr

import (
	"testing"
	"time"
)

func TestZone(t *testing.T) {
	tests := []struct {
		name string
		want time.Duration
		ok   bool
	}{
		{"EST", -5 * time.Hour, true},
		{"cest", 2 * time.Hour, true},
		{"NPT", 5*time.Hour + 45*time.Minute, true},
		{"ACST", 9*time.Hour + 30*time.Minute, true},
		{"Z", 0, true},
		{"IST", 0, false},
		{"", 0, false},
	}
	for _, tt := range tests {
		if got, ok := Zone(tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("Zone(%q) = %v, %v, want %v, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestLikeZone(t *testing.T) {
	for word, want := range map[string]bool{
		"IST": true, "CHADT": true, "ET": true, "MON": false, "AT": false, "Ist": false, "HRS": false, "": false,
		"LONGER": false, "UUR": false, "HODIN": false,
	} {
		if got := LikeZone(word); got != want {
			t.Errorf("LikeZone(%q) = %v, want %v", word, got, want)
		}
	}
}

func TestIsHour(t *testing.T) {
	for word, want := range map[string]bool{
		"h": true, "H": true, "hrs.": true, "u": true, "Uhr": true, "ч.": true, "ЧАСОВ": true, "godzina.": true,
		"": false, "z": false, "am": false, "hh": false, "h..": false, "utc": false,
	} {
		if got := IsHour(word); got != want {
			t.Errorf("IsHour(%q) = %v, want %v", word, got, want)
		}
	}
}
