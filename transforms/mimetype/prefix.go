package mimetype

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// firmText returns the type of a text with a signature that prose does not have by chance, or "". Commas and tabs are
// not such signatures; see tableOf. "Firm" means that a hint cannot change it. A text with WEBVTT at its beginning has
// that type, whatever its name.
func firmText(head []byte, t string) string {
	// The table is searched in order. No prefix is a part of an earlier one with another type.
	for _, s := range textSignatures {
		if bytes.HasPrefix(head, []byte(s.prefix)) {
			return s.mediaType
		}
	}
	switch {
	// Armoured keys and messages share the first word, and differ in the label.
	case bytes.HasPrefix(head, []byte(armorBegin)):
		return armorType(string(firstLine(head)))
	case subRip().Match(head[:min(len(head), 128)]):
		return "application/x-subrip"
	// vCalendar 1.0 and iCalendar share the first line; the version is on one of the next.
	case bytes.HasPrefix(head, []byte("BEGIN:VCALENDAR")) &&
		bytes.Contains(head[:min(len(head), 1024)], []byte("VERSION:1.0")):
		return "text/x-vcalendar"
	// C header files begin with "#define" too; the first one of a bitmap is its width.
	case bytes.HasPrefix(head, []byte("#define ")) && bytes.Contains(firstLine(head), []byte("_width ")):
		return "image/x-xbitmap"
	// "solid" is also a word; a facet after it means a model.
	case bytes.HasPrefix(head, []byte("solid ")) && bytes.Contains(head[:min(len(head), 1024)], []byte("facet normal")):
		return "model/stl"
	}
	// The module's result for texts is used if it is exact: its CSV is a guess from two lines.
	if t == "text/csv" || t == "text/tab-separated-values" || generic[t] || IsHTML(t) || familyOfType(t) != familyText {
		return ""
	}
	return t
}

// subRip is the number and the times of a first subtitle. Prose never has these.
var subRip = pattern.Lazy(`^\s*\d+[ \t]*\r?\n\d{1,2}:\d\d:\d\d[,.]\d{1,3} ?--> ?\d{1,2}:\d\d:\d\d[,.]\d`)

// armorBegin begins the first line of the formats of RFC 7468 and RFC 9580.
const armorBegin = "-----BEGIN "

// armorType returns the type of text between lines of dashes (RFC 7468 and RFC 9580), by the label in the first line.
// The end of the label decides, as it may begin with "RSA ", "EC ", "ENCRYPTED " and so on.
func armorType(line string) string {
	label, _, found := strings.Cut(line[len(armorBegin):], "-----")
	if !found {
		return ""
	}
	// Longer labels come before their suffixes: "KEY BLOCK" and "CERTIFICATE REQUEST" before "KEY" and "CERTIFICATE".
	for _, a := range [...]struct{ end, mediaType string }{
		{"PGP MESSAGE", "application/pgp-encrypted"},
		{"PGP SIGNATURE", "application/pgp-signature"},
		{"KEY BLOCK", "application/pgp-keys"},
		{"CERTIFICATE REQUEST", "application/pkcs10"},
		{"CERTIFICATE", "application/pkix-cert"},
		{"CRL", "application/pkix-crl"},
		{"PKCS7", "application/pkcs7-mime"},
		{"CMS", "application/pkcs7-mime"},
		{"DSA PARAMETERS", "application/x-x509-dsa-parameters"},
		{"EC PARAMETERS", "application/x-x509-ec-parameters"},
		{"KEY", "application/x-x509-key"},
	} {
		if strings.HasSuffix(label, a.end) {
			return a.mediaType
		}
	}
	return ""
}

// guessText returns the type of a text by a beginning that other texts may also have, or by its columns. It counts
// only without a name or declaration, which the caller checks first.
func guessText(head []byte) (Result, bool) {
	for _, s := range weakSignatures {
		if hasFoldPrefix(head, s.prefix) {
			return Result{Type: s.mediaType, Basis: basisMagic}, true
		}
	}
	t := tableOf(head)
	return Result{Type: t, Basis: basisStructure}, t != ""
}

