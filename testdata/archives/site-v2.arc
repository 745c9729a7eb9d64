filedesc://site-v2.arc 0.0.0.0 20201001220059 text/plain 200 - - 0 site-v2.arc 124
2 0 Wrenmouth Archive
URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length

http://port.wrenmouth.example/robots.txt 2001:db8::7:1 20201001220059 text/plain 200 YR6M6GSJYJGMLBBEGCVHLRZO6SISSJAS - 208 site-v2.arc 159
HTTP/1.1 200 OK
Date: Thu, 01 Oct 2020 22:00:59 UTC
Server: quay/1.4
Content-Type: text/plain; charset=utf-8
Content-Length: 24

User-agent: *
Disallow:

http://port.wrenmouth.example/ 2001:db8::7:1 20201003050059 text/html 200 OT2LJYWKZUOTILD6RKD33Z7ES7RFK665 - 508 site-v2.arc 3397
HTTP/1.1 200 OK
Date: Sat, 03 Oct 2020 05:00:59 UTC
Server: quay/1.4
Content-Type: text/html; charset=utf-8
Content-Length: 3261

<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The Harbour Gazette</title>
<meta name="description" content="The daily paper of Wrenmouth and its visitors.">
<link rel="canonical" href="https://port.wrenmouth.example/">
<link rel="alternate" hreflang="en" href="https://www.harbour-gazette.example/">
<link rel="alternate" hreflang="de" href="https://www.harbour-gazette.example/de/">
<link rel="alternate" hreflang="fr" href="https://www.harbour-gazette.example/fr/">
<link rel="alternate" hreflang="x-default" href="https://www.harbour-gazette.example/">
<link rel="alternate" type="application/rss+xml" title="News" href="/feeds/news.rss">
<link rel="alternate" type="application/atom+xml" title="News (Atom)" href="/feeds/news.atom">
<link rel="alternate" type="application/feed+json" title="News (JSON)" href="/feeds/news.json">
<link rel="stylesheet" href="/assets/gazette.css">
</head>
<body class="home">
<header class="site-header"><a class="logo" href="/"><img src="/assets/logo.svg" alt="The Harbour Gazette"></a>
<nav><ul>
<li><a href="/">Home</a></li>
<li><a href="/">News</a></li>
<li><a href="/back-numbers.html">Culture</a></li>
<li><a href="/contact.html">Contact</a></li>
</ul></nav></header>
<main>
<h1>The Harbour Gazette</h1>
<section class="teaser" lang="en"><h2><a href="/guide/entering-the-harbour.html">Entering the harbour under sail</a></h2>
<p>Directions for small craft that enter Wrenmouth harbour from the south.</p>
<p class="date">2020-02-14</p></section>
<section class="teaser" lang="hi"><h2><a href="/hi/naav-wala-pustakalaya.html">नाव पर चलता पुस्तकालय</a></h2>
<p>एक पुरानी मछली पकड़ने वाली नाव अब टापुओं के बच्चों तक किताबें पहुँचाती है।</p>
<p class="date">2020-09-05</p></section>
<section class="teaser" lang="tr"><h2><a href="/tr/gemicilerin-firini.html">Gemicilerin fırını yeniden yanıyor</a></h2>
<p>Limanın taş fırını otuz yıl aradan sonra yeniden ekmek pişiriyor.</p>
<p class="date">2020-06-21</p></section>
</main>
<aside><h2>Contact</h2><ul>
<li><a href="/feeds/news.rdf">RDF</a></li><li><a href="/feeds/paper.opml">OPML</a></li>
<li><a href="/shop/brass-barometer.html">Shop</a></li><li><a href="/shop/oilskin-coat.html">Coat</a></li>
<li><a href="/forum/topic-318.html">Forum</a></li><li><a href="/letters/guestbook.html">Guest book</a></li>
<li><a href="/print/swing-bridge.html">Print</a></li><li><a href="/bridge">Bridge</a></li>
<li><a href="/notices/missing.html">Old notice</a></li><li><a href="/gone.html">Gone</a></li>
<li><a href="/docs/harbour-report-2023.pdf">Report (PDF)</a></li><li><a href="/docs/reglement-du-port.pdf">Règlement (PDF)</a></li>
<li><a href="/docs/tide-table.txt">Tides</a></li><li><a href="/api/v1/tides.json">API</a></li><li><a href="/sitemap.xml">Sitemap</a></li>
</ul></aside>
<footer><p>© The Harbour Gazette. All rights reserved. Printed on the east quay since 1887.</p></footer>
<div class="cookie-banner"><p>We use cookies to count our readers and to remember your settings.</p><button>Accept all</button></div>
<script src="/assets/gazette.js" defer></script>
</body>
</html>

