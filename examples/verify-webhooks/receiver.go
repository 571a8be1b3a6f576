// A receiver of webhooks and action calls that verifies their signatures (Standard Webhooks).
// Run it with: go run receiver.go 9000 whsec_… (or whpk_…, the public key of action calls)
package main

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

// isGenuine reports whether a request comes from the owner of the key. The body is as received.
func isGenuine(header http.Header, body []byte, key string) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	text := append([]byte(id+"."+timestamp+"."), body...)
	// After a rotation of the key there are two signatures.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		version, value, _ := strings.Cut(signature, ",")
		given, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			continue
		}
		if secret, found := keyOf(key, "whsec_"); found && version == "v1" {
			mac := hmac.New(sha256.New, secret)
			mac.Write(text)
			if hmac.Equal(given, mac.Sum(nil)) {
				return true
			}
		}
		if public, found := keyOf(key, "whpk_"); found && version == "v1a" && len(public) == ed25519.PublicKeySize {
			if ed25519.Verify(public, text, given) {
				return true
			}
		}
	}
	return false
}

func keyOf(key, prefix string) ([]byte, bool) {
	if !strings.HasPrefix(key, prefix) {
		return nil, false
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, prefix))
	return decoded, err == nil
}

func main() {
	var seen sync.Map
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil || !isGenuine(request.Header, body, os.Args[2]) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		// The same id can come again, after a retry or a redelivery.
		id := request.Header.Get("webhook-id")
		if _, known := seen.LoadOrStore(id, true); !known {
			fmt.Println(id, string(body))
		}
		response.WriteHeader(http.StatusNoContent)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}
