//go:build local

package fileset

import (
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Servers is empty, because a program built with -tags local lacks the clients of Kafka and PostgreSQL. The other files
// document its methods.
type Servers struct{}

func (*Servers) settings() []setting.Setting { return nil }

func (*Servers) read() error { return nil }

func (Servers) lasting() map[string]any { return nil }

func (Servers) open(context.Context) (sinks, error) { return nil, nil }

func (Servers) elsewhere() error { return nil }

func (Servers) properties() map[string]string { return nil }

// topic yields an error.
func topic(_ context.Context, url string, _ map[string]string) iter.Seq2[said, error] {
	return func(yield func(said, error) bool) {
		yield(said{at: place{file: url}}, cli.Usagef("--requests: %s", cli.LeftOut))
	}
}

// pending yields an error.
func pending(ctx context.Context, _ string) iter.Seq2[said, error] {
	return topic(ctx, "postgres", nil)
}
