// Package secret keeps passwords and signatures inside of the process: out of documents, rejects, rows, logs, errors
// and the graphs of pipelines.
//
// A URL of the web is handled under the name that [Hide] gives it, which has neither user nor query. [Reveal] gives the
// whole URL back, in the same process and nowhere else:
//
//	https://me:password@example.org/a.warc.gz?token=0123   the URL
//	https://example.org/a.warc.gz#q=5d3c1f2ab07e9964       its name
//
// Signatures that stores put into queries (Amazon, Google, Azure, CloudFront) and passwords do not change the name, so
// that a URL that is signed again every day is the same input. What else is in the query, and the user, does: its hash
// tells two such URLs apart. A URL that has nothing to hide is its own name.
//
// A [Text] is a password passed on as a ticket. [Redact] removes what was not caught before from a text: known secrets,
// in the forms in which programs write them, and users in URLs.
//
// The table of secrets is the process's own, and so a variable of this package: workers within the process get what
// they do as JSON, in which no pointer to a table has room.
package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"
)

// kept are the secrets of the process.
var kept = struct {
	sync.RWMutex
	urls  map[string]string // by their names
	texts map[string]Text   // by their tickets
	known known
}{urls: map[string]string{}, texts: map[string]Text{}}

// Text is a secret. In JSON it is a ticket, which only the process that wrote it can change back: elsewhere it comes
// out empty.
type Text string

// String never tells the secret.
func (Text) String() string { return mark }

// MarshalJSON writes a ticket, or an empty text for an empty one.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte(`""`), nil
	}
	ticket := "ticket " + hashOf(salt, string(t))
	kept.Lock()
	kept.texts[ticket] = t
	kept.Unlock()
	return json.Marshal(ticket)
}

// UnmarshalJSON changes a ticket back.
func (t *Text) UnmarshalJSON(b []byte) error {
	var ticket string
	if err := json.Unmarshal(b, &ticket); err != nil {
		return err
	}
	kept.RLock()
	defer kept.RUnlock()
	*t = kept.texts[ticket]
	return nil
}

// hashOf is a short name for what the parts are together: of 64 bits, since a list may name 100,000 URLs.
func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:8])
}
