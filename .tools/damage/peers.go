package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gleaner-web/gleaner/internal/damage"
	"github.com/gleaner-web/gleaner/schemas"
)

// script runs the peers.
const script = ".tools/damage/peers.py"

// peer is a running reader in Python.
type peer struct {
	name    string
	command func() *exec.Cmd
	files   io.WriteCloser // takes file names
	lines   *bufio.Reader  // returns documents, and an empty line after those of each file
	wait    func() error
}

// startPeers starts FastWARC and warcio.
func startPeers(ctx context.Context, python string) (list []*peer, err error) {
	for _, name := range []string{"fastwarc", "warcio"} {
		p := &peer{name: name, command: func() *exec.Cmd { return exec.CommandContext(ctx, python, script, name) }}
		if err := p.start(); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func (p *peer) start() error {
	cmd := p.command()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	p.files, p.lines, p.wait = in, bufio.NewReader(out), cmd.Wait
	if err := cmd.Start(); err != nil {
		return err
	}
	if line, err := p.lines.ReadString('\n'); err != nil || line != "ready\n" {
		return fmt.Errorf("%s does not start in %s: install it there (pip install %s)", p.name, cmd.Path, p.name)
	}
	return nil
}

// read reads a file. If the file crashes the peer, its earlier documents count, and it is restarted.
func (p *peer) read(path string) (docs []damage.Document, err error) {
	if _, err := fmt.Fprintln(p.files, path); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	for {
		line, err := p.lines.ReadBytes('\n')
		if err == io.EOF {
			if err := p.close(); err == nil || !errors.As(err, new(*exec.ExitError)) {
				return nil, fmt.Errorf("%s ended: %w", p.name, err)
			}
			return docs, p.start()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		if len(line) == 1 {
			return docs, nil
		}
		var d damage.Document
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		docs = append(docs, d)
	}
}

func (p *peer) close() error { return errors.Join(p.files.Close(), p.wait()) }

// exitCode returns the exit code of ingest for the file, by a run or by the counts.
func (o *options) exitCode(ctx context.Context, path string, got *damage.Reading) (int, error) {
	if o.ingest == "" {
		return foretold(got.Counts), nil
	}
	out := filepath.Join(filepath.Dir(path), "out")
	defer func() { _ = os.RemoveAll(out) }() // each run is independent
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