http://port.wrenmouth.example/guide/entering-the-harbour.html 2001:db8::7:1 20201004120059 text/html 200 JJRVICRURUE3UNIQIINPKBZCVBGPQNZL - 4036 site-v2.arc 2390
HTTP/1.1 200 OK
Date: Sun, 04 Oct 2020 12:00:59 UTC
Server: quay/1.4
Content-Type: text/html; charset=utf-8
Content-Length: 2254

<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<HTML LANG="en">
<HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=utf-8">
<TITLE>Entering the harbour under sail</TITLE>
<META NAME="description" CONTENT="Directions for small craft that enter Wrenmouth harbour from the south.">
<META NAME="author" CONTENT="Port of Wrenmouth">

</HEAD>
<BODY BGCOLOR="#FFFFFF" LINK="#003366">
<TABLE WIDTH="760" CELLPADDING="4" ALIGN="center">
<TR><TD COLSPAN="2" CLASS="top"><A HREF="/"><IMG SRC="/assets/quay.png" WIDTH="48" HEIGHT="48" BORDER="0" ALT=""></A>
<FONT SIZE="5">The Harbour Gazette</FONT><BR>
<A HREF="/">Home</A> | <A HREF="/">News</A> | <A HREF="/back-numbers.html">Culture</A> | <A HREF="/contact.html">Contact</A>
</TD></TR>
<TR VALIGN="top"><TD WIDTH="160" CLASS="left"><B>You may also like</B><BR>

</TD>
<TD CLASS="text"><H1>Entering the harbour under sail</H1>
<P><I>By Port of Wrenmouth, 2020-02-14</I></P>
<p>Small craft should approach Wrenmouth from the south, keeping the white tower on Gannet Point bearing north-west until the red buoy at the end of the bar comes abeam. At springs the flood runs across the entrance at up to three knots and sets strongly towards the Anvil, a flat rock that dries two metres.</p>
<p>Inside the bar the channel turns sharply to starboard. There is room to round up in most winds, but in a northerly the water under the cliffs is flat and the wind above it is not, and boats have been knocked down within a length of the quay. Shorten sail early and have a line ready on each side.</p>
<p>Visitors may lie on the outer pontoon for one night without notice. Longer stays need a word with the harbour office, which answers on channel 12 during working hours. The inner basin lies behind the swing bridge; sound one long and one short blast and wait for the green signal.</p>
<p>Anchoring is forbidden between the bridge and the fuel berth, where the sea bed carries cables. Good holding in mud can be found off Kettle Sands in four metres, sheltered from all but easterly winds.</p>
</TD></TR>
<TR><TD COLSPAN="2" CLASS="foot"><HR><SMALL>All rights reserved. Printed on the east quay since 1887.</SMALL></TD></TR>
</TABLE>
</BODY>
</HTML>

http://port.wrenmouth.example/tr/gemicilerin-firini.html 2001:db8::7:1 20201005190059 text/html 200 X55OOPTB5OFCZZSFOI77GDGDOI3RTVND - 6589 site-v2.arc 3261
HTTP/1.1 200 OK
Date: Mon, 05 Oct 2020 19:00:59 UTC
Server: quay/1.4
Content-Type: text/html; charset=utf-8
Content-Length: 3125

<!doctype html>
<html lang="tr"><head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>Gemicilerin fırını yeniden yanıyor – The Harbour Gazette</title>
<meta name="description" content="Limanın taş fırını otuz yıl aradan sonra yeniden ekmek pişiriyor.">

