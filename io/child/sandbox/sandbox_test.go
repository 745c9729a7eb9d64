package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// asOwner is the variable that makes the test binary a program with a pool, which a test kills.
const asOwner = "GLEANER_TEST_OWNER"

func TestMain(m *testing.M) {
	Main(misbehave)
	if os.Getenv(asOwner) != "" {
		own()
	}
	os.Exit(m.Run())
}

// handled is the number of requests that this child got. A child cannot leave notes for the next one in files.
var handled int

// misbehave is a handler that misbehaves in the way that name says.
func misbehave(name string, request []byte) []byte {
	handled++
	switch name {
	case "echo":
		return request
	case "pid":
		return strconv.AppendInt(nil, int64(os.Getpid()), 10)
	case "loop":
		for i := 0; ; i++ {
			sink = i
		}
	case "sleep":
		time.Sleep(time.Hour)
	case "hog":
		return hog(4 << 30)
	case "panic":
		panic("a fault of the parser")
	case "panic elsewhere":
		go panic("a fault of the parser")
		time.Sleep(time.Hour)
	case "recurse":
		return recurse(request)
	case "exit":
		os.Exit(0)
	case "huge reply":
		return make([]byte, 1<<30)
	case "large reply":
		return make([]byte, 2<<20)
	case "print":
		fmt.Print("a line for the programmer\n")
		return []byte("well")
	case "garbage":
		_, _ = os.NewFile(1, "replies").Write(bytes.Repeat([]byte("garbage "), 1<<16))
		return []byte("unreachable")
	case "chatter":
		for range 1000 {
			fmt.Fprint(os.Stderr, strings.Repeat("chatter ", 1000))
		}
		os.Exit(3)
	case "die if used":
		if handled > 1 {
			os.Exit(1)
		}
		return []byte("second try")
	case "surroundings":
		return surroundings()
	case "reach":
		return reach(string(request))
	}
	return nil
}

var sink int

func hog(n int) []byte {
	var kept [][]byte
	for got := 0; got < n; got += 8 << 20 {
		kept = append(kept, bytes.Repeat([]byte{1}, 8<<20))
	}
	return kept[0][:1]
}

func recurse(b []byte) []byte {
	if len(b) < 3 { // it always is
		return append(recurse(append(b, 1)[:1]), 2)
	}
	return b
}

// surroundings returns the environment of a child and the number of its processors.
func surroundings() []byte {
	var b strings.Builder
	fmt.Fprintln(&b, "environment:", strings.Join(os.Environ(), " "))
	fmt.Fprintln(&b, "processors:", runtime.GOMAXPROCS(0))
	return []byte(b.String())
}

func newPool(t testing.TB, o Options) *Pool {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func mustDo(t testing.TB, p *Pool, name string, request []byte) string {
	t.Helper()
	reply, err := p.Do(t.Context(), name, request)
	if err != nil {
		t.Fatalf("Do(%q): %v", name, err)
	}
	return string(reply)
}

// TestPool_misbehaviour: a misbehaving handler fails its own request in bounded time, and the next one is answered.
func TestPool_misbehaviour(t *testing.T) {
	tests := []struct {
		name   string
		want   error
		detail string // of the error
	}{
		{"loop", ErrTimeout, ""},
		{"sleep", ErrTimeout, ""},
		{"hog", ErrCrashed, "exit status"},
		{"panic", ErrCrashed, "a fault of the parser"},
		{"panic elsewhere", ErrCrashed, "a fault of the parser"},
		{"recurse", ErrCrashed, "exit status"},
		{"exit", ErrCrashed, "exit status 0"},
		{"huge reply", ErrCrashed, "exit status"},
		{"large reply", ErrLimit, ""},
		{"garbage", ErrCrashed, errFrame.Error()},
		{"chatter", ErrCrashed, "exit status 3 "},
	}
	patient := newPool(t, Options{Size: 1, MaxReply: 1 << 20})
	hasty := newPool(t, Options{Size: 1, CPU: 100 * time.Millisecond})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS != "linux" && (tt.name == "hog" || tt.name == "huge reply") {
				t.Skip("there is no limit on memory")
			}
			p := patient
			if tt.want == ErrTimeout {
				p = hasty
			}
			begin := time.Now()
			_, err := p.Do(t.Context(), tt.name, []byte("x"))
			if !errors.Is(err, tt.want) || !strings.Contains(fmt.Sprint(err), tt.detail) {
				t.Errorf("Do(%q) = %v, want %v with %q", tt.name, err, tt.want, tt.detail)
			}
			if n := len(fmt.Sprint(err)); n > maxTail+200 {
				t.Errorf("the error has %d bytes", n)
			}
			if d := time.Since(begin); d > time.Minute {
				t.Errorf("Do(%q) took %v", tt.name, d)
			}
			if got := mustDo(t, p, "echo", []byte("next")); got != "next" {
				t.Errorf("the next request got %q", got)
			}
		})
	}
}

