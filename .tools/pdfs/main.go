// Command pdfs prints the Markdown of PDF files, for .tools/markdown/score.py: a line of JSON with id and text for each
// file of a folder.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pdfs FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pdfs:", err)
		os.Exit(1)
	}
}

func write(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
	if err != nil {
		return err
	}
	e := json.NewEncoder(os.Stdout)
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		doc, err := pdf.Read(body, doctext.Options{})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line := struct {
			ID   string `json:"id"`
			Text string `json:"text"`
		}{filepath.Base(name), doc.Markdown()}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