<link rel="stylesheet" href="/assets/gazette.css">
</head>
<body class="single-post">
<div id="cookie-consent">Okurlarımızı saymak ve ayarlarınızı hatırlamak için çerez kullanıyoruz. <a href="#" class="btn">Hepsini kabul et</a></div>
<div id="wrapper">
<div id="masthead"><a href="/">The Harbour Gazette</a>
<ul class="menu">
<li><a href="/">Ana sayfa</a></li>
<li><a href="/">Haberler</a></li>
<li><a href="/back-numbers.html">Kültür</a></li>
<li><a href="/contact.html">İletişim</a></li>
</ul></div>
<div id="content" class="hentry">
<h1 class="entry-title">Gemicilerin fırını yeniden yanıyor</h1>
<div class="entry-meta">Yazan: <span class="author vcard">Nermin Akçakoca</span>, <abbr class="published" title="2020-06-21">2020-06-21</abbr></div>
<div class="entry-content">
<p>Limanın arkasındaki dar sokakta otuz yıldır soğuk duran taş fırın, geçen cumartesi yeniden yakıldı. İlk ekmekler sabahın dördünde çıktı ve gün ağarmadan tükendi. Kuyrukta bekleyenlerin çoğu, çocukluğunda aynı kapının önünde sıra beklemiş olan yaşlı denizcilerdi.</p>
<p>Fırını ayağa kaldıran iki kardeş, ustalığı dedelerinin defterinden öğrenmiş. Sayfaları unla sararmış bu defterde yalnızca tarifler değil, hangi geminin ne kadar peksimet aldığı ve kimin borcunu ödemediği de yazılı. Kardeşler eski borçları sildiklerini söylüyor, ama isimleri okumaktan da kendilerini alamıyorlar.</p>
<p>Denizciler için yapılan ekmek bugünkünden farklıymış. Kabuğu kalın, içi sıkı olurmuş, çünkü üç hafta bozulmadan dayanması gerekirmiş. Şimdi aynı ekmek ince dilimlenip zeytinyağıyla ısıtılıyor ve yanında demli çayla sunuluyor.</p>
<p>Fırın pazartesi dışında her gün açık. Öğleden sonra kalan sıcaklıkta mahallenin kadınları kendi tepsilerini pişirebiliyor. Karşılığında para alınmıyor, yalnızca bir dilim bırakmak yeterli.</p>
<p>Mahalle sakinleri kış için şimdiden hazırlanıyor. Odunlar limandaki tersanenin artıklarından toplanıyor, un ise adalardaki son değirmenden geliyor. Kardeşlerin hayali, gelecek yıl gençlere ücretsiz ekmek dersi vermek ve dedelerinin defterini herkesin okuyabileceği bir kitaba dönüştürmek.</p>
</div>
<div class="tags"><a rel="tag" href="/">fırın</a> <a rel="tag" href="/">ekmek</a> <a rel="tag" href="/">liman</a> </div>
</div>
<div id="sidebar" class="widget-area">
<div class="widget"><h3>İlginizi çekebilir</h3><ul>
<li><a href="/guide/entering-the-harbour.html">Entering the harbour under sail</a></li>

</ul></div>
<div class="widget"><h3>Sabah gelgiti e-postanızda</h3><form action="/subscribe" method="post"><input name="e"></form></div>
</div>
<div id="colophon">Tüm hakları saklıdır. 1887'den beri doğu rıhtımında basılır.</div>
</div>
</body></html>

http://port.wrenmouth.example/hi/naav-wala-pustakalaya.html 2001:db8::7:1 20201007020059 text/html 200 GUX55TD2DR6FYOOPHCZW3R674JH5HCA2 - 10008 site-v2.arc 5536
HTTP/1.1 200 OK
Date: Wed, 07 Oct 2020 02:00:59 UTC
Server: quay/1.4
Content-Type: text/html; charset=utf-8
Content-Length: 5400

<!DOCTYPE html>
<html lang="hi">
<head>
<meta charset="utf-8">
<title>नाव पर चलता पुस्तकालय | The Harbour Gazette</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="एक पुरानी मछली पकड़ने वाली नाव अब टापुओं के बच्चों तक किताबें पहुँचाती है।">

