// Package secret keeps passwords and signatures inside the process: out of documents, rejects, rows, logs, errors and
// the graphs of pipelines.
//
// The program handles a URL of the web under the name that [Hide] gives it, without user and query. [Reveal] returns
// the whole URL, in the same process only:
//
//	https://me:password@example.org/a.warc.gz?token=0123   the URL
//	https://example.org/a.warc.gz#q=5d3c1f2ab07e9964       its name
//
// Passwords and the signatures that stores put into queries (Amazon, Google, Azure, CloudFront) do not change the name.
// So a URL that is signed again every day is the same input. The user and other parts of the query do: their hash
// distinguishes two such URLs. A URL without hidden parts is its own name.
//
// A [Text] is a password that travels as a ticket. [Redact] removes remaining secrets from a text: known secrets, in
// the forms in which programs write them, and users in URLs.
//
// The table of secrets belongs to the process, so it is a variable of this package. Workers within the process get
// their tasks as JSON, which cannot hold a pointer to a table.
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
	urls  map[string]string // by name
	texts map[string]Text   // by ticket
	known known
}{urls: map[string]string{}, texts: map[string]Text{}}

// Text is a secret. In JSON it is a ticket, which only the process that wrote it can decode; elsewhere it decodes as
// empty.
type Text string

// String never returns the secret.
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

// UnmarshalJSON decodes a ticket.
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

// hashOf returns a short name for all parts together. It has 64 bits, since a list may name 100,000 URLs.
func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:8])
}
