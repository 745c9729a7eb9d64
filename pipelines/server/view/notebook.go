package view

import (
	"context"
	"encoding/json"
	"io"
	"strings"
)

// notebookCell is a cell of a notebook, in the form of nbformat 4.5.
type notebookCell struct {
	Type     string         `json:"cell_type"`
	ID       string         `json:"id"`
	Metadata map[string]any `json:"metadata"`
	Source   []string       `json:"source"`
	Outputs  *[]any         `json:"outputs,omitempty"`
	// Count is null in a notebook that was not run. Text has no count.
	Count *json.RawMessage `json:"execution_count,omitempty"`
}

// Notebook returns a notebook that reads the Parquet file of a search, and draws languages, types and captures over
// time.
func (v *Views) Notebook(ctx context.Context, r TakeRequest) (*Export, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	q, err := r.question()
	if err != nil {
		return nil, err
	}
	if _, err := r.columns(); err != nil {
		return nil, err
	}
	total, err := now.DB.Count(ctx, q)
	if err != nil {
		return nil, changed(err)
	}
	name := ExportRequest{SearchRequest: r.SearchRequest}.name(c.Name())
	book, err := notebook(notebookText{
		Title: c.Name(), Query: r.Query, File: name + ".parquet", Command: r.command(c.Path(), q, "parquet") +
			flagText("output", name+".parquet"), Path: r.file("parquet"), Rows: total,
	})
	if err != nil {
		return nil, err
	}
	return &Export{
		Name: name + ".ipynb", Type: "application/x-ipynb+json", Close: func() {},
		Write: func(_ context.Context, out io.Writer) (bool, error) {
			_, err := out.Write(book)
			return false, err
		},
	}, nil
}

// notebookText is what a notebook says about its file.
type notebookText struct {
	Title, Query, File, Command, Path string
	Rows                              int64
}

// notebook writes a notebook.
func notebook(t notebookText) ([]byte, error) {
	// JSON is also the form of texts in Python.
	python := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			return `""`
		}
		return string(b)
	}
	of := ""
	if t.Query != "" {
		of = " of `" + strings.ReplaceAll(t.Query, "`", "'") + "`"
	}
	// A fence in the search must not end that of the command.
	fence := "```"
	for strings.Contains(t.Command, fence) {
		fence += "`"
	}
	replace := strings.NewReplacer("{fence}", fence, "{title}", t.Title, "{of}", of, "{file}", python(t.File), "{command}",
		t.Command,
		"{path}", t.Path, "{rows}", number(t.Rows))
	null := json.RawMessage("null")
	var cells []notebookCell
	for _, c := range notebookCells {
		cell := notebookCell{
			Type: c.kind, ID: c.id, Metadata: map[string]any{}, Source: strings.SplitAfter(replace.Replace(c.text), "\n"),
		}
		if c.kind == "code" {
			cell.Outputs, cell.Count = &[]any{}, &null
		}
		cells = append(cells, cell)
	}
	return json.MarshalIndent(map[string]any{
		"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": map[string]any{
			"kernelspec":    map[string]string{"display_name": "Python 3", "language": "python", "name": "python3"},
			"language_info": map[string]string{"name": "python"},
		},
	}, "", " ")
}

// notebookCells are the cells of a notebook.
var notebookCells = []struct{ kind, id, text string }{
	{"markdown", "about", "# {title}\n\n{rows} captures{of}. This notebook reads the Parquet file of a search. " +
		"Download it from the same page, at the path `{path}`, or make it by a command:\n\n{fence}sh\ngleaner {command}\n" +
		"{fence}\n\n" +
		"It needs `pip install pandas pyarrow matplotlib`."},
	{"code", "read", `import pandas as pd
import matplotlib.pyplot as plt

file = {file}
captures = pd.read_parquet(file)
captures.info()
captures.head()`},
	{"code", "languages", `def bars(column, title, most=15):
    if column not in captures:
        print(f"the file has no column {column}")
        return
    names = captures[column].replace("", None).fillna("unknown")
    counts = names.value_counts().head(most)
    if counts.empty:
        return
    counts[::-1].plot.barh(title=title, figsize=(8, 0.35 * len(counts) + 1))
    plt.xlabel("captures")
    plt.ylabel("")
    plt.tight_layout()
    plt.show()

bars("language", "Languages")`},
	{"code", "types", `bars("mime_detected", "Media types")`},
	{"code", "hosts", `bars("host", "Hosts")`},
	{"code", "time", `if "timestamp" in captures:
    times = pd.to_datetime(captures["timestamp"], utc=True).dropna().dt.tz_localize(None)
    if len(times):
        days = (times.max() - times.min()).days
        unit = "D" if days < 90 else "M" if days < 1500 else "Y"
        counts = times.dt.to_period(unit).value_counts().sort_index()
        every = pd.period_range(counts.index.min(), counts.index.max(), freq=unit)
        counts.reindex(every, fill_value=0).plot(title="Captures over time", figsize=(8, 3))
        plt.ylabel("captures")
        plt.tight_layout()
        plt.show()`},
}