// weakSignatures are beginnings of source code and of text formats, in lower case. Prose may quote them but seldom
// begins with them.
var weakSignatures = []struct{ prefix, mediaType string }{
	{"#include <", "text/x-csrc"},
	{"#include \"", "text/x-csrc"},
	{"#ifndef ", "text/x-chdr"},
	{"#import <", "text/x-objcsrc"},
	{"@echo off", "application/x-bat"},
	{"function [", "text/x-matlab"},
	{"digraph ", "text/vnd.graphviz"},
	{"strict digraph ", "text/vnd.graphviz"},
	{".\\\"", "text/troff"},
	{"'\\\"", "text/troff"},
	{"@article{", "application/x-bibtex-text-file"},
	{"@book{", "application/x-bibtex-text-file"},
	{"@misc{", "application/x-bibtex-text-file"},
	{"@inproceedings{", "application/x-bibtex-text-file"},
	{"@phdthesis{", "application/x-bibtex-text-file"},
	{"@techreport{", "application/x-bibtex-text-file"},
}

// textSignatures are beginnings of texts, long or unusual enough that prose does not begin with them. Case must match,
// since these formats prescribe it.
var textSignatures = []struct{ prefix, mediaType string }{
	{"JAVA PROFILE 1.0.1, created ", "application/vnd.java.hprof.text"},
	{"#EXTM3U", "application/vnd.apple.mpegurl"},
	{"WEBVTT", "text/vtt"},
	{"d8:announce", "application/x-bittorrent"},
	{"@prefix ", "text/turtle"},
	{"@charset \"", "text/css"},
	{"ISO-10303-21;", "model/step"},
	{"%!PS", "application/postscript"},
	{"Certificate:\n    Data:", "application/pkix-cert"},
	{"BEGMF", "image/cgm"},
	{"/* XPM", "image/x-xpixmap"},
	{"! XPM2", "image/x-xpixmap"},
	{"#VRML V", "model/vrml"},
	{"ENVI\n", "application/envi.hdr"},
	{"ENVI\r\n", "application/envi.hdr"},
	{"ASCII SPSS PORT FILE", "application/x-spss-por"},
	{"CACHE MANIFEST", "text/cache-manifest"},
	{"[InternetShortcut]", "application/x-mswinurl"},
	{"[Desktop Entry]", "application/x-desktop"},
	{"[Script Info]", "text/x-ssa"},
	{"[playlist]", "audio/x-scpls"},
	{"REGEDIT4", "text/x-ms-regedit"},
	{"Windows Registry Editor Version ", "text/x-ms-regedit"},
	{"MPX,Microsoft Project", "application/x-project"},
	{"\\documentclass", "application/x-tex"},
	{"\\documentstyle", "application/x-tex"},
	{"\\input texinfo", "application/x-texinfo"},
	{"diff --git ", "text/x-diff"},
	{"diff -", "text/x-diff"},
	{"TY  - ", "application/x-research-info-systems"},
	{"%0 Journal", "application/x-endnote-refer"},
	{"(* Content-type: application/", "application/x-mathematica"},
	{"-- MySQL dump", "application/sql"},
	{"-- phpMyAdmin SQL Dump", "application/sql"},
	{"--\n-- PostgreSQL database dump", "application/sql"},
	{"begin 644 ", "text/x-uuencode"},
	{"BEGIN:IMELODY", "text/x-imelody"},
	{"ONTOLOGY SOURCE REFERENCE", "application/x-isatab-investigation"},
	{"\"Source Name\"", "application/x-isatab"},
	{"\"Sample Name\"", "application/x-isatab-assay"},
	{"(This file must be converted with BinHex", "application/mac-binhex40"},
	{"ply\nformat ", "model/x-ply"},
	{"<%@ page", "text/x-jsp"},
	{"<%@page", "text/x-jsp"},
	{"<%--", "text/x-jsp"},
}
