package dump

import (
	"encoding/json"
	"testing"
	"time"
)

// The unit of a number is that of the format only if no other makes a year of the web of it.
func TestMoment(t *testing.T) {
	const want = "2015-04-16T07:03:50Z"
	for text, want := range map[string]string{
		`1429167830`: want, `1429167830000`: want, `1429167830000000`: want, `1429167830000000000`: want,
		`1429167830.0`: want, `1.42916783e12`: want, `"1429167830"`: want, `"1429167830000"`: want, `[1429167830000]`: want,
		`1429167830.257`: "2015-04-16T07:03:50.257Z", `1429167830257`: "2015-04-16T07:03:50.257Z",
		`1429167830257.5`:              "2015-04-16T07:03:50.2575Z",
		`"2015-04-16T07:03:50Z"`:       want,
		`"2015-04-16 07:03:50"`:        want,
		`"2015-04-16 09:03:50+02:00"`:  want,
		`"2015-04-16 07:03:50 UTC"`:    want,
		`"2015-04-16T07:03:50.000000"`: want,
		`"2015-04-16T07:03:50+0000"`:   want,
		`"20150416070350"`:             want,
		`20150416070350`:               want,
		`1`:                            "1970-01-01T00:00:00.001Z",
		`253402300799999`:              "9999-12-31T23:59:59.999Z",
		`0`:                            "", `-5`: "", `null`: "", `true`: "", `{"a":1}`: "", `[]`: "", `""`: "", `"NaN"`: "",
		`"inf"`: "", `1e300`: "", `"yesterday"`: "", `253402300800000`: "",
	} {
		var m Moment
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		got := ""
		if !m.IsZero() {
			got = m.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	if got := Time("100", time.Second).Unix(); got != 100 {
		t.Errorf("100 seconds are %d", got)
	}
}
