package statement

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestQueue_users: a user has one turn and a few places to wait, so that others have a turn at once.
func TestQueue_users(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Own: 2, Wait: 10 * time.Second}.withDefaults()
		q := newQueue(2, o)
		take := func(name string) func() {
			t.Helper()
			leave, err := q.turn(t.Context(), name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return leave
		}
		first := take("eve")
		results := make(chan error, 4)
		for range 3 {
			go func() {
				leave, err := q.turn(t.Context(), "eve")
				if err == nil {
					defer leave()
				}
				results <- err
			}()
		}
		synctest.Wait()
		if err := <-results; !errors.Is(err, ErrBusy) {
			t.Errorf("the fourth statement of one user: %v", err)
		}
		start := time.Now()
		other := take("ada")
		if time.Since(start) > 0 {
			t.Errorf("another user waits %v", time.Since(start))
		}
		other()
		first()
		for range 2 {
			if err := <-results; err != nil {
				t.Errorf("a statement that waited: %v", err)
			}
		}
		if len(q.users) != 0 || len(q.turns) != 0 || len(q.waiting) != 0 {
			t.Errorf("%d users, %d turns and %d places are left", len(q.users), len(q.turns), len(q.waiting))
		}
	})
}

// TestQueue_leaves: users who wait too long, or leave, have no place afterwards.
func TestQueue_leaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, Options{Wait: 10 * time.Second}.withDefaults())
		first, err := q.turn(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := q.turn(t.Context(), "ada"); !errors.Is(err, ErrBusy) || time.Since(start) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := q.turn(soon, "ada"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a client that leaves: %v", err)
		}
		first()
		if leave, err := q.turn(t.Context(), "ada"); err != nil {
			t.Errorf("afterwards: %v", err)
		} else {
			leave()
		}
		if len(q.users) != 0 || len(q.turns) != 0 {
			t.Errorf("%d users and %d turns are left", len(q.users), len(q.turns))
		}
	})
}
