package playback

import (
	"net/http"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/transforms/replay"
)

// passivePolicy is the policy of images, fonts, sounds and films: alone in a window they load nothing and run nothing.
const passivePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'"

// Policy returns the policy of a replayed page. Its origin is opaque. Nothing runs. Parts come only from the replay's
// origin with this user's ticket, or from the page itself. No form is sent.
func Policy(origin, ticket string) string {
	parts := origin + Prefix + ticket + "/"
	return strings.NewReplacer("SANDBOX", replay.Sandbox, "PARTS", parts).Replace(
		"sandbox SANDBOX; default-src 'none'; script-src 'none'; object-src 'none'; connect-src 'none'; " +
			"img-src PARTS data:; style-src PARTS 'unsafe-inline'; font-src PARTS data:; media-src PARTS; frame-src PARTS; " +
			"base-uri 'none'; form-action 'none'")
}

// forbidCaches marks an answer that may lack a nearer capture.
func forbidCaches(w http.ResponseWriter, c *memento.Reading) {
	if c.Lacking {
		w.Header().Set("Cache-Control", "no-store")
	}
}

// secure sets the headers of all answers of the replay's origin.
func secure(h http.Header, q *part) {
	h.Set("Content-Security-Policy", Policy(q.origin, q.ticket.Name))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=(), fullscreen=(), autoplay=()")
	// An opaque origin is another one than ours, also for the parts of its own page.
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	// Fonts and masks are requested like the data of scripts. The ticket keeps others out.
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "private, max-age=3600")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}
