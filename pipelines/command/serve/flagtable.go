package serve

import "github.com/gleaner-web/gleaner/pipelines/cli"

// In the order in which --help shows them.
// The headings of --help.
const (
	what  = "What is shown"
	where = "Where, and to whom"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
var flagTable = []cli.Flag{
	{
		Name: "collection", Default: "out", Group: what, Example: "crawl-2025,crawl-2026", Brief: "folders that ingest wrote",
		Help: "folders that ingest wrote: paths, gs://bucket/name or s3://bucket/name; arguments name more. " +
			"One that is empty, or not there yet, is shown when a run has filled it",
	},
	{
		// Not needed where archives are where ingest read them.
		Name: "archives", Group: what, Example: "/data/warcs", Brief: "folder that archives are in, if they were moved",
		Help: "folder or bucket in which archives are looked for first, for HTTP headers, records and replay; without it " +
			"where they were when they were read",
	},
	{
		// Archived scripts never run here; a replay tool is made for that.
		Name: "replay", Group: what, Example: "'http://127.0.0.1:8090/all/{timestamp}/{url}'",
		Help: "address of a replay tool, such as pywb or SolrWayback, to which pages link; {timestamp} and {url} stand for " +
			"those of a capture",
	},
	{
		// Without it the pages of sources say how to make one.
		Name: "sources", Group: what, Example: "sources", Brief: "folder that the command sources wrote",
		Help: "folder of the Source DB, which the command sources writes; jobs write to it as well",
	},
	{
		// Below one folder, so that a form cannot name any file of the machine.
		Name: "inputs", Group: what, Example: "/data/warcs",
		Help: "folder below which jobs name archives; on loopback the current one without it, elsewhere none",
	},
	{
		// In place of a server: for people who only want to publish what they have.
		Name: "export", Group: what, Example: "/srv/www/crawls", Brief: "write each collection's overview as a page, and end",
		Help: "folder to write the overview of each collection to, as one page that needs no server, and end; " +
			"no address is listened at. The page is that of ingest --report=html",
	},
	{
		// Not in the collection, which may be in a bucket, or be read only.
		Name: "state", Group: what, Example: "/var/lib/gleaner", Brief: "folder for accounts, jobs and exports",
		Help: "folder for accounts, jobs and what they export; without it one in the user's configuration, by the first " +
			"collection. One server has it at a time",
	},
	{
		Name: "addr", Default: "127.0.0.1:8080", Group: where, Example: "127.0.0.1:0",
		Brief: "address and port (127.0.0.1:8080)",
		// The default is loopback: nothing is open to others unless that is asked for.
		Help: "address and port; port 0 for a free one. On loopback there are no accounts, anywhere else they are needed",
	},
	{
		Name: "hosts", Group: where, Example: "archive.example.org",
		// DNS rebinding is what this is against: see package server.
		Help: "names that the server answers to, beside localhost; needed where a proxy gives it another name. Requests " +
			"for others are refused, so that no page of another site can ask by a name that points here",
	},
	{
		Name: "trusted_proxies", Group: where, Example: "10.0.0.5,192.0.2.0/24",
		// None by default: a header that anybody can send is not believed.
		Help: "addresses of proxies before this server, whose X-Forwarded-For and X-Forwarded-Proto are believed",
	},
	{
		Name: "tls_cert", Group: where, Example: "/etc/ssl/archive.pem",
		Help: "file with the certificate and its chain, PEM: " +
			"the server speaks HTTPS",
	},
	{Name: "tls_key", Group: where, Example: "/etc/ssl/archive.key", Help: "file with its private key, PEM"},
}
