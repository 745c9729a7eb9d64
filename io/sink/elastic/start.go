package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Version is the version of the server.
type Version struct {
	Number     string // as the server gives it: "8.17.0"
	OpenSearch bool   // otherwise Elasticsearch
	Major      int    // of the compatible Elasticsearch: 7, 8 and 9 for OpenSearch 1, 2 and 3
}

// startQuiet is the time without a message when a host neither answers nor refuses at the start.
const startQuiet = 3 * time.Second

// start asks for the version and makes the index. HEAD precedes PUT, because a user may write to an index without the
// permission to make one.
func (c *Client) start(ctx context.Context) error {
	// A message only if it takes long; failed reports refusals.
	quiet := time.AfterFunc(startQuiet, func() {
		slog.Warn(fmt.Sprintf("elastic: no host has answered yet; waiting for up to %v", c.o.StartTimeout))
	})
	a, err := c.ask(ctx, http.MethodGet, "/", nil, c.o.StartTimeout)
	quiet.Stop()
	if err != nil {
		return err
	}
	if err := c.allowed(a); err != nil {
		return err
	}
	if c.version, err = parseVersion(a.body); err != nil {
		return err
	}
	// The request depends only on the name, and is the same for all versions.
	a, err = c.ask(ctx, http.MethodHead, "/"+c.o.Index, nil, c.o.StartTimeout)
	if err != nil {
		return err
	}
	// The index exists, with its owner's mapping.
	if err := c.allowed(a); err != nil || a.status == http.StatusOK {
		return err
	}
	return c.create(ctx)
}

// create makes the index, unless another worker is faster.
func (c *Client) create(ctx context.Context) error {
	// The mapping depends on the version: types, and names of field types, have changed.
	body, err := json.Marshal(mapping(c.o.Model, c.version, c.o.Type))
	if err != nil {
		return fmt.Errorf("elastic: %w", err)
	}
	a, err := c.ask(ctx, http.MethodPut, "/"+c.o.Index, body, c.o.StartTimeout)
	if err != nil {
		return err
	}
	if err := c.allowed(a); err != nil {
		return err
	}
	// Two messages mean the same: index_already_exists_exception before Elasticsearch 6 and
	// resource_already_exists_exception since, or the name of the exception in version 1.
	if a.status != http.StatusOK && !strings.Contains(string(a.body), "already_exists") &&
		!strings.Contains(string(a.body), "IndexAlreadyExists") {
		return fmt.Errorf("elastic: the index %s cannot be made: status %d: %s", c.o.Index, a.status, excerpt(a.body))
	}
	return nil
}

// Refresh makes all documents in the index of o visible to searches. Otherwise they become visible after its
// refresh_interval, and never if that is -1. It makes no index.
func Refresh(ctx context.Context, o Options) error {
	// Its own client, because it runs when the sinks of all units are closed.
	c, err := newClient(o)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.ask(ctx, http.MethodPost, "/"+c.o.Index+"/_refresh", nil, c.o.StartTimeout)
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("elastic: the index %s cannot be refreshed: status %d: %s", c.o.Index, a.status, excerpt(a.body))
	}
	return err
}

// allowed returns an error if the server refuses us.
func (c *Client) allowed(a answer) error {
	if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden {
		return fmt.Errorf("elastic: status %d: %w: look at user and password, and whether the user may write to %s: %s",
			a.status, ErrRefused, c.o.Index, excerpt(a.body))
	}
	return nil
}

// parseVersion reads a server's answer at "/".
func parseVersion(body []byte) (Version, error) {
	var info struct {
		Version struct{ Number, Distribution string }
	}
	if err := json.Unmarshal(body, &info); err != nil {
		return Version{}, fmt.Errorf("elastic: this is no Elasticsearch or OpenSearch: %w: %s", err, excerpt(body))
	}
	v := Version{Number: info.Version.Number, OpenSearch: info.Version.Distribution == "opensearch"}
	// "8.17.0", or "3.0.0-beta1".
	parts := strings.Split(v.Number, ".")
	major, err := strconv.Atoi(parts[0])
	// At least three parts: other servers with JSON at "/" have other values there.
	if err != nil || major < 1 || len(parts) < 3 {
		return Version{}, fmt.Errorf("elastic: this is no Elasticsearch or OpenSearch: version %.50q", v.Number)
	}
	v.Major = major
	if v.OpenSearch && major < 7 { // it may claim 7.10.2 for old clients
		v.Major = major + 6
	}
	return v, nil
}
