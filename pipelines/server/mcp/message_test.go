package mcp

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzReadMessage: a text is a message or has an answer, never both, and the id of a call comes back as it was.
func FuzzReadMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"x","params":[]}`, `[]`, `{`, `null`,
		`{"jsonrpc":"2.0","id":"a","result":{}}`, `{"jsonrpc":"2.0","id":1e3,"method":""}`, "\xff", `{"id":-0}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, refused := readMessage(text)
		if (m == nil) == (refused == nil) {
			t.Fatalf("%q: message %v, answer %s", text, m, refused)
		}
		if refused != nil {
			var a struct{ Error struct{ Code int } }
			if err := json.Unmarshal(refused, &a); err != nil || a.Error.Code > -32600 {
				t.Errorf("%q: answer %s, %v", text, refused, err)
			}
			return
		}
		r, is := m.(*jsonrpc.Request)
		if !is || !r.IsCall() {
			return
		}
		var asked, back struct{ ID any }
		answer, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID, Result: json.RawMessage("{}")})
		if err != nil || json.Unmarshal(text, &asked) != nil || json.Unmarshal(answer, &back) != nil ||
			asked.ID != back.ID {
			t.Errorf("%q has the answer %s, %v", text, answer, err)
		}
	})
}
