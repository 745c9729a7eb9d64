package index

import (
	"context"
	"database/sql"
	"slices"
)

// orders caches the numbers of all names of a kind in the order of names. They share the room of counted values.
type orders struct {
	room
	generation int64 // of the orders
	kept       map[kind][]int64
}

// get returns the order of a kind; nil if it has too many names for one. known is false if nobody has tried.
func (o *orders) get(generation int64, k kind) (order []int64, known bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	// Another generation may have names that this snapshot does not see.
	if generation != o.generation {
		return nil, false
	}
	order, known = o.kept[k]
	return order, known
}

// keep caches an order. Without room, or for nil, it records that there is none.
func (o *orders) keep(generation int64, k kind, order []int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	// A reader of an older generation must not replace newer orders.
	if generation < o.generation {
		return
	}
	if generation > o.generation || o.kept == nil {
		o.add(-o.bytes)
		o.generation, o.kept = generation, map[kind][]int64{}
	}
	if old := o.kept[k]; old != nil { // another request may have cached it
		return
	}
	size := int64(8 * len(order))
	if o.bytes+size > o.most() {
		order, size = nil, 0
	}
	o.kept[k] = order
	o.add(size)
}

// close drops all orders, and keeps none from then on.
func (o *orders) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(-o.bytes)
	o.kept, o.closed = nil, true
}

// nameOrder returns the numbers of the names of a kind in the order of names. It returns nil if they are too many.
func (s *snapshot) nameOrder(ctx context.Context, k kind) ([]int64, error) {
	if order, known := s.orders.get(s.generation, k); known {
		return order, nil
	}
	order := []int64{}
	err := each(ctx, s.index, func(rows *sql.Rows) error {
		if len(order) >= s.limits.namesInOrder {
			order = nil
			return errEnough
		}
		var id int64
		err := rows.Scan(&id)
		order = append(order, id)
		return err
	}, "select id from name where kind = ? order by value", k)
	if err != nil {
		return nil, err
	}
	order = slices.Clone(order) // without the places that growing left
	s.orders.keep(s.generation, k, order)
	return order, nil
}
