package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// entry is a document as it is in a batch: two lines.
type entry struct {
	id      string
	lines   []byte
	rejects []schemas.Reject // of it, and of those in whose place it stands
}

// bulkPath is where batches go. What answers need not say of documents that were written is left out.
// Types of documents went away with Elasticsearch 7; before, they are in the path.
func (c *Client) bulkPath() string {
	path := "/" + c.o.Index
	if c.version.Major < 7 {
		path += "/" + url.PathEscape(c.o.Type)
	}
	// A batch may hold thousands of documents, and what is left out is most of the answer.
	return path + "/_bulk?filter_path=errors,items.*.status,items.*.error"
}

// bulk writes entries until they are all in the index or refused, and returns the rejects of those that are.
func (c *Client) bulk(ctx context.Context, entries []*entry) (rejects []schemas.Reject, err error) {
	// The time counts for all attempts together: it ends even where each takes some documents and refuses others
	// for now.
	deadline := time.Now().Add(c.o.RetryTimeout)
	// Each turn has those entries only that were not taken in the turn before.
	for tries := 0; len(entries) > 0; tries++ {
		// Put together again, because some of them are done.
		body := make([]byte, 0, size(entries))
		for _, e := range entries {
			body = append(body, e.lines...)
		}
		a, err := c.ask(ctx, http.MethodPost, c.bulkPath(), body, time.Until(deadline))
		if err != nil {
			return rejects, err
		}
		// The bound is the server's own (http.max_content_length) or a proxy's, and is not known before.
		if a.status == http.StatusRequestEntityTooLarge {
			more, err := c.halve(ctx, entries)
			return append(rejects, more...), err
		}
		// A batch may succeed in part: each document has its own result.
		again, refused, reason, err := c.results(a, entries)
		rejects = append(rejects, refused...)
		if err != nil || len(again) == 0 {
			return rejects, err
		}
		// The reason is the last document's, as an example.
		if !time.Now().Before(deadline) {
			return rejects, fmt.Errorf("elastic: %d documents given up after %v: %s", len(again), c.o.RetryTimeout, reason)
		}
		if tries == saidTries {
			slog.Warn(fmt.Sprintf("elastic: %d documents were not taken yet: %s; trying again for up to %v",
				len(again), reason, time.Until(deadline).Round(time.Second)))
		}
		// The next attempt has what is left, after a pause that grows.
		if err := c.rest(ctx, tries); err != nil {
			return rejects, err
		}
		// In their old order, so that documents are written in it as far as can be.
		entries = again
	}
	return rejects, nil
}

// saidTries is after how many failures in a row the user is told that a server is busy: it happens to each now and
// then.
const saidTries = 4

// rest pauses before documents are written again that the server was too busy for.
func (c *Client) rest(ctx context.Context, tries int) error {
	// The source of random numbers is shared by all writers.
	c.mu.Lock()
	d := c.pause(tries)
	c.mu.Unlock()
	return sleep(ctx, d)
}

func size(entries []*entry) (n int) {
	for _, e := range entries {
		n += len(e.lines)
	}
	return n
}

// halve writes a batch that is too large for the server in two halves; a document that is too large alone is rejected.
// By halving again and again the largest batches that are taken are found without knowing the limit.
func (c *Client) halve(ctx context.Context, entries []*entry) ([]schemas.Reject, error) {
	if len(entries) == 1 {
		message := fmt.Sprintf("too large for the server: the document has %d bytes", len(entries[0].lines))
		return entries[0].rejected(schemas.KindLimit, message), nil
	}
	// One after the other, so that memory and load stay those of one batch.
	first, err := c.bulk(ctx, entries[:len(entries)/2])
	if err != nil {
		return first, err
	}
	second, err := c.bulk(ctx, entries[len(entries)/2:])
	return append(first, second...), err
}

// result is what a server says of one document.
type result struct {
	Status int
	Error  failure
}

// failure is an error of a server, "" for none.
type failure struct{ kind, reason string }

// UnmarshalJSON reads an object, or the text that Elasticsearch 1 has.
// Elasticsearch 1 has a text here, later versions an object.
func (f *failure) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &f.reason)
	}
	var o struct {
		Type, Reason string
		CausedBy     struct{ Type, Reason string } `json:"caused_by"`
	}
	err := json.Unmarshal(b, &o)
	f.kind, f.reason = o.Type, o.Reason
	// The cause says what the reason often does not, such as the value that could not be parsed.
	if o.CausedBy.Reason != "" {
		f.reason += ": " + o.CausedBy.Reason
	}
	return err
}

