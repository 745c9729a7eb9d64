package job

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// failing are system calls with their errors.
var failing = []struct{ calls, errors string }{
	{"renameat,renameat2,rename", "EIO,ENOSPC,EACCES"},
	{"unlinkat,unlink", "EIO,EACCES"},
	{"fsync,fdatasync", "EIO,ENOSPC"},
	{"mkdirat", "ENOSPC,EACCES"},
	{"openat", "EIO,EMFILE,ENOSPC"},
	{"write,pwrite64", "EIO,ENOSPC"},
	{"read,pread64", "EIO"},
	{"getdents64", "EIO"},
	{"newfstatat,fstat,statx", "EIO,EACCES"},
	{"close", "EIO"},
	{"flock", "EINTR,ENOLCK"},
	{"utimensat,ftruncate", "EIO"},
}

// TestAttack01_failingSystemCalls: a run removes only what it must, even if system calls fail or the run is killed in
// one. The same command then ends like an undisturbed one. strace makes the calls fail.
func TestAttack01_failingSystemCalls(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed, which makes system calls fail")
	}
	if said, err := exec.CommandContext(t.Context(), "strace", "-f", "--seccomp-bpf", "-qq", "-o", os.DevNull,
		"true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v %s", err, said)
	}
	rounds := len(failing)
	if n, err := strconv.Atoi(os.Getenv(crashRounds)); err == nil {
		rounds = n
	}
	random := rand.New(rand.NewPCG(18, uint64(rounds)))
	var all []*prepared
	for i := range scenarios {
		all = append(all, prepare1(t, i))
	}
	hit, ended := 0, 0
	for i := range rounds {
		p, f := all[i%len(all)], failing[i%len(failing)]
		list := strings.Split(f.errors, ",")
		fault := "error=" + list[random.IntN(len(list))]
		if random.IntN(4) == 0 {
			fault = "signal=KILL"
		}
		// strace counts the calls of each thread separately, so small numbers are enough.
		when, rest := 1+random.IntN(12), random.IntN(2) == 1
		if fault += fmt.Sprintf(":when=%d", when); rest && !strings.Contains(fault, "EINTR") { // EINTR is retried
			fault += "+"
		}
		d := p.copy()
		log, err := runTraced(t, p, d, f.calls, fault)
		if strings.Contains(log, "(INJECTED)") || strings.Contains(log, "SIGKILL") {
			hit++
			if err != nil {
				ended++
			}
		}
		p.check(d, fmt.Sprintf("%s, %s of %s", p.name, fault, f.calls))
	}
	t.Logf("in %d of %d runs calls failed, of which %d ended by it", hit, rounds, ended)
	if hit == 0 {
		t.Error("nothing failed")
	}
}

// runTraced runs a scenario under strace, and returns the log of the calls.
func runTraced(t *testing.T, p *prepared, d days, calls, fault string) (log string, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log")
	trace := []string{
		"-f", "--seccomp-bpf", "-qq", "-o", name, "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + fault, os.Args[0],
	}
	cmd := exec.CommandContext(t.Context(), "strace", trace...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d|0|%s|%s", asCrash, p.number, d.root, d.out))
	_, err = cmd.CombinedOutput()
	data, readErr := os.ReadFile(name)
	if readErr != nil {
		t.Fatal(readErr)
	}
	return string(data), err
}
