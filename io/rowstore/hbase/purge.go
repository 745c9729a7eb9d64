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

// adminService is the service of region servers that looks after regions. Admin.proto.
const adminService = "AdminService"

// Purge has the regions that lie in these spans written again by their servers, and waits for it: what Delete has
// hidden is then in no file that is read any more. Servers move the files that were there to their archive within two
// minutes (hbase.hfile.compaction.discharger.interval), and keep them there, and their write-ahead logs, for some
// minutes more (hbase.master.hfilecleaner.ttl, hbase.master.logcleaner.ttl). What a snapshot of HBase refers to stays.
//
// It reads and writes all of a region for one key.
func (s *Store) Purge(ctx context.Context, spans []rowstore.Span) error {
	var list []*region
	err := s.try(ctx, func() (err error) {
		list, err = s.all(ctx)
		return err
	})
	for _, r := range list {
		// One region after the other: rewriting is the servers' disks at work, which others use.
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

// purgeRegion does the region that begins at a key, wherever that is by now.
func (s *Store) purgeRegion(ctx context.Context, from string) error {
	return s.try(ctx, func() error {
		// Looked up again at each attempt: the region may have moved.
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

// rewrite has a region written to disk and its files made one. All of it may be done twice.
func (s *Store) rewrite(ctx context.Context, r *region) error {
	name := regionNamed(r.name)
	// What is in memory first: deletions that are there would not count for what is in files.
	if _, err := s.call(ctx, r.address, adminService, "FlushRegion", message(nil).bytes(1, name)); err != nil {
		return err
	}
	// 2 is "major": a minor one keeps deletions, and what they hide.
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
		// A region of 10 GB takes minutes; this asks little for that, and a small one is not waited for long.
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// compactionState is 0 when a region is not being compacted: GetRegionInfoResponse, Admin.proto.
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
