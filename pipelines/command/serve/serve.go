// Package serve is the command that serves collections: the dashboard, the REST API, a CDX server, Memento and
// WASAPI.
//
// It is only the command line; the packages below pipelines/server do the work. See docs/serve.md and docs/api.md.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/cdxserver"
	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
	"github.com/gleaner-web/gleaner/pipelines/server/memento"
	"github.com/gleaner-web/gleaner/pipelines/server/playback"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/statement"
	"github.com/gleaner-web/gleaner/pipelines/server/thumbnail"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/pipelines/server/wasapi"

	// The buckets that collections lie in.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "serve", Brief: "show collections in a browser, and answer programs (REST, CDX, Memento)",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)) },
	Do:    serve,
	Subs: []cli.Verb{{
		Name: "user", Brief: "keep the accounts of a server", Do: user,
		Flags: func(set *flag.FlagSet) *cli.Flags { return newUserFlags(set, new(userConfig)) },
	}},
}

// thumbnailers is the number of child processes that decode images. Each may take 512 MiB for a moment.
const thumbnailers = 2

// memoryLimit is a soft limit in bytes for the garbage collector.
const memoryLimit = 768 << 20

// serve is the command. It returns the exit code and an error to show.
func serve(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	if c.export != "" {
		return export(ctx, c)
	}
	cli.SetMemoryLimit(memoryLimit)
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	// Deferred calls close in reverse order and keep errors.
	defer func() { err = errors.Join(err, store.Close()) }()
	// Collections come first, since a wrong name is a usage error.
	books, err := shelf.Open(ctx, c.collections, store, shelf.Options{
		Reserved: server.Reserved, Warm: view.Warm, Meaning: c.meaning,
	})
	if err != nil {
		return cli.ExitUsage, cli.Usagef("--collection: %v", err)
	}
	defer func() { err = errors.Join(err, books.Close()) }()
	clusters, err := c.clusters(books)
	if err != nil {
		return cli.ExitUsage, err
	}
	// The lock keeps a second server from listening.
	st, err := openState(ctx, c, store)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, st.close()) }()
	small, err := docsandbox.New(thumbnailers)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer small.Close()
	views := view.New(books, c.viewOptions(st, store, small))
	// Listening comes last, so that the first request finds everything ready.
	l, err := net.Listen("tcp", c.addr)
	if err != nil {
		return cli.ExitFailed, fmt.Errorf("--addr: %w", err)
	}
	o := server.Options{
		Views: views, Pages: newPages(views), Open: c.open, Hosts: c.hosts, Accounts: st.accounts,
		Proxies: c.proxies, Others: others(views, filepath.Join(st.dir, checksumsFile), clusters),
	}
	r, err := c.newReplayer(views, o)
	if err != nil {
		return cli.ExitFailed, errors.Join(err, l.Close())
	}
	if r != nil {
		o.Others[playback.Prefix] = r.player
	}
	// Scripts wait for this line, so the port is already open.
	if err := c.announce(ctx, l.Addr(), st); err != nil {
		return cli.ExitFailed, errors.Join(err, l.Close(), r.close())
	}
	return cli.ExitDone, c.listen(ctx, l, server.New(o), r)
}

// viewOptions says what the views have beside the collections.
func (c *config) viewOptions(st *state, store *blob.Store, small *docsandbox.Reader) view.Options {
	return view.Options{
		Thumbnails: thumbnail.New(thumbnail.Options{Make: small.Thumbnail}),
		Replay:     c.replay, Replays: c.replayOrigin != "", Store: store, Archives: c.archives, Sources: st.sources,
		Access: c.access, Saved: st.saved, Jobs: st.jobs, Forms: forms(), Inputs: c.inputs,
		Exports:    filepath.Join(st.dir, exportsDir),
		Statements: statement.New(statement.Options{Program: program, Temp: filepath.Join(st.dir, sqlDir)}),
	}
}

// listen answers at all addresses until the context ends, or one of them fails.
func (c *config) listen(ctx context.Context, l net.Listener, main http.Handler, r *replayer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	replayed := make(chan error, 1)
	if r != nil && r.listener != nil {
		go func() {
			defer cancel()
			replayed <- server.Serve(ctx, r.listener, r.handler, c.certificate)
		}()
	} else {
		replayed <- nil
	}
	err := server.Serve(ctx, server.Bounded(l, c.proxies), c.divided(r, main), c.certificate)
	cancel()
	return errors.Join(err, <-replayed)
}

