package index

// Version is the version of the index. Files of another one are made again from the shards.
const Version = 6

// applicationID marks our databases in their headers (https://sqlite.org/fileformat2.html#application_id): "glnr".
const applicationID = 0x676c6e72

// indexTables are those of index.db. Each value of a small set (a language, a host) stands once in name and is a number
// elsewhere, which is never given to another; each SURT stands once in page.
//
// A version has null for a URL or a title that is its page's. A URL that follows from the SURT and the version's host,
// as most do, is empty (shortURL). A version's text is the number of the text in text.db, which is the number of the
// first version that had it: 0 for none. So version_text, which finds the other versions with that text, is small where
// nothing repeats. Which shard a version is in, and at which row, follows from its number.
//
// state has what the database was born with, by chance, so that what is remembered of one is not taken for another's.
//
// A shard keeps four columns of its rows side by side, little-endian and in the order of their numbers, which follow
// each other from first on: pages and texts of 4 bytes, times of 8, and a byte of how well a text fits by its length
// (lengthScore). What looks at many rows reads these, at a tenth of the price of rows. bits are roaring bitmaps
// (https://roaringbitmap.org, the portable format) of the versions that have a value, cut by number into chunks of
// 2^chunkBits, so that a shard more rewrites little; n is how many those are, which says how many captures a value has
// without reading a bitmap.
//
// custom has the values of custom columns of a shard as numbers in the order of the values, each with its row: a
// comparison takes a part of such a list. See customRow.
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
create table orphan(text integer primary key);
create view document as select v.id, p.surt, case when coalesce(v.url, p.url) <> '' or instr(p.surt, ')') = 0
	then coalesce(v.url, p.url) else 'https://' || h.value || substr(p.surt, instr(p.surt, ')') + 1) end as url,
	v.ts as microseconds,
	strftime('%Y-%m-%dT%H:%M:%SZ', v.ts / 1000000, 'unixepoch') as timestamp, m.value as mime_detected,
	l.value as language, s.value as status, h.value as host, d.value as domain, coalesce(v.title, p.title) as title,
	t.value as page_type, c.value as source_id, f.value as filename, v.offset, v.length, v.sequence,
	(select name from shard where first <= v.id and v.id < first + rows) as shard,
	v.id - (select first from shard where first <= v.id and v.id < first + rows) as row, v.text
	from version v join page p on p.id = v.page
	join name m on m.id = v.mime join name l on l.id = v.language join name s on s.id = v.status
	join name h on h.id = v.host join name d on d.id = v.domain join name t on t.id = v.page_type
	join name c on c.id = v.source join name f on f.id = v.filename;
insert into state values('generation', 0), ('next', 1), ('born', random());
`

// textTables are those of text.db, a file of its own because SQLite before 3.43 does not open a database with such a
// table, and the catalogue should be open to any.
//
// doc has terms and no texts. Which term stands where is not kept (detail=none), which takes 1.2 times the room of all
// else together. Terms are gathered in 32 MiB of memory before they are written, since each writing is a part more
// that is to be merged: with FTS5's own 1 MiB, half of the time went to sorting and merging. The tokenizer splits at
// spaces and ASCII punctuation alone and knows no Unicode: the terms are ours, each with the ending that key gives it
// (termKey). Those of a title are there a second time, with titleMark before them: a search by relevance asks which
// titles have its words.
const textTables = `
create table state(key text primary key, value integer not null) without rowid;
create table digest(hash blob primary key, text integer not null) without rowid;
create virtual table doc using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
insert into state values('purged', 0), ('merged', 0), ('key', random());
insert into doc(doc, rank) values('hashsize', 33554432), ('automerge', 16);
`

// chunkBits is how many rows a chunk of a bitmap has, as a power of two: 262,144, or 32 KiB at most.
const chunkBits = 18

// kind is what a name is a value of.
type kind int

// The kinds. Their numbers are in the files.
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
)
