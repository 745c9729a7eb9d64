package sandcrawler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// FilesetResults and FileResults are the names of the topics of results, in an environment such as prod or qa.
func FilesetResults(env string) string { return "sandcrawler-" + env + ".ingest-fileset-results" }

// FileResults is the topic of results of single files.
func FileResults(env string) string { return "sandcrawler-" + env + ".ingest-file-results" }

// Topics are Sandcrawler's topics of results. It is a [fileset.Sink].
type Topics struct {
	filesets, files *kafka.Producer
}

var _ fileset.Sink = (*Topics)(nil)

// OpenTopics connects to the brokers of c, and finds out whether they answer. c's topic and format are of no matter.
func OpenTopics(ctx context.Context, c kafka.Config, env string) (*Topics, error) {
	t := &Topics{}
	// Both are asked at the start: a topic that is not there is found now and not after hours.
	for name, to := range map[string]**kafka.Producer{FilesetResults(env): &t.filesets, FileResults(env): &t.files} {
		c.Topic, c.Format = name, kafka.Formats()[0] // the format is of captures, of which there are none
		p, err := kafka.NewProducer(c)
		if err == nil {
			*to = p
			err = p.Ping(ctx)
		}
		if err != nil {
			// Closes the producer that was made, be it one or two.
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

// Close ends the connections.
func (t *Topics) Close() error {
	for _, p := range []*kafka.Producer{t.filesets, t.files} {
		if p != nil {
			p.Close()
		}
	}
	return nil
}

// Begin begins a unit.
func (t *Topics) Begin(ctx context.Context, _ string) (fileset.SinkWriter, error) {
	// Canceled by Abort alone: it has the client drop the messages of this unit that were not sent yet.
	ctx, cancel := context.WithCancel(ctx)
	// A delivery each, so that units which share the producers wait for their own messages alone.
	return &topicsWriter{ctx: ctx, cancel: cancel, filesets: t.filesets.Begin(), files: t.files.Begin()}, nil
}

// topicsWriter is the messages of a unit on their way.
type topicsWriter struct {
	ctx             context.Context // of the unit
	cancel          context.CancelFunc
	filesets, files *kafka.Delivery
}

// Write sends a result and, of a single file, its own. Messages have no keys, as Sandcrawler's have none.
func (w *topicsWriter) Write(result *schemas.FilesetResult, file *schemas.FileResult) error {
	// The order between the two topics is not a promise: Kafka has none.
	if err := w.send(w.filesets, &result.Request, result); err != nil || file == nil {
		return err
	}
	return w.send(w.files, &file.Request, file)
}

func (w *topicsWriter) send(to *kafka.Delivery, r *schemas.FilesetRequest, result any) error {
	value, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("sandcrawler: %w", err)
	}
	// What Sandcrawler's tables know a request by, so that a consumer can tell a message that it has had.
	id := r.Type + " " + r.LinkSource + " " + r.LinkID + " " + r.BaseURL
	return to.Send(w.ctx, kafka.Message{ID: sink.ShortID(id), Value: value, Reject: schemas.Reject{File: r.BaseURL}})
}

// Commit waits until the brokers have acknowledged all messages. One that they refuse for its size is told in the log:
// it is in the output.
func (w *topicsWriter) Commit() error {
	for _, d := range []*kafka.Delivery{w.filesets, w.files} {
		// Of the second delivery nothing is waited for when the first fails: the caller aborts both.
		refused, err := d.Commit(w.ctx)
		if err != nil {
			return err
		}
		for _, r := range refused {
			slog.Warn(fmt.Sprintf("the result of %.200q is not in the topic: %s", r.File, r.Message))
		}
	}
	return nil
}

// Abort takes back what was not sent yet. What was sent stays in the topics, and is known by its ids.
func (w *topicsWriter) Abort() {
	// Canceled first, or Wait would wait for messages that are still to be sent.
	w.cancel()
	w.filesets.Wait()
	w.files.Wait()
}
