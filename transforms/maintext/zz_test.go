package maintext
import ("testing";"fmt";"time";"syscall";"strings";"sort";"os";"encoding/json";"path/filepath";"github.com/gleaner-web/gleaner/transforms/page";"github.com/gleaner-web/gleaner/transforms/sanitize";"bytes";"golang.org/x/net/html")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano())}
func nest(open,mid,close string,n,depth int) string { var b strings.Builder; for i:=0;i<n/depth;i++{ b.WriteString(strings.Repeat(open,depth)); b.WriteString(mid); b.WriteString(strings.Repeat(close,depth))}; return b.String()}
func TestZZH(t *testing.T){
 for _,n:=range []int{7000,29000}{
 w:="some words here, and more of them"
 cs:=map[string]string{"br":strings.Repeat("<br>",n),"brtext":strings.Repeat("word<br>",n/2),"p":strings.Repeat("<p>"+w+"</p>",n/2),"nesttab":nest("<table><tr><td>",w,"</td></tr></table>",n/4,80),"nesttab2":nest("<table><tr><td>x",w,"</td></tr></table>",n/5,80),"lists":nest("<ul><li>"+w,w,"</li></ul>",n/3,150),"divs":nest("<div>",w,"</div>",n,380),"divs2":nest("<div>"+w,w,"</div>",n/2,380),"divs3":nest("<div>"+w,w,"</div>",n/2,50),"spans":nest("<span>",w,"</span>",n,380),"flatspan":"<p>"+strings.Repeat("<span>"+w+"</span>",n/2),"flatb":"<p>"+strings.Repeat("<b>w</b>",n/2),"links":strings.Repeat("<a href=/x>"+w+"</a>",n/2),"linkp":strings.Repeat("<p><a href=/x>"+w+"</a></p>",n/3),"dl":"<dl>"+strings.Repeat("<dt>a<dd>b",n/4),"tr":"<table>"+strings.Repeat("<tr><td>a<td>b",n/5),"code":"<pre>"+strings.Repeat("<code>a</code>",n/2),"blockq":nest("<blockquote>",w,"</blockquote>",n,100),"h":strings.Repeat("<h2>a</h2>",n/2),"img":strings.Repeat("<img src=a.jpg>",n),"emptydiv":strings.Repeat("<div></div>",n),"divtext":strings.Repeat("<div>text text, text</div>",n/2),"li":"<ul>"+strings.Repeat("<li>text text",n/2)+"</ul>","classes":strings.Repeat("<div class='"+strings.Repeat("a-b ",250)+"'>x</div>",n/2),"classes2":strings.Repeat("<a href='"+strings.Repeat("a-b/",400)+"' class='"+strings.Repeat("a-b ",250)+"' id='"+strings.Repeat("a-b ",250)+"'>x</a>",n/2), "bigtext":strings.Repeat("<p>"+strings.Repeat(w,40)+"</p>",n/10),"onetext":"<p>"+strings.Repeat(w,200000),"dupart":strings.Repeat("<article><p>"+w+"</p></article>",n/3)}
 var ks []string; for k:=range cs{ks=append(ks,k)}; sort.Strings(ks)
 for _,k:=range ks { p:=page.Parse([]byte("<html><body>"+cs[k]),page.Options{URL:"http://e.com/x"}); var c cloner; c.clone(p.Root()); t0:=cpu(); r:=Extract(p,Options{}); d:=cpu()-t0
  if d>400*time.Millisecond { fmt.Printf("%-10s n=%d nodes %d cpu %v work %d text %d %s\n",k,n,c.nodes,d,c.work>>20,len(r.Text),r.Source) } }
 }
}
func TestZZ(t *testing.T){
 fs,_:=filepath.Glob("/work/shared/corpora/maintext/wcxb-dev/html/*")
  out,_:=os.Create("/tmp/pred-x.jsonl"); e:=json.NewEncoder(out); var d,dp,ds time.Duration; n:=0; src:=map[string]int{}; by:=0; bad,htmlb:=0,0; maxd:=time.Duration(0)
  for i,f:=range fs { n++
   b:=unzip(t,f); by+=len(b)
   t0:=cpu(); p:=page.Parse(b,page.Options{URL:"https://example.com/a/b"}); t1:=cpu(); dp+=t1-t0
   r:=Extract(p,Options{}); t2:=cpu(); d+=t2-t1; src[r.Source]++; if t2-t1>maxd{maxd=t2-t1}
   s:=sanitize.HTML(r.Node,sanitize.Options{Base:p.Base}); ds+=cpu()-t2; htmlb+=len(s)
   root,_:=html.Parse(bytes.NewReader([]byte(s))); if s2:=sanitize.HTML(root,sanitize.Options{}); r.Node!=nil && s2!=s { bad++; fmt.Println("NOT IDEMPOTENT",f)}
   if r.Node!=nil && len(s)<len(r.Text) { fmt.Println("short",f,len(s),len(r.Text)) }
   if i%7==0 { r2:=Extract(p,Options{}); if r2.Text!=r.Text || (r.Node!=nil && sanitize.HTML(r2.Node,sanitize.Options{Base:p.Base})!=s){ fmt.Println("NONDETERMINISTIC",f)}}
   e.Encode(map[string]string{"id":strings.SplitN(filepath.Base(f),".",2)[0],"text":r.Text}) }
  fmt.Println(n,"pages",by/n,"bytes a page","parse",dp/time.Duration(n),"extract",d/time.Duration(n),"max",maxd,"sanitize",ds/time.Duration(n),src,"bad",bad,"html",htmlb/n); out.Close()
}
