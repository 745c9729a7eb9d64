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

// FilesetResults returns the name of the topic of fileset results, in an environment such as prod or qa.
func FilesetResults(env string) string { return "sandcrawler-" + env + ".ingest-fileset-results" }

// FileResults returns the name of the topic of results of single files.
func FileResults(env string) string { return "sandcrawler-" + env + ".ingest-file-results" }

// Topics are Sandcrawler's topics of results. It is a [fileset.Sink].
type Topics struct {
	filesets, files *kafka.Producer
}

var _ fileset.Sink = (*Topics)(nil)

// OpenTopics connects to the brokers of c, and waits for an answer. It ignores c's topic and format.
func OpenTopics(ctx context.Context, c kafka.Config, env string) (*Topics, error) {
	t := &Topics{}
	// Both are tested at the start, so that a missing topic is found now and not after hours.
	for name, to := range map[string]**kafka.Producer{FilesetResults(env): &t.filesets, FileResults(env): &t.files} {
		c.Topic, c.Format = name, kafka.Formats()[0] // the format is of captures, of which there are none
		p, err := kafka.NewProducer(c)
		if err == nil {
			*to = p
			err = p.Ping(ctx)
		}
		if err != nil {
			// Closes the producers that were made.
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

// Close closes the connections.
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
	// Only Abort cancels it: then the client drops the unsent messages of this unit.
	ctx, cancel := context.WithCancel(ctx)
	// Each unit has its own deliveries, so that units with shared producers wait only for their own messages.
	return &topicsWriter{ctx: ctx, cancel: cancel, filesets: t.filesets.Begin(), files: t.files.Begin()}, nil
}

// topicsWriter is the messages of a unit that are being sent.
type topicsWriter struct {
	ctx             context.Context // of the unit
	cancel          context.CancelFunc
	filesets, files *kafka.Delivery
}

// Write sends a result and, for a single file, its own. Messages have no keys, as in Sandcrawler.
func (w *topicsWriter) Write(result *schemas.FilesetResult, file *schemas.FileResult) error {
	// Kafka does not guarantee an order between the two topics.
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
	// The key in Sandcrawler's tables, so that a consumer can recognize a repeated message.
	id := r.Type + " " + r.LinkSource + " " + r.LinkID + " " + r.BaseURL
	return to.Send(w.ctx, kafka.Message{ID: sink.ShortID(id), Value: value, Reject: schemas.Reject{File: r.BaseURL}})
}

// Commit waits until the brokers have acknowledged all messages. It logs a message that is refused for its size, which
// is in the output.
func (w *topicsWriter) Commit() error {
	for _, d := range []*kafka.Delivery{w.filesets, w.files} {
		// If the first delivery fails, it does not wait for the second one: the caller aborts both.
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

// Abort drops unsent messages. Sent ones stay in the topics, with their ids.
func (w *topicsWriter) Abort() {
	// Canceled first, because Wait would otherwise wait for messages that are still to be sent.
	w.cancel()
	w.filesets.Wait()
	w.files.Wait()
}
