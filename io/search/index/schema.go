package index

// Version is the version of the index. Files of another version are made again from the shards.
const Version = 10

// applicationID marks our databases in their headers (https://sqlite.org/fileformat2.html#application_id): "glnr".
const applicationID = 0x676c6e72

// indexTables are the tables of index.db. Each value of a small field (a language, a host) is in name once, and is
// elsewhere a number, which is never reused. Each SURT is in page once.
//
// A version has null for a URL or title that equals its page's. A URL that follows from SURT and host, as most do, is
// empty (shortURL). A version's text is its number in text.db, the number of the first version with that text, or 0. So
// version_text, which finds the other versions of a text, is small if few texts repeat. A version's number determines
// its shard and row.
//
// state has random values from the creation of the database, so that caches of another database do not match.
//
// A shard has four columns of its rows, little-endian and in the order of their consecutive numbers. These are pages
// and texts of 4 bytes, times of 8, and a byte of the length score (lengthScore). Reading them costs a tenth of reading
// rows. bits are roaring bitmaps (https://roaringbitmap.org, the portable format) of the versions that have a value.
// They are divided by number into chunks of 2^chunkBits, so that another shard rewrites little. Their sizes n count
// captures without reading a bitmap.
//
// custom has the values of a shard's custom columns as sorted numbers, each with its row: a comparison selects a range
// of the list. See customRow.
//
// list has the values of fields with several values, such as authors and flags, for blocks of a shard's rows: see
// block. It also has the rows with a text.
const indexTables = `
create table state(key text primary key, value integer not null) without rowid;
create table shard(id integer primary key, name text not null unique, sha256 text not null, bytes integer not null,
	first integer not null, rows integer not null, pages blob not null, times blob not null, texts blob not null,
	fits blob not null);
create table name(id integer primary key autoincrement, kind integer not null, value text not null,
	unique(kind, value));
create table page(id integer primary key, surt text not null unique, url text not null, title text not null);
create table version(id integer primary key, page integer not null, ts integer not null, url text, title text,
	mime integer not null, language integer not null, status integer not null, host integer not null,
	domain integer not null, page_type integer not null, source integer not null, filename integer not null,
	record_type integer not null,
	offset integer not null, length integer not null, sequence integer not null,
	text integer not null);
create index version_page on version(page, ts);
create index version_time on version(ts);
create index version_text on version(text) where text <> id and text <> 0;
create table bits(kind integer, value integer, chunk integer, n integer not null, bits blob not null,
	primary key(kind, value, chunk))
	without rowid;
create table custom(shard integer not null, type integer not null, name text not null, data blob not null,
	unique(shard, type, name));
create table list(shard integer not null, kind integer not null, first integer not null, rows integer not null,
	ids blob not null, data blob not null, unique(shard, kind, first));
create table orphan(text integer primary key);
create view document as select v.id, p.surt, case when coalesce(v.url, p.url) <> '' or instr(p.surt, ')') = 0
	then coalesce(v.url, p.url) else 'https://' || h.value || substr(p.surt, instr(p.surt, ')') + 1) end as url,
	v.ts as microseconds,
	strftime('%Y-%m-%dT%H:%M:%SZ', v.ts / 1000000, 'unixepoch') as timestamp, m.value as mime_detected,
	l.value as language, s.value as status, h.value as host, d.value as domain, coalesce(v.title, p.title) as title,
	t.value as page_type, c.value as source_id, f.value as filename,
	r.value as record_type, v.offset, v.length, v.sequence,
	(select name from shard where first <= v.id and v.id < first + rows) as shard,
	v.id - (select first from shard where first <= v.id and v.id < first + rows) as row, v.text
	from version v join page p on p.id = v.page
	join name m on m.id = v.mime join name l on l.id = v.language join name s on s.id = v.status
	join name h on h.id = v.host join name d on d.id = v.domain join name t on t.id = v.page_type
	join name c on c.id = v.source join name f on f.id = v.filename
	join name r on r.id = v.record_type;
insert into state values('generation', 0), ('next', 1), ('born', random());
`

// textTables are the tables of text.db. It is a separate file, because SQLite before 3.43 cannot open a database with
// such a table, and any version should open index.db.
//
// doc has terms and no texts. It does not store positions of terms (detail=none), which would more than double it. FTS5
// collects 32 MiB of terms before writing, because each write adds a part to be merged. With the default of 1 MiB, half
// of the time went to sorting and merging. Parts are merged after an update (settle): merging each sixteen of them
// before wrote each term once more.
//
// The tokenizer only splits at spaces and ASCII punctuation. The terms are made by us, each with an ending from the key
// (termKey). Terms of a title are stored a second time after titleMark: a search by relevance asks which titles have
// its words.
const textTables = `
create table state(key text primary key, value integer not null) without rowid;
create table digest(hash blob primary key, text integer not null) without rowid;
create table form(language text, begin text, terms blob not null, primary key(language, begin)) without rowid;
create virtual table doc using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
insert into state values('purged', 0), ('merged', 0), ('key', random());
insert into doc(doc, rank) values('hashsize', 33554432), ('automerge', 0), ('crisismerge', 500);
`

// chunkBits is the binary logarithm of the rows of a bitmap chunk: 262,144 rows, at most 32 KiB.
const chunkBits = 18

// kind is the field that a name is a value of.
type kind int

// The kinds. Files contain these numbers.
const (
	kindLanguage kind = iota + 1
	kindMIME
	kindStatus
	kindHost
	kindDomain
	kindType
	kindSource
	kindMonth
	kindFilename
	kindRecordType
	kindAuthor
	kindTag
	kindEntity
	kindFlag
	kindHasText
)

// firstList is the first kind of the lists.
const firstList = kindAuthor
