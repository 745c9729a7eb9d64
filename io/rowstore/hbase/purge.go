package hbase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// adminService is the service of region servers for maintaining regions. Admin.proto.
const adminService = "AdminService"

// Purge makes servers rewrite the regions of these spans, and waits for it. Afterwards no file in use contains the data
// that Delete has hidden. Servers move the old files to their archive within two minutes
// (hbase.hfile.compaction.discharger.interval). They keep them there, and their write-ahead logs, for some minutes more
// (hbase.master.hfilecleaner.ttl, hbase.master.logcleaner.ttl). Files of HBase snapshots stay.
//
// For one key it reads and writes a whole region.
func (s *Store) Purge(ctx context.Context, spans []rowstore.Span) error {
	var list []*region
	err := s.try(ctx, func() (err error) {
		list, err = s.all(ctx)
		return err
	})
	for _, r := range list {
		// One region after the other: rewriting uses the servers' disks, which others need too.
		if err == nil && slices.ContainsFunc(spans, r.touches) {
			err = s.purgeRegion(ctx, r.From)
		}
	}
	return err
}

// touches reports whether a region has keys of a span.
func (r *region) touches(s rowstore.Span) bool {
	return (s.To == "" || r.From < s.To) && (r.To == "" || s.From < r.To)
}

// purgeRegion processes the region that begins at a key, wherever it is by now.
func (s *Store) purgeRegion(ctx context.Context, from string) error {
	return s.try(ctx, func() error {
		// Looked up at each attempt, because the region may have moved.
		r, err := s.locate(ctx, from)
		if err != nil {
			return err
		}
		err = s.rewrite(ctx, r)
		if err != nil {
			s.moved(r, err)
		}
		return err
	})
}

// rewrite flushes a region to disk and merges its files. All of it is repeatable.
func (s *Store) rewrite(ctx context.Context, r *region) error {
	name := regionNamed(r.name)
	// Memory first: deletions in memory would not apply to the data in files.
	if _, err := s.call(ctx, r.address, adminService, "FlushRegion", message(nil).bytes(1, name)); err != nil {
		return err
	}
	// 2 is "major": a minor compaction keeps deletions and the data that they hide.
	if _, err := s.call(ctx, r.address, adminService, "CompactRegion", message(nil).bytes(1, name).yes(2)); err != nil {
		return err
	}
	for {
		a, err := s.call(ctx, r.address, adminService, "GetRegionInfo", message(nil).bytes(1, name).yes(2))
		if err != nil {
			return err
		}
		state, err := compactionState(a.param)
		if err != nil || state == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("hbase: %w", context.Cause(ctx))
		// A region of 10 GB takes minutes, so this sends few requests, and a small region does not wait long.
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// compactionState returns 0 if a region is not being compacted: GetRegionInfoResponse, Admin.proto.
func compactionState(m []byte) (state uint64, err error) {
	known := false
	err = each(m, func(field protowire.Number, v uint64, _ []byte) error {
		if field == 2 {
			state, known = v, true
		}
		return nil
	})
	if err == nil && !known {
		err = errors.New("a server does not tell whether a region is being compacted")
	}
	return state, err
}
