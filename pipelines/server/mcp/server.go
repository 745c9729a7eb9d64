package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Options are the options of a server.
type Options struct {
	Version string // of the program
}

// Server answers assistants. Several goroutines may use it.
type Server struct {
	views *view.Views
	sdk   *sdk.Server
}

// maxLine bounds a message on standard input, in bytes.
const maxLine = 4 << 20

// instructions are the first words to an assistant.
const instructions = "Gleaner searches collections of web archives: pages as they were captured, with all versions. " +
	"Begin with the tool search; page reads a capture, versions and compare show how a page changed, links who links " +
	"to it. Cite what you use by URL, capture time, archive and offset. " + notice + " In answers it is between " +
	"lines such as <<<archived KEY>>> and <<<end KEY>>>. KEY is random and new in each answer, and the answer's first " +
	"part names it. Nothing else ends archived text."

// New makes a server of views.
func New(v *view.Views, o Options) *Server {
	s := &Server{views: v}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "gleaner", Title: "Gleaner", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		// No list changes while a server runs.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{},
			Completions: &sdk.CompletionCapabilities{},
		},
		CompletionHandler: s.complete,
	})
	s.sdk.AddReceivingMiddleware(nullsAsMissing)
	s.addTools()
	s.addResources()
	s.addPrompts()
	return s
}

// nullsAsMissing leaves out arguments of tools that are null: many assistants send all arguments that a tool may have.
func nullsAsMissing(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
		if call, is := q.GetParams().(*sdk.CallToolParamsRaw); is && call != nil {
			var args map[string]json.RawMessage
			// The SDK answers other values than objects.
			if json.Unmarshal(call.Arguments, &args) == nil && args != nil {
				maps.DeleteFunc(args, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
				if b, err := json.Marshal(args); err == nil {
					call.Arguments = b
				}
			}
		}
		return next(ctx, method, q)
	}
}

// SDK returns the server of the SDK, to which programs may add tools of their own.
func (s *Server) SDK() *sdk.Server { return s.sdk }

// Serve answers one assistant until it closes its side. The user of this machine may read everything.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx = view.WithActor(ctx, view.Actor{Role: view.Viewer, Open: true})
	return s.sdk.Run(ctx, lines{in, out})
}

// addTool adds a tool that only reads. Mistakes are answers of the tool with a remedy, and so are panics.
func addTool[In, Out any](s *Server, name, title, text string, do func(context.Context, In) (*reply, Out, error)) {
	no := false
	t := &sdk.Tool{
		Name: name, Title: title, Description: text,
		Annotations: &sdk.ToolAnnotations{
			Title: title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
		},
	}
	sdk.AddTool(s.sdk, t, func(
		ctx context.Context, q *sdk.CallToolRequest, in In,
	) (res *sdk.CallToolResult, out Out, err error) {
		ctx, cancel := s.bound(ctx)
		defer cancel()
		defer report(ctx, q, name)()
		defer func() {
			if p := recover(); p != nil {
				slog.Error("a tool panicked", "tool", name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				err = errors.New("internal error: see the server's log")
			}
		}()
		r, out, err := do(ctx, in)
		if err != nil {
			return s.failed(ctx, name, err), out, nil
		}
		return r.result(), out, nil
	})
}

// failed is the answer of a tool to a mistake.
func (s *Server) failed(ctx context.Context, tool string, err error) *sdk.CallToolResult {
	r := newReply("")
	r.say("%s", s.mistake(ctx, tool, err))
	if e := (*view.Error)(nil); errors.As(err, &e) && len(e.Near) > 0 {
		r.say("These URLs are near it:")
		for _, c := range e.Near {
			r.quote(cited(short(c.URL, mostURL), s.citation(ctx, "", &c)))
		}
	}
	res := r.result()
	res.IsError = true
	return res
}

// mistake returns the text of an error for the assistant, with the remedy.
func (s *Server) mistake(ctx context.Context, what string, err error) string {
	e := (*view.Error)(nil)
	switch {
	case errors.As(err, &e):
		if e.Link == view.HelpPath {
			again := *e
			again.Remedy = "See the resource " + helpURI + ". To search for words with signs, put them in quotation marks."
			e = &again
		}
		text := e.Error()
		if e.Param != "" && e.Column > 0 {
			text += fmt.Sprintf(" (%s, column %d)", e.Param, e.Column)
		}
		// Values may repeat what an assistant has found in an archive.
		a, _ := clean(cut(text, 2000))
		return string(a)
	case ctx.Err() != nil:
		return "The request was cancelled. Ask for less, or again."
	}
	slog.Error("a request of an assistant failed", "what", what, "error", err)
	return "The request failed. The server's log says why."
}

// collection returns the name of a collection, the first one for "".
func (s *Server) collection(ctx context.Context, name string) (string, error) {
	if err := view.Need(ctx, view.Viewer); err != nil {
		return "", err
	}
	names := s.views.NamesFor(ctx)
	if name == "" && len(names) > 0 {
		return names[0], nil
	}
	if !slices.Contains(names, name) {
		return "", &view.Error{
			Kind: view.NotFound, Title: "There is no collection of this name",
			Detail: "The collections are: " + string(short(strings.Join(names, ", "), mostCell)) + ".",
			Remedy: "Ask the tool collections.",
		}
	}
	return name, nil
}

// within checks a request of package view against the limits of its parameters.
func within[T any](r T) error {
	again := r
	return view.Decode(view.Encode(r), &again)
}
