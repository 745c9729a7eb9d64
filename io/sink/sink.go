package sink

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/schemas"
)

// Config selects the server of a sink and the content of its messages. It is plain data that travels to workers as
// JSON. Secrets in it have types that travel as tickets (see package secret), so that a job does not show them.
type Config interface {
	// Settings returns the sink's settings: flags, and keys of the file of --sink. They fill fields of the Config, and
	// their names begin with the sink's.
	Settings() []setting.Setting
	// Wanted reports whether the sink is requested.
	Wanted() bool
	// Complete fills in values that follow from other settings or the environment, and checks the settings. It sends no
	// requests. It is called first, on the user's machine, also if the sink is not wanted.
	Complete() error
	// Lasting returns the settings that change the content or place of the sink's data: with others, units are
	// repeated. The output contains them, so they hold no secret.
	Lasting() map[string]any
	// Versions returns the versions of everything that makes messages: with another one, units are repeated.
	Versions() map[string]string
	// Elsewhere returns an error if processes on other machines could not do the work, because only this process knows
	// what they need.
	Elsewhere() error
	// Open makes the sink, in each process that processes units.
	Open(ctx context.Context) (Sink, error)
}

// Methods that only some Configs have.
type (
	// Asker asks the server before a run begins, and stores in the Config the parts of the answer that workers need.
	Asker interface {
		Ask(ctx context.Context) error
	}
	// Finisher is called when all units are done. Its error is a warning, because nothing is lost.
	Finisher interface {
		Finish(ctx context.Context) error
	}
	// ContentUser may need Page.Content, which is only made in that case.
	ContentUser interface {
		WantsContent() bool
	}
)

// Sink is a server that gets documents. Its methods are safe for concurrent use.
type Sink interface {
	// Encode makes the message of a page. Messages with the same ID are one. It is called once a page, and returns nil
	// for no message. A page that the sink cannot hold gives a *Refusal; any other error fails the unit.
	Encode(p *Page) (*Message, error)
	// Begin begins a unit. The Writer's methods, and no other goroutine, call refuse with the refused documents. An
	// error of refuse fails the unit. ctx belongs to the unit: when it ends, all of the Writer's methods return.
	Begin(ctx context.Context, refuse func(schemas.Reject) error) (Writer, error)
	// Close closes the connections. It is called once, after all Writers have ended.
	Close() error
}

// Writer sends the messages of one unit. It is for one goroutine, and holds a limited part of the unit in memory.
//
// A unit may be begun again at any time, by this process or another, even while an abandoned attempt is still running.
// Afterwards the server must have the unit as if it had been written once. Sinks that only add are an exception: their
// messages with the same Message.ID are the same. So a sink itself repeats requests that may succeed later (closed
// connections, busy servers), with pauses, until its time is over.
type Writer interface {
	// Write takes a message, in the order of the archive. An error may concern an earlier one, and is final.
	Write(m *Message) error
	// Commit waits until all messages are written or refused. After an error the state is unknown, and the unit has to
	// be repeated.
	Commit() error
	// Abort drops the unit, and takes back as much as possible. After Commit it does nothing, so that it can be
	// deferred.
	Abort()
}

// Page is a capture with its results. Receivers must not change it, nor keep the Capture's body.
type Page struct {
	Capture   *schemas.Capture
	Document  *schemas.Document
	Content   *datastreamer.Content // Datastreamer's record; nil unless a ContentUser wants it
	Withheld  bool                  // the record names a page that was taken down, and may not be sent
	TakenDown bool                  // the requested URL was taken down, and no message may be known by it
	HTML      func() []byte         // the page as UTF-8, nil if it is not HTML

	json []byte
}

// JSON returns the document as a JSON object on one line, which is made once for all sinks.
func (p *Page) JSON() ([]byte, error) {
	if p.json != nil {
		return p.json, nil
	}
	var err error
	if p.json, err = json.Marshal(p.Document); err != nil {
		return nil, fmt.Errorf("sink: %w", err)
	}
	return p.json, nil
}

// ID returns the name of the capture: its archive and position.
func (p *Page) ID() string {
	d := p.Document
	return ShortID(d.Filename + "#" + strconv.FormatInt(d.Offset, 10) + "." + strconv.Itoa(d.Sequence))
}

// maxID is the longest id in bytes that Elasticsearch accepts.
const maxID = 512

// ShortID returns id, or its hash if id has more than 512 bytes.
func ShortID(id string) string {
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Message is a sink's message for a page.
type Message struct {
	ID     string         // its key in the sink; a later message replaces one with its ID
	Key    []byte         // for sinks with keys
	Value  []byte         // shared with others, and not to be changed
	Reject schemas.Reject // used when it is refused; Kind and Message are filled in then
}

// Refusal is the error for a page that the sink cannot hold.
type Refusal struct {
	Kind schemas.Kind // refused or limit
	Err  error
}

func (r *Refusal) Error() string { return r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }
