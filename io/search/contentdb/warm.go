package contentdb

import "context"

// Warm prepares the index for searches that count by some fields. Otherwise the first searches do it.
func (db *DB) Warm(ctx context.Context, by []string) error {
	if err := CheckFacets(by); err != nil {
		return err
	}
	x := db.asked()
	if x == nil {
		return nil
	}
	var names []string
	for _, name := range by {
		if one, known := indexFacets([]string{name}); known {
			names = append(names, one...)
		}
	}
	if err := x.Warm(ctx, names); err != nil && !db.lose(err) {
		return err
	}
	return nil
}