// others returns the handlers of standard interfaces, by the start of their paths.
func others(v *view.Views, checksums string, clusters map[string]*cdxserver.Cluster) map[string]http.Handler {
	// Other tools expect these paths, so they cannot be below /api.
	cdx, times, files := cdxserver.New(v, clusters), memento.New(v), wasapi.New(v, checksums)
	assistants := mcp.New(v, mcp.Options{Version: cli.Release}).Handler(api.Base)
	// With and without a trailing slash: see route of package server.
	return map[string]http.Handler{
		"/cdx": cdx, "/cdx/": cdx, "/timemap/": times, "/timegate/": times, "/memento/": times, "/wasapi/": files,
		mcp.Path: assistants,
	}
}

// clusters opens the clusters of --cdx, by the names of their folders.
func (c *config) clusters(books *shelf.Shelf) (map[string]*cdxserver.Cluster, error) {
	byName := map[string]*cdxserver.Cluster{}
	for _, path := range c.cdx {
		x, err := cdxserver.OpenCluster(path)
		if err != nil {
			return nil, cli.Usagef("--cdx: %v", err)
		}
		name := path
		if filepath.Ext(name) == ".idx" {
			name = filepath.Dir(name)
		}
		if name = filepath.Base(filepath.Clean(name)); byName[name] != nil {
			return nil, cli.Usagef("--cdx: two clusters are in folders of the name %s", name)
		}
		if books.Find(name) != nil {
			return nil, cli.Usagef("--cdx: %s has the name of a collection, which it would hide: rename its folder", path)
		}
		byName[name] = x
		slog.Info("answering from an index", "cdx", path, "collection", name)
	}
	return byName, nil
}

// announce prints the server's URL, the only line on standard output, and logs who can access it.
func (c *config) announce(ctx context.Context, at net.Addr, st *state) error {
	scheme := "http"
	if c.certificate != nil {
		scheme = "https"
	}
	// The real address, because port 0 becomes another.
	cli.Say(os.Stdout, "%s://%s/\n", scheme, c.reachable(at))
	for _, name := range c.collections {
		slog.Info("showing", "collection", name)
	}
	for _, name := range missing(c.collections) {
		slog.Warn("there is no such folder: it is shown when ingest has written it (--output), or a job of this server",
			"collection", name)
	}
	slog.Info("keeping accounts and jobs", "state", st.dir)
	if c.open {
		slog.Info("no accounts: all users of this machine may see everything and start jobs; other machines have no access",
			"address", at.String())
		return nil
	}
	users, err := st.accounts.Users(ctx)
	if err != nil {
		return err
	}
	// Accounts can be added while the server runs.
	if len(users) == 0 {
		slog.Warn("there is no account yet, so nobody can log in: serve user add NAME --role=admin --state=" + st.dir)
	}
	slog.Info("visitors without an account see only the page to log in", "address", at.String(),
		"accounts", len(users))
	// A trusted proxy is assumed to speak HTTPS.
	if c.certificate == nil && len(c.proxies) == 0 {
		slog.Warn("passwords are sent unencrypted: use a certificate (--tls_cert, --tls_key), or a proxy that speaks HTTPS " +
			"(--trusted_proxies)")
	}
	return nil
}

// reachable returns an address that a browser can open. For an unspecified one, such as 0.0.0.0, it returns a
// configured host name or the machine's first address.
func (c *config) reachable(at net.Addr) string {
	tcp, is := at.(*net.TCPAddr)
	if !is || !tcp.IP.IsUnspecified() {
		return at.String()
	}
	port := strconv.Itoa(tcp.Port)
	if len(c.hosts) > 0 {
		return net.JoinHostPort(c.hosts[0], port)
	}
	if c.certificate != nil && c.certificate.Leaf != nil {
		for _, name := range c.certificate.Leaf.DNSNames {
			if !strings.Contains(name, "*") {
				return net.JoinHostPort(name, port)
			}
		}
	}
	list, _ := net.InterfaceAddrs() // if unknown, use localhost
	for _, a := range list {
		// Browsers cannot open link-local addresses.
		if n, is := a.(*net.IPNet); is && n.IP.IsGlobalUnicast() {
			return net.JoinHostPort(n.IP.String(), port)
		}
	}
	return net.JoinHostPort("localhost", port)
}

// certificateOf reads a certificate, or returns nil if none is named. A new certificate needs a restart.
func certificateOf(cert, key string) (*tls.Certificate, error) {
	if cert == "" && key == "" {
		return nil, nil
	}
	if cert == "" || key == "" {
		return nil, cli.Usagef("--tls_cert and --tls_key go together")
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, cli.Usagef("--tls_cert: %v", err)
	}
	// Only a warning: browsers will refuse it.
	if leaf := pair.Leaf; leaf != nil && time.Now().After(leaf.NotAfter) {
		slog.Warn("the certificate is out of date", "until", leaf.NotAfter)
	}
	return &pair, nil
}
