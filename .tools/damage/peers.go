package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gleaner-web/gleaner/internal/damage"
	"github.com/gleaner-web/gleaner/schemas"
)

// script reads with the peers.
const script = ".tools/damage/peers.py"

// peers reads the file with FastWARC and warcio.
func (o *options) peers(ctx context.Context, path string, f *damage.File) (scores [2]damage.Score, err error) {
	for i, name := range []string{"fastwarc", "warcio"} {
		out, err := exec.CommandContext(ctx, o.python, script, name, path).Output()
		if died := new(exec.ExitError); err != nil && !errors.As(err, &died) { // what it gave before it died counts
			return scores, fmt.Errorf("%s: %w", name, err)
		}
		var docs []damage.Document
		lines := json.NewDecoder(bytes.NewReader(out))
		for lines.More() {
			var d damage.Document
			if err := lines.Decode(&d); err != nil {
				break
			}
			docs = append(docs, d)
		}
		scores[i] = f.Score(docs, nil)
	}
	return scores, nil
}

// exitCode runs ingest over the file, or tells what its exit code must be.
func (o *options) exitCode(ctx context.Context, path string, got *damage.Reading) (int, error) {
	if o.ingest == "" {
		return foretold(got.Counts), nil
	}
	out := filepath.Join(filepath.Dir(path), "out")
	defer func() { _ = os.RemoveAll(out) }() // a run of its own the next time
	var failed *exec.ExitError
	err := exec.CommandContext(ctx, o.ingest, "--fresh", "--output="+out, path).Run()
	if errors.As(err, &failed) {
		return failed.ExitCode(), nil
	}
	return 0, err
}

func foretold(c schemas.Counts) int {
	if c.BytesLost > 0 || c.HasDamage() {
		return 3
	}
	return 0
}
