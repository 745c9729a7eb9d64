package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Bytes that packages may allocate before main begins. Every command pays for them, and every child that reads
// documents. They are counted, since times differ between machines.
const (
	mostAtStart    = 18_000_000
	mostOfOurs     = 2_600_000
	mostOfOurs1    = 520_000   // by one package of ours
	mostOfOthers1  = 2_600_000 // by one library
	fewestPackages = 300
)

// TestStart_tablesAreMadeWhenNeeded: packages make tables, templates and expressions when they are first used.
func TestStart_tablesAreMadeWhenNeeded(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--help"}, {"-h"}, {"ingest", "--no_such_flag"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
			cmd.Env = append(os.Environ(), asCommand+"=1", "GODEBUG=inittrace=1")
			var said bytes.Buffer
			cmd.Stderr = &said
			if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 2 {
				t.Fatal(err)
			}
			checkInits(t, said.Bytes())
		})
	}
}

// checkInits checks the lines of GODEBUG=inittrace=1: init PACKAGE @0.1 ms, 0.2 ms clock, 300 bytes, 4 allocs.
func checkInits(t *testing.T, trace []byte) {
	t.Helper()
	packages, all, ours := 0, 0, 0
	for lines := bufio.NewScanner(bytes.NewReader(trace)); lines.Scan(); {
		var path string
		var at, took float64
		var size int
		if n, _ := fmt.Sscanf(lines.Text(), "init %s @%f ms, %f ms clock, %d bytes", &path, &at, &took, &size); n < 4 {
			continue
		}
		packages, all = packages+1, all+size
		most := mostOfOthers1
		if strings.HasPrefix(path, "github.com/gleaner-web/") {
			ours, most = ours+size, mostOfOurs1
		}
		if size > most {
			t.Errorf("%s allocates %d bytes before main begins, want at most %d", path, size, most)
		}
	}
	t.Logf("%d packages allocate %d bytes before main begins, ours %d", packages, all, ours)
	if packages < fewestPackages {
		t.Errorf("%d packages are in the trace, want at least %d", packages, fewestPackages)
	}
	if all > mostAtStart || ours > mostOfOurs {
		t.Errorf("packages allocate %d bytes, ours %d, before main begins; want at most %d and %d", all, ours, mostAtStart,
			mostOfOurs)
	}
}