<link rel="stylesheet" href="/assets/gazette.css">
<script>window.dataLayer=window.dataLayer||[];dataLayer.push({"section":"शिक्षा"});</script>
</head>
<body class="article-page">
<a class="skip" href="#main">↓</a>
<header class="site-header">
<a class="logo" href="/"><img src="/assets/logo.svg" alt="The Harbour Gazette" width="120" height="40"></a>
<nav aria-label="main"><ul>
<li><a href="/">मुखपृष्ठ</a></li>
<li><a href="/">समाचार</a></li>
<li><a href="/back-numbers.html">संस्कृति</a></li>
<li><a href="/contact.html">संपर्क</a></li>
</ul></nav>
<form role="search" action="/search"><input type="search" name="q" aria-label="खोज"><button>खोज</button></form>
</header>
<nav class="breadcrumb"><a href="/">मुखपृष्ठ</a> › <a href="/">शिक्षा</a></nav>
<main id="main">
<article>
<header>
<h1>नाव पर चलता पुस्तकालय</h1>
<p class="standfirst">एक पुरानी मछली पकड़ने वाली नाव अब टापुओं के बच्चों तक किताबें पहुँचाती है।</p>
<p class="byline">लेखक: <a rel="author" href="/">सुमेधा राणे</a> · <time datetime="2020-09-05">2020-09-05</time></p>
<ul class="share"><li><a href="https://social.example/share?u=https://port.wrenmouth.example/hi/naav-wala-pustakalaya.html">Share</a></li><li><a href="mailto:?subject=%E0%A4%A8%E0%A4%BE%E0%A4%B5%20%E0%A4%AA%E0%A4%B0%20%E0%A4%9A%E0%A4%B2%E0%A4%A4%E0%A4%BE%20%E0%A4%AA%E0%A5%81%E0%A4%B8%E0%A5%8D%E0%A4%A4%E0%A4%95%E0%A4%BE%E0%A4%B2%E0%A4%AF">Mail</a></li></ul>
</header>
<figure><img src="/assets/quay.png" alt="" width="48" height="48"></figure>
<p>हर मंगलवार की सुबह एक पीली नाव बंदरगाह से निकलती है। उसमें न जाल होता है, न मछली, बल्कि लकड़ी की अलमारियों में सजी हुई आठ सौ किताबें होती हैं। यह नाव चार छोटे टापुओं के उन बच्चों तक पहुँचती है जिनके गाँव में कोई पुस्तकालय नहीं है।</p>
<p>इस काम की शुरुआत एक सेवानिवृत्त अध्यापक ने की थी। उन्होंने अपनी बचत से एक पुरानी नाव खरीदी, उसकी मरम्मत करवाई और छत पर सौर पैनल लगवाए। पहले महीने में केवल ग्यारह बच्चे आए, क्योंकि लोगों को विश्वास नहीं था कि किताबें मुफ्त में मिलेंगी।</p>
<p>अब घाट पर नाव के आने से पहले ही भीड़ लग जाती है। बच्चे पिछले सप्ताह की किताबें लौटाते हैं, नई चुनते हैं और कभी-कभी वहीं सीढ़ियों पर बैठकर ज़ोर से पढ़ने लगते हैं। कुछ माताएँ भी अक्षर सीख रही हैं, ताकि वे अपने बच्चों के साथ कहानी पढ़ सकें।</p>
<p>बरसात के महीनों में समुद्र उफान पर रहता है और नाव नहीं चल पाती। तब अध्यापक चिट्ठियों के साथ किताबों के बंडल डाक से भेजते हैं। वे कहते हैं कि रास्ता बंद हो सकता है, कहानी नहीं।</p>
</article>
<aside class="related"><h2>यह भी पढ़ें</h2><ul>
<li><a href="/guide/entering-the-harbour.html">Entering the harbour under sail</a></li>

</ul></aside>
<aside class="newsletter"><h2>सुबह का ज्वार आपकी डाक में</h2><form action="/subscribe" method="post"><input type="email" name="e"><button>OK</button></form></aside>
</main>
<footer><p>© The Harbour Gazette. सर्वाधिकार सुरक्षित।</p></footer>
<div class="cookie-banner" role="dialog"><p>हम पाठकों की गिनती और आपकी पसंद याद रखने के लिए कुकी का उपयोग करते हैं।</p><button>सब स्वीकार करें</button></div>
<script src="/assets/gazette.js" defer></script>
</body>
</html>

