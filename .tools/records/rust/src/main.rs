//! Reads WARC files for `make bench-records`.
//!
//! usage: records-peers fastwarc|libdeflate FILE...
//!
//! For each file, it prints records, HTTP heads, payload bytes and the error that ended reading, separated by tabs. The
//! last line is the peak resident memory. `libdeflate` parses nothing: its records are gzip members, and its payload is
//! their content.

use std::fs;
use std::io;

use fastwarc::warc::iter::ArchiveIterator;
use libdeflate_sys as libdeflate;

#[derive(Default)]
struct Totals {
    records: u64,
    heads: u64,
    payload: u64,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let read: fn(&str, &mut Totals) -> io::Result<()> = match args.next().as_deref() {
        Some("fastwarc") => read_fastwarc,
        Some("libdeflate") => read_libdeflate,
        _ => panic!("usage: records-peers fastwarc|libdeflate FILE..."),
    };
    for file in args {
        let mut t = Totals::default();
        let error = read(&file, &mut t)
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default();
        println!(
            "{}\t{}\t{}\t{}",
            t.records,
            t.heads,
            t.payload,
            error.replace(['\t', '\n'], " ")
        );
    }
    println!("peak\t{}", peak());
}

/// Reads as in the crate's documentation. HTTP heads are parsed by default.
fn read_fastwarc(file: &str, t: &mut Totals) -> io::Result<()> {
    for record in ArchiveIterator::from_path(file)? {
        let record = record?;
        let mut record = record.borrow_mut();
        t.records += 1;
        t.heads += u64::from(record.is_http_parsed());
        t.payload += record.consume()? as u64;
    }
    Ok(())
}

/// Inflates the members one by one into one buffer. libdeflate compares the checksums.
fn read_libdeflate(file: &str, t: &mut Totals) -> io::Result<()> {
    let data = fs::read(file)?;
    let mut rest = data.as_slice();
    let mut buffer = vec![0u8; 1 << 20];
    let decompressor = Decompressor::new();
    while !rest.is_empty() {
        match decompressor.member(rest, &mut buffer) {
            Ok((used, made)) => {
                t.records += 1;
                t.payload += made as u64;
                rest = &rest[used..];
            }
            Err(libdeflate::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE) => {
                buffer.resize(2 * buffer.len(), 0)
            }
            Err(code) => return Err(io::Error::other(format!("libdeflate: result {code}"))),
        }
    }
    Ok(())
}

struct Decompressor(*mut libdeflate::libdeflate_decompressor);

impl Decompressor {
    fn new() -> Self {
        // SAFETY: takes nothing; null is refused here.
        let decompressor = unsafe { libdeflate::libdeflate_alloc_decompressor() };
        assert!(!decompressor.is_null(), "libdeflate: out of memory");
        Self(decompressor)
    }

    /// Inflates the member at the start of data. Returns its length and the length of its content.
    fn member(
        &self,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<(usize, usize), libdeflate::libdeflate_result> {
        let (mut used, mut made) = (0, 0);
        // SAFETY: the pointers and lengths are those of slices, and only drop frees the decompressor.
        let result = unsafe {
            libdeflate::libdeflate_gzip_decompress_ex(
                self.0,
                data.as_ptr().cast(),
                data.len(),
                out.as_mut_ptr().cast(),
                out.len(),
                &mut used,
                &mut made,
            )
        };
        match result {
            libdeflate::libdeflate_result_LIBDEFLATE_SUCCESS => Ok((used, made)),
            code => Err(code),
        }
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: new made it, and nothing else frees it.
        unsafe { libdeflate::libdeflate_free_decompressor(self.0) }
    }
}

/// Returns the peak resident memory in KiB, or 0 if unknown.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
