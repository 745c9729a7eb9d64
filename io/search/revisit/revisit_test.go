package revisit

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

const (
	one     = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYK"
	nothing = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" // of no bytes
	two     = "sha1:UG4RMN27U5FZJF545BBASSHEMOY47Q7P"
	other   = "sha256:9d5dbd86e199542ae5b5e181363e0925073eb37492b39bc41d3cdb8aa94ecdd8"
)

func doc(n int, kind schemas.RecordType, url, at, digest string) *schemas.Document {
	return &schemas.Document{
		RecordType: kind, URL: url, SURT: urlkey.SURT(url), Timestamp: at, Digest: digest, Status: 200, Filename: "a.warc",
		Offset: int64(n), RecordID: fmt.Sprint("urn:x:", n), Title: fmt.Sprint(n),
	}
}

func response(n int, url, at, digest string) *schemas.Document {
	return doc(n, schemas.TypeResponse, url, at, digest)
}

func revisitOf(digest string, r *schemas.Reference, change ...func(*schemas.Document)) *schemas.Document {
	d := doc(99, schemas.TypeRevisit, "http://a.example/", "2014-06-01T00:00:00Z", digest)
	d.RefersTo = r
	for _, c := range change {
		c(d)
	}
	return d
}

func notModified(d *schemas.Document) { d.Status = 304 }

func noStatus(d *schemas.Document) { d.Status = 0 }

func profile(name string) *schemas.Reference {
	return &schemas.Reference{Profile: "http://netpreserve.org/warc/" + name}
}

func damagedDoc(d *schemas.Document) *schemas.Document {
	d.Flags = []schemas.Flag{schemas.FlagPartial}
	return d
}

// TestBest: the captures that may be the original of a revisit, the best one first.
func TestBest(t *testing.T) {
	const at, later = "2014-01-01T00:00:00Z", "2014-12-01T00:00:00Z"
	const spring = "2014-05-01T00:00:00Z"
	refers := func(id, url, at string) *schemas.Reference {
		return &schemas.Reference{RecordID: id, URL: url, Timestamp: at}
	}
	type list = []*schemas.Document
	a := response(1, "http://a.example/", at, one)
	atB := func(n int, at, digest string) *schemas.Document { return response(n, "http://b.example/", at, digest) }
	bTLS := response(3, "https://b.example/", at, two)
	for _, test := range []struct {
		name string
		d    *schemas.Document
		list list
		want string // titles
	}{
		{"record id before all", revisitOf(one, refers("urn:x:2", "", "")), list{a, atB(2, at, two)}, "2 1"},
		{
			"URL and date, to a second", revisitOf("", refers("", "https://www.b.example", at)),
			list{a, atB(2, "2014-01-01T00:00:00.7Z", two), atB(3, later, two)},
			"2",
		},
		{"twins by the digest", revisitOf(two, refers("", "http://b.example/", at)), list{atB(2, at, one), bTLS}, "3"},
		{"twins by the URL", revisitOf(other, refers("", "https://b.example/", at)), list{atB(2, at, one), bTLS}, "3 2"},
		{"the same page before others", revisitOf(one, nil), list{atB(2, at, one), a}, "1 2"},
		{
			"whole before damaged", revisitOf(one, nil),
			list{damagedDoc(response(3, "http://a.example/", later, one)), a},
			"1 3",
		},
		{"the nearest", revisitOf(one, nil), list{a, response(2, "http://a.example/", spring, one)}, "2 1"},
		{"another algorithm tells nothing", revisitOf(other, nil), list{a}, ""},
		{"another digest at the date", revisitOf(two, refers("", "http://a.example/", at)), list{a}, ""},
		{"not itself", revisitOf(one, refers("urn:x:99", "", "")), list{revisitOf(one, nil)}, ""},
		{
			"no revisit by its digest", revisitOf(one, nil),
			list{doc(5, schemas.TypeRevisit, "http://a.example/", at, one)},
			"",
		},
		{
			"304: the last answer before", revisitOf("", nil, notModified),
			list{
				a, response(2, "http://a.example/", spring, two), response(3, "http://a.example/", later, two), atB(4, at, two),
			},
			"2 1",
		},
		{
			"not modified, without a head", revisitOf("", profile("1.0/revisit/server-not-modified"), noStatus),
			list{a, response(2, "http://a.example/", spring, two), response(3, "http://a.example/", later, two)},
			"2 1",
		},
		{
			"not modified, with the digest of nothing", revisitOf(nothing, profile("1.1/revisit/server-not-modified"), noStatus),
			list{a, response(2, "http://a.example/", spring, two)},
			"2 1",
		},
		{
			"not modified, with the digest", revisitOf(two, profile("1.1/revisit/server-not-modified"), noStatus),
			list{a, response(2, "http://a.example/", spring, two)},
			"2 1",
		},
		{
			"identical, without a head", revisitOf("", profile("1.0/revisit/identical-payload-digest"), noStatus),
			list{a},
			"",
		},
		{
			"304 with a digest", revisitOf(one, nil, notModified),
			list{a, response(2, "http://a.example/", spring, two)},
			"1 2",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := WantedBy(test.d)
			got := ""
			for i, d := range w.Best(test.list) {
				if i > 0 {
					got += " "
				}
				got += d.Title
			}
			if got != test.want {
				t.Errorf("Best = %q, want %q", got, test.want)
			}
			// The filters find the original.
			for _, d := range w.Best(test.list) {
				if !slices.ContainsFunc(w.Ways(), func(e query.Expr) bool { return query.Compile(e)(d) }) {
					t.Errorf("no filter finds %s", d.Title)
				}
			}
		})
	}
}