func TestPool_echo(t *testing.T) {
	p := newPool(t, Options{Size: 2})
	for _, n := range []int{0, 1, 1 << 10, 1 << 20, 32 << 20} {
		want := bytes.Repeat([]byte("Gleaner "), n/8+1)[:n]
		if got := mustDo(t, p, "echo", want); got != string(want) {
			t.Errorf("echo of %d bytes gave %d other ones", n, len(got))
		}
	}
	if got := mustDo(t, p, "print", nil); got != "well" {
		t.Errorf("a handler that prints got %q through", got)
	}
}

func TestPool_refuses(t *testing.T) {
	p := newPool(t, Options{Size: 1, MaxRequest: 10})
	if _, err := p.Do(t.Context(), "echo", make([]byte, 11)); !errors.Is(err, ErrLimit) {
		t.Errorf("a request over the limit: %v, want ErrLimit", err)
	}
	if _, err := p.Do(t.Context(), strings.Repeat("n", maxName+1), nil); !errors.Is(err, ErrLimit) {
		t.Errorf("a name over the limit: %v, want ErrLimit", err)
	}
	p.Close()
	if _, err := p.Do(t.Context(), "echo", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Do after Close: %v, want ErrClosed", err)
	}
}

// TestPool_closeEndsCallsUnderWay: Close does not wait for hostile requests.
func TestPool_closeEndsCallsUnderWay(t *testing.T) {
	p := newPool(t, Options{Size: 4, CPU: 20 * time.Second})
	mustDo(t, p, "echo", nil)
	for range 3 { // concurrent calls of Close do not wait for each other forever
		time.AfterFunc(100*time.Millisecond, p.Close)
	}
	if _, err := p.Do(t.Context(), "loop", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Do = %v, want ErrClosed", err)
	}
}

// TestNew_withoutMain: a program without a call of Main gets no pool, because a child would run the whole program.
func TestNew_withoutMain(t *testing.T) {
	called.Store(false)
	defer called.Store(true)
	if _, err := New(Options{}); !errors.Is(err, ErrNoMain) {
		t.Errorf("New = %v, want ErrNoMain", err)
	}
}

func TestPool_triesAgainOnce(t *testing.T) {
	p := newPool(t, Options{Size: 1})
	used := mustDo(t, p, "pid", nil)
	if got := mustDo(t, p, "die if used", nil); got != "second try" {
		t.Errorf("got %q", got)
	}
	if mustDo(t, p, "pid", nil) == used {
		t.Error("the used child did not die")
	}
}

// TestPool_uses: a child answers several requests, up to Options.Uses.
func TestPool_uses(t *testing.T) {
	p := newPool(t, Options{Size: 1, Uses: 3})
	var pids []string
	for range 7 {
		pids = append(pids, mustDo(t, p, "pid", nil))
	}
	for i := 1; i < len(pids); i++ {
		if same := pids[i] == pids[i-1]; same != (i%3 != 0) {
			t.Errorf("requests %d and %d had the same child: %v, with 3 uses a child (%v)", i-1, i, same, pids)
		}
	}
}

func TestPool_concurrentCalls(t *testing.T) {
	p := newPool(t, Options{Size: 3, CPU: 100 * time.Millisecond})
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			name, want := "echo", error(nil)
			switch i % 10 {
			case 3:
				name, want = "loop", ErrTimeout
			case 6:
				name, want = "panic", ErrCrashed
			}
			request := fmt.Appendf(nil, "request %d", i)
			got, err := p.Do(t.Context(), name, request)
			if !errors.Is(err, want) || want == nil && !bytes.Equal(got, request) {
				t.Errorf("%s %d: %q, %v, want %v", name, i, got, err, want)
			}
		})
	}
	wg.Wait()
	if n := len(p.idle); n > 3 {
		t.Errorf("%d children, want at most 3", n)
	}
}

func TestPool_contextEnds(t *testing.T) {
	p := newPool(t, Options{Size: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.Do(ctx, "loop", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Do = %v, want the context's error", err)
	}
	if _, err := p.Do(ctx, "echo", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Do with a context that has ended = %v, want its error", err)
	}
}

// own runs a pool with an idle and a busy child, and prints their process IDs.
func own() {
	p, err := New(Options{Size: 2})
	if err != nil {
		panic(err)
	}
	idle, err := p.Do(context.Background(), "pid", nil)
	fmt.Println(string(idle), err)
	busy, err := start(p)
	if err != nil {
		panic(err)
	}
	fmt.Println(busy.cmd.Process.Pid, err)
	_, err = busy.do(context.Background(), "loop", nil)
	fmt.Println("unreachable", err)
}

func BenchmarkPool_roundTrip(b *testing.B) {
	for _, n := range []int{100, 100 << 10, 1 << 20} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			p := newPool(b, Options{Size: 1, Uses: 1 << 30})
			request := make([]byte, n)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				mustDo(b, p, "echo", request)
			}
		})
	}
}

func BenchmarkPool_start(b *testing.B) {
	p := newPool(b, Options{Size: 1, Uses: 1})
	for b.Loop() {
		mustDo(b, p, "echo", nil)
	}
}
