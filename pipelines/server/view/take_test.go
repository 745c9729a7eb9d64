package view

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestTakeRequest_columns: columns come in the order of documents, each once; unknown ones are refused.
func TestTakeRequest_columns(t *testing.T) {
	for fields, want := range map[string]string{
		"":                     strings.Join(takeColumns, ","),
		"title,url":            "url,title",
		"url,url,title,status": "url,status,title",
	} {
		got, err := TakeRequest{Fields: fields}.columns()
		if err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: %v, %v, want %s", fields, got, err, want)
		}
	}
	for _, fields := range []string{"url,nothing", "quality.words", "url, entity", "custom.stars", "custom_times.a", ","} {
		if _, err := (TakeRequest{Fields: fields}).columns(); err == nil {
			t.Errorf("%q is accepted", fields)
		}
	}
}

// TestTakeRequest_call: tables have the chosen columns, and records do not.
func TestTakeRequest_call(t *testing.T) {
	r := TakeRequest{SearchRequest: SearchRequest{Collection: "c", Query: "a b&c"}, Fields: "title,url"}
	for format, want := range map[string]string{
		"csv": "url,title", "csv-bom": "url,title", "jsonl": "url,title", "parquet": "url,title", "warc": "", "wacz": "",
	} {
		u, err := url.Parse(r.file(format))
		if err != nil {
			t.Fatal(err)
		}
		v := u.Query()
		if u.Path != "/api/v1/export" || v.Get("format") != format || v.Get("query") != "a b&c" || v.Get("fields") != want {
			t.Errorf("%s: %s", format, u)
		}
	}
}

// TestNotebook: any title, search and name make a notebook whose code has the name as one text.
func TestNotebook(t *testing.T) {
	for _, name := range []string{"out.parquet", `a"b\c.parquet`, "x\n import os.parquet", "été `y` {rows}.parquet"} {
		book, err := notebook(notebookText{Title: name, Query: name, File: name, Command: "query", Path: "/p", Rows: 3})
		if err != nil {
			t.Fatal(err)
		}
		var n struct {
			Format int `json:"nbformat"`
			Cells  []struct {
				Type, ID string
				Source   []string
			}
		}
		if err := json.Unmarshal(book, &n); err != nil || n.Format != 4 || len(n.Cells) < 3 {
			t.Fatalf("%v: %s", err, book)
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		if code := strings.Join(n.Cells[1].Source, ""); !strings.Contains(code, "file = "+string(quoted)+"\n") {
			t.Errorf("%q: %s", name, code)
		}
	}
}
