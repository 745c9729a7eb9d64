package serve

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// The headings of --help.
const (
	what  = "What is shown"
	where = "Where, and to whom"
)

func (c *config) settings() []setting.Setting {
	return slices.Concat(c.firstSettings(), c.shownSettings(), c.addressSettings())
}

// firstSettings are those that most users need, which -h shows first.
func (c *config) firstSettings() []setting.Setting {
	return slices.Concat(setting.Under(what, []setting.Setting{{
		Name: "collection", Value: &c.named, Default: "out", Example: "crawl-2025,crawl-2026",
		Help: "folders that ingest wrote: paths, gs://bucket/name or s3://bucket/name; arguments name more. One that is " +
			"empty, or not there yet, is shown when a run has filled it",
		Brief: "folders that ingest wrote",
	}}), setting.Under(where, []setting.Setting{
		{
			// By default nothing is open to others.
			Name: "addr", Value: &c.addr, Default: "127.0.0.1:8080", Example: "127.0.0.1:0",
			Help:  "address and port; port 0 for a free one. On loopback there are no accounts, anywhere else they are needed",
			Brief: "address and port (127.0.0.1:8080)",
		},
	}))
}

func (c *config) shownSettings() []setting.Setting {
	return setting.Under(what, []setting.Setting{{
		Name: "archives", Value: &c.archives, Example: "/data/warcs",
		Help: "folder or bucket in which archives are looked for first, for HTTP headers, records and replay; without it " +
			"where they were when they were read",
		Brief: "folder that archives are in, if they were moved",
	}, {
		// Archived scripts never run here; a replay tool runs them.
		Name: "replay", Value: &c.replay, Example: "'http://127.0.0.1:8090/all/{timestamp}/{url}'",
		Help: "address of a replay tool, such as pywb or SolrWayback, to which pages link; {timestamp} and {url} stand " +
			"for those of a capture",
	}, {
		Name: "export", Value: &c.export, Example: "/srv/www/crawls",
		Help: "folder to write the overview of each collection to, as one page that needs no server, and end; no address " +
			"is listened at. The page is that of ingest --report=html",
		Brief: "write each collection's overview as a page, and end",
	}, {
		Name: "meaning", Value: &c.meaning, Example: "potion-multilingual/model.safetensors",
		Help: "another model for searches by meaning: a file in the layout of Model2Vec with tokenizer.json beside it; " +
			"without it, the one that is part of the program (docs/meaning.md)",
	}, {
		Name: "cdx", Value: &c.cdx, Example: "/data/index",
		Help: "ZipNum clusters that the CDX server answers from, too: folders that `convert cdx` or another program wrote. " +
			"/cdx?collection=NAME&url=... asks one by the name of its folder",
		Brief: "ZipNum clusters for the CDX server",
	}, {
		Name: "sources", Value: &c.sources, Example: "sources",
		Help:  "folder of the Source DB, which the command sources writes; jobs write to it as well",
		Brief: "folder that the command sources wrote",
	}, {
		// One folder, so that a form cannot name any file of the machine.
		Name: "inputs", Value: &c.inputs, Example: "/data/warcs",
		Help: "folder below which jobs name archives; on loopback the current one without it, elsewhere none",
	}, {
		// Not in the collection, which may be in a bucket or read-only.
		Name: "state", Value: &c.state, Example: "/var/lib/gleaner",
		Help: "folder for accounts, jobs and what they export; without it one in the user's configuration, by the first " +
			"collection. One server has it at a time",
		Brief: "folder for accounts, jobs and exports",
	}})
}

func (c *config) addressSettings() []setting.Setting {
	return setting.Under(where, []setting.Setting{{
		Name: "access", Value: &c.accessFile, Example: "access.yml",
		Help: "file of rules: who may see which captures, by role, user, address, host, media type and time. It is read " +
			"again when it has changed; with a mistake in it the server does not start",
		Brief: "file of rules: who may see which captures",
	}, {
		// It prevents DNS rebinding: see package server.
		Name: "hosts", Value: &c.hosts, Example: "archive.example.org",
		Help: "names that the server answers to, beside localhost; needed where a proxy gives it another name. Requests " +
			"for others are refused, so that no page of another site can ask by a name that points here",
	}, {
		// Archived pages must not have the origin of our own.
		Name: "replay_origin", Value: &c.replayOrigin, Example: "https://replay.example.org",
		Help: "origin of archived pages as they looked: an address and port to listen at, or a URL with another name that " +
			"leads to this server. On loopback a free port without it, elsewhere pages are not replayed without it",
		Brief: "address or other name for archived pages",
	}, {
		// Anybody can send these headers, so there is no default.
		Name: "trusted_proxies", Value: &c.trusted, Example: "10.0.0.5,192.0.2.0/24",
		Help: "addresses of proxies before this server, whose X-Forwarded-For and X-Forwarded-Proto are believed",
	}, {
		Name: "tls_cert", Value: &c.certFile, Example: "/etc/ssl/archive.pem",
		Help: "file with the certificate and its chain, PEM: the server speaks HTTPS",
	}, {
		Name: "tls_key", Value: &c.keyFile, Example: "/etc/ssl/archive.key",
		Help: "file with its private key, PEM",
	}})
}
