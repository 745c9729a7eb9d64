package guard

import (
	"context"
	"errors"
	"net/netip"
	"testing"
)

func TestAttack12_specialAddressesAreNotPublic(t *testing.T) {
	for address, public := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,
		"::7f00:1": false, "::a9fe:a9fe": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b:1::808:808": false, "fec0::1": false,
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": false, "2002:a00:1::": false, "2002:808:808::": false, "100::1": false,
		"2001:2::1": false,
		"3fff::1":   false, "5f00::1": false, "fd00::1": false, "fe80::1%lo": false, "ff02::1": false, "::": false,
		"2001:20::1": false,
		"0.1.2.3":    false, "100.127.255.255": false, "192.0.0.8": false, "192.88.99.1": false, "198.19.0.1": false,
		"240.0.0.1":   false,
		"127.255.0.1": false, "172.31.0.1": false, "::ffff:10.0.0.1": false,
	} {
		if err := checkPublic(netip.AddrPortFrom(netip.MustParseAddr(address), 80).String()); (err == nil) != public ||
			err != nil && !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: %v, want public %v", address, err, public)
		}
	}
}

// TestAttack12_namesThatProxiesResolve: what a name resolves to here counts, and one that does not resolve here is the
// proxy's.
func TestAttack12_namesThatProxiesResolve(t *testing.T) {
	g := New(false)
	g.lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		switch host {
		case "rebound.example.com":
			return []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("127.0.0.1")}, nil
		case "public.example.com":
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		}
		return nil, errors.New("nobody to ask")
	}
	for host, want := range map[string]error{
		"rebound.example.com": ErrPrivate, "public.example.com": nil,
		"elsewhere.example.com": nil,
	} {
		if err := g.CheckHost(t.Context(), host); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: %v, want %v", host, err, want)
		}
	}
}

func TestControl(t *testing.T) {
	for address, public := range map[string]bool{
		"8.8.8.8:80": true, "[2606:4700::1111]:443": true, "127.0.0.1:80": false, "10.0.0.1:80": false,
		"172.20.1.1:80":  false,
		"192.168.1.1:80": false, "169.254.169.254:80": false, "100.64.1.1:80": false, "0.0.0.0:80": false,
		"224.0.0.1:80": false,
		"[::1]:80":     false, "[fe80::1]:80": false, "[fd00::1]:80": false, "[::ffff:127.0.0.1]:80": false,
		"[64:ff9b::7f00:1]:80": false,
		"[2002:7f00:1::]:80":   false, "255.255.255.255:80": false,
	} {
		if err := checkPublic(address); (err == nil) != public || err != nil && !errors.Is(err, ErrPrivate) {
			t.Errorf("checkPublic(%q): %v, want public %v", address, err, public)
		}
	}
}
