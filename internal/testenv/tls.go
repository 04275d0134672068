package testenv

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// StartTLSRedis starts a Redis server with a second address that uses TLS. It returns this address, and
// a client configuration that trusts its certificate. The server's own address has no TLS; the test
// queries the server there.
func StartTLSRedis(t T, args ...string) (s *Server, addr string, trust *tls.Config) {
	t.Helper()
	dir := newDir(t, "tls")
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool, err := writeCertificate(cert, key)
	if err != nil {
		t.Fatalf("testenv: make a certificate: %v", err)
	}
	port, err := freePort()
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	s = StartRedis(t, append([]string{
		"--tls-port", strconv.Itoa(port), "--tls-cert-file", cert, "--tls-key-file", key,
		"--tls-ca-cert-file", cert, "--tls-auth-clients", "no",
	}, args...)...)
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // the keeper removes the rest
	return s, address(port), &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// writeCertificate writes a self-signed certificate for the loopback address, valid for a day.
func writeCertificate(certFile, keyFile string) (*x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IsCA:     true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(certFile, cert, 0o600); err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return pool, os.WriteFile(keyFile, pem.EncodeToMemory(
		&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600)
}
