package platform

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// pageAt is a landing page.
func pageAt(url, html string) *fileset.Page {
	return &fileset.Page{
		Request: &schemas.FilesetRequest{BaseURL: url}, URL: url, DT: "20261124120000",
		HTML: []byte(html),
	}
}

// find returns the platform of a page.
func find(p *fileset.Page) fileset.Platform {
	for _, candidate := range All() {
		if candidate.Match(p) {
			return candidate
		}
	}
	return nil
}

const (
	ckanHTML = `<html><head><meta name="generator" content="ckan 2.10.1"></head></html>`
	ldHTML   = `<html><head><script type="application/ld+json">{"@context":"https://schema.org","@type":"Dataset","name":"n",
		"identifier":"https://doi.org/10.1/x","creator":{"@type":"Person","name":"Jane"},"distribution":[
		{"@type":"DataDownload","contentUrl":"/f/a.csv","encodingFormat":"text/csv","contentSize":"12 B","sha256":"%064d"},
		{"@type":"DataDownload","contentUrl":"https://b.example/download","name":"b.zip","contentSize":"1.2 MB"}]}</script></head></html>`
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct{ url, html, want string }{
		{url: "https://dataverse.harvard.edu/dataset.xhtml?persistentId=doi:10.7910/DVN/LULNUQ", want: "dataverse"},
		{url: "https://x.org/?persistentId=doi:10.25625/LL6WXZ", want: "dataverse"},
		{url: "https://x.org/?persistentId=doi:10.25625/LL6WXZ/ABCDEF", want: "dataverse"},
		{url: "https://x.org/?persistentId=hdl:20.500.12690/RIN/IDDOAH/BTNH25", want: "dataverse"},
		{url: "https://x.org/dataset.xhtml?persistentId=hdl:1902.1/10326", want: "dataverse"},
		{url: "https://x.org/?persistentId=doi:10.1/12345"},
		{url: "https://x.org/?persistentId=doi:11.1/ABCDEF"},
		{url: "https://x.org/?persistentId=ark:/1/ABCDEF"},
		{url: "https://figshare.com/articles/dataset/Synthetic/12127176/4", want: "figshare"},
		{url: "https://cellimagelibrary.figshare.com/articles/CCDB_6736_jpg/8184362/1", want: "figshare"},
		{url: "https://figshare.com/articles/5_21_2016_IL_50_/4531361", want: "figshare"},
		{url: "https://figshare.com/authors/x/12/1"},
		{url: "https://zenodo.org/record/5230255", want: "zenodo"},
		{url: "https://zenodo.org/records/5230255?preview=1", want: "zenodo"},
		{url: "https://www.zenodo.org/record/1#x", want: "zenodo"},
		{url: "https://notzenodo.org/record/1"},
		{url: "https://zenodo.org/communities/record"},
		{url: "https://archive.org/details/CAT_DATASET", want: "archiveorg"},
		{url: "https://archive.org/download/CAT_DATASET/a/b.zip", want: "archiveorg"},
		{url: "https://archive.org/about/"},
		{url: "https://datadryad.org/stash/dataset/doi:10.5061/dryad.x", want: "dryad"},
		{url: "https://datadryad.org/dataset/doi:10.5061/dryad.x", want: "dryad"},
		{url: "https://osf.io/abc12/", want: "osf"},
		{url: "https://osf.io/preprints/psyarxiv/abc12"},
		{url: "https://data.mendeley.com/datasets/f45bkkt8pr/1", want: "mendeley"},
		{url: "https://huggingface.co/datasets/a/b/tree/main", want: "huggingface"},
		{url: "https://huggingface.co/a/b"},
		{url: "https://github.com/a/b/releases/tag/v1.0", want: "github"},
		{url: "https://github.com/a/b"},
		{url: "https://data.example/dataset/x", html: ckanHTML, want: "ckan"},
		{url: "https://data.example/dataset/x"},
		{url: "https://e.example/d", html: fmt.Sprintf(ldHTML, 0), want: "schemaorg"},
		{url: "https://e.example/d", html: `<script type="application/ld+json">{"@type":"Dataset"}</script>`},
		{url: ""},
		{url: "::"},
	} {
		got := ""
		if p := find(pageAt(tt.url, tt.html)); p != nil {
			got = p.Name()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.url, got, tt.want)
		}
	}
}

