// Package kafkaio reads topics of Apache Kafka into pipelines, and writes captures to them: it is package kafka as Beam
// transforms, for graphs of your own. pipelines/ingest does not use it: there a unit is read and sent inside one
// function.
//
//	p, s := beam.NewPipelineWithRoot()
//	captures, rejects := kafkaio.Read(s, "kafka://localhost:9092/pages", nil)
//	kafkaio.Write(s, kafka.Config{Brokers: "localhost:9092", Topic: "copies", Format: "cdr31"}, captures)
package kafkaio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	register.DoFn3x1[context.Context, string, func([]byte), error](&planFn{})
	register.DoFn4x1[context.Context, []byte, func(schemas.Capture), func(schemas.Reject), error](&readFn{})
	register.DoFn3x1[context.Context, schemas.Capture, func(schemas.Reject), error](&writeFn{})
	register.Emitter1[[]byte]()
	register.Emitter1[schemas.Capture]()
	register.Emitter1[schemas.Reject]()
	beam.RegisterType(reflect.TypeFor[schemas.Capture]())
	beam.RegisterType(reflect.TypeFor[schemas.Reject]())
}

// Read reads the captures in the messages of a topic, kafka://host:port/topic, up to what is there when the pipeline
// starts. properties are as in [kafka.Config]. The second collection is what could not be read. Captures of one unit,
// which is a run of offsets of one partition, come in their order; units come in any order.
func Read(s beam.Scope, url string, properties map[string]string) (captures, rejects beam.PCollection) {
	s = s.Scope("kafkaio.Read")
	units := beam.ParDo(s, &planFn{Properties: properties}, beam.Create(s, url))
	return beam.ParDo2(s, &readFn{Properties: properties}, beam.Reshuffle(s, units))
}

// planFn divides a topic into units.
type planFn struct{ Properties map[string]string }

// ProcessElement takes the URL and emits units as JSON.
func (f *planFn) ProcessElement(ctx context.Context, url string, emit func([]byte)) error {
	units, _, err := kafka.Plan(ctx, url, f.Properties, 0)
	if err != nil {
		return err
	}
	for _, u := range units {
		row, err := json.Marshal(u)
		if err != nil {
			return err
		}
		emit(row)
	}
	return nil
}

// readFn reads one unit an element.
type readFn struct{ Properties map[string]string }

// ProcessElement emits the unit's captures and rejects.
func (f *readFn) ProcessElement(ctx context.Context, row []byte, captures func(schemas.Capture),
	rejects func(schemas.Reject),
) error {
	var u schemas.Unit
	if err := json.Unmarshal(row, &u); err != nil {
		return err
	}
	for item, err := range kafka.NewReader(u, f.Properties, archive.Options{}).All(ctx) {
		if err != nil {
			return err
		}
		if item.Reject != nil {
			rejects(*item.Reject)
		} else {
			captures(*item.Capture)
		}
	}
	return nil
}

// Write sends a collection of schemas.Capture to a topic, each at least once: when a bundle is repeated, its captures
// are sent again, with the same ids. What the format cannot hold, and what the brokers do not take, is returned as
// rejects.
func Write(s beam.Scope, c kafka.Config, captures beam.PCollection) (rejects beam.PCollection) {
	return beam.ParDo(s.Scope("kafkaio.Write"), &writeFn{Config: c}, captures)
}

// writeFn sends one capture an element.
type writeFn struct {
	Config kafka.Config

	producer *kafka.Producer
	delivery *kafka.Delivery
}

// Setup makes the producer.
func (f *writeFn) Setup() (err error) {
	f.producer, err = kafka.NewProducer(f.Config)
	return err
}

// StartBundle begins a delivery.
func (f *writeFn) StartBundle(func(schemas.Reject)) { f.delivery = f.producer.Begin() }

// ProcessElement sends a capture.
func (f *writeFn) ProcessElement(ctx context.Context, c schemas.Capture, rejects func(schemas.Reject)) error {
	id := fmt.Sprintf("%s#%d.%d", c.Origin.File, c.Origin.Offset, c.Origin.Sequence)
	m, err := f.producer.Encode(id, &c, nil)
	reject := schemas.Reject{
		File: c.Origin.File, Offset: c.Origin.Offset, Length: c.Origin.Length, Stage: schemas.SinkKafka,
		Kind: schemas.KindRefused, URL: c.URL, Record: c.RecordID,
	}
	switch {
	case err == nil:
		m.Reject = reject
		return f.delivery.Send(ctx, m)
	case errors.Is(err, kafka.ErrTooLarge):
		reject.Kind = schemas.KindLimit
	case !errors.Is(err, shape.ErrRefused):
		return err
	}
	reject.Message = err.Error()
	rejects(reject)
	return nil
}

// FinishBundle waits until the brokers have what was sent.
func (f *writeFn) FinishBundle(ctx context.Context, emit func(schemas.Reject)) error {
	rejects, err := f.delivery.Commit(ctx)
	for _, r := range rejects {
		emit(r)
	}
	return err
}

// Teardown closes the connections.
func (f *writeFn) Teardown() {
	if f.producer != nil {
		f.producer.Close()
	}
}
