package mcp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxID bounds the id of a call, in bytes: it is repeated in the answer.
const maxID = 1024

// readMessage reads a message of JSON-RPC 2.0. Otherwise it returns the answer that the specification asks for, which
// ends nothing: the client can go on. A nil text is one that was too long.
func readMessage(text []byte) (m jsonrpc.Message, refused []byte) {
	switch {
	case text == nil:
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "the message has more than "+strconv.Itoa(maxLine)+" bytes")
	case !utf8.Valid(text):
		return nil, refusal(nil, jsonrpc.CodeParseError, "the message is not UTF-8")
	case !json.Valid(text):
		return nil, refusal(nil, jsonrpc.CodeParseError, "the message is not JSON")
	case bytes.TrimLeft(text, " \t\r\n")[0] == '[':
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "send one message at a time: batches are not read")
	}
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(text, &head) != nil {
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "a message is an object")
	}
	if !validID(head.ID) {
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest,
			"the id of a message is a text of up to "+strconv.Itoa(maxID)+" bytes or a whole number below 2^53")
	}
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, refusal(head.ID, jsonrpc.CodeInvalidRequest, "not a message of JSON-RPC 2.0: "+err.Error())
	}
	return m, nil
}

// validID reports whether an id comes back as it is: the SDK would round other numbers.
func validID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || bytes.Equal(id, []byte("null")) {
		return len(id) <= maxID
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -1<<53 < n && n < 1<<53
}