// shape is a present or former answer of an API.
type shape struct {
	name, url, html string
	answers         map[string]string // by URL; a number is a status
	status          string            // of the end; "" if there is none
	item            string            // the item's name
	want            []string          // files: path size hash type URL
}

const zeros32 = "00000000000000000000000000000000"

var shapes = []shape{
	{
		name: "zenodo since 2023", url: "https://zenodo.org/records/7", item: "zenodo.org-7",
		answers: map[string]string{"https://zenodo.org/api/records/7": `{"id":7,"conceptrecid":"6","links":{"self_html":"https://zenodo.org/records/7"},
			"metadata":{"title":"t","access_right":"open"},"files":[{"key":"a b.csv","size":3,"checksum":"md5:` + zeros32 + `",
			"links":{"self":"https://zenodo.org/api/records/7/files/a b.csv/content"}}]}`},
		want: []string{"a b.csv 3 " + zeros32 + "  https://zenodo.org/api/records/7/files/a b.csv/content"},
	},
	{
		name: "zenodo in InvenioRDM's form", url: "https://zenodo.org/records/7", item: "zenodo.org-7",
		answers: map[string]string{"https://zenodo.org/api/records/7": `{"id":"7","access":{"record":"public","files":"public"},
			"files":{"enabled":true,"entries":{"b":{"key":"b","size":1,"mimetype":"text/csv","links":{"self":"https://z/b","content":"https://z/b/content"}},
			"a":{"size":2,"checksum":"md5:` + zeros32 + `"}}}}`},
		want: []string{
			"a 2 " + zeros32 + "  https://zenodo.org/api/records/7/files/a/content",
			"b 1  text/csv https://z/b/content",
		},
	},
	{
		name: "zenodo, restricted in the new form", url: "https://zenodo.org/records/7",
		status:  fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://zenodo.org/api/records/7": `{"id":7,"access":{"files":"restricted"}}`},
	},
	{
		name: "dataverse with restricted files", url: "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA",
		status: fileset.StatusPlatformRestrict,
		answers: map[string]string{
			"https://d.example/api/datasets/:persistentId/?persistentId=doi:10.1/AAAAAA":             `{"data":{"latestVersion":{"versionNumber":1,"versionMinorNumber":0}}}`,
			"https://d.example/api/datasets/:persistentId/?persistentId=doi:10.1/AAAAAA&version=1.0": `{"data":{"latestVersion":{"versionNumber":1,"versionMinorNumber":0,"files":[{"restricted":true,"dataFile":{"filename":"f"}}]}}}`,
		},
	},
	{
		name: "dataverse without the second answer, checksums of other kinds",
		url:  "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA",
		item: "d.example-AAAAAA-v2.0",
		answers: map[string]string{"https://d.example/api/datasets/:persistentId/?persistentId=doi:10.1/AAAAAA": `{"data":{"latestVersion":{"versionNumber":2,
			"versionMinorNumber":0,"files":[{"dataFile":{"id":5,"filename":"f.csv","filesize":4,"contentType":"text/csv","originalFileFormat":"text/csv",
			"checksum":{"type":"SHA-1","value":"0000000000000000000000000000000000000000"}}}]}}}`},
		want: []string{"f.csv 4 0000000000000000000000000000000000000000 text/csv " +
			"https://d.example/api/access/datafile/5?format=original"},
	},
	{
		name: "dataverse, a version before the latest",
		url:  "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=1.0",
		item: "d.example-AAAAAA-v1.0",
		answers: map[string]string{
			dataverseOne: dataverseThird,
			dataverseOfOne: `{"data":{"versionNumber":1,"versionMinorNumber":0,"files":[` +
				`{"dataFile":{"id":3,"filename":"f"}}]}}`,
			dataverseLatest: dataverseThird,
		},
		want: []string{"f -1   https://d.example/api/access/datafile/3"},
	},
	{
		name: "dataverse, a version by its first number",
		url:  "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=3",
		item: "d.example-AAAAAA-v3.0",
		answers: map[string]string{
			dataverseLatest + "&version=3": dataverseThird,
		},
		want: []string{"g -1   https://d.example/api/access/datafile/4"},
	},
	{
		name:    "dataverse, only the answer of the version",
		url:     "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=1.0",
		item:    "d.example-AAAAAA-v1.0",
		answers: map[string]string{dataverseOfOne: `{"data":{"versionNumber":"1","versionMinorNumber":"0","files":[]}}`},
	},
	{
		name: "dataverse, a version before the latest, not captured", status: fileset.StatusPlatformNoCapture,
		url:     "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=1.0",
		answers: map[string]string{dataverseOne: dataverseThird, dataverseLatest: dataverseThird},
	},
	{
		name: "dataverse, a version that never was", status: fileset.StatusPlatform404,
		url:     "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=1.0",
		answers: map[string]string{dataverseOne: dataverseThird, dataverseOfOne: "404"},
	},
	{
		name: "dataverse, another version for the one that was asked", status: fileset.StatusPlatformError,
		url: "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=1.0",
		answers: map[string]string{
			dataverseOne:   dataverseThird,
			dataverseOfOne: `{"data":{"versionNumber":1,"versionMinorNumber":1,"files":[]}}`,
		},
	},
	{
		name: "dataverse, a new version between the answers",
		url:  "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA",
		item: "d.example-AAAAAA-v3.0",
		answers: map[string]string{
			dataverseLatest:                  dataverseThird,
			dataverseLatest + "&version=3.0": `{"data":{"latestVersion":{"versionNumber":4,"versionMinorNumber":0,"files":[]}}}`,
		},
		want: []string{"g -1   https://d.example/api/access/datafile/4"},
	},
	{
		name: "dataverse, a file", url: "https://d.example/file.xhtml?persistentId=doi:10.1/AAAAAA/BBBBBB",
		status: fileset.StatusPlatformScope,
	},
	{
		name: "figshare, a link", url: "https://figshare.com/articles/dataset/x/1/2", status: fileset.StatusPlatformScope,
		answers: map[string]string{"https://api.figshare.com/v2/articles/1/versions/2": `{"files":[{"is_link_only":true}]}`},
	},
	{
		name: "figshare, under embargo", url: "https://figshare.com/articles/dataset/x/1/2",
		status:  fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://api.figshare.com/v2/articles/1/versions/2": `{"is_public":true,"is_embargoed":true}`},
	},
	{
		name: "archive.org, dark", url: "https://archive.org/details/x", status: fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://archive.org/metadata/x": `{"is_dark":true}`},
	},
	{
		name: "archive.org, not there", url: "https://archive.org/details/x", status: fileset.StatusPlatform404,
		answers: map[string]string{"https://archive.org/metadata/x": `{}`},
	},
	{
		name: "archive.org, a collection", url: "https://archive.org/details/x", status: fileset.StatusPlatformScope,
		answers: map[string]string{"https://archive.org/metadata/x": `{"metadata":{"mediatype":"collection"}}`},
	},
	{
		name: "archive.org, a file", url: "https://archive.org/download/x/y", status: fileset.StatusPlatformScope,
	},
	{
		name: "dryad, two pages", url: "https://datadryad.org/dataset/doi:10.5061/dryad.x", item: "datadryad.org-dryad.x-v9",
		answers: map[string]string{
			"https://datadryad.org/api/v2/datasets/doi%3A10.5061%2Fdryad.x": `{"_links":{"stash:version":{"href":"/api/v2/versions/9"}}}`,
			"https://datadryad.org/api/v2/versions/9/files": `{"_links":{"next":{"href":"/api/v2/versions/9/files?page=2"}},"_embedded":{"stash:files":[
				{"path":"a","size":1,"mimeType":"text/csv","digest":"` + zeros32 +
				`","digestType":"md5","_links":{"stash:download":{"href":"/api/v2/files/1/download"}}}]}}`,
			"https://datadryad.org/api/v2/versions/9/files?page=2": `{"_embedded":{"stash:files":[{"path":"b","status":"deleted"},{"path":"c"}]}}`,
		},
		want: []string{"a 1 " + zeros32 + " text/csv https://datadryad.org/downloads/file_stream/1", "c -1   "},
	},
	{
		name: "dryad, elsewhere", url: "https://datadryad.org/dataset/doi:10.5061/dryad.x",
		status: fileset.StatusPlatformError,
		answers: map[string]string{
			"https://datadryad.org/api/v2/datasets/doi%3A10.5061%2Fdryad.x": `{"_links":{"stash:version":{"href":"https://evil.example/"}}}`,
		},
	},
	{
		name: "osf, folders of a registration", url: "https://osf.io/abc12/files/", item: "osf.io-abc12",
		answers: map[string]string{
			"https://api.osf.io/v2/registrations/abc12/": `{"data":{"attributes":{"title":"t","public":true}}}`,
			"https://api.osf.io/v2/registrations/abc12/files/osfstorage/": `{"data":[{"attributes":{"kind":"folder"},"relationships":{"files":{"links":{"related":
				{"href":"https://api.osf.io/v2/x/"}}}}},{"attributes":{"kind":"file","materialized_path":"/a","size":1,"extra":{"hashes":{"md5":"` + zeros32 + `"}}},
				"links":{"download":"https://osf.io/download/1/"}}]}`,
			"https://api.osf.io/v2/x/": `{"data":[{"attributes":{"kind":"file","materialized_path":"/d/b"},"links":{"download":"https://osf.io/download/2/"}}]}`,
		},
		want: []string{"a 1 " + zeros32 + "  https://osf.io/download/1/", "d/b -1   https://osf.io/download/2/"},
	},
	{
		name: "osf, private", url: "https://osf.io/abc12/", status: fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://api.osf.io/v2/nodes/abc12/": "401"},
	},
	{
		name: "osf, a list that leads to itself", url: "https://osf.io/abc12/", status: fileset.StatusTooMany,
		answers: map[string]string{
			"https://api.osf.io/v2/nodes/abc12/":                  `{"data":{}}`,
			"https://api.osf.io/v2/nodes/abc12/files/osfstorage/": `{"links":{"next":"https://api.osf.io/v2/nodes/abc12/files/osfstorage/"}}`,
		},
	},
	{
		name: "mendeley", url: "https://data.mendeley.com/datasets/f45bkkt8pr/1", item: "data.mendeley.com-f45bkkt8pr-v1",
		answers: map[string]string{
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/folders/1": "404",
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=root&version=1": `[{"filename":"a.zip","size":5,
			"content_details":{"content_type":"application/zip","size":5,"sha256_hash":"` + zeros32 + zeros32 +
				`","download_url":"https://data.mendeley.com/f/1"}}]`,
		},
		want: []string{"a.zip 5 " + zeros32 + zeros32 + " application/zip https://data.mendeley.com/f/1"},
	},
	{
		name: "mendeley, folders", url: "https://data.mendeley.com/datasets/f45bkkt8pr/1",
		item: "data.mendeley.com-f45bkkt8pr-v1",
		answers: map[string]string{
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/folders/1":                      `[{"id":"i","name":"b","parent_id":"h"},{"id":"h","name":"a"}]`,
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=root&version=1": `[]`,
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=h&version=1":    `[{"filename":"x","size":1}]`,
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=i&version=1":    `[{"filename":"x","size":2}]`,
		},
		want: []string{"a/b/x 2   ", "a/x 1   "},
	},
	{
		name: "mendeley, folders in each other", url: "https://data.mendeley.com/datasets/f45bkkt8pr/1",
		item: "data.mendeley.com-f45bkkt8pr-v1",
		answers: map[string]string{
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/folders/1":                      `[{"id":"i","name":"b","parent_id":"i"}]`,
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=root&version=1": `[]`,
			"https://data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=i&version=1":    `[{"filename":"x"}]`,
		},
		want: []string{"b/x -1   "},
	},
	{
		name: "figshare, more files than an article lists", url: "https://figshare.com/articles/dataset/x/1/2",
		item: "figshare.com-1-v2",
		answers: map[string]string{
			"https://api.figshare.com/v2/articles/1/versions/2": `{"size":100,"folder_structure":{"7":"a/b"},"files":[` +
				strings.Repeat(`{"id":7,"name":"x","size":1},`, 9) + `{"id":8,"name":"y","size":1}]}`,
			"https://api.figshare.com/v2/articles/1/versions/2/files?page=1&page_size=1000": `[{"id":7,"name":"x","size":1},{"id":8,"name":"y","size":99}]`,
		},
		want: []string{"a/b/x 1   ", "y 99   "},
	},
	{
		name: "figshare, ten files and no more", url: "https://figshare.com/articles/dataset/x/1/2",
		item: "figshare.com-1-v2",
		answers: map[string]string{
			"https://api.figshare.com/v2/articles/1/versions/2": `{"size":10,"folder_structure":[],"files":[` +
				strings.Repeat(`{"name":"x","size":1},`, 9) + `{"name":"y","size":1}]}`,
		},
		want: append(slices.Repeat([]string{"x 1   "}, 9), "y 1   "),
	},
	{
		name: "figshare, the other files not captured", url: "https://figshare.com/articles/dataset/x/1/2",
		status: fileset.StatusPlatformNoCapture,
		answers: map[string]string{
			"https://api.figshare.com/v2/articles/1/versions/2": `{"size":11,"files":[` + strings.Repeat(`{"size":1},`, 9) +
				`{"size":1}]}`,
		},
	},
	{
		name: "hugging face, more than a page", url: "https://huggingface.co/datasets/a/b", status: fileset.StatusTooMany,
		answers: map[string]string{
			"https://huggingface.co/api/datasets/a/b": `{"sha":"` + zeros32 + `00000000"}`,
			"https://huggingface.co/api/datasets/a/b/tree/" + zeros32 + "00000000?recursive=true": "[" +
				strings.Repeat(`{"type":"directory"},`, 999) +
				`{"type":"directory"}]`,
		},
	},
	{name: "osf, a file", url: "https://osf.io/abc12/files/osfstorage/5f0", status: fileset.StatusPlatformScope},
	{
		name: "archive.org, lent", url: "https://archive.org/details/x", status: fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://archive.org/metadata/x": `{"metadata":{"access-restricted-item":"true"}}`},
	},
	{
		name: "archive.org, a private file", url: "https://archive.org/details/x", status: fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://archive.org/metadata/x": `{"metadata":{},"files":[{"name":"f","source":"original","private":"true"}]}`},
	},
	{
		name: "dataverse, under embargo", url: "https://d.example/dataset.xhtml?persistentId=doi:10.1/AAAAAA&version=1.0",
		status: fileset.StatusPlatformRestrict,
		answers: map[string]string{
			"https://d.example/api/datasets/:persistentId/?persistentId=doi:10.1/AAAAAA&version=1.0": `{"data":{"latestVersion":{"versionNumber":1,
				"versionMinorNumber":0,"files":[{"dataFile":{"filename":"f","embargo":{"dateAvailable":"2026-11-25"}}}]}}}`,
		},
	},
	{
		name: "dataverse, embargoes that ended, an identifier of its own",
		url:  "https://d.example/spa/datasets?persistentId=perma:LOCAL7&version=1.0",
		item: "d.example-LOCAL7-v1.0",
		answers: map[string]string{
			"https://d.example/api/datasets/:persistentId/?persistentId=perma:LOCAL7&version=1.0": `{"data":{"latestVersion":{"versionNumber":1,
				"versionMinorNumber":0,"files":[{"dataFile":{"id":3,"filename":"f","embargo":{"dateAvailable":"2026-11-24"},
				"retention":{"dateUnavailable":"2026-11-25"}}}]}}}`,
		},
		want: []string{"f -1   https://d.example/api/access/datafile/3"},
	},
	{
		name: "mendeley, all versions", url: "https://data.mendeley.com/datasets/f45bkkt8pr",
		status: fileset.StatusPlatformScope,
	},
	{
		name: "hugging face", url: "https://huggingface.co/datasets/a/b", item: "huggingface.co-a-b-000000000000",
		answers: map[string]string{
			"https://huggingface.co/api/datasets/a/b": `{"sha":"` + zeros32 + `00000000","gated":false}`,
			"https://huggingface.co/api/datasets/a/b/tree/" + zeros32 +
				"00000000?recursive=true": `[{"type":"directory","path":"d"},
				{"type":"file","path":"d/x y.parquet","size":9,"lfs":{"oid":"` + zeros32 + zeros32 + `","size":9}}]`,
		},
		want: []string{"d/x y.parquet 9 " + zeros32 + zeros32 + "  https://huggingface.co/datasets/a/b/resolve/" + zeros32 +
			"00000000/d/x%20y.parquet"},
	},
	{
		name: "hugging face, gated", url: "https://huggingface.co/datasets/a/b", status: fileset.StatusPlatformRestrict,
		answers: map[string]string{"https://huggingface.co/api/datasets/a/b": `{"sha":"` + zeros32 +
			`00000000","gated":"auto"}`},
	},
	{
		name: "github", url: "https://github.com/a/b/releases/tag/v1/2", item: "github.com-a-b-v1-2-7c3073b576",
		answers: map[string]string{"https://api.github.com/repos/a/b/releases/tags/v1/2": `{"assets":[{"name":"x.zip","size":2,"state":"uploaded",
			"content_type":"application/zip","digest":"sha256:` + zeros32 + zeros32 +
			`","browser_download_url":"https://github.com/x.zip"},{"name":"y","state":"open"}]}`},
		want: []string{"x.zip 2 " + zeros32 + zeros32 + " application/zip https://github.com/x.zip"},
	},
	{
		name: "ckan", url: "https://c.example/en/dataset/x", html: ckanHTML, item: "c.example-x",
		answers: map[string]string{"https://c.example/api/3/action/package_show?id=x": `{"success":true,"result":{"name":"x","resources":[
			{"id":"1","name":"Data","url":"https://c.example/a.csv","size":"7","hash":"` + zeros32 +
			`"},{"id":"2","url":"https://d.example/a.csv","size":null}]}}`},
		want: []string{"a.csv 7 " + zeros32 + "  https://c.example/a.csv", "2/a.csv -1   https://d.example/a.csv"},
	},
	{
		name: "schema.org", url: "https://e.example/d", html: fmt.Sprintf(ldHTML, 0),
		item: "e.example-https---doi.org-10.1-x-5d072bf382",
		want: []string{
			"a.csv 12 " + zeros32 + zeros32 + " text/csv https://e.example/f/a.csv",
			"b.zip -1   https://b.example/download",
		},
	},
}

func TestShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) { s.check(t, func(answer string) string { return answer }) })
	}
}

