package jsonl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
)

func ExampleMembers() {
	line := []byte(`{"url":"http://a.example/","text":"long","tags":["x","\u00e9"],"status":200}`)
	err := jsonl.Members(line, func(name, value []byte) error {
		switch string(name) {
		case "url":
			url, err := jsonl.String(value)
			fmt.Println(url)
			return err
		case "tags":
			return jsonl.Elements(value, func(tag []byte) error {
				text, err := jsonl.String(tag)
				fmt.Println(text)
				return err
			})
		case "status":
			status, err := jsonl.Int(value)
			fmt.Println(status)
			return err
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// http://a.example/
	// x
	// é
	// 200
}

func TestMembers_damaged(t *testing.T) {
	for _, line := range []string{
		``, `[]`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":"b`, `{"a":"b\"}`, `{"a":[1}`, `{a:1}`,
		`{"a":1}x`, `{"a":1 "b":2}`,
	} {
		if err := jsonl.Members([]byte(line), func(_, _ []byte) error { return nil }); err == nil {
			t.Errorf("Members(%q): no error", line)
		}
	}
	stop := errors.New("stop")
	if err := jsonl.Members([]byte(`{"a":1}`), func(_, _ []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Members: %v, want the error of see", err)
	}
}

// FuzzMembers: of an object that encoding/json takes, Members gives the same; of all else it neither panics nor hangs.
func FuzzMembers(f *testing.F) {
	for _, line := range []string{
		`{"a":1,"b":[{"c":"}\"]"},null],"d":"\\"}`, ` { "a" : true , "b" : -1.5e3 } `, `{}`, `{"a":{}}`,
		`{"a":1,"a":"2"}`, `{"a":[`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got := map[string]string{}
		err := jsonl.Members(line, func(name, value []byte) error {
			text, err := jsonl.String(append(append([]byte{'"'}, name...), '"'))
			got[text] = string(value)
			// Neither may panic on a value that is not a list or not a number.
			_ = jsonl.Elements(value, func([]byte) error { return nil })
			_, _ = jsonl.Int(value)
			return err
		})
		if !json.Valid(line) || bytes.TrimSpace(line)[0] != '{' {
			return
		}
		var raw map[string]json.RawMessage
		if jsonErr := json.Unmarshal(line, &raw); jsonErr != nil || err != nil {
			t.Fatalf("%q: %v, json: %v", line, err, jsonErr)
		}
		want := map[string]string{}
		for name, value := range raw {
			want[name] = string(value)
		}
		if !maps.Equal(got, want) {
			t.Errorf("Members(%q) = %q, want %q", line, got, want)
		}
	})
}
