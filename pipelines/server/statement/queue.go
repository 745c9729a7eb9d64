package statement

import (
	"context"
	"sync"
	"time"
)

// queue has the turns of one kind of statements. A user has one turn at a time, so that others have theirs, and few
// places to wait.
type queue struct {
	turns, waiting chan struct{}
	own            int // places of a user
	wait           time.Duration

	mu    sync.Mutex
	users map[string]*user
}

// user is somebody with a turn, or who waits for one.
type user struct {
	turn   chan struct{}
	places int // taken
}

func newQueue(turns int, o Options) *queue {
	return &queue{
		turns: make(chan struct{}, turns), waiting: make(chan struct{}, o.Waiting), own: o.Own, wait: o.Wait,
		users: map[string]*user{},
	}
}

// enter takes one of a user's places: one for a turn, and the others to wait.
func (q *queue) enter(name string) (u *user, leave func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if u = q.users[name]; u == nil {
		u = &user{turn: make(chan struct{}, 1)}
	}
	if u.places > q.own {
		return nil, nil, ErrBusy
	}
	u.places++
	q.users[name] = u
	return u, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if u.places--; u.places == 0 {
			delete(q.users, name)
		}
	}, nil
}

// turn waits for a turn, which is held until leave is called. A user without a name has no limit.
func (q *queue) turn(ctx context.Context, name string) (leave func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, q.wait, ErrBusy)
	defer cancel()
	if name == "" {
		return q.common(ctx)
	}
	u, out, err := q.enter(name)
	if err != nil {
		return nil, err
	}
	select {
	case u.turn <- struct{}{}:
	case <-ctx.Done():
		out()
		return nil, context.Cause(ctx)
	}
	end, err := q.common(ctx)
	if err != nil {
		end = func() {}
	}
	leave = sync.OnceFunc(func() {
		end()
		<-u.turn
		out()
	})
	if err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// common waits for a turn among all users.
func (q *queue) common(ctx context.Context) (leave func(), err error) {
	leave = sync.OnceFunc(func() { <-q.turns })
	select {
	case q.turns <- struct{}{}:
		return leave, nil
	default:
	}
	select {
	case q.waiting <- struct{}{}:
		defer func() { <-q.waiting }()
	default:
		return nil, ErrBusy
	}
	select {
	case q.turns <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
