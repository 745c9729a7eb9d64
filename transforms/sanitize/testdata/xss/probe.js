// This runs in the frame of one vector. It reports to the surrounding page what the markup does by itself. Then it
// triggers events and clicks like a person, and checks the tree that the browser has made of the markup.
'use strict'
const index = new URLSearchParams(location.search).get('i')
const host = window.parent
const tell = what => host.heard(index, what)

window.mark = () => tell('mark')
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'msgbox']) window[name] = () => { tell(name) }
addEventListener('message', e => { if (e.data === 'mark') tell('mark') })
addEventListener('securitypolicyviolation', e => tell('policy ' + e.effectiveDirective + ' ' + e.blockedURI))
addEventListener('pagehide', () => host.left(index))
for (const type of ['click', 'submit']) addEventListener(type, stay, true)

// stay prevents clicks from leaving the page, but lets scripts in URLs run.
function stay(e) {
  const urls = [e.submitter, ...e.composedPath()].map(n => n?.getAttribute && (n.getAttribute('formaction') ??
    n.getAttribute('action') ?? n.getAttribute('href') ?? n.getAttribute('xlink:href') ?? n.href?.animVal))
  const url = new URL(urls.find(u => u) ?? '', document.baseURI)
  const leads = e.type === 'submit' || urls.some(u => u)
  if (leads && !['javascript:', 'data:'].includes(url.protocol)) e.preventDefault()
}

const pause = ms => new Promise(done => setTimeout(done, ms))

function everything(root) {
  return [...root.querySelectorAll('*')].flatMap(n => n.shadowRoot ? [n, ...everything(n.shadowRoot)] : [n])
}

// eventsOf returns the events that elements like n have handlers for.
const known = new Map()
function eventsOf(n) {
  if (!known.has(n.constructor)) {
    const names = []
    for (const name in n) if (name.startsWith('on')) names.push(name)
    known.set(n.constructor, names)
  }
  return known.get(n.constructor)
}

// handlers returns the events for which n has a handler.
const handlers = n => eventsOf(n).filter(name => typeof n[name] === 'function').map(name => name.slice(2))

async function fire() {
  const all = everything(document).filter(n => n.nonce !== 'probe')
  for (const name of ['focus', 'hashchange', 'resize', 'pagereveal', 'beforeprint']) dispatchEvent(new Event(name))
  for (const n of all) {
    for (const name of handlers(n)) {
      tell('handler ' + name)
      n.dispatchEvent(new Event(name))
    }
  }
  for (const n of all) {
    n.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, composed: true}))
    if (n.matches('a,area,button,input,summary,svg *,math *')) await pause(0)
  }
}

// This is a separate copy of the allow-list: nothing here is taken from the program.
const elements = ('p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td blockquote pre code ' +
  'em strong b i u s sub sup a img figure figcaption br hr div span details summary time abbr q cite del ins').split(' ')
const attributes = 'href src title alt width height colspan rowspan datetime lang dir'.split(' ')

function judge(root, where) {
  for (const n of everything(root)) {
    if (!elements.includes(n.localName)) tell(`${where}: element ${n.localName}`)
    for (const a of n.attributes) {
      if (!attributes.includes(a.name)) tell(`${where}: attribute ${a.name}`)
      const scheme = ['href', 'src'].includes(a.name) ? new URL(a.value, 'bad:').protocol : 'https:'
      if (!['http:', 'https:'].includes(scheme) && (scheme !== 'mailto:' || a.name === 'src')) {
        tell(`${where}: scheme ${scheme}`)
      }
    }
  }
}

// contexts are elements where the parser has other rules for the same markup, set by innerHTML.
const svg = 'http://www.w3.org/2000/svg', math = 'http://www.w3.org/1998/Math/MathML'
const contexts = [
  ['div'], ['table'], ['select'], ['noscript'], ['template'], ['textarea'], ['title'], ['xmp'], ['button'],
  ['svg', svg], ['foreignObject', svg], ['desc', svg],
  ['math', math], ['mi', math], ['annotation-xml', math],
]

function output(markup) {
  const box = document.getElementById('box'), after = document.getElementById('after')
  if (after?.parentNode !== document.body || box.nextElementSibling !== after || after.textContent !== 'after') {
    tell('the markup leaves its container')
  }
  judge(box, 'as written')
  for (const [name, space = 'http://www.w3.org/1999/xhtml'] of contexts) {
    const n = document.createElementNS(space, name)
    document.body.append(n)
    n.innerHTML = markup
    judge(n.content ?? n, 'within ' + name)
    if (name !== 'div') continue
    if (!n.isEqualNode(Object.assign(document.createElement('div'), {innerHTML: box.innerHTML}))) {
      tell('innerHTML differs from the page')
    }
    const twice = n.cloneNode()
    twice.innerHTML = n.innerHTML
    if (!twice.isEqualNode(n)) tell('the markup changes when it is written and parsed again')
  }
}

// again acts like a careless program: it parses the markup with scripts off, writes the tree and parses that.
async function again(markup) {
  const text = new DOMParser().parseFromString(markup, 'text/html').body.innerHTML
  document.body.innerHTML = text
  document.body.innerHTML = document.body.innerHTML
  await pause(50)
  await fire()
}

addEventListener('load', async () => {
  await pause(50)
  const markup = await (await fetch('/markup?i=' + index)).text()
  if (document.getElementById('box')) output(markup)
  await fire()
  if (!document.getElementById('box')) await again(markup)
  await pause(150)
  tell('shown')
  host.done(index)
})
