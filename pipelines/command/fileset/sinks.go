package fileset

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// ask checks that the servers answer, before the run begins.
func (s Servers) ask(ctx context.Context) error {
	to, err := s.open(ctx)
	if err != nil {
		return err
	}
	return to.Close()
}

type sinks []core.Sink

// Close closes all connections and logs how many rows the tables could not hold.
func (s sinks) Close() (err error) {
	for _, to := range s {
		if t, ok := to.(interface{ Skipped() map[string]int64 }); ok {
			skipped := t.Skipped()
			// Sorted, so that equal runs log the same.
			for _, why := range slices.Sorted(maps.Keys(skipped)) {
				slog.Warn(fmt.Sprintf("%d rows are not in the tables, which cannot hold them: %s", skipped[why], why))
			}
		}
		err = errors.Join(err, to.Close())
	}
	return err
}

func (s sinks) begin(ctx context.Context, unit string) (w sinkWriters, err error) {
	for _, to := range s {
		one, err := to.Begin(ctx, unit)
		if err != nil {
			w.abort()
			return nil, err
		}
		w = append(w, one)
	}
	return w, nil
}

type sinkWriters []core.SinkWriter

func (w sinkWriters) write(result *schemas.FilesetResult, file *schemas.FileResult) error {
	for _, one := range w {
		if err := one.Write(result, file); err != nil {
			return err
		}
	}
	return nil
}

func (w sinkWriters) commit() error {
	for _, one := range w {
		// If a later commit fails, the unit is done again, which sinks must allow.
		if err := one.Commit(); err != nil {
			return err
		}
	}
	return nil
}

func (w sinkWriters) abort() {
	for _, one := range w {
		one.Abort()
	}
}
