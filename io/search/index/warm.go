package index

import "context"

// Warm reads what searches and counts by some fields need into the caches, as far as there is room. Otherwise the first
// requests do.
func (x *Index) Warm(ctx context.Context, by []string) error {
	fields, err := smallsOf(by)
	if err != nil {
		return err
	}
	for _, v := range x.volumes {
		s, err := v.snapshot(ctx)
		if err == nil {
			err = s.warm(ctx, fields)
			s.close()
		}
		if err != nil {
			return x.noted(err)
		}
	}
	return nil
}

// smallsOf returns the fields with bitmaps among some.
func smallsOf(by []string) (list []small, err error) {
	for _, name := range by {
		fields, err := fieldsOf([]string{name})
		if err != nil {
			return nil, err
		}
		if k, _ := fields[0].stored(); k > 0 && k < firstList {
			list = append(list, small{kind: k})
		}
	}
	return list, nil
}

func (s *snapshot) warm(ctx context.Context, fields []small) error {
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	for _, r := range shards {
		if !s.columns.hasRoom(int64(r.rows) * 2 * bytesPerVersion) {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := s.load(ctx, r); err != nil {
			return err
		}
	}
	all, err := s.all(ctx)
	if err != nil {
		return err
	}
	for parts := range batches(all) {
		for _, f := range fields {
			// Of few values they have a byte each, of hosts mostly two.
			if !s.counted.hasRoom(int64(len(parts)) << (chunkBits + 1)) {
				return nil
			}
			if _, err := s.valueColumns(ctx, f.kind, parts); err != nil {
				return err
			}
		}
	}
	return nil
}