// TestShapes_ofOtherTypes: a dataset still ends in the same way with numbers and booleans written as texts, and with
// fields of unexpected types.
func TestShapes_ofOtherTypes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) { s.check(t, func(answer string) string { return odd(t, answer) }) })
	}
}

// odd writes an answer with texts for numbers and booleans. Its licence, authors and dates have wrong types.
func odd(t *testing.T, answer string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(answer))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			return v.String()
		case bool:
			return strconv.FormatBool(v)
		case []any:
			for i := range v {
				v[i] = change(v[i])
			}
		case map[string]any:
			for k := range v {
				if k == "entries" { // files by name, which must stay the same
					continue
				}
				v[k] = change(v[k])
			}
			for k, other := range map[string]any{
				"license": "cc-by-4.0", "creators": "A. Uthor", "authors": map[string]any{}, "embargo": "none",
				"publication_date": []any{7},
			} {
				if v[k] == nil {
					v[k] = other
				}
			}
		}
		return v
	}
	data, err := json.Marshal(change(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Requests for a dataset in Dataverse: the latest version, version 1.0 by a parameter, which is ignored, and by a path.
const (
	dataverseLatest = "https://d.example/api/datasets/:persistentId/?persistentId=doi:10.1/AAAAAA"
	dataverseOne    = dataverseLatest + "&version=1.0"
	dataverseOfOne  = "https://d.example/api/datasets/:persistentId/versions/1.0?persistentId=doi:10.1/AAAAAA"
	dataverseThird  = `{"data":{"latestVersion":{"versionNumber":3,"versionMinorNumber":0,"files":[` +
		`{"dataFile":{"id":4,"filename":"g"}}]}}}`
)

// check compares the result of the page with the expected one, after this change of the answers.
func (s shape) check(t *testing.T, changed func(string) string) {
	t.Helper()
	p := pageAt(s.url, s.html)
	item, err := find(p).Process(p, func(url string) ([]byte, error) {
		a, ok := s.answers[url]
		switch {
		case !ok:
			return nil, &fileset.StatusError{Status: fileset.StatusPlatformNoCapture, Message: url, Missing: []string{url}}
		case a == "401" || a == "404":
			status, _ := strconv.Atoi(a)
			return nil, &fileset.HTTPError{URL: url, Status: status}
		}
		return []byte(changed(a)), nil
	})
	var ended *fileset.StatusError
	if errors.As(err, &ended) && ended.Status == s.status {
		return
	}
	if err != nil || s.status != "" {
		t.Fatalf("ended with %v, want %q", err, s.status)
	}
	var got []string
	for _, f := range item.Manifest {
		size := int64(-1)
		if f.Size != nil {
			size = *f.Size
		}
		got = append(got, fmt.Sprintf("%s %d %s %s %s", f.Path, size, f.MD5+f.SHA1+f.SHA256, f.MIME, f.PlatformURL))
	}
	if diff := cmp.Diff(s.want, got); diff != "" || item.Item != s.item || item.Files != int64(len(s.want)) {
		t.Errorf("%s, %d files: -want +got:\n%s", item.Item, item.Files, diff)
	}
}

// TestPublished uses published results of the real system. Our platforms must find the same identifiers and names of
// items, and choose the same strategy for the files.
func TestPublished(t *testing.T) {
	data, err := os.ReadFile("../../../../shared/corpora/seeds/sandcrawler/upstream/example_fileset_ingest_result.json")
	if err != nil {
		t.Skip("no ../shared/corpora/seeds/sandcrawler beside the checkout")
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var r schemas.FilesetResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		p := pageAt(r.Terminal.URL, "")
		platform := find(p)
		if platform == nil || platform.Name() != r.Platform {
			t.Errorf("%s: %v, want %s", r.Terminal.URL, platform, r.Platform)
			continue
		}
		item, err := platform.Process(p, republished(&r))
		if err != nil {
			t.Errorf("%s: %v", r.Terminal.URL, err)
			continue
		}
		var sizes int64
		for i, f := range item.Manifest {
			want := r.Manifest[i]
			sizes += *f.Size
			if f.Path != want.Path || f.MD5 != want.MD5 || *f.Size != *want.Size || f.PlatformURL != want.PlatformURL {
				t.Errorf("%s: file %+v, want %+v", r.Terminal.URL, f, want)
			}
			if diff := cmp.Diff(extra(want), extra(f)); diff != "" && r.Platform == "dataverse" {
				t.Errorf("%s: -want +got:\n%s", f.Path, diff)
			}
		}
		got := []any{item.Domain, item.ID, item.Item, fileset.Choose(&item, fileset.Options{}), item.Files, sizes}
		want := []any{r.Domain, r.ID, r.Item, r.Strategy, *r.FileCount, *r.TotalSize}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", r.Terminal.URL, diff)
		}
		n++
	}
	if n < 10 {
		t.Errorf("only %d results", n)
	}
}

// extra returns the additional data of a file, as in JSON: the real system keeps empty descriptions.
func extra(f schemas.ManifestFile) map[string]any {
	var got map[string]any
	text, _ := json.Marshal(f.Extra)
	_ = json.Unmarshal(text, &got)
	if got["description"] == "" {
		delete(got, "description")
	}
	if len(got) == 0 {
		return nil
	}
	return got
}

// republished answers like the platform, for the manifest that it made.
func republished(r *schemas.FilesetResult) fileset.Asker {
	return func(string) ([]byte, error) {
		var files []map[string]any
		for _, f := range r.Manifest {
			_, id, _ := strings.Cut(f.PlatformURL, "persistentId=")
			_, original := strings.CutSuffix(id, "&format=original")
			data := map[string]any{
				"persistentId": strings.TrimSuffix(id, "&format=original"), "filename": f.Path, "filesize": f.Size, "md5": f.MD5,
				"contentType": f.MIME,
			}
			if original {
				data["originalFileName"], data["originalFileSize"] = f.Path, f.Size
			}
			files = append(files, map[string]any{
				"name": f.Path, "key": f.Path, "size": f.Size, "computed_md5": f.MD5, "checksum": "md5:" + f.MD5,
				"download_url": f.PlatformURL, "links": map[string]any{"self": f.PlatformURL}, "dataFile": data,
				"description": f.Extra["description"], "version": f.Extra["version"],
			})
		}
		// The version is the end of the item's name.
		version := r.Item[strings.LastIndex(r.Item, "-v")+2:]
		major, minor, _ := strings.Cut(version, ".")
		return json.Marshal(map[string]any{
			"id": r.ID, "is_public": true, "files": files, "metadata": map[string]any{"access_right": "open"},
			"data": map[string]any{"latestVersion": map[string]any{
				"versionNumber": major, "versionMinorNumber": minor,
				"files": files,
			}},
		})
	}
}

// TestManifest_ofMillions: the stored part of a list is limited, but everything is counted. Ten million files take
// half a minute. Fewer files show the same, unless the limit is their number.
func TestManifest_ofMillions(t *testing.T) {
	files := int64(300_000)
	if os.Getenv("GLEANER_SLOW") != "" {
		files = 10_000_000
	}
	body := `{"files":[` + strings.Repeat(`{"key":"a","size":3},`, int(files-1)) + `{"key":"a","size":3}]}`
	p := pageAt("https://zenodo.org/record/7", "")
	before := heap()
	item, err := zenodo{}.Process(p, func(string) ([]byte, error) { return []byte(body), nil })
	if err != nil || item.Files != files || item.Size != 3*files || len(item.Manifest) != maxFiles {
		t.Errorf("%d files of %d bytes, %d kept, error %v", item.Files, item.Size, len(item.Manifest), err)
	}
	if grown := heap() - before; grown > 64<<20 {
		t.Errorf("%d bytes are held", grown)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestAnswers_hostile(t *testing.T) {
	p := pageAt("https://zenodo.org/record/7", "")
	for name, body := range map[string]string{
		"deep":          strings.Repeat(`{"files":[`, 100_000),
		"deep, whole":   `{"metadata":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
		"no JSON":       "<html>",
		"nothing":       "",
		"files no list": `{"files":"x"}`,
	} {
		_, err := zenodo{}.Process(p, func(string) ([]byte, error) { return []byte(body), nil })
		if !isStatus(err, fileset.StatusPlatformError) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Values of wrong types count as unknown.
	item, err := zenodo{}.Process(p, func(string) ([]byte, error) {
		return []byte(`{"id":{},"doi":7,"files":[{"key":7,"size":"9","checksum":[]},{"key":null,"size":-1},{"size":9e99}]}`),
			nil
	})
	if err != nil || item.Files != 3 || *item.Manifest[0].Size != 9 || item.Manifest[1].Size != nil ||
		item.Manifest[0].Path != "7" {
		t.Errorf("%+v, %v", item, err)
	}
}

// fuzz gives a platform's parser arbitrary answers.
func fuzz(f *testing.F, names ...string) {
	for _, s := range shapes {
		for _, name := range names {
			if strings.HasPrefix(s.name, name) {
				for _, a := range s.answers {
					f.Add(s.url, s.html, a, a)
				}
				f.Add(s.url, s.html, "{}", "[]")
			}
		}
	}
	f.Fuzz(func(t *testing.T, url, html, first, then string) {
		p := pageAt(url, html)
		for _, platform := range All() {
			if !platform.Match(p) {
				continue
			}
			asked := 0
			item, err := platform.Process(p, func(string) ([]byte, error) {
				if asked++; asked == 1 {
					return []byte(first), nil
				}
				return []byte(then), nil
			})
			var ended *fileset.StatusError
			if err != nil && !errors.As(err, &ended) {
				t.Errorf("%s: %v is no status", platform.Name(), err)
			}
			if asked > maxPages+2 || len(item.Manifest) > maxFiles || item.Files < 0 || item.Size < 0 {
				t.Errorf("%s: asked %d times, %d files kept of %d", platform.Name(), asked, len(item.Manifest), item.Files)
			}
		}
	})
}

func FuzzDataverse(f *testing.F)   { fuzz(f, "dataverse") }
func FuzzFigshare(f *testing.F)    { fuzz(f, "figshare") }
func FuzzZenodo(f *testing.F)      { fuzz(f, "zenodo") }
func FuzzArchiveorg(f *testing.F)  { fuzz(f, "archive.org") }
func FuzzDryad(f *testing.F)       { fuzz(f, "dryad") }
func FuzzOSF(f *testing.F)         { fuzz(f, "osf") }
func FuzzMendeley(f *testing.F)    { fuzz(f, "mendeley") }
func FuzzHuggingface(f *testing.F) { fuzz(f, "hugging face") }
func FuzzGithub(f *testing.F)      { fuzz(f, "github") }
func FuzzCKAN(f *testing.F)        { fuzz(f, "ckan") }
func FuzzSchemaorg(f *testing.F)   { fuzz(f, "schema.org") }
