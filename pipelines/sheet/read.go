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

// Save writes the page of the collection in f beside its manifest, as holdings.PageFile. A folder without a finished
// run gets no page.
func Save(ctx context.Context, f folder.Folder) error {
	r, err := Read(ctx, f)
	if err != nil {
		return err
	}
	// The page is at most 150 kB, so it is made in memory: a failing template keeps the earlier page.
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		return fmt.Errorf("sheet: %w", err)
	}
	if err := f.Write(holdings.PageFile, b.Bytes()); err != nil {
		return fmt.Errorf("sheet: %s: %w", holdings.PageFile, err)
	}
	return nil
}

// Read reads the input of a collection's page. It returns fs.ErrNotExist if no run has finished. A collection without
// report.json has a page without costs.
func Read(ctx context.Context, f folder.Folder) (r Run, err error) {
	if r.Manifest, err = holdings.ReadManifest(f); err != nil {
		return r, err
	}
	// The hash of the file itself, as by sha256sum, lets readers check the collection.
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
	h := sha256.New()
	_, err = io.Copy(h, in)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, in.Close())
}

// maxReport limits report.json, in bytes; only very many processes make it larger.
const maxReport = 64 << 20

func readReport(f folder.Folder) (*report.Report, error) {
	in, err := f.Open(holdings.ReportFile)
	// Not every way to make a collection leaves a report.
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // merged and adopted collections have none
	}
	if err != nil {
		return nil, err
	}
	var r report.Report
	// A longer report fails as truncated JSON.
	err = json.NewDecoder(io.LimitReader(in, maxReport)).Decode(&r)
	return &r, errors.Join(err, in.Close())
}

// maxLook limits how many rejects are searched for those to list.
const maxLook = 10_000

// someRejects returns the rejects to list: first those with lost bytes, then others, each in input order. It looks
// only at the first maxLook, since a damaged shelf may have millions.
func someRejects(ctx context.Context, f folder.Folder, m schemas.Manifest) ([]schemas.Reject, error) {
	// Two lists, so that late losses still find room.
	var losses, others []schemas.Reject
	// Over all units, so that the limit is for the collection.
	seen := 0
	for _, u := range m.Units {
		if u.Rejects == 0 {
			continue // its file need not be opened
		}
		// Rejects are streamed; at most two lists of MaxRejects are in memory.
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
		// Losses alone fill the page.
		if len(losses) == MaxRejects || seen > maxLook {
			break
		}
	}
	list := append(losses, others...)
	return list[:min(len(list), MaxRejects)], nil
}
