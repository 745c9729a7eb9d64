package serve

import (
	"crypto/tls"
	"errors"
	"flag"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/meaningmodel"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/access"
)

// config is the command line.
type config struct {
	named       []string // --collection
	collections []string
	addr        string
	export      string // folder for pages; "" to serve
	archives    string
	meaning     string
	replay      string
	// replayOrigin is an address to listen at, or a URL.
	replayOrigin string
	hosts        []string
	certFile     string
	keyFile      string
	certificate  *tls.Certificate
	state        string
	accessFile   string // --access
	access       *access.File
	sources      string
	cdx          []string // --cdx
	inputs       string
	trusted      []string // --trusted_proxies
	proxies      []netip.Prefix
	// open means no accounts. The address alone decides, so that nobody can forget accounts.
	open bool
}

// about describes the command for --help.
func about() cli.Command {
	return cli.Command{
		Name: "serve", Args: "[collection ...]",
		Summary: "Show collections in a browser: what they hold, search, every page with its versions, runs, sources, " +
			"jobs. " +
			"Programs get the same as JSON, and wayback tools the interfaces that they know: a CDX server, Memento, WASAPI.\n" +
			"The URL is the only line on standard output. The index that makes search quick is made in the background, and " +
			"what a run adds meanwhile is shown when it has finished.\n" +
			"Exit codes: 0 ended by an interrupt, 1 failed, 2 usage.",
		Examples: []string{
			"go run ./pipelines/serve --collection=out",
			"go run ./pipelines/serve --collection=crawl-2025,crawl-2026 --addr=127.0.0.1:9000",
			"go run ./pipelines/serve --collection=out --replay='http://127.0.0.1:8090/all/{timestamp}/{url}'",
		},
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *cli.Flags {
	f := cli.NewFlags(set, about())
	f.Add(c.settings())
	f.LogFlags()
	return f
}

func parse(args []string) (c config, err error) {
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	c.collections = f.Collections(c.named)
	if c.open, err = isLoopback(c.addr); err != nil {
		return c, err
	}
	// Without {url}, all links would lead to one page.
	if c.replay != "" && !strings.Contains(c.replay, "{url}") {
		return c, cli.Usagef("--replay=%s: it needs {url}, and {timestamp} to show the version", c.replay)
	}
	if err := c.setReplayOrigin(); err != nil {
		return c, err
	}
	// Read now, so that errors come before the port is open.
	if c.certificate, err = certificateOf(c.certFile, c.keyFile); err != nil {
		return c, err
	}
	// A server with a mistake in its rules would show more than it should, so it does not start.
	if c.accessFile != "" {
		if c.access, err = access.Open(c.accessFile); err != nil {
			return c, cli.Usagef("--access: %v", err)
		}
	}
	if err := meaningmodel.Check(c.meaning); err != nil {
		return c, cli.Usagef("--meaning: %v", err)
	}
	// Lines of a cluster have no columns that rules could be applied to.
	if c.access != nil && len(c.cdx) > 0 {
		return c, cli.Usagef("--cdx does not go with --access: rules of who may see what do not reach into a cluster")
	}
	// Trust in a wrong proxy would let anybody choose an address.
	for _, p := range c.trusted {
		prefix, err := prefixOf(p)
		if err != nil {
			return c, cli.Usagef("--trusted_proxies: %v", err)
		}
		c.proxies = append(c.proxies, prefix)
	}
	if c.inputs == "" && c.open {
		c.inputs = "." // users of this machine can read it anyway
	}
	if blob.IsRemote(c.state) {
		return c, cli.Usagef("--state=%s is not a folder of this machine", secret.Hide(c.state))
	}
	if c.state == "" {
		// The folder must not depend on the current folder, or accounts would seem to vanish.
		c.state, err = stateDir(c.collections)
	}
	return c, err
}

// missing returns collections without a folder on this machine, which are probably mistyped. But a run may make them
// later. Buckets have no empty folders, so they are not checked.
func missing(collections []string) (names []string) {
	for _, name := range collections {
		if blob.IsRemote(name) {
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			names = append(names, name)
		}
	}
	return names
}

// prefixOf parses a network, or an address as a network of one.
func prefixOf(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	return netip.ParsePrefix(text)
}

// isLoopback reports whether only this machine reaches the address.
func isLoopback(addr string) (bool, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false, cli.Usagef("--addr=%s: name an address and a port, as 127.0.0.1:8080", addr)
	}
	if host == "localhost" {
		// RFC 6761 reserves the name for loopback.
		return true, nil
	}
	ip, err := netip.ParseAddr(host)
	// Other names count as open to others, whatever their present address.
	return err == nil && ip.IsLoopback(), nil
}
