package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPool_childThatCannotStart is an error of the machine, and not of the request.
func TestPool_childThatCannotStart(t *testing.T) {
	p := newPool(t, Options{Size: 1, Memory: 1 << 20})
	if _, err := p.Do(t.Context(), "echo", nil); !errors.Is(err, ErrStart) || errors.Is(err, ErrCrashed) {
		t.Errorf("with 1 MiB of memory: %v, want ErrStart", err)
	}
}

// TestPool_busyMachine: only the child's CPU time counts, so a child that waits gets more time.
func TestPool_busyMachine(t *testing.T) {
	p := newPool(t, Options{Size: 1, CPU: 100 * time.Millisecond})
	pid, err := strconv.Atoi(mustDo(t, p, "pid", nil))
	if err != nil {
		t.Fatal(err)
	}
	signal := func(s syscall.Signal) {
		if err := syscall.Kill(pid, s); err != nil {
			t.Error(err)
		}
	}
	signal(syscall.SIGSTOP)
	defer time.AfterFunc(time.Second, func() { signal(syscall.SIGCONT) }).Stop()
	if got := mustDo(t, p, "echo", []byte("late")); got != "late" {
		t.Errorf("got %q", got)
	}
}

func TestChild_surroundings(t *testing.T) {
	t.Setenv("GLEANER_TEST_SECRET", "hidden")
	secret, err := os.Open("sandbox_test.go")
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	p := newPool(t, Options{Size: 1})
	got := mustDo(t, p, "surroundings", nil) + openFiles(t, mustDo(t, p, "pid", nil))
	for line := range strings.Lines(got) {
		what, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		ok := false
		switch what {
		case "environment":
			ok = value == memoryVariable+"=536870912 GOMAXPROCS=1 GOTRACEBACK=none"
		case "open":
			// The runtime looks at the limits of its control group, and waits with an anonymous file.
			ok = value == "pipe" || value == "anon_inode" || strings.HasPrefix(value, "/sys/fs/cgroup/") ||
				strings.HasPrefix(value, "/proc/")
		case "processors":
			ok = value == "1"
		}
		if !ok {
			t.Errorf("a child has %s", line)
		}
	}
	if strings.Count(got, "open: pipe") < 3 {
		t.Errorf("the child's surroundings were not seen: %s", got)
	}
}

// openFiles lists the open files of a process, one per line.
func openFiles(t *testing.T, pid string) string {
	t.Helper()
	open, err := os.ReadDir("/proc/" + pid + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range open {
		if to, err := os.Readlink("/proc/" + pid + "/fd/" + f.Name()); err == nil {
			kind, _, _ := strings.Cut(to, "[")
			fmt.Fprintln(&b, "open:", strings.TrimSuffix(kind, ":"))
		}
	}
	return b.String()
}

// TestPool_ownerKilled: children die with their parent, even if it is killed.
func TestPool_ownerKilled(t *testing.T) {
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), asOwner+"=1")
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	var pids [2]int
	for i := range pids {
		var none string
		if _, err := fmt.Fscanln(out, &pids[i], &none); err != nil || none != "<nil>" {
			t.Fatalf("the owner's line %d: %v, %q", i, err, none)
		}
		if !alive(pids[i]) {
			t.Errorf("child %d is not there", i)
		}
	}
	time.Sleep(50 * time.Millisecond) // it should be in its loop; if it is not, the test is easier
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait() // killed
	for _, pid := range pids {
		if !gone(pid) {
			t.Errorf("child %d outlived its parent", pid)
		}
	}
}

// TestPool_closeLeavesNone: after Close there is no child, and no zombie.
func TestPool_closeLeavesNone(t *testing.T) {
	p := newPool(t, Options{Size: 2})
	pid, err := strconv.Atoi(mustDo(t, p, "pid", nil))
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if alive(pid) {
		t.Errorf("child %d is there after Close", pid)
	}
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

// gone waits until a process that is not our child has ended. A zombie has ended too: its new parent has not yet
// waited for it.
func gone(pid int) bool {
	for range 100 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}
