// Package hbase writes documents, and payloads on request, to a table of Apache HBase. Each page is a row with its
// captures as versions. Package webtable has the layout.
//
//	c := hbase.Config{URL: "hbase://127.0.0.1:16000/pages", Content: hbase.Inline}
//	if err := c.Complete(); err != nil {
//		return err
//	}
//	to, err := c.Open(ctx) // a sink.Sink; makes the table if it is missing
//
// Rows are sent while their unit is being made. The rows of a failed unit stay, and repeating the unit overwrites them:
// the same capture makes the same cells.
package hbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// Config selects the table for documents; without URL there is none. See [sink.Config].
type Config struct {
	URL          string // hbase://host:port/table
	RowKey       string // BySURT or ByURL
	Content      string // Reference or Inline
	Compression  string // of the servers' files
	SplitsFile   string // keys, a line each, at which a new table is split
	Splits       []string
	RetryTimeout time.Duration // until a batch fails; 5 min
	MaxRow       int           // bytes of a row; 64 MiB
}

// Values of Config.
const (
	BySURT    = "surt"
	ByURL     = "url"
	Reference = "reference"
	Inline    = "inline"
)

// Settings returns the flags.
func (c *Config) Settings() []setting.Setting {
	return []setting.Setting{
		{
			Name: "hbase", Value: &c.URL, Example: "hbase://127.0.0.1:16000/pages",
			Help: "table of Apache HBase 2, by the address of its masters, in which documents are written too: a row a " +
				"page, its " +
				"captures as versions. The table is made when it is not there",
		},
		{
			Name: "hbase_row_key", Value: &c.RowKey, Default: BySURT, Values: []string{BySURT, ByURL}, Example: ByURL,
			Help: "what a row is known by: surt keeps a site's pages side by side, url is how Mignify had it",
		},
		{
			Name: "hbase_content", Value: &c.Content, Default: Reference, Values: []string{Reference, Inline}, Example: Inline,
			Help: "reference leaves bodies in their archives, inline writes them to a family of their own",
		},
		{
			Name: "hbase_compression", Value: &c.Compression, Default: "gz",
			Values:  []string{"none", "gz", "snappy", "lz4", "zstd"},
			Example: "zstd", Help: "how the servers compress the files of a new table; every server has gz, others are faster",
		},
		{
			Name: "hbase_splits", Value: &c.SplitsFile, Example: "splits.txt",
			Help: "file with keys, a line each, that a new table is divided at, so that several servers have it from the start",
		},
		{
			Name: "hbase_retry_timeout", Rare: true, Value: &c.RetryTimeout, Default: "5m", Example: "1h",
			Help: "how long servers that are down or busy are asked again before the run fails",
		},
	}
}

// Wanted reports whether documents are written to a table.
func (c *Config) Wanted() bool { return c.URL != "" }

// maxSplits limits the file of splits, in bytes.
const maxSplits = 64 << 20

// Complete reads the file of splits, and checks the options.
func (c *Config) Complete() error {
	if !c.Wanted() {
		return nil
	}
	c.RowKey, c.Content = cmp.Or(c.RowKey, BySURT), cmp.Or(c.Content, Reference)
	_, more, err := hbase.ParseURL(c.URL)
	switch {
	case err != nil:
		return fmt.Errorf("--hbase: %w", err)
	case len(more) > 0:
		return errors.New("--hbase: row_key and content are flags of their own here: --hbase_row_key and --hbase_content")
	case c.RetryTimeout < 0:
		return errors.New("hbase_retry_timeout must be positive")
	}
	if c.SplitsFile == "" {
		return nil
	}
	info, err := os.Stat(c.SplitsFile)
	if err == nil && info.Size() > maxSplits {
		err = fmt.Errorf("%s has more than %d bytes", c.SplitsFile, maxSplits)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(c.SplitsFile)
	}
	if err != nil {
		return fmt.Errorf("--hbase_splits: %w", err)
	}
	c.Splits = strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' })
	slices.Sort(c.Splits)
	c.Splits = slices.Compact(c.Splits)
	return nil
}

func (c *Config) layout() webtable.Layout {
	return webtable.Layout{ByURL: c.RowKey == ByURL, Inline: c.Content == Inline}
}

// Lasting returns the settings that change the content or place of rows.
func (c *Config) Lasting() map[string]any {
	o, _, err := hbase.ParseURL(c.URL)
	if err != nil {
		return nil // Complete has reported it
	}
	return map[string]any{"masters": o.Masters, "table": o.Table, "row_key": c.RowKey, "content": c.Content}
}

// Versions returns the version of the rows.
func (*Config) Versions() map[string]string { return map[string]string{"webtable": webtable.Version} }

// Elsewhere returns nil: HBase has no secrets.
func (*Config) Elsewhere() error { return nil }

// startTime is the time for servers to answer at the start.
const startTime = 30 * time.Second

// Ask makes the table, or its missing families.
func (c *Config) Ask(ctx context.Context) error {
	o, _, err := hbase.ParseURL(c.URL)
	if err != nil {
		return err
	}
	o.Compression = c.Compression
	o.RetryTimeout = min(startTime, cmp.Or(c.RetryTimeout, startTime))
	s, err := hbase.Open(o)
	if err != nil {
		return err
	}
	if err := s.Prepare(ctx, c.layout().Families(), c.Splits); err != nil {
		return errors.Join(fmt.Errorf("--hbase: %w", err), s.Close())
	}
	return s.Close()
}

// defaultMaxRow is the limit of its readers for a row.
const defaultMaxRow = 64 << 20

// Open opens the table.
func (c *Config) Open(ctx context.Context) (sink.Sink, error) {
	if err := c.Ask(ctx); err != nil {
		return nil, err
	}
	o, _, err := hbase.ParseURL(c.URL)
	if err != nil {
		return nil, err
	}
	o.RetryTimeout = c.RetryTimeout
	s, err := hbase.Open(o)
	if err != nil {
		return nil, err
	}
	return &table{store: s, layout: c.layout(), maxRow: cmp.Or(c.MaxRow, defaultMaxRow)}, nil
}
