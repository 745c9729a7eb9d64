package feed

import (
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Fresh is how long a response may be cached by its own header: max-age of Cache-Control, else Expires (section 4.2.1
// of RFC 9111). It is 0 if missing or forbidden, and not bounded.
func Fresh(c *schemas.Capture) time.Duration {
	control := strings.ToLower(c.Get("Cache-Control"))
	if strings.Contains(control, "no-cache") || strings.Contains(control, "no-store") {
		return 0
	}
	if age := maxAge(control); age != nil {
		const most = int64(1<<63-1) / int64(time.Second)
		return time.Duration(min(*age, most)) * time.Second
	}
	expires, now := date(c.Get("Expires")), date(c.Get("Date"))
	if now.IsZero() {
		now = c.Timestamp
	}
	if expires.IsZero() {
		return 0
	}
	return max(0, expires.Sub(now))
}
