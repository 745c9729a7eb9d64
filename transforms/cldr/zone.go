package cldr

import (
	"strings"
	"time"
)

// zones are the names of section 5.1 of RFC 822, and other common names with one meaning. The names that North America
// shares with others (CST in China) are read as there. IST, GST and the like are missing: they mean several zones.
var zones = map[string]time.Duration{
	"z": 0, "ut": 0, "utc": 0, "gmt": 0, "etc/gmt": 0, "etc/utc": 0, "wet": 0,
	"ast": -4 * hour, "adt": -3 * hour, "est": -5 * hour, "edt": -4 * hour, "cst": -6 * hour, "cdt": -5 * hour,
	"mst": -7 * hour, "mdt": -6 * hour, "pst": -8 * hour, "pdt": -7 * hour, "pst8pdt": -8 * hour,
	"akst": -9 * hour, "akdt": -8 * hour, "hst": -10 * hour, "ndt": -2*hour - half,
	"brt": -3 * hour, "brst": -2 * hour, "art": -3 * hour, "clt": -4 * hour, "clst": -3 * hour, "uyt": -3 * hour,
	"bst": 1 * hour, "west": 1 * hour, "cet": 1 * hour, "met": 1 * hour, "cest": 2 * hour, "mest": 2 * hour,
	"eet": 2 * hour, "eest": 3 * hour, "trt": 3 * hour, "msk": 3 * hour, "msd": 4 * hour, "sast": 2 * hour,
	"irst": 3*hour + half, "pkt": 5 * hour, "uzt": 5 * hour, "npt": 5*hour + half + half/2, "ict": 7 * hour,
	"wib": 7 * hour, "wita": 8 * hour, "wit": 9 * hour, "sgt": 8 * hour, "hkt": 8 * hour, "pht": 8 * hour, "myt": 8 * hour,
	"jst": 9 * hour, "kst": 9 * hour, "awst": 8 * hour, "acst": 9*hour + half, "acdt": 10*hour + half,
	"aest": 10 * hour, "aedt": 11 * hour, "nzst": 12 * hour, "nzdt": 13 * hour,
}

const hour, half = time.Hour, 30 * time.Minute

// Zone returns the offset of a time zone from UTC, east being positive, by its abbreviation in any case.
func Zone(name string) (offset time.Duration, ok bool) {
	offset, ok = zones[strings.ToLower(name)]
	return offset, ok
}

// LikeZone reports whether a word after a time of day is probably the abbreviation of a zone. It has three to five
// capitals, or is one of North America's for the whole year.
func LikeZone(word string) bool {
	switch word {
	case "ET", "CT", "MT", "PT":
		return true
	}
	if IsHour(word) {
		return false
	}
	return len(word) >= 3 && len(word) <= 5 && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" &&
		!Weekday(strings.ToLower(word))
}

// hours are words for the hour in lower case, as written after times of day.
var hours = map[string]bool{
	"h": true, "hs": true, "hr": true, "hrs": true, "hour": true, "hours": true, "hora": true, "horas": true,
	"hores": true, "heure": true, "heures": true, "ora": true, "ore": true, "u": true, "uur": true, "uhr": true,
	"hod": true, "hodin": true, "godz": true, "godzina": true, "ura": true, "uri": true, "óra": true, "sat": true,
	"sati": true, "saat": true, "ч": true, "час": true, "часа": true, "часов": true, "год": true, "ώρα": true,
}

// IsHour reports whether a word after a time of day means the hour, in any case and maybe with a dot.
func IsHour(word string) bool {
	const longest = 12 // bytes, as in the Russian plural
	return len(word) <= longest && hours[strings.ToLower(strings.TrimSuffix(word, "."))]
}