// TestReading_hostile: revisits that refer to each other in every way, and very many answers that nothing has changed,
// take no longer than others.
func TestReading_hostile(t *testing.T) {
	r := newReading()
	const n = 4_000
	const at = "2014-01-01T00:00:00Z"
	add := func(d *schemas.Document) {
		r.wantOne(d, "shard")
	}
	var list []*schemas.Document
	for i := range n {
		d := doc(i, schemas.TypeRevisit, "http://a.example/", at, "")
		d.RefersTo = &schemas.Reference{RecordID: fmt.Sprint("urn:x:", (i+1)%n), URL: d.URL, Timestamp: at}
		list = append(list, d)
		m := doc(n+i, schemas.TypeRevisit, "http://b.example/", time.Unix(1e9+int64(i), 0).UTC().Format(time.RFC3339), "")
		m.Status = 304
		list = append(list, m, response(3*n+i, "http://b.example/", m.Timestamp, ""))
	}
	for _, d := range list {
		if d.RecordType == schemas.TypeRevisit {
			add(d)
		}
	}
	start := time.Now()
	for _, d := range list {
		r.offer(d)
	}
	r.sortPages()
	s := r.set()
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if len(s.of) != n {
		t.Errorf("%d have an original, want those of answers 304, %d", len(s.of), n)
	}
	d := doc(n+7, schemas.TypeRevisit, "http://b.example/", at, "")
	d.Title = ""
	if s.Fill(d); d.Title != fmt.Sprint(3*n+7) {
		t.Errorf("a 304 has the title %q, want that of the answer of its second", d.Title)
	}
}

// TestWider: only the parts of a filter that read values of originals let all revisits pass.
func TestWider(t *testing.T) {
	const all = "record_type = revisit OR "
	for where, want := range map[string]string{
		"":                               "",
		"status = 200":                   "status = 200",
		"language = fr":                  all + "language = fr",
		"NOT title:*":                    all + "NOT title:*",
		"harbour":                        all + "harbour",
		"mime = text/html OR status = 3": "record_type = revisit OR (mime_detected = text/html OR status = 3)",
		"timestamp > 2026 AND lang = fr": "timestamp > 2026 AND (" + all + "language = fr)",
		"surt = a AND (status = 1 OR page_type = article) AND host = b": "surt = a AND (" + all +
			"(status = 1 OR page_type = article)) AND host = b",
	} {
		e, err := query.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e := Wider(e); e != nil {
			got = e.String()
		}
		if got != want {
			t.Errorf("Wider(%s) is %s, want %s", where, got, want)
		}
	}
}
