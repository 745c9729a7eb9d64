//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func init() {
	writeToClosedSocket = func() error {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err == nil {
			err = syscall.Close(pair[1])
		}
		if _, failed := syscall.Write(pair[0], []byte("x")); failed != syscall.EPIPE {
			err = errors.Join(err, fmt.Errorf("a socket whose other end is closed: %v", failed))
		}
		return err
	}
}

// TestMain_socketCloses: SIGPIPE of a socket is not mistaken for one of the output.
func TestMain_socketCloses(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "RUN_TEST_COMMAND=sockets")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
