package sheet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// Save writes the page of the collection in f beside its manifest, as holdings.PageFile, in place of an earlier one.
// The manifest is read before anything is written: a folder without a finished run gets no page.
func Save(ctx context.Context, f folder.Folder) error {
	r, err := Read(ctx, f)
	if err != nil {
		return err
	}
	// The page is made whole in memory, which its bound of 150 kB allows, so that a template that
	// fails leaves the earlier page as it is.
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		return fmt.Errorf("sheet: %w", err)
	}
	if err := f.Write(holdings.PageFile, b.Bytes()); err != nil {
		return fmt.Errorf("sheet: %s: %w", holdings.PageFile, err)
	}
	return nil
}

// Read reads what the page of a collection is made of. A folder in which no run has finished is fs.ErrNotExist. A
// collection without a report.json has a page without costs.
func Read(ctx context.Context, f folder.Folder) (r Run, err error) {
	if r.Manifest, err = holdings.ReadManifest(f); err != nil {
		return r, err
	}
	// The hash is of the file's own bytes, as sha256sum gives it, and not of the manifest written
	// again: a reader can check which collection the page is of.
	if r.SHA256, err = hashOf(f, holdings.ManifestFile); err != nil {
		return r, fmt.Errorf("sheet: %w", err)
	}
	if r.Report, err = readReport(f); err != nil {
		return r, fmt.Errorf("sheet: %s: %w", holdings.ReportFile, err)
	}
	if r.Rejects, err = someRejects(ctx, f, r.Manifest); err != nil {
		return r, fmt.Errorf("sheet: %w", err)
	}
	return r, nil
}

func hashOf(f folder.Folder, name string) (string, error) {
	in, err := f.Open(name)
	if err != nil {
		return "", err
	}
	// Streamed, so that a manifest of any size costs no memory.
	h := sha256.New()
	_, err = io.Copy(h, in)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, in.Close())
}

// maxReport bounds report.json, which is larger only with very many processes.
const maxReport = 64 << 20

func readReport(f folder.Folder) (*report.Report, error) {
	in, err := f.Open(holdings.ReportFile)
	// A report is of one run on one machine, and not every way to make a collection has one.
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // none is no error: merged and adopted collections have none
	}
	if err != nil {
		return nil, err
	}
	var r report.Report
	// A report beyond the bound ends early, and fails as JSON that is cut.
	err = json.NewDecoder(io.LimitReader(in, maxReport)).Decode(&r)
	return &r, errors.Join(err, in.Close())
}

// maxLook is how many rejects are looked at for those to list.
const maxLook = 10_000

// someRejects are the rejects that the page lists: those by which bytes were lost before others, each in the order of
// the input. Only the first maxLook are looked at, since a damaged shelf may have millions.
func someRejects(ctx context.Context, f folder.Folder, m schemas.Manifest) ([]schemas.Reject, error) {
	// Two lists, since losses may come late: others must not have taken their places by then.
	var losses, others []schemas.Reject
	// Counted over all units, so that the bound is of the whole collection.
	seen := 0
	for _, u := range m.Units {
		if u.Rejects == 0 {
			continue // its file need not be opened
		}
		// Rejects are streamed from the shards of one unit at a time; at most two lists of MaxRejects
		// are held.
		for r, err := range (holdings.Part{Folder: f, Shards: u.Shards}).Rejects(ctx) {
			if err != nil {
				return nil, err
			}
			if seen++; seen > maxLook {
				break
			}
			switch {
			case r.Lost > 0 && len(losses) < MaxRejects:
				losses = append(losses, r)
			case r.Lost == 0 && len(others) < MaxRejects:
				others = append(others, r)
			}
		}
		// Once losses alone fill the page, others would not be listed anyway.
		if len(losses) == MaxRejects || seen > maxLook {
			break
		}
	}
	list := append(losses, others...)
	return list[:min(len(list), MaxRejects)], nil
}
