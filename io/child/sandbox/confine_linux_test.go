package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// attempts are what an attacker's code would try in a child. All are harmless even if the test fails and nothing stops
// them: their arguments are invalid, or they touch only the test's own file.
var attempts = map[string]func(about string) error{
	"open a file": func(name string) error { _, err := os.ReadFile(name); return err },
	"open by number": func(string) error {
		_, err := unix.Openat2(unix.AT_FDCWD, "/etc/passwd",
			&unix.OpenHow{})
		return err
	},
	"make a file":    func(string) error { return os.WriteFile(os.TempDir()+"/gleaner-sandbox-test", nil, 0o600) },
	"remove a file":  os.Remove,
	"rename a file":  func(name string) error { return os.Rename(name, name+"2") },
	"list a folder":  func(string) error { _, err := os.ReadDir("/"); return err },
	"look at a file": func(name string) error { _, err := os.Stat(name); return err },
	"change folder":  func(string) error { return os.Chdir("/") },
	"resolve a name": func(string) error {
		if _, err := net.LookupHost("example.org"); err == nil {
			return nil
		}
		return unix.EPERM // without a socket, net returns another error
	},
	"connect":        func(string) error { _, err := net.Dial("tcp", "127.0.0.1:80"); return err },
	"listen":         func(string) error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
	"unix socket":    func(string) error { _, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err },
	"netlink socket": func(string) error { _, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0); return err },
	"socket pair": func(string) error {
		_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM,
			0)
		return err
	},
	"run a program":         func(string) error { return exec.Command("/bin/true").Run() },
	"run itself":            func(string) error { return rawCall(unix.SYS_EXECVEAT) },
	"clone":                 func(string) error { return rawCall(unix.SYS_CLONE, unix.CLONE_SIGHAND) }, // invalid without CLONE_VM
	"kill":                  func(string) error { return unix.Kill(os.Getppid(), 0) },
	"trace":                 func(string) error { return unix.PtraceAttach(1 << 30) },
	"read memory":           func(string) error { return rawCall(unix.SYS_PROCESS_VM_READV, uintptr(os.Getppid())) },
	"ring":                  func(string) error { return rawCall(unix.SYS_IO_URING_SETUP, 1) },
	"program in the kernel": func(string) error { return rawCall(unix.SYS_BPF) },
	"new namespace":         func(string) error { return unix.Unshare(0) },
	"mount":                 func(name string) error { return unix.Mount("none", name+"/none", "tmpfs", 0, "") },
	"raise a limit":         func(string) error { return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1, Max: 1}) },
}

func rawCall(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if r, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 || r == 0 {
		return errno
	}
	return nil
}

// reach tries all attempts, in old and new threads, and returns a line for each that succeeds.
func reach(about string) []byte {
	var mu sync.Mutex
	var b strings.Builder
	var threads sync.WaitGroup
	for range 4 {
		threads.Go(func() {
			runtime.LockOSThread() // without unlocking, so each goroutine gets a thread of its own
			for name, try := range attempts {
				if err := try(about); !strings.Contains(fmt.Sprint(err), "operation not permitted") {
					mu.Lock()
					fmt.Fprintf(&b, "%s: %v\n", name, err)
					mu.Unlock()
				}
			}
		})
	}
	threads.Wait()
	return []byte(b.String())
}

// TestAttack13_childrenReachNothing: code in a child can open no file, make no socket and start no program, in any
// thread. Without seccomp in the kernel there is nothing to test.
func TestAttack13_childrenReachNothing(t *testing.T) {
	if mode, err := os.ReadFile("/proc/sys/kernel/seccomp/actions_avail"); err != nil {
		t.Skipf("no seccomp here: %v", err)
	} else if !strings.Contains(string(mode), "errno") {
		t.Skipf("seccomp has no errno: %s", mode)
	}
	victim := t.TempDir() + "/file"
	if err := os.WriteFile(victim, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, Options{Size: 1})
	if got := mustDo(t, p, "reach", []byte(victim)); got != "" {
		t.Errorf("a child can:\n%s", got)
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
	if got := mustDo(t, p, "echo", []byte("still there")); got != "still there" {
		t.Errorf("and then it answers %q", got)
	}
}
