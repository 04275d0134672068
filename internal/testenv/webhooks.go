package testenv

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook checks the signature of a request by the specification of Standard Webhooks:
// HMAC-SHA256 of id, time and body, with a secret in base64. The time of the request must be within
// 5 minutes of the current time.
func VerifyWebhook(secret string, header http.Header, body []byte) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return fmt.Errorf("the secret: %w", err)
	}
	at, err := strconv.ParseInt(header.Get("Webhook-Timestamp"), 10, 64)
	if age := time.Since(time.Unix(at, 0)); err != nil || age.Abs() > 5*time.Minute {
		return fmt.Errorf("the time %q is wrong", header.Get("Webhook-Timestamp"))
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("Webhook-Id"), at, body)
	want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for one := range strings.FieldsSeq(header.Get("Webhook-Signature")) {
		if hmac.Equal([]byte(one), want) {
			return nil
		}
	}
	return fmt.Errorf("no signature of %q is good", header.Get("Webhook-Signature"))
}
