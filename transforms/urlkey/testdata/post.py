# Writes post.jsonl: requests, and the keys that pywb 2.10.0 and cdxj-indexer 1.5.0 make for them.
#
#   python3 -m venv venv && venv/bin/pip install pywb==2.10.0 cdxj-indexer==1.5.0 surt==0.3.1
#   venv/bin/python post.py > post.jsonl
import base64, contextlib, io, json, os
import surt
from cdxj_indexer.postquery import append_method_query
from pywb.warcserver.inputrequest import MethodQueryCanonicalizer

FORM, JSON, TEXT = 'application/x-www-form-urlencoded', 'application/json', 'text/plain'
MULTI = 'multipart/form-data; boundary=XX'

def part(name, value, extra=''):
    return '--XX\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' % (name, extra, value)

CASES = [
    ('POST', FORM, 'a=1&b=2'), ('POST', FORM, 'b=2&a=1&A=3'), ('POST', FORM, 'q=new+york&x=%C3%A9%20t'),
    ('POST', FORM, 'a=%26b%3Dc'), ('POST', FORM, 'a=%'), ('POST', FORM, 'a=%zz&b=%4'), ('POST', FORM, 'a=%ff%fe'),
    ('POST', FORM, ''), ('POST', FORM, 'x=#frag'), ('POST', FORM, b'\xff\xfe=1'), ('POST', FORM + '; charset=UTF-8', 'k=v'),
    ('PUT', FORM, 'a=1'), ('post', FORM, 'a=1'), ('GET', FORM, 'a=1'), ('POST', FORM, 'a=' + 'x' * 5000),
    ('POST', FORM, 'a=' + 'é' * 4200), ('POST', FORM, 'sid=123&jsessionid=9'), ('POST', FORM, 'WB_wombat_a=1'),
    ('POST', JSON, '{"a": 1, "b": "two"}'), ('POST', JSON, '{"b": {"a": 1, "c": [1, 2, {"a": 3}]}, "a": 4}'),
    ('POST', JSON, '{"a": true, "b": false, "c": null}'), ('POST', JSON, '{"a": 1.5, "b": 2.0, "c": 1e3, "d": -0.0}'),
    ('POST', JSON, '{"a": 1.5e-7, "b": 123456789012345678901234567890, "c": 1.25e20, "d": -0}'),
    ('POST', JSON, '{"a": 0.0001, "b": 0.00001, "c": 1234567890123456.5, "d": 3.14159}'),
    ('POST', JSON, '[1, 2]'), ('POST', JSON, '[{"a": 1}, {"a": 2}, {"a": 3}]'), ('POST', JSON, '"text"'),
    ('POST', JSON, '{"a": 1, "a": 2}'), ('POST', JSON, '{"": 1}'), ('POST', JSON, '{"a b": "c d", "é": "ü&="}'),
    ('POST', JSON, '{"a": '), ('POST', JSON, 'not json'), ('POST', JSON, '{"a": 1} x'), ('POST', JSON, ''),
    ('POST', JSON, '{"query": "query { a }", "variables": {"id": "5"}}'),
    ('POST', JSON + '; charset=utf-8', '{"a": "~_.-*"}'), ('POST', JSON, '{"a": 1}\n{"a": 2}'),
    ('POST', TEXT, '{"a": 1}'), ('POST', TEXT, 'plain words'), ('POST', TEXT, '12'), ('POST', TEXT, ''),
    ('POST', MULTI, part('a', '1') + part('b', 'x y & z') + '--XX--\r\n'),
    ('POST', MULTI, part('f', 'bytes\r\nmore', '; filename="f.txt"\r\nContent-Type: text/plain') + '--XX--\r\n'),
    ('POST', MULTI, part('b', '2') + part('a', '1') + part('a', '0') + '--XX--\r\n'),
    ('POST', MULTI, part('é', 'ü') + '--XX--\r\n'), ('POST', MULTI, part('a', '') + '--XX--\r\n'),
    ('POST', 'multipart/form-data', part('a', '1') + '--XX--\r\n'),
    ('POST', 'application/octet-stream', b'\x00\x01\xff'), ('POST', '', 'abc'), ('POST', 'image/png', 'x' * 4000),
    ('HEAD', '', ''), ('OPTIONS', '', ''), ('DELETE', JSON, '{"a": 1}'), ('PATCH', JSON, '{"a": 1}'),
]
URLS = ['http://example.com/api', 'http://www.example.com/api?z=1&a=0', 'https://example.com/']

def rows():
    for method, mime, body in CASES:
        body = body if isinstance(body, bytes) else body.encode()
        for url in URLS if len(body) < 40 else URLS[:1]:
            yield url, method, mime, str(len(body)), body
    for length in ['', '3', '100', '-1', 'x', '0']:
        yield URLS[0], 'POST', FORM, length, b'a=1&b=2'

for url, method, mime, length, body in rows():
    with contextlib.redirect_stderr(io.StringIO()):
        q = MethodQueryCanonicalizer(method, mime, length or None, io.BytesIO(body))
        pywb = surt.surt(q.append_query(url).replace('WB_wombat_', ''))
        try:
            _, more = append_method_query(method, mime, length or None, io.BytesIO(body), url)
            theirs = surt.surt(url + more) if method.upper() in ('POST', 'PUT') else surt.surt(url)
        except Exception as e:
            theirs = 'error: ' + type(e).__name__
    print(json.dumps(dict(url=url, method=method, type=mime, length=length,
                          body=base64.b64encode(body).decode(), pywb=pywb, indexer=theirs)))
