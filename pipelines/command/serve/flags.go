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

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// config is the command line.
type config struct {
	named       []string // --collection
	collections []string
	addr        string
	export      string // folder that pages are written to, in place of serving; "" for none
	archives    string
	replay      string
	hosts       []string
	certFile    string
	keyFile     string
	certificate *tls.Certificate
	state       string
	sources     string
	inputs      string
	trusted     []string // --trusted_proxies
	proxies     []netip.Prefix
	// What decides whether there are accounts is the address alone, so that nobody can forget them.
	open bool // no accounts: the address is on loopback
}

// about is what --help begins with.
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
	// Arguments are collections too, as most people name nothing else.
	c.collections = f.Args()
	// The default holds only where nothing was named at all.
	if f.Set("collection") || len(c.collections) == 0 {
		c.collections = append(c.named, c.collections...)
	}
	// Before anything is opened: it decides whether there are accounts.
	if c.open, err = isLoopback(c.addr); err != nil {
		return c, err
	}
	// Without {url} all links would lead to the same page.
	if c.replay != "" && !strings.Contains(c.replay, "{url}") {
		return c, cli.Usagef("--replay=%s: it needs {url}, and {timestamp} to show the version", c.replay)
	}
	// Read now, so that a wrong file is told before the port is open.
	if c.certificate, err = certificateOf(c.certFile, c.keyFile); err != nil {
		return c, err
	}
	// Wrong networks are refused here: believing the wrong proxy would let anybody choose an address.
	for _, p := range c.trusted {
		prefix, err := prefixOf(p)
		if err != nil {
			return c, cli.Usagef("--trusted_proxies: %v", err)
		}
		c.proxies = append(c.proxies, prefix)
	}
	if c.inputs == "" && c.open {
		c.inputs = "." // who is on this machine can read it anyway
	}
	if blob.IsRemote(c.state) {
		return c, cli.Usagef("--state=%s is not a folder of this machine", secret.Hide(c.state))
	}
	if c.state == "" {
		// The folder of state must not depend on where the server is started, or accounts would seem
		// to vanish.
		c.state, err = stateDir(c.collections)
	}
	return c, err
}

// missing are the collections that are no folder of this machine: who named one has most likely mistyped it. It is not
// a mistake for certain, as a run or a job may make it later. A bucket has no folders before something is in them.
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

// prefixOf reads a network, or an address, which is one of itself.
func prefixOf(text string) (netip.Prefix, error) {
	// All bits: a network of one address.
	if ip, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	return netip.ParsePrefix(text)
}

// isLoopback reports whether an address is this machine's for itself.
func isLoopback(addr string) (bool, error) {
	// A port is needed: a server at a port that nobody named is not found.
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false, cli.Usagef("--addr=%s: name an address and a port, as 127.0.0.1:8080", addr)
	}
	if host == "localhost" {
		// A name: RFC 6761 keeps it for loopback.
		return true, nil
	}
	ip, err := netip.ParseAddr(host)
	// Any other name counts as open to others, whatever it resolves to now.
	return err == nil && ip.IsLoopback(), nil
}
