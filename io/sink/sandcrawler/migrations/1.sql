-- The tables of Sandcrawler that results of datasets go to, with its names, keys and checks. A database that has them
-- already keeps them as they are.

CREATE TABLE IF NOT EXISTS ingest_request (
    link_source           text NOT NULL CHECK (octet_length(link_source) >= 1),
    link_source_id        text NOT NULL CHECK (octet_length(link_source_id) >= 1),
    ingest_type           text NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url              text NOT NULL CHECK (octet_length(base_url) >= 1),
    ingest_request_source text CHECK (octet_length(ingest_request_source) >= 1),
    created               timestamp with time zone NOT NULL DEFAULT now(),
    release_stage         text CHECK (octet_length(release_stage) >= 1),
    request               jsonb, -- all members that have no column
    PRIMARY KEY (link_source, link_source_id, ingest_type, base_url)
);
CREATE INDEX IF NOT EXISTS ingest_request_base_url_idx ON ingest_request (base_url, ingest_type);

CREATE TABLE IF NOT EXISTS ingest_file_result (
    ingest_type          text NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url             text NOT NULL CHECK (octet_length(base_url) >= 1),
    updated              timestamp with time zone NOT NULL DEFAULT now(),
    hit                  boolean NOT NULL,
    status               text CHECK (octet_length(status) >= 1),
    terminal_url         text CHECK (octet_length(terminal_url) >= 1),
    terminal_dt          text CHECK (octet_length(terminal_dt) = 14),
    terminal_status_code integer,
    terminal_sha1hex     text CHECK (octet_length(terminal_sha1hex) = 40),
    PRIMARY KEY (ingest_type, base_url)
);
CREATE INDEX IF NOT EXISTS ingest_file_result_terminal_url_idx ON ingest_file_result (terminal_url);
CREATE INDEX IF NOT EXISTS ingest_file_result_terminal_sha1hex_idx ON ingest_file_result (terminal_sha1hex);

CREATE TABLE IF NOT EXISTS ingest_fileset_platform (
    ingest_type                 text NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url                    text NOT NULL CHECK (octet_length(base_url) >= 1),
    updated                     timestamp with time zone NOT NULL DEFAULT now(),
    hit                         boolean NOT NULL,
    status                      text CHECK (octet_length(status) >= 1),
    platform_name               text NOT NULL CHECK (octet_length(platform_name) >= 1),
    platform_domain             text NOT NULL CHECK (octet_length(platform_domain) >= 1),
    platform_id                 text NOT NULL CHECK (octet_length(platform_id) >= 1),
    ingest_strategy             text CHECK (octet_length(ingest_strategy) >= 1),
    total_size                  bigint,
    file_count                  bigint,
    archiveorg_item_name        text CHECK (octet_length(archiveorg_item_name) >= 1),
    archiveorg_item_bundle_path text CHECK (octet_length(archiveorg_item_bundle_path) >= 1),
    web_bundle_url              text CHECK (octet_length(web_bundle_url) >= 1),
    web_bundle_dt               text CHECK (octet_length(web_bundle_dt) = 14),
    manifest                    jsonb,
    PRIMARY KEY (ingest_type, base_url)
);
CREATE INDEX IF NOT EXISTS ingest_fileset_platform_name_domain_id_idx
    ON ingest_fileset_platform (platform_name, platform_domain, platform_id);

CREATE TABLE IF NOT EXISTS file_meta (
    sha1hex    text PRIMARY KEY CHECK (octet_length(sha1hex) = 40),
    sha256hex  text CHECK (octet_length(sha256hex) = 64),
    md5hex     text CHECK (octet_length(md5hex) = 32),
    size_bytes bigint,
    mimetype   text CHECK (octet_length(mimetype) >= 1)
);
CREATE INDEX IF NOT EXISTS file_meta_md5hex_idx ON file_meta (md5hex);

CREATE TABLE IF NOT EXISTS cdx (
    url         text NOT NULL CHECK (octet_length(url) >= 1),
    datetime    text NOT NULL CHECK (octet_length(datetime) = 14),
    sha1hex     text NOT NULL CHECK (octet_length(sha1hex) = 40), -- of the body
    cdx_sha1hex text CHECK (octet_length(cdx_sha1hex) = 40),      -- as the index has it, of the body as it was sent
    mimetype    text CHECK (octet_length(mimetype) >= 1),
    warc_path   text CHECK (octet_length(warc_path) >= 1),
    warc_csize  bigint,
    warc_offset bigint,
    row_created timestamp with time zone NOT NULL DEFAULT now(),
    PRIMARY KEY (url, datetime)
);
CREATE INDEX IF NOT EXISTS cdx_sha1hex_idx ON cdx (sha1hex);
CREATE INDEX IF NOT EXISTS cdx_row_created_idx ON cdx (row_created);
