package mcp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
)

// opening are the first two messages of an assistant.
const opening = `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// answered is a message of the server.
type answered struct {
	ID    json.RawMessage
	Error struct {
		Code    int
		Message string
	}
}

// converse writes a text to a server, and returns its messages until it ends.
func converse(t *testing.T, text string) (list []answered) {
	t.Helper()
	s := mcp.New(viewsOf(t, deposit(t, "out", harbour)), mcp.Options{Version: "test"})
	var out bytes.Buffer
	if err := s.Serve(t.Context(), io.NopCloser(strings.NewReader(text)), closing{&out}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var a answered
		if err := json.Unmarshal([]byte(line), &a); err != nil || !strings.Contains(line, `"jsonrpc":"2.0"`) {
			t.Fatalf("%v: %q", err, line)
		}
		list = append(list, a)
	}
	return list
}

// closing is a writer with a Close that does nothing.
type closing struct{ io.Writer }

func (closing) Close() error { return nil }

// TestServe_mistakes: a line that is not a message has the error of JSON-RPC 2.0 as its answer, and the next line is
// answered.
func TestServe_mistakes(t *testing.T) {
	const parse, invalid, method = -32700, -32600, -32601
	for _, c := range []struct {
		name, line string
		code       int
		id         string
	}{
		{"half an object", `{"jsonrpc":"2.0","id":7,"method":`, parse, "null"},
		{"words", `hello`, parse, "null"},
		{"two objects", `{"jsonrpc":"2.0","id":7,"method":"ping"}{}`, parse, "null"},
		{"NUL", "\x00", parse, "null"},
		{"byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":7,"method":"ping"}`, parse, "null"},
		{"not UTF-8", `{"jsonrpc":"2.0","id":"` + "\xff" + `","method":"ping"}`, parse, "null"},
		{"half a surrogate in UTF-8", `{"jsonrpc":"2.0","id":"` + "\xed\xa0\x80" + `","method":"ping"}`, parse, "null"},
		{"too long", `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", 5<<20) + `"}`, invalid, "null"},
		{"too long and not JSON", strings.Repeat("[", 9<<20), invalid, "null"},
		{"deep", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 5000) +
			strings.Repeat("]", 5000) + `}`, invalid, "7"},
		{"number", `7`, invalid, "null"},
		{"text", `"ping"`, invalid, "null"},
		{"null", `null`, invalid, "null"},
		{"batch", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, invalid, "null"},
		{"empty batch", `[]`, invalid, "null"},
		{"no version", `{"id":7,"method":"ping"}`, invalid, "7"},
		{"other version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, invalid, "7"},
		{"no method", `{"jsonrpc":"2.0"}`, invalid, "null"},
		{"method is a number", `{"jsonrpc":"2.0","id":7,"method":1}`, invalid, "7"},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, invalid, "null"},
		{"id is rounded by floats", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, invalid, "null"},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, invalid, "null"},
		{"id is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, invalid, "null"},
		{"id is long", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 2000) + `","method":"ping"}`, invalid, "null"},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"mallory"}`, method, "7"},
		{"empty method", `{"jsonrpc":"2.0","id":7,"method":""}`, method, "7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := converse(t, opening+c.line+"\n"+`{"jsonrpc":"2.0","id":8,"method":"tools/list"}`+"\n")
			if len(got) != 3 {
				t.Fatalf("%d answers: %+v", len(got), got)
			}
			// Calls are answered in any order.
			found := map[string]int{}
			for _, a := range got {
				found[string(a.ID)] = a.Error.Code
			}
			if code, is := found[c.id]; !is || code != c.code {
				t.Errorf("answers %v, want id %s with %d", found, c.id, c.code)
			}
			if code, is := found["8"]; !is || code != 0 {
				t.Errorf("the next call has no answer: %v", found)
			}
		})
	}
}

// TestServe_silent: what needs no answer has none, and ends nothing.
func TestServe_silent(t *testing.T) {
	for name, line := range map[string]string{
		"blank lines":            "\n \r\n\t",
		"notification":           `{"jsonrpc":"2.0","method":"notifications/mallory"}`,
		"cancels nothing":        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		"cancels in a bad way":   `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		"answer to nothing":      `{"jsonrpc":"2.0","id":4,"result":{}}`,
		"error to nothing":       `{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"x"}}`,
		"a second time":          `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"carriage returns alone": "\r\r\r",
	} {
		t.Run(name, func(t *testing.T) {
			// The last line has no end.
			got := converse(t, opening+line+"\n"+`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
			if len(got) != 2 || string(got[1].ID) != "8" || got[1].Error.Code != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestServe_early: calls before initialize are refused, ping is not, and initialize works afterwards.