// It may repeat a part of the document or of the request, so secrets are taken out.
func (f failure) String() string {
	if f.kind == "" {
		return secret.Redact(f.reason)
	}
	return secret.Redact(f.kind + ": " + f.reason)
}

// results tells what became of entries: those to be written again, and why, and rejects.
func (c *Client) results(a answer,
	entries []*entry,
) (again []*entry, rejects []schemas.Reject, reason string, err error) {
	if err := c.allowed(a); err != nil {
		return nil, nil, "", err
	}
	// Neither busy nor forbidden, which ask and allowed have dealt with: the request itself is wrong.
	if a.status != http.StatusOK {
		return nil, nil, "", fmt.Errorf("elastic: _bulk: status %d: %s", a.status, excerpt(a.body))
	}
	var said struct {
		Errors bool
		Items  []map[string]result
	}
	if err := json.Unmarshal(a.body, &said); err != nil {
		return nil, nil, "", fmt.Errorf("elastic: _bulk: %w: %s", err, excerpt(a.body))
	}
	// Results have no order but that of the entries, so their number has to be right.
	if len(said.Items) != len(entries) {
		return nil, nil, "", fmt.Errorf("elastic: _bulk: %d results for %d documents: %s", len(said.Items), len(entries),
			excerpt(a.body))
	}
	for i, item := range said.Items {
		// The action that lines asks for; another key would leave r zero, which is fatal.
		r := item["update"]
		switch fate := fateOf(r); fate {
		case written:
		case retry:
			again, reason = append(again, entries[i]), r.Error.String()
		case refused:
			rejects = append(rejects, entries[i].rejected(schemas.KindRefused, fmt.Sprintf("%.500s", r.Error))...)
		default:
			// What concerns all documents ends the writing: to reject them one by one would lose the run's work.
			return nil, rejects, "", fmt.Errorf("elastic: document %q: status %d: %.500s", entries[i].id, r.Status, r.Error)
		}
	}
	return again, rejects, reason, nil
}

// fate is what becomes of a document.
type fate uint8

// fatal is the zero value, for answers that nobody expected.
const (
	fatal fate = iota
	written
	retry
	refused
)

// fateOf tells what r means. Refused are only documents that are themselves wrong: what is wrong with the index or
// with our rights concerns them all.
func fateOf(r result) fate {
	switch {
	case r.Status == http.StatusOK || r.Status == http.StatusCreated:
		return written
	case isBusy(r.Status), r.Status == http.StatusConflict, r.Error.kind == "cluster_block_exception":
		return retry // a conflict is with another writer of the same document; a block, that disks are full
	// A field that cannot be mapped, or a document that is too large.
	case r.Status == http.StatusBadRequest, r.Status == http.StatusRequestEntityTooLarge:
		return refused
	}
	return fatal
}

// rejected are the entry's rejects, with what the server said.
// There may be several rejects: of documents with one id only the last is sent.
func (e *entry) rejected(kind schemas.Kind, message string) []schemas.Reject {
	for i := range e.rejects {
		e.rejects[i].Kind, e.rejects[i].Message = kind, message
	}
	return e.rejects
}

// errLine is that a document has line ends, which divide the lines of a batch.
// A line end within a document would begin a line of its own in the batch, and could hold another action.
var errLine = errors.New("elastic: a document must be a JSON object on one line")

// lines are those of a document in a batch.
// An update with doc_as_upsert writes the document or merges it into one that is there: fields that others have
// added stay.
func lines(d Document) ([]byte, error) {
	id, err := json.Marshal(d.ID)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	// Looked at roughly: the server parses it anyway.
	if len(d.Source) < 2 || d.Source[0] != '{' || hasLineEnd(d.Source) {
		return nil, errLine
	}
	// The rest is what surrounds id and source.
	b := make([]byte, 0, len(id)+len(d.Source)+64)
	b = append(append(b, `{"update":{"_id":`...), id...)
	b = append(append(b, "}}\n{\"doc\":"...), d.Source...)
	return append(b, ",\"doc_as_upsert\":true}\n"...), nil
}
