package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// dot is a PNG of one pixel, and beep a WAV file without samples.
var (
	dot, _ = base64.StdEncoding.DecodeString(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	beep = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00" +
		"\x02\x00\x10\x00data\x00\x00\x00\x00")
)

// addFixture adds the tools, resources and prompts that the conformance suite asks for. They are beside ours, in the
// same server.
func addFixture(s *sdk.Server) {
	addContents(s)
	addTexts(s)
	addTestPrompts(s)
}

func addContents(s *sdk.Server) {
	embedded := func(uri, media, text string) sdk.Content {
		return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: media, Text: text}}
	}
	image := &sdk.ImageContent{Data: dot, MIMEType: "image/png"}
	for name, content := range map[string][]sdk.Content{
		"test_simple_text":   {&sdk.TextContent{Text: "This is a simple text response for testing."}},
		"test_image_content": {image},
		"test_audio_content": {&sdk.AudioContent{Data: beep, MIMEType: "audio/wav"}},
		"test_embedded_resource": {
			embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
		},
		"test_multiple_content_types": {
			&sdk.TextContent{Text: "Multiple content types test:"}, image,
			embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
		},
	} {
		t := &sdk.Tool{Name: name, Description: "of the suite", InputSchema: json.RawMessage(`{"type":"object"}`)}
		s.AddTool(t, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: content}, nil
		})
	}
	sdk.AddTool(s, &sdk.Tool{Name: "test_error_handling", Description: "of the suite"},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return nil, nil, errors.New("this tool intentionally returns an error for testing")
		})
	s.AddTool(&sdk.Tool{
		Name: "json_schema_2020_12_tool", Description: "of the suite", InputSchema: json.RawMessage(`{
			"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
			"$defs": {"address": {"type": "object", "properties": {
				"street": {"type": "string"}, "city": {"type": "string"}}}},
			"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}}, "additionalProperties": false}`),
	}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, nil
	})
}

func addTexts(s *sdk.Server) {
	read := func(media, text string, blob []byte) sdk.ResourceHandler {
		return func(_ context.Context, q *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(q.Params.URI, "test://template/"), "/data")
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
				URI: q.Params.URI, MIMEType: media, Text: strings.ReplaceAll(text, "{id}", id), Blob: blob,
			}}}, nil
		}
	}
	s.AddResource(&sdk.Resource{URI: "test://static-text", Name: "text", MIMEType: "text/plain"},
		read("text/plain", "This is the content of the static text resource.", nil))
	s.AddResource(&sdk.Resource{URI: "test://static-binary", Name: "binary", MIMEType: "image/png"},
		read("image/png", "", dot))
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template"},
		read("application/json", `{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}`, nil))
}

func addTestPrompts(s *sdk.Server) {
	message := func(c sdk.Content) *sdk.PromptMessage { return &sdk.PromptMessage{Role: "user", Content: c} }
	add := func(name string, messages func(args map[string]string) []*sdk.PromptMessage, args ...string) {
		p := &sdk.Prompt{Name: name, Description: "of the suite"}
		for _, a := range args {
			p.Arguments = append(p.Arguments, &sdk.PromptArgument{Name: a, Description: a, Required: true})
		}
		s.AddPrompt(p, func(_ context.Context, q *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: messages(q.Params.Arguments)}, nil
		})
	}
	add("test_simple_prompt", func(map[string]string) []*sdk.PromptMessage {
		return []*sdk.PromptMessage{message(&sdk.TextContent{Text: "This is a simple prompt for testing."})}
	})
	add("test_prompt_with_arguments", func(args map[string]string) []*sdk.PromptMessage {
		text := fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"])
		return []*sdk.PromptMessage{message(&sdk.TextContent{Text: text})}
	}, "arg1", "arg2")
	add("test_prompt_with_embedded_resource", func(args map[string]string) []*sdk.PromptMessage {
		return []*sdk.PromptMessage{
			message(&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{
				URI: args["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
			}}),
			message(&sdk.TextContent{Text: "Please process the embedded resource above."}),
		}
	}, "resourceUri")
	add("test_prompt_with_image", func(map[string]string) []*sdk.PromptMessage {
		return []*sdk.PromptMessage{
			message(&sdk.ImageContent{Data: dot, MIMEType: "image/png"}),
			message(&sdk.TextContent{Text: "Please analyze the image above."}),
		}
	})
}
