package servertest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestProcess(t *testing.T) {
	Need(t, "sh")
	p := Start(t, exec.Command("sh", "-c", "echo ready; exec sleep 600"))
	p.AwaitLine("ready", time.Minute)
	p.Kill()
	p.Kill()
	Start(t, exec.Command("sleep", "600")).Stop()
}

// TestStart_guard: a server does not outlive the process that started it. It holds one end of a pipe.
func TestStart_guard(t *testing.T) {
	Need(t, "sh")
	const child = "SERVERTEST_CHILD"
	if os.Getenv(child) != "" {
		cmd := exec.Command("sh", "-c", "echo ready; exec sleep 600")
		cmd.ExtraFiles = []*os.File{os.NewFile(3, "pipe")}
		Start(t, cmd).AwaitLine("ready", time.Minute)
		fmt.Println("started")
		select {} // until it is killed
	}
	alive, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestStart_guard")
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.ExtraFiles = []*os.File{end}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := end.Close(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("the child wrote %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	if err := alive.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := alive.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the server still runs: %v", err)
	}
}
