package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// entry is a document in a batch: two lines.
type entry struct {
	id      string
	lines   []byte
	rejects []schemas.Reject // of it, and of documents that it replaced in the batch
}

// bulkPath returns the path for batches. Answers leave out the fields that are not needed. Before Elasticsearch 7,
// documents have types, which are in the path.
func (c *Client) bulkPath() string {
	path := "/" + c.o.Index
	if c.version.Major < 7 {
		path += "/" + url.PathEscape(c.o.Type)
	}
	// A batch may hold thousands of documents, and the omitted fields are most of the answer.
	return path + "/_bulk?filter_path=errors,items.*.status,items.*.error"
}

// bulk writes entries until they are all in the index or refused, and returns the rejects of the refused ones.
func (c *Client) bulk(ctx context.Context, entries []*entry) (rejects []schemas.Reject, err error) {
	// The time counts for all attempts together: it ends even if each attempt takes some documents and refuses others
	// for now.
	deadline := time.Now().Add(c.o.RetryTimeout)
	// Each iteration has only the entries that the previous one did not write.
	for tries := 0; len(entries) > 0; tries++ {
		// Joined again, because some of them are done.
		body := make([]byte, 0, size(entries))
		for _, e := range entries {
			body = append(body, e.lines...)
		}
		a, err := c.ask(ctx, http.MethodPost, c.bulkPath(), body, time.Until(deadline))
		if err != nil {
			return rejects, err
		}
		// The server's own limit (http.max_content_length) or a proxy's is not known before.
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
		// The next attempt has the rest, after a pause that grows.
		if err := c.rest(ctx, tries); err != nil {
			return rejects, err
		}
		// In their old order, so that documents are written in it as far as possible.
		entries = again
	}
	return rejects, nil
}

// saidTries is the number of consecutive failures before a message about a busy server. Single ones are normal.
const saidTries = 4

// rest pauses before the next attempt to write documents to a busy server.
func (c *Client) rest(ctx context.Context, tries int) error {
	// All writers share the source of random numbers.
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

// halve writes a batch that is too large for the server in two halves, and rejects a single document that is too large.
// Repeated halving finds the largest accepted batches without knowing the limit.
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

// result is a server's result for one document.
type result struct {
	Status int
	Error  failure
}

// failure is an error of a server, or empty.
type failure struct{ kind, reason string }

// UnmarshalJSON reads an object, or the text that Elasticsearch 1 has instead.
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
	// The cause often has more information than the reason, such as the invalid value.
	if o.CausedBy.Reason != "" {
		f.reason += ": " + o.CausedBy.Reason
	}
	return err
}

// String removes secrets, because the error may repeat a part of the document or of the request.
func (f failure) String() string {
	if f.kind == "" {
		return secret.Redact(f.reason)
	}
	return secret.Redact(f.kind + ": " + f.reason)
}

// results returns the entries to write again with a reason, and the rejects.
func (c *Client) results(a answer,
	entries []*entry,
) (again []*entry, rejects []schemas.Reject, reason string, err error) {
	if err := c.allowed(a); err != nil {
		return nil, nil, "", err
	}
	// ask and allowed have handled busy and forbidden, so the request itself is wrong.
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
	// Results are in the order of the entries, so their number has to be right.
	if len(said.Items) != len(entries) {
		return nil, nil, "", fmt.Errorf("elastic: _bulk: %d results for %d documents: %s", len(said.Items), len(entries),
			excerpt(a.body))
	}
	for i, item := range said.Items {
		// The action in lines; another key would leave r zero, which is fatal.
		r := item[c.o.Model.action()]
		switch fate := fateOf(r); fate {
		case written:
		case retry:
			again, reason = append(again, entries[i]), r.Error.String()
		case refused:
			rejects = append(rejects, entries[i].rejected(schemas.KindRefused, fmt.Sprintf("%.500s", r.Error))...)
		default:
			// An error that concerns all documents ends the writing: rejecting them one by one would lose the run's
			// work.
			return nil, rejects, "", fmt.Errorf("elastic: document %q: status %d: %.500s", entries[i].id, r.Status, r.Error)
		}
	}
	return again, rejects, reason, nil
}

// fate is the outcome for a document.
type fate uint8

// fatal is the zero value, for unexpected answers.
const (
	fatal fate = iota
	written
	retry
	refused
)

// fateOf interprets r. It refuses only documents that are themselves wrong: errors of the index or of our permissions
// concern all documents.
func fateOf(r result) fate {
	switch {
	case r.Status == http.StatusOK || r.Status == http.StatusCreated:
		return written
	case isBusy(r.Status), r.Status == http.StatusConflict, r.Error.kind == "cluster_block_exception":
		return retry // a conflict is with another writer of the same document; a block means that disks are full
	case r.Error.kind == "index_closed_exception" || ofIndex(r.Error):
		return fatal
	// A field that cannot be mapped, or a document that is too large.
	case r.Status == http.StatusBadRequest, r.Status == http.StatusRequestEntityTooLarge:
		return refused
	}
	return fatal
}

// ofIndex reports whether an illegal argument is of the index or its alias, and not of a document. Only the reason
// tells: an alias without an index to write to, a data stream, and a second type in Elasticsearch 6.
func ofIndex(e failure) bool {
	for _, reason := range []string{
		"no write index is defined for alias", "only write ops with an op_type of create", "would have more than 1 type",
	} {
		if e.kind == "illegal_argument_exception" && strings.Contains(e.reason, reason) {
			return true
		}
	}
	return false
}

// rejected returns the entry's rejects with the server's message. There may be several: of documents with one id only
// the last is sent.
func (e *entry) rejected(kind schemas.Kind, message string) []schemas.Reject {
	for i := range e.rejects {
		e.rejects[i].Kind, e.rejects[i].Message = kind, message
	}
	return e.rejects
}

// errLine means that a document has line ends, which separate the lines of a batch. The rest of the document could then
// hold another action.
var errLine = errors.New("elastic: a document must be a JSON object on one line")

// action is how documents of a model are written. Gleaner's replace those of an earlier run: fields that a document no
// longer has must go. ACHE's are merged into existing ones, as ACHE does.
func (m Model) action() string {
	if m == Gleaner {
		return "index"
	}
	return "update"
}

// lines returns the lines of a document in a batch. An update with doc_as_upsert writes a document that does not exist.
func (m Model) lines(d Document) ([]byte, error) {
	id, err := json.Marshal(d.ID)
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	// A rough test, because the server parses it anyway.
	if len(d.Source) < 2 || d.Source[0] != '{' || hasLineEnd(d.Source) {
		return nil, errLine
	}
	// The constant is the space around id and source.
	b := make([]byte, 0, len(id)+len(d.Source)+64)
	b = append(append(b, `{"`...), m.action()...)
	b = append(append(b, `":{"_id":`...), id...)
	b = append(b, "}}\n"...)
	if m == Gleaner {
		return append(append(b, d.Source...), '\n'), nil
	}
	b = append(append(b, `{"doc":`...), d.Source...)
	return append(b, ",\"doc_as_upsert\":true}\n"...), nil
}
