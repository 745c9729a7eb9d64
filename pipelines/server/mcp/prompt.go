package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// citing ends each prompt.
const citing = "\n\nCite each statement by URL, capture time, archive and offset, with the link to the page or its " +
	"replay if there is one. Quote briefly and exactly. Say what the archive does not show: a collection is a " +
	"sample of the web. " + notice

// task is a prompt: a question that needs several tools.
type task struct {
	name, title, text string
	arguments         []*sdk.PromptArgument
	steps             func(arg func(string) string) string
}

// argument describes an argument of a prompt.
func argument(name, text string, required bool) *sdk.PromptArgument {
	return &sdk.PromptArgument{Name: name, Description: text, Required: required}
}

var tasks = []task{
	{
		name: "what_was_said", title: "What pages said about a subject",
		text: "What pages said about a subject in a period, with citations.",
		arguments: []*sdk.PromptArgument{
			argument("subject", "what to look for", true), argument("from", "begin of the period: 2020-03", false),
			argument("to", "end of the period: 2020-06", false), argument("collection", "name of a collection", false),
		},
		steps: func(arg func(string) string) string {
			return "What did pages say about " + arg("subject") + span(arg) + in(arg) + "?\n\n" +
				"1. Use the tool search with several wordings, also in other languages of the collection (tool facets by " +
				"language). Use from and to for the period.\n" +
				"2. Read the best hits of different hosts with the tool page; follow its parts if the answer needs them.\n" +
				"3. Use the tool trends to see when it was written about.\n" +
				"4. Group what was said, and name who says it."
		},
	},
	{
		name: "how_it_changed", title: "How a page changed",
		text: "How a page changed between captures, with citations.",
		arguments: []*sdk.PromptArgument{
			argument("url", "URL of the page", true), argument("from", "begin of the period: 2020-03", false),
			argument("to", "end of the period: 2020-06", false), argument("collection", "name of a collection", false),
		},
		steps: func(arg func(string) string) string {
			return "How did the page " + arg("url") + " change" + span(arg) + in(arg) + "?\n\n" +
				"1. Use the tool versions to list its captures; those with the change \"same\" need not be read.\n" +
				"2. Use the tool compare for each pair of versions that differ.\n" +
				"3. Describe the changes in the order of time: what was added, removed or replaced."
		},
	},
	{
		name: "who_links", title: "Pages that link to or report on something",
		text: "Which pages and sources link to a page or host, or report on a subject, with citations.",
		arguments: []*sdk.PromptArgument{
			argument("what", "URL of a page, a host, or a subject", true),
			argument("from", "begin of the period: 2020-03", false), argument("to", "end of the period: 2020-06", false),
			argument("collection", "name of a collection", false),
		},
		steps: func(arg func(string) string) string {
			return "Which pages link to or report on " + arg("what") + span(arg) + in(arg) + "?\n\n" +
				"1. For a page, use the tool links with url; for a host, with to_host. Prefer links of the place main.\n" +
				"2. Use the tool search for its name, and the tool facets by host for who writes most.\n" +
				"3. Use the tool sources with site for these hosts: whether they are real and alive.\n" +
				"4. List these pages and sources, how they call it, and since when."
		},
	},
}

// span is the period of a prompt in words.
func span(arg func(string) string) string {
	text := ""
	if arg("from") != "" {
		text += " from " + arg("from")
	}
	if arg("to") != "" {
		text += " until " + arg("to")
	}
	return text
}

// in is the collection of a prompt in words.
func in(arg func(string) string) string {
	if arg("collection") == "" {
		return ""
	}
	return ", in the collection " + arg("collection")
}

// mostArgument bounds an argument of a prompt, in bytes.
const mostArgument = 1000

// addPrompts adds the prompts.
func (s *Server) addPrompts() {
	for _, t := range tasks {
		p := &sdk.Prompt{Name: t.name, Title: t.title, Description: t.text, Arguments: t.arguments}
		s.sdk.AddPrompt(p, func(_ context.Context, q *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			for _, a := range t.arguments {
				if a.Required && strings.TrimSpace(q.Params.Arguments[a.Name]) == "" {
					return nil, fmt.Errorf("the prompt %s needs the argument %s: %s", t.name, a.Name, a.Description)
				}
			}
			arg := func(name string) string { return string(short(q.Params.Arguments[name], mostArgument)) }
			return &sdk.GetPromptResult{Description: t.text, Messages: []*sdk.PromptMessage{
				{Role: "user", Content: &sdk.TextContent{Text: t.steps(arg) + citing}},
			}}, nil
		})
	}
}

// complete suggests values of arguments: names of collections.
func (s *Server) complete(ctx context.Context, q *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	r := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	if q.Params.Argument.Name != "collection" || view.Need(ctx, view.Viewer) != nil {
		return r, nil
	}
	for _, name := range s.views.NamesFor(ctx) {
		// The protocol allows a hundred values.
		if strings.HasPrefix(name, q.Params.Argument.Value) && len(r.Completion.Values) < 100 {
			r.Completion.Values = append(r.Completion.Values, name)
		}
	}
	r.Completion.Total = len(r.Completion.Values)
	return r, nil
}
