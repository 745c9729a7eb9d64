package sourcedb

import (
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// shards writes records as runs, one after the other.
type shards struct {
	f    folder.Folder
	kind string
	list []schemas.Shard
	w    *runWriter // nil when none is open
}

func (g *generation) shards(kind string) *shards { return &shards{f: g.f, kind: kind} }

func (s *shards) add(key, value []byte) (err error) {
	if s.w == nil {
		if s.w, err = newRun(s.f, shardName(s.kind, len(s.list), ".bin.s2"), wideBlock); err != nil {
			return err
		}
	}
	// Compressed bytes, as the file has them.
	if err := s.w.add(key, value); err != nil || s.w.before < shardBytes {
		return err
	}
	return s.finish()
}

// finish ends a shard. What it fails to name is hidden, and is swept by the next run.
func (s *shards) finish() error {
	shard, err := s.w.commit()
	s.list, s.w = append(s.list, shard), nil
	return err
}

// close ends the last one. There is none of no records.
func (s *shards) close() (list []schemas.Shard, err error) {
	if s.w != nil {
		err = s.finish()
	}
	return s.list, err
}

// abort drops a shard that was begun.
func (s *shards) abort() {
	if s.w != nil {
		s.w.abort()
	}
}