func TestServe_early(t *testing.T) {
	got := converse(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n"+opening+`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`+"\n")
	found := map[string]bool{}
	for _, a := range got {
		found[string(a.ID)] = a.Error.Message == ""
	}
	if len(got) != 4 || found["1"] || !found["2"] || !found[`"open"`] || !found["3"] {
		t.Errorf("%+v", got)
	}
}

// TestServe_unread: an assistant that sends calls and reads no answers is not read from any more after a while. When it
// reads, all calls are answered.
func TestServe_unread(t *testing.T) {
	s := mcp.New(viewsOf(t, deposit(t, "out", harbour)), mcp.Options{Version: "test"})
	in, send := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(t.Context(), in, out) }()
	const calls = 3000
	sent := make(chan int, calls+1)
	go func() {
		defer func() { _ = send.Close() }()  // of a pipe in memory
		_, _ = io.WriteString(send, opening) // the answers show a failure
		for i := range calls {
			if _, err := fmt.Fprintf(send, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i); err != nil {
				return
			}
			sent <- i
		}
	}()
	// Buffers take some lines, a bounded number of them.
	last := -1
	for quiet := false; !quiet; {
		select {
		case last = <-sent:
		case <-time.After(time.Second):
			quiet = true
		}
	}
	if last > 2000 {
		t.Errorf("%d calls were taken while no answer was read", last)
	}
	n := 0
	lines := bufio.NewScanner(read)
	lines.Buffer(nil, 1<<20)
	for n < calls+1 && lines.Scan() {
		n++
	}
	if err := <-ended; err != nil || n != calls+1 {
		t.Errorf("%d answers, %v", n, err)
	}
}

// TestServe_sameID: of two calls at once with the same id one is answered, and the other refused.
func TestServe_sameID(t *testing.T) {
	calls := ""
	for range 50 {
		calls += `{"jsonrpc":"2.0","id":8,"method":"tools/list"}` + "\n"
	}
	got := converse(t, opening+calls)
	answers := 0
	for _, a := range got { // errors may come before the answer to the opening
		switch {
		case string(a.ID) == `"open"`:
		case string(a.ID) == "8" && a.Error.Code == 0:
			answers++
		case string(a.ID) != "null" || a.Error.Code != -32600:
			t.Errorf("%+v", a)
		}
	}
	if len(got) != 51 || answers == 0 {
		t.Errorf("%d answers, %d of them good", len(got), answers)
	}
}

// TestServe_gone: the command ends if nobody can read its answers any more.
func TestServe_gone(t *testing.T) {
	s := mcp.New(viewsOf(t, deposit(t, "out", harbour)), mcp.Options{Version: "test"})
	in, send := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(t.Context(), in, out) }()
	go func() {
		_, _ = io.WriteString(send, opening) // the server may have ended
		for i := range 100 {
			if _, err := fmt.Fprintf(send, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i); err != nil {
				return
			}
		}
	}()
	if _, err := bufio.NewReader(read).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		t.Log("ended with", err)
	case <-time.After(time.Minute):
		t.Error("the server waits for calls that nobody can answer")
	}
}
