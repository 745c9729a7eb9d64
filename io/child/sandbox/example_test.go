package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/child/sandbox"
)

// In a program, main begins with sandbox.Main(handler). Here TestMain does, with a handler that obeys its name.
func Example() {
	pool, err := sandbox.New(sandbox.Options{CPU: 100 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	reply, err := pool.Do(context.Background(), "echo", []byte("a document"))
	fmt.Println(string(reply), err)
	_, err = pool.Do(context.Background(), "loop", []byte("a hostile one"))
	fmt.Println(errors.Is(err, sandbox.ErrTimeout))
	reply, err = pool.Do(context.Background(), "echo", []byte("the next"))
	fmt.Println(string(reply), err)
	// Output:
	// a document <nil>
	// true
	// the next <nil>
}
