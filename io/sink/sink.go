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

// Config says which server it is, and what it gets of a page. It is plain data that travels to workers as JSON; secrets
// in it are of types that travel as tickets (see package secret), so that nobody who sees a job sees them.
type Config interface {
	// Settings are what users say of the sink: flags, and keys of the file of --sink. They fill fields of the Config, and
	// their names begin with the sink's.
	Settings() []setting.Setting
	// Wanted reports whether the sink is asked for.
	Wanted() bool
	// Complete fills in what follows from other settings or is in the environment, and says what is wrong. It asks
	// no server, and is called first, on the machine of the user; also when the sink is not wanted.
	Complete() error
	// Lasting are the settings that change what is there, and where: with others, units are done again. They are written
	// to the output, so they hold no secret.
	Lasting() map[string]any
	// Versions are those of all that messages are made by: with another one, units are done again.
	Versions() map[string]string
	// Elsewhere says why processes on other machines could not do the work: what they would need is known here alone.
	Elsewhere() error
	// Open makes the sink, in each process that does units.
	Open(ctx context.Context) (Sink, error)
}

// What only some Configs have.
type (
	// Asker asks the server before anything is begun, and keeps in the Config what workers are to know of the answer.
	Asker interface {
		Ask(ctx context.Context) error
	}
	// Finisher is told when all units are there. Its error is a warning: nothing is lost.
	Finisher interface {
		Finish(ctx context.Context) error
	}
	// ContentUser may want Page.Content, which is made only then.
	ContentUser interface {
		WantsContent() bool
	}
)

// Sink is a server that gets documents. Its methods may be called by several goroutines at the same time.
type Sink interface {
	// Encode makes the message of a page; its ID alone makes two of them one. It is called once a page, and nil is not a
	// message. A page that the sink cannot hold is a *Refusal; another error fails the unit.
	Encode(p *Page) (*Message, error)
	// Begin begins a unit. What the server does not take of it is given to refuse, by methods of the Writer and no other
	// goroutine; with an error of refuse the unit fails. ctx is the unit's: when it ends, all of the Writer's methods
	// return.
	Begin(ctx context.Context, refuse func(schemas.Reject) error) (Writer, error)
	// Close ends the connections. It is called once, after all Writers have ended.
	Close() error
}

// Writer sends the messages of one unit. It is for one goroutine, and holds a bounded part of the unit in memory.
//
// A unit may be begun again at any time, by another connection of this process or another, and also beside an attempt
// that was given up or killed: then what is there of it afterwards is as if it had been written once, except for sinks
// that only add; these say by Message.ID what is the same. So a sink repeats by itself what may go right a second
// time (connections that end, servers that are busy), with pauses, until its time is over.
type Writer interface {
	// Write takes a message, in the order of the archive. An error may be about an earlier one, and is final.
	Write(m *Message) error
	// Commit returns when all that was written is there or was refused. After an error, nobody knows what is there:
	// the unit is to be done again.
	Commit() error
	// Abort gives up the unit, and takes back what it can. After Commit it does nothing, so that it can be deferred.
	Abort()
}

// Page is a capture and what was made of it. Whoever gets it must not change it, nor keep the Capture's body.
type Page struct {
	Capture  *schemas.Capture
	Document *schemas.Document
	Content  *datastreamer.Content // Datastreamer's record; nil where no ContentUser wants it
	HTML     func() []byte         // the page as UTF-8, nil when it is not HTML

	json []byte
}

// JSON is the document as a JSON object on one line, which is made once for all sinks.
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

// ID names the capture: where it is in which archive.
func (p *Page) ID() string {
	d := p.Document
	return ShortID(d.Filename + "#" + strconv.FormatInt(d.Offset, 10) + "." + strconv.Itoa(d.Sequence))
}

// maxID is how many bytes an id may have: Elasticsearch takes no longer ones.
const maxID = 512

// ShortID is id, or in place of one of more than 512 bytes its hash.
func ShortID(id string) string {
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Message is what a sink gets of a page.
type Message struct {
	ID     string         // what it is known by there; a later message takes the place of one with its ID
	Key    []byte         // of sinks that have keys
	Value  []byte         // shared with others, and not to be changed
	Reject schemas.Reject // what is said when it is refused; Kind and Message are filled in then
}

// Refusal is a page that the sink cannot hold.
type Refusal struct {
	Kind schemas.Kind // refused or limit
	Err  error
}

func (r *Refusal) Error() string { return r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }
