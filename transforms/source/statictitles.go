package source

// staticTitles are further titles of pages that every site has: see staticTitle.
var staticTitles = titlesOf(`
project
projects
portfolio
cv
curriculum vitae
resume
résumé
experience
education
skills
publications
team
our team
services
gallery
pricing
careers
career
support
help
subscribe
newsletter
welcome
thank you
thanks
now
uses
categories
tags
blog
posts
news
events
license
licence
overview
about our company
about the author
about the site
about this site
join us
join our team
meet the team
get in touch
menu
reservation
reservations
reservas
reserves
réservation
inici
inicio
início
accueil
contacte
opening hours
shipping
o mnie
kontakty
despre
hakkımda
hakkımızda
iletişim
tentang
tentang kami
tentang saya
kontak
liên hệ
giới thiệu
обо мне
о нас
о себе
контакты
про мене
про нас
портфолио
проекты
درباره
درباره من
درباره ما
تماس
تماس با ما
关于
关于我
关于我们
關於
關於我
關於我們
联系
联系我们
友链
友情链接
归档
标签
分类
소개
について
お問い合わせ
自己紹介
プロフィール
people
members
our members
information
info
stats
statistics
feed
rules
calendar
schedule
sponsors
partners
downloads
history
location
directions
how to find us
terms and conditions
general terms and conditions
complaints procedure
privacy statement
cookie statement
accessibility statement
algemene voorwaarden
privacyverklaring
klachtenregeling
disclaimer en privacy
over ons
agb
allgemeine geschäftsbedingungen
barrierefreiheit
mitglieder
termine
anfahrt
öffnungszeiten
conditions générales
conditions générales de vente
conditions générales d'utilisation
politique de confidentialité
plan du site
términos y condiciones
política de cookies
política de privacidade
termos de uso
termos e condições
termini e condizioni
informativa sulla privacy
regulamin
polityka prywatności
obchodní podmínky
ochrana osobních údajů
adatvédelem
kullanım koşulları
gizlilik politikası
kebijakan privasi
syarat dan ketentuan
chính sách bảo mật
điều khoản sử dụng
политика конфиденциальности
пользовательское соглашение
політика конфіденційності
правила
利用規約
プライバシーポリシー
特定商取引法に基づく表記
会社概要
アクセス
隐私政策
隐私权政策
服务条款
用户协议
隱私權政策
이용약관
개인정보처리방침
`)
